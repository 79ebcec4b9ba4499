"""The recipes are imported as they stand in examples/, and by the processes that engines start too."""

from __future__ import annotations

import os
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
PATHS = [str(TESTS), str(TESTS.parent / "examples/at_scale")]

sys.path += PATHS
os.environ["PYTHONPATH"] = os.pathsep.join([*PATHS, *filter(None, [os.environ.get("PYTHONPATH")])])
