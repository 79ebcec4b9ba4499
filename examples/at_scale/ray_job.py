"""Validates Parquet files of transcripts on Ray: `python ray_job.py SOURCE TARGET [COLUMN]`.

The target has the source's rows and columns, and a column `diagnostics`.
A task whose worker dies is run again.
The output is written beside the target and renamed when it is complete, so that a job that dies leaves no target and is
simply started again. Both are folders that all nodes see; where folders cannot be renamed, as in an object store, write
each run to a folder of its own and count only those of runs that ended with exit code 0.
Every node needs `message-ir[arrow]` in its Python.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import ray.data

from message_ir.arrow import with_diagnostics


def run(source: str, target: str, column: str = "transcript") -> None:
    """Reads the transcripts of a folder and writes them with their diagnostics to another, which must not be there.

    Raises:
        FileExistsError: the target is there.
    """
    if Path(target).exists():
        raise FileExistsError(f"{target} is there already: name another target, or remove it")
    unfinished = Path(f"{target}.unfinished").resolve()
    shutil.rmtree(unfinished, ignore_errors=True)
    transcripts = ray.data.read_parquet(source)
    # A batch is in memory as a whole.
    checked = transcripts.map_batches(
        with_diagnostics, fn_kwargs={"column": column}, batch_format="pyarrow", batch_size=1_000, zero_copy_batch=True
    )
    checked.write_parquet(str(unfinished))
    unfinished.rename(target)


if __name__ == "__main__":
    run(*sys.argv[1:])
