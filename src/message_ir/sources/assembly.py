"""Assembles a transcript from records that a source makes, and remembers where in the file each value came from.

Here belongs what sources of other systems have in common; nothing here knows a format.
"""

from __future__ import annotations

import json
from collections import ChainMap, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from message_ir.json_text import NotJsonError, parse
from message_ir.pointer import Path
from message_ir.sources.locate import Locator
from message_ir.sources.model import Loss, Place, Transcript

Json = Mapping[str, Any]


class Origin(NamedTuple):
    """Where in a file a value stands."""

    locator: Locator
    path: Path = ()
    """From the root of its document."""
    is_leaf: bool = False
    """Whether the value was made of text, so that nothing inside of it has a place of its own."""

    def at(self, *steps: str | int) -> Origin:
        """Where a value inside of it stands."""
        return self if self.is_leaf else Origin(self.locator, (*self.path, *steps))

    def place(self, *steps: str | int) -> Place:
        """The line, column and pointer."""
        return self.locator.place(self.path if self.is_leaf else (*self.path, *steps))

    def leaf(self) -> Origin:
        """The same place, of a value that is made of the text there."""
        return self._replace(is_leaf=True)


Origins = Mapping[Path, Origin]
"""Where the values of a record came from, by their paths in it; the longest path that leads to a value counts."""

_NAMELESS: Final = "unknown"


class Blocks:
    """An assistant's content in the making."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self.origins: dict[Path, Origin] = {}

    def add(self, block: object, origin: Origin, inner: Mapping[str, Origin] | None = None) -> None:
        """Adds a block; `inner` says of its fields that have places of their own where they came from."""
        path = ("content", len(self.values))
        self.values.append(block)
        self.origins[path] = origin
        for name, place in (inner or {}).items():
            self.origins[*path, name] = place

    def extend(self, other: Blocks) -> None:
        """Adds the blocks of another content."""
        for (_, at, *rest), place in other.origins.items():
            self.origins["content", len(self.values) + int(at), *rest] = place
        self.values += other.values

    def add_text(self, text: object, origin: Origin) -> None:
        """Adds a text block that is made of a string."""
        self.add({"type": "text", "text": text}, origin.leaf())


class Draft:
    """A transcript in the making."""

    def __init__(self, start: Place | None = None) -> None:
        self._start = start or Place(1, None, "")
        self._records: list[object] = []
        self._origins: list[Origins] = []
        self._losses: list[Loss] = []
        self._nameless: list[dict[str, Any]] = []

    def add(self, record: object, origins: Origins) -> None:
        """Adds a record; `origins` says at least where the record itself came from, by the empty path."""
        self._records.append(record)
        self._origins.append(origins)

    def add_assistant(self, id_: object, blocks: Blocks, origin: Origin) -> None:
        """Adds an assistant's message of such blocks."""
        record = {"id": id_, "role": "assistant", "content": blocks.values}
        # Not copies: blocks may be added to it as long as the transcript is in the making.
        self.add(record, ChainMap(blocks.origins, {(): origin, ("content",): origin}))

    def add_user(self, id_: object, content: object, origin: Origin, at_content: Origin) -> None:
        """Adds a user's message."""
        self.add({"id": id_, "role": "user", "content": content}, {(): origin, ("content",): at_content})

    def carry(self, value: object, origin: Origin) -> None:
        """Adds a record as it is, for the validator to report."""
        self.add(value, {(): origin})

    def add_result(self, fields: dict[str, Any], origins: Origins) -> None:
        """Adds a tool result; where the fields name no tool, its name is that of the call with its id."""
        record = {**fields, "role": "toolResult"}
        if "toolName" not in record:
            self._nameless.append(record)
        self.add(record, origins)

    def lose(self, kind: str, origin: Origin, calls: int = 0) -> None:
        """Counts what has no place in a transcript."""
        self._losses.append(Loss(kind, origin.place(), calls))

    def _name_results(self) -> None:
        """Gives each nameless result the name of the last call of its id before it, or of the first after it."""
        nameless = {id(record) for record in self._nameless}
        first: dict[str, str] = {}
        for record in self._records:
            for id_, name in _calls(record):
                first.setdefault(id_, name)
        last: dict[str, str] = {}
        for record in self._records:
            last.update(_calls(record))
            if isinstance(record, dict) and id(record) in nameless:
                # A result whose call is not there, or has no name, is not to be blamed for its own.
                call = record.get("toolCallId")
                record["toolName"] = (
                    last.get(call) or first.get(call, _NAMELESS) if isinstance(call, str) else _NAMELESS
                )

    def transcript(self) -> Transcript:
        """The transcript, as the validator takes it."""
        self._name_results()
        origins, start = self._origins, self._start

        def place(path: Path) -> Place:
            if not path:
                return start
            known, inner = origins[int(path[0])], path[1:]
            length = next(length for length in range(len(inner), -1, -1) if inner[:length] in known)
            return known[inner[:length]].place(*inner[length:])

        return Transcript(self._records, place, self._losses)


