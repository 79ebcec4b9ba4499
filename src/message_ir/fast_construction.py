"""The fast way for constructors: it makes messages of plain values; what it refuses, the full way words or makes.

It must never make what the full way refuses, nor another message than that makes.
"""

from __future__ import annotations

from typing import Any

from message_ir.fast_values import walk
from message_ir.values import PASS_THROUGH, is_blank, is_unicode
from message_ir_types.messages import AssistantMessage, ToolResultMessage, UserMessage


def accept_user(id_: object, content: object) -> UserMessage | None:
    """Makes a user message of exact strings that are right; None for whatever is not."""
    if _is_name(id_) and type(content) is str and is_unicode(content):
        return UserMessage(id=id_, content=content)  # type: ignore[arg-type] # a string, by the check
    return None


def accept_assistant(id_: object, content: object) -> AssistantMessage | None:
    """Makes an assistant message of plain blocks that are right; None for whatever is not."""
    made: list[Any] = []
    try:
        walk(({"role": AssistantMessage.role, "id": id_, "content": content},), made, [])
    except PASS_THROUGH:
        raise
    except BaseException:  # noqa: BLE001 # a caller's key may raise anything
        return None
    message: AssistantMessage = made[0]
    return message


def accept_result(
    id_: object, call: object, name: object, content: object, is_error: object
) -> ToolResultMessage | None:
    """Makes a tool result of exact strings and an exact boolean that are right; None for whatever is not."""
    if (
        _is_name(id_)
        and _is_name(call)
        and _is_name(name)
        and type(content) is str
        and is_unicode(content)
        and type(is_error) is bool
    ):
        return ToolResultMessage(id=id_, tool_call_id=call, tool_name=name, content=content, is_error=is_error)  # type: ignore[arg-type] # strings, by the checks
    return None


def _is_name(value: object) -> bool:
    return type(value) is str and is_unicode(value) and not is_blank(value)
