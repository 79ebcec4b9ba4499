"""Hypothesis strategies for values that no one should pass, beside those that any port can be sent."""

from __future__ import annotations

import decimal
from typing import Any

from hypothesis import strategies as st

from message_ir import TextBlock, ToolCall
from message_ir.conformance.strategies import ODD_JSON, loose_transcripts, places, valid_transcripts
from python_cases import Colour, Fields, Items, Number, Once, Raising, Text, cyclic, nested, shared
from sessions import call


class Disguised:
    """An object whose class is not what it says."""

    @property  # type: ignore[misc] # that is the disguise
    def __class__(self) -> Any:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError

    def __bool__(self) -> bool:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


class HostileType(type):
    """A metaclass that does not say what its classes are."""

    def __instancecheck__(cls, instance: object) -> bool:
        raise RuntimeError

    def __subclasscheck__(cls, subclass: type) -> bool:
        raise RuntimeError


class SilentType(HostileType):
    """A metaclass that answers nothing at all; not even hypothesis can hold its classes."""

    def __hash__(cls) -> int:
        raise RuntimeError

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError

    @property
    def __name__(cls) -> str:  # type: ignore[override] # that is what is hostile
        raise RuntimeError


class Hostile(metaclass=HostileType):
    """An instance of such a class."""


class HostileDict(dict[str, Any], metaclass=HostileType):
    """A dict of such a class."""


class Silent(metaclass=SilentType):
    """An instance of a class that answers nothing."""


class SilentDict(dict[str, Any], metaclass=SilentType):
    """A dict of a class that answers nothing."""


class SilentList(list[Any], metaclass=SilentType):
    """A list of a class that answers nothing."""


class HostileKey:
    """A key that is found in a dict where "role" is looked for, and raises when it is compared."""

    def __hash__(self) -> int:
        return hash("role")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


def hostile_values() -> st.SearchStrategy[Any]:
    """Values that raise, lie, contain themselves, or are too large or too deep."""
    fields: dict[str, Any] = {
        "role": "assistant",
        "id": "m",
        "content": [call("c1")],
        "type": "toolCall",
        "name": "x",
        "arguments": {},
    }
    fields |= {"toolCallId": "c1", "toolName": "x", "isError": False}
    errors = st.sampled_from(
        [RuntimeError(), MemoryError(), GeneratorExit(), BaseException(), StopIteration(), KeyError()]
    )
    return st.one_of(
        st.builds(lambda on, error: Raising(fields, on, error), st.sampled_from([*fields, "nothing"]), errors),
        st.builds(lambda: Once(fields)),
        st.builds(lambda: Fields(fields)),
        st.builds(lambda: Items([fields, 3])),
        st.builds(lambda: HostileDict(fields)),
        st.builds(lambda: {HostileKey(): 1}),
        st.builds(lambda: cyclic("object")),
        st.builds(lambda: cyclic("array")),
        st.builds(lambda: nested(5_000, list)),
        st.builds(lambda: shared(60)),
        st.builds(Disguised),
        st.builds(Hostile),
        st.builds(lambda: Text("assistant")),
        st.builds(lambda: ToolCall(id=Hostile(), name=Disguised(), arguments=Raising({}, "x"))),  # type: ignore[arg-type] # hostile
        st.builds(lambda: TextBlock(text="\ud800")),
        st.builds(lambda: 10**5000),
        st.sampled_from([float("nan"), float("inf"), "\ud800", b"x", decimal.Decimal("NaN"), Colour.RED, Number.ONE]),
        st.sampled_from([object, print, range(3), 1j, NotImplemented, ...]),
    )  # fmt: skip


def anything() -> st.SearchStrategy[Any]:
    """Values of every kind at every place: as transcript, record, block, field and argument."""
    leaves = st.one_of(hostile_values(), ODD_JSON, st.floats(), st.text(st.characters(), max_size=3))
    keys = st.sampled_from(
        ["role", "id", "content", "type", "text", "name", "arguments", "toolCallId", "toolName", "isError", "x"]
    )
    records = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=6), max_leaves=12
    )
    return st.one_of(records, st.lists(records, max_size=4), placed(leaves))


@st.composite
def placed(draw: st.DrawFn, odd: st.SearchStrategy[Any]) -> Any:
    """A real-looking transcript with an odd value put somewhere in it."""
    transcript: Any = draw(valid_transcripts() | loose_transcripts())
    all_places = places(transcript)
    if not all_places:
        return [draw(odd)]
    # The deepest first, so that the path to each is still there.
    for *path, key in sorted(
        draw(st.lists(st.sampled_from(all_places), min_size=1, max_size=3)), key=len, reverse=True
    ):
        parent: Any = transcript
        for step in path:
            parent = parent[step]
        parent[key] = draw(odd)
    return transcript
