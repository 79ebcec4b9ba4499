"""Builds, in Python, the host values that inputs of cases have as recipes: `{"$host": "nan"}` and the like.

What Python has no such thing of is not in the table: a hole in an array, an undefined, an object without a prototype.
"""

from __future__ import annotations

import datetime
import math
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

RECIPE_KEY: Final = "$host"


class UndeliveredError(Exception):
    """A host value that cannot be built here; the message is its name."""


def build(value: Any) -> Any:
    """Returns the input with every recipe in it built.

    Raises:
        UndeliveredError: there is a recipe for something that Python does not have.
    """
    if isinstance(value, list):
        return [build(child) for child in value]
    if not isinstance(value, dict):
        return value
    if RECIPE_KEY not in value:
        return {key: build(child) for key, child in value.items()}
    name = value[RECIPE_KEY]
    if name not in HOSTS:
        raise UndeliveredError(name)
    return HOSTS[name](value)


def recipes(value: Any) -> Iterator[str]:
    """Yields the names of the recipes in an input."""
    if isinstance(value, dict):
        if RECIPE_KEY in value:
            yield value[RECIPE_KEY]
        for child in value.values():
            yield from recipes(child)
    elif isinstance(value, list):
        for child in value:
            yield from recipes(child)


class _StringLike(str):
    __slots__ = ()


class _NumberLike(int):
    __slots__ = ()


class _LyingArray(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0


class _Reading(Mapping[str, Any]):
    """A mapping whose property `on` answers by `read`, which is told how often it was read before."""

    def __init__(self, values: dict[str, Any], on: str, read: Callable[[int], Any]) -> None:
        self._values, self._on, self._read, self._times = values, on, read, 0

    def __getitem__(self, key: str) -> Any:
        if key != self._on:
            return self._values[key]
        self._times += 1
        return self._read(self._times - 1)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _throws(recipe: dict[str, Any]) -> Any:
    def read(_: int) -> Any:
        raise RuntimeError("this property cannot be read")

    return _Reading(build(recipe["value"]), recipe["on"], read)


def _changes(recipe: dict[str, Any]) -> Any:
    value = build(recipe["value"])
    answers = [value[recipe["on"]], build(recipe["then"])]
    return _Reading(value, recipe["on"], lambda times: answers[min(times, 1)])


def _string(recipe: dict[str, Any]) -> str:
    return bytes.fromhex("".join(recipe["utf16"])).decode("utf-16-be", "surrogatepass")


def _self_object(recipe: dict[str, Any]) -> Any:
    own: dict[str, Any] = {}
    own[recipe["key"]] = own
    return own


def _self_array(_: dict[str, Any]) -> Any:
    own: list[Any] = []
    own.append(own)
    return own


def _shared(recipe: dict[str, Any]) -> Any:
    value = again = build(recipe["value"])
    for _ in range(recipe.get("depth", 0)):
        again = [again]
    return [value, again]


def _doubling(recipe: dict[str, Any]) -> Any:
    value: list[Any] = []
    for _ in range(recipe["levels"]):
        value = [value, value]
    return value


def _nested(recipe: dict[str, Any]) -> Any:
    is_object = recipe["kind"] == "object"
    value: Any = {} if is_object else []
    for _ in range(recipe["depth"] - 1):
        value = {"k": value} if is_object else [value]
    return value


def _dead(_: dict[str, Any]) -> Any:
    return weakref.proxy(_Reading({}, "", str))  # nothing else holds it, so it is gone at once


HOSTS: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "nan": lambda _: math.nan,
    "infinity": lambda _: math.inf,
    "minusInfinity": lambda _: -math.inf,
    "integer": lambda recipe: 10 ** recipe["digits"] - 1,
    "string": _string,
    "bytes": lambda _: b"bytes",
    "date": lambda _: datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    "function": lambda _: build,
    "instance": lambda _: object(),
    "stringLike": lambda recipe: _StringLike(recipe["value"]),
    "numberLike": lambda recipe: _NumberLike(recipe["value"]),
    "selfObject": _self_object,
    "selfArray": _self_array,
    "shared": _shared,
    "doubling": _doubling,
    "throws": _throws,
    "changes": _changes,
    "lyingArray": lambda recipe: _LyingArray(build(recipe["items"])),
    "dead": _dead,
    "objectOf": lambda recipe: {build(key): build(value) for key, value in recipe["entries"]},
    "nested": _nested,
}
