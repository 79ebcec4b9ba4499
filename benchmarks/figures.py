"""The figures that the project promises: each with its limit and how it is measured; `--check` holds today's code against them."""

from __future__ import annotations

import copy
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import msgspec

import message_ir
from benchmarks import processes
from benchmarks.child import ABYSS
from benchmarks.contenders import BASE, CONTENDERS, PARSER, TOOL_CALL_REPAIR
from benchmarks.grid import grid
from benchmarks.processes import FailedError, Measured
from benchmarks.sizes import Sizes, workload
from benchmarks.table import task
from benchmarks.timing import Plan, Spread, Task, alternate
from benchmarks.workload import STREAMS, Json, as_text, clean, transcripts

TOLERANCE: Final = 1.1
"""By so much a figure may be missed without failing the check, for the sake of busy machines."""

Measure: TypeAlias = Callable[[Sizes], Measured]


@dataclass(frozen=True)
class Figure:
    """One promise."""

    name: str
    limit: float
    measure: Measure
    unit: str = "×"
    at_least: bool = False
    """Whether more is better."""


@dataclass(frozen=True)
class Outcome:
    """What came of one figure."""

    name: str
    limit: float
    unit: str
    at_least: bool
    measured: float | None
    note: str

    @property
    def excess(self) -> float:
        """By how much the limit is missed, as a factor; 1 or less is within it."""
        if not self.measured:
            return float("inf")
        return self.limit / self.measured if self.at_least else self.measured / self.limit

    @property
    def verdict(self) -> str:
        """In words."""
        if self.measured is None:
            return "MISSED: not available"
        if self.excess <= 1:
            return "met"
        return "missed by no more than a tenth" if self.excess <= TOLERANCE else "MISSED"

    @property
    def fails(self) -> bool:
        """Whether it is missed by more than a tenth, or could not be measured."""
        return self.excess > TOLERANCE


def outcomes(sizes: Sizes, containing: Sequence[str] = ()) -> Iterator[Outcome]:
    """Measures figure after figure.

    Args:
        sizes: how much is measured.
        containing: only figures whose names contain one of these; all where there are none.
    """
    for figure in FIGURES:
        if not containing or any(part in figure.name for part in containing):
            try:
                measured = figure.measure(sizes)
            except FailedError as error:
                measured = Measured(None, str(error))
            except Exception as error:  # noqa: BLE001 # what cannot be measured is missed, and the others are measured
                measured = Measured(None, f"{type(error).__name__}: {error}")
            yield Outcome(figure.name, figure.limit, figure.unit, figure.at_least, measured.value, measured.note)


def render(results: Sequence[Outcome], *, markdown: bool = False) -> str:
    """The table of figures."""
    cells = [
        [
            result.name,
            f"{'≥' if result.at_least else '≤'} {result.limit:g} {result.unit}",
            "–" if result.measured is None else f"{result.measured:.2f} {result.unit}",
            result.verdict,
            result.note,
        ]
        for result in results
    ]
    columns = [("figure", False), ("limit", True), ("measured", True), ("verdict", False), ("note", False)]
    return grid("Figures", columns, cells, markdown=markdown)


def _paired(base: Task, other: Task, sizes: Sizes) -> Measured:
    series = alternate(base, {"it": other}, Plan(sizes.rounds, sizes.figure_patience, sizes.seed))["it"]
    spread = Spread.of(series.ratios)
    return Measured(spread.median, f"half between {spread.low:.2f} and {spread.high:.2f}")


def _judging(contender: str, texts: Sequence[bytes]) -> Task:
    return task(CONTENDERS[contender], CONTENDERS[contender].build(), texts)


def _beside(contender: str, base: str, name: str, sizes: Sizes) -> Measured:
    """Two contenders on one workload."""
    texts = workload(name, sizes).texts
    return _paired(_judging(base, texts), _judging(contender, texts), sizes)


def _linkage(sizes: Sizes) -> Measured:
    texts = [as_text(clean(sizes.linkage, sizes.random()))]
    return _paired(_judging(TOOL_CALL_REPAIR, texts), _judging("validate_transcript", texts), sizes)


def _constructing(role: str, sizes: Sizes) -> Measured:
    """A constructor beside `copy.deepcopy` of its arguments, for all messages of a role."""
    constructor, names = _CONSTRUCTORS[role]

    made = transcripts(sizes.transcripts, sizes.messages, sizes.random())
    messages = [message for transcript in made for message in transcript if message["role"] == role]
    arguments = [{keyword: message[name] for keyword, name in names.items()} for message in messages]
    afresh = partial(msgspec.json.decode, msgspec.json.encode(arguments))
    return _paired(Task(afresh, copy.deepcopy), Task(afresh, lambda each: constructor(**each)), sizes)


