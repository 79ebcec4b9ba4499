"""Paths through a JSON document: as JSON Pointers (RFC 6901) for programs, as places for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from message_ir.quoting import quote

Path = tuple[str | int, ...]
"""The keys and positions that lead from a root to a value."""

# Longer ones are quoted, which shortens them.
_NAME_LENGTH: Final = 64


def pointer(path: Path) -> str:
    """Renders a path as a JSON Pointer; the root is the empty string."""
    # Of lists, since a generator costs more than what it yields here.
    return "".join(
        [f"/{step}" if isinstance(step, int) else f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path]
    )


def path_in(document: object, text: str) -> Path:
    """Returns the path that a JSON Pointer takes through a parsed JSON document, positions in arrays as integers."""
    path: list[str | int] = []
    value: object = document
    for token in text.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            position = int(key)
            path.append(position)
            value = value[position]
        else:
            path.append(key)
            value = value.get(key) if isinstance(value, dict) else None
    return tuple(path)


def place(root: str, path: Iterable[str | int]) -> str:
    """Renders a path for people, as `root[3].content[0].name`; keys that are no plain names are quoted."""
    return root + "".join(
        [
            f"[{step}]" if isinstance(step, int) else f".{step}" if _is_name(step) else f"[{quote(step)}]"
            for step in path
        ]
    )


def _is_name(step: str) -> bool:
    return step.isidentifier() and step.isascii() and len(step) <= _NAME_LENGTH
