"""The contract's cases: transcripts and what is said of them, each citing the clauses that it shows.

A case with no reports shows what passes, one with reports what fails. Cases of shapes stand here, those of arguments
and of linkage in `argument_cases` and `linkage_cases`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from message_ir import TextBlock, UserMessage
from sessions import assistant, call, result, user

Expected = tuple[str, str, tuple[str, ...]]
"""Code, path, related; the index is that of the path."""


class Case(NamedTuple):
    """One transcript, and everything that is said of it."""

    clauses: str
    """The ids of the clauses that it shows, separated by spaces."""
    value: Any
    expected: tuple[Expected, ...] = ()


def invalid(path: str) -> Expected:
    return ("INVALID_MESSAGE", path, ())


def nameless(path: str) -> Expected:
    return ("EMPTY_TOOL_NAME", path, ())


def arguments(path: str) -> Expected:
    return ("INVALID_TOOL_ARGUMENTS", path, ())


def without(record: dict[str, Any], field: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != field}


ROOT: Expected = ("INVALID_TRANSCRIPT", "", ())
SURROGATE = "a\ud800b"
TEXT = {"type": "text", "text": "hello"}

# What is blank, from the contract and not from the code: ECMAScript's white space and line ends.
BLANK = [*map(chr, range(0x9, 0xE)), " ", "\xa0", "\u1680", *map(chr, range(0x2000, 0x200B))]
BLANK += ["\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"]
LOOK_ALIKES = ["\x85", "\x1c", "\x1d", "\x1e", "\x1f", "\u180e", "\u200b", "\u2060", "\0", "\u00ad"]

# A value of each JSON type; each field below refuses those that are not its own.
OF_TYPE: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "integer": 0,
    "fraction": 1.5,
    "string": "text",
    "array": [],
    "object": {},
}


def wrong_types(record: dict[str, Any], field: str, own: str, at: str, expected: str) -> dict[str, Case]:
    """A case for each type that the field does not take, and for its absence."""
    clause = at.rpartition("#")[2]
    path = at.partition("#")[0]
    cases = {}
    for kind, value in OF_TYPE.items():
        if kind != own:
            cases[f"{clause}: {kind}"] = Case(clause, {**record, field: value}, ((expected, path, ()),))
    cases[f"{clause}: absent"] = Case(clause, without(record, field), ((expected, path, ()),))
    return cases


def in_transcript(cases: dict[str, Case]) -> dict[str, Case]:
    return {name: case._replace(value=[case.value]) for name, case in cases.items()}


def in_assistant(cases: dict[str, Case]) -> dict[str, Case]:
    return {name: case._replace(value=[assistant(case.value)]) for name, case in cases.items()}


# A result whose id is malformed is not missed by anyone, so that each of these stands alone.
RESULT = result("c")
ANSWERED = [assistant(call("c")), result("c")]

CASES: dict[str, Case] = {
    # transcript
    **{f"transcript: {kind}": Case("transcript.array", value, (ROOT,)) for kind, value in OF_TYPE.items() if kind != "array"},
    "transcript: empty": Case("transcript.array", []),
    "transcript: a tuple": Case("transcript.array", (user(),)),
    "transcript: bytes": Case("transcript.array", b"[]", (ROOT,)),
    "transcript: a set": Case("transcript.array", set(), (ROOT,)),
    "transcript: one message": Case("transcript.array diagnostic.index", user(), (ROOT,)),
    # messages
    **{f"message: {kind}": Case("message.object", [value], (invalid("/0"),)) for kind, value in OF_TYPE.items() if kind != "object"},
    "message: nothing in it": Case("message.role message.order", [{}], (invalid("/0/role"),)),
    **in_transcript(wrong_types(user(), "role", "string", "/0/role#message.role", "INVALID_MESSAGE")),
    "message: unknown role": Case("message.role", [user() | {"role": "system"}], (invalid("/0/role"),)),
    "message: role of another case": Case("message.role", [user() | {"role": "User"}], (invalid("/0/role"),)),
    "message: padded role": Case("message.role", [user() | {"role": " user"}], (invalid("/0/role"),)),
    "message: empty role": Case("message.role", [user() | {"role": ""}], (invalid("/0/role"),)),
    "message: role with a surrogate": Case("message.role", [user() | {"role": "user\ud800"}], (invalid("/0/role"),)),
    "message: all roles": Case("message.role message.object message.id", [user(), *ANSWERED]),
    **in_transcript(wrong_types(user(), "id", "string", "/0/id#message.id", "INVALID_MESSAGE")),
    "message: id with a surrogate": Case("message.id string.unicode", [user(SURROGATE)], (invalid("/0/id"),)),
    "message: ids repeat": Case("message.id-repeats", [user("c"), user("c"), assistant(call("c"), id="c"), result("c", id="c")]),
    "message: role no string, before the id": Case("message.order", [{"role": 3, "content": 3}], (invalid("/0/role"),)),
    "message: id blank, before an unknown role": Case("message.order", [{"role": "x", "id": " "}], (invalid("/0/id"),)),
    "message: id blank, before its fields": Case("message.order", [user(" ", 3)], (invalid("/0/id"),)),
    "message: unknown role, before fields": Case("message.order", [{"role": "x", "id": "m", "content": 3}], (invalid("/0/role"),)),
    "message: each for itself": Case("message.order", [user(" "), user(), 3, user("")], tuple(map(invalid, ("/0/id", "/2", "/3/id")))),
    # strings
    **{f"blank id U+{ord(each):04X}": Case("string.non-blank string.blank", [user(each)], (invalid("/0/id"),)) for each in BLANK},
    **{f"blank name U+{ord(each):04X}": Case("string.blank", [assistant(call("c", each))], (nameless("/0/content/0/name"),)) for each in BLANK},
    **{f"not blank U+{ord(each):04X}": Case("string.blank string.non-blank", [user(each)]) for each in LOOK_ALIKES},
    "blank: all together": Case("string.blank", [user("".join(BLANK))], (invalid("/0/id"),)),
    "blank: with one that is not": Case("string.blank", [user("".join(BLANK) + "\x85")]),
    "strings: empty ones": Case("string.empty", [user(content=""), assistant(TEXT | {"text": " "}), *ANSWERED[:1], RESULT | {"content": ""}]),
    # users
    **in_transcript(wrong_types(user(), "content", "string", "/0/content#user.content", "INVALID_MESSAGE")),
    "user: content with a surrogate": Case("user.content string.unicode", [user(content=SURROGATE)], (invalid("/0/content"),)),
    "user: content of pairs": Case("user.content string.unicode", [user(content="\U0001f600 é")]),
    # assistants
    **in_transcript(wrong_types(assistant(), "content", "array", "/0/content#assistant.content", "INVALID_MESSAGE")),
    "assistant: no blocks": Case("assistant.content", [assistant()]),
    "assistant: a tuple of blocks": Case("assistant.content", [assistant() | {"content": (TEXT,)}]),
    "assistant: text, call, text": Case("assistant.content assistant.blocks", [assistant(TEXT, call("c"), TEXT), result("c")]),
    "assistant: each block for itself": Case(
        "assistant.blocks",
        [assistant(3, call("c"), {"type": "text"}, call("d", " "))],
        (invalid("/0/content/0"), invalid("/0/content/2/text"), nameless("/0/content/3/name"), ("MISSING_TOOL_RESULT", "/0/content/1/id", ())),
    ),
    # blocks
    **{f"block: {kind}": Case("block.object", [assistant(value)], (invalid("/0/content/0"),)) for kind, value in OF_TYPE.items() if kind != "object"},
    "block: text and call": Case("block.object block.type", [assistant(TEXT, call("c")), result("c")]),
    **in_assistant(wrong_types(TEXT, "type", "string", "/0/content/0/type#block.type", "INVALID_MESSAGE")),
    **{
        f"block: type {kind!r}": Case("block.type", [assistant({"type": kind})], (invalid("/0/content/0/type"),))
        for kind in ("", "thinking", "Text", "toolcall", "tool_use", "text ", "toolResult")
    },
    **in_assistant(wrong_types(TEXT, "text", "string", "/0/content/0/text#text.text", "INVALID_MESSAGE")),
    "text: a surrogate": Case("text.text string.unicode", [assistant(TEXT | {"text": SURROGATE})], (invalid("/0/content/0/text"),)),
    "text: text": Case("text.text", [assistant(TEXT)]),
    # calls
    **in_assistant(wrong_types(call("c"), "id", "string", "/0/content/0/id#call.id", "INVALID_MESSAGE")),
    **in_assistant(wrong_types(call("c"), "name", "string", "/0/content/0/name#call.name", "EMPTY_TOOL_NAME")),
    **in_assistant(wrong_types(call("c"), "arguments", "object", "/0/content/0/arguments#arguments.object", "INVALID_TOOL_ARGUMENTS")),
    "call: well-formed": Case("call.id call.name call.fields arguments.object", ANSWERED),
    "call: id blank": Case("call.id", [assistant(call("\ufeff"))], (invalid("/0/content/0/id"),)),
    "call: name blank": Case("call.name", [assistant(call("c", "\u3000"))], (nameless("/0/content/0/name"),)),
    "call: each of its fields, in order": Case(
        "call.fields",
        [assistant({"arguments": [], "name": "", "id": "", "type": "toolCall"})],
        (invalid("/0/content/0/id"), nameless("/0/content/0/name"), arguments("/0/content/0/arguments")),
    ),
    "call: id with a surrogate": Case("call.id", [assistant(call(SURROGATE))], (invalid("/0/content/0/id"),)),
    "call: name with a surrogate": Case("name.unicode", [assistant(call("c", SURROGATE))], (invalid("/0/content/0/name"),)),
    "call: name of pairs": Case("name.unicode", [assistant(call("c", "\U0001f600")), result("c", "\U0001f600")]),
    # results
    **in_transcript(wrong_types(RESULT, "toolCallId", "string", "/0/toolCallId#result.tool-call-id", "INVALID_MESSAGE")),
    **in_transcript(wrong_types(RESULT, "toolName", "string", "/0/toolName#result.tool-name", "EMPTY_TOOL_NAME")),
    **in_transcript(wrong_types(RESULT, "content", "string", "/0/content#result.content", "INVALID_MESSAGE")),
    **in_transcript(wrong_types(RESULT, "isError", "boolean", "/0/isError#result.is-error", "INVALID_MESSAGE")),
    "result: well-formed": Case("result.tool-call-id result.tool-name result.content result.is-error result.fields", ANSWERED),
    "result: of an error": Case("result.is-error", [*ANSWERED[:1], RESULT | {"isError": True}]),
    "result: toolCallId blank": Case("result.tool-call-id", [result("\t")], (invalid("/0/toolCallId"),)),
    "result: toolName blank": Case("result.tool-name", [result("c", "\n")], (nameless("/0/toolName"),)),
    "result: toolName with a surrogate": Case("name.unicode", [result("c", SURROGATE)], (invalid("/0/toolName"),)),
    "result: toolCallId with a surrogate": Case("result.tool-call-id", [result(SURROGATE)], (invalid("/0/toolCallId"),)),
    "result: content with a surrogate": Case("result.content", [RESULT | {"content": SURROGATE}], (invalid("/0/content"),)),
    "result: each of its fields, in order": Case(
        "result.fields",
        [{"role": "toolResult", "id": "r"}],
        (invalid("/0/toolCallId"), nameless("/0/toolName"), invalid("/0/content"), invalid("/0/isError")),
    ),
    # properties
    "properties: unknown ones": Case(
        "properties.ignored",
        [user() | {"name": 3, "toolCallId": [], "": None}, assistant(call("c") | {"text": 3}, TEXT | {"id": ""}), RESULT | {"usage": {}}],
    ),
    "properties: of another case are unknown": Case("properties.ignored", [without(user(), "id") | {"Id": "m", "ID": "m"}], (invalid("/0/id"),)),
    # generated messages among plain ones
    "records: generated messages": Case(
        "message.object block.object",
        [UserMessage(id="m", content=""), assistant(TextBlock(text=""), call("c")), RESULT],
    ),
    "records: generated ones are judged too": Case(
        "message.object", [UserMessage(id=" ", content=""), assistant(TextBlock(text=SURROGATE))], (invalid("/0/id"), invalid("/1/content/0/text"))
    ),
    "records: a block in the place of a record": Case("message.role", [TextBlock(text="")], (invalid("/0/role"),)),
    "records: a message in the place of a block": Case("block.type", [assistant(UserMessage(id="m", content=""))], (invalid("/0/content/0/type"),)),
}  # fmt: skip
