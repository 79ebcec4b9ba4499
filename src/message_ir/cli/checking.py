"""Checks units of files: reads their transcripts, judges them, and says where in the file each finding stands. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from typing import Final, NamedTuple

from message_ir.cli.inputs import CannotReadError
from message_ir.cli.units import Unit, cannot_read, is_set_aside
from message_ir.fast_json import count_json
from message_ir.findings import diagnostic
from message_ir.pointer import Path, path_in
from message_ir.quoting import quote
from message_ir.sources import Loss, Options, Place, Transcript, Unreadable, read_lines
from message_ir.sources.model import Source
from message_ir.sources.reading import FALLBACK, AmbiguousFormatError, by_line, read_each
from message_ir.validation import judge, not_json
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import Diagnostic, DiagnosticCode
from message_ir_types.shapes import BLOCKS, MESSAGES

# So many losses of a file are kept with their places, and so many kinds of them are told apart.
_LOSSES: Final = 1_000
_KINDS: Final = 100
_OTHER_KINDS: Final = "something else"

_BLANK: Final = b" \t\r\n"

# If there are more line ends than this in so many bytes, they are close by.
_MANY: Final = 16
_SAMPLE: Final = 1 << 12


class Spot(NamedTuple):
    """One record that a finding is about."""

    place: Place
    gist: str
    """What stands there, in a few words; empty where nothing can be said."""


class Located(NamedTuple):
    """A diagnostic, and where in which file it stands."""

    diagnostic: Diagnostic
    file: str
    transcript: int
    """The position of the transcript in the file, from 0."""
    spot: Spot
    related: tuple[Spot, ...]
    answers: tuple[str, ...] = ()
    """What the API to which such a file goes says of it."""

    def after(self, tally: Tally) -> Located:
        """The same, where so much of the file stands before it."""
        if not tally.lines:
            return self
        first, *related = (Spot(spot.place.below(tally.lines), spot.gist) for spot in (self.spot, *self.related))
        return self._replace(transcript=self.transcript + tally.transcripts, spot=first, related=tuple(related))


@dataclass
class Losses:
    """What was left out of transcripts: all of it counted by kind, and the first of it with its places.

    That of a file takes no more memory for more of the file, and is the same in whichever parts it was added up.
    """

    first: list[Loss] = field(default_factory=list)
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each kind, in order of appearance, how many there are, and how many tool calls they hold."""

    def count(self, losses: Iterable[Loss]) -> None:
        """Counts what was left out of one transcript, every kind for itself: the file's first kinds are not known here."""
        for loss in losses:
            if len(self.first) < _LOSSES:
                self.first.append(loss)
            self._count(loss.kind, 1, loss.calls)

    def add(self, other: Losses, lines: int) -> None:
        """Adds what was left out so many lines further on in the file."""
        new = other.first[: _LOSSES - len(self.first)]
        self.first += [loss._replace(place=loss.place.below(lines)) for loss in new] if lines else new
        for kind, (number, calls) in other.kinds.items():
            is_told_apart = kind in self.kinds or len(self.kinds) < _KINDS
            self._count(kind if is_told_apart else _OTHER_KINDS, number, calls)

    def _count(self, kind: str, number: int, calls: int) -> None:
        numbers, held = self.kinds.get(kind, (0, 0))
        self.kinds[kind] = (numbers + number, held + calls)


@dataclass
class Tally:
    """What was looked at and found in one file, or in a part of it."""

    file: str
    format: str = ""
    title: str = ""
    lines: int = 0
    transcripts: int = 0
    messages: int = 0
    calls: int = 0
    findings: dict[DiagnosticCode, int] = field(default_factory=dict)
    losses: Losses = field(default_factory=Losses)

    def add(self, other: Tally) -> None:
        """Adds what was found further on in the file."""
        if other.format:
            self.format, self.title = other.format, other.title
        self.losses.add(other.losses, self.lines)
        self.lines += other.lines
        self.transcripts += other.transcripts
        self.messages += other.messages
        self.calls += other.calls
        for code, number in other.findings.items():
            self.findings[code] = self.findings.get(code, 0) + number


class Settings(NamedTuple):
    """What a check is asked for."""

    format: str | None
    """A source's name, or None to find out."""
    options: Options
    """What to keep that is otherwise set aside."""
    codes: frozenset[DiagnosticCode]
    """The codes to report."""


@dataclass
class Outcome:
    """What the check of a unit gives; the rest of it is complete once the findings are exhausted."""

    unit: Unit
    tally: Tally
    findings: Iterable[Located] = ()
    """In file order; lines and transcripts are counted from the first of the unit."""
    problem: str | None = None
    """A sentence for people, if the unit could not be read."""
    is_set_aside: bool = False
    """Whether it is a file of no known format, found in a folder."""


def check(unit: Unit, settings: Settings) -> Outcome:
    """Checks a unit, as far as its findings are taken."""
    outcome = Outcome(unit, Tally(unit.entry.name))
    outcome.findings = _findings(outcome, settings)
    return outcome


