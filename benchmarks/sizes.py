"""How much is measured, and the workloads of those sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from benchmarks.faults import broken
from benchmarks.table import Workload
from benchmarks.timing import Plan
from benchmarks.workload import SCALE, SEED, STREAMS, Random, as_text, as_texts, clean, transcripts


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    transcripts: int = 400
    """How many transcripts a small workload has."""
    messages: int = 30
    """How many messages each of them has, at least."""
    large: int = 50_000
    """How many messages the one transcript of a large workload has, at least."""
    rounds: int = 31
    patience: float = 8
    """In seconds: a contender with which so much time was spent takes no part in further rounds."""
    figure_patience: float = 20
    """The same for each figure."""
    scale: float = SCALE
    """How many times as long as plain the texts are; 1.7 gives some 800 bytes a message."""
    seed: int = SEED
    linkage: int = 16_000
    """The messages for which linkage alone is compared."""
    streams: int = 10_000
    """The messages of a transcript that is wholly broken."""
    growth: tuple[int, int] = (10_000, 1_000_000)
    """The two lengths between which the cost a message must not grow."""
    starts: int = 15
    """How often processes are started whose whole time is a figure."""
    lines: int = 3_000
    """The transcripts in the file of JSON lines that the command checks."""
    copies: int = 13
    """How many times they stand in it; so often they are a gigabyte, beside which the start of a process is little."""
    line_rounds: int = 7

    def plan(self) -> Plan:
        """How often contenders run."""
        return Plan(self.rounds, self.patience, self.seed)

    def random(self) -> Random:
        """Where ids and texts come from, from the start."""
        return Random(self.seed, self.scale)


QUICK: Final = Sizes(
    transcripts=20,
    large=1_000,
    rounds=3,
    patience=0.5,
    figure_patience=0.5,
    linkage=1_000,
    streams=500,
    growth=(2_000, 10_000),
    starts=3,
    lines=100,
    copies=1,
    line_rounds=3,
)
"""Sizes with which everything runs once in a few seconds, and no figure means much."""


def _small(sizes: Sizes, *, faulty: bool) -> Workload:
    random = sizes.random()
    made = transcripts(sizes.transcripts, sizes.messages, random)
    if faulty:
        made = broken(made, random)
    return Workload(f"small, {_KINDS[faulty]}", as_texts(made), sum(map(len, made)))


def _large(sizes: Sizes, *, faulty: bool) -> Workload:
    random = sizes.random()
    made = [list(clean(sizes.large, random))]
    if faulty:
        made = broken(made, random)
    return Workload(f"large, {_KINDS[faulty]}", as_texts(made), sum(map(len, made)))


def _stream(sizes: Sizes, *, name: str) -> Workload:
    made = list(STREAMS[name](sizes.streams, sizes.random()))
    return Workload(name, [as_text(made)], len(made))


_KINDS: Final = {False: "clean", True: "one fault in each"}

WORKLOADS: Final[Mapping[str, Callable[[Sizes], Workload]]] = {
    "small-clean": partial(_small, faulty=False),
    "small-broken": partial(_small, faulty=True),
    "large-clean": partial(_large, faulty=False),
    "large-broken": partial(_large, faulty=True),
    **{name: partial(_stream, name=name) for name in STREAMS if name != "clean"},
}
"""By name: clean ones, ones with a fault in each transcript, and wholly broken ones."""

BY_DEFAULT: Final = ("small-clean", "small-broken", "large-clean", "large-broken")


@cache
def workload(name: str, sizes: Sizes) -> Workload:
    """A workload, made once."""
    return WORKLOADS[name](sizes)
