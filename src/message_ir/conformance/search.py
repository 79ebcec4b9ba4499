"""Looks for what the corpus does not hold: transcripts on which a port and this implementation differ.

`exhaust` tries every small transcript there is, `fuzz` random ones, and shrinks what it finds to a case for the corpus.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import hypothesis

from message_ir.conformance import enumeration
from message_ir.conformance.operations import perform
from message_ir.conformance.process import PortProcess
from message_ir.conformance.runner import answers
from message_ir.conformance.strategies import requests as random_requests
from message_ir.conformance.suite import Answer, Request
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import DiagnosticCode

Advance = Callable[[int], object]
"""Is told how much is done."""


def expected(operation: str, given: Any) -> Any:
    """What this implementation reports: the expectation of a case."""
    diagnostics = perform({"operation": operation, "input": given})["diagnostics"]
    return [{name: each[name] for name in ("code", "messageIndex", "path", "related")} for each in diagnostics]


@dataclass
class Exhausted:
    """What `exhaust` compared."""

    counts: dict[int, int] = field(default_factory=dict)
    """How many transcripts of each number of events."""
    difference: Answer | None = None
    """The first of the shortest transcripts on which the port differs."""
    differing: int = 0
    """How many of that length there are."""


def exhaust(port: PortProcess, events: int, seed: int, advance: Advance | None = None) -> Exhausted:
    """Compares every transcript of up to so many events, shortest first, and stops after a length with differences.

    Raises:
        PortError: the port cannot be used any more.
    """
    found = Exhausted()
    for length in range(events + 1):
        found.counts[length] = 0
        different: list[Answer] = []
        for answer in answers(_enumerated(length), port, seed + length):
            found.counts[length] += 1
            if advance is not None:
                advance(1)
            if answer.outcome != "passed":
                different.append(answer)
        if different:
            found.difference = min(different, key=lambda each: int(each.request.part))
            found.differing = len(different)
            break
    return found


def _enumerated(length: int) -> Iterator[Request]:
    for position, symbols in enumerate(enumeration.transcripts(length)):
        transcript = enumeration.lay_out(symbols)
        yield Request(f"{length} events", str(position), "validate", transcript, expected("validate", transcript))


class _DifferenceError(Exception):
    """A port answered otherwise than this implementation."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


@dataclass
class Fuzzed:
    """What `fuzz` compared."""

    tried: int = 0
    """How many transcripts and texts, those of shrinking too."""
    difference: Answer | None = None
    """A smallest one on which the port differs."""


def fuzz(port: PortProcess, number: int, seed: int, advance: Advance | None = None) -> Fuzzed:
    """Compares random transcripts and texts, and shrinks the first difference as far as it goes.

    Raises:
        PortError: the port cannot be used any more.
    """
    found = Fuzzed()
    seeds = count(seed)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=number,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        report_multiple_bugs=False,
    )
    @hypothesis.given(random_requests())
    def compare(asked: tuple[str, Any]) -> None:
        operation, given = asked
        request = Request("fuzz", "case", operation, given, expected(operation, given))
        found.tried += 1
        if advance is not None:
            advance(1)
        for answer in answers([request], port, next(seeds)):
            if answer.outcome in {"failed", "errored"}:
                raise _DifferenceError(answer)

    try:
        compare()
    except _DifferenceError as difference:
        found.difference = difference.answer
    return found


def as_case(request: Request, origin: str) -> str:
    """Renders a request as an entry of a corpus file, its expectation being what this implementation reports.

    Args:
        request: `validate` or `validateText`.
        origin: where it was found; it becomes the case's `why`, which a person should make better.
    """
    digest = hashlib.sha256(json.dumps([request.operation, request.input]).encode()).hexdigest()[:8]
    codes = [DiagnosticCode(each["code"]) for each in request.expect]
    clauses = list(dict.fromkeys(CATALOGUE[code].clauses[0] for code in codes)) or ["validate.never-raises"]
    lines = [
        f"  - id: found-{digest}",
        f"    why: {_flow(origin)}",
        f"    clauses: {_flow(clauses)}",
        f"    operation: {request.operation}",
        f"    input: {_flow(request.input)}",
    ]
    if request.expect:
        lines.append(f"    twin: {_flow([mend(request)])}")
    return "\n".join([*lines, f"    expect: {_flow(request.expect)}"]) + "\n"


def mend(request: Request) -> dict[str, Any]:
    """One edit (JSON Patch) after which nothing is reported: the first single removal that does it, or else all of it."""
    transcript = request.input
    if request.operation == "validate" and isinstance(transcript, list):
        for path in _removable(transcript):
            if not expected("validate", _without(transcript, path)):
                return {"op": "remove", "path": "".join(f"/{step}" for step in path)}
    empty: Any = [] if request.operation == "validate" else {"text": "[]"}
    return {"op": "replace", "path": "", "value": empty}


def _removable(transcript: list[Any]) -> Iterator[tuple[Any, ...]]:
    for index, record in enumerate(transcript):
        content = record.get("content") if isinstance(record, dict) else None
        for at in range(len(content)) if isinstance(content, list) else ():
            yield (index, "content", at)
        yield (index,)


def _without(transcript: list[Any], path: tuple[Any, ...]) -> list[Any]:
    copied: list[Any] = json.loads(json.dumps(transcript))
    parent: Any = copied
    for step in path[:-1]:
        parent = parent[step]
    del parent[path[-1]]
    return copied


_PAIR: Final = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")


def _flow(value: Any) -> str:
    """A JSON value in YAML, in one line of ASCII, for readers of YAML 1.1 too.

    There a character beyond U+FFFF is one escape, not two, and a number with an exponent needs a point.
    """
    match value:
        case list():
            return f"[{', '.join(map(_flow, value))}]"
        case dict():
            return f"{{{', '.join(f'{_flow(key)}: {_flow(child)}' for key, child in value.items())}}}"
        case str():
            return _PAIR.sub(_one_escape, json.dumps(value))
        case float():
            mantissa, e, exponent = repr(value).partition("e")
            return f"{mantissa}{'.0' if e and '.' not in mantissa else ''}{e}{exponent}"
    return json.dumps(value)


def _one_escape(pair: re.Match[str]) -> str:
    return f"\\U{ord(bytes.fromhex(pair[1] + pair[2]).decode('utf-16-be')):08x}"
