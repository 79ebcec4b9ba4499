"""Requests that the APIs' own packages make, as they would be sent, and sessions that Pi's own code writes, read by our sources.

Not collected with the other tests: the session `sdks` installs the packages and names this file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import anthropic
import httpx
import httpx2
import mistralai.client
import openai
import pytest
from google.genai import types as gemini
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict

from message_ir import validate_transcript
from message_ir.sources import Options, Transcript, read

PI: Final = os.environ["PI_CODING_AGENT"]
"""The folder of the npm package."""

SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {}}


def sent(call: Callable[[Any], object], library: Any = httpx) -> bytes:
    """The body of the one request that a client of this HTTP library makes; the answer is that it is refused."""
    bodies: list[bytes] = []

    def answer(request: Any) -> Any:
        bodies.append(request.read())
        return library.Response(400, json={"error": {"message": "refused"}})

    with (
        library.Client(transport=library.MockTransport(answer)) as client,
        pytest.raises(Exception, match=r"refused|400"),
    ):
        call(client)
    (body,) = bodies
    return body


def anthropic_body(result_id: str) -> bytes:
    return sent(
        lambda client: anthropic.Anthropic(api_key="x", http_client=client, max_retries=0).messages.create(
            model="claude",
            max_tokens=10,
            system="Be brief.",
            tools=[{"name": "ls", "input_schema": {"type": "object"}}],
            messages=[
                {"role": "user", "content": "Look."},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": "I will."},
                        {"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "."}},
                    ],
                },
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": result_id, "content": "a.txt"}]},
            ],
        ),
        httpx2,
    )


def chat_messages(result_id: str) -> list[Any]:
    function = {"name": "ls", "arguments": '{"path": "."}'}
    return [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look."},
        {
            "role": "assistant",
            "content": "I will.",
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": result_id, "content": "a.txt"},
    ]


def chat_body(result_id: str) -> bytes:
    return sent(
        lambda client: openai.OpenAI(api_key="x", http_client=client, max_retries=0).chat.completions.create(
            model="gpt", messages=chat_messages(result_id)
        )
    )


def responses_body(result_id: str) -> bytes:
    return sent(
        lambda client: openai.OpenAI(api_key="x", http_client=client, max_retries=0).responses.create(
            model="gpt",
            instructions="Be brief.",
            input=[
                {"role": "user", "content": "Look."},
                {"type": "message", "role": "assistant", "content": "I will."},
                {"type": "function_call", "call_id": "c1", "name": "ls", "arguments": '{"path": "."}'},
                {"type": "function_call_output", "call_id": result_id, "output": "a.txt"},
            ],
        )
    )


def mistral_body(result_id: str) -> bytes:
    return sent(
        lambda client: mistralai.client.Mistral(api_key="x", client=client).chat.complete(
            model="mistral", messages=chat_messages(result_id)
        )
    )


def gemini_body(result_id: str) -> bytes:
    parts = [
        gemini.Part(text="I will."),
        gemini.Part(function_call=gemini.FunctionCall(id="c1", name="ls", args={"path": "."})),
    ]
    answer = gemini.FunctionResponse(id=result_id, name="ls", response={"output": "a.txt"})
    contents = [
        gemini.Content(role="user", parts=[gemini.Part(text="Look.")]),
        gemini.Content(role="model", parts=parts),
        gemini.Content(role="user", parts=[gemini.Part(function_response=answer)]),
    ]
    # With every absent field as null, which is how the package dumps what it is not asked to leave out.
    return json.dumps({"contents": [content.model_dump(mode="json") for content in contents]}).encode()


def langchain_messages(result_id: str) -> list[Any]:
    return [
        SystemMessage("Be brief."),
        HumanMessage("Look."),
        AIMessage("I will.", tool_calls=[{"name": "ls", "args": {"path": "."}, "id": "c1"}]),
        ToolMessage("a.txt", tool_call_id=result_id),
    ]


BODIES: Final[dict[str, tuple[str, Callable[[str], bytes]]]] = {
    "anthropic": ("anthropic", anthropic_body),
    "openai chat": ("openai-chat", chat_body),
    "openai responses": ("openai-responses", responses_body),
    "mistral": ("openai-chat", mistral_body),
    "gemini": ("gemini", gemini_body),
    "langchain to_dict": ("langchain", lambda id_: json.dumps(messages_to_dict(langchain_messages(id_))).encode()),
    "langchain dumpd": ("langchain", lambda id_: json.dumps(dumpd(langchain_messages(id_))).encode()),
}


@pytest.mark.parametrize("name", BODIES)
def test_what_a_package_sends_is_recognised_and_clean(name: str) -> None:
    source, body = BODIES[name]
    (found,) = read(body("c1"))
    (named,) = read(body("c1"), format=source)
    assert isinstance(found, Transcript)
    assert isinstance(named, Transcript)
    assert found.value == named.value
    records: Any = found.value
    assert [record["role"] for record in records if record["role"] != "assistant"] == ["user", "toolResult"]
    calls = [block for record in records if record["role"] == "assistant" for block in record["content"]]
    assert [block.get("arguments", block.get("text")) for block in calls] == ["I will.", {"path": "."}]
    assert records[-1]["toolName"] == "ls"
    assert "a.txt" in records[-1]["content"]
    assert validate_transcript(found.value) == ()


@pytest.mark.parametrize("name", BODIES)
def test_what_a_package_sends_without_a_result_is_reported(name: str) -> None:
    (found,) = read(BODIES[name][1]("c2"))
    assert isinstance(found, Transcript)
    codes = [diagnostic.code for diagnostic in validate_transcript(found.value)]
    assert codes == ["ORPHAN_TOOL_RESULT", "MISSING_TOOL_RESULT"]


def pi(*arguments: str | Path) -> Any:
    """What Pi's own session manager says; see `pi-sessions.mjs`."""
    script = Path(__file__).with_name("pi-sessions.mjs")
    ran = subprocess.run(
        [os.environ.get("NODE", "node"), str(script), PI, *map(str, arguments)], capture_output=True, check=True
    )
    return json.loads(ran.stdout)


