"""The fast way for values accepts nothing that the full way reports, and what it notes and freezes is what inspection does."""

from __future__ import annotations

import copy
import json
import threading
from typing import Any

import pytest
from frozendict import frozendict
from hypothesis import HealthCheck, given, settings

from damage import clean_transcripts
from full_way import full_way_only
from message_ir import Diagnostic, fast_values, linkage, snapshot, validate_transcript
from message_ir.conformance.strategies import loose_transcripts, mutated_transcripts, valid_transcripts
from message_ir.fast_values import accept, observe
from message_ir.inspection import inspect
from message_ir.validation import judge
from message_ir_types.shapes import BLOCKS, MESSAGES
from python_cases import CASES, FIRST_INFINITE, Once, cyclic, deep_shared, nested, shared
from sessions import assistant, call, result, user
from strategies import anything
from test_oracle import ORACLE

relaxed = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])


def is_accepted(value: Any) -> bool:
    """Whether the fast way accepts; all that it says and makes must be what the full way says and makes."""
    full = inspect(value, freeze=True)
    reported = list(linkage.findings(full))
    accepted = accept(value)
    frozen = accept(value, freeze=True)
    assert (accepted is None) == (frozen is None)
    if accepted is not None and frozen is not None:
        assert reported == []
        assert (accepted.messages, frozen.messages) == ((), tuple(full.messages))
        assert [repr(each) for each in frozen.messages] == [repr(each) for each in full.messages]
        assert {accepted.calls, frozen.calls} == {sum(type(event).__name__ == "Call" for event in full.walk)}
        hash(frozen.messages)
    for freeze in (False, True):
        observed = observe(value, freeze=freeze)
        if observed is not None:
            plain = inspect(value, freeze=freeze)
            assert (observed.malformed_calls, observed.malformed_results) == (
                plain.malformed_calls,
                plain.malformed_results,
            )
            assert [(type(event), event) for event in observed.walk] == [(type(event), event) for event in plain.walk]
            # Not all of them: what is shared many times over would never be compared to its end.
            assert [(type(each), each.id) for each in observed.messages] == [
                (type(each), each.id) for each in plain.messages
            ]
    said = judge(value)
    with full_way_only():
        assert said == judge(value)
    return accepted is not None


@pytest.mark.parametrize("number", range(len(clean_transcripts())))
def test_clean_transcripts_are_accepted_in_every_form(number: int) -> None:
    transcript = clean_transcripts()[number]
    assert is_accepted(transcript)
    assert is_accepted(tuple(transcript))
    frozen = snapshot(transcript)
    assert is_accepted(frozen)
    assert accept(frozen, freeze=True) == accept(transcript, freeze=True)
    assert is_accepted([*frozen[:1], *transcript[1:]])


@relaxed
@given(valid_transcripts())
def test_valid_transcripts_are_accepted(transcript: list[Any]) -> None:
    assert is_accepted(transcript)


@relaxed
@given(mutated_transcripts() | loose_transcripts())
def test_what_is_broken_by_chance_is_judged_as_the_full_way_does(transcript: list[Any]) -> None:
    is_accepted(transcript)


def test_a_call_whose_id_was_answered_before_is_refused() -> None:
    once = [assistant(call("c")), result("c")]
    assert is_accepted(once)
    assert not is_accepted(once + once)


