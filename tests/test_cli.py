"""The command line as a process, on files: exit codes, reports, what it reads, and that nothing speaks through it."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import COMMAND, out, run
from message_ir import __version__
from message_ir.data import read_data
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import DiagnosticCode
from sessions import ROUND, UNANSWERED, assistant, call, lines, pi_chain, pi_header, pi_user, result, user

CHECKOUT = Path(__file__).parents[1]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    file = tmp_path / "broken.json"
    file.write_text(json.dumps([assistant(call("c")), result("other")], indent=1), encoding="utf-8")
    return file


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    file = tmp_path / "clean.jsonl"
    file.write_bytes(lines(ROUND))
    return file


class TestExitCodes:
    def test_clean(self, clean: Path) -> None:
        assert run("check", clean).returncode == 0

    def test_findings(self, broken: Path, clean: Path) -> None:
        assert run("check", clean, broken).returncode == 1

    def test_a_missing_file_does_not_hide_the_others(self, broken: Path, tmp_path: Path) -> None:
        done = run("check", tmp_path / "gone.json", broken)
        assert done.returncode == 2
        assert b"gone.json: No such file or directory" in done.stderr
        assert b"ORPHAN_TOOL_RESULT" in done.stdout

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["check"], b"Missing argument"),
            (["check", "--from", "latin", "x"], b"Invalid value for '--from'"),
            (["check", "--select", "MISING_TOOL_RESULT", "x"], b"did you mean MISSING_TOOL_RESULT?"),
            (["check", "--format", "xml", "x"], b"Invalid value for '--format'"),
            (["chek"], b"No such command"),
            (["check", "--nothing", "x"], b"No such option"),
        ],
    )
    def test_wrong_usage(self, arguments: list[str], said: bytes) -> None:
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, b"")
        assert said in done.stderr

    def test_help_and_version(self) -> None:
        assert run("--help").returncode == 0
        assert out("--version") == f"message-ir {__version__}\n"
        assert "Exit codes: 0 clean, 1 findings, 2 could not run" in " ".join(out("check", "--help").split())


class TestSelection:
    def test_select_and_ignore(self, broken: Path) -> None:
        assert "MISSING" not in out("check", "--select", "orphan_tool_result", broken)
        assert "ORPHAN" not in out("check", "--ignore", "ORPHAN_TOOL_RESULT", broken)
        assert run("check", "--ignore", "ORPHAN_TOOL_RESULT,MISSING_TOOL_RESULT", broken).returncode == 0
        both = ["--select", "ORPHAN_TOOL_RESULT", "--select", "MISSING_TOOL_RESULT", "--ignore", "ORPHAN_TOOL_RESULT"]
        assert "ORPHAN" not in out("check", *both, broken)
        assert run("check", *both, broken).returncode == 1


class TestPeople:
    def test_a_finding_has_place_code_prose_records_and_how_to_mend_it(self, tmp_path: Path) -> None:
        file = tmp_path / "session.json"
        text = json.dumps([assistant(call("c", "compile")), result("c", "compileAll")], indent=1)
        file.write_text(text, encoding="utf-8")
        call_line = next(number for number, line in enumerate(text.splitlines(), 1) if '"compile"' in line)
        result_line = next(number for number, line in enumerate(text.splitlines(), 1) if '"compileAll"' in line)
        report = out("check", file).splitlines()
        assert report[0] == f"{file}:{result_line}:15: TOOL_NAME_MISMATCH  /1/toolName"
        assert report[1].strip().startswith('The result at transcript[1] is of tool "compileAll"')
        assert report[2].split("│") == [f"     {call_line} ", ' assistant › toolCall "compile" "c"']
        assert report[3].split("│") == [f"  > {result_line} ", ' toolResult "compileAll" answers "c"']
        assert report[4].strip() == f"to mend it: {CATALOGUE[DiagnosticCode.TOOL_NAME_MISMATCH].mend}"
        assert (
            report[-1]
            == f"{file}: 1 finding (1 TOOL_NAME_MISMATCH) (message IR: 1 transcript, 2 messages, 1 tool call)"
        )

    def test_how_to_mend_it_is_said_once_a_code(self, tmp_path: Path) -> None:
        file = tmp_path / "file.json"
        file.write_text(json.dumps([result("a"), result("b")]), encoding="utf-8")
        assert out("check", file).count("to mend it") == 1

    def test_several_files_have_a_total(self, clean: Path, broken: Path) -> None:
        last = out("check", clean, broken).splitlines()[-1]
        assert last == "2 files, 2 transcripts, 4 messages: 2 findings (1 ORPHAN_TOOL_RESULT, 1 MISSING_TOOL_RESULT)"

    def test_no_colour_but_on_a_terminal(self, broken: Path) -> None:
        assert b"\x1b" not in run("check", broken).stdout
        assert b"\x1b[1" in run("check", broken, FORCE_COLOR="1", TERM="xterm").stdout


class TestInput:
    def test_standard_input(self) -> None:
        done = run("check", "-", stdin=json.dumps(UNANSWERED).encode())
        assert done.returncode == 1
        assert done.stdout.startswith(b"standard input:1:")

    def test_broken_lines_are_reported_with_their_number(self, tmp_path: Path) -> None:
        file = tmp_path / "many.jsonl"
        file.write_bytes(lines(ROUND, b'[{"id": "m', UNANSWERED))
        report = out("check", file)
        assert f"{file}:2:9: INVALID_TRANSCRIPT" in report
        assert "The text is not JSON: unterminated string." in report
        assert f"{file}:3:" in report

    def test_a_pi_session_by_itself_or_by_name(self, tmp_path: Path) -> None:
        file = tmp_path / "session"
        file.write_bytes(lines(pi_header(), *pi_chain(pi_user())))
        assert "Pi session: 1 transcript, 1 message" in out("check", file)
        assert "Pi session" in out("check", "--from", "pi", file)
        assert "INVALID_TRANSCRIPT" in out("check", "--from", "ir", file)

    def test_the_examples(self) -> None:
        examples = sorted((CHECKOUT / "examples").glob("*.json*"))
        assert len(examples) == 4
        for example in examples:
            assert run("check", example).returncode == (1 if "broken" in example.name else 0), example


class TestFormats:
    def test_json(self, broken: Path, clean: Path) -> None:
        document = json.loads(out("check", "--format", "json", broken, clean, broken.parent / "gone"))
        assert document["version"] == __version__
        orphan, missing = document["findings"]
        assert orphan["code"] == "ORPHAN_TOOL_RESULT"
        assert orphan["file"] == str(broken)
        assert orphan["place"]["pointer"] == orphan["path"] == "/1/toolCallId"
        assert missing["relatedPlaces"] == []
        assert [file["findings"] for file in document["files"]] == [
            {"ORPHAN_TOOL_RESULT": 1, "MISSING_TOOL_RESULT": 1},
            {},
        ]
        assert len(document["errors"]) == 1

    def test_losses_are_in_json_with_their_places(self) -> None:
        document = json.loads(out("check", "--format", "json", CHECKOUT / "examples/pi-clean.jsonl"))
        assert document["files"][0]["losses"] == [
            {
                "kind": "failed or aborted turn",
                "calls": 2,
                "place": {"line": 4, "column": None, "pointer": "/message"},
            }
        ]

    def test_github(self, broken: Path) -> None:
        first, second, total = out("check", "--format", "github", broken).splitlines()
        assert first.startswith(f"::error file={broken},line=17,col=17,title=ORPHAN_TOOL_RESULT::The result at")
        assert second.startswith("::error file=")
        assert total.startswith("1 file, 1 transcript")

    def test_sarif(self, tmp_path: Path) -> None:
        file = tmp_path / "a b.json"
        file.write_text(json.dumps([assistant(call("c"), call("c")), result("c")]), encoding="utf-8")
        document = json.loads(out("check", "--format", "sarif", file, "gone"))
        (sarif,) = document["runs"]
        assert document["version"] == "2.1.0"
        rules = sarif["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == list(CATALOGUE)
        (found,) = sarif["results"]
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"] == "DUPLICATE_TOOL_CALL_ID"
        place = found["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].endswith("/a%20b.json")
        assert place["region"]["startLine"] == 1
        assert found["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "/0/content/1/id"
        assert found["relatedLocations"][0]["id"] == 1
        assert sarif["invocations"][0]["executionSuccessful"] is False


HOSTILE = "\x1b[31m\r\n::error::x\n##[error]y\u202e\u2028\x7f\x85\x9b2J"


class TestEscaping:
    @pytest.mark.parametrize("report", ["text", "json", "jsonl", "github", "sarif"])
    def test_nothing_in_a_transcript_or_a_name_speaks(self, report: str, tmp_path: Path) -> None:
        file = tmp_path / f"::warning::{HOSTILE.replace('/', '')}.json"
        hostile = [
            assistant(call(f"c{HOSTILE}", HOSTILE, {HOSTILE: float("inf")}), {"type": HOSTILE}),
            assistant(call(f"d{HOSTILE}", f"a{HOSTILE}"), id=HOSTILE),
            result(f"d{HOSTILE}", f"b{HOSTILE}"),
            result(f"e{HOSTILE}", HOSTILE),
            {"id": "m", "role": HOSTILE},
        ]
        file.write_text(json.dumps(hostile).replace("Infinity", "1e999"), encoding="utf-8")
        done = run("check", f"--format={report}", file, tmp_path / f"gone{HOSTILE}", FORCE_COLOR="", NO_COLOR="1")
        assert done.returncode == 2
        for text in (done.stdout.decode(), done.stderr.decode()):
            assert not [each for each in text if not each.isprintable() and each != "\n"]
            assert "##[" not in text
            for line in text.splitlines():
                # A command of our own has two pairs of colons, and its properties have none.
                ours = report == "github" and line.startswith("::error file=")
                assert line.count("::") == (2 if ours else 0), line

    def test_json_keeps_the_value_that_it_escapes(self, tmp_path: Path) -> None:
        file = tmp_path / "file.json"
        file.write_text(
            json.dumps([assistant(call("c", arguments={HOSTILE: 3, "x": [None, {"a::b": 1e300}]})), user()])
        )
        file.write_text(file.read_text().replace("1e+300", "1e999"))
        (found, *_) = json.loads(out("check", "--format", "json", file))["findings"]
        assert found["path"] == "/0/content/0/arguments/x/1/a::b"

    def test_names_that_are_not_utf_8(self, tmp_path: Path) -> None:
        name = os.fsencode(tmp_path) + b"/\xff.json"
        Path(os.fsdecode(name)).write_text("[3]", encoding="utf-8")
        for report in ("text", "json", "jsonl", "github", "sarif"):
            done = subprocess.run([*COMMAND, "check", "--format", report, name], capture_output=True, check=False)
            assert done.returncode == 1, done.stderr
            done.stdout.decode()


class TestInterruption:
    def many(self, tmp_path: Path) -> Path:
        file = tmp_path / "many.jsonl"
        file.write_bytes(lines(*[[result(f"c{number}")] for number in range(20_000)]))
        return file

    def test_a_broken_pipe_ends_quietly(self, tmp_path: Path) -> None:
        process = subprocess.Popen(
            [*COMMAND, "check", str(self.many(tmp_path))], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141
        process.stderr.close()

    def test_an_interrupt_ends_quietly(self) -> None:
        # Where the tests run in the background, interrupts are ignored, which programs inherit.
        listening = "signal.signal(signal.SIGINT, signal.default_int_handler)"
        program = f"import runpy, signal; {listening}; runpy.run_module('message_ir', run_name='__main__')"
        process = subprocess.Popen(
            [sys.executable, "-c", program, "check", "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines([result("c")], [result("d")]) + b" " * 200_000)
        process.stdin.flush()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (130, b"")


class TestOutput:
    def test_a_report_that_cannot_be_written_is_no_fault_of_the_file(self, broken: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run([*COMMAND, "check", str(broken)], stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert b"cannot write the report: No space left on device" in done.stderr
        assert b"Traceback" not in done.stderr

    def test_a_closed_standard_output(self, broken: Path) -> None:
        script = f"{shlex.join([*COMMAND, 'check', str(broken)])} >&-"
        done = subprocess.run(["sh", "-c", script], stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (1, b"")


def says(terminal: int, word: bytes, seconds: float = 5) -> bool:
    """Whether a word is said on a terminal within so many seconds; what a terminal has comes in pieces."""
    heard = b""
    while word not in heard and select.select([terminal], [], [], seconds)[0]:
        heard += os.read(terminal, 65536)
    return word in heard


class TestProgress:
    @pytest.fixture
    def terminal(self) -> Iterator[tuple[int, int]]:
        ends = pty.openpty()
        yield ends
        for end in ends:
            os.close(end)

    def test_a_bar_is_shown_on_a_terminal_when_work_takes_longer_than_a_second(
        self, terminal: tuple[int, int], tmp_path: Path
    ) -> None:
        ours, theirs = terminal
        with (tmp_path / "report").open("wb") as report:
            process = subprocess.Popen(
                [*COMMAND, "check", "-"],
                stdin=subprocess.PIPE,
                stdout=report,
                stderr=theirs,
                env={**os.environ, "TERM": "xterm"},
            )
            assert process.stdin is not None
            for _ in range(15):
                process.stdin.write(lines(ROUND))
                process.stdin.flush()
                time.sleep(0.2)
            process.stdin.close()
            assert process.wait(timeout=30) == 0
        assert says(ours, b"checking")

    def test_a_bar_counts_what_a_port_has_answered(self, terminal: tuple[int, int]) -> None:
        ours, theirs = terminal
        arguments = ["conformance", "exhaust", "--events", "4", "--", *COMMAND, "conformance", "port"]
        environment = {**os.environ, "TERM": "xterm"}
        with subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=theirs, env=environment
        ) as process:
            try:
                assert says(ours, b"comparing", seconds=60)
            finally:
                process.kill()  # no one reads on, so it could not even say goodbye

    def test_no_bar_where_there_is_no_terminal(self, clean: Path) -> None:
        assert run("check", clean).stderr == b""


def test_schema_prints_the_schema() -> None:
    assert json.loads(out("schema")) == json.loads(read_data("transcript.schema.json"))


def test_large_and_deep_files_are_checked(tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_bytes(b'[{"id": "m", "role": "user", "content": ' + b"[" * 100_000 + b"]" * 100_000 + b"}]")
    assert "INVALID_MESSAGE  /0/content" in out("check", deep)
    many = tmp_path / "many.json"
    messages: list[Any] = [
        message for number in range(5_000) for message in (assistant(call(f"c{number}")), result("x"))
    ]
    many.write_text(json.dumps(messages), encoding="utf-8")
    assert "14,999 findings" in out("check", many).splitlines()[-1]
