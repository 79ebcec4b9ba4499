"""Validating while a transcript grows: at any moment it says what validating all records so far says."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from message_ir import OpenCall, TranscriptValidator, validate_transcript
from message_ir.conformance.strategies import loose_transcripts, mutated_transcripts
from message_ir.inspection import Inspector
from python_cases import Raising
from sessions import assistant, call, result, user
from strategies import anything, hostile_values

relaxed = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])


def expect_the_same(records: list[Any], validator: TranscriptValidator) -> None:
    whole = validate_transcript(records)
    assert validator.diagnostics() == whole
    missing = [found.path for found in whole if found.code == "MISSING_TOOL_RESULT"]
    assert [f"{open_.path}/id" for open_ in validator.open_calls] == missing
    assert len(validator) == len(records)


@relaxed
@given(loose_transcripts() | mutated_transcripts())
def test_after_every_record_it_says_what_is_said_of_all_so_far(records: Any) -> None:
    records = records if isinstance(records, list) else [records]
    validator = TranscriptValidator()
    for number, record in enumerate(records, 1):
        validator.append(record)
        expect_the_same(records[:number], validator)


@relaxed
@given(loose_transcripts(), st.randoms(use_true_random=False))
def test_it_makes_no_difference_when_it_is_asked(records: list[Any], random_: random.Random) -> None:
    validator = TranscriptValidator()
    for record in records:
        validator.append(record)
        if random_.random() < 0.3:
            validator.diagnostics()
    expect_the_same(records, validator)
    expect_the_same(records, TranscriptValidator(records))


@relaxed
@given(st.lists(anything() | hostile_values(), max_size=4))
def test_whatever_a_record_does_nothing_is_raised(records: list[Any]) -> None:
    validator = TranscriptValidator(records)
    assert len(validator) == len(records)
    assert all(found.message_index in range(len(records)) for found in validator.diagnostics())


def test_every_order_of_a_few_events() -> None:
    random_ = random.Random(20)
    kinds: list[Callable[[], Any]] = [
        lambda: assistant(call("a"), call("b"), id="m"),
        lambda: assistant(call("a", name="")),
        lambda: assistant(call("b")),
        lambda: result("a"),
        lambda: result("a", name="write"),
        lambda: result("b", name=""),
        lambda: {"role": "toolResult", "toolCallId": "a"},
        user,
    ]
    for _ in range(1_000):
        records = [random_.choice(kinds)() for _ in range(random_.randint(1, 8))]
        validator = TranscriptValidator()
        for number, record in enumerate(records, 1):
            validator.append(record)
            expect_the_same(records[:number], validator)


def test_open_calls_are_those_that_wait_for_their_result() -> None:
    validator = TranscriptValidator([user(), assistant(call("a"), call("b", name="write"))])
    assert [*validator.open_calls] == [OpenCall("a", "read", "/1/content/0"), OpenCall("b", "write", "/1/content/1")]
    validator.append(result("a"))
    assert [*validator.open_calls] == [OpenCall("b", "write", "/1/content/1")]
    validator.append(result("b", name="write"))
    assert [*validator.open_calls] == []
    assert validator.diagnostics() == ()


def test_a_record_is_looked_at_once_when_it_is_appended() -> None:
    record = user()
    validator = TranscriptValidator([record])
    record["content"] = 1
    assert validator.diagnostics() == ()


def test_interrupts_pass_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        TranscriptValidator([Raising(user(), "role", KeyboardInterrupt())])


def test_when_memory_ends_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_memory(*_: object) -> None:
        raise MemoryError

    validator = TranscriptValidator([user()])
    monkeypatch.setattr(Inspector, "message", out_of_memory)
    validator.append({})
    monkeypatch.undo()
    validator.append(user())
    validator.append(assistant(call("c")))
    (found,) = validator.diagnostics()
    assert (found.code, found.path) == ("INVALID_TRANSCRIPT", "")
    assert validator.open_calls == ()


def test_appending_and_asking_each_time_stays_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    look = TranscriptValidator._look

    def counted(self: TranscriptValidator, *arguments: Any) -> None:
        nonlocal looked
        looked += 1
        look(self, *arguments)

    monkeypatch.setattr(TranscriptValidator, "_look", counted)
    validator = TranscriptValidator()
    for number in range(1_000):
        validator.append(assistant(call(f"c{number}")))
        assert len(validator.open_calls) == 1
        validator.append(result(f"c{number}"))
        assert validator.diagnostics() == ()
    # Twice for each id, of results and of calls.
    assert looked == 4_000
