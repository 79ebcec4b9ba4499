"""A finding is one cause as inspection and linkage see it; here it is put into words and becomes a diagnostic.

Nothing here decides whether something is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from frozendict import frozendict
from msgspec import Struct

from message_ir.pointer import Path, place, pointer
from message_ir.quoting import quote
from message_ir.values import ABSENT, kind_name, reader, string, type_name
from message_ir_types.catalogue import CATALOGUE, MUST
from message_ir_types.messages import Diagnostic, DiagnosticCode, Reason

# Stands for the value of a record or block of which a read raised.
UNREADABLE: Final = object()


class Finding(Struct, frozen=True, gc=False):
    """One cause, before it is put into words."""

    code: DiagnosticCode
    path: Path
    related: tuple[Path, ...] = ()
    reason: Reason | None = None
    """What the value fails to be, for a shape."""
    facts: Mapping[str, str] = {}
    """What the prose tells of it, ready to be shown."""
    variant: str = "default"
    """Which of the code's templates words it."""


def diagnostic(finding: Finding) -> Diagnostic:
    """Puts a finding into words."""
    entry = CATALOGUE[finding.code]
    path = finding.path
    # Linkage is told of records and blocks, not of their fields.
    of_block = entry.phase == "linkage"
    places = [place("transcript", each[:-1] if of_block else each) for each in (path, *finding.related)]
    return Diagnostic(
        code=finding.code,
        message_index=path[0] if path and isinstance(path[0], int) else -1,
        path=pointer(path),
        related=tuple(pointer(each) for each in finding.related),
        message=entry.prose[finding.variant].format(
            place=places[0],
            other=places[-1],
            must=MUST[finding.reason] if finding.reason else "",
            **finding.facts,
        ),
    )


def found(reason: Reason, value: object) -> dict[str, str]:
    """Says what a value is instead of what it must be, as the fact that prose calls `found`."""
    return {"found": _found(reason, value)}


def _found(reason: Reason, value: object) -> str:  # noqa: C901 # a table of cases
    text = string(value)
    if value is ABSENT:
        return "is absent"
    if value is UNREADABLE:
        return "raised an error when it was read"
    match reason:
        case Reason.NON_BLANK_STRING if text is not None:
            return "is blank" if text else "is empty"
        case Reason.ROLE | Reason.BLOCK_TYPE if text is not None:
            return f"is {quote(text)}"
        case Reason.UNICODE:
            return "has one" if text is not None else "has a key with one"
        case Reason.PLAIN_OBJECT if type(value) is dict or type(value) is frozendict:
            return "has a key that is not a string"
        case Reason.PLAIN_OBJECT if reader(value) is not None:
            return f"is {type_name(value)}"
        case Reason.JSON_VALUE:
            return f"is {type_name(value)}"
        case Reason.FINITE_NUMBER:
            return "is NaN" if value != value else "is out of range"  # noqa: PLR0124 # only NaN is not itself
        case Reason.CYCLE:
            return "does"
        case Reason.DEPTH:
            return "goes deeper"
    return f"is {kind_name(value)}"
