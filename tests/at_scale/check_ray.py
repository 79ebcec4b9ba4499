"""The recipe for Ray: complete and equal, with a killed worker too, and after a killed job."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray

import ray_job
from at_scale.killing import WAIT, die_once, kill_when, killed
from at_scale.planted import Planted, check
from message_ir.arrow import with_diagnostics

CLUSTER: dict[str, Any] = {
    "address": "local",
    "num_cpus": 2,
    "object_store_memory": 500_000_000,  # bytes
    "include_dashboard": False,
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(**CLUSTER)
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
def test_the_planted_faults_are_found(planted: Planted, tmp_path: Path) -> None:
    ray_job.run(str(planted.folder), str(tmp_path / "checked"))
    check(planted, tmp_path / "checked")
    with pytest.raises(FileExistsError, match="name another target"):
        ray_job.run(str(planted.folder), str(tmp_path / "checked"))


@pytest.mark.usefixtures("cluster")
def test_a_killed_worker_loses_nothing(planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = tmp_path / "marker"
    marker.touch()

    def dying(batch: Any, column: str) -> Any:
        checked = with_diagnostics(batch, column)
        # Not in the first batches of the first task.
        if checked["id"][0].as_py() % 5_000 >= 2_000:
            die_once(marker)
        return checked

    monkeypatch.setattr(ray_job, "with_diagnostics", dying)
    ray_job.run(str(planted.folder), str(tmp_path / "checked"))
    assert killed(tmp_path) == 1
    check(planted, tmp_path / "checked")


JOB = f"""
import sys
import ray
import ray_job
ray.init(**{CLUSTER!r})
ray_job.run(*sys.argv[1:])
"""


def test_a_killed_job_leaves_no_target_and_is_started_again(planted: Planted, tmp_path: Path) -> None:
    target = tmp_path / "checked"
    command = [sys.executable, "-c", JOB, str(planted.folder), str(target)]
    job = subprocess.Popen(command, start_new_session=True)
    # When some of its files are written, and others are not.
    kill_when(job, lambda: any(tmp_path.glob("checked.unfinished/*.parquet")))
    assert not target.exists()
    subprocess.run(command, check=True, timeout=WAIT)
    assert [file.name for file in tmp_path.iterdir()] == ["checked"]
    check(planted, target)
