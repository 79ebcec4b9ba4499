"""Hypothesis strategies for what a port can be sent: transcripts of agents, the same with faults in them, and JSON texts."""

from __future__ import annotations

import copy
import json
from typing import Any, Final

from hypothesis import strategies as st

from message_ir.conformance.hosts import RECIPE_KEY

IDS: Final = ("c1", "c2", "c3", "c", "C1", "__proto__", " c1")
NAMES: Final = ("read", "write", "bash")
TEXTS: Final = ("", "Gehörst du dazu?", "\U0001f600")

# Text without surrogates; short, since length shows nothing.
PROSE: Final = st.text(max_size=8)


def is_plain_key(text: str) -> bool:
    """Whether a key means the same to every port: some languages move keys that look like numbers before all others."""
    return text != RECIPE_KEY and not text.isdecimal()


KEYS: Final = PROSE.filter(is_plain_key)

JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | PROSE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
# Most calls have plain arguments.
ARGUMENTS: Final = st.just({"path": "."}).map(dict) | st.dictionaries(KEYS, JSON, max_size=3)

# Each a copy of its own: what is drawn may be changed.
ODD_JSON: Final[st.SearchStrategy[Any]] = st.sampled_from(
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
).map(copy.deepcopy)


def _call(id_: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": id_, "name": name, "arguments": arguments}


def _assistant(id_: str, content: Any) -> dict[str, Any]:
    return {"id": id_, "role": "assistant", "content": content}


def _result(id_: str, name: str) -> dict[str, Any]:
    return {"id": "r", "role": "toolResult", "toolCallId": id_, "toolName": name, "content": "", "isError": False}


@st.composite
def valid_transcripts(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Turns of an agent: a user, calls in parallel, their results in any order, text in between.

    Only what decides how calls and results are tied is drawn here: each draw costs more than comparing a transcript, and
    fields of other values come from mutation, and from records of the right shape that are paired by chance.
    """
    transcript: list[dict[str, Any]] = []
    number = 0
    for _ in range(draw(st.integers(0, 3))):
        transcript.append({"id": f"m{len(transcript)}", "role": "user", "content": TEXTS[1]})
        for count in draw(st.lists(st.integers(0, 3), max_size=2)):
            calls = [(f"call-{number + at}", draw(st.sampled_from(NAMES))) for at in range(count)]
            number += count
            blocks: list[dict[str, Any]] = [_call(id_, name, draw(ARGUMENTS)) for id_, name in calls]
            if draw(st.booleans()):
                blocks.insert(draw(st.integers(0, count)), {"type": "text", "text": TEXTS[2]})
            transcript.append({"id": f"m{len(transcript)}", "role": "assistant", "content": blocks})
            for id_, name in draw(st.permutations(calls)) if count > 1 else calls:
                transcript.append(_result(id_, name) | {"id": f"m{len(transcript)}"})
    return transcript


# Drawn whole, since one draw is cheaper than one for each field.
_BLOCKS: Final = st.sampled_from(
    [_call(id_, name, {"id": id_}) for id_ in IDS for name in NAMES]
    + [{"type": "text", "text": text} for text in TEXTS]
).map(copy.deepcopy)
_RECORDS: Final = st.one_of(
    st.sampled_from(
        [{"id": id_, "role": "user", "content": text} for id_ in IDS for text in TEXTS]
        + [_result(id_, name) for id_ in IDS for name in NAMES]
    ).map(dict),
    st.builds(_assistant, st.sampled_from(IDS), st.lists(_BLOCKS, max_size=3)),
)


def loose_transcripts() -> st.SearchStrategy[list[dict[str, Any]]]:
    """Records of the right shape whose calls and results are paired by chance."""
    return st.lists(_RECORDS, max_size=8)


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
                parent[key] = draw(ODD_JSON | PROSE)
            case "drop":
                del parent[key]
            case "repeat" if isinstance(parent, list):
                parent.insert(draw(st.integers(0, len(parent))), copy.deepcopy(parent[key]))
            case _ if isinstance(parent, list):
                other = draw(st.integers(0, len(parent) - 1))
                parent[key], parent[other] = parent[other], parent[key]
    return transcript


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a JSON value, but its root."""
    children = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    return [place for key, child in children for place in ((*path, key), *places(child, (*path, key)))]


# What a text is damaged with: pieces of JSON, and what looks like JSON.
_PIECES: Final = st.sampled_from(
    [*'[]{}:,"\\/ \n\t', "\\u0000", "\\ud800", "\\udc00", "\\x", "\ufeff", "\x00", "\x1f", "NaN", "-Infinity", "1e400", "-0",
     "01", "1.", ".5", "1e5", "null", "tru", "'", "//", "/**/", "\u2028", "[[[[", '"role"', '"id":'],
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """JSON texts of transcripts, most of them damaged in a few places."""
    text = json.dumps(draw(mutated_transcripts()), ensure_ascii=draw(st.booleans()))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 4)))
        text = text[:start] + draw(_PIECES | st.just("")) + text[end:]
    return text


def requests() -> st.SearchStrategy[tuple[str, Any]]:
    """An operation that reports diagnostics, and its input."""
    return st.one_of(
        st.tuples(st.just("validate"), mutated_transcripts()),
        st.tuples(st.just("validateText"), st.builds(lambda text: {"text": text}, texts())),
    )
