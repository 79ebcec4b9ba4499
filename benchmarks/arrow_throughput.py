"""Says what one core validates of a column of JSON texts, and what that makes for a terabyte.

Run it as `python -m benchmarks.arrow_throughput [TRANSCRIPTS]`.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter
from typing import Final

import pyarrow as pa

from benchmarks.workload import SEED, Random, as_texts, transcripts
from message_ir.arrow import validate

COUNT: Final = 3_000
LENGTH: Final = 30
ROUNDS: Final = 7


def main(count: int = COUNT) -> None:
    """Prints the medians of some rounds over clean transcripts of about 30 messages."""
    texts = as_texts(transcripts(count, LENGTH, Random(SEED)))
    size = sum(map(len, texts))
    column = pa.array(texts, pa.binary())
    seconds = []
    for _ in range(ROUNDS):
        start = perf_counter()
        found = validate(column)
        seconds.append(perf_counter() - start)
        assert sum(map(len, found.to_pylist())) == 0, "the workload is clean"
    rate = size / median(seconds)
    print(f"{count:,} transcripts, {size / 1e6:,.1f} MB")
    print(f"{rate / 1e6:,.0f} MB/s, {count / median(seconds):,.0f} transcripts/s on one core")
    print(f"1 TB of JSON text: {1e12 / rate / 3600:,.1f} hours of one core")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