# For each role, its constructor, and of which field of a message each argument is.
_CONSTRUCTORS: Final[dict[str, tuple[Callable[..., object], dict[str, str]]]] = {
    "user": (message_ir.user_message, {"id": "id", "content": "content"}),
    "assistant": (message_ir.assistant_message, {"id": "id", "content": "content"}),
    "toolResult": (
        message_ir.tool_result_message,
        {
            "id": "id",
            "tool_call_id": "toolCallId",
            "tool_name": "toolName",
            "content": "content",
            "is_error": "isError",
        },
    ),
}


def _planted(contender: str, size: str, sizes: Sizes) -> Measured:
    """Transcripts with a fault beside the clean ones that they were made of."""
    whole, faulty = (workload(f"{size}-{kind}", sizes).texts for kind in ("clean", "broken"))
    return _paired(_judging(contender, whole), _judging(contender, faulty), sizes)


def _ruined(contender: str, stream: str, sizes: Sizes) -> Measured:
    """A transcript that is wholly broken beside a clean one of as many bytes."""
    texts = workload(stream, sizes).texts
    whole = as_text(_of_size(len(texts[0]), sizes))
    return _paired(_judging(contender, [whole]), _judging(contender, texts), sizes)


def _of_size(size: int, sizes: Sizes) -> Iterator[Json]:
    """A clean transcript of about so many bytes of text; it ends where no call is open."""
    written = 0
    for message in clean(size, sizes.random()):
        yield message
        written += len(as_text([message]))
        if written >= size and message["role"] == "assistant" and message["content"][-1]["type"] == "text":
            return


def _growing(contender: str, stream: str, sizes: Sizes) -> Measured:
    short, long = sizes.growth
    # A parser's own growth tells what of it is the machine's, whose caches hold the short text; none parses an abyss.
    yardsticks = () if stream == ABYSS else (PARSER,)
    measured = processes.child("growth", stream, str(short), str(long), contender, *yardsticks)
    ratios = measured[contender]
    beside = [f"{name} itself {statistics.median(measured[name]):.2f}" for name in yardsticks]
    spread = f"between {min(ratios):.2f} and {max(ratios):.2f}"
    return Measured(statistics.median(ratios), "; ".join((f"{long:,} to {short:,}", spread, *beside)))


_VALIDATORS: Final = ("validate_json", "validate_transcript")

FIGURES: Final = (
    *(
        Figure(f"{name}, {size} / {BASE}", limit, partial(_beside, name, BASE, f"{size}-clean"))
        for name, size, limit in (
            ("validate_json", "small", 0.8),
            ("validate_json", "large", 0.5),
            ("validate_transcript", "small", 1.2),
            ("validate_transcript", "large", 1.2),
            ("loads", "small", 1.6),
            ("loads", "large", 1.6),
        )
    ),
    Figure(f"validate_transcript / {TOOL_CALL_REPAIR}", 1.3, _linkage),
    *(Figure(f"constructor, {role} / copy.deepcopy", 1.0, partial(_constructing, role)) for role in _CONSTRUCTORS),
    *(
        Figure(f"{name}, {size}, one fault / clean", 6.0, partial(_planted, name, size))
        for name in _VALIDATORS
        for size in ("small", "large")
    ),
    *(
        Figure(f"{name}, {stream} / clean of its size", 6.0, partial(_ruined, name, stream))
        for name in _VALIDATORS
        for stream in STREAMS
        if stream != "clean"
    ),
    *(
        Figure(f"{name}, {stream}: growth a message", 1.3, partial(_growing, name, stream))
        for name in _VALIDATORS
        for stream in STREAMS
    ),
    Figure("validate_json, nested arguments: growth a level", 1.3, partial(_growing, "validate_json", ABYSS)),
    Figure("validate_json, peak memory / text", 3.0, processes.memory),
    Figure("import message_ir", 50, processes.importing, "ms"),
    Figure("message-ir --version, whole process", 150, processes.version, "ms"),
    Figure(f"message-ir check, JSON lines / bare loop of {BASE}", 1.3, processes.checking),
    Figure("message-ir check, 1 job / 2 jobs", 1.7, processes.jobs, at_least=True),
)
