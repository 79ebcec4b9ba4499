"""The fast way for values: a straight walk that accepts clean plain transcripts; what it refuses is inspected.

It must never accept what inspection reports. It takes exact lists, tuples, dicts, strings, numbers and booleans, and
generated messages and blocks; whatever else there is, is wrong in any way, or raises when it is read, is refused.
Each value is read once into a variable, so that it does not matter when another thread changes what it was read from.

Linkage is judged on the way, as `fast_linkage` does it for JSON text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from frozendict import frozendict

from message_ir.freezing import frozen_object
from message_ir.inspection import Call, Inspector, Observed, Result
from message_ir.values import PASS_THROUGH, is_blank, is_unicode
from message_ir_types.constants import ARGUMENTS_DEPTH
from message_ir_types.messages import AssistantMessage, Message, TextBlock, ToolCall, ToolResultMessage, UserMessage

# How deep objects and arrays may nest below arguments; the full way goes on without recursion.
_LEVELS: Final = min(32, ARGUMENTS_DEPTH - 1)

# Integers between these are finite as binary64: halfway from the largest such number to the next power of two.
_HIGHEST: Final = (1 << 1024) - (1 << 970)
_LOWEST: Final = -_HIGHEST
_INFINITY: Final = float("inf")

_RECORDS: Final = frozenset((UserMessage, AssistantMessage, ToolResultMessage))


class RefusedError(Exception):
    """This is for the full way; nothing need be wrong."""


class Accepted(NamedTuple):
    """A transcript of which nothing is reported."""

    calls: int
    """How many tool calls it has."""
    messages: tuple[Message, ...]
    """Frozen copies of its records, where they were asked for."""


def accept(value: object, *, freeze: bool = False) -> Accepted | None:
    """Accepts a clean plain transcript; None for whatever is not seen to be one.

    Args:
        value: anything.
        freeze: whether to make frozen copies of the records.
    """
    if type(value) is not list and type(value) is not tuple:
        return None
    messages: list[Any] | None = [] if freeze else None
    try:
        return Accepted(walk(value[:], messages), tuple(messages or ()))
    except PASS_THROUGH:
        raise
    except BaseException:  # noqa: BLE001 # a caller's key may raise anything
        return None


def observe(value: object, *, freeze: bool = False) -> Observed | None:
    """Does what `inspect` does, and inspects those records only that the fast way refuses.

    Args:
        value: anything; None is returned for what is no exact list or tuple.
        freeze: whether to make frozen copies of the well-formed records on the way.
    """
    if type(value) is not list and type(value) is not tuple:
        return None
    inspector = Inspector(freeze=freeze)
    for index, record in enumerate(value[:]):
        observe_record(record, index, inspector)
    return inspector.observed


def observe_record(record: object, index: int, inspector: Inspector) -> None:
    """Does what `inspector.message` does, and has it done where the fast way refuses."""
    events: list[Call | Result | None] = []
    messages: list[Any] | None = [] if inspector.freeze else None
    try:
        walk((record,), messages, events, index)
    except PASS_THROUGH:
        raise
    except BaseException:  # noqa: BLE001 # a caller's key may raise anything
        inspector.message(record, index)
    else:
        inspector.observed.walk += filter(None, events)
        inspector.observed.messages += messages or ()


def walk(  # noqa: C901, PLR0912, PLR0915 # one loop: a function for each part costs more than the part
    records: Iterable[Any],
    messages: list[Any] | None = None,
    events: list[Call | Result | None] | None = None,
    index: int = 0,
) -> int:
    """Walks records, and returns how many calls they have.

    A result takes the call that it answers out of those that are open. So a call is answered once, by a later record; a
    result without an open call of its id and name is refused, and so are an id seen before and calls left open.

    Args:
        records: the records.
        messages: gets frozen copies; None where none are asked for.
        events: gets the calls and results of a single record, and None for each other block; then linkage is not judged.
        index: the place of that record in its transcript.

    Raises:
        RefusedError: this is for the full way; so is whatever else is raised.
    """
    names: dict[str, str] = {}
    take = names.pop
    ids: list[str] = []
    see = ids.append
    blocks: list[Any] = []
    freeze = messages is not None
    keep = [].append if messages is None else messages.append
    for record in records:
        kind = type(record)
        if kind is dict:
            role, id_, content = record["role"], record["id"], record["content"]
        elif kind in _RECORDS:
            role, id_, content = record.role, record.id, record.content
        else:
            raise RefusedError
        if type(role) is not str or type(id_) is not str or not (id_.strip() if id_.isascii() else _is_name(id_)):
            raise RefusedError
        if role == "assistant":
            if type(content) is not list and type(content) is not tuple:
                raise RefusedError
            if freeze:
                blocks = []
            for block in content[:]:
                kind = type(block)
                if kind is dict:
                    block_type = block["type"]
                    if type(block_type) is not str:
                        raise RefusedError
                elif kind is ToolCall or kind is TextBlock:
                    block_type = block.type
                else:
                    raise RefusedError
                if block_type == "toolCall":
                    if kind is dict:
                        call, name, arguments = block["id"], block["name"], block["arguments"]
                    else:
                        call, name, arguments = block.id, block.name, block.arguments
                    if type(call) is not str or not (call.strip() if call.isascii() else _is_name(call)):
                        raise RefusedError
                    if type(name) is not str or not (name.strip() if name.isascii() else _is_name(name)):
                        raise RefusedError
                    if type(arguments) is not dict and type(arguments) is not frozendict:
                        raise RefusedError
                    if freeze:
                        blocks.append(ToolCall(id=call, name=name, arguments=frozen(arguments)))
                    else:
                        _check(arguments, _LEVELS, None)
                    if events is not None:
                        events.append(Call(call, name, index, len(events)))
                    names[call] = name
                    see(call)
                elif block_type == "text":
                    text = block["text"] if kind is dict else block.text
                    if type(text) is not str or not (text.isascii() or is_unicode(text)):
                        raise RefusedError
                    if freeze:
                        blocks.append(TextBlock(text=text))
                    if events is not None:
                        events.append(None)
                else:
                    raise RefusedError
            if freeze:
                keep(AssistantMessage(id=id_, content=tuple(blocks)))
            continue
        if type(content) is not str or not (content.isascii() or is_unicode(content)):
            raise RefusedError
        if role == "toolResult":
            if kind is dict:
                call, name, is_error = record["toolCallId"], record["toolName"], record["isError"]
            else:
                call, name, is_error = record.tool_call_id, record.tool_name, record.is_error
            if type(call) is not str or type(name) is not str or type(is_error) is not bool:
                raise RefusedError
            if events is not None:
                if not (_is_name(call) and _is_name(name)):
                    raise RefusedError
                events.append(Result(call, name, index))
            # What equals the id and the name of a call is as right as they are.
            elif take(call, None) != name:
                raise RefusedError
            if freeze:
                keep(ToolResultMessage(id=id_, tool_call_id=call, tool_name=name, content=content, is_error=is_error))
        elif role != "user":
            raise RefusedError
        elif freeze:
            keep(UserMessage(id=id_, content=content))
    if events is None and (names or len(set(ids)) != len(ids)):
        raise RefusedError
    return len(ids)


def _check(value: Any, levels: int, seen: set[int] | None) -> None:  # noqa: C901, PLR0912 # as above
    """Walks an object or array of arguments.

    One that stands twice is refused, and so is a cycle; so the walk is as long as its input is large.

    Args:
        value: anything but a scalar.
        levels: how deep objects and arrays may nest below it.
        seen: the objects and arrays that were met; None for the outermost.

    Raises:
        RefusedError: this is for the full way; so is whatever else is raised.
    """
    kind = type(value)
    if kind is dict or kind is frozendict:
        # A copy, so that the values are those of the keys that were looked at.
        own = dict.copy(value)
        for key in own:
            if type(key) is not str or not (key.isascii() or is_unicode(key)):
                raise RefusedError
        children: Any = own.values()
    elif kind is list or kind is tuple:
        children = value[:]
    else:
        raise RefusedError
    for child in children:
        kind = type(child)
        if kind is str:
            if not (child.isascii() or is_unicode(child)):
                raise RefusedError
        elif kind is int:
            if not _LOWEST < child < _HIGHEST:
                raise RefusedError
        elif kind is bool or child is None:
            continue
        elif kind is float:
            if not -_INFINITY < child < _INFINITY:
                raise RefusedError
        else:
            seen = _met(child, levels, seen, value)
            _check(child, levels - 1, seen)


def frozen(value: Any, levels: int = _LEVELS, seen: set[int] | None = None) -> Any:  # noqa: C901, PLR0912 # as above
    """Does what `_check` does, and returns a frozen copy. One walk for both would cost whoever only checks a fifteenth more."""
    kind = type(value)
    keyed = kind is dict or kind is frozendict
    if keyed:
        own: Any = dict.copy(value)
        for key in own:
            if type(key) is not str or not (key.isascii() or is_unicode(key)):
                raise RefusedError
        places: Any = own.items()
    elif kind is list or kind is tuple:
        own = [*value]
        places = enumerate(own)
    else:
        raise RefusedError
    for key, child in places:
        kind = type(child)
        if kind is str:
            if not (child.isascii() or is_unicode(child)):
                raise RefusedError
        elif kind is int:
            if not _LOWEST < child < _HIGHEST:
                raise RefusedError
        elif kind is bool or child is None:
            continue
        elif kind is float:
            if not -_INFINITY < child < _INFINITY:
                raise RefusedError
        else:
            seen = _met(child, levels, seen, value)
            own[key] = frozen(child, levels - 1, seen)
    return frozen_object(own) if keyed else tuple(own)


def _met(child: object, levels: int, seen: set[int] | None, outer: object) -> set[int]:
    """Notes an object or array below another one.

    Raises:
        RefusedError: it was met before, or is too deep.
    """
    if seen is None:
        seen = {id(outer)}
    # The empty ones that are frozen are one object each.
    if (type(child) is tuple or type(child) is frozendict) and not child:
        return seen
    if not levels or id(child) in seen:
        raise RefusedError
    seen.add(id(child))
    return seen


def _is_name(text: str) -> bool:
    """Tells whether an exact string is an id or name: not blank, and free of unpaired surrogates."""
    return not is_blank(text) and is_unicode(text)
