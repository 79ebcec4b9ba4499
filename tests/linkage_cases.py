"""The contract's cases of linkage, of the silence about what is explained, and of the order of reports."""

from __future__ import annotations

from typing import Any

from contract_cases import Case, Expected, invalid, nameless
from sessions import assistant, call, result, user


def orphan(path: str) -> Expected:
    return ("ORPHAN_TOOL_RESULT", path, ())


def missing(path: str) -> Expected:
    return ("MISSING_TOOL_RESULT", path, ())


def early(path: str, of: str) -> Expected:
    return ("TOOL_RESULT_BEFORE_CALL", path, (of,))


def mismatch(path: str, of: str) -> Expected:
    return ("TOOL_NAME_MISMATCH", path, (of,))


def again(path: str, first: str) -> Expected:
    return ("DUPLICATE_TOOL_RESULT", path, (first,))


def taken(path: str, first: str) -> Expected:
    return ("DUPLICATE_TOOL_CALL_ID", path, (first,))


CALL = assistant(call("c"))
RESULT = result("c")

# A record or block that is reported, and that can be read to hold a call with id c …
MALFORMED_CALLS: dict[str, tuple[Any, Expected]] = {
    "no name": (assistant(call("c", "")), nameless("/0/content/0/name")),
    "bad arguments": (assistant(call("c", arguments=[])), ("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments", ())),
    "a blank message id": (assistant(call("c"), id=""), invalid("/0/id")),
    "no message id": ({"role": "assistant", "content": [call("c")]}, invalid("/0/id")),
    "an unknown role": (CALL | {"role": "model"}, invalid("/0/role")),
    "a role that is no string": (CALL | {"role": 3}, invalid("/0/role")),
    "a user message with blocks": (user(content=[call("c")]), invalid("/0/content")),
    "a result with blocks": (result("x") | {"content": [call("c")]}, invalid("/0/content")),
    "an unknown block type": (assistant({"type": "tool_use", "id": "c"}), invalid("/0/content/0/type")),
    "a block without a type": (assistant({"id": "c", "name": "read", "arguments": {}}), invalid("/0/content/0/type")),
    "a text block that is wrong": (assistant({"type": "text", "id": "c"}), invalid("/0/content/0/text")),
}

# … or a result for it.
MALFORMED_RESULTS: dict[str, tuple[Any, Expected]] = {
    "no name": (result("c", ""), nameless("/1/toolName")),
    "no content": (RESULT | {"content": None}, invalid("/1/content")),
    "isError no boolean": (RESULT | {"isError": 0}, invalid("/1/isError")),
    "a blank message id": (RESULT | {"id": " "}, invalid("/1/id")),
    "an unknown role": (RESULT | {"role": "tool"}, invalid("/1/role")),
    "a user message that is wrong": (user(content=None) | {"toolCallId": "c"}, invalid("/1/content")),
}

