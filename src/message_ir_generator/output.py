"""Writes the rendered files, or compares them with those on disk. The only module that touches `generated/`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Drift:
    """One file in which the disk differs from what the specification renders."""

    kind: Literal["changed", "missing", "orphaned"]
    path: str
    diff: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.path}\n{self.diff}"


def compare(rendered: Mapping[str, str], folder: Path) -> Iterator[Drift]:
    """Yields every file that is changed, missing or orphaned, by path."""
    present = set(_files(folder))
    for path in sorted(present | rendered.keys()):
        if path not in present:
            yield Drift("missing", path)
        elif path not in rendered:
            yield Drift("orphaned", path)
        elif (folder / path).read_bytes() != rendered[path].encode():
            on_disk = (folder / path).read_text(encoding="utf-8", errors="backslashreplace")
            diff = difflib.unified_diff(
                on_disk.splitlines(keepends=True),
                rendered[path].splitlines(keepends=True),
                f"on disk: {path}",
                f"rendered: {path}",
            )
            yield Drift("changed", path, "".join(diff))


def write(rendered: Mapping[str, str], folder: Path) -> list[Drift]:
    """Makes the folder hold the rendered files and no others, and returns what had to change."""
    drifts = list(compare(rendered, folder))
    for drift in drifts:
        target = folder / drift.path
        if drift.kind == "orphaned":
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(rendered[drift.path].encode())
    return drifts


def _files(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(folder).as_posix()
