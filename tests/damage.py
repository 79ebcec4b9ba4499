"""Clean transcripts as JSON texts, and ways to damage them: what a text loses or gets on its way, and what a writer gets wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from message_ir_types.constants import BLANK_CHARACTERS
from sessions import assistant, call, result, user

_ARGUMENTS: Final[list[Any]] = [
    {},
    {"path": "src/index.ts", "offset": 12, "limit": 200},
    {"command": 'grep -rn "x\\n" src\n', "timeout": 30.5, "e": 1e3, "big": 10**30, "small": -1.5e-7},
    {"edits": [{"old": "a", "new": "b\t"}, {"old": "\u00e9", "new": "\U0001f600"}], "deep": [[[{}]]], "no": None, "yes": True},
    {"n": [0, -1, 2**63, -0.0, 1.7976931348623157e308], "\u2028k": "\ufeff"},
]  # fmt: skip


def clean_transcripts() -> list[list[Any]]:
    """Transcripts of which nothing is reported, of every shape."""
    prose = {"type": "text", "text": "Gehörst du dazu? \u2028\U0001f600\n"}
    rounds = [
        record
        for number, arguments in enumerate(_ARGUMENTS)
        for record in (assistant(prose, call(f"c{number}", arguments=arguments)), result(f"c{number}"))
    ]
    parallel = [assistant(call("a", "x"), prose, call("b", "y")), user(), result("b", "y"), result("a", "x")]
    extended = [record | {"timestamp": 1.5e9, "usage": {"in": [1, "\u00e9"]}} for record in parallel]
    return [
        [],
        [user()],
        [user(content=""), assistant()],
        rounds,
        parallel,
        extended,
        [user("\u00a0.\u00e9"), *rounds[:2]],
    ]


def clean_texts() -> list[bytes]:
    """The same as JSON texts, in the ways in which writers write."""
    return [
        json.dumps(transcript, ensure_ascii=ascii_only, indent=indent, separators=separators).encode()
        for transcript in clean_transcripts()
        for ascii_only, indent, separators in [(True, None, None), (False, None, (",", ":")), (False, 1, None)]
    ]


_BYTES: Final = [
    *b'{}[]:,"\\/ \n\t\r\x0b\x00\x1f\x7f\xa0\x80\xbf\xc0\xc2\xe2\xed\xef\xf0\xf4\xff0123456789-+.eEuUnNdDtfa'
]
_ESCAPES: Final = [
    rb"\u0000", rb"\ud83d\ude00", rb"\ud83d", rb"\udc00", rb"\ude00\ud83d", rb"\uD800\u0041", rb"\uDBFF\uDFFF", rb"\ufeff", rb"\u0020",
    rb"\u00a0", rb"\\", rb"\"", rb"\/", rb"\x", rb"\u12", rb"\u00gg", rb"\'", rb"\b\f", b"\\", rb"\U0041", rb"\\ud800", rb"\\\ud800",
]  # fmt: skip
_NUMBERS: Final = [
    b"1e400", b"-1e400", b"1e308", b"1.8e308", b"1e-400", b"0e999", b"9" * 309, b"1" + b"0" * 308, b"9" * 400, b"-" + b"9" * 5000, b"9" * 320 + b"e-100",
    b"01", b"1.", b".5", b"+1", b"-", b"--1", b"1e", b"1e+", b"1E5", b"-0", b"0x10", b"1_0", b"NaN", b"Infinity", b"-Infinity", b"1.5.5",
    b"17976931348623157e292", b"17976931348623159e292", str(2**1024 - 2**970).encode(), str(2**1024 - 2**970 - 1).encode(),
]  # fmt: skip
_VALUES: Final = [
    b"null", b"true", b"false", b"3", b'""', b'" "', b'"x"', b"[]", b"{}", b"[{}]", b'"user"', b'"assistant"', b'"toolResult"', b'"text"', b'"toolCall"',
    b"[" * 100 + b"]" * 100, b'{"k":' * 120 + b"1" + b"}" * 120, b"[" * 5000 + b"]" * 5000, b'{"a":1,"a":1e999}', b"[1,]", b'{"a":1,}', b"tru",
    b'"\xff"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xf5\x80\x80\x80"', b'{"\xff":1}', b'"\xc3\xa9"',
]  # fmt: skip
_KEYS: Final = [
    b'"id"', b'"role"', b'"content"', b'"type"', b'"text"', b'"name"', b'"arguments"', b'"toolCallId"', b'"toolName"', b'"isError"', b'"x"', rb'"\u0069d"',
    rb'"r\u006fle"', rb'"\ud800"', b'"\xff"', b'"ID"', b'" id"',
]  # fmt: skip
_BLANKS: Final = [each.encode() for each in BLANK_CHARACTERS]

Damage = Callable[[Random, bytes], bytes]


def _at(random: Random, text: bytes, mark: bytes) -> int:
    """A place where the mark stands, or the end where it does not."""
    start = random.randrange(len(text) + 1)
    found = text.find(mark, start)
    return found if found >= 0 else max(text.find(mark), 0)


def _put(random: Random, text: bytes, piece: bytes) -> bytes:
    at = random.randrange(len(text) + 1)
    return text[:at] + piece + text[at:]


def _in_string(random: Random, text: bytes, piece: bytes) -> bytes:
    at = _at(random, text, b'"') + 1
    return text[:at] + piece + text[at:]


def _cut(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text) + 1)
    return text[:at] + text[at + random.choice((1, 1, 1, 2, 5)) :]


def _swapped(random: Random, text: bytes) -> bytes:
    at = random.randrange(len(text) + 1)
    return text[:at] + text[at : at + 2][::-1] + text[at + 2 :]


def _doubled(random: Random, text: bytes) -> bytes:
    at = _at(random, text, bytes([random.choice(b'{}[]",:')]))
    return text[:at] + text[at : at + 1] + text[at:]


def _number(random: Random, text: bytes) -> bytes:
    """Grows a number, or puts another in its place."""
    at = _at(random, text, bytes([random.choice(b"0123456789")]))
    grown = random.choice([b"0" * 308, b"9" * 310, b"e5", b"e308", b"E+309", b".5", b"e", b"."])
    return (
        text[: at + 1] + grown + text[at + 1 :]
        if random.random() < 0.5
        else text[:at] + random.choice(_NUMBERS) + text[at + 1 :]
    )


def _value(random: Random, text: bytes) -> bytes:
    """Puts a value before another, which then is what is wrong, or in the place of a string."""
    at = _at(random, text, b":") + 1
    value = random.choice([*_VALUES, *_NUMBERS])
    if random.random() < 0.3:
        return text[:at] + value + text[at:]
    start = _at(random, text, b'"')
    end = text.find(b'"', start + 1)
    return text[:start] + value + text[end + 1 :]


def _repeated(random: Random, text: bytes) -> bytes:
    """Puts a key and a value first or last into an object: of its own keys or of others."""
    pair = random.choice(_KEYS) + b":" + random.choice([*_VALUES, *_NUMBERS])
    if random.random() < 0.5:
        at = _at(random, text, b"{") + 1
        return text[:at] + pair + b"," + text[at:]
    at = _at(random, text, b"}")
    return text[:at] + b"," + pair + text[at:]


def _moved(random: Random, text: bytes) -> bytes:
    """Repeats a stretch elsewhere."""
    start = random.randrange(len(text) + 1)
    return _put(random, text, text[start : start + random.randrange(1, 60)])


def _same_id(random: Random, text: bytes) -> bytes:
    old, new = (random.choice([b'"c0"', b'"c1"', b'"c2"', b'"a"', b'"b"', b'"read"', b'"x"', b'"y"']) for _ in range(2))
    at = _at(random, text, old)
    return text[:at] + text[at:].replace(old, new, random.choice((1, 2, 9)))


DAMAGE: Final[list[Damage]] = [
    _cut,
    _swapped,
    _doubled,
    _number,
    _value,
    _repeated,
    _moved,
    _same_id,
    lambda random, text: _put(random, text, bytes([random.choice(_BYTES)])),
    lambda random, text: _in_string(random, text, bytes([random.randrange(256)])),
    lambda random, text: _in_string(random, text, random.choice(_ESCAPES)),
    lambda random, text: _put(random, text, random.choice(_ESCAPES)),
    lambda random, text: text.replace(
        random.choice([b'"u"', b'"a"', b'"r"', b'"c0"', b'"read"']), b'"' + random.choice(_BLANKS) * random.randrange(3) + b'"'
    ),
]  # fmt: skip


def damaged(random: Random, texts: list[bytes], count: int) -> Iterator[bytes]:
    """Yields texts that are damaged in one to three places."""
    for _ in range(count):
        text = random.choice(texts)
        for _ in range(random.choice((1, 1, 2, 3))):
            text = random.choice(DAMAGE)(random, text)
        yield text
