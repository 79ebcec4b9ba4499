"""Hypothesis strategies: real-looking transcripts, the same with faults in them, and values that no one should pass."""

from __future__ import annotations

import decimal
from typing import Any

from hypothesis import strategies as st

from argument_cases import Colour, Fields, Items, Number, Once, Raising, Text, cyclic, nested, shared
from message_ir import TextBlock, ToolCall
from sessions import call

IDS = st.sampled_from(["c1", "c2", "c3", "c", "C1", "__proto__", " c1"])
NAMES = st.sampled_from(["read", "write", "bash"])

# Text without surrogates; short, since length shows nothing.
PROSE = st.text(max_size=8)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | PROSE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PROSE, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(PROSE, JSON, max_size=3)


@st.composite
def valid_transcripts(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Turns of an agent: a user, calls in parallel, their results in any order, text in between."""
    transcript: list[dict[str, Any]] = []
    number = 0
    for _ in range(draw(st.integers(0, 4))):
        transcript.append({"id": draw(IDS), "role": "user", "content": draw(PROSE)})
        for _ in range(draw(st.integers(0, 2))):
            calls = [(f"call-{number + at}", draw(NAMES)) for at in range(draw(st.integers(0, 3)))]
            number += len(calls)
            blocks: list[dict[str, Any]] = [call(id_, name, draw(ARGUMENTS)) for id_, name in calls]
            for _ in range(draw(st.integers(0, 2))):
                blocks.insert(draw(st.integers(0, len(blocks))), {"type": "text", "text": draw(PROSE)})
            transcript.append({"id": draw(IDS), "role": "assistant", "content": blocks})
            for id_, name in draw(st.permutations(calls)):
                fields = {"toolCallId": id_, "toolName": name, "content": draw(PROSE), "isError": draw(st.booleans())}
                transcript.append({"id": draw(IDS), "role": "toolResult", **fields})
    return transcript


@st.composite
def loose_transcripts(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Records of the right shape whose calls and results are paired by chance."""
    blocks = st.one_of(
        st.builds(call, IDS, NAMES, ARGUMENTS),
        st.builds(lambda text: {"type": "text", "text": text}, PROSE),
    )
    records = st.one_of(
        st.builds(lambda id_, text: {"id": id_, "role": "user", "content": text}, IDS, PROSE),
        st.builds(lambda id_, content: {"id": id_, "role": "assistant", "content": content}, IDS, st.lists(blocks, max_size=3)),
        st.builds(
            lambda id_, name: {
                "id": "r", "role": "toolResult", "toolCallId": id_, "toolName": name, "content": "", "isError": False,
            },
            IDS, NAMES,
        ),
    )  # fmt: skip
    return draw(st.lists(records, max_size=8))


ODD_JSON: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        1.5,
        "",
        " ",
        "\ufeff",
        "\x85",
        "x",
        "user",
        "assistant",
        "toolResult",
        "text",
        "toolCall",
        [],
        {},
        [{}],
    ]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a JSON value, but its root."""
    children = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    return [place for key, child in children for place in ((*path, key), *places(child, (*path, key)))]


@st.composite
def mutated_transcripts(draw: st.DrawFn) -> list[Any]:
    """Transcripts in which values are replaced, dropped or repeated; plain JSON without surrogates."""
    transcript: list[Any] = draw(valid_transcripts() | loose_transcripts())
    for _ in range(draw(st.integers(0, 3))):
        all_places = places(transcript)
        if not all_places:
            break
        *path, key = draw(st.sampled_from(all_places))
        parent: Any = transcript
        for step in path:
            parent = parent[step]
        match draw(st.sampled_from(["replace", "drop", "repeat", "swap"])):
            case "replace":
                parent[key] = draw(ODD_JSON)
            case "drop":
                del parent[key]
            case "repeat" if isinstance(parent, list):
                parent.insert(draw(st.integers(0, len(parent))), parent[key])
            case _ if isinstance(parent, list):
                other = draw(st.integers(0, len(parent) - 1))
                parent[key], parent[other] = parent[other], parent[key]
    return transcript


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
