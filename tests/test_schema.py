"""The JSON Schema and the validator say the same of shapes, but for the gaps that the spec lists."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from message_ir import validate_transcript
from message_ir.conformance.strategies import mutated_transcripts
from message_ir.conformance.suite import load as load_cases
from message_ir_generator.spec import load
from message_ir_types.catalogue import CATALOGUE
from python_cases import FIRST_INFINITE, LARGEST, Raising, cyclic, nested
from sessions import assistant, call, result, user

CHECKOUT = Path(__file__).parents[1]
SPEC = load(CHECKOUT / "spec/message-ir.yaml", CHECKOUT / "spec/message-ir.schema.yaml")
SCHEMA = json.loads((CHECKOUT / "generated/json-schema/transcript.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def has_shape_report(transcript: Any) -> bool:
    return any(CATALOGUE[each.code].phase != "linkage" for each in validate_transcript(transcript))


def agrees(transcript: Any) -> bool:
    return bool(VALIDATOR.is_valid(transcript)) != has_shape_report(transcript)


def as_json(value: Any) -> Any:
    """The value after JSON text, or None where it is no JSON or is changed on the way."""
    try:
        back = json.loads(json.dumps(value, allow_nan=False, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError, RuntimeError):
        return None
    return back if back == value else None


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


# What cases show of the gaps, as the tests of those do.
GAP_CLAUSES = {gap["clause"] for gap in SPEC.schema_gaps}

CASES = {
    f"{request.case} {request.part}": request.input
    for case in load_cases().cases
    for request in case.requests()
    if request.operation == "validate" and not request.hosts and not GAP_CLAUSES & {*case.clauses}
}


@pytest.mark.parametrize("name", CASES)
def test_every_case_that_is_json_agrees(name: str) -> None:
    assert agrees(CASES[name])


def test_there_are_many_such_cases() -> None:
    assert len(CASES) > 250


@given(mutated_transcripts())
def test_generated_transcripts_agree(transcript: Any) -> None:
    assert agrees(transcript)


def in_arguments(value: Any) -> list[Any]:
    return [assistant(call("c", arguments={"k": value})), result("c")]


# For each gap, a value that the validator reports and the schema does not see, or None where JSON has no such value.
GAPS: dict[str, Any] = {
    "string.unicode": [user(content="\ud800")],
    "arguments.unicode": in_arguments("\ud800"),
    "name.unicode": [assistant(call("c", "\ud800"))],
    "arguments.depth": [assistant(call("c", arguments=nested(101, dict)))],
    "arguments.keys": in_arguments({"\ud800": 1}),
    "arguments.cycle": None,
    "read.raises": None,
}


def test_the_gaps_are_those_that_the_spec_lists() -> None:
    assert {gap["clause"] for gap in SPEC.schema_gaps} == {*GAPS, "arguments.numbers"}


@pytest.mark.parametrize("clause", [clause for clause, value in GAPS.items() if value is not None])
def test_a_gap_is_one(clause: str) -> None:
    assert VALIDATOR.is_valid(GAPS[clause])
    assert has_shape_report(GAPS[clause])


def test_integers_between_the_largest_number_and_those_that_round_to_infinity_are_a_gap() -> None:
    just_above = int(LARGEST) + 1
    assert just_above < FIRST_INFINITE
    assert not VALIDATOR.is_valid(in_arguments(just_above))
    assert not has_shape_report(in_arguments(just_above))
    for value in (LARGEST, int(LARGEST), FIRST_INFINITE, -FIRST_INFINITE, 10**4000, math.inf, -math.inf):
        assert agrees(in_arguments(value))


def test_what_json_does_not_have_is_no_json() -> None:
    assert as_json([assistant(call("c", arguments=cyclic("object")))]) is None
    assert as_json([Raising(user(), "id")]) is None


ORACLE = CHECKOUT.parent / "shared/oracle/oracle.jsonl"
FAULTS = CHECKOUT.parent / "shared/cases/faults.json"

# Not collected, rather than skipped, where the files are not there.
if ORACLE.exists() and FAULTS.exists():

    def test_transcripts_from_elsewhere_agree() -> None:
        transcripts = [json.loads(line)["transcript"] for line in ORACLE.read_text(encoding="utf-8").splitlines()]
        transcripts += [fault["transcript"] for fault in json.loads(FAULTS.read_text(encoding="utf-8"))]
        assert len(transcripts) > 1500
        disagreeing = [copy.deepcopy(each) for each in transcripts if not agrees(each)]
        # Unpaired surrogates, which the schema does not see, are the only gap that these transcripts have.
        assert [each for each in disagreeing if as_json(each) is not None] == []
