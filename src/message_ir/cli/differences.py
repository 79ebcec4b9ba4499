"""Prints the report of a conformance run on a terminal: counts by rule, the first differences side by side, the verdict."""

from __future__ import annotations

import shlex
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from message_ir.cli.escaping import safe
from message_ir.conformance.rendering import by_group, got, readable
from message_ir.conformance.report import CaseReport, Report, is_failure
from message_ir.conformance.suite import OUTCOMES

_SHOWN: Final = 10
_LINES: Final = 12
_COLOURS: Final = {
    "passed": "green",
    "failed": "red",
    "errored": "magenta",
    "undelivered": "yellow",
    "unsupported": "bright_black",
}


def print_report(report: Report, console: Console) -> None:
    """Prints a report; known failures are counted and not shown."""
    console.print(_counts(report))
    failures = [case for case in report.cases if is_failure(case) and case.known is None]
    for case in failures[:_SHOWN]:
        _print_difference(case, report, console)
    if len(failures) > _SHOWN:
        console.print(f"… and {len(failures) - _SHOWN} more that differ; --html FILE or --json FILE has them all\n")
    for problem in report.unexpected:
        console.print(Text(safe(problem), "red"), soft_wrap=True)
    console.print(Text(report.verdict, "bold green" if report.conforms else "bold red"), soft_wrap=True)


def _counts(report: Report) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("rule")
    shown = tuple(reversed(OUTCOMES))
    for outcome in shown:
        table.add_column(outcome, justify="right")
    for group, counts in by_group(report).items():
        cells = [
            Text(f"{count:,}" if count else "·", _COLOURS[outcome] if count else "bright_black")
            for outcome, count in zip(shown, counts, strict=True)
        ]
        table.add_row(f"{group}.*", *cells)
    return table


def _print_difference(case: CaseReport, report: Report, console: Console) -> None:
    difference = case.difference
    assert difference is not None, "a failure has a difference"
    part = (
        ""
        if difference.part == "case"
        else f", its {'twin' if difference.part == 'twin' else f'variant “{difference.part}”'}"
    )
    console.print(Text.assemble("\n", (case.id, "bold"), f"{part}: ", (case.outcome, _COLOURS[case.outcome])))
    console.print(f"  {case.why} ({', '.join(case.clauses)})")
    console.print(_side_by_side(readable(difference.expected), got(difference)))
    rerun = f"message-ir conformance run --seed {report.seed} --case {case.id} -- {shlex.join(report.command)}"
    console.print(f"  again:    {safe(rerun)}", soft_wrap=True)
    console.print(f"  to list:  {safe(difference.observed)}\n", soft_wrap=True)


def _side_by_side(expected: list[str], answered: list[str]) -> Table:
    table = Table(box=None, padding=(0, 2))
    table.add_column("expected", overflow="fold", ratio=1)
    table.add_column("got", overflow="fold", ratio=1)
    for kind, left, right in _aligned(expected, answered)[:_LINES]:
        table.add_row(Text(safe(left), kind and "green"), Text(safe(right), kind and "red"))
    return table


def _aligned(expected: list[str], answered: list[str]) -> list[tuple[str, str, str]]:
    """Lines beside one another, those that differ marked."""
    rows: list[tuple[str, str, str]] = []
    for kind, start, end, other_start, other_end in SequenceMatcher(
        None, expected, answered, autojunk=False
    ).get_opcodes():
        left, right = expected[start:end], answered[other_start:other_end]
        mark = "" if kind == "equal" else kind
        rows += [(mark, one, other) for one, other in zip_longest(left, right, fillvalue="")]
    return rows
