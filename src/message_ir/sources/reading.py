"""Reads a file as one JSON document or as JSON lines, finds out its format, and hands its parts to that source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import Final, NamedTuple

from message_ir.json_text import NotJsonError, parse
from message_ir.sources.ai_sdk import AISDKMessages
from message_ir.sources.anthropic import AnthropicMessages
from message_ir.sources.atif import AtifTrajectory
from message_ir.sources.bedrock import BedrockConverse
from message_ir.sources.claude_code import ClaudeCodeSession
from message_ir.sources.codex import CodexRollout
from message_ir.sources.gemini import GeminiContents
from message_ir.sources.gemini_cli import GeminiCLISession
from message_ir.sources.ir import MessageIR
from message_ir.sources.langchain import LangChainMessages
from message_ir.sources.model import Options, Part, Place, Source, Transcript, Unreadable
from message_ir.sources.openai_chat import OpenAIChat
from message_ir.sources.openai_responses import OpenAIResponses
from message_ir.sources.opencode import OpencodeSession
from message_ir.sources.otel import OpenTelemetryMessages
from message_ir.sources.pi import PiSession
from message_ir.sources.turns import scoped

_ALL: Final[tuple[Source, ...]] = (
    MessageIR(),
    PiSession(),
    AnthropicMessages(),
    OpenAIChat(),
    OpenAIResponses(),
    GeminiContents(),
    BedrockConverse(),
    ClaudeCodeSession(),
    CodexRollout(),
    GeminiCLISession(),
    OpencodeSession(),
    AISDKMessages(),
    LangChainMessages(),
    OpenTelemetryMessages(),
    AtifTrajectory(),
)
SOURCES: Final = {source.name: source for source in _ALL}

# Takes what no source recognises, so that the validator says what is wrong with it.
FALLBACK: Final = MessageIR("message IR, since no other format is known of it")

# So many documents are looked at to find out what a file is.
_ENOUGH: Final = 1_000

# JSON's white space. Lines of nothing else hold nothing; lines of NUL bytes, say, do not count as such.
_BLANK: Final = b" \t\r\n"

_LINES_SUFFIXES: Final = (".jsonl", ".ndjson")

# A document without messages. A source that makes a transcript of it takes every document for one.
_DOCUMENT: Final = Part([], 1, b"[]")


class AmbiguousFormatError(ValueError):
    """A file may be of several formats, and nothing in it tells of which."""

    def __init__(self, formats: list[str]) -> None:
        super().__init__(f"it may be of the format {' or '.join(formats)}, and nothing in it tells of which; name one")
        self.formats = formats


class Reading(NamedTuple):
    """A file in the course of being read."""

    source: Source
    items: Iterator[Transcript | Unreadable]


def read(
    source: str | PathLike[str] | bytes | object,
    format: str | None = None,  # noqa: A002 # the field's word
    *,
    options: Options | None = None,
) -> list[Transcript | Unreadable]:
    """Reads the transcripts of a file or of a value.

    Args:
        source: the path of a file (a string or a path), the bytes of one, or a value as a JSON parser makes it: a request body,
            a list of messages. Places in a value have pointers, but no lines.
        format: a key of `SOURCES`; without it the format is found out from the content.
        options: what to keep that is otherwise set aside.

    Returns:
        The transcripts, each with its records (`value`), where they came from (`place`) and what was left out (`losses`),
        and what cannot be read, in file order.

    Raises:
        AmbiguousFormatError: no format is given, and the content may be of several.
        ValueError: there is no such format.
        OSError: the file cannot be read.
    """
    if isinstance(source, str | PathLike):
        with Path(source).open("rb") as file:
            return list(read_lines(file, name=str(source), format=format, options=options).items)
    if isinstance(source, bytes):
        return list(read_lines(BytesIO(source), format=format, options=options).items)
    return list(_read(iter([Part(source, 1, b"")]), format, options).items)


def read_lines(
    lines: Iterable[bytes],
    *,
    name: str = "",
    format: str | None = None,  # noqa: A002 # the field's word
    options: Options | None = None,
) -> Reading:
    r"""Reads the transcripts of one file, as far as possible one after the other.

    Args:
        lines: the file's lines with their ends, as a binary file yields them.
        name: the file's name; `.jsonl` and `.ndjson` say that it is JSON lines.
        format: a key of `SOURCES`; without it the format is found out from the content.
        options: what to keep that is otherwise set aside.

    Raises:
        AmbiguousFormatError: no format is given, and the content may be of several.
        ValueError: there is no such format.
    """
    return _read(_parts(iter(lines), as_lines=_is_lines(name, format)), format, options)


class ByLine(NamedTuple):
    """What is known of a file of whose lines each is a transcript of its own."""

    source: Source
    is_known: bool
    """Whether a source recognises it, or nothing could be read of which one might."""


def by_line(
    lines: Iterable[bytes],
    *,
    name: str = "",
    format: str | None = None,  # noqa: A002 # the field's word
) -> ByLine | None:
    """Finds out whether each line of a file is a transcript of its own, so that its lines can be read in any number of parts.

    Args:
        lines: the file's lines, of which only as many are taken as it needs to know.
        name: the file's name, as for `read_lines`.
        format: a key of `SOURCES`; without it the format is found out from the content.

    Returns:
        The source with which `read_each` reads all parts as `read_lines` reads the file; None for a file that must be read as a whole.

    Raises:
        AmbiguousFormatError: no format is given, and the content may be of several.
    """
    lines = iter(lines)
    number, first = _first_line(lines)
    opening = _part(first or b"", number)
    if first is None or not (_is_lines(name, format) or isinstance(opening, Part)):
        return None
    source, parts = _sourced(chain([opening], _line_parts(lines, number + 1)), format)
    document = next((part for part in islice(parts, _ENOUGH) if isinstance(part, Part)), None)
    if not _makes_one_of_each(source, document or _DOCUMENT):
        return None
    return ByLine(source, source is not FALLBACK or document is None)


def read_each(
    lines: Iterable[bytes],
    source: Source,
    *,
    options: Options | None = None,
    skip: Callable[[bytes], bool] = lambda _: False,
) -> Iterator[Transcript | Unreadable]:
    """Reads some lines of a file of whose lines each is a transcript of its own, as `by_line` finds out.

    Args:
        lines: the lines with their ends.
        source: what reads them.
        options: what to keep that is otherwise set aside.
        skip: tells of a line, before it is parsed, that nothing needs to be made of it.
    """
    parts = _line_parts(lines, 1, skip)
    items = source.transcripts(chain([_DOCUMENT], parts), options or Options())
    return _with_options(islice(items, 1, None), options or Options())


def _makes_one_of_each(source: Source, document: Part) -> bool:
    """Whether a source makes a transcript of a file's first document before it looks at the next."""
    is_asked = False

    def documents() -> Iterator[Part]:
        nonlocal is_asked
        yield document
        is_asked = True

    items = source.transcripts(documents(), Options())
    return next((not is_asked for item in items if isinstance(item, Transcript)), False)


