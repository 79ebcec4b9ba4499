"""Diagnostics: the examples of the spec, the wire form, and prose that is short and cannot speak to a terminal."""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from message_ir import Diagnostic, DiagnosticCode, validate_transcript
from message_ir_generator.spec import load
from message_ir_types.catalogue import CATALOGUE, CLAUSES, MUST
from message_ir_types.messages import Reason
from sessions import assistant, call, result, user

CHECKOUT = Path(__file__).parents[1]
SPEC = load(CHECKOUT / "spec/message-ir.yaml", CHECKOUT / "spec/message-ir.schema.yaml")


@pytest.mark.parametrize("code", SPEC.diagnostics)
def test_the_examples_of_the_spec_are_what_they_say(code: str) -> None:
    entry = SPEC.diagnostics[code]
    found = [
        {"code": each.code, "messageIndex": each.message_index, "path": each.path, "related": list(each.related)}
        for each in validate_transcript(entry["broken"]["transcript"])
    ]
    assert found == [{"code": code} | expected for expected in entry["broken"]["diagnostics"]]
    assert validate_transcript(entry["mended"]) == ()


def test_the_catalogue_says_what_the_spec_says() -> None:
    assert list(CATALOGUE) == list(SPEC.diagnostics) == list(DiagnosticCode)
    assert list(MUST) == list(SPEC.reasons) == list(Reason)
    assert dict(CLAUSES) == SPEC.clauses
    for code, entry in CATALOGUE.items():
        source = SPEC.diagnostics[code]
        assert (entry.why, entry.mend, dict(entry.prose)) == (source["why"], source["mend"], source["prose"])
        assert json.loads(entry.broken) == source["broken"]["transcript"]
        assert json.loads(entry.mended) == source["mended"]
        assert len(entry.seen_as) == len(source["seenAs"])


def test_the_wire_form() -> None:
    (found,) = validate_transcript([assistant(call("c")), result("c", "x")])
    wire = json.loads(msgspec.json.encode(found))
    assert wire == {
        "code": "TOOL_NAME_MISMATCH",
        "messageIndex": 1,
        "path": "/1/toolName",
        "related": ["/0/content/0/name"],
        "message": 'The result at transcript[1] is of tool "x", but the call "c" that it answers is of "read".',
    }
    assert msgspec.json.decode(msgspec.json.encode(found), type=Diagnostic) == found


def test_diagnostics_are_frozen_and_pickle_copy_compare_and_hash() -> None:
    found = validate_transcript([user(" "), result("c")])
    assert type(found) is tuple
    for twin in (
        pickle.loads(pickle.dumps(found)),
        copy.deepcopy(found),
        validate_transcript([user(" "), result("c")]),
    ):
        assert twin == found
        assert hash(twin) == hash(found)
    with pytest.raises(TypeError):
        object.__setattr__(found[0], "code", "x")
    with pytest.raises(AttributeError):
        found[0].path = ""  # type: ignore[misc] # what is tested


HOSTILE = '\x1b[2J\r\n\x00\x7f\x9b\u202e\u2028\u200b\U000e0001\ud800"\\ '


def hostile_type() -> Any:
    return type(HOSTILE.replace("\0", "").replace("\ud800", ""), (), {})()


SAYS_HOSTILE = {
    "an id": [result(HOSTILE.replace("\ud800", "") + "x")],
    "names": [
        assistant(call("c", HOSTILE.replace("\ud800", "") + "x")),
        result("c", "y" + HOSTILE.replace("\ud800", "")),
    ],
    "a role": [user() | {"role": HOSTILE}],
    "a block type": [assistant({"type": HOSTILE})],
    "a key": [assistant(call("c", arguments={HOSTILE.replace("\ud800", ""): math.nan}))],
    "a type": [hostile_type()],
    "a type in arguments": [assistant(call("c", arguments={"k": hostile_type()}))],
    "the transcript's type": hostile_type(),
}


@pytest.mark.parametrize("transcript", SAYS_HOSTILE.values(), ids=SAYS_HOSTILE)
def test_prose_holds_nothing_that_is_not_printable(transcript: Any) -> None:
    found = validate_transcript(transcript)
    assert found
    assert "\\u001b[2J\\u000d\\u000a" in found[0].message
    for each in found:
        assert each.message.isprintable()
        each.message.encode()
        each.path.encode()


@pytest.mark.parametrize("length", [63, 64, 65, 10_000])
def test_prose_quotes_at_most_64_characters(length: int) -> None:
    said = validate_transcript([result("i" * length)])[0].message
    assert said.count("i" * min(length, 64)) == 1
    assert "i" * 65 not in said
    assert ("…" in said) == (length > 64)
    long = "q" * length
    for transcript in (
        [user() | {"role": long}],
        [assistant({"type": long})],
        [assistant(call("c", arguments={long: math.nan}))],
        [assistant(call("c", long)), result("c", f"{long}x")],
        [type(long, (), {})()],
    ):
        for each in validate_transcript(transcript):
            assert "q" * 65 not in each.message


def test_prose_names_the_place_as_code_would() -> None:
    (found, *_) = validate_transcript(
        [assistant(call("c", arguments={"a": [{"b c": {"d-e": {"_f": {"": math.nan}}}}]}))]
    )
    assert found.path == "/0/content/0/arguments/a/0/b c/d-e/_f/"
    assert found.message.startswith('transcript[0].content[0].arguments.a[0]["b c"]["d-e"]._f[""] must be a number')


@pytest.mark.parametrize(
    ("transcript", "message"),
    [
        ({}, "The transcript must be an array of messages, but it is an object."),
        (None, "The transcript must be an array of messages, but it is null."),
        ([[]], "transcript[0] must be an object that can be read, but it is an array."),
        ([user(3)], "transcript[0].id must be a non-blank string, but it is a number."),  # type: ignore[arg-type] # what is tested
        ([{"role": "user"}], "transcript[0].id must be a non-blank string, but it is absent."),
        (
            [user(content="\ud800")],
            "transcript[0].content must be valid Unicode, without unpaired surrogates, but it has one.",
        ),
        ([user() | {"role": "tool"}], 'transcript[0].role must be user, assistant or toolResult, but it is "tool".'),
        ([assistant({"type": "image"})], 'transcript[0].content[0].type must be text or toolCall, but it is "image".'),
        ([result("c") | {"isError": 0}], "transcript[0].isError must be true or false, but it is a number."),
    ],
)
def test_prose_says_what_a_value_must_be_and_what_it_is(transcript: Any, message: str) -> None:
    assert validate_transcript(transcript)[0].message == message


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({1: 2}, "arguments must be a plain object with string keys, but it has a key that is not a string."),
        ({"\ud800": 2}, "arguments must be valid Unicode, without unpaired surrogates, but it has a key with one."),
        ("{}", "arguments must be a plain object with string keys, but it is a string."),
        ({"k": b""}, 'arguments.k must be a JSON value, but it is a value of type "bytes".'),
        ({"k": math.nan}, "arguments.k must be a number that is finite as binary64, but it is NaN."),
        ({"k": 10**5000}, "arguments.k must be a number that is finite as binary64, but it is out of range."),
    ],
)
def test_prose_of_arguments(arguments: Any, said: str) -> None:
    assert (
        validate_transcript([assistant(call("c", arguments=arguments))])[0].message
        == f"transcript[0].content[0].{said}"
    )
