# Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
"""The messages as TypedDicts: plain dicts in wire names, as they stand in JSON."""

from __future__ import annotations

from typing import Literal, Optional, TypeAlias, TypedDict, Union

NonBlankString: TypeAlias = str
"""A string with at least one character that is not blank."""


String: TypeAlias = str
"""Any string, the empty one too."""


Boolean: TypeAlias = bool
"""true or false."""


JsonNumber: TypeAlias = int | float
"""A number that is finite as binary64."""


DiagnosticCode: TypeAlias = Literal[
    "INVALID_TRANSCRIPT",
    "INVALID_MESSAGE",
    "EMPTY_TOOL_NAME",
    "INVALID_TOOL_ARGUMENTS",
    "DUPLICATE_TOOL_CALL_ID",
    "DUPLICATE_TOOL_RESULT",
    "ORPHAN_TOOL_RESULT",
    "TOOL_RESULT_BEFORE_CALL",
    "TOOL_NAME_MISMATCH",
    "MISSING_TOOL_RESULT",
]
"""The stable name of a kind of cause."""


Reason: TypeAlias = Literal[
    "nonBlankString",
    "string",
    "array",
    "object",
    "boolean",
    "blockType",
    "plainObject",
    "jsonValue",
    "finiteNumber",
    "unicode",
    "cycle",
    "depth",
    "sparse",
    "role",
]
"""The stable name of what a value fails to be."""


class UserMessage(TypedDict):
    """What the user said."""

    role: Literal["user"]
    id: NonBlankString
    content: String


class ToolResultMessage(TypedDict):
    """What a tool answered to one call."""

    role: Literal["toolResult"]
    id: NonBlankString
    toolCallId: NonBlankString
    toolName: NonBlankString
    content: String
    isError: Boolean


class TextBlock(TypedDict):
    """A piece of the assistant's prose."""

    type: Literal["text"]
    text: String


class Diagnostic(TypedDict):
    """One cause for which a transcript is refused."""

    code: DiagnosticCode
    messageIndex: int
    """The record's position in the transcript; -1 for the transcript as a whole."""
    path: str
    """The JSON Pointer (RFC 6901) of the offending value, from the transcript's root."""
    related: list[str]
    """The JSON Pointers of its counterparts."""
    message: str
    """Prose for people; it may change between versions."""


Diagnostics: TypeAlias = list[Diagnostic]
"""What the validator answers: one entry a cause, in the order of the contract; empty for a valid transcript."""


Transcript: TypeAlias = list["Message"]
"""The messages of one conversation, in order."""


Message: TypeAlias = Union[UserMessage, "AssistantMessage", ToolResultMessage]
"""One record of a transcript, told apart by its role."""


class AssistantMessage(TypedDict):
    """What the model said: text and tool calls, in order."""

    role: Literal["assistant"]
    id: NonBlankString
    content: AssistantContent


AssistantContent: TypeAlias = list["AssistantBlock"]
"""An assistant's blocks, in order; may be empty."""


AssistantBlock: TypeAlias = Union[TextBlock, "ToolCall"]
"""One block of an assistant's content, told apart by its type."""


class ToolCall(TypedDict):
    """A request to run one tool; its id is what the result answers to."""

    type: Literal["toolCall"]
    id: NonBlankString
    name: NonBlankString
    arguments: JsonObject


JsonValue: TypeAlias = Optional[Union[bool, str, JsonNumber, "JsonArray", "JsonObject"]]
"""A JSON value whose numbers are finite as binary64."""


JsonArray: TypeAlias = list[JsonValue]
"""An array of JSON values."""


JsonObject: TypeAlias = dict[str, JsonValue]
"""An object of JSON values."""
