# Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
"""The messages as frozen msgspec Structs, in Python's names."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias, Union

from frozendict import frozendict
from msgspec import Meta, Struct, field

NonBlankString: TypeAlias = Annotated[
    str,
    Meta(
        description="A string with at least one character that is not blank.",
        pattern="[^\t-\r \xa0\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u3000\ufeff]",
    ),
]
"""A string with at least one character that is not blank."""


String: TypeAlias = Annotated[str, Meta(description="Any string, the empty one too.")]
"""Any string, the empty one too."""


Boolean: TypeAlias = Annotated[bool, Meta(description="true or false.")]
"""true or false."""


JsonNumber: TypeAlias = Annotated[int | float, Meta(description="A number that is finite as binary64.")]
"""A number that is finite as binary64."""


class DiagnosticCode(StrEnum):
    """The stable name of a kind of cause."""

    INVALID_TRANSCRIPT = "INVALID_TRANSCRIPT"
    INVALID_MESSAGE = "INVALID_MESSAGE"
    EMPTY_TOOL_NAME = "EMPTY_TOOL_NAME"
    INVALID_TOOL_ARGUMENTS = "INVALID_TOOL_ARGUMENTS"
    DUPLICATE_TOOL_CALL_ID = "DUPLICATE_TOOL_CALL_ID"
    DUPLICATE_TOOL_RESULT = "DUPLICATE_TOOL_RESULT"
    ORPHAN_TOOL_RESULT = "ORPHAN_TOOL_RESULT"
    TOOL_RESULT_BEFORE_CALL = "TOOL_RESULT_BEFORE_CALL"
    TOOL_NAME_MISMATCH = "TOOL_NAME_MISMATCH"
    MISSING_TOOL_RESULT = "MISSING_TOOL_RESULT"


class Reason(StrEnum):
    """The stable name of what a value fails to be."""

    NON_BLANK_STRING = "nonBlankString"
    STRING = "string"
    ARRAY = "array"
    OBJECT = "object"
    BOOLEAN = "boolean"
    BLOCK_TYPE = "blockType"
    PLAIN_OBJECT = "plainObject"
    JSON_VALUE = "jsonValue"
    FINITE_NUMBER = "finiteNumber"
    UNICODE = "unicode"
    CYCLE = "cycle"
    DEPTH = "depth"
    SPARSE = "sparse"
    ROLE = "role"


class UserMessage(Struct, frozen=True, kw_only=True, tag_field="role", tag="user"):
    """What the user said."""

    role: ClassVar[Literal["user"]] = "user"

    id: NonBlankString
    content: String


class ToolResultMessage(Struct, frozen=True, kw_only=True, tag_field="role", tag="toolResult"):
    """What a tool answered to one call."""

    role: ClassVar[Literal["toolResult"]] = "toolResult"

    id: NonBlankString
    tool_call_id: NonBlankString = field(name="toolCallId")
    tool_name: NonBlankString = field(name="toolName")
    content: String
    is_error: Boolean = field(name="isError")


class TextBlock(Struct, frozen=True, kw_only=True, tag_field="type", tag="text"):
    """A piece of the assistant's prose."""

    type: ClassVar[Literal["text"]] = "text"

    text: String


class Diagnostic(Struct, frozen=True, kw_only=True):
    """One cause for which a transcript is refused."""

    code: DiagnosticCode
    message_index: Annotated[
        int, Meta(description="The record's position in the transcript; -1 for the transcript as a whole.")
    ] = field(name="messageIndex")
    """The record's position in the transcript; -1 for the transcript as a whole."""
    path: Annotated[
        str, Meta(description="The JSON Pointer (RFC 6901) of the offending value, from the transcript's root.")
    ]
    """The JSON Pointer (RFC 6901) of the offending value, from the transcript's root."""
    related: Annotated[tuple[str, ...], Meta(description="The JSON Pointers of its counterparts.")]
    """The JSON Pointers of its counterparts."""
    message: Annotated[str, Meta(description="Prose for people; it may change between versions.")]
    """Prose for people; it may change between versions."""


Diagnostics: TypeAlias = Annotated[
    tuple[Diagnostic, ...],
    Meta(
        description="What the validator answers: one entry a cause, in the order of the contract; empty for a valid transcript."
    ),
]
"""What the validator answers: one entry a cause, in the order of the contract; empty for a valid transcript."""


Transcript: TypeAlias = Annotated[
    tuple["Message", ...], Meta(description="The messages of one conversation, in order.")
]
"""The messages of one conversation, in order."""


Message: TypeAlias = Annotated[
    Union[UserMessage, "AssistantMessage", ToolResultMessage],
    Meta(description="One record of a transcript, told apart by its role."),
]
"""One record of a transcript, told apart by its role."""


class AssistantMessage(Struct, frozen=True, kw_only=True, tag_field="role", tag="assistant"):
    """What the model said: text and tool calls, in order."""

    role: ClassVar[Literal["assistant"]] = "assistant"

    id: NonBlankString
    content: AssistantContent


AssistantContent: TypeAlias = Annotated[
    tuple["AssistantBlock", ...], Meta(description="An assistant's blocks, in order; may be empty.")
]
"""An assistant's blocks, in order; may be empty."""


AssistantBlock: TypeAlias = Annotated[
    Union[TextBlock, "ToolCall"], Meta(description="One block of an assistant's content, told apart by its type.")
]
"""One block of an assistant's content, told apart by its type."""


class ToolCall(Struct, frozen=True, kw_only=True, tag_field="type", tag="toolCall"):
    """A request to run one tool; its id is what the result answers to."""

    type: ClassVar[Literal["toolCall"]] = "toolCall"

    id: NonBlankString
    name: NonBlankString
    arguments: JsonObject


JsonValue: TypeAlias = Union[
    Annotated[
        Union[bool, str, JsonNumber, "JsonArray", "JsonObject"],
        Meta(description="A JSON value whose numbers are finite as binary64."),
    ],
    None,
]
"""A JSON value whose numbers are finite as binary64."""


JsonArray: TypeAlias = Annotated[tuple[JsonValue, ...], Meta(description="An array of JSON values.")]
"""An array of JSON values."""


JsonObject: TypeAlias = frozendict[str, JsonValue]
"""An object of JSON values."""
