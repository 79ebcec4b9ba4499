"""The corpus as the only judge of an implementation: every case, its twin and its variants, asked in this process."""

from __future__ import annotations

import json

from message_ir.conformance.port import answered
from message_ir.conformance.runner import everything
from message_ir.conformance.suite import agrees, load


def first_wrong() -> str | None:
    """What the first wrong answer is an answer to, or None where every answer is right."""
    for request in everything(load().cases):
        message = json.loads(json.dumps(request.message("handle")))
        answer = json.loads(json.dumps(answered(message)))
        if "undelivered" in answer:
            continue
        if "result" not in answer or not agrees(request, answer["result"], paths=True):
            return f"{request.case}, {request.part}: {answer}"
    return None
