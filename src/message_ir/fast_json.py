"""The fast way for JSON text: it sees that every record is of its shape, and proves nothing else; what it refuses goes the full way.

It must never accept what the full way reports, nor report anything: whether calls and results belong together is for the rules of
linkage to say, which get what inspection would have seen. The types below are all the proof of shapes there is, and a text that
decodes into them is clean of every fault of shape but blank ids and names, because msgspec

- takes JSON (RFC 8259) and nothing else: no byte order mark, no NaN, nothing after the value; what it skips is held to
  the grammar too, escapes and pairs of surrogates included, and only the UTF-8 of skipped strings is not looked at;
- is strict: a string, boolean, number, array or object is of its own type, and null is none of them;
- refuses numbers that round to no binary64 number where it decodes them as floats, integers of any length included;
- refuses a string with an unpaired surrogate, escaped or not;
- judges every one of several values of a repeated key. The last one counts, so that more is refused than need be;
- knows keys and tags by what they spell, however they are escaped.

For `loads`, numbers keep their types: integers are decoded as such, and those of more than 64 bits are refused.

Arguments are typed down to a few levels, far fewer than the contract allows; what nests deeper is refused here. Fields
that no type knows are refused at first: then nothing is skipped, and no UTF-8 is left to look at. Where there are any,
the text is decoded again without them, once all of it is known to be UTF-8.

What the interpreter itself cannot do (no memory or stack left) is refused, too.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from message_ir import json_text
from message_ir.fast_linkage import Family, linked, observed
from message_ir.freezing import frozen_object
from message_ir.inspection import Observed
from message_ir_types.constants import ARGUMENTS_DEPTH
from message_ir_types.messages import (
    AssistantMessage,
    JsonArray,
    JsonObject,
    Message,
    Reason,
    TextBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from message_ir_types.shapes import BLOCKS, MESSAGES, Shape

# How deep objects and arrays may nest below arguments. Each level doubles the types.
_LEVELS: Final = min(5, ARGUMENTS_DEPTH - 1)

# How many bytes of a text are looked at in one go, so that no second text stands in memory.
_PIECE: Final = 1 << 16


_Use = TypeVar("_Use")


class _Types(NamedTuple):
    """Private types of the contract's shapes."""

    decoder: msgspec.json.Decoder[list[Any]]
    family: Family


class _Ways(NamedTuple):
    """The types to decode into, one way or the other."""

    strict: _Types
    """These refuse fields that they do not know."""
    lenient: _Types


def accept_json(text: object) -> int | Observed | None:
    """Returns how many tool calls a clean transcript in JSON text has.

    Where each record is of its shape and linkage alone can report anything, what inspection sees in them is returned instead; None
    for whatever is not seen to be such a transcript.

    Args:
        text: anything; only exact strings and bytes are looked at.
    """
    return _accepted(text, _judged(), _calls)


def count_json(text: object) -> tuple[int, int] | None:
    """Returns how many messages and tool calls a clean transcript in JSON text has; None for whatever is not seen to be one.

    Args:
        text: anything; only exact strings and bytes are looked at.
    """
    return _accepted(text, _judged(), _counts)


def load_json(text: object) -> tuple[Message, ...] | None:
    """Returns the frozen messages of a clean transcript in JSON text; None for whatever is not seen to be one.

    Args:
        text: anything; only exact strings and bytes are looked at.
    """
    return _accepted(text, _kept(), _messages)


def parse(text: object) -> Any:
    """Does what `json_text.parse` does, several times as fast for most texts that are JSON.

    Raises:
        NotJsonError: the text is not JSON, or is neither a string nor bytes.
    """
    try:
        if type(text) is str:
            return _ANY.decode(text if text.isascii() else text.encode())
        if type(text) is bytes:
            return _ANY.decode(text)
    except Exception:  # noqa: BLE001, S110 # whatever it is, the full way finds and words it
        pass
    return json_text.parse(text)


def _accepted(text: object, ways: _Ways, use: Callable[[list[Any], Family], _Use]) -> _Use | None:
    try:
        if type(text) is str:
            types = ways.lenient
            return use(types.decoder.decode(text if text.isascii() else text.encode()), types.family)
        if type(text) is not bytes:
            return None
        try:
            return use(ways.strict.decoder.decode(text), ways.strict.family)
        except msgspec.ValidationError:
            types = ways.lenient
            return use(types.decoder.decode(text), types.family) if _is_utf8(text) else None
    except Exception:  # noqa: BLE001 # whatever it is, the full way finds and words it
        return None


