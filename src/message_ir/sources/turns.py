"""Scopes call ids to turns, for models that restart their ids every turn and servers that send one constant id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from message_ir.sources.model import Transcript


def scoped(transcript: Transcript) -> Transcript:
    """Numbers the ids of calls by their assistant message, `call_0@2`; a result answers the last call of its id before it.

    One without a call before it answers the first after it. Only ids are changed, and none to one that is there already; what is no
    id stays as it is, and so does the id of a result without a call.
    """
    if not isinstance(transcript.value, list):
        return transcript
    mark = "@"
    while any(mark in id_ for id_ in _ids(transcript.value)):
        mark += "@"
    turn = 0
    last: dict[str, str] = {}
    first: dict[str, str] = {}
    for at, record in enumerate(_assistants(transcript.value), 1):
        for block in record["content"]:
            if (id_ := _call_id(block)) is not None:
                first.setdefault(id_, f"{id_}{mark}{at}")
    records: list[object] = []
    for record in transcript.value:
        made = record
        if isinstance(record, dict) and record.get("role") == "assistant" and isinstance(record.get("content"), list):
            turn += 1
            blocks = [(block, _call_id(block)) for block in record["content"]]
            last |= {id_: f"{id_}{mark}{turn}" for _, id_ in blocks if id_ is not None}
            made = {
                **record,
                "content": [block if id_ is None else {**block, "id": last[id_]} for block, id_ in blocks],
            }
        elif isinstance(record, dict) and record.get("role") == "toolResult":
            answered = record.get("toolCallId")
            if isinstance(answered, str) and answered in first:
                made = {**record, "toolCallId": last.get(answered, first[answered])}
        records.append(made)
    return replace(transcript, value=records)


def _assistants(records: list[Any]) -> Iterator[dict[str, Any]]:
    for record in records:
        if isinstance(record, dict) and record.get("role") == "assistant" and isinstance(record.get("content"), list):
            yield record


def _call_id(block: Any) -> str | None:
    id_ = block.get("id") if isinstance(block, dict) and block.get("type") == "toolCall" else None
    return id_ if isinstance(id_, str) and id_.strip() else None


def _ids(records: list[Any]) -> Iterator[str]:
    """All ids of calls, and those that results name."""
    for record in _assistants(records):
        yield from (id_ for block in record["content"] if (id_ := _call_id(block)) is not None)
    for record in records:
        if isinstance(record, dict) and isinstance(record.get("toolCallId"), str):
            yield record["toolCallId"]
