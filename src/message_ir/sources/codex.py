"""Rollout files of OpenAI's Codex (`rollout-*.jsonl`, since their lines have a payload): JSON lines `{timestamp, type, payload}`.

Payloads of `response_item` lines are items of the Responses API, and are read as that source says; message ids are made of
their positions among those that are taken. The transcript is what Codex replays when it resumes the session: a compaction
puts its `replacement_history` in the place of all items before it, or keeps of them the user's messages alone where it has none; a
rollback takes back the user's last turns. So the output of a call that such a compaction cut off is an orphan, here as there. `Options.history` takes every item instead.
Left out and counted: what `openai-responses` leaves out, the compactions, and the items that they and rollbacks cut off. The other lines tell
of the session, of turns and of events, and repeat in other words what the items say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from message_ir.sources.assembly import Draft, Origin, is_type, listed
from message_ir.sources.locate import Locator
from message_ir.sources.model import Options, Part, Place, Transcript, Unreadable
from message_ir.sources.openai_responses import add_items, is_call

_TYPES: Final = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")

# How messages begin that are of the user's role and that no user wrote, in small letters; a rollback does not count them as turns.
_CONTEXT: Final = (
    "# agents.md instructions",
    "<environment_context>",
    "<goal_context>",
    "<hook_prompt",
    "<skill>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
    "<user_shell_command>",
)


class CodexRollout:
    """The source `codex`."""

    name = "codex"
    title = "Codex rollout"
    apis: tuple[str, ...] = ("OpenAI Responses",)
    lines = True

    def recognises(self, value: object) -> bool:
        """A line with a payload, of a type that rollouts have."""
        return isinstance(value, dict) and value.get("type") in _TYPES and "payload" in value

    def transcripts(self, parts: Iterator[Part | Unreadable], options: Options) -> Iterator[Transcript | Unreadable]:
        """Yields what cannot be read, and then the transcript of the items that a resumed session has."""
        replay = _Replay(options)
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            elif not isinstance(part.value, dict):
                yield Unreadable(Place(part.line, 1, ""), "a rollout's lines are objects")
            else:
                replay.add(part.value, Origin(Locator(part)))
        yield replay.transcript()


class _Replay:
    """The items of a session, line by line."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._draft = Draft()
        self._items: list[tuple[object, Origin]] = []

    def add(self, line: dict[str, Any], origin: Origin) -> None:
        """Takes one line into account."""
        kind, payload, at_payload = line.get("type"), line.get("payload"), origin.at("payload")
        if kind == "response_item":
            self._items.append((payload, at_payload))
        elif kind == "compacted":
            self._draft.lose("compaction", origin)
            self._compact(payload, at_payload)
        elif kind == "event_msg" and is_type(payload, "thread_rolled_back"):
            self._roll_back(payload)

    def transcript(self) -> Transcript:
        """The transcript of the items that are left."""
        add_items(self._draft, self._items)
        return self._draft.transcript()

    def _compact(self, payload: object, origin: Origin) -> None:
        if self._options.history:
            return
        instead = payload.get("replacement_history") if isinstance(payload, dict) else None
        kept: list[tuple[object, Origin]] = []
        cut: list[tuple[object, Origin]] = []
        for item, here in self._items:
            is_kept = not isinstance(instead, list) and _is_said_by_user(item)
            (kept if is_kept else cut).append((item, here))
        self._cut(cut, "item cut off by a compaction")
        self._items = listed(instead, origin.at("replacement_history")) if isinstance(instead, list) else kept

    def _roll_back(self, payload: Any) -> None:
        turns = payload.get("num_turns")
        begins = [at for at, (item, _) in enumerate(self._items) if _is_said_by_user(item)]
        if self._options.history or type(turns) is not int or turns < 1 or not begins:
            return
        cut = begins[max(0, len(begins) - turns)]
        self._cut(self._items[cut:], "item of a turn that was rolled back")
        del self._items[cut:]

    def _cut(self, items: list[tuple[object, Origin]], kind: str) -> None:
        for item, origin in items:
            self._draft.lose(kind, origin, int(isinstance(item, dict) and is_call(item)))


def _is_said_by_user(item: object) -> bool:
    """Whether an item is a message that a user wrote."""
    if not isinstance(item, dict) or item.get("type") != "message" or item.get("role") != "user":
        return False
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return not any(isinstance(text, str) and text.lstrip().lower().startswith(_CONTEXT) for text in texts)
