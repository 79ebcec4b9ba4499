"""Construction: the four functions, snapshots and JSON text; what they copy, freeze and refuse."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import Any

import msgspec
import pytest
from frozendict import frozendict

from message_ir import (
    AssistantMessage,
    ConstructionError,
    InvalidTranscriptError,
    TextBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    assistant_message,
    dumps,
    loads,
    snapshot,
    text_from_assistant,
    tool_result_message,
    user_message,
    validate_json,
    validate_transcript,
)
from message_ir_types.messages import Reason
from python_cases import Once, Raising, Text
from sessions import ROUND, UNANSWERED, assistant, call, result, user


def refused(make: Any, /, *arguments: Any, **fields: Any) -> ConstructionError:
    with pytest.raises(ConstructionError) as caught:
        make(*arguments, **fields)
    return caught.value


def with_call(**changes: Any) -> list[Any]:
    return [{**call("c"), **changes}]


def one_cycle() -> dict[str, Any]:
    own: dict[str, Any] = {}
    own["self"] = own
    return own


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return {"k": value}


RESULT: dict[str, Any] = {"id": "m", "tool_call_id": "c", "tool_name": "t", "content": ""}

# function, its arguments, the pointer, the reason, and what the sentence says before "must"
REFUSALS: dict[str, tuple[Any, dict[str, Any], str, str, str]] = {
    "user: id": (user_message, {"id": "\ufeff", "content": ""}, "/id", "nonBlankString", "user_message: id"),
    "user: id of another type": (user_message, {"id": 3, "content": ""}, "/id", "nonBlankString", "user_message: id"),
    "user: content": (user_message, {"id": "m", "content": []}, "/content", "string", "user_message: content"),
    "user: unicode": (user_message, {"id": "m", "content": "\ud800"}, "/content", "unicode", "user_message: content"),
    "result: call": (tool_result_message, RESULT | {"tool_call_id": ""}, "/toolCallId", "nonBlankString", "tool_result_message: tool_call_id"),
    "result: name": (tool_result_message, RESULT | {"tool_name": None}, "/toolName", "nonBlankString", "tool_result_message: tool_name"),
    "result: name's unicode": (tool_result_message, RESULT | {"tool_name": "\ud800"}, "/toolName", "unicode", "tool_result_message: tool_name"),
    "result: error": (tool_result_message, RESULT | {"is_error": 1}, "/isError", "boolean", "tool_result_message: is_error"),
    "assistant: content": (assistant_message, {"id": "m", "content": "text"}, "/content", "array", "assistant_message: content"),
    "assistant: an iterator": (assistant_message, {"id": "m", "content": iter([])}, "/content", "array", "assistant_message: content"),
    "assistant: block": (assistant_message, {"id": "m", "content": [3]}, "/content/0", "object", "assistant_message: content[0]"),
    "assistant: unreadable block": (
        assistant_message, {"id": "m", "content": [Raising({}, "type")]}, "/content/0", "object", "assistant_message: content[0]",
    ),
    "assistant: block type": (
        assistant_message, {"id": "m", "content": [{"type": "image"}]}, "/content/0/type", "blockType", "assistant_message: content[0].type",
    ),
    "assistant: text": (assistant_message, {"id": "m", "content": [{"type": "text"}]}, "/content/0/text", "string", "assistant_message: content[0].text"),
    "call: id": (assistant_message, {"id": "m", "content": with_call(id=" ")}, "/content/0/id", "nonBlankString", "assistant_message: content[0].id"),
    "call: name": (assistant_message, {"id": "m", "content": with_call(name=" ")}, "/content/0/name", "nonBlankString", "assistant_message: content[0].name"),
    **{
        f"arguments: {name}": (
            assistant_message, {"id": "m", "content": with_call(arguments=value)}, f"/content/0/arguments{pointer}", reason,
            f"assistant_message: content[0].arguments{place}",
        )
        for name, value, pointer, reason, place in [
            ("text", "{}", "", "plainObject", ""),
            ("null", None, "", "plainObject", ""),
            ("an array", [], "", "plainObject", ""),
            ("a key", {"a": {1: 2}}, "/a", "plainObject", ".a"),
            ("a key's unicode", {"a": {"\ud800": 2}}, "/a", "unicode", ".a"),
            ("a value", {"values": [b""]}, "/values/0", "jsonValue", ".values[0]"),
            ("a string's unicode", {"a b": "\ud800"}, "/a b", "unicode", '["a b"]'),
            ("a number", {"values": [math.nan]}, "/values/0", "finiteNumber", ".values[0]"),
            ("a cycle", one_cycle(), "/self", "cycle", ".self"),
            ("depth", deep(99), "/k" + "/0" * 99, "depth", ".k" + "[0]" * 99),
        ]
    },
    "text: no object": (text_from_assistant, {"message": 3}, "", "object", "text_from_assistant: message"),
    "text: unreadable": (text_from_assistant, {"message": Raising({}, "content")}, "", "object", "text_from_assistant: message"),
    "text: no content": (text_from_assistant, {"message": {}}, "/content", "array", "text_from_assistant: message.content"),
    "text: of a user": (text_from_assistant, {"message": user()}, "/content", "array", "text_from_assistant: message.content"),
    "text: block": (text_from_assistant, {"message": assistant(3)}, "/content/0", "object", "text_from_assistant: message.content[0]"),
    "text: block type": (
        text_from_assistant, {"message": assistant({"type": "image"})}, "/content/0/type", "blockType", "text_from_assistant: message.content[0].type",
    ),
    "text: text": (
        text_from_assistant, {"message": assistant({"type": "text", "text": None})}, "/content/0/text", "string", "text_from_assistant: message.content[0].text",
    ),
    "text: unicode": (
        text_from_assistant, {"message": assistant({"type": "text", "text": "\udc00"})}, "/content/0/text", "unicode", "text_from_assistant: message.content[0].text",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "pointer", "reason", "sentence"), REFUSALS.values(), ids=REFUSALS)
def test_bad_input_is_refused_with_function_pointer_and_reason(
    function: Any, arguments: dict[str, Any], pointer: str, reason: str, sentence: str
) -> None:
    error = refused(function, **arguments)
    assert (error.function, error.pointer, error.reason) == (function.__name__, pointer, reason)
    assert str(error).startswith(f"{sentence} must "), str(error)
    assert isinstance(error, TypeError)
    for twin in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(twin), str(twin), twin.pointer, twin.reason) == (type(error), str(error), pointer, reason)


def test_every_reason_that_python_can_meet_is_shown() -> None:
    met = {reason for _, _, _, reason, _ in REFUSALS.values()}
    # No array of Python has holes, and the constructors give the role themselves.
    assert set(Reason) - met == {"sparse", "role"}


@pytest.mark.parametrize("function", [user_message, assistant_message, tool_result_message])
def test_constructors_take_keywords_only(function: Any) -> None:
    with pytest.raises(TypeError):
        function("m", "text")


CONTENT: list[Any] = [
    {"type": "text", "text": "I will inspect it. "},
    {"type": "toolCall", "id": "call-read-001", "name": "read", "arguments": {"path": "package.json"}},
    {"type": "text", "text": "Then I will summarize it."},
]


def test_a_tool_round_is_constructed_and_only_its_text_extracted() -> None:
    transcript: list[Any] = [
        user_message(id="message-user-001", content="Read package.json."),
        assistant_message(id="message-assistant-001", content=CONTENT),
        tool_result_message(
            id="message-tool-001",
            tool_call_id="call-read-001",
            tool_name="read",
            content='{"name":"demo"}',
            is_error=False,
        ),
    ]
    assert validate_transcript(transcript) == ()
    assert text_from_assistant(transcript[1]) == "I will inspect it. Then I will summarize it."
    assert [(message.role, message.id) for message in transcript] == [
        ("user", "message-user-001"),
        ("assistant", "message-assistant-001"),
        ("toolResult", "message-tool-001"),
    ]
    assert [block.type for block in transcript[1].content] == ["text", "toolCall", "text"]
    assert transcript[2] == ToolResultMessage(
        id="message-tool-001", tool_call_id="call-read-001", tool_name="read", content='{"name":"demo"}', is_error=False
    )


def test_an_orphan_stays_one_until_its_call_stands_before_it() -> None:
    orphan = tool_result_message(id="m", tool_call_id="call-missing", tool_name="read", content="contents")
    (found,) = validate_transcript([orphan])
    assert (found.code, found.message_index) == ("ORPHAN_TOOL_RESULT", 0)
    made = assistant_message(id="a", content=[ToolCall(id="call-missing", name="read", arguments=frozendict())])
    assert validate_transcript([made, orphan]) == ()


def test_text_of_plain_and_generated_messages() -> None:
    blocks = [{"type": "text", "text": "a"}, call("c", arguments=[]), TextBlock(text="b")]
    assert text_from_assistant({"content": blocks}) == "ab"
    assert text_from_assistant(assistant_message(id="m", content=[])) == ""
    assert text_from_assistant(Once({"content": (Once({"type": "text", "text": Text("x")}),)})) == "x"


def test_nothing_that_happens_to_the_input_later_shows() -> None:
    arguments: dict[str, Any] = {"a": {"b": [1, {"c": "d"}]}}
    block = {"type": "toolCall", "id": "c", "name": "t", "arguments": arguments}
    content = [block]
    message = assistant_message(id="m", content=content)
    frozen = snapshot([assistant(block), result("c", "t")])
    before = [pickle.dumps(message), pickle.dumps(frozen)]
    arguments["a"]["b"][1]["c"] = "changed"
    arguments["a"]["b"].append(2)
    arguments["new"] = 1
    block["name"] = "changed"
    content.append(block)
    assert [pickle.dumps(message), pickle.dumps(frozen)] == before


def test_constructed_values_are_immutable_all_the_way_down() -> None:
    message = assistant_message(id="m", content=[*CONTENT, call("c", arguments={"a": [1, {"b": {}}], "d": {}})])
    blocks: Any = message.content
    made = blocks[3]
    arguments: Any = made.arguments
    assert type(made) is ToolCall
    assert type(blocks) is tuple
    seen: list[type] = []
    pending: list[Any] = [made.arguments]
    while pending:
        value = pending.pop()
        seen.append(type(value))
        pending += value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else []
    assert set(seen) == {frozendict, tuple, int}
    writes: list[Any] = [
        lambda: setattr(message, "id", "x"),
        lambda: object.__setattr__(message, "id", "x"),
        lambda: setattr(made, "arguments", {}),
        lambda: delattr(made, "id"),
        lambda: arguments.__setitem__("a", 1),
        lambda: arguments.update(a=1),
        lambda: arguments["a"].__setitem__(0, 2),
        lambda: arguments["d"].__setitem__("e", 2),
    ]
    before = pickle.dumps(message)
    for write in writes:
        with pytest.raises((TypeError, AttributeError)):
            write()
    assert pickle.dumps(message) == before


def test_each_property_is_read_once() -> None:
    message = assistant_message(id="m", content=[Once({"type": "text", "text": "a"}), Once(call("c"))])
    assert [block.type for block in message.content] == ["text", "toolCall"]
    assert len(snapshot([Once(user()), Once(assistant(Once(call("c")))), Once(result("c"))])) == 3


def test_further_properties_are_dropped() -> None:
    block = {"type": "text", "text": "a", "annotations": [object()]}
    assert assistant_message(id="m", content=[block]) == AssistantMessage(id="m", content=(TextBlock(text="a"),))
    assert snapshot([user() | {"timestamp": object()}]) == (UserMessage(id="u", content="hello"),)


def test_strings_of_subclasses_become_exact() -> None:
    message = user_message(id=Text("m"), content=Text("x"))
    assert (type(message.id), type(message.content)) == (str, str)


TRANSCRIPT = [
    user(),
    assistant(
        {"type": "text", "text": "é\u2028"}, call("c", arguments={"n": [1, -0.0, 1e22, 10**300, True, None], "o": {}})
    ),
    result("c"),
]


def test_json_text_and_back() -> None:
    frozen = snapshot(TRANSCRIPT)
    text = dumps(frozen)
    assert validate_json(text) == ()
    assert loads(text) == loads(text.encode()) == frozen
    assert json.loads(text) == TRANSCRIPT
    assert dumps(TRANSCRIPT) == text
    assert dumps([]) == "[]"


def test_frozen_values_serialise_and_equal_their_plain_form() -> None:
    message: Any = snapshot(TRANSCRIPT)[1]
    made = message.content[1]
    assert type(made) is ToolCall
    plain = TRANSCRIPT[1]["content"][1]["arguments"]
    assert json.loads(json.dumps(made.arguments)) == plain
    assert json.loads(msgspec.json.encode(made)) == TRANSCRIPT[1]["content"][1]
    assert snapshot([user()])[0] == UserMessage(id="u", content="hello")


@pytest.mark.parametrize("make", [snapshot, lambda value: loads(json.dumps(value))], ids=["snapshot", "loads"])
def test_whatever_the_validator_reports_is_refused(make: Any) -> None:
    broken: list[Any] = [UNANSWERED, [user(" ")], {}, [assistant(call("c", arguments=[])), result("c")]]
    for value in broken:
        with pytest.raises(InvalidTranscriptError) as caught:
            make(value)
        assert caught.value.diagnostics == validate_transcript(value)
        assert isinstance(caught.value, ValueError)
    assert len(make(ROUND)) == 2


def test_dumps_stores_calls_that_are_still_running_and_refuses_shapes() -> None:
    assert json.loads(dumps(UNANSWERED)) == UNANSWERED
    with pytest.raises(InvalidTranscriptError) as caught:
        dumps([UserMessage(id="m", content="\ud800"), *UNANSWERED])
    assert [each.path for each in caught.value.diagnostics] == ["/0/content"]
    with pytest.raises(InvalidTranscriptError):
        dumps([assistant(call("c", arguments={"n": math.nan}))])


def test_an_invalid_transcript_error_says_the_first_three_and_pickles() -> None:
    with pytest.raises(InvalidTranscriptError) as caught:
        snapshot([user(" ")] * 5)
    lines = str(caught.value).splitlines()
    assert lines[0] == "5 diagnostics:"
    assert lines[1] == "  INVALID_MESSAGE: transcript[0].id must be a non-blank string, but it is blank."
    assert lines[-1] == "  … and 2 more in .diagnostics"
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.diagnostics) == (str(caught.value), caught.value.diagnostics)


def test_messages_pickle_copy_compare_hash_and_print() -> None:
    frozen = snapshot(TRANSCRIPT)
    for twin in (pickle.loads(pickle.dumps(frozen)), copy.deepcopy(frozen), copy.copy(frozen)):
        assert twin == frozen
        assert hash(twin) == hash(frozen)
    assert {*frozen, *snapshot(TRANSCRIPT)} == set(frozen)
    assert repr(frozen[0]) == "UserMessage(id='u', content='hello')"
    assert frozen[0] != UserMessage(id="u", content="")
