"""The recipe for Ray Data: every planted fault is found, none else, and nothing is lost with a killed worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray as engine

from at_scale import planted
from examples.at_scale import ray


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    engine.init(num_cpus=2, object_store_memory=500_000_000, include_dashboard=False)
    yield
    engine.shutdown()


def test_all_faults_are_found_and_none_else(tmp_path: Path) -> None:
    expected = planted.write(tmp_path / "in")
    assert len(expected) > planted.COUNT / 200
    ray.run(str(tmp_path / "in"), str(tmp_path / "out"))
    assert planted.found(tmp_path / "out") == (planted.COUNT, expected)
    with pytest.raises(FileExistsError, match="is there already"):
        ray.run(str(tmp_path / "in"), str(tmp_path / "out"))


def test_a_killed_worker_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = planted.write(tmp_path / "in")
    marker = tmp_path / "marker"
    marker.touch()

    def killed(batch: Any) -> Any:
        return planted.once_killed(batch, marker)

    monkeypatch.setattr(ray, "validated", killed)
    ray.run(str(tmp_path / "in"), str(tmp_path / "out"))
    assert not marker.exists()
    assert planted.found(tmp_path / "out") == (planted.COUNT, expected)
