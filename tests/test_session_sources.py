"""Session files of Claude Code and Codex: which lines make which transcripts, and what is left out."""

from __future__ import annotations

import json
from typing import Any, Final

from command_line import out
from conversation_forms import FORMS
from message_ir import validate_transcript
from message_ir.sources import Options, Transcript, Unreadable, read
from sessions import Json, lines


class TestClaudeCode:
    def test_forks_and_side_chains_are_transcripts_of_their_own(self) -> None:
        def line(uuid: str, parent: str | None, text: str, **more: Any) -> Json:
            return {
                "type": "user",
                "uuid": uuid,
                "parentUuid": parent,
                "message": {"role": "user", "content": text},
                **more,
            }

        found = read(
            lines(
                line("a", None, "1"),
                line("b", "a", "2"),
                line("s", None, "side", isSidechain=True),
                line("c", "a", "3"),
            )
        )
        values: list[Any] = [each.value for each in found if isinstance(each, Transcript)]
        assert [[record["content"] for record in value] for value in values] == [["1", "2"], ["side"], ["1", "3"]]

    def test_a_torn_line_and_nul_bytes_are_reported_and_the_rest_is_read(self) -> None:
        whole = FORMS["claude-code"].data
        found = read(whole + b"\x00\x00\x00\n" + b'{"type": "user", "uu\n')
        assert [type(each) for each in found] == [Unreadable, Unreadable, Transcript]
        assert [each.place.line for each in found if isinstance(each, Unreadable)] == [11, 12]

    def test_a_line_that_goes_on_after_a_torn_one_is_one_line(self) -> None:
        first, *rest = FORMS["claude-code"].data.splitlines(keepends=True)
        found = read(b"".join([first, rest[0][:-30], *rest]))
        assert [type(each) for each in found] == [Unreadable, Transcript]

    def test_parents_that_form_a_loop_are_each_taken_once(self) -> None:
        found = read(lines(line("user", "a", "b", "1"), line("user", "b", "a", "2"), line("user", "c", "b", "3")))
        assert [contents(each) for each in found] == [["1", "2", "3"]]

    def test_a_parent_may_stand_later(self) -> None:
        found = read(lines(line("user", "b", "a", "2"), line("user", "a", None, "1"), line("user", "c", "b", "3")))
        assert [contents(each) for each in found] == [["1", "2", "3"]]

    def test_a_link_to_a_parent_that_is_not_there_is_counted(self) -> None:
        (found,) = read(lines(line("user", "a", "gone", "1"), line("user", "b", "a", "2")))
        assert contents(found) == ["1", "2"]
        assert losses(found) == [("link to a parent that is not in the file", 1, "/parentUuid")]

    def test_a_line_that_a_later_one_replaces_is_counted_and_makes_no_branch(self) -> None:
        found = read(
            lines(
                line("user", "a", None, "1"),
                line("assistant", "b", "a", [CALL]),
                line("assistant", "b", "a", [CALL]),
                line("user", "r", "b", [ANSWER]),
            )
        )
        (only,) = found
        assert validated(only) == []
        assert losses(only) == [("message that a later line replaces", 2, "")]
        assert isinstance(only, Transcript)
        assert [loss.calls for loss in only.losses] == [1]

    def test_what_branches_share_is_counted_once_and_reported_once(self) -> None:
        data = lines(
            line("assistant", "a", None, [{"type": "thinking"}, CALL]),
            line("user", "b", "a", "one"),
            line("user", "c", "a", "two"),
        )
        found = read(data)
        assert [losses(each) for each in found] == [[("thinking block", 1, "/message/content/0")], []]
        assert [validated(each) for each in found] == [["MISSING_TOOL_RESULT"]] * 2
        report = json.loads(out("check", "--format", "json", "-", stdin=data))
        assert [each["code"] for each in report["findings"]] == ["MISSING_TOOL_RESULT"]

    def test_results_that_hang_on_other_lines_or_have_text_beside_them_belong_to_their_call(self) -> None:
        other = {**CALL, "id": "d"}
        found = read(
            lines(
                line("assistant", "a", None, [CALL, other]),
                {"type": "progress", "uuid": "p", "parentUuid": "a"},
                line("user", "r1", "p", [ANSWER, {"type": "text", "text": "x"}]),
                line("user", "r2", "a", [{**ANSWER, "tool_use_id": "d"}]),
                line("assistant", "b", "r2", "done"),
            )
        )
        assert [validated(each) for each in found] == [[]]

    def test_lines_without_parents_follow_the_message_before_them(self) -> None:
        def bare(kind: str, uuid: str, content: Any) -> Json:
            return {"type": kind, "uuid": uuid, "message": {"id": uuid, "role": kind, "content": content}}

        data = [
            bare("assistant", "a", [CALL]),
            {"type": "system", "subtype": "status", "uuid": "s"},
            bare("user", "r", [ANSWER]),
            bare("assistant", "b", "done"),
        ]
        assert [validated(each) for each in read(lines(*data))] == [[]]
        boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "x"}
        found = read(lines(*data, boundary, bare("user", "u", "sum")))
        assert [len(contents(each)) for each in found] == [3, 1]

    def test_a_call_that_is_repeated_late_stays_before_its_result(self) -> None:
        found = read(
            lines(
                line("user", "u", None, "1"),
                line("assistant", "a", "u", [CALL]),
                line("user", "r", "a", [ANSWER]),
                line("assistant", "a", "u", [CALL]),
                line("assistant", "b", "r", "done"),
            )
        )
        assert [validated(each) for each in found] == [[]]

    def test_lines_of_a_turn_belong_together_wherever_the_next_one_hangs(self) -> None:
        def of_turn(uuid: str, parent: str, id_: str) -> Json:
            return {
                **line("assistant", uuid, parent, [{**CALL, "id": id_}]),
                "message": {"id": "turn", "role": "assistant", "content": [{**CALL, "id": id_}]},
            }

        def result(uuid: str, parent: str, id_: str) -> Json:
            return line("user", uuid, parent, [{**ANSWER, "tool_use_id": id_}])

        start = line("user", "u", None, "1")
        for hanging in ("a1", "a2"):
            for later in ("r1", "r2"):
                (found,) = read(
                    lines(
                        start,
                        of_turn("a1", "u", "c1"),
                        of_turn("a2", "a1", "c2"),
                        result("r2", hanging, "c2"),
                        result("r1", "a1", "c1"),
                        line("assistant", "b", later, "done"),
                    )
                )
                assert validated(found) == []
                assert [len(content) for content in contents(found)] == [1, 2, 0, 0, 1]

    def test_answers_with_one_constant_id_are_joined_only_where_results_stand_between(self) -> None:
        def answer(uuid: str, parent: str, text: str) -> Json:
            message = {"id": "constant", "role": "assistant", "content": text}
            return {**line("assistant", uuid, parent, text), "message": message}

        found = read(
            lines(
                line("user", "u", None, "1"),
                answer("a", "u", "one"),
                line("user", "v", "a", "2"),
                answer("b", "v", "two"),
            )
        )
        assert [[len(content) for content in contents(each)] for each in found] == [[1, 1, 1, 1]]

    def test_many_turns_whose_results_come_in_another_order_are_one_transcript(self) -> None:
        data: list[Json] = []
        before = None
        for at in range(300):
            one, two = f"a{at}", f"b{at}"
            message = {"id": f"m{at}", "role": "assistant"}
            data += [
                {**line("assistant", one, before, ""), "message": {**message, "content": [{**CALL, "id": one}]}},
                {**line("assistant", two, one, ""), "message": {**message, "content": [{**CALL, "id": two}]}},
                line("user", f"s{at}", two, [{**ANSWER, "tool_use_id": two}]),
                line("user", f"r{at}", one, [{**ANSWER, "tool_use_id": one}]),
            ]
            before = f"r{at}"
        (found,) = read(lines(*data))
        assert len(contents(found)) == 900
        assert validated(found) == []

    def test_a_result_of_no_call_is_reported_where_it_hangs(self) -> None:
        found = read(
            lines(line("assistant", "a", None, "x"), line("user", "r", "a", [ANSWER]), line("user", "b", "a", "2"))
        )
        assert [validated(each) for each in found] == [["ORPHAN_TOOL_RESULT"], []]

    def test_a_message_is_not_replaced_by_what_is_none(self) -> None:
        (found,) = read(lines(line("user", "u", None, "1"), {"type": "progress", "uuid": "u"}))
        assert contents(found) == ["1"]

    def test_attachments_are_counted(self) -> None:
        (found,) = read(lines(line("user", "u", None, "1"), {"type": "attachment", "uuid": "x", "parentUuid": "u"}))
        assert losses(found) == [("attachment", 2, "")]

    def test_an_assistants_line_of_another_role_is_reported(self) -> None:
        odd = line("assistant", "a", None, "x")
        odd["message"]["role"] = "model"
        assert [validated(each) for each in read(lines(odd))] == [["INVALID_MESSAGE"]]

    def test_parallel_results_that_both_lead_on_are_in_both_branches(self) -> None:
        found = read(
            lines(
                line("assistant", "a", None, [CALL, {**CALL, "id": "d"}]),
                line("user", "r1", "a", [ANSWER]),
                line("user", "r2", "a", [{**ANSWER, "tool_use_id": "d"}]),
                line("assistant", "b", "r1", "one"),
                line("assistant", "c", "r2", "two"),
            )
        )
        assert [(len(contents(each)), validated(each)) for each in found] == [(4, []), (4, [])]

    def test_a_call_that_was_answered_again_is_a_fork(self) -> None:
        found = read(
            lines(
                line("assistant", "a", None, [CALL]),
                line("user", "r1", "a", [ANSWER]),
                line("user", "r2", "a", [ANSWER]),
                line("assistant", "b", "r2", "done"),
            )
        )
        assert [(len(contents(each)), validated(each)) for each in found] == [(2, []), (3, [])]

    def test_lines_of_one_turn_are_joined_over_the_results_between_them(self) -> None:
        first, second = line("assistant", "a1", None, [CALL]), line("assistant", "a2", "r1", [{**CALL, "id": "u"}])
        second["message"]["id"] = "a1"
        (found,) = read(
            lines(
                first,
                line("user", "r1", "a1", [ANSWER]),
                second,
                line("user", "r2", "a2", [{**ANSWER, "tool_use_id": "u"}]),
            )
        )
        assert [block["id"] for block in contents(found)[0]] == ["t", "u"]
        assert (len(contents(found)), validated(found)) == (3, [])


