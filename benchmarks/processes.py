"""Measures whole processes: their time from start to end, and the memory that they need."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from benchmarks.sizes import Sizes, workload
from benchmarks.timing import Spread
from benchmarks.workload import as_text, clean

_ROOT: Final = Path(__file__).parents[1]


class Measured(NamedTuple):
    """One value, or why there is none."""

    value: float | None
    note: str = ""


class FailedError(Exception):
    """A process ended otherwise than it should; the message says how."""


def child(*arguments: str) -> Any:
    """Runs `benchmarks.child` and returns what it measured."""
    return json.loads(_run((sys.executable, "-m", "benchmarks.child", *arguments)))


def memory(sizes: Sizes) -> Measured:
    """The greatest memory in use above that with the text loaded, as a multiple of the text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "transcript.json"
        file.write_bytes(workload("large-clean", sizes).texts[0])
        before, after, size = child("memory", "validate_json", str(file))
    return Measured((after - before) / size, f"{(after - before) / 1e6:.0f} MB above {before / 1e6:.0f} MB")


def importing(sizes: Sizes) -> Measured:
    """The statement that imports the package, in milliseconds."""
    times = [float(_run((sys.executable, "-c", _IMPORT))) for _ in range(sizes.starts + 1)]
    whole = _median((sys.executable, "-c", "import message_ir"), sizes)
    return Measured(statistics.median(times[1:]), f"{whole:.0f} ms with Python's own start")


_IMPORT: Final = """
from time import perf_counter
start = perf_counter()
import message_ir
print((perf_counter() - start) * 1e3)
"""


def version(sizes: Sizes) -> Measured:
    """The command, started to print its version, in milliseconds."""
    return Measured(_median((*_command(), "--version"), sizes))


def checking(sizes: Sizes) -> Measured:
    """The command over JSON lines, as a multiple of Python parsing the same lines with orjson."""
    with _lines(sizes) as file:
        loop = (sys.executable, "-c", _LOOP, str(file))
        spread = _ratios((*_command(), "check", str(file)), loop, sizes)
        return Measured(spread.median, f"half between {spread.low:.2f} and {spread.high:.2f}")


_LOOP: Final = """
import sys, orjson
with open(sys.argv[1], "rb") as file:
    for line in file:
        orjson.loads(line)
"""


def jobs(sizes: Sizes) -> Measured:
    """How many times as fast the command is with two jobs as with one."""
    with _lines(sizes) as file:
        one, two = ((*_command(), "check", "--jobs", number, str(file)) for number in ("1", "2"))
        spread = _ratios(one, two, sizes)
        return Measured(spread.median, f"half between {spread.low:.2f} and {spread.high:.2f}")


def _command() -> tuple[str, ...]:
    """The command `message-ir` of this environment."""
    script = shutil.which("message-ir", path=str(Path(sys.executable).parent))
    return (sys.executable, "-m", "message_ir") if script is None else (script,)


@contextmanager
def _lines(sizes: Sizes) -> Iterator[Path]:
    """A file of transcripts in JSON lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcripts.jsonl"
        random = sizes.random()
        with path.open("wb") as file:
            lines = [as_text(clean(sizes.messages, random)) + b"\n" for _ in range(sizes.lines)]
            for _ in range(sizes.copies):
                file.writelines(lines)
        yield path


def _ratios(command: Sequence[str], base: Sequence[str], sizes: Sizes) -> Spread:
    """How many times as long a command takes as another, round by round; a first round warms up."""
    rounds = [_seconds(command) / _seconds(base) for _ in range(sizes.line_rounds + 1)]
    return Spread.of(rounds[1:])


def _median(command: Sequence[str], sizes: Sizes) -> float:
    """In milliseconds; a first start, which may compile, does not count."""
    return statistics.median([_seconds(command) for _ in range(sizes.starts + 1)][1:]) * 1e3


def _seconds(command: Sequence[str]) -> float:
    start = perf_counter()
    _run(command)
    return perf_counter() - start


def _run(command: Sequence[str]) -> str:
    """Runs a process and returns what it prints.

    Raises:
        FailedError: it does not end with 0.
    """
    # What is installed is compiled once; so it is here, whatever the caller's Python does.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run(  # noqa: S603 # our own commands
        command, capture_output=True, text=True, check=False, cwd=_ROOT, encoding="utf-8", env=environment
    )
    if run.returncode:
        words = run.stderr.strip().splitlines() or run.stdout.strip().splitlines() or ["it says nothing"]
        raise FailedError(f"{Path(command[0]).name} ends with {run.returncode}: {words[-1]}")
    return run.stdout
