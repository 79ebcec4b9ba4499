"""The command `message-ir`; its parts need the extra `cli`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command and exits: 0 for clean, 1 for findings, 2 for what could not run."""
    try:
        from message_ir.cli.app import run  # noqa: PLC0415 # so that a missing extra gets a clear message
    except ModuleNotFoundError as error:
        if error.name not in {"click", "rich"}:
            raise
        print(f"message-ir: {error.name} is not installed; run: pip install 'message-ir[cli]'", file=sys.stderr)
        sys.exit(2)
    sys.exit(run())
