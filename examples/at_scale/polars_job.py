"""Validates Parquet files of transcripts in Polars: `python polars_job.py SOURCE TARGET [COLUMN]`.

The files stream through an expression; the work is that of one core.
The target is one file, which is renamed to its name when it is complete.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars
import pyarrow as pa

from message_ir.arrow import DIAGNOSTICS, validate

TYPE = polars.Series(pa.array([], DIAGNOSTICS)).dtype


def diagnostics(column: str) -> polars.Expr:
    """The diagnostics of a column of transcripts, as an expression."""
    return polars.col(column).map_batches(
        lambda transcripts: polars.Series(validate(transcripts)), return_dtype=TYPE, is_elementwise=True
    )


def run(source: str, target: str, column: str = "transcript") -> None:
    """Reads the transcripts of files (a path or a glob) and writes them with their diagnostics to one file."""
    unfinished = Path(f"{target}.unfinished")
    polars.scan_parquet(source).with_columns(diagnostics=diagnostics(column)).sink_parquet(unfinished)
    unfinished.replace(target)


if __name__ == "__main__":
    run(*sys.argv[1:])
