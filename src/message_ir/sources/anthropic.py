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

from itertools import groupby
from typing import Any, ClassVar, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Json,
    Origin,
    Texts,
    is_type,
    listed,
    renamed,
)
from message_ir.sources.forms import RoleMessages

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


class AnthropicMessages(RoleMessages):
    """The source `anthropic`."""

    name = "anthropic"
    title = "Anthropic Messages"
    apis: tuple[str, ...] = ("Anthropic Messages",)
    prompts: ClassVar = {"system": "system prompt"}

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each message makes."""
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
    at_content = origin.at("content")
    for are_results, run in groupby(listed(content, at_content), lambda each: is_type(each[0], "tool_result")):
        blocks = list(run)
        if are_results:
            for block, here in blocks:
                _add_result(draft, block, here, id_)
        else:
            draft.add_user(id_, _TEXTS.joined(blocks, draft), origin, blocks[0][1])
    if not content:
        draft.add_user(id_, "", origin, at_content)


def _add_result(draft: Draft, block: Any, origin: Origin, id_: object) -> None:
    content = _TEXTS.of(block.get("content", ""), origin.at("content"), draft)
    fields = {"isError": False, **renamed(block, _RESULT), "id": id_, "content": content}
    draft.add_result(
        fields, {(): origin, ("toolCallId",): origin.at("tool_use_id"), ("isError",): origin.at("is_error")}
    )
