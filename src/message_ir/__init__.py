"""message-ir: the shared contract for agent transcripts.

Types and constructors for the messages, a validator that reports every broken tool round once and never raises,
and the way from JSON text to frozen messages and back. What is listed in `__all__` is public; other modules may change.
"""

from message_ir.construction import assistant_message, text_from_assistant, tool_result_message, user_message
from message_ir.errors import ConstructionError, InvalidTranscriptError
from message_ir.incremental import OpenCall, TranscriptValidator
from message_ir.transcripts import dumps, loads, snapshot
from message_ir.validation import validate_json, validate_transcript
from message_ir_types.constants import VERSION
from message_ir_types.messages import (
    AssistantBlock,
    AssistantMessage,
    Diagnostic,
    DiagnosticCode,
    Message,
    TextBlock,
    ToolCall,
    ToolResultMessage,
    Transcript,
    UserMessage,
)

__version__ = VERSION

__all__ = [
    "AssistantBlock",
    "AssistantMessage",
    "ConstructionError",
    "Diagnostic",
    "DiagnosticCode",
    "InvalidTranscriptError",
    "Message",
    "OpenCall",
    "TextBlock",
    "ToolCall",
    "ToolResultMessage",
    "Transcript",
    "TranscriptValidator",
    "UserMessage",
    "__version__",
    "assistant_message",
    "dumps",
    "loads",
    "snapshot",
    "text_from_assistant",
    "tool_result_message",
    "user_message",
    "validate_json",
    "validate_transcript",
]
