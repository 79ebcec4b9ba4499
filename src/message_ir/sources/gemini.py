"""Requests to Google's Gemini API (v1beta `generateContent`, as google-genai 3.6 types them): a body, or its `contents`.

Kept: turns of users and models; text parts; function calls and function responses, in the spelling of the API
(`functionCall`) and of the Python SDK (`function_call`). A response's content becomes JSON text, an `error` in it makes it one.
Made: message ids, of the position: `content-3`. Where calls and responses have no ids they get some by position: a response
without one answers the first call of its name in the model's turn before it that no other answers, or else the first one at all,
so that another name is reported as such; where there is none, it is an orphan.
Left out and counted: system instructions, thoughts, images and files, code that the API runs, and its results. Anything
malformed is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    OpenCalls,
    Origin,
    Origins,
    add_array,
    documents,
    listed,
    renamed,
    text_of,
)
from message_ir.sources.model import Options, Part, Transcript, Unreadable

_ENVELOPE: Final = "contents"
_SYSTEM: Final = ("systemInstruction", "system_instruction")
_CALL: Final = ("functionCall", "function_call")
_RESPONSE: Final = ("functionResponse", "function_response")
# Responses come in turns of the user; the API also takes them in turns of other names.
_ROLES: Final = {"model": "assistant", "user": "user", "function": "user", "tool": "user"}
_LOST: Final = {
    "inlineData": "image or file",
    "inline_data": "image or file",
    "fileData": "image or file",
    "file_data": "image or file",
    "executableCode": "code that the API runs",
    "executable_code": "code that the API runs",
    "codeExecutionResult": "result of code that the API runs",
    "code_execution_result": "result of code that the API runs",
    "toolCall": "call of a tool that the API runs",
    "tool_call": "call of a tool that the API runs",
    "toolResponse": "result of a tool that the API runs",
    "tool_response": "result of a tool that the API runs",
}


class GeminiContents:
    """The source `gemini`."""

    name = "gemini"
    title = "Gemini"
    api = "Gemini"
    lines = False

    def recognises(self, value: object) -> bool:
        """A body, its contents, or one content with parts."""
        if isinstance(value, dict):
            value = value.get(_ENVELOPE, [value])
        return isinstance(value, list) and any(map(_is_content, value))

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields a transcript for each body or array; for contents on lines of their own, one for all."""
        return documents(parts, is_message=_is_content, add_document=_add_document, add_messages=_add_contents)


def _is_content(value: object) -> bool:
    # AI SDK messages have parts too, but each with a type.
    parts = value.get("parts") if isinstance(value, dict) else None
    return isinstance(parts, list) and not any(isinstance(part, dict) and "type" in part for part in parts)


def _add_document(draft: Draft, value: object, origin: Origin) -> None:
    if isinstance(value, dict):
        for key in _SYSTEM:
            if value.get(key):
                draft.lose("system instruction", origin.at(key))
        value, origin = value.get(_ENVELOPE), origin.at(_ENVELOPE)
    if isinstance(value, dict):
        # The API takes one content in the place of an array.
        _add_contents(draft, [(value, origin)])
    else:
        add_array(draft, value, origin, _add_contents)


def _add_contents(draft: Draft, contents: list[tuple[object, Origin]]) -> None:
    turns = _Turns(draft)
    for number, (content, origin) in enumerate(contents):
        turns.add(content, origin, f"content-{number}")


class _Turns:
    """Adds one content after the other, and gives ids to calls and responses that have none."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._calls = OpenCalls()

    def add(self, content: object, origin: Origin, id_: str) -> None:
        """Adds the records that a content makes."""
        if not isinstance(content, dict):
            self._draft.carry(content, origin)
            return
        role, parts = content.get("role", "user"), content.get("parts")
        parts_origin = origin.at("parts")
        spelled = _ROLES.get(role) if isinstance(role, str) else None
        if not isinstance(parts, list) or spelled is None:
            made = {"id": id_, "role": spelled or role, "content": parts}
            self._draft.add(made, {(): origin, ("content",): parts_origin})
        elif role == "model":
            self._add_model(listed(parts, parts_origin), origin, id_)
        else:
            self._add_user(listed(parts, parts_origin), origin, id_)

    def _add_model(self, parts: list[tuple[object, Origin]], origin: Origin, id_: str) -> None:
        self._calls.begin()
        blocks = Blocks()
        for at, (part, here) in enumerate(parts):
            key, lost = _key(part, _CALL), _lost(part)
            if isinstance(part, dict) and key is not None:
                block = self._call(part[key], f"{id_}-call-{at}")
                blocks.add(block, here.at(key), {"arguments": here.at(key, "args")})
            elif lost is not None:
                self._draft.lose(lost, here)
            elif isinstance(part, dict) and "text" in part:
                blocks.add({"type": "text", "text": part["text"]}, here)
            else:
                blocks.add(part, here)
        self._draft.add_assistant(id_, blocks, origin)

    def _call(self, call: object, otherwise: str) -> object:
        if not isinstance(call, dict):
            return call
        id_ = self._calls.add(call.get("id"), otherwise, call.get("name"))
        arguments = call["args"] if call.get("args") is not None else {}
        return {"type": "toolCall", "id": id_, **renamed(call, {"name": "name"}), "arguments": arguments}

    def _add_user(self, parts: list[tuple[object, Origin]], origin: Origin, id_: str) -> None:
        """Adds the responses, and the text before, between and after them."""
        rest: list[tuple[object, Origin]] = []

        def add_rest() -> None:
            texts = [part.get("text") if isinstance(part, dict) else None for part, _ in rest]
            are_texts = all(isinstance(text, str) for text in texts)
            content = "\n".join(map(str, texts)) if are_texts else [part for part, _ in rest]
            at_content = rest[0][1] if rest else origin.at("parts")
            self._draft.add({"id": id_, "role": "user", "content": content}, {(): origin, ("content",): at_content})
            rest.clear()

        has_responses = False
        for at, (part, here) in enumerate(parts):
            key, lost = _key(part, _RESPONSE), _lost(part)
            if isinstance(part, dict) and key is not None:
                if rest:
                    add_rest()
                has_responses = True
                self._add_response(part[key], here.at(key), id_, f"{id_}-response-{at}")
            elif lost is not None:
                self._draft.lose(lost, here)
            else:
                rest.append((part, here))
        if rest or not has_responses:
            add_rest()

    def _add_response(self, response: object, origin: Origin, id_: str, otherwise: str) -> None:
        if not isinstance(response, dict):
            self._draft.carry(response, origin)
            return
        name, given = response.get("name"), response.get("response")
        call = self._calls.answer(response.get("id"), otherwise, name)
        content = text_of(given)
        is_error = isinstance(given, dict) and "error" in given
        fields = {"id": id_, "toolCallId": call, "toolName": name, "content": content, "isError": is_error}
        origins: Origins = {(): origin, ("toolCallId",): origin.at("id"), ("toolName",): origin.at("name")}
        self._draft.add_result(fields, origins)


def _key(part: object, spellings: tuple[str, str]) -> str | None:
    return next((key for key in spellings if isinstance(part, dict) and part.get(key) is not None), None)


def _lost(part: object) -> str | None:
    if not isinstance(part, dict):
        return None
    if part.get("thought") is True:
        return "thought"
    return next((kind for key, kind in _LOST.items() if part.get(key) is not None), None)
