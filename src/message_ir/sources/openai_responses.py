"""Requests to OpenAI's Responses API (as its SDK 3.57 types them): a body, its `input`, or items; a response's `output` too.

Kept: message items of users and assistants with their text; calls of functions, of custom tools (their input is text, and
becomes `{"input": text}`), and of the shell, patch and computer tools, which a client runs; their outputs. Each item is a record of its own.
Calls and outputs are paired by `call_id`. Arguments that are no JSON stay text, so that the validator reports them.
Made: message ids, of the position: `item-3`; `isError`, false, since the format has none. An output's tool name is that of
the call with its id, since the format has none; so names never mismatch here.
Left out and counted: outputs of calls that an earlier response holds (`previous_response_id`, `conversation`, references to
stored items), instructions, system and developer messages, images, files, refusals, reasoning, references to
stored items, and calls of tools that run on the server. Anything malformed is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Origin,
    Texts,
    is_type,
    listed,
    parsed,
    renamed,
    text_of,
)
from message_ir.sources.documents import OwnMessages, request

_TEXTS: Final = Texts(
    frozenset({"input_text", "output_text", "text"}),
    {
        "input_image": "image",
        "computer_screenshot": "image",
        "input_file": "file",
        "input_audio": "audio",
        "refusal": "refusal",
        "reasoning_text": "reasoning",
        "summary_text": "reasoning",
    },
)

_CONTINUING: Final = ("previous_response_id", "conversation")
_PROMPTS: Final = ("system", "developer")


def _as_it_is(value: object) -> object:
    return value


def _as_input(text: object) -> object:
    return {"input": text}


# How arguments are written, and what each makes of them.
_FORMS: Final = {"json": parsed, "text": _as_input, "object": _as_it_is}


class _CallType(NamedTuple):
    """How calls of one type of item say which tool they are of, and with which arguments."""

    tool: str | None
    """The tool's name; None where the item has a `name`."""
    arguments: str
    """The field that holds them."""
    form: str
    """A key of `_FORMS`: JSON text of an object, any text, or an object."""


_CALLS: Final[Mapping[str, _CallType]] = {
    "function_call": _CallType(None, "arguments", "json"),
    "custom_tool_call": _CallType(None, "input", "text"),
    "local_shell_call": _CallType("local_shell", "action", "object"),
    "shell_call": _CallType("shell", "action", "object"),
    "apply_patch_call": _CallType("apply_patch", "operation", "object"),
    "computer_call": _CallType("computer", "action", "object"),
}
_OF_FUNCTIONS: Final = ("function_call_output", "custom_tool_call_output")
_OUTPUTS: Final = frozenset(f"{kind}_output" for kind in _CALLS)


