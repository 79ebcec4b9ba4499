"""The recipe for Spark, in local mode: every planted fault is found, none else, and nothing is lost with a killed worker."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from at_scale import planted
from examples.at_scale import spark


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        # Two workers at a time; each task may fail three times.
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    yield made
    made.stop()


def test_all_faults_are_found_and_none_else(session: SparkSession, tmp_path: Path) -> None:
    expected = planted.write(tmp_path / "in")
    assert len(expected) > planted.COUNT / 200
    spark.run(session, str(tmp_path / "in"), str(tmp_path / "out"))
    assert planted.found(tmp_path / "out") == (planted.COUNT, expected)
    assert (tmp_path / "out/_SUCCESS").exists()
    with pytest.raises(Exception, match="already exists"):
        spark.run(session, str(tmp_path / "in"), str(tmp_path / "out"))


def test_a_killed_worker_loses_nothing(session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = planted.write(tmp_path / "in")
    marker = tmp_path / "marker"
    marker.touch()

    def killed(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield planted.once_killed(batch, marker)

    monkeypatch.setattr(spark, "validated", killed)
    spark.run(session, str(tmp_path / "in"), str(tmp_path / "out"))
    assert not marker.exists()
    assert planted.found(tmp_path / "out") == (planted.COUNT, expected)
