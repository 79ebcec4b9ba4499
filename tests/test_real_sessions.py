"""Session files that real agents wrote, where they lie beside the checkout: the figures that a person can count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import out, run

REAL = Path(__file__).parents[2] / "shared/real"
PI = REAL / "pi/session.jsonl"

# Not collected, rather than skipped, where the files are not there.
if PI.exists():

    def test_a_real_pi_session_is_clean_with_its_aborted_turns_set_aside() -> None:
        document = json.loads(out("check", "--format", "json", PI))
        (file,) = document["files"]
        assert document["findings"] == []
        assert (file["format"], file["transcripts"], file["messages"], file["calls"]) == ("pi", 1, 892, 373)
        aborted = [loss for loss in file["losses"] if loss["kind"] == "failed or aborted turn"]
        assert (len(aborted), sum(loss["calls"] for loss in aborted)) == (22, 18)
        assert [loss["kind"] for loss in file["losses"] if loss not in aborted] == ["thinking block"]
        assert run("check", PI).returncode == 0

    def test_with_its_aborted_turns_every_unanswered_call_is_reported_at_its_line() -> None:
        document = json.loads(out("check", "--include-aborted", "--format", "json", PI))
        assert (document["files"][0]["messages"], document["files"][0]["calls"]) == (914, 391)
        assert [found["code"] for found in document["findings"]] == ["MISSING_TOOL_RESULT"] * 18
        lines = [json.loads(line) for line in PI.read_text(encoding="utf-8").splitlines()]
        for found in document["findings"]:
            message = lines[found["place"]["line"] - 1]["message"]
            _, field, _, block, name = found["place"]["pointer"].split("/")
            assert (field, name, message["stopReason"] in {"error", "aborted"}) == ("message", "id", True)
            answered = [line["message"].get("toolCallId") for line in lines if line["type"] == "message"]
            assert message["content"][int(block)]["id"] not in answered

    @pytest.mark.parametrize("options", [[], ["--history"], ["--include-aborted"]])
    def test_a_session_of_version_3_is_clean(options: list[str]) -> None:
        document = json.loads(out("check", *options, "--format", "json", REAL / "letta/pi.jsonl"))
        assert (document["findings"], document["files"][0]["messages"], document["files"][0]["calls"]) == ([], 6, 2)
