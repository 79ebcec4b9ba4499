"""A progress bar for work of more than a second, on standard error where that is a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

_PATIENCE: Final = 1.0
_REFRESH: Final = 0.2


class ByteProgress(AbstractContextManager["ByteProgress"]):
    """Counts the bytes that are read; shows them once the work has taken more than a second."""

    def __init__(self, total: int | None) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("checking"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True, auto_refresh=False)
        self._task = self._progress.add_task("checking", total=total)
        self._enabled = console.is_terminal
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        """Begins to count."""
        return self

    def __exit__(self, *_: object) -> None:
        """Takes the bar away."""
        self.hide()

    def count(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Passes lines through and counts their bytes."""
        if not self._enabled:
            yield from lines
            return
        done = 0
        for line in lines:
            yield line
            done += len(line)
            if time.monotonic() >= self._next:
                self._progress.advance(self._task, done)
                done = 0
                self._show()
        self._progress.advance(self._task, done)

    def hide(self) -> None:
        """Takes the bar away, so that something else can be printed; it comes back with the next lines."""
        if self._shown:
            self._progress.stop()
            self._shown = False

    def _show(self) -> None:
        if not self._shown:
            self._progress.start()
            self._shown = True
        self._progress.refresh()
        self._next = time.monotonic() + _REFRESH
