"""Times tasks against a base so that their ratios hold on a busy machine.

pyperf gives every benchmark processes of its own, one benchmark after the other. That is right for a figure of one thing over
months; here all that counts are ratios, and two processes minutes apart meet two different machines where others work too.
So all tasks share one process and alternate: in every round, in an order that is shuffled anew, each task runs right beside
the base, at random before or after it, and the ratio is taken of that pair alone. A figure is the median of the rounds' ratios,
its spread their quartiles. What pyperf gets from many processes (other hash seeds, other memory layouts) one process does not
show; whoever doubts a figure runs it again.

All runs are alike:

- One warm-up run comes before the rounds.
- The input is made afresh before each run and outside its time, since Python keeps hashes and encodings in the strings that it
  has looked at.
- Garbage is collected before each run, and the collector is on in it, as in the programs that will call the validators.
  What exists then, the input too, is frozen for the run: to the collector, each run is the first of a new process, whatever
  else was imported and measured.
- What a task returns is freed in its time, as it would be in a program.
"""

from __future__ import annotations

import gc
import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

LEAST_ROUNDS: Final = 3
"""So often every task runs, however slow it is."""


@dataclass(frozen=True)
class Task:
    """What is timed: a function over every item of an input."""

    prepare: Callable[[], Iterable[Any]]
    """Makes the input, untimed."""
    run: Callable[[Any], object]
    refusals: tuple[type[Exception], ...] = ()
    """What `run` raises to say that an item is refused; anything else ends the measurement."""


@dataclass(frozen=True)
class Plan:
    """How often tasks run."""

    rounds: int
    """At least `LEAST_ROUNDS` of them are run."""
    patience: float
    """The seconds after which a task takes no part in further rounds; what is not timed counts, too."""
    seed: int = 0
    """Of the order."""


@dataclass
class Series:
    """What the rounds gave for one task."""

    seconds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    """To the base's run beside each."""


@dataclass(frozen=True)
class Spread:
    """The middle of some values, and between what half of them lie."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The median and the quartiles.

        Args:
            values: at least two.
        """
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(median, low, high)


def once(task: Task) -> float:
    """Runs a task over its input and returns how long that took, in seconds."""
    items = list(task.prepare())
    run, refusals = task.run, task.refusals
    gc.collect()
    gc.freeze()
    gc.collect()  # of nothing: so the collector forgets how much there is, by which it sets its pace
    try:
        start = perf_counter()
        for item in items:
            try:  # noqa: SIM105 # a context manager for each item would be timed, too
                run(item)
            except refusals:
                pass
        return perf_counter() - start
    finally:
        gc.unfreeze()


def alternate(base: Task, tasks: Mapping[str, Task], plan: Plan) -> dict[str, Series]:
    """Runs each task beside the base, round after round.

    Args:
        base: what ratios are taken to.
        tasks: by name.
        plan: how often.
    """
    order = random.Random(plan.seed)  # noqa: S311 # an order, no secret
    once(base)
    for task in tasks.values():
        once(task)
    spent = dict.fromkeys(tasks, 0.0)
    series = {name: Series() for name in tasks}
    for number in range(max(plan.rounds, LEAST_ROUNDS)):
        names = [name for name in tasks if number < LEAST_ROUNDS or spent[name] < plan.patience]
        order.shuffle(names)
        for name in names:
            pair = [(False, base), (True, tasks[name])]
            order.shuffle(pair)
            start = perf_counter()
            took = {measured: once(task) for measured, task in pair}
            spent[name] += perf_counter() - start
            series[name].seconds.append(took[True])
            series[name].ratios.append(took[True] / took[False])
    return series
