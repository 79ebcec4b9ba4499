"""Every transcript of so many events over a small alphabet; so few ids and names suffice to meet every linkage rule.

An event is a call or a result, with id a or b, of tool x or y, or malformed (its name is empty). Calls that follow one
another stand in one record or in several. Transcripts that differ only by swapping the ids, or the names, are one: of
each such family the one is taken in which a comes before b, and x before y.

What lies outside: more than two ids or names, results that come more than the bound later, and every other shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final, NamedTuple

IDS: Final = ("a", "b")
NAMES: Final = ("x", "y", "")


class Symbol(NamedTuple):
    """One event of the alphabet; a joined call stands in the record of the call before it."""

    is_call: bool
    id: str
    name: str
    """Empty for a malformed one."""
    joined: bool


SYMBOLS: Final = [
    Symbol(is_call, id_, name, joined)
    for is_call in (True, False)
    for id_ in IDS
    for name in NAMES
    for joined in ((False, True) if is_call else (False,))
]


def transcripts(length: int, first: Symbol | None = None) -> Iterator[tuple[Symbol, ...]]:
    """Yields every transcript of so many events, or those that begin with one event, always in the same order."""
    rest = length if first is None else length - 1
    for tail in product(SYMBOLS, repeat=rest):
        symbols = tail if first is None else (first, *tail)
        if is_canonical(symbols) and _can_join(symbols):
            yield symbols


def is_canonical(symbols: tuple[Symbol, ...]) -> bool:
    """Whether a is met before b, and x before y."""
    ids = [symbol.id for symbol in symbols]
    names = [symbol.name for symbol in symbols if symbol.name]
    return ids[:1] in ([], ["a"]) and names[:1] in ([], ["x"])


def _can_join(symbols: tuple[Symbol, ...]) -> bool:
    """Whether every joined call comes after a call."""
    before = (None, *symbols)
    return all(not symbol.joined or (last and last.is_call) for last, symbol in zip(before, symbols, strict=False))


def lay_out(symbols: tuple[Symbol, ...]) -> list[dict[str, Any]]:
    """The transcript in wire form."""
    records: list[dict[str, Any]] = []
    for symbol in symbols:
        if symbol.is_call:
            if not symbol.joined:
                records.append({"id": "m", "role": "assistant", "content": []})
            block = {"type": "toolCall", "id": symbol.id, "name": symbol.name, "arguments": {}}
            records[-1]["content"].append(block)
        else:
            result = {"toolCallId": symbol.id, "toolName": symbol.name, "content": "", "isError": False}
            records.append({"id": "m", "role": "toolResult", **result})
    return records
