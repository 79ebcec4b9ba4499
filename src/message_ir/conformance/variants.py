"""Variants of a case: the same case in other clothes, whose answer must be the same.

Ids are renamed, keys of records and blocks change places, properties that the contract does not know
are added, a clean round comes before or after, and JSON is spelled otherwise. None of this happens inside `arguments`,
where the order of keys counts, nor to what a recipe stands for, but for the records that it wraps.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from message_ir.conformance.hosts import RECIPE_KEY, recipes
from message_ir.conformance.suite import Request
from message_ir.values import is_blank

_IDS: Final = ("id", "toolCallId")
_PREFIX: Final = "renamed-"
_UNKNOWN: Final = {"toolCallID": "c1", "x-unknown": {"id": "c1", "toolCallId": "c1", "content": [{"id": "c1"}]}}

# The parts of recipes that are records, blocks or arrays of them.
_WRAPPED: Final = {"throws": ("value",), "changes": ("value",), "shared": ("value",), "lyingArray": ("items",)}


def variants(request: Request) -> Iterator[Request]:
    """Yields the variants of a case, each under its name as the part."""
    for name, (operations, change) in VARIANTS.items():
        if request.operation in operations:
            changed = change(request)
            if changed is not None:
                yield replace(changed, part=name)


def _renamed(request: Request) -> Request | None:
    return _changed(request, _with_renamed_ids)


def _reordered(request: Request) -> Request | None:
    return _changed(request, lambda fields: dict(reversed(fields.items())))


def _extended(request: Request) -> Request | None:
    return _changed(request, lambda fields: fields | _UNKNOWN)


def _appended(request: Request) -> Request | None:
    if not isinstance(request.input, list):
        return None
    return replace(request, input=[*request.input, *_clean_round(request.input)])


def _prepended(request: Request) -> Request | None:
    if not isinstance(request.input, list):
        return None
    clean = _clean_round(request.input)
    expect = [_shifted(diagnostic, len(clean)) for diagnostic in request.expect]
    return replace(request, input=[*clean, *request.input], expect=expect)


def _as_text(request: Request) -> Request | None:
    """The JSON value as text in which every character of a string is escaped."""
    spelled = _spelled(request.input)
    return None if spelled is None else replace(request, operation="validateText", input={"text": spelled})


def _padded(request: Request) -> Request | None:
    """White space around a text; what is not JSON stays so."""
    given = request.input
    if "text" in given:
        if not isinstance(given["text"], str):
            return None
        return replace(request, input={"text": f"\n\t {given['text']}\r\n "})
    padded = b"\n\t " + base64.b64decode(given["base64"]) + b"\r\n "
    return replace(request, input={"base64": base64.b64encode(padded).decode()})


_VALIDATE: Final = frozenset({"validate"})
_RECORDS: Final = frozenset({"validate", "roundTrip"})

VARIANTS: Final[dict[str, tuple[frozenset[str], Callable[[Request], Request | None]]]] = {
    "ids renamed": (_VALIDATE, _renamed),
    "keys reordered": (_RECORDS, _reordered),
    "properties added": (_RECORDS, _extended),
    "round appended": (_VALIDATE, _appended),
    "round prepended": (_VALIDATE, _prepended),
    "spelled as text": (_VALIDATE, _as_text),
    "white space added": (frozenset({"validateText"}), _padded),
}


def _changed(request: Request, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Request | None:
    changed = _each_object(request.input, change)
    # Dicts are equal in whatever order their keys are.
    return None if json.dumps(changed) == json.dumps(request.input) else replace(request, input=changed)


def _each_object(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The input with each record and block changed: objects in the transcript, and in an array `content` of one of them."""
    if isinstance(value, list):
        return [_each_object(child, change) for child in value]
    if not isinstance(value, dict):
        return value
    if RECIPE_KEY in value:
        wrapped = _WRAPPED.get(value[RECIPE_KEY], ())
        return {key: _each_object(part, change) if key in wrapped else part for key, part in value.items()}
    content = value.get("content")
    is_array = isinstance(content, list) or (isinstance(content, dict) and RECIPE_KEY in content)
    inner = {"content": _each_object(content, change)} if is_array else {}
    return change(value | inner)


def _with_renamed_ids(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: _with_prefix(value) if key in _IDS else value for key, value in fields.items()}


def _with_prefix(value: Any) -> Any:
    """A string with another beginning, so that equal ones stay equal and others not; blank ones and other values as they are."""
    if isinstance(value, str):
        return value if is_blank(value) else _PREFIX + value
    if isinstance(value, dict) and value.get(RECIPE_KEY) == "string":
        return value | {"utf16": [*(f"{ord(each):04x}" for each in _PREFIX), *value["utf16"]]}
    if isinstance(value, dict) and value.get(RECIPE_KEY) == "stringLike":
        return value | {"value": _with_prefix(value["value"])}
    return value


def _clean_round(value: Any) -> list[dict[str, Any]]:
    """A call and its result with an id that stands nowhere in the input."""
    text, free = json.dumps(value), "extra"
    while free in text:
        free += "x"
    call = {"type": "toolCall", "id": free, "name": "read", "arguments": {}}
    result = {"toolCallId": free, "toolName": "read", "content": "", "isError": False}
    return [{"id": free, "role": "assistant", "content": [call]}, {"id": free, "role": "toolResult", **result}]


def _shifted(diagnostic: dict[str, Any], records: int) -> dict[str, Any]:
    return diagnostic | {
        "messageIndex": diagnostic["messageIndex"] + records,
        "path": _shifted_path(diagnostic["path"], records),
        "related": [_shifted_path(path, records) for path in diagnostic["related"]],
    }


def _shifted_path(path: str, records: int) -> str:
    _, index, *rest = path.split("/")
    return "/".join(["", str(int(index) + records), *rest])


def _spelled(value: Any) -> str | None:
    """The value as JSON text, or None where JSON cannot say it."""
    if any(name != "string" for name in recipes(value)):
        return None
    if isinstance(value, list):
        return f"[ {' , '.join(map(str, map(_spelled, value)))} ]"
    if isinstance(value, dict):
        if RECIPE_KEY in value:
            return '"' + "".join(f"\\u{unit}" for unit in value["utf16"]) + '"'
        members = (f"{_escaped(key)} : {_spelled(child)}" for key, child in value.items())
        return f"{{ {' , '.join(members)} }}"
    return _escaped(value) if isinstance(value, str) else json.dumps(value)


def _escaped(text: str) -> str:
    units = text.encode("utf-16-be", "surrogatepass").hex()
    return '"' + "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)) + '"'
