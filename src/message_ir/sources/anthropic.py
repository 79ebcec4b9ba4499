"""Requests to Anthropic's Messages API (version 2023-06-01, as its SDK 2.15 types them): a body, or its `messages`.

Kept: user and assistant messages; text blocks; `tool_use` as tool calls; `tool_result` as tool results, each a record
of its own, at its place between the text around it. Several text blocks of a user or of a result become one string, joined by
line feeds. `is_error` is optional and false where it is absent; so is a result's content, which is empty then.
Made: message ids, of the position: `message-3`. A result's tool name is that of the call with its id, since the format
has none; so names never mismatch here.
Left out and counted: the system prompt, images, documents, thinking, tools that run on the server and their results, and
blocks of other types. Anything malformed is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Json,
    Origin,
    Texts,
    add_array,
    documents,
    is_type,
    listed,
    renamed,
)
from message_ir.sources.forms import forms
from message_ir.sources.model import Options, Part, Transcript, Unreadable

_SERVER_RESULT: Final = "result of a tool that runs on the server"
_TEXTS: Final = Texts(
    frozenset({"text"}),
    {
        "image": "image",
        "document": "document",
        "search_result": "search result",
        "thinking": "thinking block",
        "redacted_thinking": "thinking block",
        "server_tool_use": "call of a tool that runs on the server",
        "mcp_tool_use": "call of a tool that runs on the server",
        "web_search_tool_result": _SERVER_RESULT,
        "web_fetch_tool_result": _SERVER_RESULT,
        "code_execution_tool_result": _SERVER_RESULT,
        "mcp_tool_result": _SERVER_RESULT,
    },
)

_CALL: Final = {"id": "id", "name": "name", "input": "arguments"}
_RESULT: Final = {"tool_use_id": "toolCallId", "is_error": "isError"}


class AnthropicMessages:
    """The source `anthropic`."""

    name = "anthropic"
    title = "Anthropic Messages"
    api = "Anthropic Messages"
    lines = False

    def recognises(self, value: object) -> bool:
        """A body, its messages, or one message."""
        return self.name in forms(_messages(value), value)

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields a transcript for each body or array; for messages on lines of their own, one for all."""
        return documents(parts, is_message=_is_message, add_document=_add_document, add_messages=_add_messages)


def _messages(value: object) -> object:
    if isinstance(value, dict):
        return value.get("messages", [value])
    return value


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and "messages" not in value


def _add_document(draft: Draft, value: object, origin: Origin) -> None:
    if isinstance(value, dict):
        if value.get("system"):
            draft.lose("system prompt", origin.at("system"))
        value, origin = value.get("messages"), origin.at("messages")
    add_array(draft, value, origin, _add_messages)


def _add_messages(draft: Draft, messages: list[tuple[object, Origin]]) -> None:
    for number, (message, origin) in enumerate(messages):
        add_message(draft, message, origin, f"message-{number}")


def add_message(draft: Draft, message: object, origin: Origin, id_: object) -> None:
    """Adds the records that one message of this format makes."""
    if not isinstance(message, dict):
        draft.carry(message, origin)
    elif message.get("role") == "assistant" and (blocks := blocks_of(draft, message, origin)):
        draft.add_assistant(id_, blocks, origin)
    elif message.get("role") == "user" and isinstance(message.get("content"), list):
        _add_user(draft, message["content"], origin, id_)
    else:
        draft.add({**renamed(message, {"role": "role", "content": "content"}), "id": id_}, {(): origin})


def blocks_of(draft: Draft, message: Json, origin: Origin) -> Blocks | None:
    """An assistant's blocks; None where its content is neither a string nor an array."""
    content, at_content = message.get("content"), origin.at("content")
    blocks = Blocks()
    if isinstance(content, str):
        blocks.add_text(content, at_content)
        return blocks
    if not isinstance(content, list):
        return None
    for block, here in listed(content, at_content):
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(block, dict) and kind == "tool_use":
            blocks.add({"type": "toolCall", **renamed(block, _CALL)}, here, {"arguments": here.at("input")})
        elif kind == "text" or not isinstance(kind, str):
            blocks.add(block, here)
        else:
            draft.lose(_TEXTS.name(kind), here)
    return blocks


def _add_user(draft: Draft, content: list[object], origin: Origin, id_: object) -> None:
    """Adds the results that a user's message holds, and the text before, between and after them."""
    rest: list[tuple[object, Origin]] = []

    def add_rest() -> None:
        text = _TEXTS.joined(rest, draft)
        draft.add(
            {"id": id_, "role": "user", "content": text},
            {(): origin, ("content",): rest[0][1] if rest else origin.at("content")},
        )
        rest.clear()

    for block, here in listed(content, origin.at("content")):
        if not is_type(block, "tool_result"):
            rest.append((block, here))
            continue
        if rest:
            add_rest()
        _add_result(draft, block, here, id_)
    if rest or not content:
        add_rest()


def _add_result(draft: Draft, block: Any, origin: Origin, id_: object) -> None:
    content = _TEXTS.of(block.get("content", ""), origin.at("content"), draft)
    fields = {"isError": False, **renamed(block, _RESULT), "id": id_, "content": content}
    draft.add_result(
        fields, {(): origin, ("toolCallId",): origin.at("tool_use_id"), ("isError",): origin.at("is_error")}
    )
