"""Formats generated Python as the handwritten code is formatted, by ruff."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped] # ships no types

CHECKOUT = Path(__file__).parents[2]


def formatted(text: str) -> str:
    """Returns the text as `ruff format` and the import sorter leave it, by the project's settings.

    Raises:
        subprocess.CalledProcessError: the text is not Python.
    """
    ruff = find_ruff_bin()
    stdin_name = "--stdin-filename=generated.py"
    for command in (["check", "--quiet", "--select=I,F401", "--fix"], ["format", "--quiet"]):
        run = [ruff, *command, stdin_name, f"--config={CHECKOUT / 'pyproject.toml'}", "-"]
        text = subprocess.run(  # noqa: S603 # our own command
            run, input=text, check=True, capture_output=True, encoding="utf-8"
        ).stdout
    return text
