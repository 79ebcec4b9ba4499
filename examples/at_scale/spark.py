"""Validates a Parquet dataset of transcripts with Spark: Parquet in, Parquet out.

    spark-submit examples/at_scale/spark.py TRANSCRIPTS DIAGNOSTICS

The column `transcript` of TRANSCRIPTS holds JSON text. DIAGNOSTICS, which must not be there yet, gets the other columns and a
column `diagnostics`. Spark retries what a lost worker was at, and commits the output as a whole: it is complete once it has a file `_SUCCESS`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import StructField, StructType

from message_ir.arrow import DIAGNOSTICS, with_diagnostics

COLUMN = "transcript"


def validated(batches: Iterable[Any]) -> Iterator[Any]:
    """Puts diagnostics in the place of transcripts, batch by batch."""
    for batch in batches:
        yield with_diagnostics(batch, COLUMN).drop_columns([COLUMN])


def run(session: SparkSession, source: str, target: str) -> None:
    """Reads a dataset, and writes its diagnostics."""
    transcripts = session.read.parquet(source)
    kept = [field for field in transcripts.schema.fields if field.name != COLUMN]
    schema = StructType([*kept, StructField("diagnostics", from_arrow_type(DIAGNOSTICS))])
    transcripts.mapInArrow(validated, schema).write.parquet(target)


if __name__ == "__main__":
    run(SparkSession.builder.appName("message-ir").getOrCreate(), *sys.argv[1:])
