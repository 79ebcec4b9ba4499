"""What sources take and give: parts of a file, transcripts with their places and losses, text that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from message_ir.pointer import Path


class Place(NamedTuple):
    """Where in a file a value stands."""

    line: int
    """From 1."""
    column: int | None
    """In characters, from 1; None where only the line is known."""
    pointer: str
    """The JSON Pointer in the document: the file's one document, or the one on that line."""

    def below(self, lines: int) -> Place:
        """The place of the same in a file in which so many lines stand before."""
        return self._replace(line=self.line + lines)


class Loss(NamedTuple):
    """Something that a source left out of the transcript, and why."""

    kind: str
    """What it is, in the singular, such as `image`."""
    place: Place
    calls: int = 0
    """How many tool calls it holds."""


class Part(NamedTuple):
    """One JSON document of a file: the whole of it, or one line of JSON lines."""

    value: object
    line: int
    """The line on which it begins, from 1."""
    raw: bytes
    """Its text."""


class Unreadable(NamedTuple):
    """A piece of a file that is not what it should be, so that it holds no record."""

    place: Place
    problem: str
    """Completes “The text is not JSON: …”."""


@dataclass(frozen=True)
class Transcript:
    """One transcript of a file."""

    value: object
    """What the validator takes."""
    place: Callable[[Path], Place]
    """Says where a value of the transcript, by its path, stands in the file."""
    losses: Sequence[Loss] = field(default=())
    shares_records: bool = False
    """Whether records of it may stand in other transcripts of the file too, as those before a fork do."""


@dataclass(frozen=True)
class Options:
    """What a reader may be asked for beyond the ordinary."""

    include_aborted: bool = False
    """Keep turns that failed or were aborted, and the results that answer them."""
    history: bool = False
    """Take the whole branch, what compaction has cut off included."""
    ids_by_turn: bool = False
    """Take call ids to be unique in a turn of the model only, and number them by turn."""


class Source(Protocol):
    """One format of transcripts."""

    name: str
    """As `--from` takes it."""
    title: str
    """As people call it."""
    apis: tuple[str, ...]
    """The model APIs to which such messages go, as the catalogue's sightings name them; none where it may be any."""
    lines: bool
    """Whether such a file is always JSON lines."""

    def recognises(self, value: object) -> bool:
        """Tells from the first JSON document of a file whether the file is of this format."""
        ...

    def transcripts(self, parts: Iterator[Part | Unreadable], options: Options) -> Iterator[Transcript | Unreadable]:
        """Yields the transcripts of a file, and what of it cannot be read, in file order."""
        ...
