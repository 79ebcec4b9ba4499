"""Where `message-ir check` writes its report: standard output, or a file that is there only when it is complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, TextIO

import click
from rich.console import Console
from rich.text import Text

from message_ir.cli.inputs import why


class Output(Protocol):
    """Takes a report, line by line."""

    path: str | None
    """The file in which the report is in the making; None for standard output."""

    def __call__(self, line: str | Text) -> None:
        """Prints one line, or several."""


class Terminal:
    """Standard output."""

    path: str | None = None

    def __init__(self, before: Callable[[], object] = lambda: None) -> None:
        """Makes standard output take a report; `before` is called before each line."""
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        self._before = before
        self.console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def __call__(self, line: str | Text) -> None:
        """Prints one line, or several, in colour where there is one."""
        self._before()
        if self.console.color_system is None or isinstance(line, str):
            click.echo(str(line))
        else:
            self.console.print(line)


class File:
    """A file."""

    def __init__(self, path: str, file: TextIO) -> None:
        self.path: str | None = path
        self._file = file

    def __call__(self, line: str | Text) -> None:
        """Writes one line, or several."""
        self._file.write(f"{line}\n")


@contextmanager
def written(path: str) -> Iterator[File]:
    """Writes a file under another name, and gives it its own at the end of the block, if that is reached.

    What is no file but a device or a pipe is written to as it is.

    Raises:
        OSError: it cannot be written.
    """
    target = Path(path).resolve()
    is_special = target.exists() and not target.is_file()
    draft = target if is_special else target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield File(str(draft), file)
        if not is_special:
            draft.replace(target)
    finally:
        if not is_special:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


@contextmanager
def reporting() -> Iterator[None]:
    """Says of an error in the block that the report cannot be written.

    Raises:
        click.ClickException: it cannot.
        BrokenPipeError: nobody reads on.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(f"cannot write the report: {why(error)}") from error