def _findings(outcome: Outcome, settings: Settings) -> Iterator[Located]:
    """Yields the findings that can be reported, and counts all of them and whatever else is looked at."""
    unit, tally = outcome.unit, outcome.tally
    left = unit.most
    try:
        source, items = _items(outcome, settings)
        tally.format, tally.title = source.name, source.title
        # Findings in records that several transcripts share are reported once.
        shared: set[tuple[object, ...]] = set()
        for item in items:
            index = tally.transcripts
            is_shared = isinstance(item, Transcript) and item.shares_records
            for found, spots in _judged(item, tally):
                identity = (found.code, *(spot.place for spot in spots())) if is_shared else ()
                if found.code not in settings.codes or identity in shared:
                    continue
                shared |= {identity} if is_shared else set()
                tally.findings[found.code] = tally.findings.get(found.code, 0) + 1
                if left != 0:
                    left = left and left - 1
                    first, *related = spots()
                    seen = CATALOGUE[found.code].seen_as
                    answers = tuple(f"{each.api}: “{each.text}”" for each in seen if each.api in source.apis)
                    yield Located(found, tally.file, index, first, tuple(related), answers)
    except (OSError, CannotReadError, AmbiguousFormatError) as error:
        outcome.problem = cannot_read(unit.entry, error)


def _items(outcome: Outcome, settings: Settings) -> tuple[Source, Iterable[Transcript | Unreadable]]:
    """Reads the unit's transcripts.

    Raises:
        OSError: its text cannot be read.
        CannotReadError: likewise.
        AmbiguousFormatError: it may be of several formats.
    """
    unit, tally = outcome.unit, outcome.tally
    text = unit.read()
    tally.lines = _line_ends(text)
    source = unit.source
    if source is None and b"\n" in text.strip(_BLANK):
        found = by_line(BytesIO(text), name=unit.inner_name, format=settings.format)
        if found:
            source = found.source
            outcome.is_set_aside = is_set_aside(unit.entry, is_known=found.is_known)
    if outcome.is_set_aside:
        return FALLBACK, ()
    if source is not None:
        # What is seen to be clean as it stands needs no source; only text of the IR itself can be.
        has_short_way = source.name == FALLBACK.name and not settings.options.ids_by_turn
        skip = (lambda line: _accepted(line, tally)) if has_short_way else _never
        return source, read_each(BytesIO(text), source, options=settings.options, skip=skip)
    reading = read_lines(BytesIO(text), name=unit.inner_name, format=settings.format, options=settings.options)
    if unit.entry.folder is None or reading.source is not FALLBACK:
        return reading
    items = list(reading.items)
    # Where nothing at all can be read, it may be a transcript that broke.
    outcome.is_set_aside = any(isinstance(item, Transcript) for item in items)
    return FALLBACK, () if outcome.is_set_aside else items


def _line_ends(text: bytes) -> int:
    """How many line ends there are; a search from one to the next is the faster way, but where they are close by."""
    if text.count(b"\n", 0, _SAMPLE) > _MANY:
        return text.count(b"\n")
    number, at = 0, text.find(b"\n")
    while at >= 0:
        number, at = number + 1, text.find(b"\n", at + 1)
    return number


def _accepted(line: bytes, tally: Tally) -> bool:
    """Whether a line is a clean transcript, which is counted."""
    counts = count_json(line) if line.startswith(b"[") else None
    if counts is None:
        return False
    tally.transcripts += 1
    tally.messages += counts[0]
    tally.calls += counts[1]
    return True


def _never(_: bytes) -> bool:
    return False


def _judged(item: Transcript | Unreadable, tally: Tally) -> Iterator[tuple[Diagnostic, Callable[[], list[Spot]]]]:
    """Yields the diagnostics of what was read, each with a way to find what it is about, and counts what was read."""
    if isinstance(item, Unreadable):
        yield diagnostic(not_json(item.problem)), lambda: [Spot(item.place, "")]
        return
    verdict = judge(item.value)
    tally.transcripts += 1
    tally.messages += len(item.value) if isinstance(item.value, list) else 0
    tally.calls += verdict.calls
    tally.losses.count(item.losses)
    for found in verdict.diagnostics:
        yield found, partial(_spots, item, found)


def _spots(item: Transcript, found: Diagnostic) -> list[Spot]:
    """The record that a diagnostic is about, and those that it is related to."""
    paths = [path_in(item.value, pointer) for pointer in (found.path, *found.related)]
    return [Spot(item.place(path), _gist(item.value, path)) for path in paths]


def _gist(transcript: object, path: Path) -> str:
    """Says in a few words what stands at a record or block: its kind, names and ids, never its content."""
    record = _child(transcript, path[0]) if path else None
    role = _child(record, "role")
    words = [role if isinstance(role, str) and role in MESSAGES else _quoted(role)]
    if role == "toolResult":
        words += [_quoted(_child(record, "toolName")), "answers", _quoted(_child(record, "toolCallId"))]
    block = _child(_child(record, "content"), path[2]) if len(path) > _BLOCK_DEPTH else None
    if isinstance(block, dict):
        kind = block.get("type")
        words += ["›", kind if isinstance(kind, str) and kind in BLOCKS else _quoted(kind)]
        if kind == "toolCall":
            words += [_quoted(block.get("name")), _quoted(block.get("id"))]
    return " ".join(word for word in words if word)


_BLOCK_DEPTH: Final = 2


def _child(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int):
        return value[step]
    return None


def _quoted(value: object) -> str:
    return quote(value) if isinstance(value, str) else ""
