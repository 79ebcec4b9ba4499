"""Reads the data files that come with the package: from the wheel, or from the checkout of an editable install."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

# Where each file stands in a checkout; in the wheel they all stand in `_data`.
_IN_CHECKOUT: Final = {"transcript.schema.json": "generated/json-schema/transcript.schema.json"}


def read_data(name: str) -> str:
    """Returns the text of a data file.

    Args:
        name: `transcript.schema.json`.
    """
    shipped = files("message_ir").joinpath("_data", name)
    if shipped.is_file():
        return shipped.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / _IN_CHECKOUT[name]).read_text(encoding="utf-8")
