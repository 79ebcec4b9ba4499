"""Messages of Vercel's AI SDK (versions 4 to 6): arrays of UIMessages or of ModelMessages, or an object with `messages`.

Kept: user and assistant messages with their text; tool parts of UIMessages (`tool-NAME`, `dynamic-tool`, and version 4's
`tool-invocation`) as a call, and as its result too once they have an output or an error; `tool-call` and `tool-result`
parts of ModelMessages. A UIMessage holds the steps of a whole turn: each step is one assistant record with its calls, followed by
their results. Outputs become text: text as it is, anything else as JSON text. A message's id is its own, or made of its position.
Left out and counted: system messages, files and images, reasoning, sources, data parts, approvals, and tools that the provider runs.
Calls whose input is still streaming are kept: they are open calls. Anything malformed is passed on as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Leaf,
    Origin,
    Origins,
    Texts,
    add_array,
    documents,
    listed,
    renamed,
)
from message_ir.sources.model import Options, Part, Transcript, Unreadable

_TEXTS: Final = Texts(
    frozenset({"text"}),
    {
        "image": "image",
        "file": "file",
        "reasoning": "reasoning",
        "redacted-reasoning": "reasoning",
        "source": "source",
        "source-url": "source",
        "source-document": "source",
        "tool-approval-request": "approval",
        "tool-approval-response": "approval",
    },
)
_PROVIDER: Final = "call of a tool that the provider runs"
_MODEL_PARTS: Final = frozenset({"tool-call", "tool-result"})
_ROLES: Final = ("system", "user", "assistant")


class AISDKMessages:
    """The source `ai-sdk`."""

    name = "ai-sdk"
    title = "AI SDK"
    api = ""
    lines = False

    def recognises(self, value: object) -> bool:
        """An array, or an object with `messages`, in which a message has typed parts or tool parts; or one such message."""
        if isinstance(value, dict):
            value = value.get("messages", [value])
        return isinstance(value, list) and any(map(_is_own, value))

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields a transcript for each array or object; for messages on lines of their own, one for all."""
        return documents(parts, is_message=_is_message, add_document=_add_document, add_messages=_add_messages)


def _is_own(message: object) -> bool:
    if not isinstance(message, dict) or "role" not in message:
        return False
    parts, content = message.get("parts"), message.get("content")
    if isinstance(parts, list):
        # OpenTelemetry's parts are typed too; a text there has `content`, and a tool call a type of another spelling.
        return message["role"] in _ROLES and any(_is_ui_part(part) for part in parts)
    return isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") in _MODEL_PARTS for part in content
    )


def _is_ui_part(part: object) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    return (
        isinstance(part, dict)
        and isinstance(kind, str)
        and (
            ("text" in part and kind == "text")
            or kind.startswith(("tool-", "data-", "source-"))
            or kind in ("dynamic-tool", "step-start", "file")
        )
    )


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and "messages" not in value


def _add_document(draft: Draft, value: object, origin: Origin) -> None:
    if isinstance(value, dict):
        value, origin = value.get("messages"), origin.at("messages")
    add_array(draft, value, origin, _add_messages)


def _add_messages(draft: Draft, messages: list[tuple[object, Origin]]) -> None:
    for number, (message, origin) in enumerate(messages):
        if not isinstance(message, dict):
            draft.carry(message, origin)
            continue
        role, id_ = message.get("role"), message.get("id", f"message-{number}")
        field = "parts" if isinstance(message.get("parts"), list) else "content"
        content, at_content = message.get(field), origin.at(field)
        if role == "system":
            draft.lose("system message", origin)
        elif role == "assistant" and isinstance(content, list):
            _Turn(draft, origin, id_).add(listed(content, at_content))
        elif role == "assistant" and isinstance(content, str):
            blocks = Blocks()
            blocks.add_text(content, at_content)
            draft.add_assistant(id_, blocks, origin)
        elif role == "tool" and isinstance(content, list):
            for part, here in listed(content, at_content):
                _add_result_part(draft, part, here, id_)
        else:
            text = _TEXTS.of(content, at_content, draft)
            draft.add(
                {**renamed(message, {"role": "role"}), "id": id_, "content": text},
                {(): origin, ("content",): at_content},
            )


