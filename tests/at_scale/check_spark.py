"""The recipe for Spark, in local mode: complete and equal, with a killed worker too, and after a killed job."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import spark_job
from at_scale.killing import WAIT, dying, kill_when, killed
from at_scale.planted import Planted, check

# Two cores, and up to four attempts at a task; a file is a task, of several batches.
MASTER = "local[2,4]"
CONFIGURATION = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    "spark.sql.files.maxPartitionBytes": "4m",
    "spark.driver.memory": "1g",
    "spark.ui.enabled": "false",
}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(MASTER)
    session = builder.config(map=CONFIGURATION).getOrCreate()
    yield session
    session.stop()


def test_the_planted_faults_are_found(spark: SparkSession, planted: Planted, tmp_path: Path) -> None:
    spark_job.run(spark, str(planted.folder), str(tmp_path / "checked"))
    check(planted, tmp_path / "checked")


def test_a_killed_worker_loses_nothing(
    spark: SparkSession, planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    marker.touch()
    monkeypatch.setattr(spark_job, "diagnosed", partial(dying, marker, spark_job.diagnosed))
    spark_job.run(spark, str(planted.folder), str(tmp_path / "checked"))
    assert killed(tmp_path) == 1
    check(planted, tmp_path / "checked")


def test_a_killed_job_leaves_no_half_output_and_is_started_again(planted: Planted, tmp_path: Path) -> None:
    target = tmp_path / "checked"
    options = [f"--conf={name}={value}" for name, value in CONFIGURATION.items()]
    submit = shutil.which("spark-submit", path=str(Path(sys.executable).parent))
    assert submit
    command = [submit, f"--master={MASTER}", *options, spark_job.__file__, str(planted.folder), str(target)]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    job = subprocess.Popen(command, env=environment, start_new_session=True)
    # When some of its files are written, and others are not.
    kill_when(job, lambda: any(target.glob("_temporary/0/task_*/*.parquet")))
    assert [file.name for file in target.iterdir()] == ["_temporary"]
    subprocess.run(command, env=environment, check=True, timeout=WAIT)
    assert (target / "_SUCCESS").exists()
    assert not (target / "_temporary").exists()
    check(planted, target)
