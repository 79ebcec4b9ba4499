"""JSON text: what is not JSON is one report, what is JSON and wrong is reported in place, and no depth is too deep."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from message_ir import InvalidTranscriptError, loads, validate_json, validate_transcript
from message_ir.json_text import NotJsonError, _parse_deep, parse
from sessions import assistant, call, result, user

DEEP = 100_000


def found(text: Any) -> list[tuple[str, str]]:
    return [(each.code.value, each.path) for each in validate_json(text)]


def in_arguments(value: str) -> str:
    """A round whose call has this JSON text under the key x of its arguments."""
    return json.dumps([assistant(call("c", arguments={"x": "HERE"})), result("c")]).replace('"HERE"', value)


class Lying(str):
    __slots__ = ()

    def encode(self, *_: Any) -> bytes:
        raise RuntimeError

    def startswith(self, *_: Any) -> bool:
        raise RuntimeError


class LyingBytes(bytes):
    def decode(self, *_: Any) -> str:
        raise RuntimeError


VALID = json.dumps([user(content="\u00e9\u2028")], ensure_ascii=False)


TEXTS: dict[str, Any] = {
    "a string": VALID,
    "bytes": VALID.encode(),
    "a bytearray": bytearray(VALID.encode()),
    "a memoryview": memoryview(VALID.encode()),
    "every other byte of a memoryview": memoryview(bytes(each for byte in VALID.encode() for each in (byte, 0)))[::2],
    "a string's subclass": Lying(VALID),
    "a subclass of bytes": LyingBytes(VALID.encode()),
    "with white space around it": f" \t\r\n{VALID}\n",
    "an empty transcript": "[]",
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_of_every_kind_is_taken(name: str) -> None:
    assert validate_json(TEXTS[name]) == ()
    assert loads(TEXTS[name]) == (() if name == "an empty transcript" else loads(VALID))


RELEASED = memoryview(b"[]")
RELEASED.release()

NOT_JSON: dict[str, tuple[Any, str]] = {
    "nothing": ("", "it is empty, line 1, column 1"),
    "no bytes": (b"", "it is empty, line 1, column 1"),
    "white space": (" \n ", "it is empty, line 2, column 2"),
    "cut off": ('[\n {"id": "m', "unterminated string, line 2, column 9"),
    "a trailing comma": ("[1,]", "expecting value"),
    "a trailing comma in an object": ('[{"a": 1,}]', "expecting property name"),
    "something after the value": ("[] []", "extra data, line 1, column 4"),
    "single quotes": ("['a']", "expecting value"),
    "a comment": ("[] // x", "extra data"),
    "a control character in a string": ('["a\tb"]', "invalid control character, line 1, column 4"),
    "NUL bytes": (b"\0\0", "expecting value"),
    "NaN": ("[NaN]", "NaN is not a JSON number"),
    "Infinity": ("[Infinity]", "Infinity is not a JSON number"),
    "minus Infinity": ("[-Infinity]", "-Infinity is not a JSON number"),
    "a leading zero": ("[01]", "expecting ',' delimiter"),
    "a plus sign": ("[+1]", "expecting value"),
    "no fraction": ("[1.]", "expecting ',' delimiter"),
    "hexadecimal": ("[0x10]", "expecting ',' delimiter"),
    "other digits": ("[\u0661]", "expecting value"),
    "a wrong escape": (r'["\x41"]', "invalid \\escape"),
    "a byte order mark": ("\ufeff[]", "it starts with a byte order mark"),
    "a byte order mark in bytes": (b"\xef\xbb\xbf[]", "it starts with a byte order mark"),
    "UTF-16": ("[]".encode("utf-16"), "byte 0 is not UTF-8"),
    "UTF-16 without a mark": ("[]".encode("utf-16-le"), "expecting value"),
    "Latin-1": ("[\n\n'\u00e9']".encode("latin-1"), "byte 4 is not UTF-8"),
    "an encoded surrogate": (b'["\xed\xa0\x80"]', "byte 2 is not UTF-8"),
    "a raw surrogate": ('["\ud800"]', "character 2 is an unpaired surrogate"),
    "a released view": (RELEASED, "its bytes cannot be read"),
    "None": (None, "it is neither a string nor bytes"),
    "a number": (3, "it is neither a string nor bytes"),
    "a transcript": ([], "it is neither a string nor bytes"),
}


@pytest.mark.parametrize(("text", "problem"), NOT_JSON.values(), ids=NOT_JSON)
def test_text_that_is_not_json_is_one_report(text: Any, problem: str) -> None:
    (diagnostic,) = validate_json(text)
    assert (diagnostic.code, diagnostic.message_index, diagnostic.path, diagnostic.related) == (
        "INVALID_TRANSCRIPT",
        -1,
        "",
        (),
    )
    assert diagnostic.message.startswith(f"The text is not JSON: {problem}")
    with pytest.raises(InvalidTranscriptError) as caught:
        loads(text)
    assert caught.value.diagnostics == (diagnostic,)


NUMBERS = [
    "1e400",
    "-1e400",
    "1e309",
    "1" + "0" * 309,
    "9" * 310,
    "-" + "9" * 310,
    "9" * 5000,
    "-" + "9" * 5000,
    "9" * 5000 + ".5",
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{number[:8]}…{len(number)}")
def test_a_number_too_large_is_reported_where_it_stands(number: str) -> None:
    assert found(in_arguments(f"[1, {number}]")) == [("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments/x/1")]
    assert validate_json(json.dumps([user()]).replace('"hello"', f'"hello", "n": {number}')) == ()


@pytest.mark.parametrize(
    "number", ["1.7976931348623157e308", "1" + "0" * 308, "-1" + "0" * 308, "1e-400", "-0", "0." + "0" * 5000 + "1"]
)
def test_a_number_that_is_finite_is_none(number: str) -> None:
    assert found(in_arguments(number)) == []


def test_escaped_surrogates_are_reported_where_they_stand() -> None:
    assert found(in_arguments(r'["\ud83d\ude00", "\ud83d"]')) == [
        ("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments/x/1")
    ]
    assert found(in_arguments(r'{"\udc00": 1}')) == [("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments/x")]
    assert found(r'[{"id": "\ud800", "role": "user", "content": ""}]') == [("INVALID_MESSAGE", "/0/id")]
    assert found(r'[{"id": "m", "role": "user", "content": "\ude00\ud83d"}]') == [("INVALID_MESSAGE", "/0/content")]


def test_of_repeated_keys_the_last_counts() -> None:
    assert found('[{"id": 3, "role": "x", "content": [], "content": "", "role": "user", "id": "m"}]') == []
    assert found('[{"id": "m", "role": "user", "content": "", "id": ""}]') == [("INVALID_MESSAGE", "/0/id")]
    assert found(in_arguments('1e999, "x": 1')) == []
    assert found(in_arguments('1, "x": {"y": 1, "y": 1e999}')) == [
        ("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments/x/y")
    ]


@pytest.mark.parametrize("brackets", [("[", "]"), ('{"k":', "}")], ids=["arrays", "objects"])
class TestDepth:
    """Text nested so deep that no recursive parser takes it."""

    def text(self, brackets: tuple[str, str]) -> str:
        return brackets[0] * DEEP + "1" + brackets[1] * DEEP

    def test_at_the_root(self, brackets: tuple[str, str]) -> None:
        code, path = ("INVALID_MESSAGE", "/0") if brackets[0] == "[" else ("INVALID_TRANSCRIPT", "")
        assert found(self.text(brackets)) == [(code, path)]

    def test_in_arguments(self, brackets: tuple[str, str]) -> None:
        below = "/0" * 99 if brackets[0] == "[" else "/k" * 99
        assert found(in_arguments(self.text(brackets))) == [
            ("INVALID_TOOL_ARGUMENTS", f"/0/content/0/arguments/x{below}")
        ]

    def test_in_a_property_that_is_ignored(self, brackets: tuple[str, str]) -> None:
        text = json.dumps([user()]).replace('"hello"', f'"hello", "extra": {self.text(brackets)}')
        assert found(text) == []
        assert [message.id for message in loads(text)] == ["u"]

    def test_cut_off(self, brackets: tuple[str, str]) -> None:
        (diagnostic,) = validate_json(self.text(brackets)[:-1])
        assert (
            diagnostic.message
            == f"The text is not JSON: expecting ',' delimiter, line 1, column {len(self.text(brackets))}."
        )

    def test_with_something_after_it(self, brackets: tuple[str, str]) -> None:
        (diagnostic,) = validate_json(self.text(brackets) + " x")
        assert "extra data" in diagnostic.message

    def test_with_a_mistake_at_the_bottom(self, brackets: tuple[str, str]) -> None:
        (diagnostic,) = validate_json(self.text(brackets).replace("1", "NaN"))
        assert "NaN is not a JSON number" in diagnostic.message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES, st.sampled_from([None, 1, "\t"]))
def test_the_deep_parser_reads_what_the_library_reads(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    assert _parse_deep(text) == json.loads(text)


@given(VALUES, st.integers(0, 200), st.text('[]{}",:0 \\x\n', max_size=3), st.integers(0, 3))
@example([], 1, "", 1)
def test_the_deep_parser_refuses_what_the_library_refuses(value: Any, at: int, inserted: str, cut: int) -> None:
    text = json.dumps(value)
    text = text[:at] + inserted + text[at + cut :]
    outcomes = []
    for reads in (parse, _parse_deep):
        try:
            outcomes.append(("read", repr(reads(text))))
        except NotJsonError:
            outcomes.append(("refused", ""))
    assert outcomes[0] == outcomes[1]


@given(VALUES)
def test_json_text_is_judged_as_its_value_is(value: Any) -> None:
    transcript = [user(content=value), assistant(call("c", arguments={"x": value})), result("c")]
    assert validate_json(json.dumps(transcript)) == validate_transcript(transcript)


def test_infinities_come_out_as_such() -> None:
    assert parse("[1e400, -1e400]") == [math.inf, -math.inf]
