"""Session files of Claude Code (versions 1.0 to 2.1): JSON lines with `uuid` and `parentUuid`.

Messages are those of the Messages API, and are read as the source `anthropic` says. One turn of the model is written as several
lines with the same `message.id`, a block each; these are joined to one record, at the first of them. A message's id is the
`uuid` of its line, or made of the line, `line-12`, where it has none.
Lines form trees. A transcript is the way from a root to the last message of a branch, and the results of parallel calls, which hang beside it.
Each fork has its whole way from the root, so that many forks of a long session cost their number times its length.
Forks, side chains (agents below the agent), and what a compaction cut off are transcripts of their own.
Left out and counted: what `anthropic` leaves out. Lines that are no messages (summaries, progress, snapshots of files, and
the like) hold together what stands on both sides of them, and say nothing that belongs into a transcript.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from message_ir.sources import anthropic
from message_ir.sources.assembly import Blocks, Draft, Origin, is_type
from message_ir.sources.locate import Locator
from message_ir.sources.model import Options, Part, Place, Transcript, Unreadable

_MESSAGES: Final = ("user", "assistant")


class ClaudeCodeSession:
    """The source `claude-code`."""

    name = "claude-code"
    title = "Claude Code session"
    api = "Anthropic Messages"
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
        by_uuid: dict[object, _Line] = {}
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            elif not isinstance(part.value, dict):
                yield Unreadable(Place(part.line, 1, ""), "a session's lines are objects")
            else:
                line = _Line(part.value, Origin(Locator(part)), len(lines))
                uuid, parent = part.value.get("uuid"), part.value.get("parentUuid")
                if "parentUuid" not in part.value and lines and line.is_message:
                    line.parent = lines[-1]
                elif isinstance(parent, str):
                    line.parent = by_uuid.get(parent)
                if isinstance(uuid, str):
                    by_uuid[uuid] = line
                lines.append(line)
        for branch in _branches(lines):
            yield _transcript(branch)


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
    def turn(self) -> str | None:
        """What the lines of one turn of the model have in common."""
        message = self.value.get("message")
        id_ = message.get("id") if isinstance(message, dict) and self.value.get("type") == "assistant" else None
        return id_ if isinstance(id_, str) else None

    @property
    def holds_only_results(self) -> bool:
        message = self.value.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        return isinstance(content, list) and bool(content) and all(is_type(block, "tool_result") for block in content)


def _branches(lines: list[_Line]) -> list[list[_Line]]:
    """The branches, each with its lines in file order; of forks, each has the whole way from the root."""
    # Lines that lead on to a message; a result that does is a branch, and does not hang beside another.
    leading: set[int] = set()
    for line in reversed(lines):
        if line.parent is not None and (line.is_message or line.number in leading):
            leading.add(line.parent.number)
    beside: dict[int, list[_Line]] = {}
    for line in lines:
        if line.parent is not None and line.holds_only_results and line.number not in leading:
            beside.setdefault(line.parent.number, []).append(line)
    covered: set[int] = set()
    branches: list[list[_Line]] = []
    for end in reversed(lines):
        if not end.is_message or end.number in covered:
            continue
        way = _way(end)
        held = {line.number: line for on_way in way for line in (on_way, *beside.get(on_way.number, ()))}
        covered |= held.keys()
        branches.append([held[number] for number in sorted(held) if held[number].is_message])
    return branches[::-1]


def _way(end: _Line) -> list[_Line]:
    """The lines from an end to its root."""
    way: list[_Line] = []
    seen: set[int] = set()
    line: _Line | None = end
    while line is not None and line.number not in seen:
        seen.add(line.number)
        way.append(line)
        line = line.parent
    return way


def _transcript(branch: list[_Line]) -> Transcript:
    draft = Draft(branch[0].origin.place())
    turns: dict[str, Blocks] = {}
    for line in branch:
        message, origin = line.value.get("message"), line.origin.at("message")
        uuid = line.value.get("uuid")
        id_ = uuid if isinstance(uuid, str) else f"line-{line.origin.place().line}"
        blocks = anthropic.blocks_of(draft, message, origin) if line.turn and isinstance(message, dict) else None
        if line.turn is None or blocks is None:
            anthropic.add_message(draft, message, origin, id_)
        elif line.turn in turns:
            turns[line.turn].extend(blocks)
        else:
            turns[line.turn] = blocks
            draft.add_assistant(id_, blocks, origin)
    return draft.transcript()
