"""Messages of LangChain (langchain-core 0.3 to 1.8): what `messages_to_dict` makes, and what `dumpd` makes.

The one is `{"type": "ai", "data": {…}}`, the other `{"lc": 1, "type": "constructor", "id": […, "AIMessage"], "kwargs": {…}}`;
a file is an array of them, an object with `messages`, or one a line.

Kept: human, ai and tool messages; text content; `tool_calls`, and
`invalid_tool_calls`, whose arguments are the text that could not be parsed, so that the validator reports them; calls that older
versions keep under `additional_kwargs`, those of functions being paired with function messages by their order. A tool message's `status`
says whether it is an error. A message's id is its own, or made of its position. A tool message's tool name is that of the call with
its id, unless it has a `name`.
Left out and counted: system and chat messages, requests to remove messages, images, files, reasoning. Blocks that repeat
a tool call in the content (`tool_use`) are the call itself. Anything malformed is passed on as it is.
"""

from __future__ import annotations

from typing import Any, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Origin,
    Origins,
    Texts,
    listed,
    parsed,
    renamed,
)
from message_ir.sources.documents import OwnMessages

_TEXTS: Final = Texts(
    frozenset({"text"}),
    {
        "image_url": "image",
        "image": "image",
        "audio": "audio",
        "file": "file",
        "document": "document",
        "thinking": "reasoning",
        "redacted_thinking": "reasoning",
        "reasoning": "reasoning",
        "reasoning_content": "reasoning",
    },
    strings=True,
)

# Blocks of an answer's content that repeat its tool calls.
_REPEATED: Final = frozenset({"tool_use", "tool_call", "function_call", "input_json_delta", "tool_call_chunk"})

_OLDER: Final = "additional_kwargs"

_TYPES: Final = frozenset({"human", "ai", "tool", "function", "system", "chat", "remove", "developer"})


class LangChainMessages(OwnMessages):
    """The source `langchain`."""

    name = "langchain"
    title = "LangChain"

    def is_message(self, value: object) -> bool:
        """A message in one of the two forms."""
        return _fields(value) is not None

    def is_own(self, message: object) -> bool:
        """A message in one of the two forms."""
        return _fields(message) is not None

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the record that each message makes."""
        # The ids made for calls of functions, which the function messages that follow answer in order.
        open_calls: list[str] = []
        for number, (message, origin) in enumerate(messages):
            found = _fields(message)
            if found is None:
                draft.carry(message, origin)
                continue
            kind, fields, key = found
            here = origin.at(key)
            given = fields.get("id")
            id_ = given if given is not None else f"message-{number}"
            if kind == "ai":
                _add_answer(draft, fields, here, (id_, f"call-message-{number}"), open_calls)
            elif kind in ("tool", "function"):
                call = (
                    {} if kind == "tool" else {"toolCallId": open_calls.pop(0) if open_calls else f"function-{number}"}
                )
                _add_result(draft, {**renamed(fields, {"tool_call_id": "toolCallId"}), **call, "id": id_}, fields, here)
            elif kind == "human":
                content = _TEXTS.of(fields.get("content"), here.at("content"), draft)
                draft.add({"id": id_, "role": "user", "content": content}, {(): here})
            else:
                draft.lose(f"{kind} message", origin)


def _fields(message: object) -> tuple[str, dict[str, Any], str] | None:
    """A message's type, its fields, and the key under which they stand; None for what is no message."""
    if not isinstance(message, dict):
        return None
    kind, data = message.get("type"), message.get("data")
    if isinstance(kind, str) and kind.endswith("MessageChunk"):
        kind = kind.removesuffix("MessageChunk").lower()
    if isinstance(kind, str) and kind in _TYPES and isinstance(data, dict):
        return kind, data, "data"
    ids, kwargs = message.get("id"), message.get("kwargs")
    if kind == "constructor" and isinstance(kwargs, dict) and isinstance(ids, list) and ids:
        name = ids[-1].removesuffix("Chunk") if isinstance(ids[-1], str) else ""
        if name.endswith("Message"):
            return name.removesuffix("Message").lower(), kwargs, "kwargs"
    return None


