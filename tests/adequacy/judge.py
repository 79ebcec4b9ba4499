"""The corpus as the only judge of an implementation: every case, its twin and its variants, asked in this process.

The fast ways are barred: what they accept would hide what a mutant of the full way says of it.
"""

from __future__ import annotations

from typing import Any

from full_way import full_way_only
from local_port import LocalPort
from message_ir.conformance.runner import answers, everything
from message_ir.conformance.suite import Answer, load


def first_wrong() -> Answer | None:
    """The first answer that is wrong, or None where every one is right."""
    port: Any = LocalPort()
    wrong = (answer for answer in answers(everything(load().cases), port, 0) if answer.outcome in {"failed", "errored"})
    with full_way_only():
        return next(wrong, None)
