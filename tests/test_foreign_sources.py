"""Sources of other systems: what each form becomes, where its values stand, what is left out, and what its API would refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import out, run
from message_ir import validate_transcript
from message_ir.conformance.strategies import ODD_JSON, places
from message_ir.pointer import path_in
from message_ir.sources import SOURCES, AmbiguousFormatError, Options, Transcript, Unreadable, read
from sessions import Json, lines

FAULTS: Final = Path(__file__).parents[2] / "shared/cases/faults.json"


class Form(NamedTuple):
    """One conversation in one form."""

    source: str
    document: Any
    """The document; of JSON lines, the list of their values."""
    losses: tuple[str, ...]
    """What is left out of it, by kind."""
    lines: bool = False

    @property
    def data(self) -> bytes:
        return lines(*self.document) if self.lines else json.dumps(self.document, indent=1).encode()

    def read(self) -> Transcript:
        (found,) = read(self.data)
        assert isinstance(found, Transcript)
        return found


CALL_TEXT: Final = '{"path":"."}'

# The same conversation in each form: the user asks, the model says something and calls two tools, both answer, it says more.
FORMS: Final = {
    "anthropic": Form(
        "anthropic",
        {
            "model": "m",
            "system": "Be brief.",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Look."}, {"type": "image", "source": {}}]},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "hm", "signature": "s"},
                        {"type": "text", "text": "I will."},
                        {"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "."}},
                        {"type": "tool_use", "id": "c2", "name": "cat", "input": {}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "c1", "content": "a.txt"},
                        {
                            "type": "tool_result",
                            "tool_use_id": "c2",
                            "content": [{"type": "text", "text": "no"}],
                            "is_error": True,
                        },
                    ],
                },
                {"role": "assistant", "content": "Done."},
            ],
        },
        ("system prompt", "image", "thinking block"),
    ),
    "openai-chat": Form(
        "openai-chat",
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {}}],
                },
                {
                    "role": "assistant",
                    "content": "I will.",
                    "tool_calls": [
                        {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": CALL_TEXT}},
                        {"id": "c2", "type": "function", "function": {"name": "cat", "arguments": "{}"}},
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
                {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "no"}]},
                {"role": "assistant", "content": "Done."},
            ],
        },
        ("system message", "image"),
    ),
    "openai-responses": Form(
        "openai-responses",
        {
            "model": "m",
            "instructions": "Be brief.",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "Look."}, {"type": "input_image"}]},
                {"type": "reasoning", "id": "rs", "summary": []},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I will."}]},
                {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": CALL_TEXT},
                {"type": "function_call", "call_id": "c2", "name": "cat", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "a.txt"},
                {"type": "function_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "no"}]},
                {"type": "message", "role": "assistant", "content": "Done."},
            ],
        },
        ("instructions", "image", "reasoning"),
    ),
    "gemini": Form(
        "gemini",
        {
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "Look."}, {"inlineData": {}}]},
                {
                    "role": "model",
                    "parts": [
                        {"text": "hm", "thought": True},
                        {"text": "I will."},
                        {"functionCall": {"name": "ls", "args": {"path": "."}}},
                        {"functionCall": {"name": "cat", "args": {}}},
                    ],
                },
                {
                    "role": "user",
                    "parts": [
                        {"functionResponse": {"name": "ls", "response": {"output": "a.txt"}}},
                        {"functionResponse": {"name": "cat", "response": {"error": "no"}}},
                    ],
                },
                {"role": "model", "parts": [{"text": "Done."}]},
            ],
        },
        ("system instruction", "image or file", "thought"),
    ),
    "claude-code": Form(
        "claude-code",
        [
            {"type": "summary", "summary": "s", "leafUuid": "x"},
            {"type": "user", "uuid": "u", "parentUuid": None, "message": {"role": "user", "content": "Look."}},
            {
                "type": "assistant",
                "uuid": "a1",
                "parentUuid": "u",
                "message": {"id": "msg", "role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]},
            },
            {
                "type": "assistant",
                "uuid": "a2",
                "parentUuid": "a1",
                "message": {"id": "msg", "role": "assistant", "content": [{"type": "text", "text": "I will."}]},
            },
            {
                "type": "assistant",
                "uuid": "a3",
                "parentUuid": "a2",
                "message": {
                    "id": "msg",
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "."}}],
                },
            },
            {
                "type": "assistant",
                "uuid": "a4",
                "parentUuid": "a3",
                "message": {
                    "id": "msg",
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "c2", "name": "cat", "input": {}}],
                },
            },
            {
                "type": "user",
                "uuid": "r1",
                "parentUuid": "a3",
                "message": {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "a.txt"}],
                },
            },
            {
                "type": "user",
                "uuid": "r2",
                "parentUuid": "a4",
                "message": {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "c2", "content": "no", "is_error": True}],
                },
            },
            {"type": "progress", "uuid": "p", "parentUuid": "r2"},
            {
                "type": "assistant",
                "uuid": "a5",
                "parentUuid": "p",
                "message": {"id": "msg2", "role": "assistant", "content": [{"type": "text", "text": "Done."}]},
            },
        ],
        ("thinking block",),
        lines=True,
    ),
    "codex": Form(
        "codex",
        [
            {"timestamp": "t", "type": "session_meta", "payload": {"id": "s"}},
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Look."}]},
            },
            {"timestamp": "t", "type": "event_msg", "payload": {"type": "agent_reasoning", "text": "hm"}},
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "I will."}],
                },
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": CALL_TEXT},
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {"type": "function_call", "call_id": "c2", "name": "cat", "arguments": "{}"},
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {"type": "function_call_output", "call_id": "c1", "output": "a.txt"},
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {"type": "function_call_output", "call_id": "c2", "output": "no"},
            },
            {
                "timestamp": "t",
                "type": "response_item",
                "payload": {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "Done."}],
                },
            },
        ],
        (),
        lines=True,
    ),
    "ai-sdk": Form(
        "ai-sdk",
        {
            "messages": [
                {"id": "s", "role": "system", "parts": [{"type": "text", "text": "Be brief."}]},
                {"id": "u", "role": "user", "parts": [{"type": "text", "text": "Look."}, {"type": "file", "url": "x"}]},
                {
                    "id": "a",
                    "role": "assistant",
                    "parts": [
                        {"type": "step-start"},
                        {"type": "reasoning", "text": "hm"},
                        {"type": "text", "text": "I will."},
                        {
                            "type": "tool-ls",
                            "toolCallId": "c1",
                            "state": "output-available",
                            "input": {"path": "."},
                            "output": "a.txt",
                        },
                        {
                            "type": "dynamic-tool",
                            "toolName": "cat",
                            "toolCallId": "c2",
                            "state": "output-error",
                            "input": {},
                            "errorText": "no",
                        },
                        {"type": "step-start"},
                        {"type": "text", "text": "Done."},
                    ],
                },
            ]
        },
        ("system message", "file", "reasoning"),
    ),
    "ai-sdk model messages": Form(
        "ai-sdk",
        [
            {"role": "user", "content": "Look."},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I will."},
                    {"type": "tool-call", "toolCallId": "c1", "toolName": "ls", "input": {"path": "."}},
                    {"type": "tool-call", "toolCallId": "c2", "toolName": "cat", "input": {}},
                ],
            },
            {
                "role": "tool",
                "content": [
                    {
                        "type": "tool-result",
                        "toolCallId": "c1",
                        "toolName": "ls",
                        "output": {"type": "text", "value": "a.txt"},
                    },
                    {
                        "type": "tool-result",
                        "toolCallId": "c2",
                        "toolName": "cat",
                        "output": {"type": "error-text", "value": "no"},
                    },
                ],
            },
            {"role": "assistant", "content": "Done."},
        ],
        (),
    ),
    "langchain": Form(
        "langchain",
        [
            {"type": "system", "data": {"content": "Be brief."}},
            {"type": "human", "data": {"content": [{"type": "text", "text": "Look."}, {"type": "image_url"}]}},
            {
                "type": "ai",
                "data": {
                    "content": [{"type": "text", "text": "I will."}, {"type": "tool_use", "id": "c1"}],
                    "tool_calls": [
                        {"name": "ls", "args": {"path": "."}, "id": "c1", "type": "tool_call"},
                        {"name": "cat", "args": {}, "id": "c2", "type": "tool_call"},
                    ],
                },
            },
            {"type": "tool", "data": {"content": "a.txt", "tool_call_id": "c1", "status": "success"}},
            {"type": "tool", "data": {"content": "no", "tool_call_id": "c2", "status": "error", "name": "cat"}},
            {"type": "ai", "data": {"content": "Done."}},
        ],
        ("system message", "image"),
    ),
    "langchain dumpd": Form(
        "langchain",
        [
            {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}
            for name, kwargs in [
                ("HumanMessage", {"content": "Look."}),
                (
                    "AIMessage",
                    {
                        "content": "I will.",
                        "tool_calls": [
                            {"name": "ls", "args": {"path": "."}, "id": "c1"},
                            {"name": "cat", "args": {}, "id": "c2"},
                        ],
                    },
                ),
                ("ToolMessage", {"content": "a.txt", "tool_call_id": "c1"}),
                ("ToolMessage", {"content": "no", "tool_call_id": "c2", "status": "error"}),
                ("AIMessageChunk", {"content": "Done."}),
            ]
        ],
        (),
    ),
    "otel": Form(
        "otel",
        {
            "gen_ai.system_instructions": [{"type": "text", "content": "Be brief."}],
            "gen_ai.input.messages": [
                {"role": "user", "parts": [{"type": "text", "content": "Look."}, {"type": "blob"}]},
                {
                    "role": "assistant",
                    "parts": [
                        {"type": "text", "content": "I will."},
                        {"type": "tool_call", "id": "c1", "name": "ls", "arguments": {"path": "."}},
                        {"type": "tool_call", "id": "c2", "name": "cat", "arguments": "{}"},
                    ],
                },
                {
                    "role": "tool",
                    "parts": [
                        {"type": "tool_call_response", "id": "c1", "response": "a.txt"},
                        {"type": "tool_call_response", "id": "c2", "result": "no"},
                    ],
                },
            ],
            "gen_ai.output.messages": [
                {"role": "assistant", "parts": [{"type": "text", "content": "Done."}], "finish_reason": "stop"}
            ],
        },
        ("system instructions", "file"),
    ),
    "atif": Form(
        "atif",
        {
            "schema_version": "ATIF-v1.7",
            "steps": [
                {"step_id": 1, "source": "user", "message": [{"type": "text", "text": "Look."}, {"type": "image"}]},
                {
                    "step_id": 2,
                    "source": "agent",
                    "message": "I will.",
                    "reasoning_content": "hm",
                    "tool_calls": [
                        {"tool_call_id": "c1", "function_name": "ls", "arguments": {"path": "."}},
                        {"tool_call_id": "c2", "function_name": "cat", "arguments": {}},
                    ],
                    "observation": {
                        "results": [
                            {"source_call_id": "c1", "content": "a.txt"},
                            {"source_call_id": "c2", "content": "no"},
                        ]
                    },
                },
                {"step_id": 3, "source": "agent", "message": "Done."},
            ],
        },
        ("image", "reasoning"),
    ),
}


def told(records: Any) -> list[Any]:
    """A conversation without ids of messages, joined where one form writes one message and another several."""
    story: list[Any] = []
    for record in records:
        if record["role"] == "assistant":
            blocks = [
                block["text"] if block["type"] == "text" else (block["id"], block["name"], block["arguments"])
                for block in record["content"]
            ]
            if story and story[-1][0] == "assistant":
                story[-1] = ("assistant", story[-1][1] + blocks)
            else:
                story.append(("assistant", blocks))
        elif record["role"] == "user":
            story.append(("user", record["content"]))
        else:
            story.append(("result", record["toolCallId"], record["toolName"], record["content"]))
    return story


@pytest.mark.parametrize("name", FORMS)
def test_the_same_conversation_in_every_form(name: str) -> None:
    form = FORMS[name]
    transcript = form.read()
    ids = ("content-1-call-2", "content-1-call-3") if form.source == "gemini" else ("c1", "c2")
    texts = ('{"output":"a.txt"}', '{"error":"no"}') if form.source == "gemini" else ("a.txt", "no")
    assert told(transcript.value) == [
        ("user", "Look."),
        ("assistant", ["I will.", (ids[0], "ls", {"path": "."}), (ids[1], "cat", {})]),
        ("result", ids[0], "ls", texts[0]),
        ("result", ids[1], "cat", texts[1]),
        ("assistant", ["Done."]),
    ]
    assert [loss.kind for loss in transcript.losses] == list(form.losses)
    assert validate_transcript(transcript.value) == ()
    (file,) = json.loads(out("check", "--format", "json", "-", stdin=form.data))["files"]
    assert file["format"] == form.source


@pytest.mark.parametrize(
    "name", ["anthropic", "gemini", "claude-code", "ai-sdk", "ai-sdk model messages", "langchain", "langchain dumpd"]
)
def test_errors_of_tools_are_told_where_the_form_has_them(name: str) -> None:
    value: Any = FORMS[name].read().value
    assert [record["isError"] for record in value if record["role"] == "toolResult"] == [False, True]


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    """What stands at a path; None where it leads nowhere."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


