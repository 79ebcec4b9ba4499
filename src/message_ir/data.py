"""Reads the data files that come with the package: from the wheel, or from the checkout of an editable install."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

# Where each file stands in a checkout; in the wheel they all stand in `_data`.
_IN_CHECKOUT: Final = {
    "transcript.schema.json": "generated/json-schema/transcript.schema.json",
    "protocol.schema.json": "generated/json-schema/protocol.schema.json",
    "cases.json": "generated/corpus/cases.json",
    "contract.md": "generated/docs/contract.md",
    "port-manual.md": "spec/corpus/README.md",
}


def read_data(name: str) -> str:
    """Returns the text of a data file.

    Args:
        name: one of those above.
    """
    shipped = files("message_ir").joinpath("_data", name)
    if shipped.is_file():
        return shipped.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / _IN_CHECKOUT[name]).read_text(encoding="utf-8")