def _is_lines(name: str, format_: str | None) -> bool:
    return name.lower().endswith(_LINES_SUFFIXES) or (format_ is not None and _named(format_).lines)


def _read(parts: Iterator[Part | Unreadable], format_: str | None, options: Options | None) -> Reading:
    source, parts = _sourced(parts, format_)
    options = options or Options()
    return Reading(source, _with_options(source.transcripts(parts, options), options))


def _sourced(parts: Iterator[Part | Unreadable], format_: str | None) -> tuple[Source, Iterator[Part | Unreadable]]:
    return (_named(format_), parts) if format_ is not None else _recognised(parts)


def _with_options(items: Iterator[Transcript | Unreadable], options: Options) -> Iterator[Transcript | Unreadable]:
    return map(_scoped, items) if options.ids_by_turn else items


def _named(format_: str) -> Source:
    """The source of a name.

    Raises:
        ValueError: there is none.
    """
    if format_ not in SOURCES:
        raise ValueError(f"there is no format {format_!r}; the formats are {', '.join(SOURCES)}")
    return SOURCES[format_]


def _scoped(item: Transcript | Unreadable) -> Transcript | Unreadable:
    return scoped(item) if isinstance(item, Transcript) else item


def _recognised(parts: Iterator[Part | Unreadable]) -> tuple[Source, Iterator[Part | Unreadable]]:
    """Finds the one source that recognises one of the first documents; gives back all parts.

    Raises:
        AmbiguousFormatError: several sources recognise the same documents, and none of them is recognised by one alone.
    """
    taken: list[Part | Unreadable] = []
    several: list[Source] = []
    for part in islice(parts, _ENOUGH):
        taken.append(part)
        if isinstance(part, Part):
            found = [source for source in _ALL if source.recognises(part.value)]
            if len(found) == 1:
                return found[0], chain(taken, parts)
            several = several or found
    if several:
        raise AmbiguousFormatError([source.name for source in several])
    return FALLBACK, chain(taken, parts)


def _parts(lines: Iterator[bytes], *, as_lines: bool) -> Iterator[Part | Unreadable]:
    """The one document of a file, or the documents on its lines.

    A file whose first line is a document of its own is JSON lines. Otherwise it is one document, unless it cannot be
    read as one and half of its lines can.
    """
    number, first = _first_line(lines)
    if first is None:
        return iter([_part(b"", 1)])
    opening = _part(first, number)
    if as_lines or isinstance(opening, Part):
        return chain([opening], _line_parts(lines, number + 1))
    rest = list(lines)
    whole = _part(b"".join([first, *rest]), number)
    if isinstance(whole, Part):
        return iter([whole])
    by_line = [opening, *_line_parts(rest, number + 1)]
    documents = sum(isinstance(part, Part) and isinstance(part.value, dict | list) for part in by_line)
    return iter(by_line if 2 * documents >= len(by_line) else [whole])


def _first_line(lines: Iterator[bytes]) -> tuple[int, bytes | None]:
    for number, line in enumerate(lines, 1):
        if line.strip(_BLANK):
            return number, line
    return 1, None


def _line_parts(
    lines: Iterable[bytes], number: int, skip: Callable[[bytes], bool] = lambda _: False
) -> Iterator[Part | Unreadable]:
    return (_part(line, at) for at, line in enumerate(lines, number) if not skip(line) and line.strip(_BLANK))


def _part(raw: bytes, line: int) -> Part | Unreadable:
    try:
        return Part(parse(raw.rstrip(_BLANK)), line, raw)
    except NotJsonError as error:
        return Unreadable(Place(line + error.line - 1, error.column, ""), error.problem)
