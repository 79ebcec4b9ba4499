"""Finds the line and column of a value in JSON text, by its path."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from json import JSONDecoder
from typing import Final

from message_ir.pointer import Path, pointer
from message_ir.sources.model import Part, Place

_KEYS: Final = JSONDecoder()
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_SCALAR: Final = re.compile(r"[^\s,\]}]+")
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]')


class Locator:
    """Finds values in the text of one part, which is known to be JSON.

    An object or array is scanned when a value in it is first asked for, and once: all findings of a file together cost
    no more than a few scans of it.
    """

    def __init__(self, part: Part) -> None:
        self._part = part
        self._offsets: dict[Path, dict[str | int, int]] = {}

    def place(self, path: Path) -> Place:
        """Returns where a value stands; for an absent one, where the object stands that should hold it."""
        if not self._part.raw:
            # A value that no text was parsed for.
            return Place(self._part.line, None, pointer(path))
        offset = _skip_space(self._text, 0)
        for depth, step in enumerate(path):
            found = self._children(path[:depth], offset).get(step)
            if found is None:
                break
            offset = found
        row = bisect_right(self._line_starts, offset) - 1
        return Place(self._part.line + row, offset - self._line_starts[row] + 1, pointer(path))

    @cached_property
    def _text(self) -> str:
        return self._part.raw.decode()

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self._text))]

    def _children(self, path: Path, offset: int) -> dict[str | int, int]:
        """The offsets of an object's or array's values; of repeated keys, that of the last."""
        if path not in self._offsets:
            self._offsets[path] = dict(_children(self._text, offset))
        return self._offsets[path]


def _children(text: str, offset: int) -> Iterator[tuple[str | int, int]]:
    if text[offset] not in "[{":
        return
    is_object = text[offset] == "{"
    position = _skip_space(text, offset + 1)
    index = 0
    while text[position] not in "]}":
        step: str | int = index
        if is_object:
            step, position = _KEYS.raw_decode(text, position)
            position = _skip_space(text, _skip_space(text, position) + 1)
        yield step, position
        position = _skip_space(text, _skip_value(text, position))
        if text[position] == ",":
            position = _skip_space(text, position + 1)
        index += 1


def _skip_value(text: str, position: int) -> int:
    """The end of the value that begins at the position; keeps a count instead of recursing."""
    if text[position] not in '"[{':
        return _SCALAR.match(text, position).end()  # type: ignore[union-attr] # JSON has a scalar here
    depth = 0
    for token in _TOKEN.finditer(text, position):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    raise AssertionError("the text is JSON, so its brackets match")


def _skip_space(text: str, position: int) -> int:
    return _SPACE.match(text, position).end()  # type: ignore[union-attr] # matches the empty string too
