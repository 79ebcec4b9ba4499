"""Validates Parquet files of transcripts in DuckDB: `python duckdb_job.py SOURCE TARGET [COLUMN]`.

`diagnostics` becomes a function of SQL, for use in any query. The files stream through it; the work is that of one core.
The target is one file, which is renamed to its name when it is complete.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb
import pyarrow as pa
from duckdb.func import PythonUDFType

from message_ir.arrow import validate

# `message_ir.arrow.DIAGNOSTICS`, as DuckDB writes types.
DIAGNOSTICS = 'STRUCT(code VARCHAR, "messageIndex" BIGINT, path VARCHAR, related VARCHAR[], message VARCHAR)[]'


def diagnostics(transcripts: pa.ChunkedArray) -> pa.ChunkedArray:
    """The function of SQL: DuckDB counts the parameters of what it is given."""
    return validate(transcripts)


def run(source: str, target: str, column: str = "transcript") -> None:
    """Reads the transcripts of files (a path or a glob) and writes them with their diagnostics to one file."""
    unfinished = Path(f"{target}.unfinished")
    with duckdb.connect() as connection:
        connection.create_function("diagnostics", diagnostics, ["VARCHAR"], DIAGNOSTICS, type=PythonUDFType.ARROW)
        files = connection.read_parquet(source)
        name = duckdb.ColumnExpression(column)
        checked = files.select(
            duckdb.StarExpression(), duckdb.FunctionExpression("diagnostics", name).alias("diagnostics")
        )
        checked.write_parquet(str(unfinished))
    unfinished.replace(target)


if __name__ == "__main__":
    run(*sys.argv[1:])
