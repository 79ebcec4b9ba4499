"""GenAI messages of OpenTelemetry (semantic conventions 1.37 to 1.40): `gen_ai.input.messages` and `gen_ai.output.messages`.

A file is an array of such messages, or an object with one or both of these attributes (as values or as JSON text); a span's
attributes, say. Input comes before output.

Kept: user and assistant messages with their text parts; `tool_call` and `tool_call_response` parts. Responses become text: text as
it is, anything else as JSON text. Arguments may be JSON text here; they are parsed.
Made: message ids, of the position: `input-3`; call ids where there are none, which the conventions allow: a response without an id answers the
first call of its name in the last turn with calls that no other answers, or else the first one at all. `isError`, false, and a response's tool name, that of the call with its id, unless it has a
`name`, since the conventions have none.
Left out and counted: system messages and instructions, reasoning, files and blobs, tools that run on the server, and parts of other types.
Anything malformed is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Leaf,
    OpenCalls,
    Origin,
    Origins,
    add_array,
    documents,
    is_type,
    listed,
    parsed,
    renamed,
    text_of,
)
from message_ir.sources.model import Options, Part, Transcript, Unreadable

_ATTRIBUTES: Final = {"gen_ai.input.messages": "input", "gen_ai.output.messages": "output"}
_SYSTEM: Final = "gen_ai.system_instructions"
_CALL: Final = "tool_call"
_RESPONSE: Final = "tool_call_response"
_LOST: Final = {
    "reasoning": "reasoning",
    "thinking": "reasoning",
    "blob": "file",
    "file": "file",
    "uri": "file",
    "server_tool_call": "call of a tool that runs on the server",
    "server_tool_call_response": "result of a tool that runs on the server",
}


class OpenTelemetryMessages:
    """The source `otel`."""

    name = "otel"
    title = "OpenTelemetry GenAI messages"
    api = ""
    lines = False

    def recognises(self, value: object) -> bool:
        """An object with one of the attributes, an array in which a message has parts of this form, or one such message."""
        if isinstance(value, dict):
            if any(name in value for name in _ATTRIBUTES):
                return True
            value = [value]
        return isinstance(value, list) and any(map(_is_message, value))

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields a transcript for each array or object; for messages on lines of their own, one for all."""
        return documents(parts, is_message=_is_message, add_document=_add_document, add_messages=_add_input)


def _is_message(message: object) -> bool:
    parts = message.get("parts") if isinstance(message, dict) and "role" in message else None
    return isinstance(parts, list) and any(
        isinstance(part, dict)
        and (part.get("type") in (_CALL, _RESPONSE) or (part.get("type") == "text" and "content" in part))
        for part in parts
    )


def _add_document(draft: Draft, value: object, origin: Origin) -> None:
    if not isinstance(value, dict):
        add_array(draft, value, origin, _add_input)
        return
    if value.get(_SYSTEM):
        draft.lose("system instructions", origin.at(_SYSTEM))
    calls = OpenCalls()
    for attribute, side in _ATTRIBUTES.items():
        if attribute in value:
            here = origin.at(attribute)
            given = parsed(value[attribute])
            if isinstance(given, list):
                # Of an array that was JSON text, every value stands where the text does.
                whole = isinstance(value[attribute], str)
                messages = [(message, here) for message in given] if whole else listed(given, here)
                _Side(draft, side, calls, whole=whole).add(messages)
            else:
                draft.carry(given, here)


def _add_input(draft: Draft, messages: list[tuple[object, Origin]]) -> None:
    _Side(draft, "input", OpenCalls()).add(messages)


class _Side:
    """Adds the messages of the input or of the output."""

    def __init__(self, draft: Draft, side: str, calls: OpenCalls, *, whole: bool = False) -> None:
        self._draft = draft
        self._side = side
        self._calls = calls
        self._whole = whole

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
                self._draft.add(made, {(): origin, ("content",): self._at(origin, "parts")})
            else:
                self._add_parts(message.get("role"), self._listed(parts, origin), origin, id_)

    def _listed(self, parts: list[object], origin: Origin) -> list[tuple[object, Origin]]:
        return [(part, origin) for part in parts] if self._whole else listed(parts, origin.at("parts"))

    def _at(self, origin: Origin, *steps: str | int) -> Origin:
        return origin if self._whole else origin.at(*steps)

    def _add_parts(self, role: object, parts: list[tuple[object, Origin]], origin: Origin, id_: str) -> None:
        blocks = Blocks()
        texts: list[object] = []
        if any(is_type(part, _CALL) for part, _ in parts):
            self._calls.begin()
        responses = 0
        for at, (part, here) in enumerate(parts):
            kind = part.get("type") if isinstance(part, dict) else None
            if not isinstance(part, dict) or not isinstance(kind, str):
                blocks.add(part, here)
                texts.append(part)
            elif kind == "text":
                blocks.add(
                    {"type": "text", **renamed(part, {"content": "text"})}, here, {"text": self._at(here, "content")}
                )
                texts.append(part.get("content"))
            elif kind == _CALL:
                self._add_call(blocks, part, here, f"{id_}-call-{at}")
            elif kind == _RESPONSE:
                responses += 1
                self._add_response(part, here, id_, f"{id_}-response-{at}")
            else:
                self._draft.lose(_LOST.get(kind, f"{kind} part"), here)
        if role == "assistant":
            if blocks.values or not responses:
                self._draft.add_assistant(id_, blocks, origin)
        elif texts or not responses:
            content = "\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else texts
            made_role = "user" if role in ("user", "tool") else role
            self._draft.add(
                {"id": id_, "role": made_role, "content": content},
                {(): origin, ("content",): self._at(origin, "parts")},
            )

    def _add_call(self, blocks: Blocks, part: dict[str, Any], origin: Origin, otherwise: str) -> None:
        block: dict[str, Any] = {"type": "toolCall", **renamed(part, {"name": "name"})}
        block["id"] = self._calls.add(part.get("id"), otherwise, part.get("name"))
        given = part.get("arguments")
        block["arguments"] = {} if given is None else parsed(given)
        at_arguments = self._at(origin, "arguments")
        blocks.add(
            block, origin, {"arguments": Leaf(at_arguments) if isinstance(given, str) or self._whole else at_arguments}
        )

    def _add_response(self, part: dict[str, Any], origin: Origin, id_: str, otherwise: str) -> None:
        # Called `result` before it was called `response`.
        field = "response" if "response" in part else "result"
        call = self._calls.answer(part.get("id"), otherwise, part.get("name"))
        given = part.get(field)
        content = text_of(given)
        fields = {
            "id": id_,
            "toolCallId": call,
            "content": content,
            "isError": False,
            **renamed(part, {"name": "toolName"}),
        }
        origins: Origins = {
            (): origin,
            ("toolCallId",): self._at(origin, "id"),
            ("toolName",): self._at(origin, "name"),
        }
        self._draft.add_result(fields, origins)
