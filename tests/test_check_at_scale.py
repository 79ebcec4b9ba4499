"""`message-ir check` on much: units and jobs, bounded memory, compressed files, folders, and findings as data."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from command_line import COMMAND, out, run
from conversation_forms import FORMS
from message_ir import validate_transcript
from message_ir.cli.checking import Located, Settings, Tally
from message_ir.cli.inputs import CannotReadError, Entry
from message_ir.cli.people import Total
from message_ir.cli.progress import ByteProgress
from message_ir.cli.reports import REPORTS
from message_ir.cli.running import Run
from message_ir.cli.units import SIZE, End, Span, Unit, units
from message_ir.pointer import path_in, pointer
from message_ir.sources import Options, Transcript, Unreadable, read_lines
from message_ir.sources.reading import by_line, read_each
from message_ir_types.messages import DiagnosticCode
from sessions import ROUND, UNANSWERED, Json, assistant, call, lines, pi_chain, pi_header, pi_user, result, user

# Runs the command with units of so many bytes.
PROGRAM: Final = """
import sys
from message_ir.cli import app, main
app.SIZE = int(sys.argv.pop(1))
main()
"""

EVERY_LINE: Final = 1

MIXED: Final = lines(
    b"",
    ROUND,
    UNANSWERED,
    b'[{"id": "m',
    {"messages": ROUND},
    [result("x"), *ROUND, result("c")],
    b"  ",
    b"\xff",
    [user("\u00e9\u4f60"), *ROUND],
    3,
    b"\0\0",
    {"id": "u", "role": "user", "content": "a message, where the file has transcripts"},
    UNANSWERED,
)


def cut(size: int, *arguments: str | Path, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-c", PROGRAM, str(size), "check", *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def chat(number: int, text: str = "hello") -> Json:
    """A body for Chat Completions with a prompt, which is left out, and a call that is not answered."""
    function = {"name": "f", "arguments": "{}"}
    return {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": text},
            {"role": "assistant", "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}]},
        ]
    }


class Collected:
    """A report that keeps what it is told."""

    says_total = True

    def __init__(self) -> None:
        self.findings: list[Located] = []
        self.tallies: list[Tally] = []

    def finding(self, located: Located) -> None:
        self.findings.append(located)

    def file(self, tally: Tally) -> None:
        self.tallies.append(tally)

    def end(self, total: Total, errors: Sequence[str]) -> None:
        assert not errors
        assert total.reported == len(self.findings)


class TestUnits:
    @given(
        text=st.lists(st.sampled_from([b"[]", b"[3]", b"{", b"", b" ", b"\r", b"\xff", b"[" + b" " * 50 + b"]"])),
        has_end=st.booleans(),
        are_shipped=st.booleans(),
        size=st.integers(1, 100),
    )
    def test_together_they_are_the_file(
        self,
        text: list[bytes],
        has_end: bool,
        are_shipped: bool,
        size: int,
        tmp_path_factory: pytest.TempPathFactory,
    ) -> None:
        file = tmp_path_factory.getbasetemp() / "file.jsonl"
        data = b"\n".join(text) + b"\n" * has_end
        file.write_bytes(data)
        *made, end = units([Entry(str(file))], "ir", are_shipped=are_shipped, most=lambda: None, size=size)
        assert end == End(Entry(str(file)))
        pieces = [unit for unit in made if isinstance(unit, Unit)]
        assert len(pieces) == len(made)
        assert b"".join(unit.read() for unit in pieces) == data
        assert all(isinstance(unit.text, Span) == (are_shipped and bool(data)) for unit in pieces)
        assert sum(unit.consumed for unit in pieces) == len(data)
        assert all(unit.read().endswith(b"\n") for unit in pieces[:-1])
        if are_shipped:
            # A unit is no larger than was asked for, but for the line in which it ends.
            longest = max(map(len, text), default=0) + 1
            assert all(unit.source is None or len(unit.read()) <= size + longest for unit in pieces)

    @pytest.mark.parametrize("are_shipped", [False, True])
    def test_a_file_that_becomes_shorter_is_told_of(self, are_shipped: bool, tmp_path: Path) -> None:
        file = tmp_path / "file.jsonl"
        file.write_bytes(lines(*[ROUND] * 90_000))
        made = units([Entry(str(file))], None, are_shipped=are_shipped, most=lambda: None, size=1 << 18)
        first = next(made)
        assert isinstance(first, Unit)
        os.truncate(file, len(first.read()) + 100)
        for each in made:
            if isinstance(each, Unit):
                with pytest.raises(CannotReadError, match="it became shorter while it was read"):
                    each.read()
            else:
                assert bool(each.problem) is not are_shipped

    @given(
        text=st.lists(st.sampled_from([*MIXED.splitlines(), *map(json.dumps, map(chat, range(3)))])),
        source=st.sampled_from(["ir", "openai-chat", "codex"]),
        size=st.integers(1, 500),
    )
    def test_however_it_is_cut_the_answer_is_that_of_the_whole(
        self, text: list[str | bytes], source: str, size: int, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        file = tmp_path_factory.getbasetemp() / "file.jsonl"
        file.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in text))
        whole = list(read_lines(file.read_bytes().splitlines(keepends=True), name="file.jsonl", format=source).items)
        report = Collected()
        complaints: list[str] = []
        settings = Settings(source, Options(), frozenset(DiagnosticCode))
        Run(settings, report, ByteProgress(), complaints.append, size=size).check([str(file)])
        (tally,) = report.tallies
        transcripts = [item for item in whole if isinstance(item, Transcript)]
        assert tally.transcripts == len(transcripts)
        assert tally.losses.first == [loss for item in transcripts for loss in item.losses]
        expected = []
        for at, item in enumerate(whole):
            index = sum(isinstance(each, Transcript) for each in whole[:at])
            if isinstance(item, Unreadable):
                expected.append((index, "INVALID_TRANSCRIPT", item.place))
            else:
                reported = validate_transcript(item.value)
                expected += [(index, found.code, item.place(path_in(item.value, found.path))) for found in reported]
        assert [(each.transcript, each.diagnostic.code, each.spot.place) for each in report.findings] == expected
        assert sum(tally.findings.values()) == len(expected)

    @pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not form.lines and name != "gemini-cli"])
    def test_lines_are_read_in_parts_as_they_are_as_a_whole(self, name: str) -> None:
        document = FORMS[name].document
        data = lines(document, b"{", document, b"", [], 3, document).splitlines(keepends=True)
        found = by_line(data, name="file.jsonl")
        assert found is not None
        assert found.source.name == FORMS[name].source
        whole = list(read_lines(data, name="file.jsonl").items)
        for size in (1, 2, len(data)):
            parts = [
                told(item, before)
                for before in range(0, len(data), size)
                for item in read_each(data[before : before + size], found.source)
            ]
            assert parts == list(map(told, whole))

    @pytest.mark.parametrize(
        "data",
        [
            *(form.data for form in FORMS.values() if form.lines),
            lines(FORMS["gemini-cli"].document),
            lines(*ROUND),
            lines(b"{", *ROUND, ROUND),
            lines(pi_header(), *pi_chain(pi_user())),
            json.dumps(ROUND, indent=1).encode(),
            b"",
            b"\n \n",
        ],
    )
    def test_what_is_one_transcript_is_not_cut(self, data: bytes) -> None:
        assert by_line(data.splitlines(keepends=True), name="file.jsonl" if data.startswith(b"{") else "") is None


def told(item: Transcript | Unreadable, before: int = 0) -> Any:
    """What an item is, with its places in a file in which so many lines stand before."""
    if isinstance(item, Unreadable):
        return item._replace(place=item.place.below(before))
    paths = [(), *((at,) for at, _ in enumerate(item.value))] if isinstance(item.value, list) else [()]
    losses = [loss._replace(place=loss.place.below(before)) for loss in item.losses]
    return item.value, [item.place(path).below(before) for path in paths], losses, list(map(pointer, paths))


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Files of all kinds, one of them missing and one torn."""
    contents = {
        "mixed.jsonl": MIXED,
        "mixed": MIXED * 3,
        "chat.jsonl": lines(*map(chat, range(20))),
        "messages.jsonl": lines(*(message for at in range(9) for message in (assistant(call(f"c{at}")), result("x")))),
        "pi.jsonl": lines(pi_header(), b"{", *pi_chain(pi_user())),
        "document.json": json.dumps(UNANSWERED, indent=1).encode(),
        "two.jsonl.gz": gzip.compress(MIXED[:-7]) + gzip.compress(MIXED[-7:]),
        "torn.jsonl.gz": gzip.compress(lines(*([result(os.urandom(9).hex())] for _ in range(99))))[:-900],
        "chat.jsonl.zst": zstandard.compress(lines(*map(chat, range(20)))),
        "ambiguous.jsonl": lines(*[[{"role": "user", "content": "hello"}]] * 9),
        "empty.json": b"",
        "blank.jsonl": b"\n \n\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [*(tmp_path / name for name in contents), tmp_path / "gone.jsonl"]


class TestJobs:
    @pytest.mark.parametrize("report", [name for name in REPORTS if name != "parquet"])
    def test_the_output_is_that_of_one_job_whatever_is_cut(self, report: str, files: list[Path]) -> None:
        whole = cut(SIZE, "--format", report, *files)
        assert whole[0] == 2
        for number in ("1", "2"):
            for size in (EVERY_LINE, 300):
                assert cut(size, "--jobs", number, "--format", report, *files) == whole

    def test_standard_input_is_cut_too(self) -> None:
        whole = cut(SIZE, "-", stdin=MIXED * 20)
        assert whole[0] == 1
        assert whole[1].count(b"MISSING_TOOL_RESULT  ") == 40
        assert cut(EVERY_LINE, "--jobs", "2", "-", stdin=MIXED * 20) == whole

    def test_what_comes_piece_by_piece_is_checked_as_it_comes(self) -> None:
        with subprocess.Popen([*COMMAND, "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for number in range(2, 5):
                process.stdin.write(lines(ROUND, UNANSWERED) if number == 2 else lines(UNANSWERED))
                process.stdin.flush()
                while not process.stdout.readline().startswith(b"standard input:%d:" % number):
                    pass
            process.stdin.close()
            assert process.wait(timeout=60) == 1

    def test_options_reach_every_process(self, tmp_path: Path) -> None:
        file = tmp_path / "file.jsonl"
        file.write_bytes(lines(*[[assistant(call("c")), result("c"), assistant(call("c")), result("c")]] * 50))
        assert cut(EVERY_LINE, "--jobs", "2", file)[0] == 1
        assert cut(EVERY_LINE, "--jobs", "2", "--ids", "turn", file)[0] == 0
        ignored = ("--ignore", "DUPLICATE_TOOL_CALL_ID,DUPLICATE_TOOL_RESULT")
        assert cut(EVERY_LINE, "--jobs", "2", *ignored, file)[0] == 0

    def test_no_jobs_are_wrong_usage(self, files: list[Path]) -> None:
        assert run("check", "--jobs", "0", files[0]).returncode == 2


class TestProcesses:
    """A run in two processes whose standard input is not at its end."""

    # Where the tests run in the background, interrupts are ignored, which programs inherit.
    PROGRAM: Final = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module('message_ir', run_name='__main__')
"""

    @contextmanager
    def running(
        self, text: bytes = lines(ROUND, ROUND), stdout: int = subprocess.PIPE
    ) -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
        command = [sys.executable, "-c", self.PROGRAM, "check", "--jobs", "2", "--from", "ir", "-"]
        pipes = {"stdin": subprocess.PIPE, "stdout": stdout, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload] # three pipes
            try:
                assert process.stdin is not None
                process.stdin.write(text * 20_000)
                process.stdin.flush()
                yield process, eventually(lambda: len(children(process.pid)) == 2 and children(process.pid))
            finally:
                process.kill()

    def test_a_killed_one_is_told_of(self) -> None:
        with self.running() as (process, (first, _)):
            os.kill(first, signal.SIGKILL)
            eventually(lambda: first not in children(process.pid))
            _, errors = process.communicate(lines(ROUND) * 20_000, timeout=60)
            assert process.returncode == 2
            assert errors.startswith(b"Error: a process that did part of the work was killed")
            assert b"Traceback" not in errors

    def test_an_interrupt_ends_all(self) -> None:
        with self.running() as (process, workers):
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            assert (process.returncode, errors) == (130, b"")
            assert not any(map(is_running, workers))

    @pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143)])
    def test_none_outlives_its_parent(self, number: signal.Signals, code: int) -> None:
        with self.running() as (process, workers):
            process.send_signal(number)
            assert process.wait(timeout=60) == code
            eventually(lambda: not any(map(is_running, workers)))

    def test_many_findings_on_their_way_hold_nobody_up(self) -> None:
        # A pipe that a killed process has filled by half would.
        with self.running(lines([3] * 100), subprocess.DEVNULL) as (process, workers):
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=60) == 143
            eventually(lambda: not any(map(is_running, workers)))

    @pytest.mark.parametrize("without", ["tempfile.tempdir = '/gone'", "tempfile._candidate_tempdir_list = list"])
    def test_a_place_for_findings_that_is_not_there_is_told_of(self, without: str, tmp_path: Path) -> None:
        file = tmp_path / "file.jsonl"
        file.write_bytes(MIXED)
        program = f"import tempfile; {without}; from message_ir.cli import main; main()"
        command = [sys.executable, "-c", program, "check", "--jobs", "2", str(file)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 2
        assert b"cannot be kept in" in done.stderr
        assert b"Traceback" not in done.stderr


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()]


def is_running(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False


def eventually(found: Callable[[], Any], seconds: float = 60) -> Any:
    """What is found, as soon as it is."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


class TestMemory:
    MEASURED: Final = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

    def peak(self, file: Path, *arguments: str) -> int:
        """The peak of the largest of the processes, in kilobytes."""
        command = [sys.executable, "-c", self.MEASURED, *COMMAND, "check", "--format", "jsonl", *arguments, str(file)]
        return int(subprocess.run(command, capture_output=True, check=True).stdout)

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_it_does_not_grow_with_the_file(self, jobs: str, tmp_path: Path) -> None:
        # All that could pile up: findings, losses, text.
        small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
        text = "text " * 600
        small.write_bytes(lines(*(chat(number, text) for number in range(500))))
        with large.open("wb") as file:
            for number in range(19_000):
                file.write(lines(chat(number, text)))
        size = large.stat().st_size // 1024
        assert size > 55_000
        growth = self.peak(large, "--jobs", jobs) - self.peak(small, "--jobs", jobs)
        assert growth < size // 3

    def test_it_does_not_grow_with_the_findings(self, tmp_path: Path) -> None:
        few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
        few.write_bytes(lines(*[[3] * 2_000] * 5))
        many.write_bytes(lines(*[[3] * 2_000] * 100))
        assert self.peak(many, "--jobs", "2") - self.peak(few, "--jobs", "2") < 40_000

    def test_losses_are_counted_and_the_first_of_them_kept(self, tmp_path: Path) -> None:
        file = tmp_path / "file.jsonl"
        odd = [{"messages": [{"role": "assistant", "content": [{"type": f"t{at}"}]}]} for at in range(150)]
        file.write_bytes(lines(chat(0), *odd, *map(chat, range(1200))))
        (found,) = json.loads(out("check", "--format", "json", "--from", "openai-chat", file))["files"]
        assert len(found["losses"]) == 1000
        assert found["losses"][0]["kind"] == "system message"
        kinds = found["lossesByKind"]
        assert kinds["system message"] == {"number": 1201, "calls": 0}
        assert len(kinds) == 101
        assert sum(kind["number"] for kind in kinds.values()) == 1351
        report = out("check", "--from", "openai-chat", file)
        assert "left out: 1,201 × system message" in report
        assert "left out: 51 × something else" in report
        for jobs in ("1", "2"):
            assert cut(EVERY_LINE, "--jobs", jobs, "--from", "openai-chat", file)[1].decode() == report


COMPRESSED: Final[dict[str, Callable[[bytes], bytes]]] = {
    ".gz": gzip.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,  # as the command zstd does
}


@pytest.mark.parametrize("suffix", COMPRESSED)
class TestCompressed:
    def test_it_is_read_as_what_is_in_it(self, suffix: str, tmp_path: Path) -> None:
        plain, file = tmp_path / "file.jsonl", tmp_path / f"file.jsonl{suffix}"
        plain.write_bytes(MIXED)
        file.write_bytes(COMPRESSED[suffix](MIXED))
        report = out("check", file)
        assert report.count("INVALID_TRANSCRIPT") > 3
        assert report.replace(str(file), str(plain)) == out("check", plain)

    def test_in_pieces_and_under_another_name_and_on_standard_input(self, suffix: str, tmp_path: Path) -> None:
        file = tmp_path / "file"
        # The first line is no document, so that only the inner suffix tells of lines.
        data = lines(ROUND, *[UNANSWERED] * 99)
        file.write_bytes(b"".join(COMPRESSED[suffix](data[at : at + 500]) for at in range(0, len(data), 500)))
        assert "99 findings" in out("check", file)
        assert "99 findings" in out("check", "-", stdin=file.read_bytes())
        assert b"99 findings" in cut(EVERY_LINE, "--jobs", "2", "-", stdin=file.read_bytes())[1]

    def test_the_inner_suffix_says_that_it_is_lines(self, suffix: str, tmp_path: Path) -> None:
        file = tmp_path / f"file.JSONL{suffix.upper()}"
        file.write_bytes(COMPRESSED[suffix](lines(b"{", b"{", UNANSWERED)))
        assert "3 findings (2 INVALID_TRANSCRIPT, 1 MISSING_TOOL_RESULT)" in out("check", file)

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_what_stands_before_a_tear_is_checked(self, suffix: str, jobs: str, tmp_path: Path) -> None:
        file = tmp_path / f"file.jsonl{suffix}"
        data = lines(*([result(os.urandom(50).hex())] for _ in range(5000)))
        packed = COMPRESSED[suffix](data)
        file.write_bytes(packed[: len(packed) // 2])
        done = run("check", "--jobs", jobs, file)
        assert done.returncode == 2
        assert f"cannot read {file} to its end: its compressed data is cut off after {len(packed) // 2:,} bytes" in (
            done.stderr.decode()
        )
        assert 1000 < done.stdout.count(b"ORPHAN_TOOL_RESULT") < 5000
        assert b"INVALID" not in done.stdout
        assert f"{file}: {done.stdout.count(b'ORPHAN_TOOL_RESULT  '):,} findings" in done.stdout.decode()

    def test_half_a_transcript_is_not_judged(self, suffix: str, tmp_path: Path) -> None:
        file = tmp_path / f"file.json{suffix}"
        noise = [user(os.urandom(50).hex()) for _ in range(500)]
        whole = json.dumps([assistant(call("c")), *noise, result("c")], indent=1).encode()
        for data in (whole, lines(assistant(call("c")), *noise, result("c"))):
            file.write_bytes(COMPRESSED[suffix](data)[:-2000])
            done = run("check", file)
            assert (done.returncode, done.stdout) == (2, b"")
            assert b"is cut off after" in done.stderr

    def test_damage(self, suffix: str, tmp_path: Path) -> None:
        file = tmp_path / f"file.jsonl{suffix}"
        data = bytearray(COMPRESSED[suffix](lines(*([result(os.urandom(50).hex())] for _ in range(5000)))))
        middle = len(data) // 2
        data[middle : middle + 500] = bytes(500)
        for damaged in (data, b"[]\n"):
            file.write_bytes(damaged)
            done = run("check", file)
            assert done.returncode == 2
            assert b"to its end: its compressed data is damaged (" in done.stderr
        file.write_bytes(b"")
        assert b"cut off after 0 bytes" in run("check", file).stderr


def test_without_the_package_zstd_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "zstandard.py").write_text("raise ModuleNotFoundError(name='zstandard')", encoding="utf-8")
    file = tmp_path / "file.jsonl.zst"
    file.write_bytes(zstandard.compress(lines(ROUND)))
    done = run("check", file, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert b"zstandard is not installed; run: pip install 'message-ir[cli]'" in done.stderr


def test_what_expands_beyond_measure_does_not_fill_memory(tmp_path: Path) -> None:
    file = tmp_path / "file.jsonl.zst"
    line = lines([user(" " * 99_000)])
    with file.open("wb") as raw, zstandard.ZstdCompressor(level=19).stream_writer(raw) as packed:
        for _ in range(1500):
            packed.write(line)
    assert file.stat().st_size < 100_000
    assert TestMemory().peak(file) < 120_000


class TestFolders:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "sessions"
        for name, content in {
            "b/z.json": lines(UNANSWERED),
            "b/a.jsonl": lines(ROUND, UNANSWERED),
            "a.traj": lines({"messages": UNANSWERED}),
            "c.ndjson.gz": gzip.compress(lines(UNANSWERED)),
            "notes.txt": b"no transcript",
            ".hidden.json": b"{",
            ".git/x.json": b"{",
            "package.json": json.dumps({"name": "x", "version": "1"}, indent=1).encode(),
            "settings.jsonl": lines(*[{"a": 1}] * 9),
        }.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        (folder / "b/up").symlink_to(folder)
        return folder

    @pytest.mark.parametrize("size", [SIZE, EVERY_LINE])
    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_is_walked_in_order(self, size: int, jobs: str, folder: Path) -> None:
        code, report, errors = cut(size, "--jobs", jobs, folder)
        assert (code, errors) == (1, b"")
        *checked, total, note = [
            line for line in report.decode().splitlines() if "transcript" in line or "file" in line
        ]
        names = [line.partition(": ")[0] for line in checked if line.endswith(")")]
        assert names == [str(folder / name) for name in ("a.traj", "c.ndjson.gz", "b/a.jsonl", "b/z.json")]
        assert total == "4 files, 5 transcripts, 9 messages: 4 findings (4 MISSING_TOOL_RESULT)" or total.startswith(
            "4 files"
        )
        assert note == "2 files of no known format were set aside; --from names a format."

    def test_with_a_format_all_of_it_is_checked(self, folder: Path) -> None:
        report = out("check", "--from", "ir", folder)
        assert "6 files" in report
        assert "set aside" not in report

    def test_a_file_that_is_named_is_not_set_aside(self, folder: Path) -> None:
        assert "INVALID_TRANSCRIPT" in out("check", folder / "package.json")

    def test_what_is_no_json_at_all_is_reported(self, folder: Path) -> None:
        (folder / "torn.json").write_bytes(json.dumps(ROUND, indent=1).encode()[:-20])
        (folder / "torn.jsonl").write_bytes(b'[{"id": \n' * 9)
        report = out("check", folder)
        assert "torn.json: 1 finding (1 INVALID_TRANSCRIPT)" in report
        assert "torn.jsonl: 9 findings (9 INVALID_TRANSCRIPT)" in report

    def test_an_empty_one_is_an_error(self, tmp_path: Path) -> None:
        done = run("check", tmp_path)
        assert done.returncode == 2
        assert b"no file in it or below is one of *.json, *.jsonl, *.ndjson, *.traj, or of these with .gz and .zst" in (
            done.stderr
        )

    def test_one_without_a_transcript_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "package.json").write_text("{}", encoding="utf-8")
        done = run("check", tmp_path)
        assert done.returncode == 2
        assert f"cannot read {tmp_path}: no file in it or below is of a known format".encode() in done.stderr


class TestMaxFindings:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        file = tmp_path / "file.jsonl"
        file.write_bytes(lines(*[UNANSWERED] * 30, [result("x")]))
        return file

    @pytest.mark.parametrize("most", [0, 1, 7, 30, 31, 99])
    def test_lists_so_many_and_counts_all(self, most: int, file: Path) -> None:
        arguments = ("--max-findings", str(most), "--format", "json", file)
        whole = json.loads(out("check", "--format", "json", file))
        for jobs in ("1", "2"):
            code, report, _ = cut(EVERY_LINE, "--jobs", jobs, *arguments)
            document = json.loads(report)
            assert code == 1
            assert document["findings"] == whole["findings"][:most]
            assert document["files"] == whole["files"]
            assert document.get("omitted", 0) == max(0, 31 - most)

    def test_is_for_all_files_together(self, file: Path) -> None:
        report = out("check", "--max-findings", "40", file, file)
        assert report.count(": MISSING_TOOL_RESULT") + report.count(": ORPHAN_TOOL_RESULT") == 40
        assert report.endswith(
            "2 files, 62 transcripts, 62 messages: 62 findings (60 MISSING_TOOL_RESULT, 2 ORPHAN_TOOL_RESULT)\n"
            "22 findings more than --max-findings are counted, but not listed.\n"
        )

    @pytest.mark.parametrize("report", [name for name in REPORTS if name != "parquet"])
    def test_every_report_says_so(self, report: str, file: Path) -> None:
        done = run("check", "--max-findings", "30", "--format", report, file)
        said = b'"omitted": 1' if report == "json" else b"1 finding more than --max-findings is counted"
        assert said in (done.stderr if report == "jsonl" else done.stdout)
        assert (done.stderr == b"") == (report != "jsonl")


class TestData:
    FIELDS: Final = (
        *("file", "transcript", "code", "messageIndex", "path", "related", "message"),
        *("line", "column", "pointer", "relatedPlaces", "answers"),
    )

    def test_json_lines_are_findings_and_nothing_else(self, files: list[Path]) -> None:
        done = run("check", "--format", "jsonl", *files)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        document = json.loads(out("check", "--format", "json", *files))
        assert len(rows) == len(document["findings"]) > 50
        for row, found in zip(rows, document["findings"], strict=True):
            assert tuple(row) == self.FIELDS
            place = {name: row[name] for name in ("line", "column", "pointer")}
            assert found == {
                **{name: row[name] for name in self.FIELDS[:7]},
                "place": place,
                "relatedPlaces": row["relatedPlaces"],
                "seenAs": row["answers"],
            }
        assert done.stderr.decode().count("cannot read") == len(document["errors"]) == 3

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_parquet_has_the_same_rows(self, jobs: str, files: list[Path], tmp_path: Path) -> None:
        target = tmp_path / "findings.parquet"
        done = run("check", "--format", "parquet", "--output", target, "--jobs", jobs, *files)
        assert done.returncode == 2
        rows = [json.loads(line) for line in out("check", "--format", "jsonl", *files).splitlines()]
        assert pq.read_table(target).to_pylist() == rows
        assert b"11 files, " in done.stdout

    def test_parquet_comes_in_row_groups_and_may_be_empty(self, tmp_path: Path) -> None:
        file, target = tmp_path / "file.jsonl", tmp_path / "findings.parquet"
        for number, groups in ((0, 0), (10_000, 1), (25_000, 3)):
            file.write_bytes(lines(ROUND, *([result(str(at))] for at in range(number))))
            run("check", "--format", "parquet", "--output", target, file)
            found = pq.ParquetFile(target)
            assert (found.metadata.num_rows, found.schema_arrow.names) == (number, list(self.FIELDS))
            assert [found.metadata.row_group(at).num_rows > 0 for at in range(found.num_row_groups)].count(
                True
            ) == groups

    def test_names_and_ids_that_are_no_unicode(self, tmp_path: Path) -> None:
        name = os.fsencode(tmp_path) + b"/\xff.json"
        Path(os.fsdecode(name)).write_text('[{"\\ud800": 3, "role": "user", "id": "\\ud800", "content": ""}]', "utf-8")
        target = tmp_path / "findings.parquet"
        done = subprocess.run(
            [*COMMAND, "check", "--format=parquet", f"--output={target}", name], capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (1, b"")
        (row,) = pq.read_table(target).to_pylist()
        assert row["file"].endswith("\\udcff.json")


class TestOutput:
    @pytest.mark.parametrize("report", [name for name in REPORTS if name != "parquet"])
    def test_a_file_takes_what_standard_output_would(self, report: str, files: list[Path], tmp_path: Path) -> None:
        target = tmp_path / "report"
        target.write_text("what was there before", encoding="utf-8")
        done = run("check", "--format", report, "--output", target, *files)
        assert target.read_bytes() == run("check", "--format", report, *files).stdout
        assert done.stdout.startswith(b"11 files, ")
        assert not list(tmp_path.glob(".*"))

    @pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
    @pytest.mark.parametrize("report", ["jsonl", "parquet"])
    def test_a_run_that_breaks_leaves_what_was_there(
        self, report: str, number: signal.Signals, code: int, tmp_path: Path
    ) -> None:
        target = tmp_path / "report"
        target.write_text("what was there before", encoding="utf-8")
        command = [
            sys.executable,
            "-c",
            TestProcesses.PROGRAM,
            "check",
            "--format",
            report,
            "--output",
            str(target),
            "-",
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdin is not None
            process.stdin.write(lines(*[UNANSWERED] * 20_000))
            process.stdin.flush()
            eventually(lambda: any(draft.stat().st_size for draft in tmp_path.glob(".report.*.tmp")))
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (code, b"")
        assert [file.name for file in tmp_path.iterdir()] == ["report"]
        assert target.read_text("utf-8") == "what was there before"

    def test_what_cannot_be_written(self, files: list[Path], tmp_path: Path) -> None:
        for target, said in ((tmp_path / "gone/report", b"No such file"), (Path("/dev/full"), b"No space left")):
            done = run("check", "--output", target, files[0])
            assert done.returncode == 2
            assert b"cannot write the report: " + said in done.stderr
            assert b"Traceback" not in done.stderr

    def test_parquet_needs_a_file_and_a_package(self, files: list[Path], tmp_path: Path) -> None:
        done = run("check", "--format", "parquet", files[0])
        assert done.returncode == 2
        assert b"--format parquet needs --output FILE." in done.stderr
        program = f"import sys; sys.modules['pyarrow'] = None; {PROGRAM}"
        command = [sys.executable, "-c", program, "9", "check", "--format=parquet", f"--output={tmp_path}/x"]
        done = subprocess.run([*command, str(files[0])], capture_output=True, check=False)
        assert done.returncode == 2
        assert b"pyarrow is not installed; run: pip install 'message-ir[arrow]'" in done.stderr
        assert not (tmp_path / "x").exists()


def test_clean_lines_are_counted_like_others(tmp_path: Path) -> None:
    # The short way for clean lines of the IR, and the long one by which an envelope goes.
    short, long = tmp_path / "short.jsonl", tmp_path / "long.jsonl"
    transcripts = [[user(), *ROUND], [], [user()], [assistant(call("c"), call("d")), result("c"), result("d")]]
    short.write_bytes(lines(*transcripts))
    long.write_bytes(lines(*({"messages": each} for each in transcripts)))
    counts = "(message IR: 4 transcripts, 7 messages, 3 tool calls)"
    assert out("check", short) == f"{short}: clean {counts}\n"
    assert out("check", long) == f"{long}: clean {counts}\n"


def test_options_of_a_source_hold_for_parts() -> None:
    data = lines([assistant(call("c")), result("c"), assistant(call("c")), result("c")]).splitlines(keepends=True)
    found = by_line(data, name="file.jsonl")
    assert found is not None
    (item,) = read_each(data, found.source, options=Options(ids_by_turn=True))
    (whole,) = read_lines(BytesIO(data[0]), options=Options(ids_by_turn=True)).items
    assert isinstance(item, Transcript)
    assert isinstance(whole, Transcript)
    assert item.value == whole.value
