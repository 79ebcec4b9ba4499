"""Checks many files: units of them here or in several processes, their answers in order into one report."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory
from typing import Final

from message_ir.cli.checking import Outcome, Settings, Tally, check
from message_ir.cli.escaping import safe
from message_ir.cli.inputs import CannotReadError, Entry, total_bytes, walked, why
from message_ir.cli.jobs import LostWorkerError, batches, in_order
from message_ir.cli.passing import checked_to_file, read_back
from message_ir.cli.people import Total
from message_ir.cli.progress import ByteProgress
from message_ir.cli.reports import Report
from message_ir.cli.units import SIZE, End, Unit, units
from message_ir.cli.writing import reporting

# What it costs to pass on a unit, in bytes that could be checked meanwhile.
_COST_OF_UNIT: Final = 1 << 13

# So many bytes are passed on together.
_BATCH: Final = 1 << 22


@dataclass
class Run:
    """One run over files: what it is asked for, and what comes of it."""

    settings: Settings
    report: Report
    progress: ByteProgress
    complain: Callable[[str], None]
    """Takes what could not be read, as it happens."""
    jobs: int = 1
    max_findings: int | None = None
    size: int = SIZE
    """About how many bytes a unit has."""
    total: Total = field(default_factory=Total)
    errors: list[str] = field(default_factory=list)

    def check(self, paths: Sequence[str]) -> None:
        """Checks files and what is in folders.

        Raises:
            LostWorkerError: a process that did part of the work is gone.
            click.ClickException: the report cannot be written.
        """
        entries = list(self._entries(paths))
        self.progress.expect(total_bytes(entries))
        tasks = units(
            entries,
            self.settings.format,
            are_shipped=self.jobs > 1,
            most=lambda: self._left,
            size=self.size,
        )
        answers = self._here(tasks) if self.jobs == 1 else self._elsewhere(tasks)
        with closing(answers):
            self._take(answers)
        with reporting():
            self.report.end(self.total, self.errors)

    @property
    def _left(self) -> int | None:
        """How many findings can still be reported."""
        return None if self.max_findings is None else self.max_findings - self.total.reported

    def _here(self, tasks: Iterator[Unit | End]) -> Generator[Outcome | End]:
        for task in tasks:
            yield task if isinstance(task, End) else check(task, self.settings)

    def _elsewhere(self, tasks: Iterator[Unit | End]) -> Generator[Outcome | End]:
        try:
            with TemporaryDirectory(prefix="message-ir-") as folder:
                work = partial(checked_to_file, settings=self.settings, folder=folder)
                tasks_together = batches(tasks, _weight, _BATCH)
                with closing(in_order(tasks_together, work, self.jobs, tick=self.progress.tick)) as files:
                    for file in files:
                        yield from read_back(file)
        except OSError as error:
            problem = f"what is found cannot be kept in a temporary file until it is reported: {why(error)}; do without --jobs"
            raise LostWorkerError(problem) from error

    def _entries(self, paths: Sequence[str]) -> Iterator[Entry]:
        for path in paths:
            try:
                yield from walked(path)
            except (OSError, CannotReadError) as error:
                self._fail(f"cannot read {safe(path)}: {why(error)}")

    def _fail(self, problem: str) -> None:
        self.errors.append(problem)
        self.complain(problem)

    def _take(self, answers: Iterator[Outcome | End]) -> None:
        """Takes what the checks of units give, and puts together what belongs to one file."""
        tally: Tally | None = None
        problem: str | None = None
        is_set_aside = False
        has_any: dict[str, bool] = {}
        for answer in answers:
            if isinstance(answer, Outcome):
                tally = tally or Tally(answer.tally.file)
                self._report(answer, tally)
                tally.add(answer.tally)
                problem = problem or answer.problem
                is_set_aside = is_set_aside or answer.is_set_aside
                self.progress.advance(answer.unit.consumed)
                continue
            problem = problem or answer.problem
            is_set_aside = is_set_aside or answer.is_set_aside
            if answer.entry.folder is not None:
                has_any[answer.entry.folder] = has_any.get(answer.entry.folder, False) or not is_set_aside
            if problem:
                self._fail(problem)
            if is_set_aside:
                self.total.set_aside += 1
            elif tally and (tally.transcripts or tally.findings or not problem):
                self.total.add(tally)
                with reporting():
                    self.report.file(tally)
            tally, problem, is_set_aside = None, None, False
        for folder in (folder for folder, has in has_any.items() if not has):
            self._fail(f"cannot read {safe(folder)}: no file in it or below is of a known format")

    def _report(self, outcome: Outcome, before: Tally) -> None:
        """Reports the findings of a unit, before which there is so much of its file."""
        for located in outcome.findings:
            if self._left != 0:
                self.total.reported += 1
                with reporting():
                    self.report.finding(located.after(before))


def _weight(task: Unit | End) -> int:
    if isinstance(task, End):
        return 0
    return _COST_OF_UNIT + (len(task.text) if isinstance(task.text, bytes) else task.text.length)
