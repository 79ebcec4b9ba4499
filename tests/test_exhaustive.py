"""Every transcript of up to five events, compared with the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from message_ir import validate_transcript
from message_ir.conformance.enumeration import SYMBOLS, Symbol, is_canonical, lay_out, transcripts
from reference import Event, reports

# How many transcripts there are of each number of events. Pinned, so that the enumeration cannot quietly shrink.
COUNTS = {0: 1, 1: 4, 2: 50, 3: 728, 4: 11_152, 5: 173_728}


def events_of(records: list[dict[str, Any]]) -> list[Event]:
    """The calls and results of a transcript, with their places."""
    events: list[Event] = []
    for index, record in enumerate(records):
        if record["role"] == "toolResult":
            events.append(Event(False, record["toolCallId"], record["toolName"], index))
        else:
            events += [Event(True, each["id"], each["name"], index, at) for at, each in enumerate(record["content"])]
    return events


def disagreements(symbols_of: Iterator[tuple[Symbol, ...]]) -> tuple[int, list[Any]]:
    """How many transcripts were compared, and those on which validator and reference differ."""
    count = 0
    different: list[Any] = []
    for symbols in symbols_of:
        count += 1
        records = lay_out(symbols)
        expected = reports(events_of(records))
        found = [
            (each.code.value, each.message_index, each.path, each.related) for each in validate_transcript(records)
        ]
        if found != expected:
            different.append((records, found, expected))
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
    met = {code for symbols in transcripts(3) for code, *_ in reports(events_of(lay_out(symbols)))}
    assert met == {
        "EMPTY_TOOL_NAME",
        "DUPLICATE_TOOL_CALL_ID",
        "DUPLICATE_TOOL_RESULT",
        "ORPHAN_TOOL_RESULT",
        "TOOL_RESULT_BEFORE_CALL",
        "TOOL_NAME_MISMATCH",
        "MISSING_TOOL_RESULT",
    }
