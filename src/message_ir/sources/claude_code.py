"""Session files of Claude Code (versions 1.0 to 2.1), and what it prints as `stream-json`: JSON lines with a `uuid`.

Messages are those of the Messages API, and are read as the source `anthropic` says. One turn of the model is written as several
lines with the same `message.id`, a block each; these are joined to one record, at the first of them, if nothing but results stands between. A message's id is the
`uuid` of its line, or made of the line, `line-12`, where it has none.
Lines form trees by their `parentUuid`; where a line has none, it follows the message before it. A transcript is the way from a root to the last message of a branch,
with all lines of its turns and the results of their parallel calls, wherever they hang.
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
        branches = _Tree(current).branches()
        for branch in branches or [[]] * bool(losses):
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

    @cached_property
    def calls(self) -> frozenset[str]:
        """The ids of the calls that it makes."""
        return frozenset(block["id"] for block in self._blocks("tool_use", "id"))

    @property
    def turn(self) -> str | None:
        """What the lines of one turn of the model have in common."""
        message = self.value.get("message")
        if self.value.get("type") != "assistant" or not isinstance(message, dict) or message.get("role") != "assistant":
            return None
        return message["id"] if isinstance(message.get("id"), str) else None

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
    by_uuid = _by_uuid(lines)
    current: list[_Line] = []
    losses: list[Loss] = []
    last: _Line | None = None
    for line in lines:
        if line.uuid is not None and by_uuid[line.uuid] is not line:
            if line.is_message:
                losses.append(Loss("message that a later line replaces", line.origin.place(), len(line.calls)))
            continue
        if line.value.get("type") == "attachment":
            losses.append(Loss("attachment", line.origin.place()))
        parent = line.value.get("parentUuid")
        if "parentUuid" not in line.value and line.is_message:
            # As a program gets the lines that Claude Code prints, they name no parents.
            line.parent = last
        elif isinstance(parent, str):
            line.parent = by_uuid.get(parent)
            if line.parent is None and line.is_message:
                losses.append(Loss("link to a parent that is not in the file", line.origin.place("parentUuid")))
        if line.is_message or line.value.get("subtype") == "compact_boundary":
            last = line if line.is_message else None
        current.append(line)
    return current, losses


def _by_uuid(lines: list[_Line]) -> dict[str, _Line]:
    """The last line of each uuid; of several, a message counts before what is none."""
    messages = {line.uuid: line for line in lines if line.uuid is not None and line.is_message}
    return {line.uuid: line for line in lines if line.uuid is not None} | messages


class _Tree:
    """The lines of a session as the trees that they form."""

    def __init__(self, lines: list[_Line]) -> None:
        self._messages = [line for line in lines if line.is_message]
        self._above: dict[int, _Line | None] = {}
        """The next message on the way to the root, of each line that was asked for."""
        self._turns: dict[int, tuple[str, int | None]] = {}
        """What the lines of one turn have in common, wherever in the tree they stand: the turn, and the message before it."""
        self._lines_of: dict[tuple[str, int | None], list[_Line]] = {}
        self._beside: dict[int, list[_Line]] = {}
        """The lines with results, by the message above them."""
        for line in self._messages:
            if line.turn is not None:
                self._lines_of.setdefault(self._turn(line), []).append(line)
            above = self._message_above(line)
            if line.answers and above is not None:
                self._beside.setdefault(above.number, []).append(line)

    def branches(self) -> list[list[_Line]]:
        """The messages of each branch, in their order; of forks, each has the whole way from the root."""
        covered: set[int] = set()
        branches: list[list[_Line]] = []
        for end in reversed(self._messages):
            if end.number not in covered:
                branch = self._branch(end)
                covered |= {line.number for line in branch}
                branches.append(branch)
        return branches[::-1]

    def _branch(self, end: _Line) -> list[_Line]:
        """The way to an end, with the other lines of its turns and the results that hang beside it."""
        way = self._way(end)
        answered = {call for line in way for call in line.answers}
        held: dict[int, _Line] = {}
        called: set[str] = set()
        for line in way:
            if line.number in held:
                continue
            turn = self._lines_of[self._turn(line)] if line.turn is not None else [line]
            held |= {each.number: each for each in turn}
            called |= {call for each in turn for call in each.calls}
            for beside in [result for each in turn for result in self._beside.get(each.number, ())]:
                # What answers a call once more is no second result of it, but on the way or in another branch; so is what
                # answers none.
                if beside.answers <= called and answered.isdisjoint(beside.answers):
                    held[beside.number] = beside
                    answered |= beside.answers
        return list(held.values())

    def _way(self, end: _Line) -> list[_Line]:
        """The messages from the root to an end; where parents form a loop, each once."""
        way: dict[int, _Line] = {}
        line: _Line | None = end
        while line is not None and line.number not in way:
            way[line.number] = line
            line = self._message_above(line)
        return list(way.values())[::-1]

    def _message_above(self, line: _Line) -> _Line | None:
        passed: dict[int, _Line] = {}
        while line.number not in self._above:
            passed[line.number] = line
            if line.parent is None or line.parent.number in passed:
                self._above[line.number] = None
            elif line.parent.is_message:
                self._above[line.number] = line.parent
            else:
                line = line.parent
        above = self._above[line.number]
        self._above |= dict.fromkeys(passed, above)
        return above

    def _turn(self, line: _Line) -> tuple[str, int | None]:
        """What a line of a turn has in common with the others; between them stand results at most."""
        passed: dict[int, _Line] = {}
        while line.number not in self._turns:
            passed[line.number] = line
            before = self._message_above(line)
            while before is not None and before.answers and before.number not in passed:
                passed[before.number] = before
                before = self._message_above(before)
            if before is None or before.turn != line.turn or before.number in passed:
                self._turns[line.number] = (str(line.turn), None if before is None else before.number)
            else:
                line = before
        turn = self._turns[line.number]
        self._turns |= {number: turn for number, each in passed.items() if each.turn is not None}
        return turn


def _transcript(branch: list[_Line]) -> Transcript:
    draft = Draft(branch[0].origin.place() if branch else None)
    # The turn of the last answer, and its blocks; lines of one turn stand together in a branch.
    turn: str | None = None
    joined = Blocks()
    for line in branch:
        message, origin = line.value.get("message"), line.origin.at("message")
        id_ = line.uuid if line.uuid is not None else f"line-{line.origin.place().line}"
        blocks = anthropic.blocks_of(draft, message, origin) if line.turn and isinstance(message, dict) else None
        if line.turn is None or blocks is None:
            anthropic.add_message(draft, message, origin, id_)
            turn = None
        elif line.turn == turn:
            joined.extend(blocks)
        else:
            turn, joined = line.turn, blocks
            draft.add_assistant(id_, blocks, origin)
    return draft.transcript()