class Steps:
    """An assistant's message in the making, in a form that keeps calls and results in one: of each step its blocks, then its results."""

    def __init__(self, draft: Draft, id_: object, origin: Origin) -> None:
        self.blocks = Blocks()
        """Those of the step in the making."""
        self._draft = draft
        self._id = id_
        self._origin = origin
        self._results: list[tuple[dict[str, Any], Origins]] = []
        self._is_empty = True

    def add_result(self, fields: dict[str, Any], origins: Origins) -> None:
        """Adds a result to the step; it has the message's id."""
        self._results.append(({**fields, "id": self._id}, origins))

    def end_step(self) -> None:
        """Adds the records of the step, and begins another."""
        self._is_empty = self._is_empty and not self.blocks.values and not self._results
        if self.blocks.values:
            self._draft.add_assistant(self._id, self.blocks, self._origin)
        for result in self._results:
            self._draft.add_result(*result)
        self.blocks, self._results = Blocks(), []

    def end(self) -> None:
        """Ends the last step; a message of nothing is one record without blocks."""
        self.end_step()
        if self._is_empty:
            self._draft.add_assistant(self._id, self.blocks, self._origin)


def _calls(record: object) -> Iterator[tuple[str, str]]:
    """The id and the name of each tool call of a record, as far as they are ones."""
    content = record.get("content") if isinstance(record, dict) and record.get("role") == "assistant" else None
    for block in content if isinstance(content, list) else ():
        if is_type(block, "toolCall"):
            id_, name = block.get("id"), block.get("name")
            if isinstance(id_, str) and isinstance(name, str) and name.strip():
                yield id_, name


def renamed(source: Json, names: Mapping[str, str]) -> dict[str, Any]:
    """The fields of an object under other names; what is absent stays so."""
    return {name: source[field] for field, name in names.items() if field in source}


def is_type(value: object, kind: str) -> bool:
    """Whether a value is an object of this `type`."""
    return isinstance(value, dict) and value.get("type") == kind


def parsed(text: object) -> object:
    """What JSON text stands for; text that is no JSON, and what is no text, stays as it is."""
    if not isinstance(text, str):
        return text
    try:
        return parse(text)
    except NotJsonError:
        return text


def text_of(value: object) -> str:
    """What a tool gave, as text: text as it is, nothing as nothing, anything else as JSON text."""
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        # Nested deeper than the writer goes, or no value of JSON; that there was an output is all that counts here.
        return f"({type(value).__name__})"


class OpenCalls:
    """Pairs results with the calls of the last turn, where a format allows either to have no id: by name, and then by position."""

    def __init__(self) -> None:
        self._open: dict[str, bool] = {}
        """The calls that no result has answered, by their ids, and whether the id was made."""
        self._named: dict[str, deque[str]] = {}

    def begin(self) -> None:
        """Begins a turn with calls; calls of an earlier one are not answered any more."""
        self._open.clear()
        self._named.clear()

    def add(self, given: object, otherwise: str, name: object) -> object:
        """Adds a call, and returns its id: the one that it has, or the other."""
        id_ = otherwise if given is None else given
        if isinstance(id_, str):
            self._open[id_] = given is None
            if isinstance(name, str):
                self._named.setdefault(name, deque()).append(id_)
        return id_

    def answer(self, given: object, otherwise: str, name: object) -> object:
        """Returns the id of the call that a result answers, by the id that it has or by its name; the other if there is none."""
        if isinstance(given, str) and given in self._open:
            del self._open[given]
            return given
        if given is not None and not any(self._open.values()):
            return given
        named = self._named.get(name, deque()) if isinstance(name, str) else deque()
        while named and named[0] not in self._open:
            named.popleft()
        found = named.popleft() if named else next(iter(self._open), None)
        if found is None:
            return otherwise if given is None else given
        del self._open[found]
        return found


class Texts(NamedTuple):
    """Which blocks of a format are text, and what the others are called when they are left out."""

    types: frozenset[str]
    """The types of blocks with a `text`."""
    lost: Mapping[str, str]
    """What blocks of other types are called; those that are not named here are called by their type."""
    strings: bool = False
    """Whether a string may stand in the place of a text block."""

    def name(self, kind: str) -> str:
        """What a block of a type is called."""
        return self.lost.get(kind, f"{kind} block")

    def of(self, content: object, origin: Origin, draft: Draft) -> object:
        """The text of content that is a string or a list of blocks; whatever else it is stays as it is."""
        return self.joined(listed(content, origin), draft) if isinstance(content, list) else content

    def joined(self, blocks: Sequence[tuple[object, Origin]], draft: Draft) -> object:
        """The text of blocks, joined by line feeds; others are counted. Blocks that are none stay as they are, all of them."""
        texts: list[str] = []
        losses: list[tuple[str, Origin]] = []
        for block, origin in blocks:
            kind, text = (block.get("type"), block.get("text")) if isinstance(block, dict) else (None, None)
            if self.strings and isinstance(block, str):
                texts.append(block)
            elif isinstance(kind, str) and kind not in self.types:
                losses.append((self.name(kind), origin))
            elif isinstance(kind, str) and isinstance(text, str):
                texts.append(text)
            else:
                return [each for each, _ in blocks]
        for lost in losses:
            draft.lose(*lost)
        return "\n".join(texts)


def listed(values: list[object], origin: Origin) -> list[tuple[object, Origin]]:
    """The values of an array, each with its origin."""
    return [(value, origin.at(at)) for at, value in enumerate(values)]
