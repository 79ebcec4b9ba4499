"""What all tests share: the generator on the path behind whatever is installed, so that the wheel is what is tested."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]

# The generator is not shipped. Appended, not prepended: an installed message_ir comes first.
sys.path.append(str(CHECKOUT / "src"))


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder that holds spec/, generated/ and examples/."""
    return CHECKOUT
