"""The command: `python -m benchmarks --help`."""

from __future__ import annotations

from benchmarks.command import main

main(prog_name="python -m benchmarks")
