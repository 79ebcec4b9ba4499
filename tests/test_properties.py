"""What holds for every value: validation never raises and changes nothing, and reports each cause once and in order."""

from __future__ import annotations

import copy
import json
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from message_ir import (
    ConstructionError,
    Diagnostic,
    InvalidTranscriptError,
    assistant_message,
    dumps,
    loads,
    snapshot,
    text_from_assistant,
    validate_json,
    validate_transcript,
)
from message_ir.conformance.strategies import loose_transcripts, mutated_transcripts, places, valid_transcripts
from message_ir_types.catalogue import CATALOGUE
from python_cases import Raising
from sessions import assistant, call, result, user
from strategies import Silent, SilentDict, SilentList, anything, hostile_values

# Generated values are large, and the machine may be busy; neither is a fault.
relaxed = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])

STAGES = {
    "ORPHAN_TOOL_RESULT": 1,
    "TOOL_RESULT_BEFORE_CALL": 1,
    "TOOL_NAME_MISMATCH": 1,
    "MISSING_TOOL_RESULT": 2,
}


def steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def resolves(document: Any, pointer: str) -> bool:
    """Whether a value stands at the pointer, or could: an absent field of an object that is there."""
    for number, step in enumerate(steps(pointer), 1):
        if isinstance(document, list):
            document = document[int(step)]
        elif step in document:
            document = document[step]
        else:
            return number == pointer.count("/")
    return True


@relaxed
@given(anything() | hostile_values())
def test_validation_never_raises(value: Any) -> None:
    for found in (validate_transcript(value), validate_json(value)):
        assert type(found) is tuple
        for each in found:
            assert type(each) is Diagnostic
            assert each.message.isprintable()
            each.path.encode()


# By name, since the classes answer nothing, not even to pytest.
SILENT: dict[str, Any] = {
    "an instance": lambda: Silent(),  # noqa: PLW0108 # as said
    "a class": lambda: Silent,
    "a dict": lambda: SilentDict(user()),
    "a list": lambda: SilentList([3]),
}


@pytest.mark.parametrize("name", SILENT)
def test_validation_never_raises_where_nothing_is_answered(name: str) -> None:
    make = SILENT[name]
    sample: list[Any] = [user(), assistant(call("c", arguments={"x": [1]})), result("c")]
    for *path, key in places(sample):
        transcript = copy.deepcopy(sample)
        parent: Any = transcript
        for step in path:
            parent = parent[step]
        parent[key] = make()
        assert all(type(each) is Diagnostic for each in validate_transcript(transcript))
    assert all(type(each) is Diagnostic for each in validate_transcript(make()))


@relaxed
@given(anything())
def test_everything_else_refuses_with_its_own_errors_only(value: Any) -> None:
    for function in (snapshot, loads, dumps, text_from_assistant, lambda each: assistant_message(id="m", content=each)):
        try:
            function(value)
        except (InvalidTranscriptError, ConstructionError) as error:
            assert str(error).replace("\n", "").isprintable()  # noqa: PT017 # not raising is right too


@relaxed
@given(mutated_transcripts())
def test_validation_changes_nothing(transcript: list[Any]) -> None:
    before = copy.deepcopy(transcript)
    validate_transcript(transcript)
    assert transcript == before


@relaxed
@given(valid_transcripts())
def test_valid_transcripts_are_clean_and_survive_json_text(transcript: list[Any]) -> None:
    assert validate_transcript(transcript) == ()
    frozen = snapshot(transcript)
    assert loads(dumps(frozen)) == frozen
    assert json.loads(dumps(frozen)) == transcript
    assert validate_transcript(frozen) == ()


@relaxed
@given(mutated_transcripts())
def test_json_text_is_judged_as_its_value_is(transcript: list[Any]) -> None:
    assert validate_json(json.dumps(transcript)) == validate_transcript(transcript)


@relaxed
@given(loose_transcripts())
def test_json_text_of_messages_is_judged_as_they_are(transcript: list[Any]) -> None:
    assert validate_json(dumps(transcript)) == validate_transcript(transcript)


@relaxed
@given(mutated_transcripts())
def test_reports_are_in_order_once_each_and_in_place(transcript: list[Any]) -> None:
    found = validate_transcript(transcript)
    stages = [STAGES.get(each.code, 0) for each in found]
    assert stages == sorted(stages)
    for stage in (0, 2):
        records = [each.message_index for each in found if STAGES.get(each.code, 0) == stage]
        assert records == sorted(records)
    assert len({(each.code, each.path) for each in found}) == len(found)
    for each in found:
        assert each.message_index == (int(steps(each.path)[0]) if each.path else -1)
        assert resolves(transcript, each.path)
        assert all(resolves(transcript, related) for related in each.related)
        # What a record or block is reported for is not reported of it again as linkage.
        if CATALOGUE[each.code].phase == "linkage":
            owner = each.path.rpartition("/")[0]
            assert not [
                shape
                for shape in found
                if STAGES.get(shape.code, 0) == 0
                and "DUPLICATE" not in shape.code
                and shape.path.startswith(f"{owner}/")
            ]


def pairs(transcript: list[Any]) -> list[tuple[int, int, int]]:
    """For each tool round: the call's record and block, and its result's record."""
    results = {record["toolCallId"]: at for at, record in enumerate(transcript) if record["role"] == "toolResult"}
    return [
        (at, number, results[block["id"]])
        for at, record in enumerate(transcript)
        if record["role"] == "assistant"
        for number, block in enumerate(record["content"])
        if block["type"] == "toolCall"
    ]


