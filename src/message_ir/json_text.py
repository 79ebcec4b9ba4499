"""Parses JSON text strictly (RFC 8259, UTF-8), keeping what is well-formed JSON and wrong for us, and at any depth.

Numbers beyond binary64 come out as infinities and escaped unpaired surrogates as such, for inspection to find in place.
Nothing here knows messages or codes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn


class NotJsonError(ValueError):
    """The text is not JSON; the message says why and where, and completes “The text is not JSON: …”.

    Attributes:
        problem: why.
        line: the line where it shows, from 1.
        column: the character in that line, from 1; None where only the line is known.
    """

    def __init__(self, problem: str, line: int = 1, column: int | None = None) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return self.problem if self.column is None else f"{self.problem}, line {self.line}, column {self.column}"


# Of more digits than this no integer is finite as binary64; fewer are far below what Python refuses to parse.
_LONGEST_FINITE_INTEGER: Final = 310

_WHITESPACE: Final = re.compile(r"[ \t\n\r]*")


def parse(text: object) -> Any:
    """Returns the value that JSON text stands for.

    Args:
        text: a string, or bytes (or a bytearray or memoryview) in UTF-8.

    Raises:
        NotJsonError: the text is not JSON, or is neither a string nor bytes.
    """
    source = _decoded(text)
    try:
        return _DECODER.decode(source)
    except json.JSONDecodeError as error:
        raise _not_json(error.msg, source, error.pos) from None
    except RecursionError:
        return _parse_deep(source)


def _decoded(text: object) -> str:
    """The text as an exact string that has a UTF-8 form.

    Raises:
        NotJsonError: it has none.
    """
    decode = next((decode for base, decode in _DECODERS.items() if issubclass(type(text), base)), None)
    if decode is None:
        raise NotJsonError("it is neither a string nor bytes")
    try:
        source = decode(text)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise NotJsonError(f"byte {error.start} is not UTF-8", line) from None
    except UnicodeEncodeError as error:
        raise NotJsonError(f"character {error.start} is an unpaired surrogate") from None
    except ValueError as error:  # a memoryview that was released
        raise NotJsonError("its bytes cannot be read") from error
    if source.startswith("\ufeff"):
        raise NotJsonError("it starts with a byte order mark")
    return source


def _encodable(text: str) -> str:
    exact = str.__str__(text)
    if not exact.isascii():
        exact.encode()
    return exact


# For each type of text, how to decode it by the type's own methods.
_DECODERS: Final[Mapping[type, Callable[[Any], str]]] = {
    str: _encodable,
    bytes: bytes.decode,
    bytearray: bytearray.decode,
    memoryview: lambda view: view.tobytes().decode(),
}


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_FINITE_INTEGER else float(digits)


def _constant(name: str) -> NoReturn:
    raise NotJsonError(f"{name} is not a JSON number")


_DECODER: Final = json.JSONDecoder(parse_int=_integer, parse_constant=_constant)


def _not_json(problem: str, source: str, position: int) -> NotJsonError:
    line = source.count("\n", 0, position) + 1
    column = position - source.rfind("\n", 0, position)
    if not source[_WHITESPACE.match(source).end() :]:  # type: ignore[union-attr] # matches the empty string too
        problem = "it is empty"
    # The library's sentences end in "at" where a position follows.
    problem = problem.removesuffix(" at").removesuffix(" starting")
    return NotJsonError(f"{problem[:1].lower()}{problem[1:]}", line, column)


def _parse_deep(source: str) -> Any:  # noqa: C901, PLR0912 # a state machine reads best in one piece
    """Parses without recursion what is nested deeper than the standard library's parser goes.

    Raises:
        NotJsonError: the text is not JSON.
    """
    stack: list[list[Any] | dict[str, Any]] = []
    keys: list[str] = []  # of the objects in the stack: the key whose value comes next
    try:
        position = _skip(source, 0)
        while True:
            opening = source[position : position + 1]
            if opening in ("[", "{"):
                value: Any = [] if opening == "[" else {}
                position = _skip(source, position + 1)
                if source[position : position + 1] != _CLOSING[type(value)]:
                    stack.append(value)
                    if type(value) is dict:
                        position = _key(source, position, keys)
                    continue
                position += 1
            else:
                value, position = _DECODER.raw_decode(source, position)
            position = _skip(source, position)
            while stack:
                parent = stack[-1]
                if type(parent) is dict:
                    parent[keys.pop()] = value
                else:
                    parent.append(value)  # type: ignore[union-attr] # a list, since it is no dict
                mark = source[position : position + 1]
                position = _skip(source, position + 1)
                if mark == ",":
                    if type(parent) is dict:
                        position = _key(source, position, keys)
                    break
                if mark != _CLOSING[type(parent)]:
                    raise json.JSONDecodeError("Expecting ',' delimiter", source, position)  # noqa: TRY301 # as above
                value = stack.pop()
            else:
                if position != len(source):
                    raise json.JSONDecodeError("Extra data", source, position)  # noqa: TRY301 # as above
                return value
    except json.JSONDecodeError as error:
        raise _not_json(error.msg, source, error.pos) from None


_CLOSING: Final[dict[type, str]] = {list: "]", dict: "}"}


def _skip(source: str, position: int) -> int:
    """The position of the next character that is not white space."""
    return _WHITESPACE.match(source, position).end()  # type: ignore[union-attr] # matches the empty string too


def _key(source: str, position: int, keys: list[str]) -> int:
    """Reads a key and its colon, and returns the position of the value."""
    if source[position : position + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", source, position)
    key, position = _DECODER.raw_decode(source, position)
    position = _skip(source, position)
    if source[position : position + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", source, position)
    keys.append(key)
    return _skip(source, position + 1)
