"""The report for people: like a good compiler's, with place, code, prose, the records involved and how to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.text import Text

from message_ir.cli.checking import Located, Tally
from message_ir.cli.escaping import safe
from message_ir.cli.writing import Output
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import DiagnosticCode

_GUTTER: Final = "│"


class PeopleReport:
    """Text for a terminal."""

    says_total = True

    def __init__(self, out: Output) -> None:
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
        for kind, (number, calls) in tally.losses.kinds.items():
            held = f" with {_count(calls, 'tool call')}" if calls else ""
            text.append(f"\n  left out: {number:,} × {safe(kind)}{held}", "yellow")
        self._out(text)

    def end(self, total: Total, errors: Sequence[str]) -> None:  # noqa: ARG002 # they go to standard error
        """Prints the total of several files, and what is not in the report."""
        if total.files > 1 or total.notes():
            self._out(str(total))


@dataclass
class Total:
    """What was looked at and found in all files."""

    files: int = 0
    transcripts: int = 0
    messages: int = 0
    findings: dict[DiagnosticCode, int] = field(default_factory=dict)
    reported: int = 0
    """How many of the findings are in the report."""
    set_aside: int = 0
    """How many files of no known format were found in folders."""

    @property
    def omitted(self) -> int:
        """How many findings are counted, but not in the report."""
        return sum(self.findings.values()) - self.reported

    def add(self, tally: Tally) -> None:
        """Adds a file."""
        self.files += 1
        self.transcripts += tally.transcripts
        self.messages += tally.messages
        for code, number in tally.findings.items():
            self.findings[code] = self.findings.get(code, 0) + number

    def notes(self) -> list[str]:
        """What else there is to know, in sentences."""
        notes = []
        if self.omitted:
            were = "is" if self.omitted == 1 else "are"
            notes.append(f"{_count(self.omitted, 'finding')} more than --max-findings {were} counted, but not listed.")
        if self.set_aside:
            were = "was" if self.set_aside == 1 else "were"
            notes.append(
                f"{_count(self.set_aside, 'file')} of no known format {were} set aside; --from names a format."
            )
        return notes

    def __str__(self) -> str:
        """One sentence, and the notes on lines of their own."""
        counts = f"{_count(self.files, 'file')}, {_count(self.transcripts, 'transcript')}, {_count(self.messages, 'message')}"
        return "\n".join([f"{counts}: {_findings(self.findings) if self.findings else 'clean'}", *self.notes()])


def _findings(findings: dict[DiagnosticCode, int]) -> str:
    by_code = ", ".join(f"{number:,} {code}" for code, number in findings.items())
    return f"{_count(sum(findings.values()), 'finding')} ({by_code})"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
