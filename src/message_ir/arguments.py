"""Walks a tool call's arguments: finds the first value that is not JSON, and freezes them on the way if asked to.

Here belongs what may stand in arguments (clauses `arguments.*`); nothing here knows messages or codes.
The walk keeps its own stack, so that no input can exhaust Python's; it visits each object and array once, so that
values shared many times over cost no more than their size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from frozendict import frozendict

from message_ir.pointer import Path
from message_ir.values import is_unicode, items
from message_ir_types.constants import ARGUMENTS_DEPTH
from message_ir_types.messages import JsonObject, Reason


class Fault(NamedTuple):
    """The first value of arguments that breaks the contract."""

    reason: Reason
    path: Path
    """From the arguments object."""
    value: object


class _Frame:
    """One object or array that the walk is inside of."""

    __slots__ = ("children", "container", "height", "key", "keys", "rest")

    def __init__(self, container: object, keys: tuple[str, ...] | None, values: Iterable[object]) -> None:
        self.container = container
        self.keys = keys
        self.rest: Iterator[tuple[str | int, object]] = iter(
            enumerate(values) if keys is None else zip(keys, values, strict=True)
        )
        self.key: str | int = 0
        self.height = 1
        self.children: list[object] = []

    def frozen(self) -> object:
        return tuple(self.children) if self.keys is None else frozendict(zip(self.keys, self.children, strict=True))


class _Done(NamedTuple):
    """An object or array that was walked and found well-formed."""

    container: object  # held, so that no other value can get its id meanwhile
    height: int
    frozen: object


def first_fault(arguments: object) -> Fault | None:
    """Returns the first value in document order that breaks the contract, or None."""
    found = _walk(arguments, freeze=False)
    return found if type(found) is Fault else None


def freeze(arguments: object) -> JsonObject | Fault:
    """Returns a copy that is immutable all the way down, or the first value that breaks the contract."""
    return _walk(arguments, freeze=True)  # type: ignore[return-value] # an object's frame freezes to a frozendict


def _walk(arguments: object, *, freeze: bool) -> object:
    if type(arguments) is not dict and type(arguments) is not frozendict:
        return Fault(Reason.PLAIN_OBJECT, (), arguments)
    entered = _enter(arguments)
    if type(entered) is Reason:
        return Fault(entered, (), arguments)
    stack: list[_Frame] = [entered]  # type: ignore[list-item] # the only other type is returned above
    inside = {id(arguments)}
    done: dict[int, _Done] = {}
    while True:
        frame = stack[-1]
        for key, value in frame.rest:
            frame.key = key
            reason = _judge(value)
            if reason is None:
                if freeze:
                    frame.children.append(value)
                continue
            if reason is not _NOT_SCALAR:
                return _fault(reason, stack, value)
            known = done.get(id(value))
            if known is not None and len(stack) + known.height <= ARGUMENTS_DEPTH:
                frame.height = max(frame.height, known.height + 1)
                frame.children.append(known.frozen)
                continue
            below = _enter_below(value, stack, inside)
            if type(below) is Reason:
                return _fault(below, stack, value)
            stack.append(below)  # type: ignore[arg-type] # likewise
            inside.add(id(value))
            break
        else:
            stack.pop()
            inside.discard(id(frame.container))
            frozen = frame.frozen() if freeze else None
            if not stack:
                return frozen
            done[id(frame.container)] = _Done(frame.container, frame.height, frozen)
            stack[-1].height = max(stack[-1].height, frame.height + 1)
            if freeze:
                stack[-1].children.append(frozen)


def _enter_below(value: object, stack: list[_Frame], inside: set[int]) -> _Frame | Reason:
    if id(value) in inside:
        return Reason.CYCLE
    entered = _enter(value)
    return Reason.DEPTH if type(entered) is _Frame and len(stack) >= ARGUMENTS_DEPTH else entered


def _enter(value: object) -> _Frame | Reason:
    """Opens an object or array, or says why it cannot be: its keys are judged before its values."""
    kind = type(value)
    if kind is dict or kind is frozendict:
        pairs = tuple(dict.items(value))  # type: ignore[arg-type] # not narrowed by type()
        keys = tuple(key for key, _ in pairs)
        for key in keys:
            if type(key) is not str:
                return Reason.PLAIN_OBJECT
            if not is_unicode(key):
                return Reason.UNICODE
        return _Frame(value, keys, (child for _, child in pairs))
    children = items(value)
    return Reason.JSON_VALUE if children is None else _Frame(value, None, children)


def _fault(reason: Reason, stack: list[_Frame], value: object) -> Fault:
    return Fault(reason, tuple(frame.key for frame in stack), value)


_NOT_SCALAR: Final = Reason.JSON_VALUE


def _judge(value: object) -> Reason | None:
    """Judges a string, number, boolean or null; anything else is `_NOT_SCALAR`."""
    kind = type(value)
    if kind is str:
        return None if is_unicode(value) else Reason.UNICODE  # type: ignore[arg-type] # not narrowed by type()
    if kind is bool or value is None:
        return None
    if kind is int or kind is float:
        return None if _is_finite(value) else Reason.FINITE_NUMBER  # type: ignore[arg-type] # likewise
    return _NOT_SCALAR


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer that rounds to no binary64 number
        return False
