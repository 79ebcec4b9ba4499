"""Messages of Vercel's AI SDK (versions 4 to 6): arrays of UIMessages or of ModelMessages, or an object with `messages`.

Kept: user and assistant messages with their text; tool parts of UIMessages (`tool-NAME`, `dynamic-tool`, and version 4's
`tool-invocation`) as a call, and as its result too once they have an output or an error; `tool-call` and `tool-result`
parts of ModelMessages. A UIMessage holds the steps of a whole turn: each step is one assistant record with its calls, followed by
their results. Outputs become text: text as it is, anything else as JSON text. A message's id is its own, or made of its position.
Left out and counted: system messages, files and images, reasoning, sources, data parts, approvals, and tools that the provider runs.
Calls whose input is still streaming are kept: they are open calls. Anything malformed is passed on as it is.
"""

from __future__ import annotations

from typing import Any, Final

from message_ir.sources.assembly import (
    Blocks,
    Draft,
    Origin,
    Origins,
    Steps,
    Texts,
    listed,
    renamed,
    text_of,
)
from message_ir.sources.documents import OwnMessages

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
_MODEL_PARTS: Final = ("tool-call", "tool-result")
_ROLES: Final = ("system", "user", "assistant")
_CALL: Final = {"toolCallId": "id", "toolName": "name"}
_RESULT: Final = {"toolCallId": "toolCallId", "toolName": "toolName"}

# The states in which a tool part of a UIMessage has been answered, and what the answer is where it has no output.
_ANSWERED: Final = {"output-available": "", "output-error": "", "output-denied": "denied", "result": ""}
_FAILED: Final = ("output-error", "output-denied")


class AISDKMessages(OwnMessages):
    """The source `ai-sdk`."""

    name = "ai-sdk"
    title = "AI SDK"

    def is_own(self, message: object) -> bool:
        """A message that has typed parts or tool parts."""
        if not isinstance(message, dict) or "role" not in message:
            return False
        parts, content = message.get("parts"), message.get("content")
        if "toolInvocations" in message:
            return True
        if isinstance(parts, list):
            # OpenTelemetry's parts are typed too; a text there has `content`, and a tool call a type of another spelling.
            return message["role"] in _ROLES and any(_is_ui_part(part) for part in parts)
        return isinstance(content, list) and any(
            isinstance(part, dict) and part.get("type") in _MODEL_PARTS for part in content
        )

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each message makes."""
        # The ids of calls of tools that the provider runs; their results stand beside them, or in a message that comes later.
        provided: set[str] = set()
        for number, (message, origin) in enumerate(messages):
            if not isinstance(message, dict):
                draft.carry(message, origin)
                continue
            if message.get("experimental_attachments"):
                draft.lose("file", origin.at("experimental_attachments"))
            role, id_ = message.get("role"), message.get("id", f"message-{number}")
            field = "parts" if isinstance(message.get("parts"), list) else "content"
            content, at_content = message.get(field), origin.at(field)
            invocations = message.get("toolInvocations")
            if role == "assistant" and field == "content" and isinstance(invocations, list):
                _Turn(draft, origin, id_, provided).add_older(
                    content, at_content, listed(invocations, origin.at("toolInvocations"))
                )
            elif role == "system":
                draft.lose("system message", origin)
            elif role == "assistant" and isinstance(content, list):
                _Turn(draft, origin, id_, provided).add(listed(content, at_content))
            elif role == "assistant" and isinstance(content, str):
                blocks = Blocks()
                blocks.add_text(content, at_content)
                draft.add_assistant(id_, blocks, origin)
            elif role == "tool" and isinstance(content, list):
                for part, here in listed(content, at_content):
                    _add_result_part(draft, part, here, id_, provided)
            else:
                text = _TEXTS.of(content, at_content, draft)
                draft.add(
                    {**renamed(message, {"role": "role"}), "id": id_, "content": text},
                    {(): origin, ("content",): at_content},
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


class _Turn:
    """The parts of one assistant's message."""

    def __init__(self, draft: Draft, origin: Origin, id_: object, provided: set[str]) -> None:
        self._draft = draft
        self._steps = Steps(draft, id_, origin)
        self._provided = provided

    def add(self, parts: list[tuple[object, Origin]]) -> None:
        """Adds all parts."""
        for part, origin in parts:
            kind = part.get("type") if isinstance(part, dict) else None
            if not isinstance(part, dict) or not isinstance(kind, str):
                self._steps.blocks.add(part, origin)
            elif kind == "text":
                self._steps.blocks.add(renamed(part, {"type": "type", "text": "text"}), origin)
            elif kind == "step-start":
                self._steps.end_step()
            else:
                self._add_part(part, kind, origin)
        self._steps.end()

    def add_older(self, content: object, origin: Origin, invocations: list[tuple[object, Origin]]) -> None:
        """Adds what a UIMessage of version 4 holds that has no parts: text, and tools beside it."""
        if content:
            self._steps.blocks.add_text(content, origin)
        for tool, here in invocations:
            self._add_tool(tool, here)
        self._steps.end()

    def _add_part(self, part: dict[str, Any], kind: str, origin: Origin) -> None:
        if _is_provided(part, self._provided):
            self._draft.lose(_PROVIDER, origin)
        elif kind == "tool-call":
            self._add_call(part, origin, "input" if "input" in part else "args")
        elif kind == "tool-result":
            self._steps.add_result(*_result_part(part, origin))
        elif kind == "tool-invocation":
            self._add_tool(part.get("toolInvocation"), origin.at("toolInvocation"))
        elif kind == "dynamic-tool":
            self._add_tool(part, origin)
        elif kind.startswith("tool-") and kind not in _TEXTS.lost:
            self._add_tool({**part, "toolName": kind.removeprefix("tool-")}, origin)
        else:
            self._draft.lose("data part" if kind.startswith("data-") else _TEXTS.lost.get(kind, f"{kind} part"), origin)

    def _add_tool(self, tool: object, origin: Origin) -> None:
        """Adds the call that a tool part of a UIMessage is, and the result that it has."""
        if not isinstance(tool, dict):
            self._steps.blocks.add(tool, origin)
            return
        # Input that was not of the tool's shape stands beside it, as the model gave it.
        self._add_call(tool, origin, _first(tool, ("input", "rawInput", "args")) or "input")
        output = _first(tool, ("errorText", "output", "result"))
        state = tool["state"] if isinstance(tool.get("state"), str) else None
        if state in _ANSWERED or (state is None and output is not None):
            content = _ANSWERED.get(state or "", "") if output is None else text_of(tool[output])
            is_error = state in _FAILED or output == "errorText"
            fields = {**renamed(tool, _RESULT), "content": content, "isError": is_error}
            self._steps.add_result(fields, {(): origin, ("content",): origin.at(output or "state").leaf()})

    def _add_call(self, tool: dict[str, Any], origin: Origin, field: str) -> None:
        # Input that is still streaming is absent, and so is that of a call without arguments.
        arguments = tool[field] if tool.get(field) is not None else {}
        places = {"id": origin.at("toolCallId"), "name": origin.at("toolName"), "arguments": origin.at(field)}
        self._steps.blocks.add({"type": "toolCall", **renamed(tool, _CALL), "arguments": arguments}, origin, places)


