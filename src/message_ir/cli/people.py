"""The report for people: like a good compiler's, with place, code, prose, the records involved and how to mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from rich.text import Text

from message_ir.cli.checking import Located, Tally
from message_ir.cli.escaping import safe
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import DiagnosticCode

Print = Callable[[str | Text], None]
"""Prints one line, or several."""

_GUTTER: Final = "│"


class PeopleReport:
    """Text for a terminal."""

    def __init__(self, out: Print) -> None:
        self._out = out
        self._explained: set[DiagnosticCode] = set()

    def finding(self, located: Located) -> None:
        """Prints a finding; how to mend it only at the first of its code."""
        found = located.diagnostic
        line, column, pointer = located.spot.place
        place = f"{safe(located.file)}:{line}:{column}" if column else f"{safe(located.file)}:{line}"
        text = Text.assemble((place, "bold"), ": ", (found.code, "bold red"))
        if pointer:
            text.append(f"  {safe(pointer)}", "dim")
        text.append(f"\n  {safe(found.message)}\n")
        spots = sorted({located.spot, *located.related})
        width = max(len(str(spot.place.line)) for spot in spots)
        for spot in spots:
            if spot.gist:
                mark = ">" if spot == located.spot else " "
                text.append(f"  {mark} {spot.place.line:>{width}} {_GUTTER} ", "blue").append(f"{safe(spot.gist)}\n")
        if found.code not in self._explained:
            self._explained.add(found.code)
            text.append("  to mend it: ", "green").append(f"{CATALOGUE[found.code].mend}\n")
            for answer in located.answers:
                text.append("  the API says: ", "magenta").append(f"{answer}\n")
        self._out(text)

    def file(self, tally: Tally) -> None:
        """Prints a file's counts, and what was left out of its transcripts."""
        counts = f"{_count(tally.transcripts, 'transcript')}, {_count(tally.messages, 'message')}, {_count(tally.calls, 'tool call')}"
        verdict = (_findings(tally.findings), "red") if tally.findings else ("clean", "green")
        text = Text.assemble((safe(tally.file), "bold"), ": ", verdict, f" ({tally.title}: {counts})")
        for kind, number in Counter(loss.kind for loss in tally.losses).items():
            calls = sum(loss.calls for loss in tally.losses if loss.kind == kind)
            held = f" with {_count(calls, 'tool call')}" if calls else ""
            text.append(f"\n  left out: {number:,} × {safe(kind)}{held}", "yellow")
        self._out(text)

    def end(self, tallies: Sequence[Tally], errors: Sequence[str]) -> None:  # noqa: ARG002 # they go to standard error
        """Prints the total of several files."""
        if len(tallies) > 1:
            self._out(total(tallies))


def total(tallies: Sequence[Tally]) -> str:
    """One sentence of all files."""
    findings: Counter[DiagnosticCode] = Counter()
    for tally in tallies:
        findings.update(tally.findings)
    files = _count(len(tallies), "file")
    transcripts = _count(sum(tally.transcripts for tally in tallies), "transcript")
    messages = _count(sum(tally.messages for tally in tallies), "message")
    return f"{files}, {transcripts}, {messages}: {_findings(findings) if findings else 'clean'}"


def _findings(findings: dict[DiagnosticCode, int]) -> str:
    by_code = ", ".join(f"{number:,} {code}" for code, number in findings.items())
    return f"{_count(sum(findings.values()), 'finding')} ({by_code})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
