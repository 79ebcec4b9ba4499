"""The same conversation in the form of each source, and what tests do with it."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from message_ir import validate_transcript
from message_ir.sources import Options, Transcript, read
from sessions import lines


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
    "bedrock": Form(
        "bedrock",
        {
            "system": [{"text": "Be brief."}],
            "messages": [
                {"role": "user", "content": [{"text": "Look."}, {"image": {}}]},
                {
                    "role": "assistant",
                    "content": [
                        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
                        {"text": "I will."},
                        {"toolUse": {"toolUseId": "c1", "name": "ls", "input": {"path": "."}}},
                        {"toolUse": {"toolUseId": "c2", "name": "cat", "input": {}}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {"toolResult": {"toolUseId": "c1", "content": [{"text": "a.txt"}], "status": "success"}},
                        {"toolResult": {"toolUseId": "c2", "content": [{"text": "no"}], "status": "error"}},
                    ],
                },
                {"role": "assistant", "content": [{"text": "Done."}]},
            ],
        },
        ("system prompt", "image", "reasoning"),
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
    "gemini-cli": Form(
        "gemini-cli",
        {
            "sessionId": "s",
            "projectHash": "p",
            "messages": [
                {"id": "i", "type": "info", "content": "Hello."},
                {"id": "u", "type": "user", "content": [{"text": "Look."}, {"inlineData": {}}]},
                {
                    "id": "g",
                    "type": "gemini",
                    "content": "I will.",
                    "thoughts": [{"subject": "hm"}],
                    "toolCalls": [
                        {
                            "id": "c1",
                            "name": "ls",
                            "args": {"path": "."},
                            "result": [{"functionResponse": {"id": "c1", "name": "ls", "response": "a.txt"}}],
                            "status": "success",
                        },
                        {"id": "c2", "name": "cat", "args": {}, "result": [{"text": "no"}], "status": "error"},
                    ],
                },
                {"id": "h", "type": "gemini", "content": "Done."},
            ],
        },
        ("message of type info", "inlineData part", "thought"),
    ),
    "opencode": Form(
        "opencode",
        {
            "info": {"id": "s"},
            "messages": [
                {
                    "info": {"id": "u", "role": "user"},
                    "parts": [{"type": "text", "text": "Look."}, {"type": "file", "url": "x"}],
                },
                {
                    "info": {"id": "a", "role": "assistant"},
                    "parts": [
                        {"type": "step-start"},
                        {"type": "reasoning", "text": "hm"},
                        {"type": "text", "text": "I will."},
                        {
                            "type": "tool",
                            "callID": "c1",
                            "tool": "ls",
                            "state": {"status": "completed", "input": {"path": "."}, "output": "a.txt"},
                        },
                        {
                            "type": "tool",
                            "callID": "c2",
                            "tool": "cat",
                            "state": {"status": "error", "input": {}, "error": "no"},
                        },
                        {"type": "step-finish", "reason": "tool-calls"},
                        {"type": "text", "text": "Done."},
                    ],
                },
            ],
        },
        ("file", "reasoning"),
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


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    """What stands at a path; None where it leads nowhere."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


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


def codes_of(document: Any, source: str | None = None, **options: Any) -> list[str]:
    """The codes of one document."""
    (found,) = read(document, format=source, options=Options(**options))
    assert isinstance(found, Transcript)
    return [str(diagnostic.code) for diagnostic in validate_transcript(found.value)]
