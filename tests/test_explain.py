"""`message-ir explain`: the reference entry of a code, and the codes behind what a model API says."""

from __future__ import annotations

import pytest

from command_line import out, run
from message_ir_types.catalogue import CATALOGUE
from message_ir_types.messages import DiagnosticCode


@pytest.mark.parametrize("code", list(DiagnosticCode))
def test_every_code_has_an_entry(code: str) -> None:
    printed = out("explain", code.lower())
    entry = CATALOGUE[DiagnosticCode(code)]
    for part in (code, entry.summary, entry.why, entry.mend, entry.broken, entry.mended):
        assert part.strip() in printed


def test_the_list() -> None:
    listed = [line.split()[0] for line in out("explain").splitlines()]
    assert listed == list(DiagnosticCode)


@pytest.mark.parametrize(
    ("error", "codes"),
    [
        (
            r"""Error code: 400 - {'error': {'message': 'messages.8: `tool_use` ids were found without
            `tool_result` blocks immediately after: toolu_01Ab. Each `tool_use` block must have …'}}""",
            ["MISSING_TOOL_RESULT"],
        ),
        (
            "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_x.",
            ["ORPHAN_TOOL_RESULT", "TOOL_RESULT_BEFORE_CALL"],
        ),
        ("messages.1.content.3: `tool_use` ids must be unique", ["DUPLICATE_TOOL_CALL_ID"]),
        (
            "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
            ["ORPHAN_TOOL_RESULT", "TOOL_RESULT_BEFORE_CALL"],
        ),
        ("No tool output found for function call call_9.", ["MISSING_TOOL_RESULT"]),
        (
            """400 INVALID_ARGUMENT. Please ensure that the number of function response parts is equal to
            the number of function call parts of the function call turn.""",
            ["DUPLICATE_TOOL_RESULT", "MISSING_TOOL_RESULT"],
        ),
        ("INVALID_ARGUMENT", ["TOOL_NAME_MISMATCH"]),
        ("Invalid 'input[3].call_id': empty string", ["INVALID_MESSAGE"]),
        ("Expected toolResult blocks at messages.4.content for the following Ids: a, b", ["MISSING_TOOL_RESULT"]),
        ("not the same number of function calls and responses", ["MISSING_TOOL_RESULT"]),
    ],
)
def test_an_error_of_a_model_api_finds_its_codes(error: str, codes: list[str]) -> None:
    done = run("explain", error)
    assert done.returncode == 0
    printed = done.stdout.decode()
    assert [code for code in DiagnosticCode if f": {code}" in printed] == codes


def test_every_sighting_finds_its_code() -> None:
    sightings = [(entry.code, each.text) for entry in CATALOGUE.values() for each in entry.seen_as]
    assert len(sightings) > 15
    for code, text in sightings:
        assert f": {code}" in out("explain", text.replace("…", "call_1"))


def test_a_text_that_is_nearly_one_finds_the_closest() -> None:
    assert "MISSING_TOOL_RESULT" in out("explain", "no tool output was found for the function call")


def test_what_is_not_known() -> None:
    done = run("explain", "MISSING_TOOL_RESULTS")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"did you mean MISSING_TOOL_RESULT?" in done.stderr
    assert run("explain", "quota exceeded").returncode == 1
