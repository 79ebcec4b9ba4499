"""Sessions of opencode as `opencode export` writes them (1.0 to 1.2): one JSON document with `info` and `messages`.

Each message is `{info, parts}`. Kept: messages of users and assistants with their text; `tool` parts as calls, and as results where they
were completed or failed; each step of an assistant's message is a record with its results after it. Message ids are opencode's own.
Several texts of a user become one string, joined by line feeds.
Left out and counted: reasoning, files, attachments, text that is not sent (`ignored`), and parts of other types (snapshots, patches, retries, compactions).
Anything malformed is passed on as it is.
"""

from __future__ import annotations

from typing import Any, Final

from message_ir.sources.assembly import Draft, Origin, Origins, Steps, Texts, is_type, listed, renamed, text_of
from message_ir.sources.documents import OwnMessages

_TEXTS: Final = Texts(frozenset({"text"}), {"reasoning": "reasoning", "file": "file"})

# They tell where a step begins and ends, and hold nothing else.
_STEPS: Final = ("step-start", "step-finish")

# The states of tools that were answered: the field of the answer, and whether it is an error.
_ANSWERED: Final = {"completed": ("output", False), "error": ("error", True)}


class OpencodeSession(OwnMessages):
    """The source `opencode`."""

    name = "opencode"
    title = "opencode session"

    def is_message(self, value: object) -> bool:
        """A message on a line."""
        return self.is_own(value)

    def is_own(self, message: object) -> bool:
        """A message with an `info` that says its role, and parts."""
        info = message.get("info") if isinstance(message, dict) else None
        return isinstance(message, dict) and isinstance(info, dict) and "role" in info and "parts" in message

    def add_messages(self, draft: Draft, messages: list[tuple[object, Origin]]) -> None:
        """Adds the records that each message makes."""
        for message, origin in messages:
            info = message.get("info") if isinstance(message, dict) else None
            if not isinstance(message, dict) or not isinstance(info, dict):
                draft.carry(message, origin)
                continue
            header = renamed(info, {"id": "id", "role": "role"})
            parts, at_parts = message.get("parts"), origin.at("parts")
            if header.get("role") == "assistant" and isinstance(parts, list):
                _add_assistant(draft, header.get("id"), listed(parts, at_parts), origin)
            else:
                kept = (
                    [each for each in listed(parts, at_parts) if not _is_ignored(draft, *each)]
                    if isinstance(parts, list)
                    else None
                )
                content = parts if kept is None else _TEXTS.joined(kept, draft)
                at_info = origin.at("info")
                places: Origins = {
                    (): origin,
                    ("id",): at_info.at("id"),
                    ("role",): at_info.at("role"),
                    ("content",): at_parts,
                }
                draft.add({**header, "content": content}, places)


def _is_ignored(draft: Draft, part: object, origin: Origin) -> bool:
    """Whether a text is shown to the user alone; counts it then."""
    is_ignored = isinstance(part, dict) and is_type(part, "text") and part.get("ignored") is True
    if is_ignored:
        draft.lose("text that is not sent", origin)
    return is_ignored


def _add_assistant(draft: Draft, id_: object, parts: list[tuple[object, Origin]], origin: Origin) -> None:
    steps = Steps(draft, id_, origin)
    for part, here in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str):
            steps.blocks.add(part, here)
        elif kind in _STEPS:
            steps.end_step()
        elif kind == "tool":
            _add_tool(draft, steps, part, here)
        elif kind != "text":
            draft.lose(_TEXTS.lost.get(kind, f"{kind} part"), here)
        elif not _is_ignored(draft, part, here):
            steps.blocks.add(renamed(part, {"type": "type", "text": "text"}), here)
    steps.end()


def _add_tool(draft: Draft, steps: Steps, part: dict[str, Any], origin: Origin) -> None:
    """Adds the call that a tool part is, and the result that its state has."""
    state, at_state = part.get("state"), origin.at("state")
    if not isinstance(state, dict):
        steps.blocks.add({**part, "state": state}, origin)
        return
    # While it is still coming in, input is text in another field.
    arguments = state["input"] if state.get("input") is not None else {}
    call = {"type": "toolCall", **renamed(part, {"callID": "id", "tool": "name"}), "arguments": arguments}
    places = {"id": origin.at("callID"), "name": origin.at("tool"), "arguments": at_state.at("input")}
    steps.blocks.add(call, origin, places)
    status = state.get("status")
    if not isinstance(status, str) or status not in _ANSWERED:
        return
    if state.get("attachments"):
        draft.lose("attachment", at_state.at("attachments"))
    field, is_error = _ANSWERED[status]
    fields = {
        **renamed(part, {"callID": "toolCallId", "tool": "toolName"}),
        "content": text_of(state.get(field)),
        "isError": is_error,
    }
    at_content = at_state.at(field).leaf()
    steps.add_result(
        fields,
        {(): origin, ("toolCallId",): origin.at("callID"), ("toolName",): origin.at("tool"), ("content",): at_content},
    )
