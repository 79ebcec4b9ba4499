"""The forms in which `message-ir check` reports to programs, and the table of all forms.

A report is one class of one shape: it is told of each finding as it is found, of each file when it is done, and of the
end. Nothing of a transcript or of a file's name reaches the output but through `escaping`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol
from urllib.parse import quote as quote_uri

import msgspec

from message_ir.cli.checking import Located, Spot, Tally
from message_ir.cli.escaping import safe, safe_json
from message_ir.cli.people import PeopleReport, Print, total
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.constants import VERSION


class Report(Protocol):
    """One form of report."""

    def finding(self, located: Located) -> None:
        """Takes a finding."""

    def file(self, tally: Tally) -> None:
        """Takes the counts of a file that is done."""

    def end(self, tallies: Sequence[Tally], errors: Sequence[str]) -> None:
        """Takes the counts of all files, and what could not be checked at all."""


class JsonReport:
    """One JSON document: `findings`, `files`, `errors`."""

    def __init__(self, out: Print) -> None:
        self._out = out
        self._findings: list[dict[str, Any]] = []

    def finding(self, located: Located) -> None:
        """Keeps a finding for the document."""
        self._findings.append(_finding(located))

    def file(self, tally: Tally) -> None:
        """Does nothing: the document comes at the end."""

    def end(self, tallies: Sequence[Tally], errors: Sequence[str]) -> None:
        """Prints the document."""
        files = [_file(tally) for tally in tallies]
        document = {"version": VERSION, "findings": self._findings, "files": files, "errors": list(errors)}
        self._out(safe_json(document, indent=2))


class JsonLinesReport:
    """A line of JSON for each finding, each file and each error; `kind` says which."""

    def __init__(self, out: Print) -> None:
        self._out = out

    def finding(self, located: Located) -> None:
        """Prints a finding."""
        self._out(safe_json({"kind": "finding"} | _finding(located)))

    def file(self, tally: Tally) -> None:
        """Prints a file's counts."""
        self._out(safe_json({"kind": "file"} | _file(tally)))

    def end(self, tallies: Sequence[Tally], errors: Sequence[str]) -> None:  # noqa: ARG002 # of the interface
        """Prints what could not be checked."""
        for error in errors:
            self._out(safe_json({"kind": "error", "error": error}))


class GithubReport:
    """GitHub's workflow commands, which mark the lines in a pull request."""

    def __init__(self, out: Print) -> None:
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

    def end(self, tallies: Sequence[Tally], errors: Sequence[str]) -> None:  # noqa: ARG002 # they go to standard error
        """Prints the total."""
        self._out(safe(total(tallies)))


class SarifReport:
    """SARIF 2.1.0, which code scanning services read."""

    def __init__(self, out: Print) -> None:
        self._out = out
        self._results: list[dict[str, Any]] = []

    def finding(self, located: Located) -> None:
        """Keeps a finding for the document."""
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
        self._results.append(result)

    def file(self, tally: Tally) -> None:
        """Does nothing: the document comes at the end."""

    def end(self, tallies: Sequence[Tally], errors: Sequence[str]) -> None:  # noqa: ARG002 # SARIF has no counts
        """Prints the document."""
        notifications = [{"level": "error", "message": {"text": error}} for error in errors]
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
            "invocations": [{"executionSuccessful": not errors, "toolExecutionNotifications": notifications}],
            "results": self._results,
        }
        schema = "https://json.schemastore.org/sarif-2.1.0.json"
        self._out(safe_json({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2))


REPORTS: Final[dict[str, Callable[[Print], Report]]] = {
    "text": PeopleReport,
    "json": JsonReport,
    "jsonl": JsonLinesReport,
    "github": GithubReport,
    "sarif": SarifReport,
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
        "losses": [{"kind": loss.kind, "calls": loss.calls, "place": loss.place._asdict()} for loss in tally.losses],
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
