"""Kills workers and jobs in the middle of their work."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

WAIT: Final = 300
"""Seconds after which what should have happened has not."""


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


def kill_when(job: subprocess.Popen[bytes], is_time: Callable[[], bool]) -> None:
    """Kills a job that leads a process group, with all of that, as soon as it is time."""
    end = time.monotonic() + WAIT
    try:
        while not is_time():
            assert job.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
    finally:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()


def killed(folder: Path) -> int:
    """How many processes were killed."""
    return len(list(folder.glob("killed-*")))
