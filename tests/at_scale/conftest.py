"""The recipes are imported as they stand in examples/, and by the processes that engines start too."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PATHS = [str(TESTS), str(TESTS.parent / "examples/at_scale")]

sys.path += PATHS


@pytest.fixture(scope="module", autouse=True)
def paths_of_child_processes() -> Iterator[None]:
    """Hands the paths on while the tests of this folder run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([*PATHS, *filter(None, [os.environ.get("PYTHONPATH")])]))
        yield
