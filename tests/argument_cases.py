"""The contract's cases of arguments and of reading: what Python holds that JSON does not, depth, cycles, hostile mappings."""

from __future__ import annotations

import datetime
import decimal
import enum
import math
from collections import OrderedDict, UserDict, defaultdict, namedtuple
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from frozendict import frozendict

from contract_cases import SURROGATE, Case, Expected, arguments, invalid
from sessions import assistant, call, result, user


class Colour(enum.StrEnum):
    RED = "red"


class Number(enum.IntEnum):
    ONE = 1


class Text(str):
    """A string that lies about what it equals."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        raise RuntimeError

    def strip(self, *_: object) -> str:
        return ""


class Items(list[Any]):
    """A list that lies to whoever asks it."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError


class Fields(dict[str, Any]):
    """A dict that lies to whoever asks it."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError

    def get(self, *_: Any) -> Any:
        raise RuntimeError

    def keys(self) -> Any:
        raise RuntimeError


class Raising(Mapping[str, Any]):
    """A mapping of which one read raises."""

    def __init__(self, values: dict[str, Any], on: str, error: BaseException | None = None) -> None:
        self.values_, self.on, self.error = values, on, error or RuntimeError()

    def __getitem__(self, key: str) -> Any:
        if key == self.on:
            raise self.error
        return self.values_[key]

    def __iter__(self) -> Iterator[str]:
        raise self.error

    def __len__(self) -> int:
        raise self.error


class Once(Mapping[str, Any]):
    """A mapping that answers each key once; a second read raises."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values_ = dict(values)

    def __getitem__(self, key: str) -> Any:
        return self.values_.pop(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


Pair = namedtuple("Pair", "x y")  # noqa: PYI024 # a tuple's subclass, which is what is tested


def nested(depth: int, kind: type, inner: Any = None) -> Any:
    """Arguments in which objects or arrays nest so deep, the arguments object included."""
    value = inner
    for _ in range(depth - 1):
        value = [value] if kind is list else {"k": value}
    return {"k": value}


def cyclic(kind: str) -> Any:
    if kind == "object":
        own: dict[str, Any] = {"a": 1}
        own["self"] = own
        return own
    array: list[Any] = [1]
    array.append(array if kind == "array" else {"back": [array]})
    return {"k": array}


def shared(levels: int) -> Any:
    """An array that stands twice in an array that stands twice, and so on: small to hold, endless to unfold."""
    value: list[Any] = []
    for _ in range(levels):
        value = [value, value]
    return {"k": value}


def deep_shared() -> Any:
    """A shared array that is shallow enough at its first place and too deep at its second."""
    value: Any = ["x"]
    for _ in range(60):
        value = [value]
    return {"a": value, "b": nested(40, list, value)["k"]}


def with_arguments(value: Any) -> list[Any]:
    return [assistant(call("c", arguments=value)), result("c")]


def good(clauses: str, value: Any) -> Case:
    return Case(clauses, with_arguments(value))


def bad(clauses: str, value: Any, below: str) -> Case:
    return Case(clauses, with_arguments(value), (arguments(f"/0/content/0/arguments{below}"),))


LARGEST = 1.7976931348623157e308
# Halfway between the largest binary64 number and the next power of two: the first integer that rounds to infinity.
FIRST_INFINITE = 2**1024 - 2**970

FOREIGN: dict[str, Any] = {
    "bytes": b"x",
    "a bytearray": bytearray(b"x"),
    "a set": set(),
    "a date": datetime.date(2026, 1, 1),
    "a Decimal": decimal.Decimal(1),
    "a complex number": 1j,
    "a function": print,
    "a class": int,
    "an object": object(),
    "NotImplemented": NotImplemented,
    "a range": range(3),
    "an iterator": map(str, []),
    "a string enum's member": Colour.RED,
    "an integer enum's member": Number.ONE,
    "a string's subclass": Text("x"),
    "an OrderedDict": OrderedDict(),
    "a defaultdict": defaultdict(list),
    "a UserDict": UserDict(),
    "a mapping proxy": MappingProxyType({}),
    "a dict's subclass": Fields(),
}

CALL = call("c")
UNREADABLE: tuple[Expected, ...] = (invalid("/0"),)

CASES: dict[str, Case] = {
    "values: every kind": good("arguments.values arguments.object", {"": None, "a": [True, False, 0, -1, 1.5, "", [], {}], "b": {"c": {"d": [[]]}}}),
    **{f"values: {kind}": bad("arguments.values", {"a": [value]}, "/a/0") for kind, value in FOREIGN.items()},
    **{f"object: {kind}": bad("arguments.object", value, "") for kind, value in FOREIGN.items()},
    "object: frozen": good("arguments.object", frozendict(a=frozendict(b=(1,)))),
    "object: a pair and a tuple are arrays": good("arguments.values", {"k": (Pair(1, 2), Items())}),
    "object: what a lying array holds is judged": bad("arguments.values", {"k": Items([1, b""])}, "/k/1"),
    # numbers
    **{
        f"numbers: {name}": good("arguments.numbers", {"n": value})
        for name, value in {
            "largest": LARGEST, "smallest": -LARGEST, "least": 5e-324, "minus zero": -0.0, "large integer": int(LARGEST),
            "last finite integer": FIRST_INFINITE - 1, "last finite negative integer": 1 - FIRST_INFINITE,
        }.items()
    },
    **{
        f"numbers: {name}": bad("arguments.numbers", {"n": value}, "/n")
        for name, value in {
            "nan": math.nan, "infinity": math.inf, "minus infinity": -math.inf, "first infinite integer": FIRST_INFINITE,
            "first infinite negative integer": -FIRST_INFINITE, "5,000 digits": 10**5000,
        }.items()
    },
    # unicode and keys
    "unicode: pairs": good("arguments.unicode arguments.keys", {"\U0001f600": "\U0001f600"}),
    "unicode: a string": bad("arguments.unicode", {"a": ["x", SURROGATE]}, "/a/1"),
    "keys: a surrogate": bad("arguments.keys", {"a": {SURROGATE: 1}}, "/a"),
    "keys: a surrogate in the arguments object": bad("arguments.keys", {SURROGATE: 1}, ""),
    "keys: a number": bad("arguments.keys", {"a": [{1: 1}]}, "/a/0"),
    "keys: null, a boolean": bad("arguments.keys", {None: 1, True: 2}, ""),
    "keys: a string's subclass": bad("arguments.keys", {"a": {Colour.RED: 1}}, "/a"),
    "keys: before the values": bad("arguments.keys arguments.first", {"a": {"b": math.nan, 1: 2}}, "/a"),
    "keys: after earlier values": bad("arguments.keys arguments.first", {"n": math.nan, "a": {1: 2}}, "/n"),
    "keys: names of prototypes": good("arguments.keys", {"__proto__": {"constructor": {}}, "toString": ""}),
    "keys: escaped in the path": bad("diagnostic.path arguments.numbers", {"a/b": {"~": {"": {"0": math.nan}}}}, "/a~1b/~0//0"),
    # cycles
    "cycle: an object": bad("arguments.cycle", cyclic("object"), "/self"),
    "cycle: an array": bad("arguments.cycle", cyclic("array"), "/k/1"),
    "cycle: over both": bad("arguments.cycle", cyclic("both"), "/k/1/back/0"),
    "shared: twice": good("arguments.shared arguments.cycle", {"a": (one := {"x": [1]}), "b": [one, one]}),
    "shared: 90 levels": good("arguments.shared", shared(90)),
    "shared: too deep where it stands again": bad("arguments.shared arguments.depth", deep_shared(), "/b" + "/0" * 99),
    "shared: empty arrays": good("arguments.shared", {"k": [[]] * 1000}),
    # depth
    "depth: 100 objects": good("arguments.depth", nested(100, dict)),
    "depth: 100 arrays": good("arguments.depth", nested(100, list, "x")),
    "depth: 101 objects": bad("arguments.depth", nested(101, dict), "/k" * 100),
    "depth: 101 arrays": bad("arguments.depth", nested(101, list), "/k" + "/0" * 99),
    "depth: 101 with an empty array": bad("arguments.depth", nested(100, dict, []), "/k" * 100),
    "depth: 100,000": bad("arguments.depth", nested(100_000, list), "/k" + "/0" * 99),
    "depth: an earlier sibling is judged first": bad("arguments.first", {"a": [math.nan], "b": nested(101, dict)}, "/a/0"),
    # one fault
    "first: of two": bad("arguments.first", {"a": {"b": [1, math.nan]}, "c": math.inf}, "/a/b/1"),
    "first: none": good("arguments.first", {"a": 1}),
    "first: of each call": Case(
        "arguments.first", [assistant(call("c", arguments={"n": math.nan}), call("d", arguments={"x": [b"", b""]}))],
        (arguments("/0/content/0/arguments/n"), arguments("/0/content/1/arguments/x/0")),
    ),
    # reading
    "read: mappings of any kind": Case(
        "read.before-judging",
        [MappingProxyType(user()), UserDict(assistant(UserDict(CALL), MappingProxyType({"type": "text", "text": ""}))), Once(result("c"))],
    ),
    "read: lying subclasses": Case(
        "read.before-judging message.object", [Fields(assistant(Fields(CALL)) | {"content": Items([Fields(CALL)])}), Fields(result("c"))],
    ),
    "read: a lying transcript": Case("transcript.array", Items([user(""), Fields(user())]), (invalid("/0/id"),)),
    "read: strings of subclasses": Case(
        "message.role string.exact", [user(Text("m"), Text("x")), assistant(call(Text("c"), Text("t"))), result(Text("c"), Text("t"))],
    ),
    "read: a blank string of a subclass": Case("string.blank", [user(Text(" "))], (invalid("/0/id"),)),
    **{
        f"read: {key} raises": Case("read.raises", [Raising(result("c"), key)], UNREADABLE)
        for key in ("role", "id", "toolCallId", "toolName", "content", "isError")
    },
    **{
        f"read: raises {type(error).__name__}": Case("read.raises", [Raising(user(), "content", error)], UNREADABLE)
        for error in (ValueError(), MemoryError(), RecursionError(), GeneratorExit(), StopIteration(), AttributeError(), BaseException())
    },
    "read: a KeyError is an absent field": Case("read.raises diagnostic.path", [Raising(user(), "content", KeyError())], (invalid("/0/content"),)),
    "read: nothing more is said of the record": Case("read.raises read.before-judging", [Raising(result(" ", ""), "isError")], UNREADABLE),
    "read: a field of another role is not read": Case("read.order properties.ignored", [Raising(user(), "toolCallId")]),
    "read: a field of another type is not read": Case("read.order", [assistant(Raising({"type": "text", "text": ""}, "arguments"))]),
    "read: a block raises": Case("read.raises", [assistant(Raising({"type": "text"}, "text"), 3)], (invalid("/0/content/0"), invalid("/0/content/1"))),
    "read: what was read before still counts": Case(
        "read.order silence.malformed-ids", [assistant(CALL), Raising(result("c"), "toolName")], (invalid("/1"),),
    ),
    "read: what comes after does not": Case(
        "read.order", [assistant(CALL), Raising(result("c"), "id")], (invalid("/1"), ("MISSING_TOOL_RESULT", "/0/content/0/id", ())),
    ),
    "read: a block's id was read before": Case("read.order", [assistant(Raising(CALL, "arguments")), result("c")], (invalid("/0/content/0"),)),
    "read: what raises while ids are gathered is passed over": Case(
        "silence.malformed-ids", [user(" ", [CALL, Raising(CALL, "id")]), result("c"), Raising(user(" "), "toolCallId")],
        (invalid("/0/id"), invalid("/2/id")),
    ),
}  # fmt: skip
