"""Reads values of which nothing is known, without running their code where that can be avoided.

Here belongs how Python spells the contract's arrays, objects and strings; nothing here knows a message, a rule or a code.
Types are told by `type(value)` and `issubclass`, never by `isinstance`, which asks the value's own `__class__`.
Lists, tuples, dicts and strings of subclasses are read through the base class's own methods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from message_ir.quoting import quote
from message_ir_types.constants import BLANK_CHARACTERS
from message_ir_types.shapes import BLOCKS, MESSAGES

# What a read answers for a property that is not there.
ABSENT: Final = type("Absent", (), {"__repr__": lambda _: "ABSENT", "__slots__": ()})()

# A caught error never includes these: they are addressed to the program, not to us.
PASS_THROUGH: Final = (KeyboardInterrupt, SystemExit)

Read = Callable[[Any, str, object], object]
"""Reads one property of an object: `read(value, name, ABSENT)`."""

_EVERYTHING: Final = slice(None)

# For each generated message and block type, its member descriptors and its tag by wire name.
_STRUCTS: Final[dict[type[Struct], dict[str, Any]]] = {
    shape.struct: {field.name: shape.struct.__dict__[field.attribute] for field in shape.fields}
    | {str(shape.struct.__struct_config__.tag_field): tag}
    for shapes in (MESSAGES, BLOCKS)
    for tag, shape in shapes.items()
}
_STRUCT_TYPES: Final = tuple(_STRUCTS)


def reader(value: object) -> Read | None:
    """Returns how to read the properties of an object, or None for a value that is no object.

    An object is a generated message or block, a `dict`, or any other `Mapping`.
    """
    kind = type(value)
    if issubclass(kind, dict):
        return dict.get
    if issubclass(kind, _STRUCT_TYPES):
        return _read_struct
    return _read_mapping if _is_mapping(kind) else None


def items(value: object) -> Sequence[object] | None:
    """Returns a copy of an array's items, taken at once, or None for a value that is no array."""
    kind = type(value)
    if issubclass(kind, list):
        copied: list[object] = list.__getitem__(value, _EVERYTHING)  # type: ignore[call-overload] # not narrowed by issubclass()
        return copied
    if issubclass(kind, tuple):
        taken: tuple[object, ...] = tuple.__getitem__(value, _EVERYTHING)  # type: ignore[call-overload] # likewise
        return taken
    return None


def string(value: object) -> str | None:
    """Returns a string as an exact `str`, or None for a value that is no string."""
    if type(value) is str:
        return value
    return str.__str__(value) if issubclass(type(value), str) else None


def is_blank(text: str) -> bool:
    """Tells whether a string is empty or has blank characters only."""
    return not text.strip(BLANK_CHARACTERS)


def is_unicode(text: str) -> bool:
    """Tells whether a string is free of unpaired surrogates."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def kind_name(value: object) -> str:
    """Says what kind of value it is, in JSON's words where JSON has one; completes “it is …”."""
    kind = type(value)
    if value is None:
        return "null"
    if kind is bool:
        return "a boolean"
    if issubclass(kind, int | float):
        return "a number"
    if issubclass(kind, str):
        return "a string"
    if issubclass(kind, list | tuple):
        return "an array"
    if reader(value) is not None:
        return "an object"
    return type_name(value)


def type_name(value: object) -> str:
    """Says of which Python type a value is, whatever its class would have us believe."""
    name: str = type.__dict__["__name__"].__get__(type(value))
    return f"a value of type {quote(name)}"


def _is_mapping(kind: type) -> bool:
    try:
        return issubclass(kind, Mapping)
    except PASS_THROUGH:
        raise
    except BaseException:  # noqa: BLE001 # a metaclass may raise anything
        return False


def _read_mapping(value: Mapping[str, object], name: str, default: object) -> object:
    try:
        return value[name]
    except KeyError:
        return default


def _read_struct(value: Struct, name: str, default: object) -> object:
    for kind in _STRUCT_TYPES:
        if issubclass(type(value), kind):
            member = _STRUCTS[kind].get(name, default)
            return member if member is default or type(member) is str else member.__get__(value)
    return default