def _first(tool: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """The first of these fields that says something."""
    return next((name for name in names if tool.get(name) is not None), None)


def _is_provided(part: dict[str, Any], provided: set[str]) -> bool:
    """Whether a part is of a tool that the provider runs: it says so, or it is the result of a call that did."""
    id_ = part["toolCallId"] if isinstance(part.get("toolCallId"), str) else ""
    if part.get("providerExecuted") is True:
        provided.add(id_)
        return True
    if part.get("type") == "tool-result":
        return id_ in provided
    # An id that another call takes is that call's.
    provided.discard(id_)
    return False


def _add_result_part(draft: Draft, part: object, origin: Origin, id_: object, provided: set[str]) -> None:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or not isinstance(kind, str):
        draft.carry(part, origin)
    elif _is_provided(part, provided):
        draft.lose(_PROVIDER, origin)
    elif kind == "tool-result":
        fields, origins = _result_part(part, origin)
        draft.add_result({**fields, "id": id_}, origins)
    else:
        draft.lose(_TEXTS.lost.get(kind, f"{kind} part"), origin)


def _result_part(part: dict[str, Any], origin: Origin) -> tuple[dict[str, Any], Origins]:
    """A result of a ModelMessage: from version 5 its output says of which type it is, before that it is any value."""
    output = part.get("output")
    if isinstance(output, dict) and isinstance(output.get("type"), str):
        is_error: object = output["type"] in ("error-text", "error-json", "execution-denied")
        content, place = text_of(output.get("value", output.get("reason"))), origin.at("output")
    else:
        is_error = part.get("isError", False)
        content, place = text_of(part.get("result", output)), origin.at("result" if "result" in part else "output")
    fields = {**renamed(part, _RESULT), "content": content, "isError": is_error}
    return fields, {(): origin, ("content",): place.leaf()}