class OpenAIResponses(OwnMessages):
    """The source `openai-responses`."""

    name = "openai-responses"
    title = "OpenAI Responses"
    apis: tuple[str, ...] = ("OpenAI Responses",)

    envelopes = ("input", "output")
    prompts: ClassVar = {"instructions": "instructions"}

    def is_message(self, value: object) -> bool:
        """An item on a line; an older form of a message has no type."""
        return isinstance(value, dict) and ("type" in value or "role" in value) and "input" not in value

    def is_own(self, message: object) -> bool:
        """An item of a type of this API."""
        return _is_item(message)

    def recognises(self, value: object) -> bool:
        """A body, a response, an array in which an item is of a type of this API, or one such item."""
        body, path = request(value)
        url = value.get("url") if path and isinstance(value, dict) else None
        if isinstance(url, str) and "/responses" not in url:
            return False
        if isinstance(body, dict):
            if "type" in body:
                return _is_item(body)
            if "model" in body and any(body.get(key) is not None for key in self.envelopes):
                return True
            if isinstance(given := body.get("input"), list) and any(
                isinstance(item, dict) and "role" in item for item in given
            ):
                return True
        return super().recognises(body)

    def add_document(self, draft: Draft, value: object, origin: Origin) -> None:
        """Adds the items of a body, or of a log of what was sent and what came back."""
        value, path = request(value)
        origin = origin.at(*path)
        if not isinstance(value, dict):
            self.add_array(draft, value, origin)
            return
        self.lose_prompts(draft, value, origin)
        items: list[tuple[object, Origin]] = []
        for key in [key for key in self.envelopes if value.get(key) is not None] or self.envelopes[:1]:
            given, here = value.get(key), origin.at(key)
            if isinstance(given, list):
                items += listed(given, here)
            else:
                items.append(
                    ({"role": "user", "content": given}, here.leaf()) if isinstance(given, str) else (given, here)
                )
        add_items(draft, items, continued=any(value.get(key) for key in _CONTINUING))

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the record that each item makes."""
        add_items(draft, messages)


def _is_item(value: object) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    return (
        isinstance(value, dict)
        and isinstance(kind, str)
        and (
            kind in _CALLS
            or kind in _OUTPUTS
            or (kind == "message" and "role" in value)
            or (kind == "reasoning" and "summary" in value)
        )
    )


def add_items(draft: Draft, items: list[tuple[object, Origin]], *, continued: bool = False) -> None:
    """Adds the record that each item makes; if a response is `continued`, calls may stand in an earlier one."""
    continued = continued or any(is_type(item, "item_reference") for item, _ in items)
    calls = {
        item.get("call_id")
        for item, _ in items
        if isinstance(item, dict) and isinstance(item.get("call_id"), str) and is_call(item)
    }
    for number, (item, origin) in enumerate(items):
        kind = item.get("type", "message") if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(kind, str):
            draft.carry(item, origin)
        elif kind == "message":
            _add_message(draft, item, origin, f"item-{number}")
        elif kind in _CALLS:
            _add_call(draft, item, _CALLS[kind], origin, f"item-{number}")
        elif kind in _OUTPUTS:
            answered = item.get("call_id", item.get("id"))
            if continued and isinstance(answered, str) and answered not in calls:
                draft.lose("output of a call in an earlier response", origin)
            else:
                _add_output(draft, item, origin, f"item-{number}")
        else:
            draft.lose("reasoning" if kind == "reasoning" else f"{kind} item", origin)


def is_call(item: dict[str, Any]) -> bool:
    """Whether an item is a call of a tool that a client runs."""
    kind = item.get("type")
    return isinstance(kind, str) and kind in _CALLS


def _add_message(draft: Draft, item: dict[str, Any], origin: Origin, id_: str) -> None:
    role = item.get("role")
    if role in _PROMPTS:
        draft.lose(f"{role} message", origin)
        return
    content = _TEXTS.of(item.get("content"), origin.at("content"), draft)
    record: dict[str, Any] = {**renamed(item, {"role": "role"}), "id": id_, "content": content}
    if role == "assistant" and isinstance(content, str):
        blocks = Blocks()
        blocks.add_text(content, origin.at("content"))
        draft.add_assistant(id_, blocks, origin)
    else:
        draft.add(record, {(): origin})


def _add_call(draft: Draft, item: dict[str, Any], type_: _CallType, origin: Origin, id_: str) -> None:
    call: dict[str, Any] = {"type": "toolCall", **renamed(item, {"call_id": "id", "name": "name"})}
    if type_.tool is not None:
        call["name"] = type_.tool
    several = f"{type_.arguments}s"
    if type_.form == "object" and type_.arguments not in item and several in item:
        call["arguments"] = {several: item[several]}
    if type_.arguments in item:
        call["arguments"] = _FORMS[type_.form](item[type_.arguments])
    at_arguments = origin.at(type_.arguments)
    blocks = Blocks()
    places = {"id": origin.at("call_id"), "arguments": at_arguments if type_.form == "object" else at_arguments.leaf()}
    blocks.add(call, origin, places)
    draft.add_assistant(id_, blocks, origin)


def _add_output(draft: Draft, item: dict[str, Any], origin: Origin, id_: str) -> None:
    output = item.get("output")
    # A computer's output is one block: a screenshot.
    output = [output] if isinstance(output, dict) else output
    content = _TEXTS.of(output, origin.at("output"), draft)
    if item["type"] not in _OF_FUNCTIONS:
        # Of the shell, say, what it wrote and how it ended; of a patch, perhaps nothing.
        content = text_of(content)
    # An output of the local shell calls the id of its call `id`.
    name = "call_id" if "call_id" in item else "id"
    fields = {**renamed(item, {name: "toolCallId"}), "id": id_, "content": content, "isError": False}
    draft.add_result(fields, {(): origin, ("toolCallId",): origin.at(name), ("content",): origin.at("output")})
