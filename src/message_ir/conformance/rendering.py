"""A report as a page for a browser, as Markdown, and as JUnit XML; several reports as one page that compares ports."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final
from xml.etree import ElementTree as ET

import jinja2

from message_ir.conformance.report import CaseReport, Difference, Report, is_failure, to_json
from message_ir.conformance.suite import OUTCOMES
from message_ir.quoting import escape
from message_ir_types.catalogue import CLAUSES

# A longer input is cut in what people read; the JSON report has all of it.
_LONGEST_SHOWN: Final = 4_000

# From the best on, as people read them.
_SHOWN_OUTCOMES: Final = tuple(reversed(OUTCOMES))


def markdown(report: Report) -> str:
    """Renders a summary for a pull request or a job's page."""
    port = report.port
    parts = [
        f"# {_cell(port.name)} {_cell(port.version)} ({_cell(port.language)})",
        f"**{report.verdict}**",
        f"Contract {report.contract}, corpus `{report.digest[:12]}`, seed {report.seed}, {report.seconds:.1f} s.",
        _markdown_table(
            ("rule", *_SHOWN_OUTCOMES),
            [(f"`{group}.*`", *map(str, counts)) for group, counts in by_group(report).items()],
        ),
        "## Known failures that are not as listed\n\n" + "\n".join(f"- {_cell(each)}" for each in report.unexpected)
        if report.unexpected
        else "",
        *(_markdown_difference(case) for case in report.cases if is_failure(case)),
        _markdown_unasked(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def junit(report: Report) -> str:
    """Renders JUnit XML: a suite for each topic; what could not be asked, and known failures, are skipped."""
    root = ET.Element(
        "testsuites", name=f"message-ir conformance: {escape(report.port.name)}", time=f"{report.seconds}"
    )
    for topic in dict.fromkeys(case.topic for case in report.cases):
        cases = [case for case in report.cases if case.topic == topic]
        counts = {
            outcome: sum(case.outcome == outcome and case.known is None for case in cases) for outcome in OUTCOMES
        }
        suite = ET.SubElement(
            root,
            "testsuite",
            name=topic,
            tests=str(len(cases)),
            failures=str(counts["failed"]),
            errors=str(counts["errored"]),
            skipped=str(len(cases) - counts["passed"] - counts["failed"] - counts["errored"]),
        )
        for case in cases:
            test = ET.SubElement(suite, "testcase", name=case.id, classname=f"conformance.{topic}")
            if case.difference is not None:
                _junit_result(test, case)
    if report.unexpected:
        suite = ET.SubElement(root, "testsuite", name="Known failures", tests=str(len(report.unexpected)))
        suite.set("failures", suite.get("tests", ""))
        for problem in report.unexpected:
            test = ET.SubElement(suite, "testcase", name=escape(problem), classname="conformance.known")
            ET.SubElement(test, "failure", message=escape(problem))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def html(report: Report) -> str:
    """Renders one page that needs nothing else: the matrix of rules and cases, a filter, and each difference."""
    rows = [
        (clause, statement, [case for case in report.cases if clause in case.clauses])
        for clause, statement in CLAUSES.items()
    ]
    return _template("report.html.jinja").render(
        report=report, rows=[row for row in rows if row[2]], outcomes=_SHOWN_OUTCOMES
    )


def comparison(reports: Sequence[Report]) -> str:
    """Renders one page of several reports: what became of each case in each port."""
    cases = {case.id: case for report in reports for case in report.cases}
    outcomes = [{case.id: case for case in report.cases} for report in reports]
    rows = [(case, [ports.get(case.id) for ports in outcomes]) for case in cases.values()]
    digests = {report.digest for report in reports}
    return _template("comparison.html.jinja").render(
        reports=reports, rows=rows, outcomes=_SHOWN_OUTCOMES, one_corpus=len(digests) == 1
    )


# The forms in which a report is written to a file, by the option that asks for each.
RENDERINGS: Final[dict[str, Callable[[Report], str]]] = {
    "json": to_json,
    "junit": junit,
    "markdown": markdown,
    "html": html,
}


def by_group(report: Report) -> dict[str, tuple[int, ...]]:
    """How many cases of each group of rules had each outcome, from the best on."""
    groups = dict.fromkeys(clause.partition(".")[0] for clause in CLAUSES)
    members = {group: [case for case in report.cases if group in _groups(case)] for group in groups}
    return {
        group: tuple(sum(case.outcome == outcome for case in cases) for outcome in _SHOWN_OUTCOMES)
        for group, cases in members.items()
        if cases
    }


def readable(value: Any) -> list[str]:
    """A result or an input in lines that are harmless to print: a diagnostic a line, anything else as indented JSON."""
    if isinstance(value, dict) and isinstance(value.get("diagnostics"), list):
        return [escape(_diagnostic(each)) for each in value["diagnostics"]] or ["nothing reported"]
    return _lines(json.dumps(value, indent=1))


def got(difference: Difference) -> list[str]:
    """What a port answered in lines, or why it gave no result."""
    return readable(difference.got) if difference.got is not None else _lines(difference.detail)


def _lines(text: str) -> list[str]:
    if len(text) > _LONGEST_SHOWN:
        text = f"{text[:_LONGEST_SHOWN]}\n… and {len(text) - _LONGEST_SHOWN:,} characters more"
    return [escape(line) for line in text.split("\n")]


def _diagnostic(diagnostic: dict[str, Any]) -> str:
    related = f"  → {' '.join(map(str, diagnostic['related']))}" if diagnostic.get("related") else ""
    path = diagnostic.get("path")
    return f"{diagnostic['code']}  [{diagnostic['messageIndex']}]  {'' if path is None else json.dumps(path)}{related}"


def _groups(case: CaseReport) -> set[str]:
    return {clause.partition(".")[0] for clause in case.clauses}


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _markdown_difference(case: CaseReport) -> str:
    difference = case.difference
    assert difference is not None, "a failure has a difference"
    known = f"\n\nKnown: {_cell(case.known)}" if case.known else ""
    blocks = (
        ("sent", "\n".join(readable(difference.input))),
        ("expected", "\n".join(readable(difference.expected))),
        ("got", "\n".join(got(difference))),
    )
    shown = "\n\n".join(f"{name}:\n\n{_fenced(text)}" for name, text in blocks)
    clauses = ", ".join(f"`{clause}`" for clause in case.clauses)
    return f"## {case.id}: {case.outcome}\n\n{case.why} ({clauses}; {difference.part}){known}\n\n{shown}"


def _markdown_unasked(report: Report) -> str:
    unasked = [case for case in report.cases if case.outcome in {"undelivered", "unsupported"}]
    rows = [(f"`{case.id}`", case.outcome, _cell(case.difference.detail)) for case in unasked if case.difference]
    return "## Not asked\n\n" + _markdown_table(("case", "outcome", "why"), rows) if rows else ""


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _cell(text: str) -> str:
    """Text of the port's or of the user's, harmless within a line of Markdown."""
    return escape(text).replace("|", "\\|").replace("<", "&lt;").replace("`", "'")


def _junit_result(test: ET.Element, case: CaseReport) -> None:
    difference = case.difference
    assert difference is not None, "only what did not pass comes here"
    if case.known is not None:
        ET.SubElement(test, "skipped", message=escape(f"known failure: {case.known}"))
        return
    kind = {"failed": "failure", "errored": "error"}.get(case.outcome, "skipped")
    said = difference.detail or f"{difference.part}: not what was expected"
    element = ET.SubElement(test, kind, message=escape(f"{case.outcome}: {said}"))
    if kind != "skipped":
        lines = [case.why, "expected:", *readable(difference.expected), "got:", *got(difference)]
        element.text = "\n".join(lines)


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("message_ir.conformance", "pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["readable"] = lambda value: "\n".join(readable(value))
    environment.filters["visible"] = escape
    environment.filters["got"] = lambda difference: "\n".join(got(difference))
    return environment.get_template(name)