CASES: dict[str, Case] = {
    # each rule alone, and what passes
    "clean: one round": Case(
        "linkage.well-formed linkage.duplicate-call linkage.duplicate-result linkage.orphan linkage.before-call "
        "linkage.name-mismatch linkage.missing",
        [CALL, RESULT],
    ),
    "clean: parallel calls, answered in another order, with a user between": Case(
        "linkage.missing linkage.before-call", [assistant(call("a"), call("b")), result("b"), user(), result("a"), assistant()]
    ),
    "duplicate call: in one record": Case(
        "linkage.duplicate-call linkage.ambiguous", [assistant(call("c"), call("c")), RESULT], (taken("/0/content/1/id", "/0/content/0/id"),)
    ),
    "duplicate call: across records": Case("linkage.duplicate-call", [CALL, RESULT, CALL], (taken("/2/content/0/id", "/0/content/0/id"),)),
    "duplicate call: three, the first is the counterpart": Case(
        "linkage.duplicate-call diagnostic.related", [CALL, CALL, CALL], (taken("/1/content/0/id", "/0/content/0/id"), taken("/2/content/0/id", "/0/content/0/id"))
    ),
    "ambiguous: no result is early, misnamed or missing": Case(
        "linkage.ambiguous", [result("c", "other"), CALL, CALL], (taken("/2/content/0/id", "/1/content/0/id"),)
    ),
    "ambiguous: a second result is still reported": Case(
        "linkage.ambiguous linkage.duplicate-result",
        [CALL, RESULT, CALL, RESULT],
        (taken("/2/content/0/id", "/0/content/0/id"), again("/3/toolCallId", "/1/toolCallId")),
    ),
    "duplicate result": Case("linkage.duplicate-result", [CALL, RESULT, RESULT], (again("/2/toolCallId", "/1/toolCallId"),)),
    "duplicate result: three, the first is the counterpart": Case(
        "linkage.duplicate-result", [CALL, RESULT, RESULT, RESULT], (again("/2/toolCallId", "/1/toolCallId"), again("/3/toolCallId", "/1/toolCallId"))
    ),
    "duplicate result: of an orphan": Case(
        "linkage.duplicate-result linkage.orphan", [RESULT, RESULT], (again("/1/toolCallId", "/0/toolCallId"), orphan("/0/toolCallId"), orphan("/1/toolCallId"))
    ),
    "duplicate result: with another name": Case(
        "linkage.duplicate-result linkage.name-mismatch", [CALL, RESULT, result("c", "x")], (again("/2/toolCallId", "/1/toolCallId"), mismatch("/2/toolName", "/0/content/0/name"))
    ),
    "orphan: alone": Case("linkage.orphan", [RESULT], (orphan("/0/toolCallId"),)),
    "orphan: first, middle, last": Case(
        "linkage.orphan", [result("x"), CALL, result("y"), RESULT, result("z")], (orphan("/0/toolCallId"), orphan("/2/toolCallId"), orphan("/4/toolCallId"))
    ),
    "before its call": Case("linkage.before-call linkage.missing", [RESULT, CALL], (early("/0/toolCallId", "/1/content/0/id"), missing("/1/content/0/id"))),
    "before its call, and answered after it": Case(
        "linkage.before-call linkage.missing", [RESULT, CALL, RESULT], (again("/2/toolCallId", "/0/toolCallId"), early("/0/toolCallId", "/1/content/0/id"))
    ),
    "before its call with another name: only early": Case(
        "linkage.before-call linkage.name-mismatch", [result("c", "x"), CALL], (early("/0/toolCallId", "/1/content/0/id"), missing("/1/content/0/id"))
    ),
    "another name": Case("linkage.name-mismatch diagnostic.related", [CALL, result("c", "write")], (mismatch("/1/toolName", "/0/content/0/name"),)),
    "missing: at the end": Case("linkage.missing", [CALL], (missing("/0/content/0/id"),)),
    "missing: before more": Case("linkage.missing", [CALL, user(), assistant(call("d")), result("d")], (missing("/0/content/0/id"),)),
    "missing: two of three": Case(
        "linkage.missing", [assistant(call("a"), call("b"), call("c")), result("b")], (missing("/0/content/0/id"), missing("/0/content/2/id"))
    ),
    "a malformed call is no call, and its result no orphan": Case("linkage.well-formed", [assistant(call("c", "")), RESULT], (nameless("/0/content/0/name"),)),
    "two malformed calls with one id are no duplicates": Case(
        "linkage.well-formed", [assistant(call("c", ""), call("c", ""))], (nameless("/0/content/0/name"), nameless("/0/content/1/name"))
    ),
    # names and ids are exact
    **{
        f"exact: {one!r} and {other!r}": Case("string.exact", [assistant(call(one)), result(other)], (orphan("/1/toolCallId"), missing("/0/content/0/id")))
        for one, other in [("c", "C"), ("c", "c "), ("\u00e9", "e\u0301"), ("c", "c\u200b"), ("1", "\uff11")]
    },
    "exact: names": Case("string.exact", [CALL, result("c", "read\n")], (mismatch("/1/toolName", "/0/content/0/name"),)),
    **{f"exact: {odd!r} is an id like any other": Case("string.exact", [assistant(call(odd, odd)), result(odd, odd)]) for odd in ("__proto__", "constructor", " c ", "0")},
    # one cause, one report
    **{
        f"silence: the result of a malformed call: {name}": Case("silence.malformed-ids silence.malformed-call", [record, RESULT], (report,))
        for name, (record, report) in MALFORMED_CALLS.items()
        if record["role"] != "toolResult"
    },
    "silence: the result of a malformed call: in a result's blocks": Case(
        "silence.malformed-ids", [MALFORMED_CALLS["a result with blocks"][0], RESULT], (MALFORMED_CALLS["a result with blocks"][1],)
    ),
    **{
        f"silence: an early result of a malformed call: {name}": Case(
            "silence.malformed-call", [RESULT, record], ((report[0], report[1].replace("/0/", "/1/", 1), report[2]),)
        )
        for name, (record, report) in MALFORMED_CALLS.items()
    },
    "silence: a malformed call beside a good one: name": Case("silence.malformed-call", [CALL, result("c", "x"), assistant(call("c", ""))], (nameless("/2/content/0/name"),)),
    "silence: a malformed call beside a good one: missing": Case("silence.malformed-call", [CALL, assistant(call("c", ""))], (nameless("/1/content/0/name"),)),
    "silence: a malformed call beside a good one: early": Case("silence.malformed-call", [RESULT, CALL, assistant(call("c", ""))], (nameless("/2/content/0/name"),)),
    "silence: duplicates are still reported": Case(
        "silence.malformed-call",
        [CALL, CALL, RESULT, RESULT, assistant(call("c", ""))],
        (taken("/1/content/0/id", "/0/content/0/id"), again("/3/toolCallId", "/2/toolCallId"), nameless("/4/content/0/name")),
    ),
    "silence: only for that id": Case("silence.malformed-call", [assistant(call("c", "")), result("d")], (nameless("/0/content/0/name"), orphan("/1/toolCallId"))),
    **{
        f"silence: the call of a malformed result: {name}": Case("silence.malformed-ids silence.malformed-result", [CALL, record], (report,))
        for name, (record, report) in MALFORMED_RESULTS.items()
    },
    "silence: a malformed result does not silence an early one": Case(
        "silence.malformed-result", [RESULT, CALL, result("c", "")], (nameless("/2/toolName"), early("/0/toolCallId", "/1/content/0/id"))
    ),
    "silence: a malformed result does not silence an orphan": Case("silence.malformed-result", [RESULT, result("c", "")], (nameless("/1/toolName"), orphan("/0/toolCallId"))),
    "silence: only for that call": Case("silence.malformed-result", [assistant(call("c"), call("d")), result("c", "")], (nameless("/1/toolName"), missing("/0/content/1/id"))),
    "silence: a blank id explains nothing": Case(
        "silence.malformed-ids", [assistant(call("c"), call(" ", "")), result("d")],
        (invalid("/0/content/1/id"), nameless("/0/content/1/name"), orphan("/1/toolCallId"), missing("/0/content/0/id")),
    ),
    "silence: an id that is no string explains nothing": Case(
        "silence.malformed-ids", [CALL, RESULT | {"toolCallId": ["c"]}], (invalid("/1/toolCallId"), missing("/0/content/0/id"))
    ),
    "silence: a message id is no call's": Case("silence.malformed-ids", [user("c", None), RESULT], (invalid("/0/content"), orphan("/1/toolCallId"))),
    "silence: whole records": Case(
        "silence.message-level",
        [assistant(call("a"), call("b"), id=""), result("a"), result("b"), result("d") | {"role": "tool"}, assistant(call("d"))],
        (invalid("/0/id"), invalid("/3/role")),
    ),
    "silence: a whole record that is right explains nothing": Case("silence.message-level", [assistant(call("a"), id="m"), result("b")], (orphan("/1/toolCallId"), missing("/0/content/0/id"))),
    "silence: a block of an unknown type": Case("silence.block-type", [assistant({"type": "x", "id": "a"}), result("a")], (invalid("/0/content/0/type"),)),
    "silence: a block of a known type": Case("silence.block-type", [assistant({"type": "text", "text": "", "id": "a"}), result("a")], (orphan("/1/toolCallId"),)),
    "silence: a result inside a block that is reported": Case("silence.malformed-ids", [CALL, assistant({"type": "toolResult", "toolCallId": "c"})], (invalid("/1/content/0/type"),)),
    # order
    "order: shapes and duplicates as the walk meets them": Case(
        "order.walk",
        [RESULT, RESULT, assistant(call("c"), 3, call("c")), user(""), RESULT],
        (
            again("/1/toolCallId", "/0/toolCallId"), invalid("/2/content/1"), taken("/2/content/2/id", "/2/content/0/id"),
            invalid("/3/id"), again("/4/toolCallId", "/0/toolCallId"),
        ),
    ),
    "order: results by first appearance of their id, then by position": Case(
        "order.results",
        [result("x"), result("y"), result("x"), CALL, result("c", "w"), result("y")],
        (
            again("/2/toolCallId", "/0/toolCallId"), again("/5/toolCallId", "/1/toolCallId"),
            orphan("/0/toolCallId"), orphan("/2/toolCallId"), orphan("/1/toolCallId"), orphan("/5/toolCallId"),
            mismatch("/4/toolName", "/3/content/0/name"),
        ),
    ),
    "order: the codes of one stage do not matter": Case(
        "order.results",
        [result("e"), assistant(call("n"), call("e")), result("n", "w"), result("o"), result("e")],
        (again("/4/toolCallId", "/0/toolCallId"), early("/0/toolCallId", "/1/content/1/id"), mismatch("/2/toolName", "/1/content/0/name"), orphan("/3/toolCallId")),
    ),
    "order: missing results come last, by call": Case(
        "order.calls",
        [assistant(call("b")), assistant(call("a"), 3), result("x")],
        (invalid("/1/content/1"), orphan("/2/toolCallId"), missing("/0/content/0/id"), missing("/1/content/0/id")),
    ),
    "order: nothing to order": Case("order.walk order.results order.calls", [CALL, RESULT]),
}  # fmt: skip
