# Generated from spec/message-ir.yaml by `python -m message_ir_generator`. Do not edit: edit the spec and run it again.
"""The reference of the diagnostics: what each code means, why it matters, how to mend it, and how its prose is worded."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from message_ir_types.messages import DiagnosticCode, Reason


class Sighting(NamedTuple):
    """How one model API refuses a transcript with such a cause."""

    api: str
    text: str
    """The API's own message; … stands for ids, indexes or counts."""
    note: str = ""


class Entry(NamedTuple):
    """The reference entry of one code."""

    code: DiagnosticCode
    phase: Literal["transcript", "shape", "linkage"]
    summary: str
    path: str
    """Where the path points."""
    related: str
    """Where related points; empty where a report has no counterpart."""
    clauses: tuple[str, ...]
    """The clauses that it reports a breach of."""
    why: str
    mend: str
    prose: Mapping[str, str]
    """The format strings of its message, by variant."""
    broken: str
    """A transcript with this cause, as JSON text, a message a line."""
    mended: str
    """The same transcript without it."""
    seen_as: tuple[Sighting, ...]


CATALOGUE: Final[Mapping[DiagnosticCode, Entry]] = {
    DiagnosticCode.INVALID_TRANSCRIPT: Entry(
        code=DiagnosticCode.INVALID_TRANSCRIPT,
        phase="transcript",
        summary="The input is not a transcript at all.",
        path="the root, the empty pointer",
        related="",
        clauses=("transcript.array", "text.json", "text.utf8"),
        why=(
            "A transcript is an array of messages. An envelope around it, one message alone, or text "
            "that is not JSON has no records to look at, so a program that goes on regardless sends an "
            "empty or a random history."
        ),
        mend=(
            "Pass the array itself: take it out of its envelope, wrap a single message in brackets, "
            "parse the text first. For JSON text, go to the place in the message. A file or a line that"
            " was cut off ends in the middle of a value: bring back its end, or remove it."
        ),
        prose={
            "default": "The transcript must be an array of messages, but it {found}.",
            "text": "The text is not JSON: {problem}.",
        },
        broken='{"messages": []}',
        mended="[]",
        seen_as=(),
    ),
    DiagnosticCode.INVALID_MESSAGE: Entry(
        code=DiagnosticCode.INVALID_MESSAGE,
        phase="shape",
        summary="A record, a block or one of its fields is not of the shape that the contract says.",
        path="the record, block or field that is wrong",
        related="",
        clauses=(
            "message.object",
            "message.role",
            "message.id",
            "user.content",
            "assistant.content",
            "block.object",
            "block.type",
            "text.text",
            "call.id",
            "result.tool-call-id",
            "result.content",
            "result.is-error",
            "name.unicode",
            "read.raises",
        ),
        why=(
            "A field that is missing or of another type is read differently by every program that meets"
            " it: one crashes, one sends an empty message, one drops the record and breaks the tool "
            "round that it belonged to."
        ),
        mend=(
            "Mend the field that the path names, where the record is written rather than where it is "
            "sent. If the record came from another system, convert it at the boundary: system prompts, "
            "images and provider blocks have no place in this IR."
        ),
        prose={
            "default": "{place} must {must}, but it {found}.",
        },
        broken=('[\n  {"id": "m1", "role": "user", "content": [{"type": "text", "text": "Read the file."}]}\n]'),
        mended=('[\n  {"id": "m1", "role": "user", "content": "Read the file."}\n]'),
        seen_as=(Sighting("OpenAI Responses", "Invalid 'input[…].call_id': empty string"),),
    ),
    DiagnosticCode.EMPTY_TOOL_NAME: Entry(
        code=DiagnosticCode.EMPTY_TOOL_NAME,
        phase="shape",
        summary="A tool call or a tool result does not say which tool it is of.",
        path="the call's `name` or the result's `toolName`",
        related="",
        clauses=("call.name", "result.tool-name"),
        why=(
            "A model that emits a call without a name usually failed in the middle of it. Stored as it "
            "is, the call is replayed with every request, answered with an error, and replayed again."
        ),
        mend=(
            "Give the call and its result the name of the tool that ran. If none ran, remove the call, "
            "and its result with it."
        ),
        prose={
            "default": ("{place} must {must}, but it {found}: a tool call and its result say which tool they are of."),
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        seen_as=(),
    ),
    DiagnosticCode.INVALID_TOOL_ARGUMENTS: Entry(
        code=DiagnosticCode.INVALID_TOOL_ARGUMENTS,
        phase="shape",
        summary="A tool call's arguments are not a JSON object that survives JSON text.",
        path="the first value below `arguments` that is wrong, in document order",
        related="",
        clauses=(
            "arguments.object",
            "arguments.values",
            "arguments.numbers",
            "arguments.unicode",
            "arguments.keys",
            "arguments.cycle",
            "arguments.depth",
            "arguments.first",
        ),
        why=(
            "Arguments go back to the model as JSON with every request. Text that was never parsed, "
            "NaN, a date, a live object or a cycle is refused there, changed silently, or lost."
        ),
        mend=(
            "Parse arguments that came as JSON text, and keep the parsed object. Replace values that "
            "JSON does not know before the call is stored: a date by its text, NaN by null. Where the "
            "model's text was cut off, the call never ran: remove it, and its result with it."
        ),
        prose={
            "default": "{place} must {must}, but it {found}.",
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": "{\\"path\\": \\"package.json\\"}"}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {"path": "package.json"}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        seen_as=(Sighting("Anthropic Messages", "tool_use.input: Input should be a valid dictionary"),),
    ),
    DiagnosticCode.DUPLICATE_TOOL_CALL_ID: Entry(
        code=DiagnosticCode.DUPLICATE_TOOL_CALL_ID,
        phase="linkage",
        summary="Two tool calls carry the same id.",
        path="the later call's `id`",
        related="the first call's `id`",
        clauses=("linkage.duplicate-call", "linkage.ambiguous"),
        why=(
            "A result names its call by id alone. When two calls share one, nobody can say which of "
            "them a result answers, and most APIs refuse the request. Some models restart their ids "
            "every turn, and some servers send one constant id."
        ),
        mend=(
            "Give the later call, and the result that answers it, an id of its own. Where a model "
            "restarts its ids, make them unique when the turn is stored, by a prefix for each turn."
        ),
        prose={
            "default": "Tool call id {id} at {place} is taken: the call at {other} has it first.",
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {"path": "a"}}, {"type": "toolCall", "id": "call-1", "name": '
            '"read", "arguments": {"path": "b"}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "a", "isError": false}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {"path": "a"}}, {"type": "toolCall", "id": "call-2", "name": '
            '"read", "arguments": {"path": "b"}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "a", "isError": false},\n'
            '  {"id": "m3", "role": "toolResult", "toolCallId": "call-2", "toolName": "read", '
            '"content": "b", "isError": false}\n'
            "]"
        ),
        seen_as=(Sighting("Anthropic Messages", "`tool_use` ids must be unique"),),
    ),
    DiagnosticCode.DUPLICATE_TOOL_RESULT: Entry(
        code=DiagnosticCode.DUPLICATE_TOOL_RESULT,
        phase="linkage",
        summary="One tool call is answered twice.",
        path="the later result's `toolCallId`",
        related="the first result's `toolCallId`",
        clauses=("linkage.duplicate-result",),
        why=(
            "A retry stores a result a second time, or a repair adds a made-up result although the real"
            " one comes later. APIs take one result a call and refuse the rest."
        ),
        mend="Keep the result that the tool really gave, and remove the other.",
        prose={
            "default": "Tool call {id} is answered again at {place}: {other} answers it first.",
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false},\n'
            '  {"id": "m3", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        seen_as=(
            Sighting("Anthropic Messages", "each tool_use must have a single result"),
            Sighting("OpenAI Chat Completions", "Duplicate value for 'tool_call_id' of '…'"),
            Sighting(
                "Gemini",
                (
                    "Please ensure that the number of function response parts is equal to the number of "
                    "function call parts of the function call turn."
                ),
            ),
            Sighting(
                "Bedrock Converse",
                (
                    "The number of toolResult blocks at messages.… exceeds the number of toolUse blocks of "
                    "previous turn."
                ),
            ),
        ),
    ),
    DiagnosticCode.ORPHAN_TOOL_RESULT: Entry(
        code=DiagnosticCode.ORPHAN_TOOL_RESULT,
        phase="linkage",
        summary="A tool result answers a call that is not in the transcript.",
        path="the result's `toolCallId`",
        related="",
        clauses=("linkage.orphan",),
        why=(
            "A compaction or a window cut off the assistant message and kept its results, or the id was"
            " trimmed, shortened or rewritten on one side only."
        ),
        mend=(
            "Bring back the assistant message with the call, or remove the result. When history is cut,"
            " cut between tool rounds, never inside one. When ids are rewritten, rewrite them on both "
            "sides."
        ),
        prose={
            "default": "The result at {place} answers tool call {id}, which no assistant message makes.",
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "user", "content": "Go on."},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "user", "content": "Go on."},\n'
            '  {"id": "m2", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m3", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        seen_as=(
            Sighting("Anthropic Messages", "unexpected `tool_use_id` found in `tool_result` blocks: …"),
            Sighting(
                "OpenAI Chat Completions",
                "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
            ),
            Sighting(
                "OpenAI Chat Completions",
                "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
            ),
            Sighting("OpenAI Chat Completions", "'tool_call_id' of '…' not found in 'tool_calls' of previous message."),
            Sighting("OpenAI Responses", "No tool call found for function call output with call_id …"),
            Sighting(
                "Gemini", "Please ensure that function response turn comes immediately after a function call turn"
            ),
            Sighting(
                "Bedrock Converse",
                (
                    "The number of toolResult blocks at messages.… exceeds the number of toolUse blocks of "
                    "previous turn."
                ),
            ),
        ),
    ),
    DiagnosticCode.TOOL_RESULT_BEFORE_CALL: Entry(
        code=DiagnosticCode.TOOL_RESULT_BEFORE_CALL,
        phase="linkage",
        summary="A tool result stands before the call that it answers.",
        path="the result's `toolCallId`",
        related="the call's `id`",
        clauses=("linkage.before-call",),
        why=(
            "Records were merged or sorted by the wrong key, or a compaction moved them. The sets of "
            "ids look complete, so a check that only counts them finds nothing."
        ),
        mend="Move the result behind the assistant message that makes the call.",
        prose={
            "default": "The result at {place} answers tool call {id} before it is made, at {other}.",
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false},\n'
            '  {"id": "m2", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m2", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m1", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        seen_as=(
            Sighting("Anthropic Messages", "unexpected `tool_use_id` found in `tool_result` blocks: …"),
            Sighting(
                "OpenAI Chat Completions",
                "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
            ),
            Sighting(
                "OpenAI Chat Completions",
                "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
            ),
        ),
    ),
    DiagnosticCode.TOOL_NAME_MISMATCH: Entry(
        code=DiagnosticCode.TOOL_NAME_MISMATCH,
        phase="linkage",
        summary="A tool result names another tool than the call that it answers.",
        path="the result's `toolName`",
        related="the call's `name`",
        clauses=("linkage.name-mismatch", "string.exact"),
        why=(
            "A tool was renamed, wrapped or prefixed on one side only, or an id that came back was "
            "paired with another tool's result. The model then reads one tool's answer as another's; "
            "some APIs refuse it without saying why."
        ),
        mend=(
            "Write the name of the call into the result, exactly, white space included. If another tool"
            " really ran, the id is wrong: pair the result with its own call."
        ),
        prose={
            "default": ("The result at {place} is of tool {name}, but the call {id} that it answers is of {callName}."),
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "compile", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "compile_all", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "compile", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "toolResult", "toolCallId": "call-1", "toolName": "compile", '
            '"content": "ok", "isError": false}\n'
            "]"
        ),
        seen_as=(
            Sighting("Gemini", "INVALID_ARGUMENT", "Gemini 3 says no more than this; other causes have the same text."),
        ),
    ),
    DiagnosticCode.MISSING_TOOL_RESULT: Entry(
        code=DiagnosticCode.MISSING_TOOL_RESULT,
        phase="linkage",
        summary="A tool call has no result after it.",
        path="the call's `id`",
        related="",
        clauses=("linkage.missing",),
        why=(
            "A crash, an abort or a compaction lost the result. Every API demands one for each call, so"
            " from then on each request with this transcript is refused."
        ),
        mend=(
            "Append the result if the tool ran; if it did not, append one with isError true that says "
            "so. Or remove the call. A turn that is still running is not ready to be sent."
        ),
        prose={
            "default": "Tool call {id} at {place} has no result after it.",
        },
        broken=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m2", "role": "user", "content": "Are you there?"}\n'
            "]"
        ),
        mended=(
            "[\n"
            '  {"id": "m1", "role": "assistant", "content": [{"type": "toolCall", "id": "call-1", '
            '"name": "read", "arguments": {}}]},\n'
            '  {"id": "m3", "role": "toolResult", "toolCallId": "call-1", "toolName": "read", '
            '"content": "Interrupted by the user.", "isError": true},\n'
            '  {"id": "m2", "role": "user", "content": "Are you there?"}\n'
            "]"
        ),
        seen_as=(
            Sighting(
                "Anthropic Messages", "`tool_use` ids were found without `tool_result` blocks immediately after: …"
            ),
            Sighting(
                "OpenAI Chat Completions",
                (
                    "An assistant message with 'tool_calls' must be followed by tool messages responding to "
                    "each 'tool_call_id'. The following tool_call_ids did not have response messages: …"
                ),
            ),
            Sighting("OpenAI Responses", "No tool output found for function call …"),
            Sighting(
                "Gemini",
                (
                    "Please ensure that the number of function response parts is equal to the number of "
                    "function call parts of the function call turn."
                ),
            ),
            Sighting("Bedrock Converse", "Expected toolResult blocks at messages.… for the following Ids: …"),
            Sighting("Mistral", "Not the same number of function calls and responses"),
        ),
    ),
}

