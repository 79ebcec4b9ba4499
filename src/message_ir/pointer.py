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


def place(root: str, path: Iterable[str | int]) -> str:
    """Renders a path for people, as `root[3].content[0].name`; keys that are no plain names are quoted."""
    return root + "".join(_step(step) for step in path)


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _NAME.fullmatch(step) else f"[{quote(step)}]"
