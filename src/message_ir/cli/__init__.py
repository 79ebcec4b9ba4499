"""The command `message-ir`; its parts need the extra `cli`, and `conformance` needs the extra of that name."""

from __future__ import annotations

import sys
from typing import Final

from message_ir_types.constants import VERSION

# The extra that holds each package that a command may lack.
_EXTRAS: Final = {
    "click": "cli",
    "rich": "cli",
    "hypothesis": "conformance",
    "jinja2": "conformance",
    "jsonschema": "conformance",
    "pyarrow": "arrow",
}


def main() -> None:
    """Runs the command and exits: 0 for clean, 1 for findings, 2 for what could not run."""
    if sys.argv[1:] == ["--version"]:
        # Scripts ask it often, and the commands take several times as long to load as this.
        print(f"message-ir {VERSION}")
        return
    try:
        from message_ir.cli.app import run  # noqa: PLC0415 # so that a missing extra gets a clear message

        sys.exit(run())
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        needed = f"pip install 'message-ir[{_EXTRAS[error.name]}]'"
        print(f"message-ir: {error.name} is not installed; run: {needed}", file=sys.stderr)
        sys.exit(2)