class _Turn:
    """The steps of one assistant's message: of each, its blocks and then its results."""

    def __init__(self, draft: Draft, origin: Origin, id_: object) -> None:
        self._draft = draft
        self._origin = origin
        self._id = id_
        self._blocks = Blocks()
        self._results: list[tuple[dict[str, Any], Origins]] = []
        self._steps = 0

    def add(self, parts: list[tuple[object, Origin]]) -> None:
        """Adds all parts."""
        for part, origin in parts:
            kind = part.get("type") if isinstance(part, dict) else None
            if not isinstance(part, dict) or not isinstance(kind, str) or kind == "text":
                self._blocks.add(
                    {"type": "text", **renamed(part, {"text": "text"})}
                    if isinstance(part, dict) and kind == "text"
                    else part,
                    origin,
                )
            elif kind == "step-start":
                self._end_step()
            elif part.get("providerExecuted") is True:
                self._draft.lose(_PROVIDER, origin)
            elif kind == "tool-call":
                self._add_call(part, part, origin, "input" if "input" in part else "args")
            elif kind == "tool-result":
                # Of a tool that the provider ran: its call stands in the same message.
                self._results.append(_result_part(part, origin, self._id))
            elif kind == "tool-invocation":
                self._add_tool(part.get("toolInvocation"), origin.at("toolInvocation"), {})
            elif (kind.startswith("tool-") and kind not in _TEXTS.lost) or kind == "dynamic-tool":
                self._add_tool(part, origin, {} if kind == "dynamic-tool" else {"toolName": kind.removeprefix("tool-")})
            else:
                self._draft.lose(
                    _TEXTS.lost.get(kind, "data part" if kind.startswith("data-") else f"{kind} part"), origin
                )
        if self._blocks.values or not self._steps:
            self._end_step(last=True)

    def _add_tool(self, tool: object, origin: Origin, named: dict[str, str]) -> None:
        """Adds the call that a tool part is, and the result that it has."""
        if not isinstance(tool, dict):
            self._blocks.add(tool, origin)
            return
        tool = {**tool, **named}
        # Input that was not of the tool's shape stands beside it, as the model gave it.
        field = next((each for each in ("input", "rawInput", "args") if tool.get(each) is not None), "input")
        self._add_call(tool, tool, origin, field)
        output = next((each for each in ("errorText", "output", "result") if tool.get(each) is not None), None)
        state = tool.get("state")
        if state in ("output-available", "output-error", "result") or (state is None and output is not None):
            content = _as_text(tool.get(output)) if output else ""
            is_error = state == "output-error" or output == "errorText"
            fields = {
                **renamed(tool, {"toolCallId": "toolCallId", "toolName": "toolName"}),
                "id": self._id,
                "content": content,
                "isError": is_error,
            }
            self._results.append((fields, {(): origin, ("content",): Leaf(origin.at(output or "output"))}))
        elif state == "output-denied":
            fields = {
                **renamed(tool, {"toolCallId": "toolCallId", "toolName": "toolName"}),
                "id": self._id,
                "content": "denied",
                "isError": True,
            }
            self._results.append((fields, {(): origin}))

    def _add_call(self, named: dict[str, Any], tool: dict[str, Any], origin: Origin, field: str) -> None:
        block = {"type": "toolCall", **renamed(named, {"toolCallId": "id", "toolName": "name"})}
        # An input that is still streaming has not begun to be an object; of a call without arguments, it is absent.
        block["arguments"] = tool[field] if tool.get(field) is not None else {}
        places: dict[str, Origin | Leaf] = {
            "id": origin.at("toolCallId"),
            "name": origin.at("toolName"),
            "arguments": origin.at(field),
        }
        self._blocks.add(block, origin, places)

    def _end_step(self, *, last: bool = False) -> None:
        if self._blocks.values or (last and not self._results):
            self._steps += 1
            self._draft.add_assistant(self._id, self._blocks, self._origin)
        for fields, origins in self._results:
            self._draft.add_result(fields, origins)
        self._blocks, self._results = Blocks(), []


def _add_result_part(draft: Draft, part: object, origin: Origin, id_: object) -> None:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        draft.carry(part, origin)
    elif kind == "tool-result":
        draft.add_result(*_result_part(part, origin, id_))
    else:
        draft.lose(_TEXTS.lost.get(kind, f"{kind} part"), origin)


def _result_part(part: dict[str, Any], origin: Origin, id_: object) -> tuple[dict[str, Any], Origins]:
    """A result of a ModelMessage: from version 5 its output says of which type it is, before that it is any value."""
    output = part.get("output")
    is_error: object = part.get("isError", False)
    if isinstance(output, dict) and isinstance(output.get("type"), str):
        is_error = output["type"] in ("error-text", "error-json", "execution-denied")
        content = _as_text(output.get("value", output.get("reason", "")))
        place = origin.at("output")
    else:
        content, place = _as_text(part.get("result", output)), origin.at("result")
    fields = {
        **renamed(part, {"toolCallId": "toolCallId", "toolName": "toolName"}),
        "id": id_,
        "content": content,
        "isError": is_error,
    }
    return fields, {(): origin, ("content",): Leaf(place)}


def _as_text(value: object) -> str:
    return (
        value
        if isinstance(value, str)
        else ""
        if value is None
        else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    )