@relaxed
@given(anything())
def test_anything_is_judged_as_the_full_way_does(value: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Asked twice here, it answers twice.
        patch.setattr(Once, "__getitem__", lambda self, key: self.values_[key])
        said = judge(value)
        with full_way_only():
            assert said == judge(value)


# What answers a key once cannot be asked twice.
@pytest.mark.parametrize("name", [name for name in CASES if "mappings of any kind" not in name])
def test_cases_of_python_are_judged_as_the_full_way_does(name: str) -> None:
    is_accepted(CASES[name].value)


# Not collected, rather than skipped, where the file is not there.
if ORACLE.exists():

    def test_transcripts_of_the_oracle_are_accepted_exactly_where_nothing_is_expected() -> None:
        lines = [json.loads(line) for line in ORACLE.read_text(encoding="utf-8").splitlines()]
        assert len(lines) == 1500
        assert all(is_accepted(line["transcript"]) == (line["expected"] == []) for line in lines)


ARGUMENTS: dict[str, tuple[Any, bool]] = {
    "every scalar": ({"a": "", "b": 1, "c": -1.5, "d": True, "e": None, "é": "\U0001f600"}, True),
    "an array of every scalar": ({"a": ["", 1, -1.5, True, None, "é"]}, True),
    "frozen": (frozendict(a=frozendict(b=(1, ())), c=((), (), frozendict(), frozendict())), True),
    "empty ones, each its own": ({"a": [[], [], {}, {}]}, True),
    "as deep as it goes": (nested(33, list), True),
    "a surrogate": ({"a": ["\ud800"]}, False),
    "a surrogate in a key": ({"a": {"\ud800": 1}}, False),
    "a number as key": ({1: 1}, False),
    "NaN": ({"a": [float("nan")]}, False),
    "infinity": ({"a": float("-inf")}, False),
    "a large integer": ({"a": FIRST_INFINITE}, False),
    "large integers that are finite": ({"a": [1 - FIRST_INFINITE, FIRST_INFINITE - 1]}, True),
    "deeper": (nested(34, list), False),
    "deep objects": (nested(34, dict), False),
    "an object in itself": (cyclic("object"), False),
    "an array in itself": (cyclic("array"), False),
    "shared": (shared(60), False),
    "shared, and too deep": (deep_shared(), False),
    "bytes": ({"a": b""}, False),
    "a set": ({"a": set()}, False),
    "an array": ([], False),
    "text": ("{}", False),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_are_accepted_where_they_are_plain(name: str) -> None:
    arguments, accepted = ARGUMENTS[name]
    assert is_accepted([assistant(call("c", arguments=arguments)), result("c")]) == accepted


def test_what_is_shared_many_times_is_walked_once() -> None:
    large = [{"k": number} for number in range(2000)]
    assert not is_accepted([assistant(call("c", arguments={"x": [large] * 2000})), result("c")])


def test_many_records_of_one_kind_and_some_broken_ones_are_observed_in_order() -> None:
    transcript: list[Any] = []
    for number in range(60):
        arguments = {"n": float("nan")} if number % 7 == 0 else {"n": number}
        text = {"type": "text", "text": "\ud800" if number % 11 == 0 else ""}
        transcript += [
            assistant(text, call(f"c{number // 2}", arguments=arguments)),
            result(f"c{number}"),
            user(" " * (number % 3)),
        ]
    assert not is_accepted(transcript)
    assert len(validate_transcript(transcript)) > 60


def test_the_input_is_not_changed_and_nothing_of_it_is_kept() -> None:
    arguments = {"list": [1, {"k": [2]}], "object": {"a": {}}}
    transcript = [user(), assistant(call("c", arguments=arguments)), result("c")]
    before = copy.deepcopy(transcript)
    frozen = snapshot(transcript)
    assert transcript == before
    arguments["list"][1]["k"].append(3)  # type: ignore[index] # of another type to mypy
    assert frozen == snapshot(before)


@pytest.mark.parametrize("function", [validate_transcript, snapshot])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_ends_a_program_passes_through(function: Any, error: BaseException) -> None:
    class Ending:
        def __hash__(self) -> int:
            return hash("role")

        def __eq__(self, other: object) -> bool:
            raise error

    with pytest.raises(type(error)):
        function([{Ending(): 1}])


def test_what_is_frozen_while_it_changes_is_one_of_its_states() -> None:
    arguments: dict[str, Any] = {"a": 0, "b": [0, 0]}
    transcript = [assistant(call("c", arguments=arguments)), result("c")]
    done = threading.Event()

    def change() -> None:
        number = 0
        while not done.is_set():
            number += 1
            arguments["a"] = b"" if number % 2 else number
            arguments["b"] = [number, number]
            arguments[f"k{number % 50}"] = "\ud800" if number % 3 else {}
            arguments.pop(f"k{(number + 25) % 50}", None)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2000):
            accepted = accept(transcript, freeze=True)
            assert validate_transcript(accepted.messages if accepted else []) == ()
            assert all(type(each) is Diagnostic for each in validate_transcript(transcript))
    finally:
        done.set()
        thread.join()


def test_the_walk_knows_every_type() -> None:
    records = {type(message) for transcript in clean_transcripts() for message in snapshot(transcript)}
    assert records == fast_values._RECORDS == {shape.struct for shape in MESSAGES.values()}
    blocks = {
        type(block)
        for transcript in clean_transcripts()
        for message in snapshot(transcript)
        for block in getattr(message, "content", ())
        if type(block) is not str
    }
    assert blocks == {shape.struct for shape in BLOCKS.values()}
