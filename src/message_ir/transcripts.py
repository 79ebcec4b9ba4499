"""Whole transcripts: from JSON text and plain values to frozen messages, and back to JSON text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from message_ir import linkage
from message_ir.errors import InvalidTranscriptError
from message_ir.fast_json import load_json, parse
from message_ir.fast_values import accept, observe
from message_ir.findings import Finding
from message_ir.inspection import inspect
from message_ir.json_text import NotJsonError
from message_ir.validation import diagnostics, not_json
from message_ir_types.messages import Message


def snapshot(value: object) -> tuple[Message, ...]:
    """Makes frozen messages of a transcript; nothing that happens to the input later shows in them.

    Args:
        value: what `validate_transcript` takes; it is read once.

    Raises:
        InvalidTranscriptError: the validator reports anything of it.
    """
    accepted = accept(value, freeze=True)
    if accepted is not None:
        return accepted.messages
    observed = observe(value, freeze=True) or inspect(value, freeze=True)
    return _or_raise(linkage.findings(observed), observed.messages)


def loads(text: str | bytes | bytearray | memoryview) -> tuple[Message, ...]:
    """Makes frozen messages of a transcript in JSON text.

    Raises:
        InvalidTranscriptError: the validator reports anything of it.
    """
    messages = load_json(text)
    if messages is not None:
        return messages
    try:
        value = parse(text)
    except NotJsonError as error:
        raise InvalidTranscriptError(diagnostics([not_json(str(error))])) from error
    return snapshot(value)


def dumps(transcript: Sequence[object]) -> str:
    """Renders messages as JSON text, in wire names and without further properties.

    Linkage is not judged, so that a transcript whose calls are still running can be stored.

    Args:
        transcript: messages, or what `validate_transcript` takes as such.

    Raises:
        InvalidTranscriptError: a message is not of its shape.
    """
    observed = observe(transcript, freeze=True) or inspect(transcript, freeze=True)
    return msgspec.json.encode(_or_raise(observed.findings(), observed.messages)).decode()


def _or_raise(findings: Iterable[Finding], messages: Sequence[Message]) -> tuple[Message, ...]:
    if found := diagnostics(findings):
        raise InvalidTranscriptError(found)
    return tuple(messages)
