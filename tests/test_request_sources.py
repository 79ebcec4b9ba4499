"""Requests to model APIs, and what libraries make of them: what is read in which way, and which ids pair."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from command_line import out
from conversation_forms import FORMS, changed, codes_of, told
from message_ir import validate_transcript
from message_ir.pointer import path_in
from message_ir.sources import Options, Transcript, read
from sessions import Json


class TestIds:
    @staticmethod
    def restarted(id_: str = "call_0") -> list[Json]:
        turn = [
            {"role": "user", "content": "Go."},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": id_, "type": "function", "function": {"name": "ls", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": id_, "content": "a"},
        ]
        other = json.loads(json.dumps(turn).replace('"ls"', '"cat"'))
        return [*turn, *other]

    def test_ids_that_restart_are_reported_unless_they_are_scoped_to_turns(self) -> None:
        data = json.dumps(self.restarted()).encode()
        report = json.loads(out("check", "--format", "json", "-", stdin=data))
        assert [each["code"] for each in report["findings"]] == ["DUPLICATE_TOOL_CALL_ID", "DUPLICATE_TOOL_RESULT"]
        assert json.loads(out("check", "--ids", "turn", "--format", "json", "-", stdin=data))["findings"] == []

    def test_scoped_ids_are_visible_and_hide_nothing(self) -> None:
        messages = self.restarted()[:-1]
        report = json.loads(out("check", "--ids", "turn", "--format", "json", "-", stdin=json.dumps(messages).encode()))
        (found,) = report["findings"]
        assert (found["code"], found["place"]["pointer"]) == ("MISSING_TOOL_RESULT", "/4/tool_calls/0/id")
        assert '"call_0@2"' in found["message"]

    def test_what_is_no_id_is_not_numbered(self) -> None:
        value = [
            None,
            {"role": "assistant", "content": [{"type": "toolCall", "id": 3}, None]},
            {"role": "toolResult", "toolCallId": "x"},
        ]
        (found,) = read(value, format="ir", options=Options(ids_by_turn=True))
        assert isinstance(found, Transcript)
        assert found.value == value


class TestTurns:
    def test_numbered_ids_meet_none_that_is_there(self) -> None:
        transcript = [
            {
                "id": "a",
                "role": "assistant",
                "content": [{"type": "toolCall", "id": "c", "name": "f", "arguments": {}}],
            },
            {"id": "r", "role": "toolResult", "toolCallId": "c@1", "toolName": "f", "content": "", "isError": False},
        ]
        assert (
            codes_of(transcript, ids_by_turn=True)
            == codes_of(transcript)
            == ["ORPHAN_TOOL_RESULT", "MISSING_TOOL_RESULT"]
        )

    def test_a_result_before_its_call_stays_one(self) -> None:
        transcript = [
            {"id": "r", "role": "toolResult", "toolCallId": "c", "toolName": "f", "content": "", "isError": False},
            {
                "id": "a",
                "role": "assistant",
                "content": [{"type": "toolCall", "id": "c", "name": "f", "arguments": {}}],
            },
        ]
        assert (
            codes_of(transcript, ids_by_turn=True)
            == codes_of(transcript)
            == ["TOOL_RESULT_BEFORE_CALL", "MISSING_TOOL_RESULT"]
        )


class TestAnthropic:
    def test_results_and_text_in_one_message_keep_their_order(self) -> None:
        message = {
            "role": "user",
            "content": [
                {"type": "text", "text": "a"},
                {"type": "tool_result", "tool_use_id": "c"},
                {"type": "text", "text": "b"},
            ],
        }
        (found,) = read([message])
        assert isinstance(found, Transcript)
        value: Any = found.value
        assert [(each["role"], each["content"]) for each in value] == [("user", "a"), ("toolResult", ""), ("user", "b")]
        assert [found.place((at, "content")).pointer for at in range(3)] == [
            "/0/content/0",
            "/0/content/1/content",
            "/0/content/2",
        ]

    def test_tools_of_the_server_are_counted_and_answer_themselves(self) -> None:
        content = [
            {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "s"},
            {"type": "new_kind"},
        ]
        (found,) = read([{"role": "assistant", "content": content}])
        assert isinstance(found, Transcript)
        assert found.value == [{"id": "message-0", "role": "assistant", "content": []}]
        assert [loss.kind for loss in found.losses] == [
            "call of a tool that runs on the server",
            "result of a tool that runs on the server",
            "new_kind block",
        ]


class TestOpenAI:
    def test_a_name_that_a_tool_message_has_counts(self) -> None:
        document = changed(FORMS["openai-chat"].document, ("messages", 3, "name"), "dir")
        (found,) = read(document)
        assert isinstance(found, Transcript)
        (diagnostic,) = validate_transcript(found.value)
        assert diagnostic.code == "TOOL_NAME_MISMATCH"
        assert found.place(path_in(found.value, diagnostic.path)).pointer == "/messages/3/name"

    def test_the_older_function_calls_are_paired_by_their_order(self) -> None:
        messages = [
            {"role": "assistant", "content": None, "function_call": {"name": "ls", "arguments": "{}"}},
            {"role": "function", "name": "ls", "content": "a"},
            {"role": "function", "name": "ls", "content": "b"},
        ]
        (found,) = read(messages)
        assert isinstance(found, Transcript)
        assert [each.code for each in validate_transcript(found.value)] == ["ORPHAN_TOOL_RESULT"]

    def test_calls_of_custom_tools_have_text(self) -> None:
        call = {"id": "c", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}}
        (found,) = read(
            [
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c", "content": ""},
            ]
        )
        assert isinstance(found, Transcript)
        assert told(found.value)[0] == ("assistant", [("c", "patch", {"input": "*** Begin"})])

    def test_tools_that_a_client_runs_are_calls_and_the_others_are_counted(self) -> None:
        items = [
            {"type": "local_shell_call", "call_id": "s", "action": {"command": ["ls"]}},
            {"type": "local_shell_call_output", "id": "s", "output": "a"},
            {"type": "web_search_call", "id": "w"},
            {"type": "computer_call", "call_id": "p", "action": {"type": "click"}},
            {"type": "computer_call_output", "call_id": "p", "output": {"type": "computer_screenshot"}},
        ]
        (found,) = read({"model": "m", "input": items})
        assert isinstance(found, Transcript)
        assert validate_transcript(found.value) == ()
        assert [loss.kind for loss in found.losses] == ["web_search_call item", "image"]


def response(name: str, **more: Any) -> Json:
    return {"functionResponse": {"name": name, "response": {}, **more}}


def model_calls(*calls: Json) -> Json:
    return {"role": "model", "parts": [{"functionCall": call} for call in calls]}


def otel(role: str, *parts: Json) -> Json:
    return {"role": role, "parts": list(parts)}


def otel_call(name: str, **more: Any) -> Json:
    return {"type": "tool_call", "name": name, **more}


def otel_answer(name: str, **more: Any) -> Json:
    return {"type": "tool_call_response", "name": name, "response": "", **more}


def ai_call(**more: Any) -> Json:
    return {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}, **more}


def ai_result() -> Json:
    return {"type": "tool-result", "toolCallId": "c", "toolName": "f", "output": {"type": "text", "value": ""}}


OUTPUT: Final = {"type": "function_call_output", "call_id": "c", "output": "x"}

ACCEPTED: Final[dict[str, tuple[Any, list[str]]]] = {
    "an output of a call in an earlier response": ({"model": "m", "previous_response_id": "r", "input": [OUTPUT]}, []),
    "an output of a call in a conversation": ({"model": "m", "conversation": "v", "input": [OUTPUT]}, []),
    "an output of a call that is a stored item": ({"model": "m", "input": [{"type": "item_reference", "id": "i"}, OUTPUT]}, []),
    "an output of no call at all": ({"model": "m", "input": [OUTPUT]}, ["ORPHAN_TOOL_RESULT"]),
    "what a shell wrote": ({"model": "m", "input": [{"type": "shell_call", "call_id": "c", "action": {}}, {"type": "shell_call_output", "call_id": "c", "output": [{"stdout": ""}]}]}, []),
    "a patch without output": ({"model": "m", "input": [{"type": "apply_patch_call", "call_id": "c", "operation": {}}, {"type": "apply_patch_call_output", "call_id": "c", "status": "completed"}]}, []),
    "several actions of a computer": ({"model": "m", "input": [{"type": "computer_call", "call_id": "c", "actions": [{"type": "click"}]}, {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}}]}, []),
    "items of several kinds": ([{"role": "user", "content": "a"}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, OUTPUT], []),
    "a call with an id and a response without": ({"contents": [model_calls({"id": "c", "name": "f"}), {"role": "user", "parts": [response("f")]}]}, []),
    "a response with an id and a call without": ({"contents": [model_calls({"name": "f"}), {"role": "user", "parts": [response("f", id="c")]}]}, []),
    "responses in another order": ({"contents": [model_calls({"name": "f"}, {"name": "g"}), {"role": "user", "parts": [response("g"), response("f")]}]}, []),
    "OpenTelemetry's in another order": ([otel("assistant", otel_call("f"), otel_call("g")), otel("tool", otel_answer("g"), otel_answer("f"))], []),
    "OpenTelemetry's of the last turn": ([otel("assistant", otel_call("f")), otel("assistant", otel_call("g")), otel("tool", otel_answer("g"))], ["MISSING_TOOL_RESULT"]),
    "a refusal": ([{"role": "user", "content": "a"}, {"role": "assistant", "content": None, "refusal": "no"}, {"role": "tool", "tool_call_id": "c", "content": ""}], ["ORPHAN_TOOL_RESULT"]),
    "an observation of nothing": ({"schema_version": "ATIF-v1.7", "steps": [{"step_id": 1, "source": "agent", "message": "a", "observation": {}}]}, []),
    "a chunk": ([{"type": "AIMessageChunk", "data": {"content": "", "tool_calls": [{"id": "c", "name": "f", "args": {}}]}}, {"type": "tool", "data": {"content": "", "tool_call_id": "c"}}], []),
    "a request that says what it is": ({"model": "m", "system": "s", "messages": [{"role": "user", "content": "a"}]}, []),
    "tools that say what it is": ({"tools": [{"type": "function", "function": {}}], "messages": [{"role": "user", "content": "a"}]}, []),
    "a log of what was sent and what came back": ({"model": "m", "input": [{"role": "user", "content": "a"}], "output": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]}, ["MISSING_TOOL_RESULT"]),
    "tools beside the text of a message": ([{"id": "a", "role": "assistant", "content": "x", "toolInvocations": [{"state": "result", "toolCallId": "c", "toolName": "f", "args": {}, "result": 1}, {"state": "call", "toolCallId": "d", "toolName": "f", "args": {}}]}], ["MISSING_TOOL_RESULT"]),
    "calls as older versions of LangChain keep them": ([{"type": "ai", "data": {"content": "", "additional_kwargs": {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}}}, {"type": "tool", "data": {"content": "", "tool_call_id": "c"}}], []),
    "functions and what they answered": ([{"type": "ai", "data": {"content": "", "additional_kwargs": {"function_call": {"name": "f", "arguments": "{}"}}}}, {"type": "function", "data": {"content": "", "name": "f"}}, {"type": "function", "data": {"content": "", "name": "f"}}], ["ORPHAN_TOOL_RESULT"]),
    "OpenTelemetry's in an envelope": ({"messages": [otel("assistant", otel_call("f"))]}, ["MISSING_TOOL_RESULT"]),
    "an answer to a call of an earlier turn, by name": ([otel("assistant", otel_call("f")), otel("assistant", otel_call("g")), otel("tool", otel_answer("f"))], ["TOOL_NAME_MISMATCH", "MISSING_TOOL_RESULT"]),
    "two answers after two turns": ([otel("assistant", otel_call("f")), otel("assistant", otel_call("f")), otel("tool", otel_answer("f"), otel_answer("f"))], ["ORPHAN_TOOL_RESULT", "MISSING_TOOL_RESULT"]),
    "an answer with an id that no call has": ({"contents": [model_calls({"id": "c", "name": "f"}), {"role": "user", "parts": [response("f", id="d")]}]}, ["ORPHAN_TOOL_RESULT", "MISSING_TOOL_RESULT"]),
    "OpenTelemetry's call, answer and text in one message": ([otel("assistant", otel_call("f"), otel_answer("f"), {"type": "text", "content": "a"})], []),
    "OpenTelemetry's call by a user": ([otel("user", otel_call("f", id="c")), otel("tool", otel_answer("f", id="c"))], ["INVALID_MESSAGE"]),
    "OpenTelemetry's answer before another call in one message": ([otel("assistant", otel_call("f")), otel("assistant", otel_answer("f"), otel_call("f"))], ["MISSING_TOOL_RESULT"]),
    "a name that is null": ([otel("assistant", otel_call("f", id="c")), otel("tool", {**otel_answer("f", id="c"), "name": None})], []),
    "content that is none beside calls": ([{"role": "assistant", "content": {"a": 1}, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c", "content": ""}], ["INVALID_MESSAGE"]),
    "LangChain's content that is none beside calls": ([{"type": "ai", "data": {"content": {}, "tool_calls": [{"id": "c", "name": "f", "args": {}}]}}, {"type": "tool", "data": {"content": "", "tool_call_id": "c"}}], ["INVALID_MESSAGE"]),
    "LangChain's null beside calls": ([{"type": "ai", "data": {"content": None, "tool_calls": [{"id": "c", "name": "f", "args": {}}]}}, {"type": "tool", "data": {"content": "", "tool_call_id": "c"}}], []),
    "LangChain's null alone": ([{"type": "ai", "data": {"content": None}}], ["INVALID_MESSAGE"]),
    "an id of a provider's call that another call takes": ([{"role": "assistant", "content": [ai_call(providerExecuted=True), ai_result()]}, {"role": "assistant", "content": [ai_call()]}, {"role": "tool", "content": [ai_result()]}], []),
    "Bedrock's with nulls": ({"messages": [{"role": "assistant", "content": [{"text": None, "toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]}, {"role": "user", "content": [{"text": None, "toolResult": {"toolUseId": "c", "content": [{"json": None, "text": "r"}]}}]}]}, []),
    "Bedrock's with two keys": ({"messages": [{"role": "assistant", "content": [{"text": "x", "toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]}]}, ["INVALID_MESSAGE"]),
    "Bedrock's in an array of messages with ids": ([{"id": "1", "role": "user", "content": "a"}, {"id": "2", "role": "assistant", "content": [{"text": "x"}]}], ["INVALID_MESSAGE"]),
    "a request that says what it is beside blocks without types": ({"anthropic_version": "x", "messages": [{"role": "user", "content": [{"text": "x"}]}]}, ["INVALID_MESSAGE"]),
    "a provider's tool and its result beside it": ([{"role": "assistant", "content": [ai_call(providerExecuted=True), ai_result()]}], []),
    "a provider's tool and its result later": ([{"role": "assistant", "content": [ai_call(providerExecuted=True)]}, {"role": "tool", "content": [ai_result()]}], []),
    "a tool and its result beside it": ([{"role": "assistant", "content": [ai_call(), ai_result()]}], []),
    "a result of no call": ([{"role": "assistant", "content": [ai_result()]}], ["ORPHAN_TOOL_RESULT"]),
    "LangChain's texts in a list": ([{"type": "human", "data": {"content": ["a", {"type": "text", "text": "b"}]}}, {"type": "ai", "data": {"content": ["c"]}}], []),
    "an answer as SWE-agent keeps it": ({"history": [{"role": "assistant", "content": "a", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "content": "", "tool_call_ids": ["c"]}]}, []),
    "several answers in one message": ({"history": [{"role": "assistant", "content": "a", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "content": "", "tool_call_ids": ["c", "d"]}]}, ["INVALID_MESSAGE", "MISSING_TOOL_RESULT"]),
    "texts in a list of a chat": ([{"role": "system", "content": "s"}, {"role": "user", "content": ["a"]}], ["INVALID_MESSAGE"]),
    "thinking in a chat": ([{"role": "assistant", "content": [{"type": "thinking"}], "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c", "content": ""}], []),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_an_api_accepts_is_no_finding(name: str) -> None:
    document, expected = ACCEPTED[name]
    assert codes_of(document) == expected


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "document",
    [
        {"contents": [{"role": "user", "parts": [response("f", response=nested(50_000))]}]},
        {"contents": [model_calls({"name": nested(50_000)}), {"role": "user", "parts": [{"functionResponse": {"name": nested(50_000)}}]}]},
        {"contents": [{"role": "user", "parts": [response("f", response={"a": {1, 2}})]}]},
        {"type": "constructor", "kwargs": {}, "id": [nested(50_000)]},
        {"schema_version": nested(50_000), "steps": []},
        [{"role": "assistant", "content": [{"toolUse": {"type": nested(50_000)}}]}],
        [{"type": "ai", "data": {"content": "", "id": nested(50_000)}}],
    ],
)  # fmt: skip
def test_values_may_be_deep_or_strange(document: Any) -> None:
    assert codes_of(document)


def test_many_answers_cost_no_more_than_their_number() -> None:
    names = [f"f{number}" for number in range(20_000)]
    contents = [
        model_calls(*({"name": name} for name in names)),
        {"role": "user", "parts": [response(name) for name in reversed(names)]},
    ]
    assert codes_of({"contents": contents}) == []


@pytest.mark.parametrize(
    ("document", "losses"),
    [
        ({"contents": [{"role": "user", "parts": [response("f", parts=[{"inlineData": {}}])]}]}, [("image or file", "/contents/0/parts/0/functionResponse/parts")]),
        ({"schema_version": "ATIF-v1.7", "steps": [], "subagent_trajectories": [{}]}, [("trajectory of an agent below the agent", "/subagent_trajectories")]),
        ([{"id": "u", "role": "user", "content": "a", "parts": [{"type": "text", "text": "a"}], "experimental_attachments": [{}]}], [("file", "/0/experimental_attachments")]),
        ({"messages": [{"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}, "type": "server_tool_use"}}, {"text": "x"}]}]}, [("call or result of a tool that runs on the server", "/messages/0/content/0")]),
        ([otel("assistant", {"type": "new", "id": 1}, otel_call("f"))], [("new part", "/0/parts/0")]),
    ],
)  # fmt: skip
def test_what_has_no_place_is_counted(document: Any, losses: list[tuple[str, str]]) -> None:
    (found,) = read(document)
    assert isinstance(found, Transcript)
    assert [(loss.kind, loss.place.pointer) for loss in found.losses] == losses


def test_calls_in_attributes_that_are_text_have_ids_of_their_own() -> None:
    text = json.dumps(
        [otel("assistant", otel_call("f"), otel_call("f")), otel("tool", otel_answer("f"), otel_answer("f"))]
    )
    (found,) = read({"gen_ai.input.messages": text})
    assert isinstance(found, Transcript)
    assert validate_transcript(found.value) == ()
    assert found.place((0, "content", 1, "name")).pointer == "/gen_ai.input.messages"
