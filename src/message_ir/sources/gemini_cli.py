"""Sessions of Gemini CLI (chat recordings of 0.3 to 0.61): one JSON document, or JSON lines that are replayed.

Messages are `{id, type, content, …}`, and their content is what the Gemini API takes as parts. In JSON lines a message with the id of an earlier one
takes its place, `$rewindTo` takes back a message and all after it, and `$set` with messages puts these in the place of all;
`Options.history` takes everything instead.
Kept: messages of users and of the model with their text; `toolCalls` as calls, and the function responses in their `result` as results. Message
ids are Gemini CLI's own. `isError` is of the call's `status`.
Left out and counted: what rewinds and replacements take back, thoughts, images and files, and messages of other types (information, warnings, errors).
Anything malformed is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from message_ir.sources.assembly import Draft, Origin, Origins, Steps, listed, renamed, text_of
from message_ir.sources.locate import Locator
from message_ir.sources.model import Options, Part, Transcript, Unreadable

_TYPES: Final = ("user", "gemini")
_OTHERS: Final = ("info", "warning", "error")
_RESPONSE: Final = "functionResponse"
_FAILED: Final = ("error", "cancelled")

# Fields of messages that are like these and of other formats: of many, and of Claude Code.
_ELSEWHERE: Final = {"role", "uuid"}


class GeminiCLISession:
    """The source `gemini-cli`."""

    name = "gemini-cli"
    title = "Gemini CLI session"
    apis: tuple[str, ...] = ("Gemini",)
    lines = False

    def recognises(self, value: object) -> bool:
        """A recording, or a line of one."""
        if not isinstance(value, dict) or _ELSEWHERE & value.keys():
            return False
        return ("sessionId" in value and "projectHash" in value) or _is_message(value)

    def transcripts(self, parts: Iterator[Part | Unreadable], options: Options) -> Iterator[Transcript | Unreadable]:
        """Yields what cannot be read, and then the transcript of the messages that are left."""
        draft = Draft()
        replay = _Replay(draft, options)
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            else:
                replay.add(part.value, Origin(Locator(part)))
        for message, origin in replay.messages.values():
            _add_message(draft, message, origin)
        yield draft.transcript()


def _is_message(value: dict[str, Any]) -> bool:
    return "id" in value and "content" in value and value.get("type") in (*_TYPES, *_OTHERS)


class _Replay:
    """The messages of a recording, line by line."""

    def __init__(self, draft: Draft, options: Options) -> None:
        self._draft = draft
        self._options = options
        self.messages: dict[object, tuple[object, Origin]] = {}
        """By their ids; those without one by the number of messages so far."""
        self._number = 0

    def add(self, line: object, origin: Origin) -> None:
        """Takes one document or line into account."""
        if not isinstance(line, dict):
            self._put(line, origin)
        elif "$rewindTo" in line:
            self._rewind(line["$rewindTo"])
        elif "$set" in line:
            if isinstance(line["$set"], dict) and "messages" in line["$set"]:
                self._replace(line["$set"]["messages"], origin.at("$set", "messages"))
        elif "messages" in line:
            self._replace(line["messages"], origin.at("messages"))
        elif "sessionId" not in line or _is_message(line):
            self._put(line, origin)

    def _put(self, message: object, origin: Origin) -> None:
        id_ = message.get("id") if isinstance(message, dict) else None
        self._number += 1
        self.messages[id_ if isinstance(id_, str) else self._number] = (message, origin)

    def _rewind(self, target: object) -> None:
        if self._options.history:
            return
        ids = list(self.messages)
        # A message that is not there takes everything back; so does Gemini CLI.
        first = ids.index(target) if isinstance(target, str) and target in self.messages else 0
        self._take_back(ids[first:], "message that was taken back")

    def _replace(self, messages: object, origin: Origin) -> None:
        instead = listed(messages, origin) if isinstance(messages, list) else [(messages, origin)]
        if not self._options.history:
            again = {
                message.get("id")
                for message, _ in instead
                if isinstance(message, dict) and isinstance(message.get("id"), str)
            }
            self._take_back([id_ for id_ in self.messages if id_ not in again], "message that was replaced")
        for each in instead:
            self._put(*each)

    def _take_back(self, ids: list[object], kind: str) -> None:
        for id_ in ids:
            message, origin = self.messages.pop(id_)
            calls = message.get("toolCalls") if isinstance(message, dict) else None
            self._draft.lose(kind, origin, len(calls) if isinstance(calls, list) else 0)


def _add_message(draft: Draft, message: object, origin: Origin) -> None:
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(message, dict):
        draft.carry(message, origin)
    elif isinstance(kind, str) and kind in _OTHERS:
        draft.lose(f"message of type {kind}", origin)
    elif kind == "gemini":
        _add_answer(draft, message, origin)
    else:
        content = _text(draft, message.get("content"), origin.at("content"))
        role = "user" if kind == "user" else kind
        draft.add(
            {**renamed(message, {"id": "id"}), "role": role, "content": content},
            {(): origin, ("role",): origin.at("type")},
        )


def _text(draft: Draft, content: object, origin: Origin) -> object:
    """The text of parts, joined; other parts are counted. What is no text and no parts stays as it is."""
    if isinstance(content, str):
        return content
    texts: list[str] = []
    for part, here in listed(content, origin) if isinstance(content, list) else [(content, origin)]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            texts.append(text)
        elif isinstance(part, dict) and part and "text" not in part:
            draft.lose(f"{next(iter(part))} part", here)
        else:
            return content
    return "\n".join(texts)


def _add_answer(draft: Draft, message: dict[str, Any], origin: Origin) -> None:
    if message.get("thoughts"):
        draft.lose("thought", origin.at("thoughts"))
    content = _text(draft, message.get("content"), origin.at("content"))
    if not isinstance(content, str):
        draft.add({**renamed(message, {"id": "id"}), "role": "assistant", "content": content}, {(): origin})
        return
    steps = Steps(draft, message.get("id"), origin)
    if content:
        steps.blocks.add_text(content, origin.at("content"))
    calls, at_calls = message.get("toolCalls"), origin.at("toolCalls")
    if calls is not None:
        for call, here in listed(calls, at_calls) if isinstance(calls, list) else [(calls, at_calls)]:
            _add_call(draft, steps, call, here)
    steps.end()


def _add_call(draft: Draft, steps: Steps, call: object, origin: Origin) -> None:
    """Adds a call, and the results that it has; where a response names no call and no tool, they are those that it stands in."""
    if not isinstance(call, dict):
        steps.blocks.add(call, origin)
        return
    made = renamed(call, {"id": "id", "name": "name", "args": "arguments"})
    steps.blocks.add({"type": "toolCall", **made}, origin, {"arguments": origin.at("args")})
    result, here = call.get("result"), origin.at("result")
    if result is None:
        return
    own = renamed(call, {"id": "toolCallId", "name": "toolName"})
    is_error = call.get("status") in _FAILED
    for part, at_part in listed(result, here) if isinstance(result, list) else [(result, here)]:
        response = part.get(_RESPONSE) if isinstance(part, dict) else None
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(response, dict):
            at_response = at_part.at(_RESPONSE)
            fields = {
                **own,
                **renamed(response, {"id": "toolCallId", "name": "toolName"}),
                "content": text_of(response.get("response")),
                "isError": is_error,
            }
            origins: Origins = {
                (): at_response,
                ("toolCallId",): at_response.at("id"),
                ("toolName",): at_response.at("name"),
                ("content",): at_response.at("response").leaf(),
            }
            steps.add_result(fields, origins)
        elif isinstance(text, str):
            steps.add_result({**own, "content": text, "isError": is_error}, {(): at_part})
        elif isinstance(part, dict) and part:
            draft.lose(f"{next(iter(part))} part", at_part)
        else:
            steps.add_result({**own, "content": part, "isError": is_error}, {(): at_part})
