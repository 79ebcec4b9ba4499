# Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
"""The messages and blocks as tables: which fields they have, in which order they are judged, and how a fault is reported."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from message_ir_types.messages import (
    AssistantMessage,
    DiagnosticCode,
    Reason,
    TextBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)


class Field(NamedTuple):
    """One field of a message or block."""

    name: str
    """Its name on the wire."""
    attribute: str
    """Its name in Python."""
    reason: Reason
    """What a value of the wrong type is refused for."""
    code: DiagnosticCode
    """The code of its faults."""


class Shape(NamedTuple):
    """One message or block type."""

    struct: type[Struct]
    fields: tuple[Field, ...]
    """Its fields but the tag, in order."""


MESSAGES: Final[Mapping[str, Shape]] = {
    "user": Shape(
        UserMessage,
        (
            Field("id", "id", Reason.NON_BLANK_STRING, DiagnosticCode.INVALID_MESSAGE),
            Field("content", "content", Reason.STRING, DiagnosticCode.INVALID_MESSAGE),
        ),
    ),
    "assistant": Shape(
        AssistantMessage,
        (
            Field("id", "id", Reason.NON_BLANK_STRING, DiagnosticCode.INVALID_MESSAGE),
            Field("content", "content", Reason.ARRAY, DiagnosticCode.INVALID_MESSAGE),
        ),
    ),
    "toolResult": Shape(
        ToolResultMessage,
        (
            Field("id", "id", Reason.NON_BLANK_STRING, DiagnosticCode.INVALID_MESSAGE),
            Field("toolCallId", "tool_call_id", Reason.NON_BLANK_STRING, DiagnosticCode.INVALID_MESSAGE),
            Field("toolName", "tool_name", Reason.NON_BLANK_STRING, DiagnosticCode.EMPTY_TOOL_NAME),
            Field("content", "content", Reason.STRING, DiagnosticCode.INVALID_MESSAGE),
            Field("isError", "is_error", Reason.BOOLEAN, DiagnosticCode.INVALID_MESSAGE),
        ),
    ),
}

BLOCKS: Final[Mapping[str, Shape]] = {
    "text": Shape(TextBlock, (Field("text", "text", Reason.STRING, DiagnosticCode.INVALID_MESSAGE),)),
    "toolCall": Shape(
        ToolCall,
        (
            Field("id", "id", Reason.NON_BLANK_STRING, DiagnosticCode.INVALID_MESSAGE),
            Field("name", "name", Reason.NON_BLANK_STRING, DiagnosticCode.EMPTY_TOOL_NAME),
            Field("arguments", "arguments", Reason.PLAIN_OBJECT, DiagnosticCode.INVALID_TOOL_ARGUMENTS),
        ),
    ),
}
