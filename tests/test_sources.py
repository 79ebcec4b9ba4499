"""Sources: which transcripts a file holds, where each value stands, what is left out, what cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from message_ir import validate_transcript
from message_ir.sources import Options, Place, Transcript, Unreadable, read_lines
from sessions import (
    ROUND,
    UNANSWERED,
    assistant,
    call,
    lines,
    pi_assistant,
    pi_chain,
    pi_entry,
    pi_header,
    pi_linear,
    pi_result,
    pi_user,
    result,
    user,
)


def items(data: bytes, name: str = "file", **options: Any) -> list[Transcript | Unreadable]:
    return list(read_lines(data.splitlines(keepends=True), name=name, options=Options(**options)).items)


def format_of(data: bytes) -> str:
    return read_lines(data.splitlines(keepends=True)).source.name


def only(data: bytes, **options: Any) -> Transcript:
    (found,) = [item for item in items(data, **options) if isinstance(item, Transcript)]
    return found


def values(data: bytes, name: str = "file") -> list[Any]:
    return [item.value if isinstance(item, Transcript) else item for item in items(data, name)]


class TestForms:
    def test_one_transcript_as_an_array(self) -> None:
        assert values(json.dumps(ROUND).encode()) == [ROUND]
        assert values(json.dumps(ROUND, indent=2).encode()) == [ROUND]
        assert values(b"\n\n" + json.dumps(ROUND, indent=2).encode()) == [ROUND]

    def test_an_envelope(self) -> None:
        envelope = {"model": "m", "messages": ROUND}
        assert values(json.dumps(envelope).encode()) == [ROUND]
        assert values(json.dumps(envelope, indent=2).encode()) == [ROUND]

    def test_json_lines_of_arrays_and_envelopes(self) -> None:
        assert values(lines(ROUND, {"messages": UNANSWERED}, [])) == [ROUND, UNANSWERED, []]

    def test_one_message_a_line(self) -> None:
        assert values(lines(*ROUND)) == [ROUND]
        assert values(lines(*ROUND[:1])) == [UNANSWERED]

    def test_a_message_among_arrays_is_a_transcript_of_its_own_and_not_one(self) -> None:
        assert values(lines(ROUND, user(), ROUND)) == [ROUND, user(), ROUND]

    def test_one_message_alone_over_several_lines(self) -> None:
        assert values(json.dumps(user(), indent=2).encode()) == [[user()]]

    @pytest.mark.parametrize("value", [3, "text", None, {}, {"a": 1}])
    def test_what_is_no_form_is_left_to_the_validator(self, value: Any) -> None:
        assert values(json.dumps(value).encode()) == [value]

    def test_a_broken_line_hides_nothing_else(self) -> None:
        first, broken, last = items(lines(ROUND, b'[{"id": "m', UNANSWERED))
        assert (first.value, last.value) == (ROUND, UNANSWERED)  # type: ignore[union-attr] # both are transcripts
        assert isinstance(broken, Unreadable)
        assert broken.place == Place(2, 9, "")

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            (b'{"type": "mess', "unterminated string"),
            (b"\0\0\0", "expecting value"),
            (b'{"a": 1}{"a": 2}', "extra data"),
            (b'["\xff"]', "byte 2 is not UTF-8"),
            (b"\xef\xbb\xbf[]", "it starts with a byte order mark"),
            (b"[NaN]", "NaN is not a JSON number"),
            (b"[1,]", "expecting value"),
        ],
    )
    def test_each_kind_of_damage_is_named(self, line: bytes, problem: str) -> None:
        *_, broken = items(lines(ROUND, ROUND, line))
        assert isinstance(broken, Unreadable)
        assert broken.problem.startswith(problem)
        assert broken.place.line == 3

    def test_a_broken_first_line_does_not_hide_the_form(self) -> None:
        broken, transcript = values(lines(b'{"id": "m', *ROUND))
        assert isinstance(broken, Unreadable)
        assert transcript == ROUND

    def test_a_document_that_was_cut_off_is_one_report(self) -> None:
        text = json.dumps(ROUND * 3, indent=2).encode()
        (broken,) = items(text[:-30])
        assert isinstance(broken, Unreadable)
        assert broken.place.line == text[:-30].count(b"\n") + 1

    def test_the_suffix_says_json_lines(self) -> None:
        cut_off = b"[\n1,\n"
        assert len(items(cut_off, "file.json")) == 1
        assert len(items(cut_off, "file.JSONL")) == 2

    @pytest.mark.parametrize("data", [b"", b"\n", b" \t\r\n\n"])
    def test_an_empty_file_is_reported(self, data: bytes) -> None:
        (broken,) = items(data)
        assert isinstance(broken, Unreadable)
        assert broken.problem == "it is empty"

    def test_windows_line_ends_make_no_difference(self) -> None:
        assert values(lines(*ROUND).replace(b"\n", b"\r\n")) == [ROUND]

    def test_line_separators_inside_strings_end_no_line(self) -> None:
        message = json.dumps([user(content="a\u2028b\u0085c")], ensure_ascii=False).encode()
        assert len(items(lines(message, message))) == 2


class TestPlaces:
    def test_in_a_document_over_lines(self) -> None:
        text = json.dumps([user(), assistant(call("c", arguments={"a/b": [1, {"~": 2}]}))], indent=1)
        place = only(text.encode()).place((1, "content", 0, "arguments", "a/b", 1, "~"))
        row = next(number for number, line in enumerate(text.splitlines(), 1) if '"~"' in line)
        assert place == Place(row, text.splitlines()[row - 1].index("2") + 1, "/1/content/0/arguments/a~1b/1/~0")

    def test_in_an_envelope_the_pointer_is_that_of_the_document(self) -> None:
        assert only(json.dumps({"x": 1, "messages": [user()]}).encode()).place((0, "id")).pointer == "/messages/0/id"

    def test_in_json_lines(self) -> None:
        _, second = items(lines(ROUND, ROUND))
        assert isinstance(second, Transcript)
        assert second.place((1, "role")) == Place(2, json.dumps(ROUND).rindex('"toolResult"') + 1, "/1/role")

    def test_of_one_message_a_line(self) -> None:
        assert only(b"\n" + lines(*ROUND)).place((1, "toolName")) == Place(3, None, "/toolName")

    def test_an_absent_field_is_placed_at_its_object(self) -> None:
        assert only(b'[\n {"id": "m"}]').place((0, "role")) == Place(2, 2, "/0/role")

    def test_of_repeated_keys_the_last_is_placed(self) -> None:
        assert only(b'[{"id": 1, "id": 2}]').place((0, "id")).column == 18

    def test_columns_count_characters(self) -> None:
        text = json.dumps([{"id": "\U0001f600é", "role": 3}], ensure_ascii=False)
        assert only(text.encode()).place((0, "role")).column == text.index("3") + 1

    def test_nesting_beyond_any_recursion_limit(self) -> None:
        deep = b"[" * 100_000 + b"]" * 100_000
        data = b'[{"x": ' + deep + b', "id": 3}]'
        assert only(data).place((0, "id")).column == len(data) - 2


class TestPi:
    def test_the_form_is_recognised_by_its_header_and_without_it(self) -> None:
        chain = pi_chain(pi_user())
        assert format_of(lines(pi_header(), *chain)) == "pi"
        assert format_of(lines(*chain)) == "pi"
        assert format_of(lines(user())) == "ir"

    @pytest.mark.parametrize("version", [2, 3])
    def test_ids_are_those_of_the_entries(self, version: int) -> None:
        data = lines(pi_header(version), *pi_chain(pi_user(), pi_assistant(call("c")), pi_result("c")))
        transcript = only(data)
        assert [record["id"] for record in transcript.value] == ["e0", "e1", "e2"]  # type: ignore[attr-defined] # a list
        assert validate_transcript(transcript.value) == ()
        assert transcript.place((1, "id")) == Place(3, None, "/id")
        assert transcript.place((2, "toolCallId")) == Place(4, None, "/message/toolCallId")

    def test_version_1_is_linear_and_its_ids_are_made_of_lines(self) -> None:
        data = lines(pi_header(None), *pi_linear(pi_user(), pi_assistant(call("c")), pi_result("c")))
        transcript = only(data)
        assert [record["id"] for record in transcript.value] == ["line-2", "line-3", "line-4"]  # type: ignore[attr-defined] # a list
        assert validate_transcript(transcript.value) == ()
        assert only(data).value == transcript.value

    def test_the_branch_of_the_last_entry_is_the_transcript(self) -> None:
        trunk = pi_chain(pi_user(), pi_assistant(call("c")))
        left = [pi_entry("left", "e1", pi_user("left"))]
        right = [pi_entry("right", "e1", pi_result("c"))]
        transcript = only(lines(pi_header(), *trunk, *left, *right))
        assert [record["id"] for record in transcript.value] == ["e0", "e1", "right"]  # type: ignore[attr-defined] # a list
        assert [(loss.kind, loss.place.line) for loss in transcript.losses] == [("message on another branch", 4)]
        other = only(lines(pi_header(), *trunk, *right, *left))
        assert [each.code for each in validate_transcript(other.value)] == ["MISSING_TOOL_RESULT"]

    def test_entries_that_are_no_messages_keep_the_branch_together(self) -> None:
        label = {"type": "label", "id": "l", "parentId": "e0", "targetId": "e0"}
        data = lines(pi_header(), *pi_chain(pi_user()), label, *pi_chain(pi_user(), start=1, parent="l"))
        assert len(only(data).value) == 2  # type: ignore[arg-type] # a list

    def test_a_lost_parent_and_a_loop_are_counted(self) -> None:
        lost = only(lines(pi_header(), pi_entry("a", "gone", pi_user())))
        assert [loss.kind for loss in lost.losses] == ["link to a parent that is not in the file"]
        loop = only(lines(pi_header(), pi_entry("a", "b", pi_user()), pi_entry("b", "a", pi_user())))
        assert len(loop.value) == 2  # type: ignore[arg-type] # a list
        assert len(loop.losses) == 1

    def test_failed_and_aborted_turns_are_set_aside_with_their_results(self) -> None:
        messages = [
            pi_user(),
            pi_assistant(call("c1"), call("c2"), stop="aborted"),
            pi_result("c1"),
            pi_assistant(call("c3"), stop="error"),
            pi_assistant(call("c4")),
            pi_result("c4"),
        ]
        transcript = only(lines(pi_header(), *pi_chain(*messages)))
        assert [record["id"] for record in transcript.value] == ["e0", "e4", "e5"]  # type: ignore[attr-defined] # a list
        assert [(loss.kind, loss.calls) for loss in transcript.losses] == [
            ("failed or aborted turn", 2),
            ("result of a failed or aborted turn", 0),
            ("failed or aborted turn", 1),
        ]
        kept = only(lines(pi_header(), *pi_chain(*messages)), include_aborted=True)
        assert len(kept.value) == 6  # type: ignore[arg-type] # a list
        assert [each.code for each in validate_transcript(kept.value)] == ["MISSING_TOOL_RESULT"] * 2

    def test_a_result_stays_where_a_kept_turn_makes_its_call_too(self) -> None:
        messages = [pi_assistant(call("c"), stop="error"), pi_assistant(call("c")), pi_result("c")]
        transcript = only(lines(pi_header(), *pi_chain(*messages)))
        assert validate_transcript(transcript.value) == ()
        assert len(transcript.value) == 2  # type: ignore[arg-type] # a list

    def compacted(self, kept: str | None) -> bytes:
        before = pi_chain(pi_user(), pi_assistant(call("c")), pi_result("c"), pi_user())
        compaction = {"type": "compaction", "id": "k", "parentId": "e3", "summary": "s", "firstKeptEntryId": kept}
        return lines(pi_header(), *before, compaction, *pi_chain(pi_user(), start=4, parent="k"))

    @pytest.mark.parametrize(
        ("kept", "ids", "codes"),
        [
            ("e3", ["e3", "e4"], []),
            ("e2", ["e2", "e3", "e4"], ["ORPHAN_TOOL_RESULT"]),
            ("e0", ["e0", "e1", "e2", "e3", "e4"], []),
            ("gone", ["e4"], []),
            (None, ["e4"], []),
        ],
    )
    def test_a_compaction_keeps_what_it_says(self, kept: str | None, ids: list[str], codes: list[str]) -> None:
        transcript = only(self.compacted(kept))
        assert [record["id"] for record in transcript.value] == ids  # type: ignore[attr-defined] # a list
        assert [each.code for each in validate_transcript(transcript.value)] == codes
        kinds = [loss.kind for loss in transcript.losses]
        assert kinds.count("message cut off by a compaction") == 5 - len(ids)
        assert kinds.count("compaction summary") == 1

    def test_history_takes_the_whole_branch(self) -> None:
        assert len(only(self.compacted("e3"), history=True).value) == 5  # type: ignore[arg-type] # a list

    @pytest.mark.parametrize(("index", "count"), [(1, 4), (3, 2), (4, 1), (9, 1), (0, 1), ("x", 1)])
    def test_a_compaction_of_version_1_counts_entries(self, index: Any, count: int) -> None:
        compaction = {"type": "compaction", "summary": "s", "firstKeptEntryIndex": index}
        data = lines(pi_header(None), *pi_linear(*[pi_user()] * 3), compaction, *pi_linear(pi_user()))
        assert len(only(data).value) == count  # type: ignore[arg-type] # a list

    def test_the_last_compaction_counts(self) -> None:
        first = {"type": "compaction", "id": "k1", "parentId": "e0", "summary": "s", "firstKeptEntryId": "e0"}
        second = {"type": "compaction", "id": "k2", "parentId": "e1", "summary": "s", "firstKeptEntryId": "e1"}
        data = lines(
            pi_header(), *pi_chain(pi_user()), first, *pi_chain(pi_user(), start=1, parent="k1"), second,
            *pi_chain(pi_user(), start=2, parent="k2"),
        )  # fmt: skip
        assert [record["id"] for record in only(data).value] == ["e1", "e2"]  # type: ignore[attr-defined] # a list

    def test_content_of_blocks_becomes_strings_and_losses(self) -> None:
        text, image, thinking = {"type": "text", "text": "a"}, {"type": "image", "data": ""}, {"type": "thinking"}
        messages = [
            pi_user([text, image, text]),
            pi_assistant(thinking, text, thinking, call("c", arguments=[])),
            pi_result("c", content=[image]),
            pi_result("c", content="plain"),
        ]
        transcript = only(lines(pi_header(), *pi_chain(*messages)))
        contents = [record["content"] for record in transcript.value]  # type: ignore[attr-defined] # a list
        assert contents == ["a\na", [text, call("c", arguments=[])], "", "plain"]
        kinds = [(loss.kind, loss.place.pointer) for loss in transcript.losses]
        assert kinds == [
            ("image", "/message/content/1"),
            ("thinking block", "/message/content/0"),
            ("thinking block", "/message/content/2"),
            ("image", "/message/content/0"),
        ]
        assert transcript.place((1, "content", 1, "arguments")).pointer == "/message/content/3/arguments"

    @pytest.mark.parametrize(
        "role", ["bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary", "system"]
    )
    def test_messages_of_other_roles_are_counted(self, role: str) -> None:
        transcript = only(lines(pi_header(), *pi_chain({"role": role, "content": "x"}, pi_user())))
        assert len(transcript.value) == 1  # type: ignore[arg-type] # a list
        assert [loss.kind for loss in transcript.losses] == [f"message of role {role}"]

    @pytest.mark.parametrize(
        ("message", "code", "pointer"),
        [
            (None, "INVALID_MESSAGE", "/message"),
            ("text", "INVALID_MESSAGE", "/message"),
            ({}, "INVALID_MESSAGE", "/message/role"),
            ({"role": ["user"]}, "INVALID_MESSAGE", "/message/role"),
            ({"role": "usr", "content": "x"}, "INVALID_MESSAGE", "/message/role"),
            (pi_user(None), "INVALID_MESSAGE", "/message/content"),
            (pi_user([{"type": "text", "text": 3}]), "INVALID_MESSAGE", "/message/content"),
            (pi_user([{"type": "toolCall"}]), "INVALID_MESSAGE", "/message/content"),
            (pi_user([["text"]]), "INVALID_MESSAGE", "/message/content"),
            ({"role": "assistant", "content": "x"}, "INVALID_MESSAGE", "/message/content"),
            (pi_assistant({"type": "thinking"}, 3), "INVALID_MESSAGE", "/message/content/1"),
            (pi_assistant({"type": ["thinking"]}), "INVALID_MESSAGE", "/message/content/0/type"),
            (pi_assistant({"type": "thinking"}, call("c", name="")), "EMPTY_TOOL_NAME", "/message/content/1/name"),
            (pi_assistant(call("c", arguments="{}")), "INVALID_TOOL_ARGUMENTS", "/message/content/0/arguments"),
            ({**pi_result("c"), "isError": None}, "INVALID_MESSAGE", "/message/isError"),
            ({**pi_result("c"), "toolCallId": ["c"]}, "INVALID_MESSAGE", "/message/toolCallId"),
            ({**pi_result("c"), "content": None}, "INVALID_MESSAGE", "/message/content"),
        ],
    )
    def test_what_is_malformed_stays_so(self, message: Any, code: str, pointer: str) -> None:
        transcript = only(lines(pi_header(), *pi_chain(message)))
        (found,) = validate_transcript(transcript.value)
        path = tuple(int(step) if step.isdigit() else step for step in found.path.split("/")[1:])
        assert (found.code, transcript.place(path)) == (code, Place(2, None, pointer))

    def test_an_entry_without_an_id_is_reported_at_its_id(self) -> None:
        entries = [{"type": "message", "parentId": None, "message": {**pi_user(), "id": "not-the-entry's"}}]
        transcript = only(lines(pi_header(), *entries))
        assert [each.path for each in validate_transcript(transcript.value)] == ["/0/id"]
        assert transcript.place((0, "id")) == Place(2, None, "/id")

    @pytest.mark.parametrize("line", [b"3", b"[]", b'"x"', b"null", b'{"type": "mess'])
    def test_lines_that_are_no_entries_are_reported(self, line: bytes) -> None:
        broken, transcript = items(lines(pi_header(), line, *pi_chain(pi_user())))
        assert isinstance(broken, Unreadable)
        assert broken.place.line == 2
        assert len(transcript.value) == 1  # type: ignore[union-attr, arg-type] # a transcript's list

    @pytest.mark.parametrize("odd", [None, 3, [], {}, "x"])
    @pytest.mark.parametrize("key", ["type", "id", "parentId", "message"])
    def test_entries_with_odd_fields_never_raise(self, key: str, odd: Any) -> None:
        entries = pi_chain(pi_user(), pi_assistant(call("c")), pi_result("c"))
        for position in range(3):
            changed = [*entries]
            changed[position] = {**entries[position], key: odd}
            for version in (None, 3):
                only(lines(pi_header(version), *changed))

    def test_a_session_without_messages_is_an_empty_transcript(self) -> None:
        transcript = only(lines(pi_header()))
        assert (transcript.value, transcript.place(())) == ([], Place(1, None, ""))

    def test_branch_summaries_and_custom_messages_are_counted(self) -> None:
        summary = {"type": "branch_summary", "id": "b", "parentId": None, "summary": "s"}
        custom = {"type": "custom_message", "id": "m", "parentId": "b", "content": "x"}
        state = {"type": "custom", "id": "s", "parentId": "m", "data": 1}
        transcript = only(lines(pi_header(), summary, custom, state))
        assert [loss.kind for loss in transcript.losses] == ["branch summary", "custom message"]


def test_a_forced_format_takes_what_it_is_given() -> None:
    reading = read_lines(lines(pi_header()).splitlines(keepends=True), format="ir")
    assert reading.source.name == "ir"
    assert [item.value for item in reading.items if isinstance(item, Transcript)] == [pi_header()]
    reading = read_lines(lines(*ROUND).splitlines(keepends=True), format="pi")
    assert [item.value for item in reading.items if isinstance(item, Transcript)] == [[]]


def test_json_lines_are_read_one_after_the_other() -> None:
    taken: list[int] = []

    def endless() -> Any:
        number = 0
        while True:
            taken.append(number)
            number += 1
            yield lines([result(f"c{number}")])

    reading = read_lines(endless())
    for _ in range(3):
        next(reading.items)
    assert len(taken) <= 4
