"""The report of a run: one document, from which every form of it is rendered, and in which it is kept as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from message_ir.conformance.known import KnownFailure, as_line, unexpected
from message_ir.conformance.suite import OUTCOMES, Corpus, Outcome, Verdict
from message_ir.quoting import escape

FORMAT: Final = "message-ir conformance report 1"


class Port(Struct, frozen=True):
    """How the port introduced itself."""

    name: str
    version: str
    language: str
    contract: str
    operations: list[str]
    hosts: list[str]
    paths: bool
    reasons: dict[str, str] = {}


class Difference(Struct, frozen=True, rename="camel"):
    """What went wrong in a case, or what could not be asked."""

    part: str
    """`case`, `twin`, or the name of a variant."""
    operation: str
    input: Any
    function: str | None
    mutations: Any
    expected: Any
    got: Any
    """The port's result; null where it gave none."""
    detail: str
    """Why it gave none."""
    observed: str
    """What a file of known failures would hold of it."""
    others: list[str]
    """The other parts that went wrong."""


class CaseReport(Struct, frozen=True, rename="camel"):
    """What became of one case."""

    id: str
    topic: str
    why: str
    clauses: list[str]
    outcome: Outcome
    asked: int
    """How many requests it was: the case, its twin and its variants."""
    difference: Difference | None = None
    known: str | None = None
    """The reason for which the failure is known."""


class Report(Struct, frozen=True, rename="camel"):
    """One run of one port."""

    format: str
    contract: str
    """The version of the contract that the corpus is of."""
    digest: str
    """SHA-256 of the corpus."""
    seed: int
    selection: list[str]
    """What the run was restricted to; empty for all cases."""
    command: list[str]
    port: Port
    seconds: float
    counts: dict[Outcome, int]
    conforms: bool
    unexpected: list[str]
    """What contradicts the file of known failures, each with the line to change."""
    cases: list[CaseReport]

    @property
    def ran(self) -> int:
        """How many cases the port answered, rightly or not."""
        return self.counts["passed"] + self.counts["failed"] + self.counts["errored"]

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        counts = ", ".join(f"{self.counts[outcome]} {outcome}" for outcome in reversed(OUTCOMES))
        known = sum(case.known is not None for case in self.cases)
        listed = f" ({known} known)" if known else ""
        compared = "" if self.port.paths else "; paths were not compared"
        other = self.port.contract != self.contract
        version = (
            f"; it says it is of contract {escape(self.port.contract)}, and this is {self.contract}" if other else ""
        )
        result = ("conforms" if self.conforms else "does not conform") if self.ran else "nothing ran"
        return f"{result}: {counts}{listed} of {len(self.cases)} cases{compared}{version}"


def make_report(  # noqa: PLR0913 # what a report tells
    corpus: Corpus,
    verdicts: Sequence[Verdict],
    *,
    introduction: dict[str, Any],
    command: Sequence[str],
    seed: int,
    seconds: float,
    selection: Sequence[str] = (),
    known: Sequence[KnownFailure] = (),
    known_file: Path | None = None,
) -> Report:
    """Makes the report of what became of the cases."""
    problems = list(unexpected(known, verdicts, corpus, known_file)) if known_file else []
    reasons = {entry.case: entry for entry in known}
    cases = [_case(verdict, reasons.get(verdict.case.id)) for verdict in verdicts]
    counts: dict[Outcome, int] = {outcome: sum(case.outcome == outcome for case in cases) for outcome in OUTCOMES}
    return Report(
        format=FORMAT,
        contract=corpus.contract,
        digest=corpus.digest,
        seed=seed,
        selection=list(selection),
        command=list(command),
        port=msgspec.convert(introduction, Port),
        seconds=round(seconds, 3),
        counts=counts,
        conforms=not problems
        and any(counts[outcome] for outcome in ("passed", "failed", "errored"))
        and all(case.known is not None for case in cases if is_failure(case)),
        unexpected=problems,
        cases=cases,
    )


def is_failure(case: CaseReport) -> bool:
    """Whether the port is wrong; what could not be asked is no failure, and no pass."""
    return case.outcome in {"failed", "errored"}


def to_json(report: Report) -> str:
    """Renders a report as JSON, a case a line."""
    # The json of the standard library writes and reads unpaired surrogates, which ports may answer with.
    fields = msgspec.to_builtins(report)
    cases = ",\n".join(json.dumps(case) for case in fields.pop("cases"))
    return f'{json.dumps(fields, indent=1)[:-2]},\n "cases": [\n{cases}\n]}}\n'


def from_json(text: bytes) -> Report:
    """Reads a report.

    Raises:
        ValueError: it is none.
    """
    report = msgspec.convert(json.loads(text), Report)
    if report.format != FORMAT:
        raise ValueError(f"it is not a “{FORMAT}”")
    if set(report.counts) != set(OUTCOMES):
        raise ValueError("it does not count every outcome")
    return report


def _case(verdict: Verdict, entry: KnownFailure | None) -> CaseReport:
    case = verdict.case
    is_known = entry is not None and not verdict.conforms and entry.observed == verdict.observed
    return CaseReport(
        id=case.id,
        topic=case.topic,
        why=case.why,
        clauses=case.clauses,
        outcome=verdict.outcome,
        asked=len(verdict.answers),
        difference=None if verdict.outcome == "passed" else _difference(verdict),
        known=entry.reason if entry is not None and is_known else None,
    )


def _difference(verdict: Verdict) -> Difference:
    worst = verdict.worst
    request = worst.request
    wrong = dict.fromkeys(answer.request.part for answer in verdict.answers if answer.outcome == worst.outcome)
    return Difference(
        part=request.part,
        operation=request.operation,
        input=request.input,
        function=request.function,
        mutations=request.mutations,
        expected=request.result,
        got=worst.got,
        detail=worst.detail,
        observed=as_line(verdict, "WHY"),
        others=[part for part in wrong if part != request.part],
    )
