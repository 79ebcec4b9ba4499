"""The message IR itself, as files hold it: a transcript in JSON, many in JSON lines, or one message a line.

A document is the array of messages, or an object that holds it under `messages` (an envelope); what else an envelope
holds is of no concern to a transcript. Lines that are single messages together make one transcript.
Nothing is changed and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from message_ir.pointer import Path, pointer
from message_ir.sources.forms import forms
from message_ir.sources.locate import Locator
from message_ir.sources.model import Options, Part, Place, Transcript, Unreadable

_ENVELOPE_KEY = "messages"


class MessageIR:
    """The source `ir`."""

    name = "ir"
    apis: tuple[str, ...] = ()
    lines = False

    def __init__(self, title: str = "message IR") -> None:
        self.title = title

    def recognises(self, value: object) -> bool:
        """An array, an envelope, or a single message, of this form alone or without messages."""
        messages = value[_ENVELOPE_KEY] if _is_envelope(value) else [value] if _is_message(value) else value  # type: ignore[index] # an envelope is a dict
        return self.name in forms(messages, value)

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields a transcript for each document; if the first that can be read is a single message, one for all."""
        for part in parts:
            if isinstance(part, Part):
                rest = chain([part], parts)
                yield from _message_lines(rest) if _is_message(part.value) else map(_document, rest)
            else:
                yield part


def _is_envelope(value: object) -> bool:
    return isinstance(value, dict) and _ENVELOPE_KEY in value


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and not _is_envelope(value)


def _document(part: Part | Unreadable) -> Transcript | Unreadable:
    """The transcript that one document is."""
    if isinstance(part, Unreadable):
        return part
    base: Path = (_ENVELOPE_KEY,) if _is_envelope(part.value) else ()
    value = part.value[_ENVELOPE_KEY] if base else part.value  # type: ignore[index] # an envelope is a dict
    locator = Locator(part)
    return Transcript(value, lambda path: locator.place((*base, *path)))


def _message_lines(parts: Iterator[Part | Unreadable]) -> Iterator[Transcript | Unreadable]:
    """The one transcript whose messages stand on lines; a line that cannot be read holds no message."""
    records: list[object] = []
    lines: list[int] = []
    for part in parts:
        if isinstance(part, Part):
            records.append(part.value)
            lines.append(part.line)
        else:
            yield part

    def place(path: Path) -> Place:
        return Place(lines[int(path[0])], None, pointer(path[1:])) if path else Place(lines[0], None, "")

    yield Transcript(records, place)
