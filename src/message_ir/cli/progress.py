"""A progress bar for work of more than a second, on standard error where that is a terminal."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import Final, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

_PATIENCE: Final = 1.0
_REFRESH: Final = 0.2


class _Patient(AbstractContextManager["_Patient"]):
    """A bar that shows itself once the work has taken more than a second, and only on a terminal."""

    def __init__(self, what: str, total: int | None, *columns: ProgressColumn) -> None:
        console = Console(stderr=True)
        shown = (TextColumn(what), BarColumn(), *columns, TimeRemainingColumn())
        self._progress = Progress(*shown, console=console, transient=True, auto_refresh=False)
        self._task = self._progress.add_task(what, total=total)
        self._enabled = console.is_terminal
        self._next = time.monotonic() + _PATIENCE
        self._shown = False

    def __enter__(self) -> Self:
        """Begins to count."""
        return self

    def __exit__(self, *_: object) -> None:
        """Takes the bar away."""
        self.hide()

    def hide(self) -> None:
        """Takes the bar away, so that something else can be printed; it comes back with what is done next."""
        if self._shown:
            self._progress.stop()
            self._shown = False

    def _is_due(self) -> bool:
        return self._enabled and time.monotonic() >= self._next

    def _show(self) -> None:
        if not self._shown:
            self._progress.start()
            self._shown = True
        self._progress.refresh()
        self._next = time.monotonic() + _REFRESH


class CountProgress(_Patient):
    """Counts what is done, of a number that is known or told on the way."""

    def __init__(self, what: str, total: int | None) -> None:
        super().__init__(what, total, MofNCompleteColumn())
        self._done = 0

    def advance(self, number: int) -> None:
        """Says that so much more is done."""
        self._done += number
        if self._is_due():
            self._progress.update(self._task, completed=self._done)
            self._show()

    def set(self, done: int, total: int) -> None:
        """Says how much of how much is done."""
        if self._is_due():
            self._progress.update(self._task, completed=done, total=total)
            self._show()


class ByteProgress(_Patient):
    """Counts the bytes that are done."""

    def __init__(self) -> None:
        super().__init__("checking", None, DownloadColumn(), TransferSpeedColumn())
        self._done = 0

    def expect(self, total: int | None) -> None:
        """Says how many there are; None where that is not known."""
        self._progress.update(self._task, total=total)

    def advance(self, number: int) -> None:
        """Says that so many more are done."""
        self._done += number
        self.tick()

    def tick(self) -> None:
        """Says that time passes."""
        if self._is_due():
            self._progress.update(self._task, completed=self._done)
            self._show()
