"""Speaks the conformance protocol for this implementation: a request a line on standard input, an answer a line on output."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, TextIO

from message_ir.conformance.hosts import HOSTS, UndeliveredError
from message_ir.conformance.operations import OPERATIONS, perform
from message_ir_types.constants import VERSION

_REASONS: Final = {
    "sparse": "Python's arrays have no holes.",
    "undefined": "Python has no undefined.",
    "noPrototype": "Python's dicts have no prototype.",
}


def serve(requests: Iterable[str], out: TextIO) -> None:
    """Answers requests until one says stop, or there are no more."""
    for line in requests:
        request = json.loads(line)
        match request["command"]:
            case "start":
                answer = introduction()
            case "run":
                answer = {"handle": request["handle"]} | answered(request)
            case _:
                return
        out.write(json.dumps(answer) + "\n")
        out.flush()


def introduction() -> dict[str, Any]:
    """Says who this port is, and what it can do."""
    return {
        "name": "message-ir",
        "version": VERSION,
        "language": "Python",
        "contract": VERSION,
        "operations": list(OPERATIONS),
        "hosts": list(HOSTS),
        "paths": True,
        "reasons": _REASONS,
    }


def answered(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one run request, but for its handle."""
    try:
        return {"result": perform(request)}
    except UndeliveredError as error:
        return {"undelivered": str(error)}
    except Exception as error:  # noqa: BLE001 # whatever it is, it is this case's
        return {"errored": f"{type(error).__name__}: {error}"}
