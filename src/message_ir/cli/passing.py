"""Passes what checks give from one process to another through files, so that no number of findings takes more memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO, NamedTuple, cast

from message_ir.cli.checking import Located, Outcome, Settings, Tally, check
from message_ir.cli.units import End, Unit


class _Rest(NamedTuple):
    """What an outcome has when its findings are exhausted."""

    tally: Tally
    problem: str | None
    is_set_aside: bool


def checked_to_file(tasks: list[Unit | End], *, settings: Settings, folder: str) -> str:
    """Checks units and writes what it gives into a new file, of each unit its findings first; returns the file's path.

    Raises:
        OSError: the file cannot be written.
    """
    number, path = mkstemp(dir=folder)
    with open(number, "wb") as file:  # noqa: PTH123 # a descriptor, not a path
        for task in tasks:
            if isinstance(task, End):
                pickle.dump(task, file, pickle.HIGHEST_PROTOCOL)
                continue
            outcome = check(task, settings)
            pickle.dump(task._replace(text=b""), file, pickle.HIGHEST_PROTOCOL)
            for located in outcome.findings:
                pickle.dump(located, file, pickle.HIGHEST_PROTOCOL)
            pickle.dump(_Rest(outcome.tally, outcome.problem, outcome.is_set_aside), file, pickle.HIGHEST_PROTOCOL)
    return path


def read_back(path: str) -> Iterator[Outcome | End]:
    """Yields what was written into a file, and removes it; an outcome is complete once its findings are exhausted.

    Raises:
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        while file.peek(1):
            item = _next(file)
            if isinstance(item, End):
                yield item
                continue
            unit = cast("Unit", item)
            outcome = Outcome(unit, Tally(unit.entry.name))
            outcome.findings = _findings(file, outcome)
            yield outcome
    Path(path).unlink()


def _findings(file: BinaryIO, outcome: Outcome) -> Iterator[Located]:
    while isinstance(item := _next(file), Located):
        yield item
    outcome.tally, outcome.problem, outcome.is_set_aside = cast("_Rest", item)


def _next(file: BinaryIO) -> object:
    return pickle.load(file)  # noqa: S301 # of our own making, in a folder of our own