def _add_answer(
    draft: Draft, fields: dict[str, Any], origin: Origin, ids: tuple[object, str], open_calls: list[str]
) -> None:
    """Adds an answer; `ids` are that of the message, and that of a call of the older form in it."""
    blocks = Blocks()
    content, at_content = fields.get("content"), origin.at("content")
    if isinstance(content, list):
        for block, here in listed(content, at_content):
            _add_block(draft, blocks, block, here)
    elif isinstance(content, str) and content:
        blocks.add_text(content, at_content)
    elif not isinstance(content, str) and not (content is None and fields.get("tool_calls")):
        # No content that a message may have; as a block it is reported, and the calls beside it are kept.
        blocks.add(content, at_content)
    for field in ("tool_calls", "invalid_tool_calls"):
        calls = fields.get(field) or []
        for call, here in listed(calls, origin.at(field)) if isinstance(calls, list) else [(calls, origin.at(field))]:
            _add_call(blocks, call, here)
    _add_older(blocks, fields, origin.at(_OLDER), ids[1], open_calls)
    draft.add_assistant(ids[0], blocks, origin)


def _add_older(blocks: Blocks, fields: dict[str, Any], origin: Origin, id_: str, open_calls: list[str]) -> None:
    """Adds the calls that older versions keep in the form of OpenAI's API; those of tools only where no others are."""
    function, calls = _older(fields, "function_call"), _older(fields, "tool_calls")
    if isinstance(function, dict):
        open_calls.append(id_)
        _add_call(blocks, {"id": id_, **_args(function)}, origin.at("function_call"))
    if fields.get("tool_calls") or fields.get("invalid_tool_calls") or not isinstance(calls, list):
        return
    for call, here in listed(calls, origin.at("tool_calls")):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(call, dict) and isinstance(function, dict):
            _add_call(blocks, {**renamed(call, {"id": "id"}), **_args(function)}, here)
        else:
            blocks.add(call, here)


def _older(fields: dict[str, Any], name: str) -> object:
    """What older versions keep in the form of OpenAI's API."""
    older = fields.get(_OLDER)
    return older.get(name) if isinstance(older, dict) else None


def _args(function: dict[str, Any]) -> dict[str, Any]:
    return renamed(function, {"name": "name", "arguments": "args"})


def _add_block(draft: Draft, blocks: Blocks, block: object, origin: Origin) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    if isinstance(block, str):
        blocks.add_text(block, origin)
    elif not isinstance(kind, str) or kind in _TEXTS.types:
        blocks.add(block, origin)
    elif kind not in _REPEATED:
        draft.lose(_TEXTS.name(kind), origin)


def _add_call(blocks: Blocks, call: object, origin: Origin) -> None:
    """Adds a call; the arguments of one that could not be parsed are text."""
    if not isinstance(call, dict):
        blocks.add(call, origin)
        return
    block = {"type": "toolCall", **renamed(call, {"id": "id", "name": "name", "args": "arguments"})}
    at_arguments: Origin = origin.at("args")
    if isinstance(call.get("args"), str):
        block["arguments"], at_arguments = parsed(call["args"]), origin.at("args").leaf()
    blocks.add(block, origin, {"arguments": at_arguments})


def _add_result(draft: Draft, result: dict[str, Any], fields: dict[str, Any], origin: Origin) -> None:
    content = _TEXTS.of(fields.get("content"), origin.at("content"), draft)
    made = {**result, "content": content, "isError": fields.get("status", "success") == "error"}
    if fields.get("name") is not None:
        made["toolName"] = fields["name"]
    origins: Origins = {(): origin, ("toolCallId",): origin.at("tool_call_id"), ("toolName",): origin.at("name")}
    draft.add_result(made, origins)