@pytest.mark.parametrize("name", FORMS)
def test_every_value_has_a_place_that_leads_to_it(name: str) -> None:
    form = FORMS[name]
    transcript = form.read()
    held = 0
    for path in places(transcript.value):
        place = transcript.place(path)
        document = form.document[place.line - 1] if form.lines else form.document
        steps = path_in(document, place.pointer)
        assert at(document, steps[:-1]) is not None
        # Of what a form says in so many words: texts of blocks, and ids, names and arguments of calls.
        if path[1:2] == ("content",) and path[3:] in [("text",), ("id",), ("name",), ("arguments",)]:
            there, made = at(document, steps), at(transcript.value, path)
            # Made where the form has none: ids in Gemini's, and names that are part of a type.
            if there is not None:
                assert there in (made, [made], json.dumps(made, separators=(",", ":"))) or there[0]["text"] == made
                held += 1
    assert held >= 5
    assert transcript.place(()).line >= 1


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not form.lines])
def test_values_are_read_like_files_and_files_by_their_paths(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    (of_value,) = read(form.document)
    file = tmp_path / "file.json"
    file.write_bytes(form.data)
    (of_file,) = read(str(file))
    assert isinstance(of_value, Transcript)
    assert isinstance(of_file, Transcript)
    assert of_value.value == of_file.value
    place = of_value.place((0,))
    assert (place.line, place.column, place.pointer) == (1, None, of_file.place((0,)).pointer)


class Broken(NamedTuple):
    """A request that an API refuses: what is changed in a form, what is then reported and where, and what the API says of it."""

    form: str
    path: tuple[str | int, ...]
    value: Any
    """What stands there instead; `...` for nothing."""
    expected: list[tuple[str, str]]
    says: str = ""


_CHAT: Final = ("messages",)
BROKEN: Final = [
    Broken("anthropic", ("messages", 2, "content", 0), ..., [("MISSING_TOOL_RESULT", "/messages/1/content/2/id")], "ids were found without"),
    Broken("anthropic", ("messages", 2, "content", 0, "tool_use_id"), "x", [("ORPHAN_TOOL_RESULT", "/messages/2/content/0/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/2/id")], "unexpected `tool_use_id`"),
    Broken("anthropic", ("messages", 2, "content", 0, "tool_use_id"), "c2", [("DUPLICATE_TOOL_RESULT", "/messages/2/content/1/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/2/id")], "single result"),
    Broken("anthropic", ("messages", 1, "content", 3, "id"), "c1", [("DUPLICATE_TOOL_CALL_ID", "/messages/1/content/3/id"), ("ORPHAN_TOOL_RESULT", "/messages/2/content/1/tool_use_id")], "must be unique"),
    Broken("anthropic", ("messages", 1, "content", 2, "input"), "{}", [("INVALID_TOOL_ARGUMENTS", "/messages/1/content/2/input")], "valid dictionary"),
    Broken("anthropic", ("messages", 2, "content", 0, "is_error"), "no", [("INVALID_MESSAGE", "/messages/2/content/0/is_error")]),
    Broken("anthropic", ("messages", 2, "content", 0, "is_error"), None, [("INVALID_MESSAGE", "/messages/2/content/0/is_error")]),
    Broken("anthropic", ("messages", 2, "content", 0, "tool_use_id"), 7, [("INVALID_MESSAGE", "/messages/2/content/0/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/2/id")]),
    Broken("anthropic", ("messages", 3, "content"), None, [("INVALID_MESSAGE", "/messages/3/content")]),
    Broken("anthropic", ("messages", 1, "content", 2, "name"), "", [("EMPTY_TOOL_NAME", "/messages/1/content/2/name")]),
    Broken("openai-chat", ("messages", 3), ..., [("MISSING_TOOL_RESULT", "/messages/2/tool_calls/0/id")], "did not have response messages"),
    Broken("openai-chat", ("messages", 2, "tool_calls"), ..., [("ORPHAN_TOOL_RESULT", "/messages/3/tool_call_id"), ("ORPHAN_TOOL_RESULT", "/messages/4/tool_call_id")], "must be a response to a preceeding message"),
    Broken("openai-chat", ("messages", 4, "tool_call_id"), "c1", [("DUPLICATE_TOOL_RESULT", "/messages/4/tool_call_id"), ("MISSING_TOOL_RESULT", "/messages/2/tool_calls/1/id")], "Duplicate value"),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"path', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), "[]", [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"a":"\\ud800"}', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), {}, []),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "name"), None, [("EMPTY_TOOL_NAME", "/messages/2/tool_calls/0/function/name")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "id"), "", [("INVALID_MESSAGE", "/messages/2/tool_calls/0/id"), ("ORPHAN_TOOL_RESULT", "/messages/3/tool_call_id")]),
    Broken("openai-chat", ("messages", 2, "content"), None, []),
    Broken("openai-chat", ("messages", 2, "content"), ..., []),
    Broken("openai-chat", ("messages", 5, "content"), None, [("INVALID_MESSAGE", "/messages/5/content")]),
    Broken("openai-responses", ("input", 5), ..., [("MISSING_TOOL_RESULT", "/input/3/call_id")], "No tool output found"),
    Broken("openai-responses", ("input", 3), ..., [("ORPHAN_TOOL_RESULT", "/input/4/call_id")], "No tool call found"),
    Broken("openai-responses", ("input", 3, "call_id"), "", [("INVALID_MESSAGE", "/input/3/call_id"), ("ORPHAN_TOOL_RESULT", "/input/5/call_id")], "empty string"),
    Broken("gemini", ("contents", 2, "parts", 1), ..., [("MISSING_TOOL_RESULT", "/contents/1/parts/3/functionCall")], "number of function response parts"),
    Broken("gemini", ("contents", 1), ..., [("ORPHAN_TOOL_RESULT", "/contents/1/parts/0/functionResponse"), ("ORPHAN_TOOL_RESULT", "/contents/1/parts/1/functionResponse")], "comes immediately after a function call turn"),
    Broken("gemini", ("contents", 2, "parts", 0, "functionResponse", "name"), "dir", [("TOOL_NAME_MISMATCH", "/contents/2/parts/0/functionResponse/name")], "INVALID_ARGUMENT"),
    Broken("gemini", ("contents", 1, "parts", 2, "functionCall", "args"), ..., []),
    Broken("gemini", ("contents", 1, "parts", 2, "functionCall", "args"), "{}", [("INVALID_TOOL_ARGUMENTS", "/contents/1/parts/2/functionCall/args")]),
    Broken("ai-sdk", ("messages", 2, "parts", 3, "state"), "input-available", [("MISSING_TOOL_RESULT", "/messages/2/parts/3/toolCallId")]),
    Broken("ai-sdk model messages", (2, "content", 0, "toolName"), "dir", [("TOOL_NAME_MISMATCH", "/2/content/0/toolName")]),
    Broken("langchain", (2, "data", "tool_calls", 0, "args"), '{"pa', [("INVALID_TOOL_ARGUMENTS", "/2/data/tool_calls/0/args")]),
    Broken("langchain", (4, "data", "name"), "dog", [("TOOL_NAME_MISMATCH", "/4/data/name")]),
    Broken("otel", ("gen_ai.input.messages", 2, "parts", 0), ..., [("MISSING_TOOL_RESULT", "/gen_ai.input.messages/1/parts/1/id")]),
    Broken("atif", ("steps", 1, "observation"), ..., [("MISSING_TOOL_RESULT", "/steps/1/tool_calls/0/tool_call_id"), ("MISSING_TOOL_RESULT", "/steps/1/tool_calls/1/tool_call_id")]),
    # What people reported in public, in data of our own: an interrupted call of a custom tool, one call saved twice, one result
    # pushed by two handlers, numbers that JSON or binary64 does not know, lists of calls that are empty.
    Broken("openai-responses", ("input", 3), {"type": "custom_tool_call", "call_id": "c9", "name": "patch", "input": "x"}, [("ORPHAN_TOOL_RESULT", "/input/5/call_id"), ("MISSING_TOOL_RESULT", "/input/3/call_id")]),
    Broken("openai-responses", ("input", 4, "call_id"), "c1", [("DUPLICATE_TOOL_CALL_ID", "/input/4/call_id"), ("ORPHAN_TOOL_RESULT", "/input/6/call_id")]),
    Broken("anthropic", ("messages", 3), {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}]}, [("DUPLICATE_TOOL_RESULT", "/messages/3/content/0/tool_use_id")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"n": NaN}', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"n": 1e400}', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"n": 9007199254740993, "n": 2, "__proto__": 1}', []),
    Broken("openai-chat", ("messages", 5, "tool_calls"), [], []),
    Broken("openai-chat", ("messages", 5), {"role": "user", "content": "Stop."}, []),
]  # fmt: skip