def messages(records: Any) -> list[Any]:
    """Of user, assistant and toolResult messages, what both sides tell in the same words."""
    told: list[Any] = []
    for record in records:
        role, content = record["role"], record.get("content")
        if role == "assistant":
            blocks = [block for block in content if block["type"] != "thinking"]
            told.append((role, [block.get("text", block.get("id")) for block in blocks]))
        elif role in ("user", "toolResult"):
            is_list = isinstance(content, list)
            text = "\n".join(block["text"] for block in content if block["type"] == "text") if is_list else content
            told.append((role, record.get("toolCallId"), text))
    return told


def set_aside(context: list[Any]) -> list[Any]:
    """The context without turns that failed or were aborted, and without their results, as Pi sends it to a model."""
    aborted = [each for each in context if each.get("stopReason") in ("error", "aborted")]
    calls = {block["id"] for each in aborted for block in each["content"] if block["type"] == "toolCall"}
    return [each for each in context if each not in aborted and each.get("toolCallId") not in calls]


def test_sessions_that_pi_writes_have_the_active_branch_that_pi_says(tmp_path: Path) -> None:
    sessions = pi("write", tmp_path)
    assert len(sessions) >= 8
    for session in sessions:
        items = read(session["file"], options=Options(include_aborted=True))
        (found,) = items
        assert isinstance(found, Transcript), session["name"]
        assert messages(found.value) == messages(session["messages"]), session["name"]
        for at, record in enumerate(found.value if isinstance(found.value, list) else []):
            line = Path(session["file"]).read_text(encoding="utf-8").splitlines()[found.place((at,)).line - 1]
            assert json.loads(line)["id"] == record["id"]


REAL: Final = Path(__file__).parents[3] / "shared/real/pi/session.jsonl"

# Not collected, rather than skipped, where the file is not there.
if REAL.exists():

    def test_a_real_session_has_the_active_branch_that_pi_says(tmp_path: Path) -> None:
        # Pi migrates what it opens, so it is given a copy.
        copy = tmp_path / "session.jsonl"
        copy.write_bytes(REAL.read_bytes())
        (session,) = pi("open", copy)
        (whole,) = read(str(REAL), options=Options(include_aborted=True))
        (sent_to_a_model,) = read(str(REAL))
        assert isinstance(whole, Transcript)
        assert isinstance(sent_to_a_model, Transcript)
        assert messages(whole.value) == messages(session["messages"])
        assert messages(sent_to_a_model.value) == messages(set_aside(session["messages"]))
