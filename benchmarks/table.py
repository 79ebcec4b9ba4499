"""One table a workload: every contender's time, its ratio to the base, what it found, and what it checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from benchmarks.contenders import BASE, CONTENDERS, Contender, Judge, inputs
from benchmarks.grid import grid
from benchmarks.timing import Plan, Series, Spread, Task, alternate


@dataclass(frozen=True)
class Workload:
    """Texts to measure with."""

    name: str
    texts: Sequence[bytes]
    messages: int

    @property
    def megabytes(self) -> float:
        """The size of all texts, in 10⁶ bytes."""
        return sum(map(len, self.texts)) / 1e6

    @property
    def title(self) -> str:
        """The workload in a few words."""
        return (
            f"{self.name}: {len(self.texts):,} × {self.messages // len(self.texts):,} messages, {self.megabytes:.1f} MB"
        )


@dataclass(frozen=True)
class Row:
    """What was measured of one contender on one workload."""

    contender: str
    takes: str
    checks: tuple[str, ...]
    series: Series | None = None
    """In seconds, and ratios to the base; None where nothing could be measured."""
    refused: int | None = None
    """How many of the texts it says no to."""
    note: str = ""
    """Why nothing was measured, or what else there is to say."""


def measure(workload: Workload, contenders: Iterable[Contender], plan: Plan, base: str = BASE) -> list[Row]:
    """Measures contenders on a workload, in one run.

    Args:
        workload: what they are given.
        contenders: in the order of the rows.
        plan: how often they run.
        base: the contender that all are compared with.
    """
    tasks: dict[str, Task] = {}
    rows: dict[str, Row] = {}
    for contender in contenders:
        row = Row(contender.name, contender.takes, contender.checks)
        try:
            judge = contender.build()
            refused = _refusals(judge, inputs(contender.takes, workload.texts))
        except Exception as error:  # noqa: BLE001 # whatever a contender raises is what there is to say of it
            rows[contender.name] = Row(row.contender, row.takes, row.checks, note=_reason(error))
            continue
        rows[contender.name] = Row(row.contender, row.takes, row.checks, refused=refused)
        tasks[contender.name] = task(contender, judge, workload.texts)
    yardstick = task(CONTENDERS[base], CONTENDERS[base].build(), workload.texts)
    series = alternate(yardstick, tasks, plan)
    return [
        Row(row.contender, row.takes, row.checks, series.get(row.contender), row.refused, row.note)
        for row in rows.values()
    ]


def task(contender: Contender, judge: Judge, texts: Sequence[bytes]) -> Task:
    """What is timed of a contender."""
    return Task(partial(inputs, contender.takes, texts), judge.run, judge.refusals)


def median_of(rows: Sequence[Row], contender: str) -> float | None:
    """The seconds that a contender took, or None where it was not measured."""
    series = next((row.series for row in rows if row.contender == contender), None)
    return None if series is None else Spread.of(series.seconds).median


def _refusals(judge: Judge, items: Iterable[object]) -> int:
    refused = 0
    for item in items:
        try:
            refused += not judge.accepts(judge.run(item))
        except judge.refusals:
            refused += 1
    return refused


def _reason(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"not installed: {error.name}"
    sentence = " ".join(str(error).split())
    return f"raises {type(error).__name__}: {sentence[:_LONGEST_REASON]}"


_LONGEST_REASON: Final = 80

# Heading, whether its cells stand to the right, and the cell.
_COLUMNS: Final[tuple[tuple[str, bool, Callable[[Row, Workload], str]], ...]] = (
    ("contender", False, lambda row, _: row.contender),
    ("takes", False, lambda row, _: row.takes),
    ("checks", False, lambda row, _: ", ".join(row.checks) or "that it is JSON"),
    ("median, ms", True, lambda row, _: f"{Spread.of(row.series.seconds).median * 1e3:,.2f}" if row.series else "–"),
    (
        "MB/s",
        True,
        lambda row, load: f"{load.megabytes / Spread.of(row.series.seconds).median:,.0f}" if row.series else "–",
    ),
    ("ratio", True, lambda row, _: f"{Spread.of(row.series.ratios).median:.2f}" if row.series else "–"),
    ("half between", True, lambda row, _: _between(row.series) if row.series else "–"),
    ("refused", True, lambda row, load: "–" if row.refused is None else f"{row.refused:,} of {len(load.texts):,}"),
    ("note", False, lambda row, _: row.note),
)


def _between(series: Series) -> str:
    spread = Spread.of(series.ratios)
    return f"{spread.low:.2f}–{spread.high:.2f}"


def render(workload: Workload, rows: Sequence[Row], *, markdown: bool = False) -> str:
    """The table of one workload, as plain text or as Markdown."""
    cells = [[cell(row, workload) for _, _, cell in _COLUMNS] for row in rows]
    return grid(workload.title, [(heading, right) for heading, right, _ in _COLUMNS], cells, markdown=markdown)