def line(kind: str, uuid: str, parent: str | None, content: Any) -> Json:
    message = {"id": uuid, "role": kind, "content": content}
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "message": message}


CALL: Final = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
ANSWER: Final = {"type": "tool_result", "tool_use_id": "t"}


def contents(item: object) -> list[Any]:
    """What the messages of a transcript say."""
    assert isinstance(item, Transcript)
    records: Any = item.value
    return [record["content"] for record in records]


def losses(item: object) -> list[tuple[str, int, str]]:
    assert isinstance(item, Transcript)
    return [(loss.kind, loss.place.line, loss.place.pointer) for loss in item.losses]


def validated(item: object) -> list[str]:
    assert isinstance(item, Transcript)
    return [str(diagnostic.code) for diagnostic in validate_transcript(item.value)]


def test_a_fork_at_a_result_has_that_result_alone() -> None:
    found = read(
        lines(
            line("assistant", "a", None, [CALL]),
            line("user", "r1", "a", [ANSWER]),
            line("assistant", "b", "r1", "one"),
            line("user", "r2", "a", [ANSWER]),
            line("assistant", "c", "r2", "two"),
        )
    )
    assert [(len(contents(each)), validated(each)) for each in found] == [(3, []), (3, [])]


def item(**payload: Any) -> Json:
    return {"timestamp": "t", "type": "response_item", "payload": payload}


