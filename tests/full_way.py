"""The validator without its fast ways: what they are held against, and what mutants and faulty ports are judged by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from message_ir import construction, json_text, transcripts, validation


@contextmanager
def full_way_only() -> Iterator[None]:
    """Sends everything the full way."""
    with pytest.MonkeyPatch.context() as patch:
        bar_fast_ways(patch)
        yield


def bar_fast_ways(patch: pytest.MonkeyPatch) -> None:
    """Has every fast way refuse everything."""
    for module in (construction, transcripts, validation):
        for name in (
            "accept",
            "accept_assistant",
            "accept_json",
            "accept_result",
            "accept_user",
            "load_json",
            "observe",
        ):
            if hasattr(module, name):
                patch.setattr(module, name, lambda *_, **__: None)
        if hasattr(module, "parse"):
            patch.setattr(module, "parse", json_text.parse)


def verdict(text: Any) -> validation.Verdict:
    """What the full way says of JSON text."""
    with full_way_only():
        return validation.judge_json(text)
