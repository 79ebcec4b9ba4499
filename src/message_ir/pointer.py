"""Paths through a JSON document: as JSON Pointers (RFC 6901) for programs, as places for people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from message_ir.quoting import quote

Path = tuple[str | int, ...]
"""The keys and positions that lead from a root to a value."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)


def pointer(path: Path) -> str:
    """Renders a path as a JSON Pointer; the root is the empty string."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


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
    return root + "".join(_step(step) for step in path)


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _NAME.fullmatch(step) else f"[{quote(step)}]"