def said(text: str) -> Json:
    return item(type="message", role="user", content=[{"type": "input_text", "text": text}])


def called(id_: str) -> Json:
    return item(type="function_call", call_id=id_, name="f", arguments="{}")


def answered(id_: str) -> Json:
    return item(type="function_call_output", call_id=id_, output="")


def event(**payload: Any) -> Json:
    return {"type": "event_msg", "payload": payload}


class TestCodex:
    def test_a_compaction_with_a_history_puts_it_in_the_place_of_what_was_before(self) -> None:
        history = [said("Sum.")["payload"], called("b")["payload"]]
        data = lines(
            said("1"), called("a"), {"type": "compacted", "payload": {"replacement_history": history}}, answered("b")
        )
        (found,) = read(data)
        assert contents(found) == ["Sum.", [{"type": "toolCall", "id": "b", "name": "f", "arguments": {}}], ""]
        assert validated(found) == []
        assert losses(found) == [
            ("compaction", 3, ""),
            ("item cut off by a compaction", 1, "/payload"),
            ("item cut off by a compaction", 2, "/payload"),
        ]
        assert isinstance(found, Transcript)
        assert [loss.calls for loss in found.losses] == [0, 0, 1]
        assert found.place((1, "content", 0, "name"))[::2] == (3, "/payload/replacement_history/1/name")

    def test_a_compaction_without_one_keeps_what_the_user_said(self) -> None:
        data = lines(
            said("<environment_context>x"),
            said("1"),
            called("a"),
            {"type": "compacted", "payload": {"message": "Sum."}},
            said("2"),
        )
        (found,) = read(data)
        assert contents(found) == ["1", "2"]
        assert len(losses(found)) == 3

    def test_a_rollback_takes_the_last_turns_back(self) -> None:
        rollback = event(type="thread_rolled_back", num_turns=1)
        data = lines(said("1"), said("2"), called("a"), said("<environment_context>x"), rollback, said("3"))
        (found,) = read(data)
        assert contents(found) == ["1", "3"]
        assert losses(found) == [("item of a turn that was rolled back", at, "/payload") for at in (2, 3, 4)]
        (whole,) = read(data.replace(b'"num_turns": 1', b'"num_turns": 9'))
        assert contents(whole) == ["3"]

    def test_what_no_user_wrote_is_no_turn(self) -> None:
        for text in ("<turn_aborted>x", " <SKILL>x", "# AGENTS.md instructions for /x", "<hook_prompt id=1>"):
            (found,) = read(
                lines(said("1"), called("a"), said(text), event(type="thread_rolled_back", num_turns=1), said("2"))
            )
            assert contents(found) == ["2"]

    def test_the_whole_history_has_everything(self) -> None:
        data = lines(
            called("a"),
            {"type": "compacted", "payload": {"replacement_history": []}},
            said("1"),
            event(type="thread_rolled_back", num_turns=1),
        )
        (found,) = read(data, options=Options(history=True))
        assert len(contents(found)) == 2
        assert validated(found) == ["MISSING_TOOL_RESULT"]

    def test_odd_payloads_change_nothing(self) -> None:
        odd: list[Any] = [
            None,
            1,
            "x",
            [],
            {},
            {"replacement_history": 1},
            {"type": "thread_rolled_back", "num_turns": "1"},
            {"type": "thread_rolled_back"},
            {"type": "thread_rolled_back", "num_turns": 0},
            {"type": "thread_rolled_back", "num_turns": -1},
            {"type": "thread_rolled_back", "num_turns": True},
        ]
        for payload in odd:
            for kind in ("compacted", "event_msg", "turn_context"):
                (found,) = read(lines(said("1"), {"type": kind, "payload": payload}))
                assert contents(found) == ["1"]


