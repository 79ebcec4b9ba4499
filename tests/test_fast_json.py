"""The fast way for JSON text accepts nothing that the full way reports, and is the way that clean texts take.

`FAST_JSON_MUTANTS` says how many damaged texts are tried, and `FAST_JSON_SEED` which; a few million take minutes:

    FAST_JSON_MUTANTS=3000000 pytest tests/test_fast_json.py -k damaged
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damage import clean_texts, clean_transcripts, damaged
from full_way import verdict
from message_ir import fast_json, validate_json
from message_ir.conformance.hosts import RECIPE_KEY
from message_ir.conformance.strategies import loose_transcripts, mutated_transcripts, texts, valid_transcripts
from message_ir.data import read_data
from message_ir.fast_json import _PIECE, _judged, _kept, accept_json, count_json, load_json
from message_ir.inspection import Observed, inspect
from message_ir.json_text import NotJsonError, parse
from message_ir.validation import judge_json
from message_ir_types.constants import ARGUMENTS_DEPTH, BLANK_CHARACTERS
from message_ir_types.shapes import BLOCKS, MESSAGES
from python_cases import FIRST_INFINITE
from sessions import assistant, call, result, user
from test_oracle import ORACLE

MUTANTS = int(os.environ.get("FAST_JSON_MUTANTS", "20000"))
SEED = int(os.environ.get("FAST_JSON_SEED", "20261202"))

relaxed = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])


def is_accepted(text: Any) -> bool:
    """Whether the fast way accepts; if it does, the full way must say the same, and so it must of what is left to linkage."""
    calls = accept_json(text)
    messages = load_json(text)
    if isinstance(calls, Observed):
        full = inspect(parse(text))
        assert calls.walk == full.walk, text
        assert not full.malformed_calls | full.malformed_results, text
        assert verdict(text) == judge_json(text), text
        assert validate_json(text) != (), text
        calls = None
    assert calls is None or ((), calls) == tuple(verdict(text)), text
    assert messages is None or calls is not None, text
    assert count_json(text) == (None if calls is None else (len(parse(text)), calls)), text
    if messages is not None:
        expected = inspect(parse(text), freeze=True).messages
        assert list(messages) == expected, text
        assert repr(messages) == repr(tuple(expected)), text
        hash(messages)
    if calls is None and type(text) in (str, bytes):
        assert outcome(fast_json.parse, text) == outcome(parse, text), text
    return calls is not None


def outcome(reads: Callable[[Any], Any], text: str | bytes) -> str:
    """What comes of reading a text; integers that are far out of range may come out as infinities."""
    try:
        return _LONG.sub("inf", repr(reads(text)))
    except NotJsonError as error:
        return repr(error)
    except RecursionError:
        return "too deep to be shown"


_LONG = re.compile("[0-9]{311,}")


def with_value(value: bytes) -> bytes:
    """A round whose call has this JSON text under the key x of its arguments."""
    return json.dumps([assistant(call("c", arguments={"x": "HERE"})), result("c")]).encode().replace(b'"HERE"', value)


def with_extra(value: bytes) -> bytes:
    """A round whose records have this JSON text in a field that no type knows."""
    return json.dumps([user() | {"extra": "HERE"}]).encode().replace(b'"HERE"', value)


# ---- what it accepts


@pytest.mark.parametrize("text", clean_texts())
def test_clean_texts_are_accepted(text: bytes) -> None:
    assert is_accepted(text)
    assert is_accepted(text.decode())
    assert validate_json(text) == ()


@relaxed
@given(valid_transcripts(), st.booleans(), st.sampled_from([None, 2]))
def test_valid_transcripts_are_accepted(transcript: list[Any], ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(transcript, ensure_ascii=ascii_only, indent=indent)
    assert is_accepted(text)
    assert is_accepted(text.encode())


def test_clean_cases_of_the_corpus_are_accepted_but_for_few() -> None:
    clean = [
        (case["id"], is_accepted(json.dumps(case["input"]).encode()))
        for case in json.loads(read_data("cases.json"))["cases"]
        # Host values are no JSON text.
        if case["operation"] == "validate" and case["expect"] == [] and RECIPE_KEY not in json.dumps(case["input"])
    ]
    refused = [name for name, accepted in clean if not accepted]
    assert len(clean) > 40
    assert len(refused) <= len(clean) // 10, refused


def test_no_text_of_the_corpus_is_accepted_where_anything_is_reported() -> None:
    inputs = [
        case["input"] for case in json.loads(read_data("cases.json"))["cases"] if case["operation"] == "validateText"
    ]
    given = [each["text"] if "text" in each else base64.b64decode(each["base64"]) for each in inputs]
    assert len(given) > 50
    assert sum(map(is_accepted, (text for text in given if type(text) in (str, bytes)))) > 5


# Not collected, rather than skipped, where the file is not there.
if ORACLE.exists():

    def test_transcripts_of_the_oracle_are_accepted_exactly_where_nothing_is_expected() -> None:
        lines = [json.loads(line) for line in ORACLE.read_text(encoding="utf-8").splitlines()]
        answers = [(is_accepted(json.dumps(line["transcript"])), line["expected"] == []) for line in lines]
        assert len(lines) == 1500
        assert [accepted for accepted, _ in answers] == [clean for _, clean in answers]
        assert sum(clean for _, clean in answers) > 50


# ---- what it does not


def test_damaged_texts_are_not_accepted_where_anything_is_reported() -> None:
    chance = random.Random(SEED)
    accepted = sum(is_accepted(text) for text in damaged(chance, clean_texts(), MUTANTS))
    # Most damage is real, and some is none; if either were missing, nothing would have been tried.
    assert MUTANTS // 20 < accepted < MUTANTS // 2


@relaxed
@given(texts() | (mutated_transcripts() | loose_transcripts()).map(json.dumps))
def test_texts_that_are_damaged_or_odd_are_not_accepted_where_anything_is_reported(text: str) -> None:
    is_accepted(text)
    is_accepted(text.encode())


NUMBERS = {
    b"1": True, b"-0": True, b"1E5": True, b"1e-400": True, b"0e999": True, b"1.7976931348623157e308": True, b"1" + b"0" * 308: True,
    str(FIRST_INFINITE - 1).encode(): True, b"9" * 320 + b"e-100": True, b"0." + b"0" * 400 + b"1": True,
    str(FIRST_INFINITE).encode(): False, b"-%d" % FIRST_INFINITE: False, b"1e400": False, b"-1e309": False, b"9" * 309: False, b"9" * 5000: False,
    b"01": False, b"1.": False, b".5": False, b"+1": False, b"1e": False, b"-": False, b"NaN": False, b"Infinity": False, b"0x1": False,
}  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{number[:9].decode()}…{len(number)}")
def test_numbers_are_taken_where_they_are_finite(number: bytes) -> None:
    for place in (number, b"[[%b]]" % number, b'{"a":[1,%b]}' % number):
        assert is_accepted(with_value(place)) == NUMBERS[number]


STRINGS = {
    rb'"\ud83d\ude00"': True, rb'"\\ud800"': True, '"\u00e9\u2028\U0001f600"'.encode(): True, b'"\x7f"': True, rb'"\/\b\f\u0000"': True,
    rb'"\ud800"': False, rb'"\udc00"': False, rb'"\ude00\ud83d"': False, rb'"\ud800\u0041aaaaaaaa"': False, rb'"\x"': False, rb'"\u12g4"': False,
    b'"\xff"': False, b'"\xed\xa0\x80"': False, b'"\xc0\x80"': False, b'"\xf5\x80\x80\x80"': False, b'"\xc3"': False, b'"a\tb"': False, b'"\x00"': False,
}  # fmt: skip


@pytest.mark.parametrize("string", STRINGS, ids=repr)
def test_strings_are_taken_where_they_are_unicode(string: bytes) -> None:
    for place in (string, b"{%b:1}" % string, b"[[%b]]" % string):
        assert is_accepted(with_value(place)) == STRINGS[string]
        # Of what is ignored, escaped surrogates are no fault; the fast way may refuse them still.
        assert is_accepted(with_extra(place)) == STRINGS[string]
    assert is_accepted(b'[{"role":"user","id":"m","content":%b}]' % string) == STRINGS[string]


@pytest.mark.parametrize("at", range(-4, 4))
def test_utf_8_is_told_across_the_pieces_in_which_it_is_looked_at(at: int) -> None:
    lead = len(with_extra(b'"').split(b'"extra": "')[0]) + len(b'"extra": "')
    filled = "x" * (_PIECE - lead + at) + "\u00e9\u2028\U0001f600" + "x" * _PIECE
    assert is_accepted(with_extra(json.dumps(filled, ensure_ascii=False).encode()))
    assert not is_accepted(with_extra(json.dumps(filled, ensure_ascii=False).encode()[:-2] + b'\xe2"'))
    assert not is_accepted(with_extra(json.dumps(filled, ensure_ascii=False).encode().replace(b"\x80", b"x", 1)))


@pytest.mark.parametrize("levels", [1, 5, 6, 7, 99, 100, 5000, 200_000])
@pytest.mark.parametrize(("left", "right"), [(b"[", b"]"), (b'{"k":', b"}")])
def test_what_nests_deep_is_refused(levels: int, left: bytes, right: bytes) -> None:
    assert is_accepted(with_value(left * levels + b"1" + right * levels)) == (levels <= 5)
    assert ARGUMENTS_DEPTH > 5


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"null",
        b"{}",
        b"[null]",
        b"[[]]",
        b"[] x",
        b"\xef\xbb\xbf[]",
        "\ufeff[]",
        '["\ud800"]',
        "[]".encode("utf-16"),
    ],
)
def test_what_is_no_transcript_is_refused(text: Any) -> None:
    assert not is_accepted(text)


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "text", [Text("[]"), bytearray(b"[]"), memoryview(b"[]"), type("Bytes", (bytes,), {})(b"[]"), None, [], 3]
)
def test_only_exact_strings_and_bytes_are_looked_at(text: Any) -> None:
    assert accept_json(text) is None


@pytest.mark.parametrize("blank", [*BLANK_CHARACTERS, "", " \ufeff\u3000"], ids=ascii)
@pytest.mark.parametrize("field", ["m", "c", "read"])
def test_blank_ids_and_names_are_refused(blank: str, field: str) -> None:
    text = json.dumps([user("m"), assistant(call("c")), result("c")])
    spoilt = text.replace(json.dumps(field), json.dumps(blank))
    assert spoilt != text
    for each in (spoilt, spoilt.encode(), json.dumps(json.loads(spoilt), ensure_ascii=False).encode()):
        assert not is_accepted(each)


def test_repeated_keys_are_refused_unless_each_value_is_right() -> None:
    template = '[{{"role": "user", "id": "m", "content": "", {}}}]'
    for pair, accepted in {
        '"id": "n"': True, '"content": "x"': True, '"role": "user"': True, r'"\u0069d": "n"': True,
        '"id": 3': False, '"id": ""': False, '"content": null': False, '"role": "assistant"': False, '"role": 3': False, r'"r\u006fle": "x"': False,
    }.items():  # fmt: skip
        assert is_accepted(template.format(pair)) == accepted
    # The last one counts, and is right; refusing it all the same is allowed.
    assert validate_json('[{"id": 3, "role": "x", "content": [], "content": "", "role": "user", "id": "m"}]') == ()


# ---- what it is made of


def test_the_types_are_those_of_the_contract() -> None:
    for types in (*_judged(), *_kept()):
        assert types.family.assistant.__struct_fields__ == ("id", "content")
        for struct, shape in [
            (types.family.assistant, MESSAGES["assistant"]),
            (types.family.result, MESSAGES["toolResult"]),
            (types.family.call, BLOCKS["toolCall"]),
        ]:
            config: Any = struct.__struct_config__
            assert struct.__struct_encode_fields__ == tuple(field.name for field in shape.fields)
            assert config.tag == shape.struct.__struct_config__.tag
            assert config.tag_field == shape.struct.__struct_config__.tag_field


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), ValueError()])
def test_what_the_interpreter_cannot_do_goes_the_full_way(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("message_ir.fast_json.linked", fail)
    assert accept_json(b"[]") is None
    assert validate_json(b"[]") == ()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_ends_a_program_passes_through(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("message_ir.fast_json.linked", fail)
    with pytest.raises(type(error)):
        validate_json(b"[]")


def test_there_are_clean_transcripts_of_every_shape() -> None:
    records = [record for transcript in clean_transcripts() for record in transcript]
    assert {record["role"] for record in records} == MESSAGES.keys()
    assert {
        block["type"] for record in records if record["role"] == "assistant" for block in record["content"]
    } == BLOCKS.keys()
