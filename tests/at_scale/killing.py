"""Kills a worker's process once, in the middle of its work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def die_once(marker: Path) -> None:
    """Kills this process with SIGKILL if it is the first that comes here; the marker is there until then."""
    try:
        # Only one can rename it.
        marker.rename(marker.with_name(f"killed-{os.getpid()}"))
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def dying(marker: Path, function: Callable[..., Iterator[Any]], *arguments: Any) -> Iterator[Any]:
    """Yields what a function yields, in a process that may die when it has handed out the first."""
    for each in function(*arguments):
        yield each
        die_once(marker)


def killed(folder: Path) -> int:
    """How many processes were killed."""
    return len(list(folder.glob("killed-*")))
