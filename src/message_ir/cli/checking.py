"""Checks one file: reads its transcripts, judges them, and says where in the file each finding stands. Prints nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from message_ir.findings import diagnostic
from message_ir.pointer import Path, path_in
from message_ir.quoting import quote
from message_ir.sources import Loss, Options, Place, Transcript, Unreadable, read_lines
from message_ir.validation import judge, not_json
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import Diagnostic, DiagnosticCode
from message_ir_types.shapes import BLOCKS, MESSAGES


class Spot(NamedTuple):
    """One record that a finding is about."""

    place: Place
    gist: str
    """What stands there, in a few words; empty where nothing can be said."""


class Located(NamedTuple):
    """A diagnostic, and where in which file it stands."""

    diagnostic: Diagnostic
    file: str
    transcript: int
    """The position of the transcript in the file, from 0."""
    spot: Spot
    related: tuple[Spot, ...]
    answers: tuple[str, ...] = ()
    """What the API to which such a file goes says of it."""


@dataclass
class Tally:
    """What was looked at and found in one file."""

    file: str
    format: str = ""
    title: str = ""
    transcripts: int = 0
    messages: int = 0
    calls: int = 0
    findings: dict[DiagnosticCode, int] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)


def check(
    lines: Iterable[bytes],
    tally: Tally,
    *,
    format: str | None,  # noqa: A002 # the field's word
    options: Options,
    codes: Collection[DiagnosticCode],
) -> Iterator[Located]:
    """Yields the findings of one file in file order, and counts into `tally` as it goes.

    Args:
        lines: the file's lines, as a binary file yields them.
        tally: names the file; its counts are complete when the iterator is exhausted.
        format: a source's name, or None to find out.
        options: what to keep that is otherwise set aside.
        codes: the codes to report.
    """
    reading = read_lines(lines, name=tally.file, format=format, options=options)
    tally.format, tally.title = reading.source.name, reading.source.title
    # Findings in records that several transcripts share are reported once.
    shared: set[tuple[object, ...]] = set()
    for item in reading.items:
        located = _unreadable(item, tally) if isinstance(item, Unreadable) else _transcript(item, tally)
        for each in located:
            code = each.diagnostic.code
            if isinstance(item, Transcript) and item.shares_records:
                identity = (code, each.spot.place, *(spot.place for spot in each.related))
                if identity in shared:
                    continue
                shared.add(identity)
            if code in codes:
                tally.findings[code] = tally.findings.get(code, 0) + 1
                seen_as = (seen for seen in CATALOGUE[code].seen_as if seen.api in reading.source.apis)
                yield each._replace(answers=tuple(f"{seen.api}: “{seen.text}”" for seen in seen_as))


def _unreadable(item: Unreadable, tally: Tally) -> Iterator[Located]:
    found = diagnostic(not_json(item.problem))
    yield Located(found, tally.file, tally.transcripts, Spot(item.place, ""), ())


def _transcript(item: Transcript, tally: Tally) -> Iterator[Located]:
    verdict = judge(item.value)
    index = tally.transcripts
    tally.transcripts += 1
    tally.messages += len(item.value) if isinstance(item.value, list) else 0
    tally.calls += verdict.calls
    tally.losses += item.losses
    for found in verdict.diagnostics:
        paths = [path_in(item.value, pointer) for pointer in (found.path, *found.related)]
        spots = [Spot(item.place(path), _gist(item.value, path)) for path in paths]
        yield Located(found, tally.file, index, spots[0], tuple(spots[1:]))


def _gist(transcript: object, path: Path) -> str:
    """Says in a few words what stands at a record or block: its kind, names and ids, never its content."""
    record = _child(transcript, path[0]) if path else None
    role = _child(record, "role")
    words = [role if isinstance(role, str) and role in MESSAGES else _quoted(role)]
    if role == "toolResult":
        words += [_quoted(_child(record, "toolName")), "answers", _quoted(_child(record, "toolCallId"))]
    block = _child(_child(record, "content"), path[2]) if len(path) > _BLOCK_DEPTH else None
    if isinstance(block, dict):
        kind = block.get("type")
        words += ["›", kind if isinstance(kind, str) and kind in BLOCKS else _quoted(kind)]
        if kind == "toolCall":
            words += [_quoted(block.get("name")), _quoted(block.get("id"))]
    return " ".join(word for word in words if word)


_BLOCK_DEPTH: Final = 2


def _child(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int):
        return value[step]
    return None


def _quoted(value: object) -> str:
    return quote(value) if isinstance(value, str) else ""
