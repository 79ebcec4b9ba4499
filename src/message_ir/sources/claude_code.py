"""Session files of Claude Code (versions 1.0 to 2.1): JSON lines with `uuid` and `parentUuid`.

Messages are those of the Messages API, and are read as the source `anthropic` says. One turn of the model is written as several
lines with the same `message.id`, a block each; these are joined to one record, at the first of them. A message's id is the
`uuid` of its line, or made of the line, `line-12`, where it has none.
Lines form trees. A transcript is the way from a root to the last message of a branch, and the results of parallel calls, which hang beside it.
Each fork has its whole way from the root, so that many forks of a long session cost their number times its length.
Forks, side chains (agents below the agent), and what a compaction cut off are transcripts of their own. What several of them share
is counted once where it is left out.
Left out and counted: what `anthropic` leaves out, messages that a later line with the same `uuid` replaces (a resumed session repeats
lines), and links to parents that are not in the file, which begin a transcript. Lines that are no messages (summaries, progress, snapshots of files, and
the like) hold together what stands on both sides of them, and say nothing that belongs into a transcript.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, Final

from message_ir.sources import anthropic
from message_ir.sources.assembly import Blocks, Draft, Origin, is_type
from message_ir.sources.locate import Locator
from message_ir.sources.model import Loss, Options, Part, Place, Transcript, Unreadable

_MESSAGES: Final = ("user", "assistant")


class ClaudeCodeSession:
    """The source `claude-code`."""

    name = "claude-code"
    title = "Claude Code session"
    apis: tuple[str, ...] = ("Anthropic Messages",)
    lines = True

    def recognises(self, value: object) -> bool:
        """A message with a uuid."""
        return isinstance(value, dict) and value.get("type") in _MESSAGES and "uuid" in value and "message" in value

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields what cannot be read, and then a transcript for each branch, in the order of their ends."""
        lines: list[_Line] = []
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            elif isinstance(part.value, dict):
                lines.append(_Line(part.value, Origin(Locator(part)), len(lines)))
            else:
                yield Unreadable(Place(part.line, 1, ""), "a session's lines are objects")
        current, losses = _linked(lines)
        counted: set[tuple[str, Place]] = set()
        branches = _branches(current)
        for branch in branches:
            transcript = _transcript(branch)
            new = [loss for loss in (*losses, *transcript.losses) if (loss.kind, loss.place) not in counted]
            counted |= {(loss.kind, loss.place) for loss in new}
            yield replace(transcript, losses=new, shares_records=len(branches) > 1)


@dataclass(eq=False)
class _Line:
    """One line of a session."""

    value: dict[str, Any]
    origin: Origin
    number: int
    """Its position among the lines that can be read."""
    parent: _Line | None = field(default=None, repr=False)

    @property
    def is_message(self) -> bool:
        return self.value.get("type") in _MESSAGES and "message" in self.value

    @property
    def uuid(self) -> str | None:
        uuid = self.value.get("uuid")
        return uuid if isinstance(uuid, str) else None

    @property
    def calls(self) -> int:
        """How many tool calls it makes."""
        return len(self._blocks("tool_use", "id"))

    @property
    def turn(self) -> str | None:
        """What the lines of one turn of the model have in common."""
        message = self.value.get("message")
        id_ = message.get("id") if isinstance(message, dict) and self.value.get("type") == "assistant" else None
        return id_ if isinstance(id_, str) else None

    @cached_property
    def answers(self) -> frozenset[str]:
        """The ids of the calls that it answers."""
        return frozenset(block["tool_use_id"] for block in self._blocks("tool_result", "tool_use_id"))

    def _blocks(self, kind: str, field: str) -> list[dict[str, Any]]:
        """The blocks of a type whose field is a string."""
        message = self.value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else []
        return [block for block in blocks if is_type(block, kind) and isinstance(block.get(field), str)]


def _linked(lines: list[_Line]) -> tuple[list[_Line], list[Loss]]:
    """Gives each line its parent; returns the lines that no later one replaces, and what is left out."""
    by_uuid = {line.uuid: line for line in lines if line.uuid is not None}
    current: list[_Line] = []
    losses: list[Loss] = []
    for line in lines:
        if line.uuid is not None and by_uuid[line.uuid] is not line:
            if line.is_message:
                losses.append(Loss("message that a later line replaces", line.origin.place(), line.calls))
            continue
        parent = line.value.get("parentUuid")
        if "parentUuid" not in line.value and current and line.is_message:
            line.parent = current[-1]
        elif isinstance(parent, str):
            line.parent = by_uuid.get(parent)
            if line.parent is None and line.is_message:
                losses.append(Loss("link to a parent that is not in the file", line.origin.place("parentUuid")))
        current.append(line)
    return current, losses


def _branches(lines: list[_Line]) -> list[list[_Line]]:
    """The branches, each with its lines in file order; of forks, each has the whole way from the root."""
    beside: dict[int, list[_Line]] = {}
    for line in lines:
        if line.answers and (above := _message_above(line)) is not None:
            beside.setdefault(above.number, []).append(line)
    covered: set[int] = set()
    branches: list[list[_Line]] = []
    for end in reversed(lines):
        if not end.is_message or end.number in covered:
            continue
        held = {line.number: line for line in _way(end)}
        answered = {call for line in held.values() for call in line.answers}
        for hanging in [line for number in sorted(held) for line in beside.get(number, ())]:
            # What answers a call once more is no second result of it, but another branch.
            if answered.isdisjoint(hanging.answers):
                held[hanging.number] = hanging
                answered |= hanging.answers
        covered |= held.keys()
        branches.append([held[number] for number in sorted(held) if held[number].is_message])
    return branches[::-1]


def _message_above(line: _Line) -> _Line | None:
    """The next message on the way to the root."""
    return next((above for above in islice(_way(line), 1, None) if above.is_message), None)


def _way(end: _Line) -> Iterator[_Line]:
    """The lines from an end to its root; where parents form a loop, each once."""
    seen: set[int] = set()
    line: _Line | None = end
    while line is not None and line.number not in seen:
        seen.add(line.number)
        yield line
        line = line.parent


def _transcript(branch: list[_Line]) -> Transcript:
    draft = Draft(branch[0].origin.place())
    turns: dict[str, Blocks] = {}
    for line in branch:
        message, origin = line.value.get("message"), line.origin.at("message")
        id_ = line.uuid if line.uuid is not None else f"line-{line.origin.place().line}"
        blocks = anthropic.blocks_of(draft, message, origin) if line.turn and isinstance(message, dict) else None
        if line.turn is None or blocks is None:
            anthropic.add_message(draft, message, origin, id_)
        elif line.turn in turns:
            turns[line.turn].extend(blocks)
        else:
            turns[line.turn] = blocks
            draft.add_assistant(id_, blocks, origin)
    return draft.transcript()
