"""Lays cells out, as plain text or as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

Column: TypeAlias = tuple[str, bool]
"""A heading, and whether the cells below it stand to the right."""

Cells: TypeAlias = Sequence[Sequence[str]]


def grid(title: str, columns: Sequence[Column], cells: Cells, *, markdown: bool) -> str:
    """A table with its title, and a blank line after it."""
    lines = _LAYOUTS[markdown](columns, cells)
    return "\n".join((f"**{title}**" if markdown else title, "", *lines, ""))


def _plain(columns: Sequence[Column], cells: Cells) -> Iterator[str]:
    headings = [heading for heading, _ in columns]
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    for row in (headings, *cells):
        placed = zip(row, widths, columns, strict=True)
        yield "  ".join(
            cell.rjust(width) if right else cell.ljust(width) for cell, width, (_, right) in placed
        ).rstrip()


def _markdown(columns: Sequence[Column], cells: Cells) -> Iterator[str]:
    headings = [heading for heading, _ in columns]
    rules = ["---:" if right else "---" for _, right in columns]
    for row in (headings, rules, *cells):
        escaped = [cell.replace("|", "\\|") for cell in row]
        yield f"| {' | '.join(escaped)} |"


_LAYOUTS: Final[Mapping[bool, Callable[[Sequence[Column], Cells], Iterator[str]]]] = {False: _plain, True: _markdown}
