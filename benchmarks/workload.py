"""Transcripts to measure with: as a coding agent writes them, clean and wholly broken, the same for one seed.

With texts of their plain length they are, record by record, those of the TypeScript port's own benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import msgspec

from message_ir_types.constants import ARGUMENTS_DEPTH

Json: TypeAlias = dict[str, Any]
"""A record or block in wire names."""

SEED: Final = 20_261_202

SCALE: Final = 1.7
"""By default, texts are so many times as long as in the port's benchmark: some 800 bytes a message, 25 KB a transcript of 30."""

_LINES: Final = (
    "Read the file first, then say what is wrong with it. ",
    '  if (value === null) return "null";\n',
    "-rw-r--r-- 1 user user  4096 src/index.ts\n",
    "def test_it(tmp_path):\n    assert tmp_path.exists()\n",
)
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class Random:
    """A linear congruential generator, so that every run, machine and version of Python has the same.

    Args:
        seed: from 0 to below 2³¹.
        scale: how many times as long as plain the texts are.
    """

    def __init__(self, seed: int = SEED, scale: float = SCALE) -> None:
        self.scale = scale
        self._state = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to below `limit`."""
        self._state = (self._state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        return (self._state >> 8) % limit

    def id(self, prefix: str) -> str:
        """An id that no other draw gives."""
        rest, digits = self.below(0x7FFFFF), ""
        while rest or not digits:
            rest, digit = divmod(rest, len(_DIGITS))
            digits = _DIGITS[digit] + digits
        self._drawn += 1
        return f"{prefix}_{self._drawn - 1}_{digits}"

    def text(self, typical: int) -> str:
        """Prose or code that is mostly short and at times long; one in 16 holds characters beyond Latin-1."""
        typical = int(typical * self.scale)
        length = typical * 4 if self.below(8) == 0 else self.below(typical) + 8
        line = _LINES[self.below(len(_LINES))]
        return ("“Grüße” → ✓ " if self.below(16) == 0 else "") + (line * -(-length // len(line)))[:length]


# The tools of a coding agent: two thirds of the calls have one to three plain arguments, the rest have lists and objects.
_TOOLS: Final[tuple[tuple[str, Callable[[Random], Json]], ...]] = (
    ("read", lambda random: {"path": f"src/module_{random.below(1000)}.ts", "offset": random.below(500), "limit": 200}),
    (
        "bash",
        lambda random: {"command": f"grep -rn {json.dumps(random.text(40), ensure_ascii=False)} src", "timeout": 30},
    ),
    ("read", lambda random: {"path": f"test/test_{random.below(1000)}.py"}),
    ("write", lambda random: {"path": f"src/new_{random.below(1000)}.ts", "content": random.text(900)}),
    (
        "edit",
        lambda random: {
            "path": "src/index.ts",
            "edits": [
                {"oldText": random.text(200), "newText": random.text(300)},
                {"oldText": "a", "newText": "b"},
            ],
        },
    ),
    (
        "search",
        lambda random: {
            "query": random.text(30),
            "filter": {"globs": ["*.ts", "*.py"], "caseSensitive": False, "before": None},
            "top": 12.5,
        },
    ),
)


def transcripts(count: int, length: int, random: Random) -> list[list[Json]]:
    """Makes clean transcripts with about as much text as a coding agent's session has.

    Args:
        count: how many.
        length: how many messages each has, at least; a round of a call and its result is never cut.
        random: where ids and texts come from; transcripts of one share no ids.
    """
    return [list(clean(length, random)) for _ in range(count)]


def clean(length: int, random: Random) -> Iterator[Json]:
    """A transcript that is valid, message by message; it may be up to three messages longer."""
    made = 0
    while made < length:
        yield _user(random)
        made += 1
        rounds = random.below(6)
        while rounds >= 0 and made < length:
            calls = [_call(random) for _ in range(2 if random.below(8) == 0 else 1)]
            prose = [{"type": "text", "text": random.text(150)}] if random.below(2) == 0 else []
            yield _assistant(random, *prose, *calls)
            for call in calls:
                yield _result(random, call)
            made += 1 + len(calls)
            rounds -= 1
        yield _assistant_text(random)
        made += 1


def orphans(length: int, random: Random) -> Iterator[Json]:
    """Results only: none has a call."""
    return (_result(random, _call(random)) for _ in range(length))


def duplicates(length: int, random: Random) -> Iterator[Json]:
    """Every call is made and answered twice, under one id."""

    def endless() -> Iterator[Json]:
        while True:
            call = _call(random)
            for _ in range(2):
                yield _assistant(random, call)
                yield _result(random, call)

    return islice(endless(), length)


def unanswered(length: int, random: Random) -> Iterator[Json]:
    """Calls only: none has a result."""
    return (_assistant(random, _call(random)) for _ in range(length))


def one_id(length: int, random: Random) -> Iterator[Json]:
    """Calls and results in turn, all of them with the same id and tool."""
    call = _call(random)
    return (_result(random, call) if index % 2 else _assistant(random, call) for index in range(length))


def deep(length: int, random: Random) -> Iterator[Json]:
    """Clean but for one call in 16, whose arguments nest one deeper than is allowed."""
    for message in clean(length, random):
        for block in message["content"] if message["role"] == "assistant" else ():
            if block["type"] == "toolCall" and random.below(16) == 0:
                block["arguments"] = nested(ARGUMENTS_DEPTH + 1)
        yield message


STREAMS: Final[Mapping[str, Callable[[int, Random], Iterator[Json]]]] = {
    "clean": clean,
    "orphans": orphans,
    "duplicates": duplicates,
    "unanswered": unanswered,
    "one-id": one_id,
    "deep": deep,
}
"""Transcripts of any length, message by message: the clean one, and those in which (nearly) everything is broken."""


def nested(depth: int) -> Json:
    """An object in an object in an object: so many of them."""
    value: Json = {}
    for _ in range(depth - 1):
        value = {"inner": value}
    return value


def abyss(depth: int) -> bytes:
    """The text of a transcript of one call and its result, whose arguments nest so deep that no encoder writes them."""
    random = Random()
    call = {"type": "toolCall", "id": "call", "name": "read", "arguments": {}}
    text = as_text([_assistant(random, call), _result(random, call)])
    arguments = b'{"inner":' * (depth - 1) + b"{}" + b"}" * (depth - 1)
    return text.replace(b'"arguments":{}', b'"arguments":' + arguments)


def as_text(messages: Iterable[object]) -> bytes:
    """The JSON text of a transcript, compact and in UTF-8, as `JSON.stringify` writes it."""
    return b"[" + b",".join(map(msgspec.json.encode, messages)) + b"]"


def as_texts(made: Sequence[Iterable[object]]) -> list[bytes]:
    """The JSON text of each transcript."""
    return [as_text(transcript) for transcript in made]


def _user(random: Random) -> Json:
    return {"role": "user", "id": random.id("message"), "content": random.text(180)}


def _assistant(random: Random, *blocks: Json) -> Json:
    return {"role": "assistant", "id": random.id("message"), "content": list(blocks)}


def _assistant_text(random: Random) -> Json:
    return {
        "role": "assistant",
        "id": random.id("message"),
        "content": [{"type": "text", "text": random.text(200)}],
    }


def _call(random: Random) -> Json:
    name, arguments = _TOOLS[random.below(len(_TOOLS))]
    return {"type": "toolCall", "id": random.id("call"), "name": name, "arguments": arguments(random)}


def _result(random: Random, call: Json) -> Json:
    return {
        "role": "toolResult",
        "id": random.id("message"),
        "toolCallId": call["id"],
        "toolName": call["name"],
        "content": random.text(550),
        "isError": random.below(10) == 0,
    }
