"""What is measured in a process of its own, for its memory's sake: `python -m benchmarks.child WHAT …` prints JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.contenders import CONTENDERS
from benchmarks.table import task
from benchmarks.timing import LEAST_ROUNDS, Plan, alternate
from benchmarks.workload import STREAMS, Random, abyss, as_text

GROWTH_SCALE: Final = 0.25
"""Texts are short where growth is measured, so that the work for each message shows beside the reading of its text."""

REPEATS: Final = 10
"""So often in a row the shorter transcript is judged."""

ABYSS: Final = "abyss"
"""Stands beside the names of streams for one call whose arguments nest so deep; its levels count as messages."""


def growth(stream: str, short: int, long: int, *contenders: str) -> dict[str, list[float]]:
    """What a message costs in a long transcript of a kind, as ratios to what it costs in a short one, by round.

    Args:
        stream: the kind.
        short: how many messages the one has.
        long: how many the other has.
        contenders: which are to judge both.
    """
    made: Callable[[int], tuple[bytes, int]] = _abyss if stream == ABYSS else partial(_counted, stream)
    (text, few), (long_text, many) = made(short), made(long)
    ratios: dict[str, list[float]] = {}
    for name in contenders:
        chosen = CONTENDERS[name]
        judge = chosen.build()
        base = task(chosen, judge, [text] * REPEATS)
        series = alternate(base, {name: task(chosen, judge, [long_text])}, Plan(LEAST_ROUNDS, patience=0))
        ratios[name] = [ratio * REPEATS * few / many for ratio in series[name].ratios]
    return ratios


def _abyss(depth: int) -> tuple[bytes, int]:
    return abyss(depth), depth


def _counted(stream: str, length: int) -> tuple[bytes, int]:
    count = 0

    def counting(messages: Iterable[object]) -> Iterable[object]:
        nonlocal count
        for message in messages:
            count += 1
            yield message

    text = as_text(counting(STREAMS[stream](length, Random(scale=GROWTH_SCALE))))
    return text, count


def memory(contender: str, file: str) -> list[int]:
    """The greatest memory in use before a text is judged, the text loaded, and after it, and the text's size; all in bytes."""
    judge = CONTENDERS[contender].build()
    text = Path(file).read_bytes()
    before = peak()
    judge.run(text)
    return [before, peak(), len(text)]


def peak() -> int:
    """The most memory that the process has had in use, in bytes.

    On Linux `getrusage` would tell of the process that started this one too, where that was larger.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource  # noqa: PLC0415 # Windows has no such module

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS counts bytes


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    what, *rest = arguments
    print(json.dumps(_COMMANDS[what](*rest)))


_COMMANDS: Final[Mapping[str, Callable[..., object]]] = {
    "growth": lambda stream, short, long, *contenders: growth(stream, int(short), int(long), *contenders),
    "memory": memory,
}

if __name__ == "__main__":
    main(sys.argv[1:])
