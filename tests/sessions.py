"""Builds small session files: transcripts in the IR, and Pi's sessions of each version."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]


def user(id: str = "u", content: Any = "hello") -> Json:  # noqa: A002 # the contract's name
    return {"id": id, "role": "user", "content": content}


def call(id: str, name: str = "read", arguments: Any = None) -> Json:  # noqa: A002 # the contract's name
    return {"type": "toolCall", "id": id, "name": name, "arguments": {} if arguments is None else arguments}


def assistant(*blocks: Any, id: str = "a") -> Json:  # noqa: A002 # the contract's name
    return {"id": id, "role": "assistant", "content": list(blocks)}


def result(tool_call_id: str, name: str = "read", id: str = "r") -> Json:  # noqa: A002 # the contract's name
    return {
        "id": id,
        "role": "toolResult",
        "toolCallId": tool_call_id,
        "toolName": name,
        "content": "ok",
        "isError": False,
    }


ROUND = [assistant(call("c")), result("c")]
UNANSWERED = [assistant(call("c"))]


def lines(*values: object) -> bytes:
    """JSON lines; bytes are taken as they are."""
    return b"".join((value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n" for value in values)


def pi_header(version: int | None = 3) -> Json:
    return {"type": "session", "id": "s", "cwd": "/w"} | ({} if version is None else {"version": version})


def pi_user(content: Any = "hello") -> Json:
    return {"role": "user", "content": content}


def pi_assistant(*blocks: Any, stop: str = "toolUse") -> Json:
    return {"role": "assistant", "content": list(blocks), "stopReason": stop}


def pi_result(tool_call_id: str, name: str = "read", content: Any = None) -> Json:
    text = [{"type": "text", "text": "ok"}] if content is None else content
    return {"role": "toolResult", "toolCallId": tool_call_id, "toolName": name, "content": text, "isError": False}


def pi_entry(id: str, parent: str | None, message: Any) -> Json:  # noqa: A002 # the format's name
    return {"type": "message", "id": id, "parentId": parent, "message": message}


def pi_chain(*messages: Any, start: int = 0, parent: str | None = None) -> list[Json]:
    """Entries of a tree in which each is the parent of the next; ids are `e0`, `e1` and so on."""
    entries: list[Json] = []
    for number, message in enumerate(messages, start):
        entries.append(pi_entry(f"e{number}", parent, message))
        parent = f"e{number}"
    return entries


def pi_linear(*messages: Any) -> list[Json]:
    """Entries of version 1, which have no ids."""
    return [{"type": "message", "message": message} for message in messages]
