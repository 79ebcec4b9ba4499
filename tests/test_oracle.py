"""Transcripts with known answers from elsewhere, where they lie beside the checkout: 1,500 random ones, and real faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from message_ir import validate_json, validate_transcript

SHARED = Path(__file__).parents[2] / "shared"
ORACLE = SHARED / "oracle/oracle.jsonl"
FAULTS = SHARED / "cases/faults.json"


def codes(transcript: Any) -> list[dict[str, Any]]:
    return [{"code": each.code, "messageIndex": each.message_index} for each in validate_transcript(transcript)]


# Not collected, rather than skipped, where the files are not there.
if ORACLE.exists():

    def test_every_answer_of_the_oracle_is_ours_in_its_order() -> None:
        lines = [json.loads(line) for line in ORACLE.read_text(encoding="utf-8").splitlines()]
        assert len(lines) == 1500
        assert [line for line in lines if codes(line["transcript"]) != line["expected"]] == []
        for line in lines:
            assert validate_json(json.dumps(line["transcript"])) == validate_transcript(line["transcript"])


if FAULTS.exists():
    OWN = [
        fault
        for fault in json.loads(FAULTS.read_text(encoding="utf-8"))
        if fault["shape"] == "ir" and fault["transcript"]
    ]

    @pytest.mark.parametrize("fault", OWN, ids=[fault["id"] for fault in OWN])
    def test_every_fault_in_our_own_form_is_reported_as_expected(fault: dict[str, Any]) -> None:
        assert fault["expected"] is not None
        assert codes(fault["transcript"]) == fault["expected"]