def changed(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    copied: Any = json.loads(json.dumps(document))
    parent: Any = copied
    for step in path[:-1]:
        parent = parent[step]
    if value is ...:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return copied


@pytest.mark.parametrize(
    "broken", BROKEN, ids=lambda broken: f"{broken.form} {'/'.join(map(str, broken.path))} {broken.value!r}"
)
def test_what_an_api_refuses_is_reported_where_it_stands_and_in_its_words(broken: Broken) -> None:
    document = changed(FORMS[broken.form].document, broken.path, broken.value)
    report = json.loads(out("check", "--format", "json", "-", stdin=json.dumps(document, indent=1).encode()))
    found = [(each["code"], each["place"]["pointer"]) for each in report["findings"]]
    assert [code for code, _ in found] == [code for code, _ in broken.expected]
    for (_, pointer), (_, expected) in zip(found, broken.expected, strict=True):
        # An absent field is placed at the object that should hold it.
        assert pointer == expected or expected.startswith(f"{pointer}/") or pointer.startswith(f"{expected}/")
    if broken.says:
        assert any(broken.says in answer for each in report["findings"] for answer in each["seenAs"])
        assert broken.says in run("check", "-", stdin=json.dumps(document).encode()).stdout.decode()


class TestDetection:
    def test_each_form_is_recognised_by_one_source_alone(self) -> None:
        assert {form.source for form in FORMS.values()} == SOURCES.keys() - {"ir", "pi"}
        for form in FORMS.values():
            values = form.document if form.lines else [form.document]
            found = [{name for name, source in SOURCES.items() if source.recognises(value)} for value in values]
            assert set.union(*found) == {form.source}

    def test_text_alone_may_be_of_two_apis_and_is_not_guessed(self) -> None:
        messages = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
        with pytest.raises(AmbiguousFormatError, match="anthropic or openai-chat"):
            read(messages)
        ran = run("check", "-", stdin=json.dumps(messages).encode())
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert "it may be of the format anthropic or openai-chat" in ran.stderr.decode()
        assert "--from" in ran.stderr.decode()
        for name in ("anthropic", "openai-chat"):
            assert run("check", "--from", name, "-", stdin=json.dumps(messages).encode()).returncode == 0

    def test_a_later_line_may_tell(self) -> None:
        text = {"messages": [{"role": "user", "content": "Hi."}]}
        data = lines(text, text, FORMS["openai-chat"].document)
        found = read(data)
        assert [len(each.value) for each in found if isinstance(each, Transcript)] == [1, 1, 5]  # type: ignore[arg-type] # lists

    def test_messages_on_lines_make_one_transcript(self) -> None:
        for name in ("anthropic", "openai-chat"):
            document = FORMS[name].document["messages"]
            (found,) = read(lines(*document))
            assert isinstance(found, Transcript)
            assert told(found.value) == told(FORMS[name].read().value)
            assert found.place((1,)).line == (2 if name == "anthropic" else 3)


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


class TestClaudeCode:
    def test_forks_and_side_chains_are_transcripts_of_their_own(self) -> None:
        def line(uuid: str, parent: str | None, text: str, **more: Any) -> Json:
            return {
                "type": "user",
                "uuid": uuid,
                "parentUuid": parent,
                "message": {"role": "user", "content": text},
                **more,
            }

        found = read(
            lines(
                line("a", None, "1"),
                line("b", "a", "2"),
                line("s", None, "side", isSidechain=True),
                line("c", "a", "3"),
            )
        )
        values: list[Any] = [each.value for each in found if isinstance(each, Transcript)]
        assert [[record["content"] for record in value] for value in values] == [["1", "2"], ["side"], ["1", "3"]]

    def test_a_torn_line_and_nul_bytes_are_reported_and_the_rest_is_read(self) -> None:
        whole = FORMS["claude-code"].data
        found = read(whole + b"\x00\x00\x00\n" + b'{"type": "user", "uu\n')
        assert [type(each) for each in found] == [Unreadable, Unreadable, Transcript]
        assert [each.place.line for each in found if isinstance(each, Unreadable)] == [11, 12]

    def test_a_loop_of_parents_ends(self) -> None:
        loop = [
            {"type": "user", "uuid": "a", "parentUuid": "b", "message": {"role": "user", "content": "x"}},
            {"type": "user", "uuid": "b", "parentUuid": "a", "message": {"role": "user", "content": "y"}},
        ]
        assert all(isinstance(each, Transcript) for each in read(lines(*loop)))


@st.composite
def damaged(draw: st.DrawFn) -> Form:
    """A form in which values are replaced or dropped."""
    form = FORMS[draw(st.sampled_from(sorted(FORMS)))]
    document = form.document
    for _ in range(draw(st.integers(1, 3))):
        every = places(document)
        if every:
            document = changed(document, draw(st.sampled_from(every)), draw(ODD_JSON | st.just(...)))
    return form._replace(document=document)


def expect_read(data: bytes, source: str | None) -> None:
    """Whatever it is, it is read, and every finding and every loss has a place in it."""
    for item in read(data, format=source):
        if isinstance(item, Transcript):
            for diagnostic in validate_transcript(item.value):
                for pointer in (diagnostic.path, *diagnostic.related):
                    place = item.place(path_in(item.value, pointer))
                    assert 1 <= place.line <= data.count(b"\n") + 1
            assert all(loss.kind and loss.place.line >= 1 for loss in item.losses)


@given(damaged())
def test_whatever_is_damaged_is_read_and_every_finding_has_a_place(form: Form) -> None:
    expect_read(form.data, form.source)


@pytest.mark.parametrize("name", FORMS)
def test_any_value_may_be_of_any_type(name: str) -> None:
    form = FORMS[name]
    for path in places(form.document):
        values: list[Any] = [None, [], {}, [[]], 1, "", "x", True]
        for value in values:
            data = form._replace(document=changed(form.document, path, value)).data
            expect_read(data, form.source)
            with suppress(AmbiguousFormatError):
                expect_read(data, None)


def faults() -> Iterator[Any]:
    forms = {"anthropic", "openai-chat", "openai-responses", "gemini"}
    if FAULTS.exists():
        yield from (each for each in json.loads(FAULTS.read_text(encoding="utf-8")) if each["shape"] in forms)


# Not collected, rather than skipped, where the files are not there.
if FAULTS.exists():

    @pytest.mark.parametrize("fault", list(faults()), ids=lambda fault: fault["id"])
    def test_faults_that_people_reported_are_found_in_their_own_form(fault: Any) -> None:
        codes = {
            str(diagnostic.code)
            for item in read(fault["transcript"], format=fault["shape"])
            if isinstance(item, Transcript)
            for diagnostic in validate_transcript(item.value)
        }
        note = fault["expectedNote"]
        named = {
            code
            for code in (
                "MISSING_TOOL_RESULT",
                "ORPHAN_TOOL_RESULT",
                "DUPLICATE_TOOL_RESULT",
                "DUPLICATE_TOOL_CALL_ID",
                "TOOL_RESULT_BEFORE_CALL",
                "TOOL_NAME_MISMATCH",
                "INVALID_TOOL_ARGUMENTS",
                "EMPTY_TOOL_NAME",
                "INVALID_MESSAGE",
            )
            if code in note
        }
        assert codes >= named, (fault["fault"], note, codes)


def codes_of(document: Any, source: str | None = None, **options: Any) -> list[str]:
    """The codes of one document."""
    (found,) = read(document, format=source, options=Options(**options))
    assert isinstance(found, Transcript)
    return [str(diagnostic.code) for diagnostic in validate_transcript(found.value)]


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


def test_a_fork_at_a_result_has_that_result_alone() -> None:
    def line(kind: str, uuid: str, parent: str | None, content: Any) -> Json:
        return {
            "type": kind,
            "uuid": uuid,
            "parentUuid": parent,
            "message": {"id": uuid, "role": kind, "content": content},
        }

    answer = [{"type": "tool_result", "tool_use_id": "t"}]
    session = lines(
        line("assistant", "a", None, [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]),
        line("user", "r1", "a", answer),
        line("assistant", "b", "r1", "one"),
        line("user", "r2", "a", answer),
        line("assistant", "c", "r2", "two"),
    )
    found = [item for item in read(session) if isinstance(item, Transcript)]
    assert [len(item.value) for item in found] == [3, 3]  # type: ignore[arg-type] # lists
    assert all(validate_transcript(item.value) == () for item in found)
