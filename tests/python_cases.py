"""The contract's cases of what only Python holds: message objects, foreign values, subclasses that lie, mappings that raise.

What every language has is in the corpus.
"""

from __future__ import annotations

import datetime
import decimal
import enum
from collections import OrderedDict, UserDict, defaultdict, namedtuple
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from frozendict import frozendict

from message_ir import TextBlock, UserMessage
from sessions import assistant, call, result, user

Expected = tuple[str, str, tuple[str, ...]]
"""Code, path, related; the index is that of the path."""


class Case(NamedTuple):
    """One transcript, and everything that is said of it."""

    clauses: str
    """The ids of the clauses that it shows, separated by spaces."""
    value: Any
    expected: tuple[Expected, ...] = ()


def invalid(path: str) -> Expected:
    return ("INVALID_MESSAGE", path, ())


def arguments(path: str) -> Expected:
    return ("INVALID_TOOL_ARGUMENTS", path, ())


SURROGATE = "a\ud800b"


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


class Incomparable(type):
    """A metaclass whose classes raise when they are compared."""

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError

    __hash__ = type.__hash__


class OfIncomparable(dict[str, Any], metaclass=Incomparable):
    """A dict of such a class."""


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
    # records
    "records: a tuple": Case("transcript.array", (user(),)),
    "records: a tuple of blocks": Case("assistant.content", [assistant() | {"content": ({"type": "text", "text": ""},)}]),
    "records: generated messages": Case(
        "message.object block.object",
        [UserMessage(id="m", content=""), assistant(TextBlock(text=""), call("c")), result("c")],
    ),
    "records: generated ones are judged too": Case(
        "message.object", [UserMessage(id=" ", content=""), assistant(TextBlock(text=SURROGATE))], (invalid("/0/id"), invalid("/1/content/0/text"))
    ),
    "records: a block in the place of a record": Case("message.role", [TextBlock(text="")], (invalid("/0/role"),)),
    "records: a message in the place of a block": Case("block.type", [assistant(UserMessage(id="m", content=""))], (invalid("/0/content/0/type"),)),
    **{f"values: {kind}": bad("arguments.values", {"a": [value]}, "/a/0") for kind, value in FOREIGN.items()},
    **{f"object: {kind}": bad("arguments.object", value, "") for kind, value in FOREIGN.items()},
    "object: frozen": good("arguments.object", frozendict(a=frozendict(b=(1,)))),
    "object: a pair and a tuple are arrays": good("arguments.values", {"k": (Pair(1, 2), Items())}),
    "object: what a lying array holds is judged": bad("arguments.values", {"k": Items([1, b""])}, "/k/1"),
    "arguments: of a class that raises when it is compared": bad("arguments.object", OfIncomparable(), ""),
    # numbers
    **{
        f"numbers: {name}": good("arguments.numbers", {"n": value})
        for name, value in {
            "large integer": int(LARGEST),
            "last finite integer": FIRST_INFINITE - 1, "last finite negative integer": 1 - FIRST_INFINITE,
        }.items()
    },
    **{
        f"numbers: {name}": bad("arguments.numbers", {"n": value}, "/n")
        for name, value in {
            "first infinite integer": FIRST_INFINITE,
            "first infinite negative integer": -FIRST_INFINITE, "5,000 digits": 10**5000,
        }.items()
    },
    # keys
    "keys: null, a boolean": bad("arguments.keys", {None: 1, True: 2}, ""),
    "keys: a string's subclass": bad("arguments.keys", {"a": {Colour.RED: 1}}, "/a"),
    # cycles
    "cycle: over both": bad("arguments.cycle", cyclic("both"), "/k/1/back/0"),
    "shared: too deep where it stands again": bad("arguments.shared arguments.depth", deep_shared(), "/b" + "/0" * 99),
    "shared: empty arrays": good("arguments.shared", {"k": [[]] * 1000}),
    # depth
    "depth: 100,000": bad("arguments.depth", nested(100_000, list), "/k" + "/0" * 99),
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
