"""Tells apart the formats whose documents are arrays of messages with a `role`, by what only one of them has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from message_ir.sources.documents import DocumentSource, request

Table = Mapping[str, str]

# How many messages are looked at.
_ENOUGH: Final = 1_000

# Roles, fields and types of blocks that only one format has.
_ROLES: Final = {"toolResult": "ir", "tool": "openai-chat", "function": "openai-chat"}
_FIELDS: Final = {
    "toolCallId": "ir",
    "tool_calls": "openai-chat",
    "tool_call_id": "openai-chat",
    "function_call": "openai-chat",
    "parts": "a format with parts",
    "toolInvocations": "ai-sdk",
}
_BLOCKS: Final = {
    "tool-call": "ai-sdk",
    "tool-result": "ai-sdk",
    "toolCall": "ir",
    "tool_use": "anthropic",
    "tool_result": "anthropic",
    "server_tool_use": "anthropic",
}

# Keys of blocks without a type that only one format has.
_KEYS: Final = {"toolUse": "bedrock", "toolResult": "bedrock"}

# What is a sign, but not one that weighs as much: some servers of one form take them in the other too.
_WEAK_ROLES: Final = {"system": "openai-chat", "developer": "openai-chat"}
_WEAK_BLOCKS: Final = {
    "thinking": "anthropic",
    "redacted_thinking": "anthropic",
    "image": "anthropic",
    "document": "anthropic",
    "image_url": "openai-chat",
    "input_audio": "openai-chat",
    "refusal": "openai-chat",
}

_WEAK_KEYS: Final = {"text": "bedrock", "image": "bedrock", "document": "bedrock"}

# Fields of a request beside its messages that only one API has; and of the tools that it declares.
_BODY: Final = {
    "anthropic_version": "anthropic",
    "inferenceConfig": "bedrock",
    "toolConfig": "bedrock",
    "modelId": "bedrock",
    "response_format": "openai-chat",
    "max_completion_tokens": "openai-chat",
    "frequency_penalty": "openai-chat",
}
_WEAK_BODY: Final = {"system": "anthropic", "stop_sequences": "anthropic"}
_TOOLS: Final = {"input_schema": "anthropic", "function": "openai-chat"}


class _Tables(NamedTuple):
    """By what messages are told apart."""

    roles: Table
    fields: Table
    blocks: Table
    keys: Table


_STRONG: Final = _Tables(_ROLES, _FIELDS, _BLOCKS, _KEYS)
_WEAK: Final = _Tables(_WEAK_ROLES, {}, _WEAK_BLOCKS, _WEAK_KEYS)

# What a line of a batch says of its request: where it holds it, and where it sends it.
_BATCHES: Final = {"params": "anthropic"}
_URLS: Final = {"/chat/completions": "openai-chat"}

_UNNAMED: Final = frozenset({"bedrock"})

# What tells more than the rest: roles and fields of other formats may stand beside it.
_ABOVE: Final = frozenset({"ai-sdk", "a format with parts"})


def forms(messages: object, document: object = None) -> frozenset[str]:
    """The names of the formats of which an array of messages may be.

    Of text alone, messages with ids are of the message IR; without, they may be of either API.

    Args:
        messages: the array.
        document: the request that holds it, or the line of a batch, if there is one.
    """
    if not isinstance(messages, list):
        return frozenset()
    seen = [message for message in islice(messages, _ENOUGH) if isinstance(message, dict) and "role" in message]
    have_ids = all("id" in message for message in seen)
    if marks := _marked(seen, _STRONG):
        return marks & _ABOVE or marks
    if told := frozenset(_told(document, _BODY)):
        return told
    # Messages of Bedrock have no ids; what looks like its blocks has lost its types.
    if marks := _marked(seen, _WEAK) - (_UNNAMED if have_ids else frozenset()):
        return marks
    if any(isinstance(each, dict) and "role" not in each and "type" in each for each in islice(messages, _ENOUGH)):
        # Items of other kinds stand among them.
        return frozenset()
    if told := frozenset(_told(document, _WEAK_BODY)):
        return told
    if have_ids:
        return frozenset({"ir"}) if seen or not messages else frozenset()
    return frozenset({"openai-chat", "anthropic"})


def _marked(messages: list[dict[str, Any]], tables: _Tables) -> frozenset[str]:
    return frozenset(mark for message in messages for mark in _marks(message, tables))


def _marks(message: dict[str, Any], tables: _Tables) -> Iterator[str]:
    role, content = message["role"], message.get("content")
    if isinstance(role, str) and role in tables.roles:
        yield tables.roles[role]
    yield from (form for field, form in tables.fields.items() if field in message)
    for block in content if isinstance(content, list) else ():
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind in tables.blocks:
            yield tables.blocks[kind]
        elif isinstance(block, dict) and "type" not in block:
            yield from (form for key, form in tables.keys.items() if key in block)


def _told(document: object, fields: Table) -> Iterator[str]:
    """What a request says of itself, and a line of a batch of its request."""
    body, path = request(document)
    if path and isinstance(document, dict):
        yield from (form for key, form in _BATCHES.items() if key in path)
        url = document.get("url")
        yield from (form for end, form in _URLS.items() if isinstance(url, str) and url.endswith(end))
    if isinstance(body, dict):
        yield from (form for field, form in fields.items() if field in body)
        tools = body.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            yield from (form for field, form in _TOOLS.items() if isinstance(tool, dict) and field in tool)


class RoleMessages(DocumentSource):
    """A source whose messages have a role as those of other formats do, so that only all of them together tell."""

    def recognises(self, value: object) -> bool:
        """A body, its messages, or one message."""
        return self.name in forms(self.messages_of(value), value)
