"""The forms in which `message-ir check` reports to programs, and the table of all forms.

A report is one class of one shape: it is told of each finding as it is found, of each file when it is done, and of the
end. Nothing of a transcript or of a file's name reaches the output but through `escaping`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import indent
from typing import Any, Final, Protocol
from urllib.parse import quote as quote_uri

import msgspec

from message_ir.cli.checking import Located, Spot, Tally
from message_ir.cli.escaping import safe, safe_json
from message_ir.cli.people import PeopleReport, Total
from message_ir.cli.rows import JsonLinesReport, ParquetReport
from message_ir.cli.writing import Output
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.constants import VERSION


class Report(Protocol):
    """One form of report."""

    says_total: bool
    """Whether it says how many findings there are that it does not list."""

    def finding(self, located: Located) -> None:
        """Takes a finding."""

    def file(self, tally: Tally) -> None:
        """Takes the counts of a file that is done."""

    def end(self, total: Total, errors: Sequence[str]) -> None:
        """Takes the counts of all files, and what could not be checked at all."""


class JsonReport:
    """One JSON document: `findings`, `files`, `errors`; `omitted` if there are findings that are only counted."""

    says_total = True

    def __init__(self, out: Output) -> None:
        self._files: list[dict[str, Any]] = []
        self._errors: list[str] = []
        self._omitted: dict[str, int] = {}
        self._findings = _LongArray(out, self._document)

    def finding(self, located: Located) -> None:
        """Prints a finding into the document."""
        self._findings.add(_finding(located))

    def file(self, tally: Tally) -> None:
        """Keeps the counts of a file, which come after all findings."""
        self._files.append(_file(tally))

    def end(self, total: Total, errors: Sequence[str]) -> None:
        """Prints the rest of the document."""
        self._errors += errors
        self._omitted = {"omitted": total.omitted} if total.omitted else {}
        self._findings.end()

    def _document(self, findings: list[Any]) -> dict[str, Any]:
        return (
            {"version": VERSION, "findings": findings}
            | self._omitted
            | {
                "files": self._files,
                "errors": self._errors,
            }
        )


class GithubReport:
    """GitHub's workflow commands, which mark the lines in a pull request."""

    says_total = True

    def __init__(self, out: Output) -> None:
        self._out = out

    def finding(self, located: Located) -> None:
        """Prints a finding as an error at its line."""
        line, column, pointer = located.spot.place
        properties = {
            "file": located.file,
            "line": str(line),
            "col": str(column or ""),
            "title": located.diagnostic.code,
        }
        written = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
        self._out(f"::error {written}::{_data(f'{located.diagnostic.message} ({pointer})')}")

    def file(self, tally: Tally) -> None:
        """Does nothing: a log has the total."""

    def end(self, total: Total, errors: Sequence[str]) -> None:  # noqa: ARG002 # they go to standard error
        """Prints the total."""
        for line in str(total).splitlines():
            self._out(safe(line))


class SarifReport:
    """SARIF 2.1.0, which code scanning services read."""

    says_total = True

    def __init__(self, out: Output) -> None:
        self._notifications: list[dict[str, Any]] = []
        self._is_successful = True
        self._results = _LongArray(out, self._document)

    def finding(self, located: Located) -> None:
        """Prints a finding into the document."""
        found = located.diagnostic
        result = {
            "ruleId": found.code,
            "ruleIndex": list(CATALOGUE).index(found.code),
            "level": "error",
            "message": {"text": found.message},
            "locations": [_location(located.file, located.spot)],
        }
        if located.related:
            result["relatedLocations"] = [
                {"id": number} | _location(located.file, spot) for number, spot in enumerate(located.related, 1)
            ]
        self._results.add(result)

    def file(self, tally: Tally) -> None:
        """Does nothing: the document comes at the end."""

    def end(self, total: Total, errors: Sequence[str]) -> None:
        """Prints the rest of the document; SARIF has no counts."""
        said = [("error", error) for error in errors] + [("note", note) for note in total.notes()]
        self._notifications += [{"level": level, "message": {"text": text}} for level, text in said]
        self._is_successful = not errors
        self._results.end()

    def _document(self, results: list[Any]) -> dict[str, Any]:
        rules = [
            {
                "id": code,
                "shortDescription": {"text": entry.summary},
                "fullDescription": {"text": entry.why},
                "help": {"text": entry.mend},
                "defaultConfiguration": {"level": "error"},
            }
            for code, entry in CATALOGUE.items()
        ]
        run = {
            "tool": {"driver": {"name": "message-ir", "version": VERSION, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
            "invocations": [
                {"executionSuccessful": self._is_successful, "toolExecutionNotifications": self._notifications}
            ],
        }
        return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


class _LongArray:
    """Prints a JSON document with one long array, whose items come one by one, the same as if it were printed at once."""

    def __init__(self, out: Output, document: Callable[[list[Any]], dict[str, Any]]) -> None:
        """Takes the document by the items of the array; what stands before that must be known from the beginning."""
        self._out = out
        self._document = document
        self._last: str | None = None
        self._indent = ""

    def add(self, item: dict[str, Any]) -> None:
        """Prints an item."""
        if self._last is None:
            before, self._indent, _ = self._around()
            self._out(before)
        else:
            self._out(f"{self._last},")
        self._last = indent(safe_json(item, indent=2), self._indent)

    def end(self) -> None:
        """Prints the rest of the document."""
        if self._last is None:
            self._out(safe_json(self._document([]), indent=2))
        else:
            self._out(self._last)
            self._out(self._around()[2])

    def _around(self) -> tuple[str, str, str]:
        """What stands before an item, how far it is indented, and what stands after it."""
        text = safe_json(self._document([0]), indent=2)
        found = re.search(r"\[\n( +)0\n", text)
        assert found, "an array of a number is printed so, and is the first such array"
        return text[: found.start() + 1], found[1], text[found.end() :]


REPORTS: Final[dict[str, Callable[[Output], Report]]] = {
    "text": PeopleReport,
    "json": JsonReport,
    "jsonl": JsonLinesReport,
    "github": GithubReport,
    "sarif": SarifReport,
    "parquet": ParquetReport,
}


def _finding(located: Located) -> dict[str, Any]:
    wire: dict[str, Any] = msgspec.to_builtins(located.diagnostic)
    return wire | {
        "file": located.file,
        "transcript": located.transcript,
        "place": located.spot.place._asdict(),
        "relatedPlaces": [spot.place._asdict() for spot in located.related],
        "seenAs": located.answers,
    }


def _file(tally: Tally) -> dict[str, Any]:
    return {
        "file": tally.file,
        "format": tally.format,
        "transcripts": tally.transcripts,
        "messages": tally.messages,
        "calls": tally.calls,
        "findings": tally.findings,
        "losses": [
            {"kind": loss.kind, "calls": loss.calls, "place": loss.place._asdict()} for loss in tally.losses.first
        ],
        "lossesByKind": {
            kind: {"number": number, "calls": calls} for kind, (number, calls) in tally.losses.kinds.items()
        },
    }


def _location(file: str, spot: Spot) -> dict[str, Any]:
    region = {"startLine": spot.place.line}
    if spot.place.column:
        region["startColumn"] = spot.place.column
    return {
        "physicalLocation": {"artifactLocation": {"uri": quote_uri(file, errors="surrogateescape")}, "region": region},
        "logicalLocations": [{"fullyQualifiedName": spot.place.pointer}],
    }


def _data(text: str) -> str:
    return safe(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
