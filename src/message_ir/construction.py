"""The constructors: messages made from the caller's values, copied, frozen, and right from the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeVar

from message_ir.arguments import Fault
from message_ir.errors import ConstructionError
from message_ir.fast_construction import accept_assistant, accept_result, accept_user
from message_ir.findings import UNREADABLE, found
from message_ir.inspection import CHECKS, inspect
from message_ir.pointer import Path, place, pointer
from message_ir.values import ABSENT, PASS_THROUGH, reader, string
from message_ir_types import wire
from message_ir_types.messages import AssistantBlock, AssistantMessage, Reason, ToolResultMessage, UserMessage
from message_ir_types.shapes import BLOCKS, MESSAGES

_Message = TypeVar("_Message", UserMessage, AssistantMessage, ToolResultMessage)


def user_message(*, id: str, content: str) -> UserMessage:  # noqa: A002 # the contract's name
    """Makes a user message.

    Raises:
        ConstructionError: the id is no non-blank string, or the content no string.
    """
    return accept_user(id, content) or _message("user_message", UserMessage, id=id, content=content)


def assistant_message(
    *,
    id: str,  # noqa: A002 # the contract's name
    content: Sequence[AssistantBlock | wire.AssistantBlock | Mapping[str, object]],
) -> AssistantMessage:
    """Makes an assistant message.

    Args:
        id: the message's id.
        content: a list or tuple of blocks, each a `TextBlock`, a `ToolCall`, a dict or another mapping in wire names.

    Raises:
        ConstructionError: the id is no non-blank string, the content no array, or a block not of its shape.
    """
    return accept_assistant(id, content) or _message("assistant_message", AssistantMessage, id=id, content=content)


def tool_result_message(
    *,
    id: str,  # noqa: A002 # the contract's name
    tool_call_id: str,
    tool_name: str,
    content: str,
    is_error: bool = False,
) -> ToolResultMessage:
    """Makes the message that answers one tool call.

    Raises:
        ConstructionError: an id or the tool's name is no non-blank string, the content no string, is_error no boolean.
    """
    return accept_result(id, tool_call_id, tool_name, content, is_error) or _message(
        "tool_result_message",
        ToolResultMessage,
        id=id,
        tool_call_id=tool_call_id,
        tool_name=tool_name,
        content=content,
        is_error=is_error,
    )


def text_from_assistant(message: AssistantMessage | wire.AssistantMessage | Mapping[str, object]) -> str:
    """Joins the text blocks of an assistant message, in order; tool calls are not rendered, and not looked into.

    Raises:
        ConstructionError: the message has no array of blocks, a block is of no known type, or a text is no string.
    """
    function = "text_from_assistant"
    content = _read(function, message, "content", ())
    blocks = CHECKS[Reason.ARRAY](content)
    if type(blocks) is Fault:
        _refuse(function, Reason.ARRAY, ("content",), content)
    texts: list[str] = []
    for index, block in enumerate(blocks):  # type: ignore[arg-type, var-annotated] # an array, by the check
        path = ("content", index)
        block_type = _read(function, block, "type", path)
        shape = BLOCKS.get(string(block_type) or "")
        if shape is None:
            _refuse(function, Reason.BLOCK_TYPE, (*path, "type"), block_type)
        for field in shape.fields:
            if field.name == "text":
                text = _read(function, block, field.name, path)
                checked = CHECKS[field.reason](text)
                if type(checked) is Fault:
                    _refuse(function, checked.reason, (*path, field.name), text)
                texts.append(checked)  # type: ignore[arg-type] # a string, by the check
    return "".join(texts)


def _message(function: str, struct: type[_Message], **values: object) -> _Message:
    shape = MESSAGES[struct.role]
    record = {"role": struct.role} | {field.name: values[field.attribute] for field in shape.fields}
    observed = inspect([record], freeze=True)
    for finding in observed.findings():
        path = finding.path[1:]
        names = {field.name: field.attribute for field in shape.fields}
        head = names[str(path[0])]
        assert finding.reason is not None, "every shape finding has a reason"
        raise ConstructionError(function, pointer(path), finding.reason, place(head, path[1:]), finding.facts["found"])
    return observed.messages[0]  # type: ignore[return-value] # of the role that the record has


def _read(function: str, value: object, name: str, path: Path) -> object:
    read = reader(value)
    if read is None:
        _refuse(function, Reason.OBJECT, path, value)
    try:
        return read(value, name, ABSENT)
    except PASS_THROUGH:
        raise
    except BaseException:  # noqa: BLE001 # a caller's object may raise anything
        _refuse(function, Reason.OBJECT, path, UNREADABLE)


def _refuse(function: str, reason: Reason, path: Path, value: object) -> NoReturn:
    raise ConstructionError(function, pointer(path), reason, place("message", path), found(reason, value)["found"])
