"""Requests to OpenAI's Chat Completions API (as its SDK 3.57 types them), and to the many servers that speak it.

Mistral's is one of them. A file is a body, its `messages`, a fine-tuning file (a body on each line), or one message a line. Trajectories that keep
the messages under `history` and the ids of answered calls under `tool_call_ids`, as SWE-agent does, are read too.

Kept: user, assistant and tool messages; text parts; `tool_calls`, their `arguments` parsed from JSON text; calls of custom
tools, whose input is text, as `{"input": text}`; the older `function_call` and messages of role `function`, which have
no ids and are paired by their order. An assistant's content may be null or absent where
there are calls, a refusal or audio.
Arguments that are no JSON stay text, so that the validator reports them.
Made: message ids, of the position: `message-3`; `isError`, false, since the format has none. A tool message's tool name is
that of the call with its id, unless it has a `name`, as older requests and Mistral's have; without one, names never mismatch.
Left out and counted: system and developer messages, images, audio, files, refusals, reasoning. Anything malformed is
passed on as it is.
"""

from __future__ import annotations

from typing import Any, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Origin,
    Origins,
    Texts,
    is_type,
    listed,
    parsed,
    renamed,
)
from message_ir.sources.forms import RoleMessages

_TEXTS: Final = Texts(
    frozenset({"text"}), {"image_url": "image", "input_audio": "audio", "file": "file", "refusal": "refusal"}
)

_PROMPTS: Final = ("system", "developer")

# Fields of an assistant's message that say more than the transcript holds.
_LOST_FIELDS: Final = {
    "refusal": "refusal",
    "audio": "audio",
    "reasoning_content": "reasoning",
    "reasoning": "reasoning",
    "reasoning_details": "reasoning",
}


class OpenAIChat(RoleMessages):
    """The source `openai-chat`."""

    name = "openai-chat"
    title = "OpenAI Chat Completions"
    apis: tuple[str, ...] = ("OpenAI Chat Completions", "Mistral")
    envelopes = ("messages", "history")

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the record that each message makes."""
        # The ids made for calls of the older form, which the messages of role `function` that follow answer in order.
        open_calls: list[str] = []
        for number, (message, origin) in enumerate(messages):
            id_ = f"message-{number}"
            role = message.get("role") if isinstance(message, dict) else None
            if not isinstance(message, dict):
                draft.carry(message, origin)
            elif role in _PROMPTS:
                draft.lose(f"{role} message", origin)
            elif role == "assistant":
                _add_assistant(draft, message, origin, id_, open_calls)
            elif role == "tool":
                fields, key = _answered(message)
                if message.get("name") is not None:
                    fields["toolName"] = message["name"]
                _add_result(draft, message, origin, {"id": id_, **fields}, *key)
            elif role == "function":
                call = open_calls.pop(0) if open_calls else f"function-{number}"
                _add_result(
                    draft, message, origin, {"id": id_, "toolCallId": call, "toolName": message.get("name")}, "name"
                )
            else:
                content = _TEXTS.of(message.get("content"), origin.at("content"), draft)
                draft.add({**renamed(message, {"role": "role"}), "id": id_, "content": content}, {(): origin})


def _answered(message: dict[str, Any]) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """The id of the call that a tool message answers, and where it stands: SWE-agent keeps it as the only one of a list."""
    several = message.get("tool_call_ids")
    if "tool_call_id" not in message and isinstance(several, list) and len(several) == 1:
        return {"toolCallId": several[0]}, ("tool_call_ids", 0)
    return renamed(message, {"tool_call_id": "toolCallId"}), ("tool_call_id",)


def _add_result(draft: Draft, message: dict[str, Any], origin: Origin, fields: dict[str, Any], *key: str | int) -> None:
    content = _TEXTS.of(message.get("content"), origin.at("content"), draft)
    origins: Origins = {(): origin, ("toolCallId",): origin.at(*key), ("toolName",): origin.at("name")}
    draft.add_result({**fields, "content": content, "isError": False}, origins)


def _add_assistant(draft: Draft, message: dict[str, Any], origin: Origin, id_: str, open_calls: list[str]) -> None:
    for field, kind in _LOST_FIELDS.items():
        if message.get(field):
            draft.lose(kind, origin.at(field))
    calls, legacy = message.get("tool_calls"), message.get("function_call")
    says_otherwise = message.get("refusal") or message.get("audio")
    content = _TEXTS.of(message.get("content"), origin.at("content"), draft)
    if not isinstance(content, str) and not calls and not legacy and not (content is None and says_otherwise):
        # Without calls an assistant says something.
        draft.add({"id": id_, "role": "assistant", "content": content}, {(): origin})
        return
    blocks = _said(content, origin.at("content"))
    at_calls = origin.at("tool_calls")
    if isinstance(calls, list):
        for call, here in listed(calls, at_calls):
            _add_call(blocks, call, here)
    elif calls is not None:
        blocks.add(calls, at_calls)
    if isinstance(legacy, dict):
        here = origin.at("function_call")
        open_calls.append(f"call-{id_}")
        block = {"type": "toolCall", "id": open_calls[-1], **_function(legacy)}
        blocks.add(block, here, {"arguments": here.at("arguments").leaf()})
    draft.add_assistant(id_, blocks, origin)


def _said(content: object, origin: Origin) -> Blocks:
    """The blocks of what an assistant says beside calls: none of null, and of what is no content what is to be reported."""
    blocks = Blocks()
    if isinstance(content, str) and content:
        blocks.add_text(content, origin)
    elif content is not None and not isinstance(content, str):
        for block, here in listed(content, origin) if isinstance(content, list) else [(content, origin)]:
            blocks.add(block, here)
    return blocks


def _add_call(blocks: Blocks, call: object, origin: Origin) -> None:
    if not isinstance(call, dict):
        blocks.add(call, origin)
        return
    field, inner = ("custom", "input") if is_type(call, "custom") else ("function", "arguments")
    tool = call.get(field)
    made = (_custom if field == "custom" else _function)(tool) if isinstance(tool, dict) else {}
    places: dict[str, Origin] = {"name": origin.at(field, "name"), "arguments": origin.at(field, inner).leaf()}
    blocks.add({"type": "toolCall", **renamed(call, {"id": "id"}), **made}, origin, places)


def _custom(tool: dict[str, Any]) -> dict[str, Any]:
    made = renamed(tool, {"name": "name"})
    if "input" in tool:
        made["arguments"] = {"input": tool["input"]}
    return made


def _function(function: dict[str, Any]) -> dict[str, Any]:
    made = renamed(function, {"name": "name"})
    if "arguments" in function:
        made["arguments"] = parsed(function["arguments"])
    return made
