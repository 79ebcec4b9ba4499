"""Validates a Parquet dataset of transcripts with Ray Data: Parquet in, Parquet out.

    python examples/at_scale/ray.py TRANSCRIPTS DIAGNOSTICS

The column `transcript` of TRANSCRIPTS holds JSON text. DIAGNOSTICS, which must not be there yet, gets the other columns and a
column `diagnostics`. Ray retries what a lost worker was at; the output has its name only once it is complete.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ray.data

from message_ir.arrow import with_diagnostics

COLUMN = "transcript"


def validated(batch: Any) -> Any:
    """Puts diagnostics in the place of transcripts."""
    return with_diagnostics(batch, COLUMN).drop_columns([COLUMN])


def run(source: str, target: str) -> None:
    """Reads a dataset, and writes its diagnostics.

    Raises:
        FileExistsError: the target is there already.
    """
    complete, partial = Path(target), Path(f"{target}.partial")
    if complete.exists():
        raise FileExistsError(f"{complete} is there already: name another folder, or remove it")
    transcripts = ray.data.read_parquet(source)
    # What an earlier run left of it is written anew.
    transcripts.map_batches(validated, batch_format="pyarrow").write_parquet(str(partial), mode="overwrite")
    partial.rename(complete)


if __name__ == "__main__":
    run(*sys.argv[1:])
