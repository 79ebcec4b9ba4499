"""The recipes for engines on one machine: every planted fault is found, and none else; and a run that fails leaves no target."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import duckdb_job
import polars_job
from at_scale.planted import Planted, check, plant

RUNS = pytest.mark.parametrize("run", [duckdb_job.run, polars_job.run], ids=["duckdb", "polars"])


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return plant(tmp_path_factory.mktemp("planted") / "source", 4_000, files=3, every=20)


@RUNS
def test_the_planted_faults_are_found(run: Callable[[str, str], None], planted: Planted, tmp_path: Path) -> None:
    run(f"{planted.folder}/*.parquet", str(tmp_path / "checked.parquet"))
    check(planted, tmp_path / "checked.parquet")
    assert [file.name for file in tmp_path.iterdir()] == ["checked.parquet"]


@RUNS
def test_a_run_that_fails_leaves_no_target(
    run: Callable[[str, str, str], None], planted: Planted, tmp_path: Path
) -> None:
    target = tmp_path / "checked.parquet"
    with pytest.raises(Exception, match="no such column"):
        run(f"{planted.folder}/*.parquet", str(target), "no such column")
    assert not target.exists()


def test_the_queries_of_the_page_count_and_select(planted: Planted, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "SCALE.md").read_text(encoding="utf-8")
    counts, usable = re.findall(r"^```sql\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    duckdb_job.run(f"{planted.folder}/*.parquet", str(tmp_path / "checked.parquet"))
    with duckdb.connect() as connection:
        codes = connection.sql(counts.replace("TARGET", str(tmp_path))).fetchall()
        clean = connection.sql(usable.replace("TARGET", str(tmp_path))).fetchall()
    assert {code: reports for code, reports, *_ in codes} == Counter(
        code for faults in planted.faults.values() for code, _ in faults or ()
    )
    assert {id_ for id_, _ in clean} == {*range(planted.size)} - planted.faults.keys()