Breaking = tuple[list[Any], list[tuple[str, str]]]


def broken(kind: str, transcript: list[Any], at: int, block: int, answer: int) -> Breaking:  # noqa: C901, PLR0912 # a case for each kind
    """The transcript with one thing broken in one tool round, and the one report, or the two, that are due."""
    transcript = copy.deepcopy(transcript)
    call_record, result = transcript[at], transcript[answer]
    tool_call = call_record["content"][block]
    match kind:
        case "result lost":
            del transcript[answer]
            return transcript, [("MISSING_TOOL_RESULT", f"/{at}/content/{block}/id")]
        case "result twice":
            transcript.insert(answer + 1, result)
            return transcript, [("DUPLICATE_TOOL_RESULT", f"/{answer + 1}/toolCallId")]
        case "call lost":
            del call_record["content"][block]
            return transcript, [("ORPHAN_TOOL_RESULT", f"/{answer}/toolCallId")]
        case "tool renamed":
            result["toolName"] += "_2"
            return transcript, [("TOOL_NAME_MISMATCH", f"/{answer}/toolName")]
        case "result first":
            transcript.insert(0, transcript.pop(answer))
            early = [("TOOL_RESULT_BEFORE_CALL", "/0/toolCallId")]
            return transcript, [*early, ("MISSING_TOOL_RESULT", f"/{at + 1}/content/{block}/id")]
        case "call renamed to another call's id":
            call_record["content"].append(copy.deepcopy(tool_call))
            return transcript, [("DUPLICATE_TOOL_CALL_ID", f"/{at}/content/{len(call_record['content']) - 1}/id")]
        case "call nameless":
            tool_call["name"] = " "
            return transcript, [("EMPTY_TOOL_NAME", f"/{at}/content/{block}/name")]
        case "result nameless":
            del result["toolName"]
            return transcript, [("EMPTY_TOOL_NAME", f"/{answer}/toolName")]
        case "arguments NaN":
            tool_call["arguments"] = {"n": float("nan")}
            return transcript, [("INVALID_TOOL_ARGUMENTS", f"/{at}/content/{block}/arguments/n")]
        case "arguments text":
            tool_call["arguments"] = json.dumps(tool_call["arguments"])
            return transcript, [("INVALID_TOOL_ARGUMENTS", f"/{at}/content/{block}/arguments")]
        case "call's message id blank":
            call_record["id"] = ""
            return transcript, [("INVALID_MESSAGE", f"/{at}/id")]
        case "result's message id lost":
            del result["id"]
            return transcript, [("INVALID_MESSAGE", f"/{answer}/id")]
        case "role unknown":
            call_record["role"] = "model"
            return transcript, [("INVALID_MESSAGE", f"/{at}/role")]
        case "result's role unknown":
            result["role"] = "tool"
            return transcript, [("INVALID_MESSAGE", f"/{answer}/role")]
        case "block type unknown":
            tool_call["type"] = "tool_use"
            return transcript, [("INVALID_MESSAGE", f"/{at}/content/{block}/type")]
        case _:
            result["isError"] = None
            return transcript, [("INVALID_MESSAGE", f"/{answer}/isError")]


KINDS = [
    "result lost", "result twice", "call lost", "tool renamed", "result first", "call renamed to another call's id",
    "call nameless", "result nameless", "arguments NaN", "arguments text", "call's message id blank",
    "result's message id lost", "role unknown", "result's role unknown", "block type unknown", "isError null",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(valid_transcripts().filter(lambda each: bool(pairs(each))), st.data())
def test_one_cause_is_one_report(kind: str, transcript: list[Any], data: st.DataObject) -> None:
    spoilt, due = broken(kind, transcript, *data.draw(st.sampled_from(pairs(transcript))))
    assert [(each.code.value, each.path) for each in validate_transcript(spoilt)] == due


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("function", [validate_transcript, snapshot, dumps])
def test_what_ends_a_program_passes_through(function: Any, error: BaseException) -> None:
    with pytest.raises(type(error)):
        function([Raising(user(), "content", error)])


def test_validation_near_the_end_of_the_stack_never_raises() -> None:
    transcript = [user(), {"id": "a", "role": "assistant", "content": [3]}]

    def descend() -> Any:
        try:
            return descend()
        except RecursionError:
            return [validate_transcript(transcript), validate_json(json.dumps(transcript))]

    for found in descend():
        assert all(type(each) is Diagnostic for each in found)
        assert found


def test_a_transcript_that_changes_while_it_is_read_never_raises() -> None:
    arguments: dict[str, Any] = {f"k{number}": [number] for number in range(50)}
    transcript: list[Any] = [assistant(call("c", arguments=arguments)), result("c")]
    done = threading.Event()

    def change() -> None:
        number = 0
        while not done.is_set():
            number += 1
            arguments[f"new{number % 100}"] = {"x": arguments}
            arguments.pop(f"new{(number + 50) % 100}", None)
            transcript[0]["content"].append({"type": "text", "text": ""})
            del transcript[0]["content"][1:]
            transcript.append(user())
            del transcript[2:]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(300):
            assert all(type(each) is Diagnostic for each in validate_transcript(transcript))
    finally:
        done.set()
        thread.join()
