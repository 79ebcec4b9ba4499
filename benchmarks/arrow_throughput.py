"""Prints what `message_ir.arrow` validates a second on one core, and what that makes for a terabyte.

`python benchmarks/arrow_throughput.py [--messages 30] [--megabytes 64] [--rounds 5]`; it needs the extra `arrow`.
Each round validates a column of texts, and beside it decodes the same texts with `json.loads`, so that the ratio holds
for other machines than the one that it was measured on. Figures are medians of the rounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from message_ir.arrow import validate

TERABYTE: Final = 10**12
WORDS: Final = ("the", "parser", "of", "tests", "returns", '"quoted"', "naïve", "a\nline", "0x7f", "self.assertEqual(")


def transcript(random: Random, messages: int) -> str:
    """A clean transcript as JSON text: a question, then calls and their results by turns."""

    def words(count: int) -> str:
        return " ".join(random.choices(WORDS, k=count))

    records: list[dict[str, Any]] = [{"id": "m0", "role": "user", "content": words(40)}]
    for number in range((messages - 1) // 2):
        arguments = {"path": words(1), "range": [number, 80], "options": {"all": True, "depth": 1.5, "note": None}}
        call = {"type": "toolCall", "id": f"call-{number}", "name": "read", "arguments": arguments}
        content = [{"type": "text", "text": words(20)}, call]
        answer = {"toolCallId": call["id"], "toolName": "read", "content": words(200), "isError": False}
        records += [
            {"id": f"m{2 * number + 1}", "role": "assistant", "content": content},
            {"id": f"m{2 * number + 2}", "role": "toolResult", **answer},
        ]
    return json.dumps(records, ensure_ascii=False)


def column(messages: int, size: int) -> Any:
    """An array of texts of about a size in bytes; the same at each run."""
    random = Random(7)  # noqa: S311 # nothing is kept secret with it
    texts: list[bytes] = []
    while size > 0:
        texts.append(transcript(random, messages).encode())
        size -= len(texts[-1])
    return pa.array(texts, pa.large_binary()).cast(pa.large_string())


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Measures message_ir.arrow on one core.")
    parser.add_argument("--messages", type=int, default=30, help="messages a transcript (default: 30)")
    parser.add_argument("--megabytes", type=int, default=64, help="size of the column (default: 64)")
    parser.add_argument("--rounds", type=int, default=5, help="how often it is measured (default: 5)")
    chosen = parser.parse_args()
    texts = column(chosen.messages, chosen.megabytes * 10**6)
    size = pc.sum(pc.binary_length(texts)).as_py()
    found = validate(texts)
    if pc.sum(pc.list_value_length(found)).as_py():
        raise SystemExit("the transcripts must be clean, but diagnostics were found in them")
    rounds = [
        (seconds(lambda: validate(texts)), seconds(lambda: [json.loads(text.as_py()) for text in texts]))
        for _ in range(chosen.rounds)
    ]
    took = statistics.median(ours for ours, _ in rounds)
    ratio = statistics.median(ours / theirs for ours, theirs in rounds)
    print(f"{len(texts):,} transcripts of {chosen.messages} messages, {size / 1e6:,.0f} MB, one core")
    print(
        f"{size / took / 1e6:,.0f} MB/s, {len(texts) / took:,.0f} transcripts/s, {ratio:.2f} × the time of json.loads"
    )
    print(f"1 TB: {TERABYTE / (size / took) / 3600:,.1f} hours of one core")


if __name__ == "__main__":
    main()
