"""Scopes call ids to turns, for models that restart their ids every turn and servers that send one constant id."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from message_ir.sources.model import Transcript


def scoped(transcript: Transcript) -> Transcript:
    """Numbers the ids of calls by their assistant message, `call_0@2`; a result answers the last call of its id before it.

    Only ids are changed. What is no id stays as it is, and so does the id of a result without a call before it.
    """
    if not isinstance(transcript.value, list):
        return transcript
    turn = 0
    last: dict[str, str] = {}
    records: list[object] = []
    for record in transcript.value:
        made = record
        if isinstance(record, dict) and record.get("role") == "assistant" and isinstance(record.get("content"), list):
            turn += 1
            made = {**record, "content": [_numbered(block, turn, last) for block in record["content"]]}
        elif isinstance(record, dict) and record.get("role") == "toolResult":
            answered = record.get("toolCallId")
            if isinstance(answered, str) and answered in last:
                made = {**record, "toolCallId": last[answered]}
        records.append(made)
    return replace(transcript, value=records)


def _numbered(block: Any, turn: int, last: dict[str, str]) -> object:
    id_ = block.get("id") if isinstance(block, dict) and block.get("type") == "toolCall" else None
    if not isinstance(id_, str) or not id_.strip():
        return block
    last[id_] = f"{id_}@{turn}"
    return {**block, "id": last[id_]}
