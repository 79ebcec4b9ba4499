"""Every transcript of up to five events, compared with the reference; so few ids and names suffice to meet every rule.

An event is a call or a result, with id a or b, of tool x or y, or malformed (its name is empty). Calls that follow one
another stand in one record or in several. Transcripts that differ only by swapping the ids, or the names, are one: of
each such family the one is taken in which a comes before b, and x before y.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from message_ir import validate_transcript
from reference import Event, reports

IDS = ("a", "b")
NAMES = ("x", "y", "")

# How many transcripts there are of each number of events. Pinned, so that the enumeration cannot quietly shrink.
COUNTS = {0: 1, 1: 4, 2: 50, 3: 728, 4: 11_152, 5: 173_728}


class Symbol(NamedTuple):
    """One event of the alphabet; a joined call stands in the record of the call before it."""

    is_call: bool
    id: str
    name: str
    joined: bool


SYMBOLS = [
    Symbol(is_call, id_, name, joined)
    for is_call in (True, False)
    for id_ in IDS
    for name in NAMES
    for joined in ((False, True) if is_call else (False,))
]


def transcripts(length: int, first: Symbol | None = None) -> Iterator[tuple[Symbol, ...]]:
    """Every transcript of so many events, or those that begin with one event."""
    rest = length if first is None else length - 1
    for tail in product(SYMBOLS, repeat=rest):
        symbols = tail if first is None else (first, *tail)
        if is_canonical(symbols) and all(can_join(before, symbol) for before, symbol in neighbours(symbols)):
            yield symbols


def is_canonical(symbols: tuple[Symbol, ...]) -> bool:
    """Whether a is met before b, and x before y."""
    ids = [symbol.id for symbol in symbols]
    names = [symbol.name for symbol in symbols if symbol.name]
    return ids[:1] in ([], ["a"]) and names[:1] in ([], ["x"])


def neighbours(symbols: tuple[Symbol, ...]) -> Iterator[tuple[Symbol | None, Symbol]]:
    return zip((None, *symbols), symbols, strict=False)


def can_join(before: Symbol | None, symbol: Symbol) -> bool:
    return not symbol.joined or (before is not None and before.is_call)


def lay_out(symbols: tuple[Symbol, ...]) -> tuple[list[dict[str, Any]], list[Event]]:
    """The transcript in wire form, and its events with their places."""
    records: list[dict[str, Any]] = []
    events: list[Event] = []
    for is_call, id_, name, joined in symbols:
        if is_call:
            if not joined:
                records.append({"id": "m", "role": "assistant", "content": []})
            blocks = records[-1]["content"]
            events.append(Event(is_call, id_, name, len(records) - 1, len(blocks)))
            blocks.append({"type": "toolCall", "id": id_, "name": name, "arguments": {}})
        else:
            events.append(Event(is_call, id_, name, len(records)))
            result = {"toolCallId": id_, "toolName": name, "content": "", "isError": False}
            records.append({"id": "m", "role": "toolResult", **result})
    return records, events


def disagreements(symbols_of: Iterator[tuple[Symbol, ...]]) -> tuple[int, list[Any]]:
    """How many transcripts were compared, and those on which validator and reference differ."""
    count = 0
    different: list[Any] = []
    for symbols in symbols_of:
        count += 1
        records, events = lay_out(symbols)
        found = [
            (each.code.value, each.message_index, each.path, each.related) for each in validate_transcript(records)
        ]
        if found != reports(events):
            different.append((records, found, reports(events)))
    return count, different


@pytest.mark.parametrize("length", [length for length in COUNTS if length < max(COUNTS)])
def test_every_short_transcript_agrees_with_the_reference(length: int) -> None:
    count, different = disagreements(transcripts(length))
    assert different[:1] == []
    assert count == COUNTS[length]


# The transcripts of five events, by whether the first is a call, and by its name.
FIVE = {(True, "x"): 71_280, (True, ""): 36_080, (False, "x"): 44_064, (False, ""): 22_304}

FIRST = [symbol for symbol in SYMBOLS if not symbol.joined and is_canonical((symbol,))]


@pytest.mark.parametrize(
    "first", FIRST, ids=lambda symbol: f"{'call' if symbol.is_call else 'result'}-{symbol.name or 'bad'}"
)
def test_every_transcript_of_five_events_agrees_with_the_reference(first: Symbol) -> None:
    count, different = disagreements(transcripts(max(COUNTS), first))
    assert different[:1] == []
    assert count == FIVE[first.is_call, first.name]


def test_the_parts_are_the_whole() -> None:
    assert sum(FIVE.values()) == COUNTS[max(COUNTS)]


def test_every_code_of_linkage_is_met() -> None:
    met = {code for symbols in transcripts(3) for code, *_ in reports(lay_out(symbols)[1])}
    assert met == {
        "EMPTY_TOOL_NAME",
        "DUPLICATE_TOOL_CALL_ID",
        "DUPLICATE_TOOL_RESULT",
        "ORPHAN_TOOL_RESULT",
        "TOOL_RESULT_BEFORE_CALL",
        "TOOL_NAME_MISMATCH",
        "MISSING_TOOL_RESULT",
    }