class TestGeminiCLI:
    HEADER: Final = {"sessionId": "s", "projectHash": "p", "messages": []}

    @staticmethod
    def told(id_: str, kind: str = "user", text: str | None = None, **more: Any) -> Json:
        return {"id": id_, "type": kind, "content": id_ if text is None else text, **more}

    def test_lines_of_a_recording_are_replayed(self) -> None:
        running = {"id": "c", "name": "f", "args": {}, "status": "executing"}
        done = {**running, "status": "success", "result": [{"functionResponse": {"response": {"output": "x"}}}]}
        data = lines(
            self.HEADER,
            self.told("a"),
            self.told("b", "gemini", toolCalls=[running]),
            {"$set": {"lastUpdated": "t"}},
            self.told("b", "gemini", toolCalls=[done]),
            self.told("c"),
            {"$rewindTo": "c"},
            self.told("d"),
        )
        (found,) = read(data)
        assert [record["id"] for record in found.value] == ["a", "b", "b", "d"]  # type: ignore[union-attr] # a transcript of a list
        assert contents(found)[2] == '{"output":"x"}'
        assert validated(found) == []
        assert losses(found) == [("message that was taken back", 6, "")]
        (whole,) = read(data, options=Options(history=True))
        assert len(contents(whole)) == 5

    def test_messages_that_are_set_take_the_place_of_all(self) -> None:
        called = self.told("b", "gemini", toolCalls=[{"id": "c", "name": "f", "args": {}}])
        (found,) = read(lines(self.HEADER, self.told("a"), called, {"$set": {"messages": [self.told("a", text="x")]}}))
        assert contents(found) == ["x"]
        assert losses(found) == [("message that was replaced", 3, "")]
        assert isinstance(found, Transcript)
        assert [loss.calls for loss in found.losses] == [1]
        assert found.place((0, "content")).pointer == "/$set/messages/0/content"

    def test_the_whole_history_keeps_what_was_replaced(self) -> None:
        data = lines(self.HEADER, self.told("a"), self.told("b"), {"$set": {"messages": [self.told("a", text="x")]}})
        (found,) = read(data, options=Options(history=True))
        assert (contents(found), losses(found)) == (["x", "b"], [])

    def test_a_call_that_was_cancelled_failed(self) -> None:
        for status, is_error in (("success", False), ("error", True), ("cancelled", True)):
            called = {"id": "c", "name": "f", "args": {}, "status": status, "result": "x"}
            (found,) = read(lines(self.HEADER, self.told("a", "gemini", toolCalls=[called])))
            assert isinstance(found, Transcript)
            records: Any = found.value
            assert records[1]["isError"] is is_error

    def test_a_rewind_to_what_is_not_there_takes_everything_back(self) -> None:
        targets: list[Any] = ["z", None, [], 1]
        for target in targets:
            (found,) = read(
                lines(self.HEADER, self.told("a"), {"id": 1, "type": "user", "content": "b"}, {"$rewindTo": target})
            )
            assert contents(found) == []
            assert len(losses(found)) == 2

    def test_messages_without_ids_do_not_take_the_place_of_each_other(self) -> None:
        nameless = {"type": "user", "content": "x", "id": None}
        (found,) = read(lines(self.HEADER, nameless, self.told("a"), {"$rewindTo": "a"}, nameless, nameless))
        assert contents(found) == ["x", "x", "x"]


