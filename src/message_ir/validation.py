"""The validator: what stands in `docs/contract.md`, for any value and for JSON text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from message_ir import linkage
from message_ir.fast_json import accept_json, parse
from message_ir.fast_values import accept, observe
from message_ir.findings import UNREADABLE, Finding, diagnostic, found
from message_ir.inspection import Call, Observed, inspect
from message_ir.json_text import NotJsonError
from message_ir.values import PASS_THROUGH
from message_ir_types.messages import Diagnostic, DiagnosticCode, Reason


def validate_transcript(value: object) -> tuple[Diagnostic, ...]:
    """Reports every cause for which a transcript would be refused, each once, in the order of the contract.

    Takes anything, never raises, and changes nothing in its input.
    `KeyboardInterrupt` and `SystemExit` pass through.

    Args:
        value: a transcript: a list or tuple of messages, each a generated message, a dict or any other mapping.

    Returns:
        Frozen diagnostics; the empty tuple for a valid transcript.
    """
    return judge(value).diagnostics


def validate_json(text: object) -> tuple[Diagnostic, ...]:
    """Reports every cause for which a transcript in JSON text would be refused, as `validate_transcript` does.

    Takes anything, never raises, and changes nothing in its input.
    `KeyboardInterrupt` and `SystemExit` pass through.

    Args:
        text: JSON text as a string, or as bytes in UTF-8.

    Returns:
        Frozen diagnostics; the empty tuple for a valid transcript.
    """
    return judge_json(text).diagnostics


class Verdict(NamedTuple):
    """What was found in a transcript, and how much was looked at."""

    diagnostics: tuple[Diagnostic, ...]
    calls: int
    """How many well-formed tool calls it holds."""


def judge(value: object, *, may_be_clean: bool = True) -> Verdict:
    """Does what `validate_transcript` does, and counts.

    Args:
        value: anything.
        may_be_clean: whether it is worth a try to accept it as a whole, before records are told apart.
    """
    accepted = accept(value) if may_be_clean else None
    if accepted is not None:
        return Verdict((), accepted.calls)
    return _verdict(lambda: observe(value) or inspect(value))


def judge_json(text: object) -> Verdict:
    """Does what `validate_json` does, and counts."""
    accepted = accept_json(text)
    if isinstance(accepted, Observed):
        return _verdict(lambda: accepted)
    if accepted is not None:
        return Verdict((), accepted)
    try:
        value = parse(text)
    except PASS_THROUGH:
        raise
    except NotJsonError as error:
        return Verdict(diagnostics([not_json(str(error))]), 0)
    except BaseException as error:  # noqa: BLE001 # no memory or no stack left
        return Verdict(diagnostics([not_json(f"it cannot be parsed ({type(error).__name__})")]), 0)
    return judge(value, may_be_clean=False)


def _verdict(observing: Callable[[], Observed]) -> Verdict:
    """What linkage says of a transcript, whoever looked at its records."""
    try:
        observed = observing()
        calls = sum(type(event) is Call for event in observed.walk)
        return Verdict(diagnostics(linkage.findings(observed)), calls)
    except PASS_THROUGH:
        raise
    except BaseException:  # noqa: BLE001 # no memory or no stack left
        return Verdict(diagnostics([not_inspected()]), 0)


def diagnostics(findings: Iterable[Finding]) -> tuple[Diagnostic, ...]:
    """Puts findings into words, in their order."""
    return tuple(diagnostic(finding) for finding in findings)


def not_inspected() -> Finding:
    """The finding for a transcript that could not be looked at to its end."""
    return Finding(DiagnosticCode.INVALID_TRANSCRIPT, (), reason=Reason.ARRAY, facts=found(Reason.ARRAY, UNREADABLE))


def not_json(problem: str) -> Finding:
    """The finding for text that is not JSON; the problem completes “The text is not JSON: …”."""
    return Finding(DiagnosticCode.INVALID_TRANSCRIPT, (), facts={"problem": problem}, variant="text")
