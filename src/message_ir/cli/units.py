"""Cuts files into units of work, which can be checked one by one and by anyone, and whose answers in order are the file's.

A unit is some lines of a file of whose lines each is a transcript of its own, or a whole file.
What the lines are is found out once, from the beginning of the file, so that all units of a file agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from message_ir.cli.escaping import safe
from message_ir.cli.inputs import CannotReadError, Entry, Input, opened, part, why
from message_ir.sources.model import Source
from message_ir.sources.reading import AmbiguousFormatError, by_line

# A unit is of about so many bytes, which a processor keeps near itself.
SIZE: Final = 1 << 18

# What comes one after the other in text that has a second line.
_SECOND_LINE: Final = (re.compile(rb"[^ \t\r\n]"), re.compile(rb"\n"), re.compile(rb"[^ \t\r\n]"))


class Span(NamedTuple):
    """Where the text of a unit stands in a file."""

    path: str
    offset: int
    length: int


class Unit(NamedTuple):
    """A piece of work."""

    entry: Entry
    inner_name: str
    text: bytes | Span
    source: Source | None
    """What reads its lines, each a transcript of its own; None where that is to be found out, for a whole file."""
    consumed: int
    """How many bytes of the file are done with it."""
    most: int | None
    """So many findings of it can be reported at most."""

    def read(self) -> bytes:
        """Its text.

        Raises:
            OSError: it cannot be read.
            CannotReadError: there is less than there was.
        """
        if isinstance(self.text, bytes):
            return self.text
        with Path(self.text.path).open("rb") as file:
            return part(file, self.text.offset, self.text.length)


class End(NamedTuple):
    """The end of a file, after all its units."""

    entry: Entry
    problem: str | None = None
    """A sentence for people, if it could not be read, or not to its end."""
    is_set_aside: bool = False
    """Whether it is of no known format, and was found in a folder."""


def units(
    entries: Iterable[Entry],
    format: str | None,  # noqa: A002 # the field's word
    *,
    are_shipped: bool,
    most: Callable[[], int | None],
    size: int,
) -> Iterator[Unit | End]:
    """Yields the units of files, and after those of each file its end, in order.

    Args:
        entries: the files.
        format: a source's name, or None to find out.
        are_shipped: whether they are checked by others, who read files for themselves. Otherwise what comes piece by piece is
            passed on as it comes.
        most: says how many findings can still be reported.
        size: how many bytes a unit has at most, but for single lines and blocks that are larger.
    """
    for entry in entries:
        try:
            with opened(entry) as file:
                yield from _Cutter(entry, file, format, size, are_shipped=are_shipped, most=most).units()
        except (OSError, CannotReadError, AmbiguousFormatError) as error:
            yield End(entry, cannot_read(entry, error))


def cannot_read(entry: Entry, error: Exception) -> str:
    """Says that a file cannot be read, and why."""
    hint = " with --from" if isinstance(error, AmbiguousFormatError) else ""
    return f"cannot read {safe(entry.path)}: {why(error)}{hint}"


def is_set_aside(entry: Entry, *, is_known: bool) -> bool:
    """Whether a file is not checked, since it was found in a folder and may be anything: a manifest, a configuration."""
    return entry.folder is not None and not is_known


def lines_of(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the lines of text that comes in blocks, with their ends."""
    begun: list[bytes] = []
    for block in blocks:
        for line in BytesIO(block):
            begun.append(line)
            if line.endswith(b"\n"):
                yield b"".join(begun)
                begun = []
    if begun:
        yield b"".join(begun)


class _Cutter:
    """Cuts one file."""

    def __init__(  # noqa: PLR0913 # what there is to know of it
        self,
        entry: Entry,
        file: Input,
        format_: str | None,
        size: int,
        *,
        are_shipped: bool,
        most: Callable[[], int | None],
    ) -> None:
        self._entry = entry
        self._file = file
        self._format = format_
        self._size = size
        self._most = most
        self._ships = are_shipped and file.is_plain
        self._enough = 1 if file.is_live and not are_shipped else size
        self._counted = 0

    def units(self) -> Iterator[Unit | End]:
        """Yields the file's units and its end.

        Raises:
            AmbiguousFormatError: no format is given, and the content may be of several.
        """
        blocks = self._file.blocks(self._size)
        taken, has_ended = self._beginning(blocks)
        found = None
        # A small file is a unit as it is, and whoever checks it finds out the rest. What is cut off is not whole.
        if not has_ended or self._file.problem:
            found = by_line(lines_of(_recorded(blocks, taken)), name=self._file.inner_name, format=self._format)
        if found is None:
            yield from self._whole(chain(taken, blocks))
        elif is_set_aside(self._entry, is_known=found.is_known):
            yield End(self._entry, is_set_aside=True)
            return
        elif self._file.is_plain:
            yield from self._parts(found.source)
        else:
            yield from self._texts(chain(taken, blocks), found.source)
        problem = self._file.problem
        yield End(self._entry, problem and f"cannot read {safe(self._entry.path)} to its end: {problem}")

    def _beginning(self, blocks: Iterator[bytes]) -> tuple[list[bytes], bool]:
        """Enough of the file to tell whether it is more than a line, and whether that is all of it."""
        taken: list[bytes] = []
        size = stage = 0
        for block in blocks:
            taken.append(block)
            size += len(block)
            at = 0
            while stage < len(_SECOND_LINE) and (match := _SECOND_LINE[stage].search(block, at)):
                stage, at = stage + 1, match.end()
            if stage == len(_SECOND_LINE) and size >= self._enough:
                return [b"".join(taken)], False
        return [b"".join(taken)], True

    def _whole(self, blocks: Iterable[bytes]) -> Iterator[Unit]:
        # Whoever checks it reads it.
        text = Span(self._entry.path, 0, self._file.size) if self._ships else b"".join(blocks)
        # Half a session would be judged for what its other half holds.
        if self._file.problem is None:
            yield self._unit(text, None, text.length if isinstance(text, Span) else self._consumed())

    def _parts(self, source: Source) -> Iterator[Unit]:
        """Cuts a file that can be read at any place, without looking at more of it than where lines end."""
        start = 0
        while (end := self._file.line_end(start + self._size)) > start:
            length = end - start
            text = Span(self._entry.path, start, length) if self._ships else self._file.part(start, length)
            yield self._unit(text, source, length)
            start = end

    def _texts(self, blocks: Iterable[bytes], source: Source) -> Iterator[Unit]:
        """Cuts text that comes in blocks."""
        held: list[bytes] = []
        size = 0
        for block in blocks:
            size += len(block)
            end = block.rfind(b"\n") + 1 if size >= self._enough else 0
            if end:
                yield self._unit(b"".join([*held, block[:end]]), source, self._consumed())
                held, size = [block[end:]], len(block) - end
            else:
                held.append(block)
        text = b"".join(held)
        if self._file.problem:
            # A line that is cut off is not the writer's fault.
            text = text[: text.rfind(b"\n") + 1]
        if text:
            yield self._unit(text, source, self._consumed())

    def _unit(self, text: bytes | Span, source: Source | None, consumed: int) -> Unit:
        return Unit(self._entry, self._file.inner_name, text, source, consumed, self._most())

    def _consumed(self) -> int:
        """How many bytes of the file were read since this was asked for."""
        consumed, self._counted = self._file.consumed - self._counted, self._file.consumed
        return consumed


def _recorded(blocks: Iterator[bytes], taken: list[bytes]) -> Iterator[bytes]:
    """What was taken, and then more, which is taken too."""
    yield from list(taken)
    for block in blocks:
        taken.append(block)
        yield block
