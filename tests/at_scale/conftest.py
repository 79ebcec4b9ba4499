"""The recipes are imported as they stand in examples/, and by the processes that engines start too."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from at_scale.planted import Planted, plant

TESTS = Path(__file__).parents[1]
PATHS = [str(TESTS), str(TESTS.parent / "examples/at_scale")]

sys.path += PATHS


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """The dataset of the recipes for many cores."""
    return plant(tmp_path_factory.mktemp("planted") / "source", 100_000)


@pytest.fixture(scope="module", autouse=True)
def paths_of_child_processes() -> Iterator[None]:
    """Hands the paths on while the tests of this folder run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([*PATHS, *filter(None, [os.environ.get("PYTHONPATH")])]))
        yield
