"""The operations of the protocol, for this implementation: from a request's built input to its result."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Struct

import message_ir
from message_ir.conformance.hosts import build
from message_ir_types.messages import Diagnostic
from message_ir_types.shapes import MESSAGES

_FUNCTIONS: Final[dict[str, tuple[Callable[..., Struct], str]]] = {
    "userMessage": (message_ir.user_message, "user"),
    "assistantMessage": (message_ir.assistant_message, "assistant"),
    "toolResultMessage": (message_ir.tool_result_message, "toolResult"),
}


def perform(request: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of a run request.

    Raises:
        UndeliveredError: the input has a host value that Python does not have.
    """
    try:
        return OPERATIONS[request["operation"]](request)
    except message_ir.ConstructionError as error:
        return {"error": {"pointer": error.pointer, "reason": error.reason}}
    except message_ir.InvalidTranscriptError as error:
        return _diagnosed(error.diagnostics)


def _validate(request: dict[str, Any]) -> dict[str, Any]:
    return _diagnosed(message_ir.validate_transcript(build(request["input"])))


def _validate_text(request: dict[str, Any]) -> dict[str, Any]:
    given = build(request["input"])
    text = given["text"] if "text" in given else base64.b64decode(given["base64"])
    return _diagnosed(message_ir.validate_json(text))


def _construct(request: dict[str, Any]) -> dict[str, Any]:
    return {"message": _wire(_message(request["function"], build(request["input"])))}


def _text(request: dict[str, Any]) -> dict[str, Any]:
    return {"text": message_ir.text_from_assistant(build(request["input"]))}


def _round_trip(request: dict[str, Any]) -> dict[str, Any]:
    frozen = message_ir.snapshot(build(request["input"]))
    back = message_ir.loads(message_ir.dumps(frozen))
    return {"messages": [_wire(message) for message in back]}


def _snapshot(request: dict[str, Any]) -> dict[str, Any]:
    given = build(request["input"])
    message = _message(request["function"], given)
    for mutation in request["mutations"]:
        _write(given, mutation["path"], mutation["value"])
    return {"message": _wire(message)}


def _freeze(request: dict[str, Any]) -> dict[str, Any]:
    message = _message(request["function"], build(request["input"]))
    before = _wire(message)
    written: list[str] = []
    for mutation in request["mutations"]:
        try:
            _write(message, mutation["path"], mutation["value"])
        except (TypeError, AttributeError):
            continue
        if _wire(message) != before:
            written.append(mutation["path"])
    return {"written": written}


OPERATIONS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "validate": _validate,
    "validateText": _validate_text,
    "construct": _construct,
    "text": _text,
    "roundTrip": _round_trip,
    "snapshot": _snapshot,
    "freeze": _freeze,
}


def _diagnosed(diagnostics: tuple[Diagnostic, ...]) -> dict[str, Any]:
    return {"diagnostics": json.loads(msgspec.json.encode(diagnostics))}


def _message(function: str, fields: dict[str, Any]) -> Struct:
    make, role = _FUNCTIONS[function]
    names = {field.name: field.attribute for field in MESSAGES[role].fields}
    return make(**{names[name]: value for name, value in fields.items()})


def _wire(message: Struct) -> Any:
    return json.loads(msgspec.json.encode(message))


def _write(root: Any, pointer: str, value: Any) -> None:
    """Writes a value at a JSON Pointer, into plain values and messages alike."""
    *outer, last = pointer.split("/")[1:]
    parent = root
    for step in outer:
        parent = _step(parent, step)
    if isinstance(parent, Struct):
        object.__setattr__(parent, _attribute(parent, last), value)
    elif isinstance(parent, list | tuple):
        parent[int(last)] = value  # type: ignore[index] # a tuple refuses, which is what is tried
    else:
        parent[last] = value


def _step(parent: Any, step: str) -> Any:
    if isinstance(parent, Struct):
        return getattr(parent, _attribute(parent, step))
    return parent[int(step)] if isinstance(parent, list | tuple) else parent[step]


def _attribute(message: Struct, name: str) -> str:
    return next((each.name for each in msgspec.structs.fields(message) if each.encode_name == name), name)
