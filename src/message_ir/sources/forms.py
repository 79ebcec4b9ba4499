"""Tells apart the formats whose documents are arrays of messages with a `role`, by what only one of them has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

# How many messages are looked at.
_ENOUGH: Final = 1_000

# Roles, fields and types of blocks that only one format has.
_ROLES: Final = {
    "toolResult": "ir",
    "tool": "openai-chat",
    "function": "openai-chat",
    "system": "openai-chat",
    "developer": "openai-chat",
}
_FIELDS: Final = {
    "toolCallId": "ir",
    "tool_calls": "openai-chat",
    "tool_call_id": "openai-chat",
    "function_call": "openai-chat",
    "parts": "a format with parts",
}
_BLOCKS: Final = {
    "tool-call": "ai-sdk",
    "tool-result": "ai-sdk",
    "toolCall": "ir",
    "tool_use": "anthropic",
    "tool_result": "anthropic",
    "thinking": "anthropic",
    "redacted_thinking": "anthropic",
    "server_tool_use": "anthropic",
    "image_url": "openai-chat",
    "input_audio": "openai-chat",
    "refusal": "openai-chat",
}

# What tells more than the rest: roles and fields of other formats may stand beside it.
_ABOVE: Final = frozenset({"ai-sdk", "a format with parts"})


def forms(messages: object) -> frozenset[str]:
    """The names of the formats of which an array of messages may be.

    Of text alone, messages with ids are of the message IR; without, they may be of either API.
    """
    if not isinstance(messages, list):
        return frozenset()
    seen = [message for message in islice(messages, _ENOUGH) if isinstance(message, dict) and "role" in message]
    marks = frozenset(mark for message in seen for mark in _marks(message))
    if marks:
        return marks & _ABOVE or marks
    if all("id" in message for message in seen):
        return frozenset({"ir"}) if seen or not messages else frozenset()
    return frozenset({"openai-chat", "anthropic"})


def _marks(message: dict[str, Any]) -> Iterator[str]:
    role, content = message["role"], message.get("content")
    if isinstance(role, str) and role in _ROLES:
        yield _ROLES[role]
    yield from (form for field, form in _FIELDS.items() if field in message)
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind in _BLOCKS:
            yield _BLOCKS[kind]