def _calls(records: list[Any], family: Family) -> int | Observed | None:
    calls = linked(records, family)
    if calls is None:
        return observed(records, family)
    return calls


def _counts(records: list[Any], family: Family) -> tuple[int, int] | None:
    calls = linked(records, family)
    return None if calls is None else (len(records), calls)


def _messages(records: list[Any], family: Family) -> tuple[Message, ...] | None:
    """Makes frozen messages of records that were decoded for that alone."""
    if linked(records, family) is None:
        return None
    messages: list[Message] = []
    keep = messages.append
    assistant, result, call = family
    for record in records:
        kind = type(record)
        if kind is result:
            keep(
                ToolResultMessage(
                    id=record.id,
                    tool_call_id=record.tool_call_id,
                    tool_name=record.tool_name,
                    content=record.content,
                    is_error=record.is_error,
                )
            )
        elif kind is assistant:
            blocks = [
                ToolCall(id=block.id, name=block.name, arguments=_frozen(block.arguments))
                if type(block) is call
                else TextBlock(text=block.text)
                for block in record.content
            ]
            keep(AssistantMessage(id=record.id, content=tuple(blocks)))
        else:
            keep(UserMessage(id=record.id, content=record.content))
    return tuple(messages)


def _frozen(value: dict[str, Any]) -> JsonObject:
    """Freezes an object in its place."""
    for key, child in value.items():
        kind = type(child)
        if kind is dict:
            value[key] = _frozen(child)
        elif kind is tuple:
            value[key] = _frozen_array(child)
    return frozen_object(value)


def _frozen_array(value: tuple[Any, ...]) -> JsonArray:
    return tuple(
        [
            _frozen(child) if type(child) is dict else _frozen_array(child) if type(child) is tuple else child
            for child in value
        ]
    )


def _is_utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    view = memoryview(text)
    position = 0
    try:
        while position < len(view):
            piece = view[position : position + _PIECE]
            _, read = codecs.utf_8_decode(piece, "strict", position + len(piece) == len(view))
            position += read
    except UnicodeDecodeError:
        return False
    return True


def _json_value(number: Any, levels: int) -> Any:
    """The type of a JSON value that nests so many levels deep at most."""
    scalar = number | str | bool | None
    if not levels:
        return scalar
    inner: Any = _json_value(number, levels - 1)
    return scalar | tuple[inner, ...] | dict[str, inner]


def _union(types: Iterable[Any]) -> Any:
    return reduce(or_, types)


def _types(number: Any, *, forbid_unknown_fields: bool) -> _Types:
    """Makes the types from the tables of the generated ones, so that no change of the specification leaves them behind."""
    types: dict[Reason, Any] = {
        Reason.NON_BLANK_STRING: str,
        Reason.STRING: str,
        Reason.BOOLEAN: bool,
        Reason.PLAIN_OBJECT: dict[str, _json_value(number, _LEVELS)],  # type: ignore[misc] # made while running
    }

    def struct(tag: str, shape: Shape) -> type[Struct]:
        return msgspec.defstruct(
            shape.struct.__name__,
            [(field.attribute, types[field.reason], msgspec.field(name=field.name)) for field in shape.fields],
            tag_field=shape.struct.__struct_config__.tag_field,
            tag=tag,
            frozen=True,
            gc=False,  # they hold no cycles, and a collection has nothing to look at
            forbid_unknown_fields=forbid_unknown_fields,
        )

    blocks = {tag: struct(tag, shape) for tag, shape in BLOCKS.items()}
    # Not lists: a collection looks at each of those for as long as it lives, and at these once.
    types[Reason.ARRAY] = tuple[_union(blocks.values()), ...]  # type: ignore[misc] # made while running
    messages = {tag: struct(tag, shape) for tag, shape in MESSAGES.items()}
    family = Family(messages["assistant"], messages["toolResult"], blocks["toolCall"])
    return _Types(msgspec.json.Decoder(list[_union(messages.values())]), family)  # type: ignore[misc] # made while running


# Larger integers are finite, too, up to a bound that no type can tell.
_INTEGER: Final = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_ANY: Final = msgspec.json.Decoder()


# Made when they are needed, since it takes milliseconds.
@cache
def _judged() -> _Ways:
    return _ways(float)


@cache
def _kept() -> _Ways:
    return _ways(_INTEGER | float)


def _ways(number: Any) -> _Ways:
    return _Ways(*(_types(number, forbid_unknown_fields=forbid) for forbid in (True, False)))
