"""Sources of other systems: what each form becomes, where its values stand, what is left out, and what its API would refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import out, run
from conversation_forms import FORMS, Form, at, changed, told
from message_ir import validate_transcript
from message_ir.conformance.strategies import ODD_JSON, places
from message_ir.pointer import path_in
from message_ir.sources import SOURCES, AmbiguousFormatError, Transcript, read
from message_ir_types.catalogue import CATALOGUE
from sessions import Json, lines

FAULTS: Final = Path(__file__).parents[2] / "shared/cases/faults.json"


@pytest.mark.parametrize("name", FORMS)
def test_the_same_conversation_in_every_form(name: str) -> None:
    form = FORMS[name]
    transcript = form.read()
    ids = ("content-1-call-2", "content-1-call-3") if form.source == "gemini" else ("c1", "c2")
    texts = ('{"output":"a.txt"}', '{"error":"no"}') if form.source == "gemini" else ("a.txt", "no")
    assert told(transcript.value) == [
        ("user", "Look."),
        ("assistant", ["I will.", (ids[0], "ls", {"path": "."}), (ids[1], "cat", {})]),
        ("result", ids[0], "ls", texts[0]),
        ("result", ids[1], "cat", texts[1]),
        ("assistant", ["Done."]),
    ]
    assert [loss.kind for loss in transcript.losses] == list(form.losses)
    assert validate_transcript(transcript.value) == ()
    (file,) = json.loads(out("check", "--format", "json", "-", stdin=form.data))["files"]
    assert file["format"] == form.source


@pytest.mark.parametrize(
    "name",
    [
        "anthropic",
        "gemini",
        "bedrock",
        "claude-code",
        "gemini-cli",
        "opencode",
        "ai-sdk",
        "ai-sdk model messages",
        "langchain",
        "langchain dumpd",
    ],
)
def test_errors_of_tools_are_told_where_the_form_has_them(name: str) -> None:
    value: Any = FORMS[name].read().value
    assert [record["isError"] for record in value if record["role"] == "toolResult"] == [False, True]


@pytest.mark.parametrize("name", FORMS)
def test_every_value_has_a_place_that_leads_to_it(name: str) -> None:
    form = FORMS[name]
    transcript = form.read()
    held = 0
    for path in places(transcript.value):
        place = transcript.place(path)
        document = form.document[place.line - 1] if form.lines else form.document
        steps = path_in(document, place.pointer)
        assert at(document, steps[:-1]) is not None
        # Of what a form says in so many words: texts of blocks, and ids, names and arguments of calls.
        if path[1:2] == ("content",) and path[3:] in [("text",), ("id",), ("name",), ("arguments",)]:
            there, made = at(document, steps), at(transcript.value, path)
            # Made where the form has none: ids in Gemini's, and names that are part of a type.
            if there is not None:
                assert there in (made, [made], json.dumps(made, separators=(",", ":"))) or there[0]["text"] == made
                held += 1
    assert held >= 5
    assert transcript.place(()).line >= 1


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not form.lines])
def test_values_are_read_like_files_and_files_by_their_paths(name: str, tmp_path: Path) -> None:
    form = FORMS[name]
    (of_value,) = read(form.document)
    file = tmp_path / "file.json"
    file.write_bytes(form.data)
    (of_file,) = read(str(file))
    assert isinstance(of_value, Transcript)
    assert isinstance(of_file, Transcript)
    assert of_value.value == of_file.value
    place = of_value.place((0,))
    assert (place.line, place.column, place.pointer) == (1, None, of_file.place((0,)).pointer)


class Broken(NamedTuple):
    """A request that an API refuses: what is changed in a form, what is then reported and where, and what the API says of it."""

    form: str
    path: tuple[str | int, ...]
    value: Any
    """What stands there instead; `...` for nothing."""
    expected: list[tuple[str, str]]
    says: str = ""


BROKEN: Final = [
    Broken("anthropic", ("messages", 2, "content", 0), ..., [("MISSING_TOOL_RESULT", "/messages/1/content/2/id")], "ids were found without"),
    Broken("anthropic", ("messages", 2, "content", 0, "tool_use_id"), "x", [("ORPHAN_TOOL_RESULT", "/messages/2/content/0/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/2/id")], "unexpected `tool_use_id`"),
    Broken("anthropic", ("messages", 2, "content", 0, "tool_use_id"), "c2", [("DUPLICATE_TOOL_RESULT", "/messages/2/content/1/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/2/id")], "single result"),
    Broken("anthropic", ("messages", 1, "content", 3, "id"), "c1", [("DUPLICATE_TOOL_CALL_ID", "/messages/1/content/3/id"), ("ORPHAN_TOOL_RESULT", "/messages/2/content/1/tool_use_id")], "must be unique"),
    Broken("anthropic", ("messages", 1, "content", 2, "input"), "{}", [("INVALID_TOOL_ARGUMENTS", "/messages/1/content/2/input")], "valid dictionary"),
    Broken("anthropic", ("messages", 2, "content", 0, "is_error"), "no", [("INVALID_MESSAGE", "/messages/2/content/0/is_error")]),
    Broken("anthropic", ("messages", 2, "content", 0, "is_error"), None, [("INVALID_MESSAGE", "/messages/2/content/0/is_error")]),
    Broken("anthropic", ("messages", 2, "content", 0, "tool_use_id"), 7, [("INVALID_MESSAGE", "/messages/2/content/0/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/2/id")]),
    Broken("anthropic", ("messages", 3, "content"), None, [("INVALID_MESSAGE", "/messages/3/content")]),
    Broken("anthropic", ("messages", 1, "content", 2, "name"), "", [("EMPTY_TOOL_NAME", "/messages/1/content/2/name")]),
    Broken("openai-chat", ("messages", 3), ..., [("MISSING_TOOL_RESULT", "/messages/2/tool_calls/0/id")], "did not have response messages"),
    Broken("openai-chat", ("messages", 2, "tool_calls"), ..., [("ORPHAN_TOOL_RESULT", "/messages/3/tool_call_id"), ("ORPHAN_TOOL_RESULT", "/messages/4/tool_call_id")], "must be a response to a preceeding message"),
    Broken("openai-chat", ("messages", 4, "tool_call_id"), "c1", [("DUPLICATE_TOOL_RESULT", "/messages/4/tool_call_id"), ("MISSING_TOOL_RESULT", "/messages/2/tool_calls/1/id")], "Duplicate value"),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"path', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), "[]", [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"a":"\\ud800"}', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), {}, []),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "name"), None, [("EMPTY_TOOL_NAME", "/messages/2/tool_calls/0/function/name")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "id"), "", [("INVALID_MESSAGE", "/messages/2/tool_calls/0/id"), ("ORPHAN_TOOL_RESULT", "/messages/3/tool_call_id")]),
    Broken("openai-chat", ("messages", 2, "content"), None, []),
    Broken("openai-chat", ("messages", 2, "content"), ..., []),
    Broken("openai-chat", ("messages", 5, "content"), None, [("INVALID_MESSAGE", "/messages/5/content")]),
    Broken("openai-responses", ("input", 5), ..., [("MISSING_TOOL_RESULT", "/input/3/call_id")], "No tool output found"),
    Broken("openai-responses", ("input", 3), ..., [("ORPHAN_TOOL_RESULT", "/input/4/call_id")], "No tool call found"),
    Broken("openai-responses", ("input", 3, "call_id"), "", [("INVALID_MESSAGE", "/input/3/call_id"), ("ORPHAN_TOOL_RESULT", "/input/5/call_id")], "empty string"),
    Broken("gemini", ("contents", 2, "parts", 1), ..., [("MISSING_TOOL_RESULT", "/contents/1/parts/3/functionCall")], "number of function response parts"),
    Broken("gemini", ("contents", 1), ..., [("ORPHAN_TOOL_RESULT", "/contents/1/parts/0/functionResponse"), ("ORPHAN_TOOL_RESULT", "/contents/1/parts/1/functionResponse")], "comes immediately after a function call turn"),
    Broken("gemini", ("contents", 2, "parts", 0, "functionResponse", "name"), "dir", [("TOOL_NAME_MISMATCH", "/contents/2/parts/0/functionResponse/name")], "INVALID_ARGUMENT"),
    Broken("gemini", ("contents", 1, "parts", 2, "functionCall", "args"), ..., []),
    Broken("gemini", ("contents", 1, "parts", 2, "functionCall", "args"), "{}", [("INVALID_TOOL_ARGUMENTS", "/contents/1/parts/2/functionCall/args")]),
    Broken("openai-chat", ("messages", 1), {"role": "tool", "tool_call_id": "c1", "content": ""}, [("DUPLICATE_TOOL_RESULT", "/messages/3/tool_call_id"), ("TOOL_RESULT_BEFORE_CALL", "/messages/1/tool_call_id")], "must be a response to a preceeding message"),
    Broken("gemini", ("contents",), [{"role": "model", "parts": [{"functionCall": {"id": "c", "name": "ls"}}]}, {"role": "user", "parts": 2 * [{"functionResponse": {"id": "c", "name": "ls", "response": {}}}]}], [("DUPLICATE_TOOL_RESULT", "/contents/1/parts/1/functionResponse/id")], "number of function response parts"),
    Broken("bedrock", ("messages", 2, "content", 0), ..., [("MISSING_TOOL_RESULT", "/messages/1/content/2/toolUse/toolUseId")], "Expected toolResult blocks"),
    Broken("bedrock", ("messages", 1, "content", 3), ..., [("ORPHAN_TOOL_RESULT", "/messages/2/content/1/toolResult/toolUseId")], "exceeds the number of toolUse blocks"),
    Broken("bedrock", ("messages", 2, "content", 1, "toolResult", "toolUseId"), "c1", [("DUPLICATE_TOOL_RESULT", "/messages/2/content/1/toolResult/toolUseId"), ("MISSING_TOOL_RESULT", "/messages/1/content/3/toolUse/toolUseId")], "exceeds the number of toolUse blocks"),
    Broken("bedrock", ("messages", 1, "content", 2, "toolUse", "input"), "{}", [("INVALID_TOOL_ARGUMENTS", "/messages/1/content/2/toolUse/input")]),
    Broken("bedrock", ("messages", 2, "content", 0, "toolResult", "status"), 1, [("INVALID_MESSAGE", "/messages/2/content/0/toolResult/status")]),
    Broken("bedrock", ("messages", 2, "content", 0, "toolResult", "content"), None, [("INVALID_MESSAGE", "/messages/2/content/0/toolResult/content")]),
    Broken("bedrock", ("messages", 2, "content", 0, "toolResult", "content"), [{"json": {"a": 1}}, {"image": {}}], []),
    Broken("bedrock", ("messages", 1, "content", 1), {"text": 1}, [("INVALID_MESSAGE", "/messages/1/content/1/text")]),
    Broken("openai-chat", ("messages", 3), ..., [("MISSING_TOOL_RESULT", "/messages/2/tool_calls/0/id")], "Mistral: “Not the same number of function calls and responses”"),
    Broken("gemini-cli", ("messages", 2, "toolCalls", 0, "result"), None, [("MISSING_TOOL_RESULT", "/messages/2/toolCalls/0/id")], "number of function response parts"),
    Broken("gemini-cli", ("messages", 2, "toolCalls", 0, "result", 0, "functionResponse", "name"), "dir", [("TOOL_NAME_MISMATCH", "/messages/2/toolCalls/0/result/0/functionResponse/name")]),
    Broken("gemini-cli", ("messages", 2, "toolCalls", 1, "id"), "c1", [("DUPLICATE_TOOL_CALL_ID", "/messages/2/toolCalls/1/id"), ("DUPLICATE_TOOL_RESULT", "/messages/2/toolCalls/1/result/0")]),
    Broken("gemini-cli", ("messages", 2, "toolCalls", 0, "args"), "{}", [("INVALID_TOOL_ARGUMENTS", "/messages/2/toolCalls/0/args")]),
    Broken("gemini-cli", ("messages", 1, "type"), "human", [("INVALID_MESSAGE", "/messages/1/type")]),
    Broken("opencode", ("messages", 1, "parts", 3, "state", "status"), "running", [("MISSING_TOOL_RESULT", "/messages/1/parts/3/callID")]),
    Broken("opencode", ("messages", 1, "parts", 4, "callID"), "c1", [("DUPLICATE_TOOL_CALL_ID", "/messages/1/parts/4/callID"), ("DUPLICATE_TOOL_RESULT", "/messages/1/parts/4/callID")]),
    Broken("opencode", ("messages", 1, "parts", 3, "state", "input"), "x", [("INVALID_TOOL_ARGUMENTS", "/messages/1/parts/3/state/input")]),
    Broken("opencode", ("messages", 1, "parts", 3, "state"), None, [("INVALID_MESSAGE", "/messages/1/parts/3/type")]),
    Broken("opencode", ("messages", 0, "info", "id"), ..., [("INVALID_MESSAGE", "/messages/0/info/id")]),
    Broken("ai-sdk", ("messages", 2, "parts", 3, "state"), "input-available", [("MISSING_TOOL_RESULT", "/messages/2/parts/3/toolCallId")]),
    Broken("ai-sdk model messages", (2, "content", 0, "toolName"), "dir", [("TOOL_NAME_MISMATCH", "/2/content/0/toolName")]),
    Broken("langchain", (2, "data", "tool_calls", 0, "args"), '{"pa', [("INVALID_TOOL_ARGUMENTS", "/2/data/tool_calls/0/args")]),
    Broken("langchain", (4, "data", "name"), "dog", [("TOOL_NAME_MISMATCH", "/4/data/name")]),
    Broken("otel", ("gen_ai.input.messages", 2, "parts", 0), ..., [("MISSING_TOOL_RESULT", "/gen_ai.input.messages/1/parts/1/id")]),
    Broken("atif", ("steps", 1, "observation"), ..., [("MISSING_TOOL_RESULT", "/steps/1/tool_calls/0/tool_call_id"), ("MISSING_TOOL_RESULT", "/steps/1/tool_calls/1/tool_call_id")]),
    # What people reported in public, in data of our own: an interrupted call of a custom tool, one call saved twice, one result
    # pushed by two handlers, numbers that JSON or binary64 does not know, lists of calls that are empty.
    Broken("openai-responses", ("input", 3), {"type": "custom_tool_call", "call_id": "c9", "name": "patch", "input": "x"}, [("ORPHAN_TOOL_RESULT", "/input/5/call_id"), ("MISSING_TOOL_RESULT", "/input/3/call_id")]),
    Broken("openai-responses", ("input", 4, "call_id"), "c1", [("DUPLICATE_TOOL_CALL_ID", "/input/4/call_id"), ("ORPHAN_TOOL_RESULT", "/input/6/call_id")]),
    Broken("anthropic", ("messages", 3), {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}]}, [("DUPLICATE_TOOL_RESULT", "/messages/3/content/0/tool_use_id")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"n": NaN}', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"n": 1e400}', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"n": 9007199254740993, "n": 2, "__proto__": 1}', []),
    Broken("openai-chat", ("messages", 5, "tool_calls"), [], []),
    Broken("openai-chat", ("messages", 5), {"role": "user", "content": "Stop."}, []),
    # A window of the last messages, a summary in the place of a call, ids made anew on one side, a result moved before its call.
    Broken("openai-chat", ("messages",), [{"role": "tool", "tool_call_id": "c1", "content": "a"}], [("ORPHAN_TOOL_RESULT", "/messages/0/tool_call_id")], "must be a response to a preceeding message"),
    Broken("anthropic", ("messages", 1), {"role": "assistant", "content": "I looked."}, [("ORPHAN_TOOL_RESULT", "/messages/2/content/0/tool_use_id"), ("ORPHAN_TOOL_RESULT", "/messages/2/content/1/tool_use_id")], "unexpected `tool_use_id`"),
    Broken("anthropic", ("messages", 2, "content", 1, "tool_use_id"), " c2", [("ORPHAN_TOOL_RESULT", "/messages/2/content/1/tool_use_id"), ("MISSING_TOOL_RESULT", "/messages/1/content/3/id")]),
    Broken("anthropic", ("messages", 0), {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}, {"type": "tool_result", "tool_use_id": "c2"}]}, [("DUPLICATE_TOOL_RESULT", "/messages/2/content/0/tool_use_id"), ("DUPLICATE_TOOL_RESULT", "/messages/2/content/1/tool_use_id"), ("TOOL_RESULT_BEFORE_CALL", "/messages/0/content/0/tool_use_id"), ("TOOL_RESULT_BEFORE_CALL", "/messages/0/content/1/tool_use_id")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), "", [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 2, "tool_calls", 0, "function", "arguments"), '{"a": "lon[… 900 characters left out …]g"', [("INVALID_TOOL_ARGUMENTS", "/messages/2/tool_calls/0/function/arguments")]),
    Broken("openai-chat", ("messages", 4, "content"), None, [("INVALID_MESSAGE", "/messages/4/content")]),
    Broken("gemini", ("contents", 1, "parts", 2, "functionCall"), {"id": "x", "name": "ls"}, []),
    Broken("langchain", (2, "data", "tool_calls", 0, "id"), None, [("INVALID_MESSAGE", "/2/data/tool_calls/0/id"), ("ORPHAN_TOOL_RESULT", "/3/data/tool_call_id")]),
    Broken("atif", ("steps", 1, "observation"), {"results": None}, [("MISSING_TOOL_RESULT", "/steps/1/tool_calls/0/tool_call_id"), ("MISSING_TOOL_RESULT", "/steps/1/tool_calls/1/tool_call_id")]),
]  # fmt: skip


@pytest.mark.parametrize(
    "broken", BROKEN, ids=lambda broken: f"{broken.form} {'/'.join(map(str, broken.path))} {broken.value!r}"
)
def test_what_an_api_refuses_is_reported_where_it_stands_and_in_its_words(broken: Broken) -> None:
    document = changed(FORMS[broken.form].document, broken.path, broken.value)
    report = json.loads(out("check", "--format", "json", "-", stdin=json.dumps(document, indent=1).encode()))
    found = [(each["code"], each["place"]["pointer"]) for each in report["findings"]]
    assert [code for code, _ in found] == [code for code, _ in broken.expected]
    for (_, pointer), (_, expected) in zip(found, broken.expected, strict=True):
        # An absent field is placed at the object that should hold it.
        assert pointer == expected or expected.startswith(f"{pointer}/") or pointer.startswith(f"{expected}/")
    if broken.says:
        assert any(broken.says in answer for each in report["findings"] for answer in each["seenAs"])
        assert broken.says in run("check", "-", stdin=json.dumps(document).encode()).stdout.decode()


def test_all_that_the_apis_are_known_to_say_is_said_of_some_request() -> None:
    said = set()
    for broken in BROKEN:
        (found,) = read(changed(FORMS[broken.form].document, broken.path, broken.value), format=broken.form.split()[0])
        assert isinstance(found, Transcript)
        codes = {diagnostic.code for diagnostic in validate_transcript(found.value)}
        said |= {(code, api) for code in codes for api in SOURCES[broken.form.split()[0]].apis}
    known = {(entry.code, sighting.api) for entry in CATALOGUE.values() for sighting in entry.seen_as}
    assert len({api for _, api in known}) >= 6
    assert known - said == set()


class TestDetection:
    def test_each_form_is_recognised_by_one_source_alone(self) -> None:
        assert {form.source for form in FORMS.values()} == SOURCES.keys() - {"ir", "pi"}
        for form in FORMS.values():
            values = form.document if form.lines else [form.document]
            found = [{name for name, source in SOURCES.items() if source.recognises(value)} for value in values]
            assert set.union(*found) == {form.source}

    def test_text_alone_may_be_of_two_apis_and_is_not_guessed(self) -> None:
        messages = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
        with pytest.raises(AmbiguousFormatError, match="anthropic or openai-chat"):
            read(messages)
        ran = run("check", "-", stdin=json.dumps(messages).encode())
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert "it may be of the format anthropic or openai-chat" in ran.stderr.decode()
        assert "--from" in ran.stderr.decode()
        for name in ("anthropic", "openai-chat"):
            assert run("check", "--from", name, "-", stdin=json.dumps(messages).encode()).returncode == 0

    def test_a_later_line_may_tell(self) -> None:
        text = {"messages": [{"role": "user", "content": "Hi."}]}
        data = lines(text, text, FORMS["openai-chat"].document)
        found = read(data)
        assert [len(each.value) for each in found if isinstance(each, Transcript)] == [1, 1, 5]  # type: ignore[arg-type] # lists

    def test_lines_of_a_batch_hold_requests(self) -> None:
        for name, key in (("openai-chat", "body"), ("openai-responses", "body"), ("anthropic", "params")):
            document = FORMS[name].document
            data = lines(*({"custom_id": str(number), key: document} for number in range(2)))
            found = [item for item in read(data) if isinstance(item, Transcript)]
            assert [told(item.value) for item in found] == 2 * [told(FORMS[name].read().value)]
            envelope = "input" if name == "openai-responses" else "messages"
            assert found[1].place((1,)).pointer.startswith(f"/{key}/{envelope}/")
            assert [loss.place.line for loss in found[1].losses] == [2] * len(FORMS[name].losses)

    @pytest.mark.parametrize(
        ("line", "format_"),
        [
            ({"custom_id": "1", "params": {"messages": [{"role": "user", "content": "a"}]}}, "anthropic"),
            ({"custom_id": "1", "url": "/v1/chat/completions", "body": {"messages": [{"role": "user", "content": "a"}]}}, "openai-chat"),
            ({"custom_id": "1", "url": "/v1/responses", "body": {"model": "m", "input": "a"}}, "openai-responses"),
            ({"custom_id": "1", "url": "/v1/embeddings", "body": {"model": "m", "input": "a"}}, "ir"),
            ({"recordId": "1", "modelInput": {"messages": [{"role": "user", "content": [{"text": "a"}]}]}}, "bedrock"),
            ({"key": "1", "request": {"contents": [{"parts": [{"text": "a"}]}]}}, "gemini"),
        ],
    )  # fmt: skip
    def test_a_line_of_a_batch_says_which_api_it_is_for(self, line: Json, format_: str) -> None:
        ran = json.loads(out("check", "--format", "json", "-", stdin=lines(line)))
        assert ran["files"][0]["format"] == format_

    def test_what_is_no_line_of_a_batch_is_read_as_it_is(self) -> None:
        document = {**FORMS["anthropic"].document, "body": FORMS["openai-chat"].document, "params": {}}
        (found,) = read(document)
        assert isinstance(found, Transcript)
        assert told(found.value) == told(FORMS["anthropic"].read().value)

    def test_an_input_of_messages_needs_no_model(self) -> None:
        ran = json.loads(out("check", "--format", "json", "-", stdin=b'{"input": [{"role": "user", "content": "a"}]}'))
        assert ran["files"][0]["format"] == "openai-responses"

    def test_a_format_that_is_none_is_named_with_those_that_are(self) -> None:
        values: list[Any] = [[], b"[]"]
        for value in values:
            with pytest.raises(ValueError, match="there is no format 'antropic'; the formats are ir, pi, anthropic"):
                read(value, format="antropic")

    def test_what_one_source_alone_recognises_counts_before_what_several_do(self) -> None:
        text = {"messages": [{"role": "user", "content": "Hi."}]}
        assert len(read(lines(text, FORMS["anthropic"].document))) == 2
        with pytest.raises(AmbiguousFormatError):
            read(lines(text, text))

    @pytest.mark.parametrize(
        ("documents", "format_"),
        [
            ([{"id": "u", "type": "user", "role": "user", "content": "a"}], "ir"),
            ([{"id": "u", "type": "user", "role": "user", "content": [{"type": "text", "text": "a"}, {"type": "tool_result", "tool_use_id": "t"}]}], "anthropic"),
            ([{"id": "u", "type": "user", "uuid": "z", "content": "a"}], "ir"),
            ([{"id": "u", "type": "user", "uuid": "z", "content": "a"}, {"type": "user", "uuid": "y", "message": {"role": "user", "content": "a"}}], "claude-code"),
        ],
    )  # fmt: skip
    def test_messages_with_fields_of_other_formats_are_not_of_gemini_cli(
        self, documents: list[Json], format_: str
    ) -> None:
        ran = json.loads(out("check", "--format", "json", "-", stdin=lines(*documents)))
        assert ran["files"][0]["format"] == format_

    def test_messages_on_lines_make_one_transcript(self) -> None:
        for name in ("anthropic", "openai-chat"):
            document = FORMS[name].document["messages"]
            (found,) = read(lines(*document))
            assert isinstance(found, Transcript)
            assert told(found.value) == told(FORMS[name].read().value)
            assert found.place((1,)).line == (2 if name == "anthropic" else 3)


@st.composite
def damaged(draw: st.DrawFn) -> Form:
    """A form in which values are replaced or dropped."""
    form = FORMS[draw(st.sampled_from(sorted(FORMS)))]
    document = form.document
    for _ in range(draw(st.integers(1, 3))):
        every = places(document)
        if every:
            document = changed(document, draw(st.sampled_from(every)), draw(ODD_JSON | st.just(...)))
    return form._replace(document=document)


def expect_read(data: bytes, source: str | None) -> None:
    """Whatever it is, it is read, and every finding and every loss has a place in it."""
    for item in read(data, format=source):
        if isinstance(item, Transcript):
            for diagnostic in validate_transcript(item.value):
                for pointer in (diagnostic.path, *diagnostic.related):
                    place = item.place(path_in(item.value, pointer))
                    assert 1 <= place.line <= data.count(b"\n") + 1
            assert all(loss.kind and loss.place.line >= 1 for loss in item.losses)


@given(damaged())
def test_whatever_is_damaged_is_read_and_every_finding_has_a_place(form: Form) -> None:
    expect_read(form.data, form.source)


@pytest.mark.parametrize("name", FORMS)
def test_any_value_may_be_of_any_type(name: str) -> None:
    form = FORMS[name]
    for path in places(form.document):
        values: list[Any] = [None, [], {}, [[]], 1, "", "x", True]
        for value in values:
            data = form._replace(document=changed(form.document, path, value)).data
            expect_read(data, form.source)
            with suppress(AmbiguousFormatError):
                expect_read(data, None)


def faults() -> Iterator[Any]:
    forms = {"anthropic", "openai-chat", "openai-responses", "gemini"}
    if FAULTS.exists():
        yield from (each for each in json.loads(FAULTS.read_text(encoding="utf-8")) if each["shape"] in forms)


# Not collected, rather than skipped, where the files are not there.
if FAULTS.exists():

    @pytest.mark.parametrize("fault", list(faults()), ids=lambda fault: fault["id"])
    def test_faults_that_people_reported_are_found_in_their_own_form(fault: Any) -> None:
        codes = {
            str(diagnostic.code)
            for item in read(fault["transcript"], format=fault["shape"])
            if isinstance(item, Transcript)
            for diagnostic in validate_transcript(item.value)
        }
        note = fault["expectedNote"]
        named = {
            code
            for code in (
                "MISSING_TOOL_RESULT",
                "ORPHAN_TOOL_RESULT",
                "DUPLICATE_TOOL_RESULT",
                "DUPLICATE_TOOL_CALL_ID",
                "TOOL_RESULT_BEFORE_CALL",
                "TOOL_NAME_MISMATCH",
                "INVALID_TOOL_ARGUMENTS",
                "EMPTY_TOOL_NAME",
                "INVALID_MESSAGE",
            )
            if code in note
        }
        assert codes >= named, (fault["fault"], note, codes)
