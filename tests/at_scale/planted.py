"""A Parquet dataset of transcripts with planted faults, and what a run over it must find."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from message_ir.arrow import with_diagnostics
from sessions import assistant, call, result, user

COUNT = 100_000
FILES = 8

FAULTS: dict[str, Any] = {
    "MISSING_TOOL_RESULT": lambda: [user(), assistant(call("c"))],
    "ORPHAN_TOOL_RESULT": lambda: [user(), result("c")],
    "DUPLICATE_TOOL_RESULT": lambda: [assistant(call("c")), result("c"), result("c")],
    "TOOL_NAME_MISMATCH": lambda: [assistant(call("c")), result("c", name="write")],
    "INVALID_TOOL_ARGUMENTS": lambda: [assistant(call("c", arguments=[1])), result("c")],
    "INVALID_TRANSCRIPT": lambda: {"messages": []},
}


def write(folder: Path) -> dict[int, str]:
    """Writes the dataset; returns the code that was planted, by the numbers of the broken transcripts."""
    random = Random(7)
    codes = list(FAULTS)
    planted = {number: random.choice(codes) for number in range(COUNT) if random.random() < 0.01}
    folder.mkdir()
    size = COUNT // FILES
    for at in range(FILES):
        numbers = range(at * size, (at + 1) * size)
        texts = [json.dumps(FAULTS[planted[number]]() if number in planted else clean(random)) for number in numbers]
        table = pa.table({"number": pa.array(numbers, pa.int64()), "transcript": pa.array(texts)})
        pq.write_table(table, folder / f"part-{at}.parquet")
    return planted


def clean(random: Random) -> list[Any]:
    """A transcript of which nothing is reported."""
    records = [user(content="x" * random.randrange(200))]
    for number in range(random.randrange(1, 4)):
        records += [assistant(call(f"c{number}", arguments={"path": f"{number}.txt"})), result(f"c{number}")]
    return records


def found(folder: Path) -> tuple[int, dict[int, str]]:
    """Returns how many transcripts a dataset of diagnostics has, and the codes by the numbers of the broken ones."""
    table = pq.read_table(folder)
    rows = zip(table["number"].to_pylist(), table["diagnostics"].to_pylist(), strict=True)
    codes = {number: [each["code"] for each in diagnostics] for number, diagnostics in rows}
    assert len(codes) == table.num_rows, "no transcript comes twice"
    return len(codes), {number: code for number, (code, *rest) in ((n, c) for n, c in codes.items() if c) if not rest}


def once_killed(batch: Any, marker: Path) -> Any:
    """Does what the recipes do with a batch; the first worker that comes to do it kills itself instead."""
    try:
        marker.unlink()
    except FileNotFoundError:
        return with_diagnostics(batch, "transcript").drop_columns(["transcript"])
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process does not go on")
