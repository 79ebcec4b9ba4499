"""Requests to Google's Gemini API (v1beta `generateContent`, as google-genai 3.6 types them): a body, or its `contents`.

Kept: turns of users and models; text parts; function calls and function responses, in the spelling of the API
(`functionCall`) and of the Python SDK (`function_call`). A response's content becomes JSON text, an `error` in it makes it one.
Made: message ids, of the position: `content-3`. Where calls and responses have no ids they get some by position: a response
without one, or with one while a call has none, answers the first call of its name in the model's turn before it that no other answers, or else the first one at all,
so that another name is reported as such; where there is none, it is an orphan.
Left out and counted: system instructions, thoughts, images and files, code that the API runs, and its results. Anything
malformed is passed on as it is.
"""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    OpenCalls,
    Origin,
    Origins,
    listed,
    renamed,
    text_of,
)
from message_ir.sources.documents import OwnMessages

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


class GeminiContents(OwnMessages):
    """The source `gemini`."""

    name = "gemini"
    title = "Gemini"
    apis: tuple[str, ...] = ("Gemini",)

    envelopes = ("contents",)
    prompts: ClassVar = {"systemInstruction": "system instruction", "system_instruction": "system instruction"}

    def is_message(self, value: object) -> bool:
        """A content with parts."""
        return _is_content(value)

    def is_own(self, message: object) -> bool:
        """A content with parts."""
        return _is_content(message)

    def add_array(self, draft: Draft, value: object, origin: Origin) -> None:
        """Adds contents; the API takes one content in the place of an array."""
        if isinstance(value, dict):
            self.add_messages(draft, [(value, origin)])
        else:
            super().add_array(draft, value, origin)

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each content makes."""
        turns = _Turns(draft)
        for number, (content, origin) in enumerate(messages):
            turns.add(content, origin, f"content-{number}")


def _is_content(value: object) -> bool:
    # AI SDK messages have parts too, but each with a type.
    parts = value.get("parts") if isinstance(value, dict) else None
    return isinstance(parts, list) and not any(isinstance(part, dict) and "type" in part for part in parts)


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
        kept: list[tuple[Origin, object, str | None]] = []
        for part, here in parts:
            lost = _lost(part)
            if lost is None:
                kept.append((here, part, _key(part, _RESPONSE)))
            else:
                self._draft.lose(lost, here)
        for are_responses, run in groupby(kept, lambda each: each[2] is not None):
            entries = list(run)
            if are_responses:
                for here, part, key in entries:
                    otherwise = f"{id_}-response-{here.path[-1]}"
                    self._add_response(part[key], here.at(key), id_, otherwise)  # type: ignore[index,arg-type] # it has the key
            else:
                texts = [part.get("text") if isinstance(part, dict) else None for _, part, _ in entries]
                are_texts = all(isinstance(text, str) for text in texts)
                content = "\n".join(map(str, texts)) if are_texts else [part for _, part, _ in entries]
                self._draft.add_user(id_, content, origin, entries[0][0])
        if not kept:
            self._draft.add_user(id_, "", origin, origin.at("parts"))

    def _add_response(self, response: object, origin: Origin, id_: str, otherwise: str) -> None:
        if not isinstance(response, dict):
            self._draft.carry(response, origin)
            return
        name, given = response.get("name"), response.get("response")
        call = self._calls.answer(response.get("id"), otherwise, name)
        is_error = isinstance(given, dict) and "error" in given
        if response.get("parts"):
            self._draft.lose("image or file", origin.at("parts"))
        fields = {"id": id_, "toolCallId": call, "toolName": name, "content": text_of(given), "isError": is_error}
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
