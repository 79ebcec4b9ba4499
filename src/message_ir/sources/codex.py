"""Rollout files of OpenAI's Codex (`rollout-*.jsonl`, since their lines have a payload): JSON lines `{timestamp, type, payload}`.

Payloads of `response_item` lines are items of the Responses API, and are read as that source says; message ids are made of
their positions among them. Other lines tell of the session, of turns and of events, and repeat in other words what the items
say, so nothing of them is left out of the transcript but what a `compacted` line put aside, which is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from message_ir.sources.assembly import Draft, Origin
from message_ir.sources.locate import Locator
from message_ir.sources.model import Options, Part, Place, Transcript, Unreadable
from message_ir.sources.openai_responses import add_items

_TYPES: Final = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


class CodexRollout:
    """The source `codex`."""

    name = "codex"
    title = "Codex rollout"
    api = "OpenAI Responses"
    lines = True

    def recognises(self, value: object) -> bool:
        """A line with a payload, of a type that rollouts have."""
        return isinstance(value, dict) and value.get("type") in _TYPES and "payload" in value

    def transcripts(
        self,
        parts: Iterator[Part | Unreadable],
        options: Options,  # noqa: ARG002 # of the interface; nothing here is set aside
    ) -> Iterator[Transcript | Unreadable]:
        """Yields what cannot be read, and then the transcript of all items."""
        draft = Draft()
        items: list[tuple[object, Origin]] = []
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
                continue
            origin = Origin(Locator(part))
            if not isinstance(part.value, dict):
                yield Unreadable(Place(part.line, 1, ""), "a rollout's lines are objects")
            elif part.value.get("type") == "response_item":
                items.append((part.value.get("payload"), origin.at("payload")))
            elif part.value.get("type") == "compacted":
                draft.lose("compaction", origin)
        add_items(draft, items)
        yield draft.transcript()
