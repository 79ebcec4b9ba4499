"""Makes text harmless for where it is shown: a terminal, a CI log, JSON that is printed to either."""

from __future__ import annotations

import json
from typing import Final

from message_ir.quoting import escape

# What CI systems take for a command; one character of it is written as an escape.
_COMMANDS: Final = {"::": ":\\u003a", "##[": "#\\u0023["}


def safe(text: str) -> str:
    """Escapes control characters, line ends and CI commands, for text that people read."""
    return _without_commands(escape(text))


def safe_json(value: object, indent: int | None = None) -> str:
    """Renders JSON that holds no control character and no CI command, and means the same."""
    separators = (",", ": ") if indent else (",", ":")
    text = json.dumps(value, indent=indent, separators=separators)
    return _without_commands(text.replace("\x7f", "\\u007f"))


def _without_commands(text: str) -> str:
    for command, escaped in _COMMANDS.items():
        text = text.replace(command, escaped)
    return text