MUST: Final[Mapping[Reason, str]] = {
    Reason.NON_BLANK_STRING: "be a non-blank string",
    Reason.STRING: "be a string",
    Reason.ARRAY: "be an array",
    Reason.OBJECT: "be an object that can be read",
    Reason.BOOLEAN: "be true or false",
    Reason.BLOCK_TYPE: "be text or toolCall",
    Reason.PLAIN_OBJECT: "be a plain object with string keys",
    Reason.JSON_VALUE: "be a JSON value",
    Reason.FINITE_NUMBER: "be a number that is finite as binary64",
    Reason.UNICODE: "be valid Unicode, without unpaired surrogates",
    Reason.CYCLE: "not contain itself",
    Reason.DEPTH: "nest at most 100 deep",
    Reason.SPARSE: "have no holes",
    Reason.ROLE: "be user, assistant or toolResult",
}
"""What a value must do or be; completes “… must”."""

CLAUSES: Final[Mapping[str, str]] = {
    "string.non-blank": "Message ids, call ids and tool names are non-blank strings.",
    "string.blank": (
        "A string is blank when it is empty or every character of it is a blank character; no other"
        " character counts, however empty it looks."
    ),
    "string.exact": ("Ids and tool names compare code point by code point: never trimmed, case-folded or normalised."),
    "string.empty": "Every other string may be empty or blank.",
    "string.unicode": ("Every string is a sequence of Unicode scalar values; an unpaired surrogate is a shape error."),
    "transcript.array": (
        "A transcript is an array of records; anything else is one INVALID_TRANSCRIPT at the root, "
        "and nothing more is said."
    ),
    "message.order": (
        "A record is judged in this order, and the first that fails ends it: it is an object, its "
        "role is a string, its id is non-blank, its role is known; then its role's own fields."
    ),
    "message.object": (
        "A record is an object; whether a value of a language's own types and classes is one is "
        "that language's own question, as it is for strings."
    ),
    "message.role": "A record's role is a string, and one of user, assistant and toolResult.",
    "message.id": "A record's id is a non-blank string.",
    "message.id-repeats": "Message ids need not be unique, and may equal call ids.",
    "user.content": "A user message's content is a string.",
    "assistant.content": (
        "An assistant message's content is an array of blocks; it may be empty, and its order is kept."
    ),
    "assistant.blocks": "Each block is judged for itself; a malformed block does not end the message.",
    "block.object": "A block is an object.",
    "block.type": "A block's type is text or toolCall.",
    "text.text": "A text block's text is a string.",
    "call.fields": "A tool call reports its id, its name and its arguments each, in this order.",
    "call.id": "A tool call's id is a non-blank string.",
    "call.name": ("A tool call's name is a non-blank string; absent, blank or of another type it is EMPTY_TOOL_NAME."),
    "result.fields": "A tool result reports its toolCallId, toolName, content and isError each, in this order.",
    "result.tool-call-id": "A tool result's toolCallId is a non-blank string.",
    "result.tool-name": (
        "A tool result's toolName is a non-blank string; absent, blank or of another type it is EMPTY_TOOL_NAME."
    ),
    "result.content": "A tool result's content is a string.",
    "result.is-error": "A tool result's isError is a boolean.",
    "name.unicode": "An unpaired surrogate in a tool name is INVALID_MESSAGE.",
    "properties.ignored": (
        "Further properties on records and blocks are ignored by the validator and dropped by the constructors."
    ),
    "arguments.object": "A tool call's arguments are a plain object: not null, not an array.",
    "arguments.values": (
        "Below arguments stand strings, booleans, null, numbers, arrays and plain objects, and nothing else."
    ),
    "arguments.numbers": "A number in arguments is finite as IEEE 754 binary64.",
    "arguments.unicode": "An unpaired surrogate in a string of arguments is INVALID_TOOL_ARGUMENTS at that string.",
    "arguments.keys": (
        "A key in arguments that is not a string or holds an unpaired surrogate is reported at its "
        "object, before the object's values are judged."
    ),
    "arguments.cycle": (
        "No object or array in arguments contains itself; the value that closes the cycle is reported."
    ),
    "arguments.shared": (
        "An object or array that stands in arguments more than once without containing itself is well-formed."
    ),
    "arguments.depth": (
        "Objects and arrays in arguments nest at most argumentsDepth deep, the arguments object "
        "being depth 1; the first one deeper is reported."
    ),
    "arguments.first": (
        "One call reports one fault of its arguments: the first in document order; keys come in the"
        " order in which they were written, where the language keeps it."
    ),
    "read.before-judging": "The fields of a record or block are read before any of them is judged, each once.",
    "read.raises": (
        "A read that raises is one INVALID_MESSAGE at the path of the record or block itself, and "
        "nothing more is said of it."
    ),
    "read.order": (
        "Fields are read in the order of their type: a record's role and id, then its role's own; a"
        " block's type, then its type's own; what was read before a read raised still counts as "
        "readable, and after it nothing more is read of that record or block."
    ),
    "validate.never-raises": "Validation takes any value and never raises.",
    "validate.input-unchanged": "Validation changes nothing in its input.",
    "linkage.well-formed": "Linkage rules see well-formed calls and results only.",
    "linkage.duplicate-call": "A second well-formed call with an id seen before is DUPLICATE_TOOL_CALL_ID.",
    "linkage.ambiguous": (
        "An id that several calls carry is ambiguous: no further linkage report names it, except DUPLICATE_TOOL_RESULT."
    ),
    "linkage.duplicate-result": "A second well-formed result for one id is DUPLICATE_TOOL_RESULT.",
    "linkage.orphan": "A result whose id no call carries is ORPHAN_TOOL_RESULT.",
    "linkage.before-call": "A result at or before its call's record is TOOL_RESULT_BEFORE_CALL.",
    "linkage.name-mismatch": (
        "A result after its call's record with another tool name than its call's is TOOL_NAME_MISMATCH."
    ),
    "linkage.missing": (
        "A call none of whose results stands in a later record is MISSING_TOOL_RESULT, at the end "
        "of the transcript too."
    ),
    "silence.malformed-ids": (
        "A record or block that is itself reported contributes every id that can still be read from"
        " it to the malformed ids: a non-blank string toolCallId as a result's, the non-blank "
        "string id of each block in its content array as a call's, and a block's own non-blank "
        "string id as a call's. After a fault of shape each of these is read for itself, and one "
        "that raises hides no other."
    ),
    "silence.malformed-call": (
        "A malformed call id silences ORPHAN_TOOL_RESULT, TOOL_RESULT_BEFORE_CALL, "
        "TOOL_NAME_MISMATCH and MISSING_TOOL_RESULT for that id."
    ),
    "silence.malformed-result": "A malformed result id silences MISSING_TOOL_RESULT for that id.",
    "silence.message-level": (
        "This holds for faults of the whole record too: a blank message id, an unknown role, a user"
        " message whose content is an array."
    ),
    "silence.block-type": "This holds for a block of an unknown type.",
    "diagnostic.path": (
        "A diagnostic's path is the JSON Pointer (RFC 6901) of the offending value from the "
        "transcript's root; an absent field is named where it should stand."
    ),
    "diagnostic.related": (
        "A diagnostic's related lists the pointers of its counterparts: the first of two "
        "duplicates, the call that a result answers."
    ),
    "diagnostic.index": (
        "A diagnostic's messageIndex is the position of the record in the transcript, or -1 for the"
        " transcript as a whole."
    ),
    "diagnostic.quoting": (
        "Prose quotes at most quotedCharacters characters of the caller's text, with control "
        "characters and surrogates escaped."
    ),
    "order.walk": (
        "First come shape reports, DUPLICATE_TOOL_CALL_ID and DUPLICATE_TOOL_RESULT, as a walk of "
        "the transcript meets them."
    ),
    "order.results": (
        "Then ORPHAN_TOOL_RESULT, TOOL_RESULT_BEFORE_CALL and TOOL_NAME_MISMATCH, grouped by result"
        " id in order of first appearance, within a group by position."
    ),
    "order.calls": "Then MISSING_TOOL_RESULT, by call position.",
    "text.json": (
        "Text that is not JSON (RFC 8259: no byte order mark, no NaN or Infinity, nothing after the"
        " value) is one INVALID_TRANSCRIPT."
    ),
    "text.utf8": (
        "JSON text is UTF-8: bytes that are not, and a string that has no UTF-8 form because an "
        "unpaired surrogate stands in it unescaped, are one INVALID_TRANSCRIPT."
    ),
    "text.escaped-surrogate": "An escaped unpaired surrogate is well-formed JSON: it is reported where it stands.",
    "text.repeated-keys": "Of repeated keys in one object the last counts.",
    "text.large-number": "A number too large for binary64 is well-formed JSON: it is reported where it stands.",
    "text.depth": "Text nested deeper than a parser can go is reported, never a crash.",
    "construct.copy": "A constructor copies what it is given, and reads each property of the caller's once.",
    "construct.frozen": (
        "A constructed value is immutable all the way down; nothing the caller does to the input later shows."
    ),
    "construct.error": (
        "Bad input raises a construction error that carries the function, the JSON Pointer of the "
        "place from the constructor's input, and a reason; arguments that are no plain object are "
        "plainObject at their root, and a value below that is no JSON value is jsonValue at its "
        "place."
    ),
    "construct.text": (
        "An assistant's text is its text blocks joined in order; tool calls are not rendered. A "
        "message or block that is no object or raises is refused as object, content that is no "
        "array as array, a type that is none as blockType, a text as any string, each at its place."
    ),
    "construct.round-trip": (
        "A constructed message keeps its role, block types, ids and order through JSON text and "
        "validates again after parsing."
    ),
}
"""The contract in single statements."""