def test_an_answer_of_nothing_is_one_message() -> None:
    tool = {"type": "tool", "callID": "c", "tool": "f", "state": {"status": "running", "input": None}}
    info = {"id": "a", "role": "assistant"}
    (found,) = read({"messages": [{"info": info, "parts": []}, {"info": info, "parts": [tool]}]})
    assert contents(found) == [[], [{"type": "toolCall", "id": "c", "name": "f", "arguments": {}}]]


def test_opencode_counts_what_it_does_not_send() -> None:
    text = {"type": "text", "text": "a", "ignored": True}
    tool = {
        "type": "tool",
        "callID": "c",
        "tool": "f",
        "state": {"status": "completed", "output": "x", "attachments": [{}]},
    }
    (found,) = read(
        {
            "messages": [
                {"info": {"id": "u", "role": "user"}, "parts": [text, {"type": "text", "text": "b"}]},
                {"info": {"id": "a", "role": "assistant"}, "parts": [text, tool, {"type": "patch"}]},
            ]
        }
    )
    assert contents(found) == ["b", [{"type": "toolCall", "id": "c", "name": "f", "arguments": {}}], "x"]
    assert validated(found) == []
    assert [kind for kind, *_ in losses(found)] == [
        "text that is not sent",
        "text that is not sent",
        "attachment",
        "patch part",
    ]
