"""Validates Parquet files of transcripts on Spark: `spark-submit spark_job.py SOURCE TARGET [COLUMN]`.

The target has the source's rows and columns, and a column `diagnostics`.
A task whose worker dies is run again; a job that dies leaves nothing that counts as output, and is simply started again:
Spark's committer moves the files into place when their tasks are done, and writes `_SUCCESS` last.
Every executor needs `message-ir[arrow]` in its Python.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.types import DataType, StructType

from message_ir.arrow import with_diagnostics

# `message_ir.arrow.DIAGNOSTICS`, as Spark writes types.
DIAGNOSTICS = "array<struct<code: string, messageIndex: bigint, path: string, related: array<string>, message: string>>"


def diagnosed(column: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Appends the diagnostics to each batch of a partition."""
    for batch in batches:
        yield with_diagnostics(batch, column)


def run(spark: SparkSession, source: str, target: str, column: str = "transcript") -> None:
    """Reads the transcripts of a folder and writes them with their diagnostics to another, which it replaces."""
    transcripts = spark.read.parquet(source)
    schema = StructType([*transcripts.schema]).add("diagnostics", DataType.fromDDL(DIAGNOSTICS))
    transcripts.mapInArrow(partial(diagnosed, column), schema).write.mode("overwrite").parquet(target)


if __name__ == "__main__":
    # A batch is in memory as a whole, in the executor and in its Python.
    session = SparkSession.builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 1_000).getOrCreate()
    run(session, *sys.argv[1:])
    session.stop()
