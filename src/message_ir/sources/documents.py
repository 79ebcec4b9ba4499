"""What sources have in common whose files are documents that hold an array of messages, or messages on lines of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import ClassVar, Final

from message_ir.pointer import Path
from message_ir.sources.assembly import Draft, Origin, listed
from message_ir.sources.locate import Locator
from message_ir.sources.model import Options, Part, Transcript, Unreadable

# A line of a batch names its request under one key and holds it under another: OpenAI's, Anthropic's, Bedrock's and Gemini's.
_BATCHES: Final = (("custom_id", "body"), ("custom_id", "params"), ("recordId", "modelInput"), ("key", "request"))


class DocumentSource(ABC):
    """A source of documents; each format says how it is recognised, and which records its messages make."""

    name: str
    title: str
    apis: tuple[str, ...] = ()
    lines = False
    envelopes: ClassVar[tuple[str, ...]] = ("messages",)
    """The fields in which a document may hold its messages; the first is the one that is missed."""
    prompts: ClassVar[Mapping[str, str]] = {}
    """Fields of a document beside its messages that are left out, and what they are called."""

    def is_message(self, value: object) -> bool:
        """Whether a document is a single message."""
        return isinstance(value, dict) and "role" in value and not any(key in value for key in self.envelopes)

    @abstractmethod
    def recognises(self, value: object) -> bool:
        """Whether a document, an array or a message is of this format."""

    @abstractmethod
    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that messages make."""

    def messages_of(self, value: object) -> object:
        """The messages of a document, of an array, or of a message alone."""
        value, _ = request(value)
        if isinstance(value, dict):
            return next((value[key] for key in self.envelopes if key in value), [value])
        return value

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields a transcript for each document; where the first is a single message, one for all, a message a line."""
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            elif self.is_message(part.value):
                yield from self._message_lines(chain([part], parts))
            else:
                yield from map(self._document, chain([part], parts))

    def add_document(self, draft: Draft, value: object, origin: Origin) -> None:
        """Adds the records of one document; what holds no array is a record as it is, for the validator to report."""
        value, path = request(value)
        origin = origin.at(*path)
        if isinstance(value, dict):
            self.lose_prompts(draft, value, origin)
            key = next((key for key in self.envelopes if key in value), self.envelopes[0])
            value, origin = value.get(key), origin.at(key)
        self.add_array(draft, value, origin)

    def lose_prompts(self, draft: Draft, document: Mapping[str, object], origin: Origin) -> None:
        """Counts what a document says beside its messages."""
        for key, kind in self.prompts.items():
            if document.get(key):
                draft.lose(kind, origin.at(key))

    def add_array(self, draft: Draft, value: object, origin: Origin) -> None:
        """Adds the records of what should be an array of messages."""
        if isinstance(value, list):
            self.add_messages(draft, listed(value, origin))
        else:
            draft.carry(value, origin)

    def _document(self, part: Part | Unreadable) -> Transcript | Unreadable:
        if isinstance(part, Unreadable):
            return part
        origin = Origin(Locator(part))
        draft = Draft(origin.place())
        self.add_document(draft, part.value, origin)
        return draft.transcript()

    def _message_lines(self, parts: Iterator[Part | Unreadable]) -> Iterator[Transcript | Unreadable]:
        messages: list[tuple[object, Origin]] = []
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            else:
                messages.append((part.value, Origin(Locator(part))))
        draft = Draft(messages[0][1].place())
        self.add_messages(draft, messages)
        yield draft.transcript()


class OwnMessages(DocumentSource):
    """A source whose messages each tell by themselves that they are of its format."""

    @abstractmethod
    def is_own(self, message: object) -> bool:
        """Whether a message has what only this format has."""

    def recognises(self, value: object) -> bool:
        """A document or an array with such a message, or one alone."""
        messages = self.messages_of(value)
        return isinstance(messages, list) and any(map(self.is_own, messages))


def request(value: object) -> tuple[object, Path]:
    """The request that a line of a batch holds, and its path there; any other document as it is."""
    if isinstance(value, dict):
        for name, key in _BATCHES:
            if name in value and isinstance(value.get(key), dict):
                return value[key], (key,)
    return value, ()
