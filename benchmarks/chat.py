"""Our transcripts as messages of OpenAI's Chat Completions, one message for one: a form that the published validators take."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchmarks.workload import Json


def chat(transcript: Sequence[Json]) -> list[Json]:
    """Rewrites a transcript; what is malformed in ours is as malformed afterwards, where that form has a place for it."""
    return [_FORMS[message["role"]](message) for message in transcript]


def _assistant(message: Json) -> Json:
    blocks = message["content"]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    calls = [
        {
            "id": block["id"],
            "type": "function",
            "function": {"name": block["name"], "arguments": json.dumps(block["arguments"])},
        }
        for block in blocks
        if block["type"] == "toolCall"
    ]
    written: Json = {"role": "assistant", "content": "".join(texts) or None}
    return written | {"tool_calls": calls} if calls else written


_FORMS: Final[Mapping[str, Callable[[Json], Json]]] = {
    "user": lambda message: {"role": "user", "content": message["content"]},
    "assistant": _assistant,
    "toolResult": lambda message: {
        "role": "tool",
        "tool_call_id": message["toolCallId"],
        "content": message["content"],
    },
}
