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

    def __init__(self, container: object, keys: list[str] | None, values: Iterable[object]) -> None:
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
    found = _Walk(freeze=False).run(arguments)
    return found if type(found) is Fault else None


def freeze(arguments: object) -> JsonObject | Fault:
    """Returns a copy that is immutable all the way down, or the first value that breaks the contract."""
    return _Walk(freeze=True).run(arguments)  # type: ignore[return-value] # an object's frame freezes to a frozendict


class _Walk:
    """One walk, depth first and in document order, over one call's arguments."""

    def __init__(self, *, freeze: bool) -> None:
        self._freeze = freeze
        self._stack: list[_Frame] = []
        self._inside: set[int] = set()
        self._done: dict[int, _Done] = {}

    def run(self, arguments: object) -> object:
        """Returns the first fault; else the frozen arguments, or None where no copy was asked for."""
        if type(arguments) is not dict and type(arguments) is not frozendict:
            return Fault(Reason.PLAIN_OBJECT, (), arguments)
        below: Fault | _Frame | None = self._enter(arguments)
        while type(below) is not Fault:
            if below is None:
                frozen = self._leave()
                if not self._stack:
                    return frozen
            below = self._advance(self._stack[-1])
        return below

    def _advance(self, frame: _Frame) -> Fault | _Frame | None:
        """Judges a frame's next values, up to a fault or an object or array to go into; None when all are judged."""
        for key, value in frame.rest:
            frame.key = key
            reason = _judge(value)
            if reason is None:
                if self._freeze:
                    frame.children.append(value)
                continue
            if reason is not _NOT_SCALAR:
                return self._fault(reason, value)
            known = self._done.get(id(value))
            if known is None or len(self._stack) + known.height > ARGUMENTS_DEPTH:
                return self._enter(value)
            frame.height = max(frame.height, known.height + 1)
            frame.children.append(known.frozen)
        return None

    def _enter(self, value: object) -> Fault | _Frame:
        if id(value) in self._inside:
            return self._fault(Reason.CYCLE, value)
        entered = _open(value)
        if isinstance(entered, Reason):
            return self._fault(entered, value)
        if len(self._stack) >= ARGUMENTS_DEPTH:
            return self._fault(Reason.DEPTH, value)
        self._stack.append(entered)
        self._inside.add(id(value))
        return entered

    def _leave(self) -> object:
        """Closes the innermost frame, whose values are all well-formed, and returns its frozen copy."""
        frame = self._stack.pop()
        self._inside.discard(id(frame.container))
        frozen = frame.frozen() if self._freeze else None
        self._done[id(frame.container)] = _Done(frame.container, frame.height, frozen)
        if self._stack:
            outer = self._stack[-1]
            outer.height = max(outer.height, frame.height + 1)
            outer.children.append(frozen)
        return frozen

    def _fault(self, reason: Reason, value: object) -> Fault:
        return Fault(reason, tuple(frame.key for frame in self._stack), value)


def _open(value: object) -> _Frame | Reason:
    """Opens an object or array, or says why it cannot be: its keys are judged before its values."""
    kind = type(value)
    if kind is dict or kind is frozendict:
        pairs: tuple[tuple[object, object], ...] = tuple(dict.items(value))  # type: ignore[arg-type] # not narrowed by type()
        keys: list[str] = []
        for key, _ in pairs:
            if type(key) is not str:
                return Reason.PLAIN_OBJECT
            if not is_unicode(key):
                return Reason.UNICODE
            keys.append(key)
        return _Frame(value, keys, (child for _, child in pairs))
    children = items(value)
    return Reason.JSON_VALUE if children is None else _Frame(value, None, children)


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
