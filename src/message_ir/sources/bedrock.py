"""Requests to Amazon Bedrock's Converse API (as of its API version 2023-09-30): a body, or its `messages`.

Kept: user and assistant messages; text blocks; `toolUse` as tool calls; `toolResult` as tool results, each a record of its own, at
its place between the text around it. Several texts of a user or of a result become one string, joined by line feeds; a result's `json`
becomes JSON text.
Made: message ids, of the position: `message-3`; `isError`, true where a result's `status` is `error`. A result's tool name is that of
the call with its id, since the format has none; so names never mismatch here.
Left out and counted: the system prompt, images, documents, videos, audio, reasoning, citations, cache points, tools that run on the
server, and blocks of other kinds. Anything malformed is passed on as it is.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, ClassVar, Final

from message_ir.sources.assembly import Blocks, Draft, Origin, Origins, listed, renamed, text_of
from message_ir.sources.forms import RoleMessages

_CALL: Final = "toolUse"
_RESULT: Final = "toolResult"
_SERVER: Final = ("server_tool_use", "server_tool_use_result")

# What blocks of other kinds are called when they are left out; those that are not named here are called by their key.
_LOST: Final = {
    "reasoningContent": "reasoning",
    "citationsContent": "citation",
    "guardContent": "guarded content",
    "cachePoint": "cache point",
    "searchResult": "search result",
}


class BedrockConverse(RoleMessages):
    """The source `bedrock`."""

    name = "bedrock"
    title = "Bedrock Converse"
    apis: tuple[str, ...] = ("Bedrock Converse",)
    prompts: ClassVar = {"system": "system prompt"}

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each message makes."""
        for number, (message, origin) in enumerate(messages):
            id_ = f"message-{number}"
            content = message.get("content") if isinstance(message, dict) else None
            if not isinstance(message, dict):
                draft.carry(message, origin)
            elif message.get("role") == "assistant" and isinstance(content, list):
                _add_assistant(draft, listed(content, origin.at("content")), origin, id_)
            elif message.get("role") == "user" and isinstance(content, list):
                _add_user(draft, listed(content, origin.at("content")), origin, id_)
            else:
                draft.add({**renamed(message, {"role": "role", "content": "content"}), "id": id_}, {(): origin})


def _kind(block: object) -> str | None:
    """What a block is, which is its one key, if others are null; None for what is no block."""
    said = [key for key, value in block.items() if value is not None] if isinstance(block, dict) else []
    return said[0] if len(said) == 1 and isinstance(said[0], str) else None


def _is_lost(draft: Draft, block: object, origin: Origin) -> bool:
    """Whether a block has no place in a transcript; counts it then."""
    kind = _kind(block)
    inner = block.get(kind) if isinstance(block, dict) else None
    if kind in (_CALL, _RESULT) and isinstance(inner, dict) and inner.get("type") in _SERVER:
        draft.lose("call or result of a tool that runs on the server", origin)
        return True
    if kind is None or kind in ("text", "json", _CALL, _RESULT):
        return False
    draft.lose(_LOST.get(kind, kind), origin)
    return True


def _add_assistant(draft: Draft, content: list[tuple[object, Origin]], origin: Origin, id_: str) -> None:
    blocks = Blocks()
    for block, here in content:
        if _is_lost(draft, block, here):
            continue
        call = block[_CALL] if isinstance(block, dict) and _kind(block) == _CALL else None
        if isinstance(call, dict):
            names = {"toolUseId": "id", "name": "name", "input": "arguments"}
            at_call = here.at(_CALL)
            places = {"id": at_call.at("toolUseId"), "arguments": at_call.at("input")}
            blocks.add({"type": "toolCall", **renamed(call, names)}, at_call, places)
        elif isinstance(block, dict) and _kind(block) == "text":
            blocks.add({"type": "text", "text": block["text"]}, here)
        else:
            blocks.add(block, here)
    draft.add_assistant(id_, blocks, origin)


def _add_user(draft: Draft, content: list[tuple[object, Origin]], origin: Origin, id_: str) -> None:
    """Adds the results that a user's message holds, and the text before, between and after them."""
    kept = [(block, here) for block, here in content if not _is_lost(draft, block, here)]
    for are_results, run in groupby(kept, lambda each: _kind(each[0]) == _RESULT):
        blocks = list(run)
        if are_results:
            for block, here in blocks:
                _add_result(draft, block, here, id_)
        else:
            draft.add_user(id_, _joined(blocks), origin, blocks[0][1])
    if not kept:
        draft.add_user(id_, "", origin, origin.at("content"))


def _add_result(draft: Draft, block: Any, origin: Origin, id_: str) -> None:
    result, here = block[_RESULT], origin.at(_RESULT)
    if not isinstance(result, dict):
        draft.carry(result, here)
        return
    content, status = result.get("content"), result.get("status")
    if isinstance(content, list):
        content = _joined([each for each in listed(content, here.at("content")) if not _is_lost(draft, *each)])
    is_error = status == "error" if status is None or isinstance(status, str) else status
    fields = {**renamed(result, {"toolUseId": "toolCallId"}), "id": id_, "content": content, "isError": is_error}
    origins: Origins = {(): here, ("toolCallId",): here.at("toolUseId"), ("isError",): here.at("status")}
    draft.add_result(fields, origins)


def _joined(blocks: list[tuple[object, Origin]]) -> object:
    """The text of blocks, joined by line feeds; blocks that are none stay as they are, all of them."""
    texts: list[str] = []
    for block, _ in blocks:
        kind = _kind(block)
        value = block.get(kind) if isinstance(block, dict) else None
        if kind == "json":
            texts.append(text_of(value))
        elif kind == "text" and isinstance(value, str):
            texts.append(value)
        else:
            return [each for each, _ in blocks]
    return "\n".join(texts)
