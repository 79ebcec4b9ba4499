"""The fast way for constructors makes what the full way makes, and nothing that it refuses."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from full_way import full_way_only
from message_ir import ConstructionError, assistant_message, tool_result_message, user_message
from message_ir.conformance.strategies import ODD_JSON, valid_transcripts
from message_ir.fast_construction import accept_assistant, accept_result, accept_user
from message_ir_types.constants import BLANK_CHARACTERS
from python_cases import CASES, Once, Text
from sessions import call
from strategies import anything, hostile_values

relaxed = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])

RIGHT: dict[str, Any] = {"id": "m", "tool_call_id": "c", "tool_name": "t", "content": "é", "is_error": True}
FIELDS: dict[Callable[..., Any], tuple[str, ...]] = {
    user_message: ("id", "content"),
    assistant_message: ("id", "content"),
    tool_result_message: tuple(RIGHT),
}

values = st.one_of(
    anything(), hostile_values(), ODD_JSON, st.builds(lambda: Text("x")), st.text(st.characters(), max_size=2), st.sampled_from([*BLANK_CHARACTERS, "\ud800", True, 0])
)  # fmt: skip


def outcome(make: Callable[..., Any], fields: dict[str, Any]) -> tuple[Any, ...]:
    try:
        message = make(**fields)
    except ConstructionError as error:
        return error.args
    return (type(message), [type(getattr(message, name)) for name in fields], message)


def same(make: Callable[..., Any], fields: dict[str, Any]) -> None:
    fast = outcome(make, fields)
    with full_way_only():
        full = outcome(make, fields)
    assert fast == full


@relaxed
@given(st.sampled_from(list(FIELDS)), st.lists(st.tuples(st.integers(0, 9), values), max_size=2))
def test_constructors_do_the_same_either_way(make: Callable[..., Any], changes: list[tuple[int, Any]]) -> None:
    fields = {name: RIGHT[name] for name in FIELDS[make]}
    if make is assistant_message:
        fields["content"] = [{"type": "text", "text": ""}, call("c")]
    for number, value in changes:
        fields[FIELDS[make][number % len(fields)]] = value
    with pytest.MonkeyPatch.context() as patch:
        # Asked twice here, it answers twice.
        patch.setattr(Once, "__getitem__", lambda self, key: self.values_[key])
        same(make, fields)


# What is shared many times over, or in itself, cannot be compared to its end; what answers once cannot be asked twice.
ASSISTANTS = {
    f"{name} {at}": record
    for name, case in CASES.items()
    if not name.startswith(("shared", "cycle")) and "mappings of any kind" not in name and type(case.value) is list
    for at, record in enumerate(case.value)
    if type(record) is dict and record.get("role") == "assistant"
}


@pytest.mark.parametrize("name", ASSISTANTS)
def test_assistants_of_the_cases_are_made_the_same_either_way(name: str) -> None:
    same(assistant_message, {key: ASSISTANTS[name][key] for key in ("id", "content")})


@relaxed
@given(valid_transcripts())
def test_plain_messages_take_the_fast_way(transcript: list[Any]) -> None:
    before = copy.deepcopy(transcript)
    for record in transcript:
        match record["role"]:
            case "user":
                assert accept_user(record["id"], record["content"]) == user_message(
                    id=record["id"], content=record["content"]
                )
            case "assistant":
                assert accept_assistant(record["id"], record["content"]) == assistant_message(
                    id=record["id"], content=record["content"]
                )
            case _:
                assert (
                    accept_result(
                        record["id"], record["toolCallId"], record["toolName"], record["content"], record["isError"]
                    )
                    is not None
                )
    assert transcript == before
