"""GenAI messages of OpenTelemetry (semantic conventions 1.37 to 1.40): `gen_ai.input.messages` and `gen_ai.output.messages`.

A file is an array of such messages, or an object with one or both of these attributes (as values or as JSON text); a span's
attributes, say. Input comes before output.

Kept: user and assistant messages with their text parts; `tool_call` and `tool_call_response` parts. Responses become text: text as
it is, anything else as JSON text. Arguments may be JSON text here; they are parsed.
Made: message ids, of the position: `input-3`; call ids where there are none, which the conventions allow: a response without an id, or with one while a call has none, answers the
first call of its name in the last turn with calls that no other answers, or else the first one at all. `isError`, false, and a response's tool name, that of the call with its id, unless it has a
`name`, since the conventions have none.
Left out and counted: system messages and instructions, reasoning, files and blobs, tools that run on the server, and parts of other types.
Anything malformed is passed on as it is.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final, NamedTuple

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    OpenCalls,
    Origin,
    Origins,
    is_type,
    listed,
    parsed,
    renamed,
    text_of,
)
from message_ir.sources.documents import OwnMessages

_ATTRIBUTES: Final = {"gen_ai.input.messages": "input", "gen_ai.output.messages": "output"}
_SYSTEM: Final = "gen_ai.system_instructions"
_CALL: Final = "tool_call"
_RESPONSE: Final = "tool_call_response"
_KEPT: Final = ("text", _CALL, _RESPONSE)
_LOST: Final = {
    "reasoning": "reasoning",
    "thinking": "reasoning",
    "blob": "file",
    "file": "file",
    "uri": "file",
    "server_tool_call": "call of a tool that runs on the server",
    "server_tool_call_response": "result of a tool that runs on the server",
}


class OpenTelemetryMessages(OwnMessages):
    """The source `otel`."""

    name = "otel"
    title = "OpenTelemetry GenAI messages"

    def is_message(self, value: object) -> bool:
        """A message with parts of this form."""
        return _is_message(value)

    def is_own(self, message: object) -> bool:
        """A message with parts of this form."""
        return _is_message(message)

    def recognises(self, value: object) -> bool:
        """An object with one of the attributes, an array in which a message has parts of this form, or one such message."""
        return (isinstance(value, dict) and any(name in value for name in _ATTRIBUTES)) or super().recognises(value)

    def add_document(self, draft: Draft, value: object, origin: Origin) -> None:
        """Adds the messages of an array, or of the input and the output among a span's attributes."""
        if not isinstance(value, dict) or not any(name in value for name in _ATTRIBUTES):
            super().add_document(draft, value, origin)
            return
        if value.get(_SYSTEM):
            draft.lose("system instructions", origin.at(_SYSTEM))
        calls = OpenCalls()
        for attribute, side in _ATTRIBUTES.items():
            if attribute in value:
                given, here = parsed(value[attribute]), origin.at(attribute)
                if isinstance(value[attribute], str):
                    here = here.leaf()
                if isinstance(given, list):
                    _Side(draft, side, calls).add(listed(given, here))
                else:
                    draft.carry(given, here)

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each message of an input makes."""
        _Side(draft, "input", OpenCalls()).add(messages)


def _is_message(message: object) -> bool:
    parts = message.get("parts") if isinstance(message, dict) and "role" in message else None
    return isinstance(parts, list) and any(
        isinstance(part, dict)
        and (part.get("type") in (_CALL, _RESPONSE) or (part.get("type") == "text" and "content" in part))
        for part in parts
    )


class _Part(NamedTuple):
    """One part of a message, and its position there."""

    number: int
    value: Any
    origin: Origin


class _Side:
    """Adds the messages of the input or of the output."""

    def __init__(self, draft: Draft, side: str, calls: OpenCalls) -> None:
        self._draft = draft
        self._side = side
        self._calls = calls

    def add(self, messages: list[tuple[object, Origin]]) -> None:
        for number, (message, origin) in enumerate(messages):
            id_ = f"{self._side}-{number}"
            parts = message.get("parts") if isinstance(message, dict) else None
            if not isinstance(message, dict):
                self._draft.carry(message, origin)
            elif message.get("role") == "system":
                self._draft.lose("system message", origin)
            elif not isinstance(parts, list):
                made = {**renamed(message, {"role": "role"}), "id": id_, "content": parts}
                self._draft.add(made, {(): origin, ("content",): origin.at("parts")})
            else:
                self._add_parts(message.get("role"), listed(parts, origin.at("parts")), origin, id_)

    def _add_parts(self, role: object, parts: list[tuple[object, Origin]], origin: Origin, id_: str) -> None:
        kept = [_Part(at, *each) for at, each in enumerate(parts) if not self._is_lost(*each)]
        for are_responses, run in groupby(kept, lambda part: is_type(part.value, _RESPONSE)):
            if are_responses:
                for part in run:
                    self._add_response(part, id_)
            elif role == "assistant":
                self._add_blocks(list(run), origin, id_)
            else:
                self._add_said(role, list(run), origin, id_)
        if not kept and role == "assistant":
            self._add_blocks([], origin, id_)
        elif not kept:
            self._add_said(role, [], origin, id_)

    def _is_lost(self, part: object, origin: Origin) -> bool:
        """Whether a part has no place in a transcript; counts it then."""
        kind = part.get("type") if isinstance(part, dict) else None
        is_lost = isinstance(kind, str) and kind not in _KEPT
        if is_lost:
            self._draft.lose(_LOST.get(str(kind), f"{kind} part"), origin)
        return is_lost

    def _add_blocks(self, parts: list[_Part], origin: Origin, id_: str) -> None:
        """Adds what an assistant says and calls."""
        if any(is_type(part.value, _CALL) for part in parts):
            self._calls.begin()
        blocks = Blocks()
        for part in parts:
            if is_type(part.value, "text"):
                text = {"type": "text", **renamed(part.value, {"content": "text"})}
                blocks.add(text, part.origin, {"text": part.origin.at("content")})
            elif is_type(part.value, _CALL):
                self._add_call(blocks, part, id_)
            else:
                blocks.add(part.value, part.origin)
        self._draft.add_assistant(id_, blocks, origin)

    def _add_said(self, role: object, parts: list[_Part], origin: Origin, id_: str) -> None:
        """Adds what anybody else says; calls have no place there, and are passed on for the validator to report."""
        texts = [part.value.get("content") if is_type(part.value, "text") else part.value for part in parts]
        content = "\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else texts
        self._draft.add(
            {"id": id_, "role": "user" if role in ("user", "tool") else role, "content": content},
            {(): origin, ("content",): origin.at("parts")},
        )

    def _add_call(self, blocks: Blocks, part: _Part, id_: str) -> None:
        call, origin = part.value, part.origin
        block: dict[str, Any] = {"type": "toolCall", **renamed(call, {"name": "name"})}
        block["id"] = self._calls.add(call.get("id"), f"{id_}-call-{part.number}", call.get("name"))
        given = call.get("arguments")
        block["arguments"] = {} if given is None else parsed(given)
        at_arguments = origin.at("arguments")
        blocks.add(block, origin, {"arguments": at_arguments.leaf() if isinstance(given, str) else at_arguments})

    def _add_response(self, part: _Part, id_: str) -> None:
        response, origin = part.value, part.origin
        # Called `result` before it was called `response`.
        field = "response" if "response" in response else "result"
        call = self._calls.answer(response.get("id"), f"{id_}-response-{part.number}", response.get("name"))
        fields: dict[str, Any] = {
            "id": id_,
            "toolCallId": call,
            "content": text_of(response.get(field)),
            "isError": False,
        }
        if response.get("name") is not None:
            fields["toolName"] = response["name"]
        origins: Origins = {(): origin, ("toolCallId",): origin.at("id"), ("toolName",): origin.at("name")}
        self._draft.add_result(fields, origins)
