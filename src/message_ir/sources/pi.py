"""Pi's session files (Pi 0.58 to 0.85, versions 1 to 3): JSON lines, a header and then entries.

The transcript is the active branch, from the root to the file's last entry. Version 1 is linear; from version 2 on
entries name their parents. After the last compaction on the branch, Pi replays what the compaction kept and what
came after it; so do we, and `Options.history` takes the whole branch instead.

Kept: user, assistant and toolResult messages; text blocks and tool calls. Several text blocks become one string, joined
by line feeds. A message's id is its entry's; in version 1, which has none, it is made of the line: `line-12`.
Left out and counted: images; thinking; messages of other roles; failed and aborted turns (Pi sets them aside when it
replays a session) with the results that answer them; what stands on other branches or was cut off by a compaction.
Anything malformed is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from message_ir.pointer import Path, pointer
from message_ir.sources.model import Loss, Options, Part, Place, Transcript, Unreadable

# Roles that Pi's own messages have besides; they make and answer no calls.
_OTHER_ROLES: Final = ("system", "bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary")

# Entries other than messages that Pi turns into messages of its own when it replays a session.
_OTHER_ENTRIES: Final = {
    "compaction": "compaction summary",
    "branch_summary": "branch summary",
    "custom_message": "custom message",
}

# Types of blocks that have no place in a transcript.
_LOST_BLOCKS: Final = {"thinking": "thinking block", "image": "image"}

_SET_ASIDE: Final = ("error", "aborted")


class PiSession:
    """The source `pi`."""

    name = "pi"
    title = "Pi session"
    apis: tuple[str, ...] = ()
    lines = True

    def recognises(self, value: object) -> bool:
        """A session header, or an entry with a message where the header is lost."""
        return isinstance(value, dict) and (
            value.get("type") == "session" or (value.get("type") == "message" and "message" in value)
        )

    def transcripts(self, parts: Iterator[Part | Unreadable], options: Options) -> Iterator[Transcript | Unreadable]:
        """Yields what cannot be read, and then the active branch."""
        entries: list[_Entry] = []
        header: Mapping[str, Any] = {}
        for part in parts:
            if isinstance(part, Unreadable):
                yield part
            elif not isinstance(part.value, dict):
                yield Unreadable(Place(part.line, 1, ""), "a session's entries are objects")
            elif part.value.get("type") == "session" and not entries:
                header = part.value
            else:
                entries.append(_Entry(part.value, part.line))
        yield _Branch(options).transcript(header, entries)


class _Entry(NamedTuple):
    value: Mapping[str, Any]
    line: int

    @property
    def kind(self) -> str:
        return _text(self.value.get("type"))

    @property
    def message(self) -> object:
        return self.value.get("message")

    def place(self, *path: str | int) -> Place:
        return Place(self.line, None, pointer(path))


class _Record(NamedTuple):
    """One message of the transcript, and where its parts stand in its entry."""

    value: object
    entry: _Entry
    blocks: Mapping[int, int]
    """For each block that is kept, its position in the entry's message."""

    def place(self, path: Path) -> Place:
        """Where a value stands, by its path in the record."""
        match path:
            case ("id", *_):
                return self.entry.place(*path)
            case ("content", int(block), *rest):
                return self.entry.place("message", "content", self.blocks.get(block, block), *rest)
        return self.entry.place("message", *path)


@dataclass
class _Branch:
    """The active branch in the making."""

    options: Options
    records: list[_Record] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)

    def transcript(self, header: Mapping[str, Any], entries: list[_Entry]) -> Transcript:
        linear = not _has_ids(header, entries)
        branch = entries if linear else self._active(entries)
        if not self.options.history:
            branch = self._after_compaction(branch, entries, linear=linear)
        aborted = set() if self.options.include_aborted else _calls_set_aside(branch)
        for entry in branch:
            self._entry(entry, aborted, linear=linear)
        records = self.records

        def place(path: Path) -> Place:
            return records[int(path[0])].place(path[1:]) if path else Place(1, None, "")

        return Transcript([record.value for record in records], place, self.losses)

    def _active(self, entries: list[_Entry]) -> list[_Entry]:
        """The entries from the root to the last one, by their parents; of two entries with one id the later counts."""
        by_id = {entry.value.get("id"): entry for entry in entries if _is_id(entry.value.get("id"))}
        branch: list[_Entry] = []
        seen: set[int] = set()
        entry = entries[-1] if entries else None
        while entry is not None:
            seen.add(entry.line)
            branch.append(entry)
            parent_id = entry.value.get("parentId")
            parent = by_id.get(parent_id) if _is_id(parent_id) else None
            if parent is None and parent_id is not None:
                self._lose("link to a parent that is not in the file", entry.place("parentId"))
            elif parent is not None and parent.line in seen:
                self._lose("link of an entry to itself or to one that comes after it", entry.place("parentId"))
                parent = None
            entry = parent
        for other in entries:
            if other.line not in seen and other.kind == "message":
                self._lose_message("message on another branch", other)
        return branch[::-1]

    def _after_compaction(self, branch: list[_Entry], entries: list[_Entry], *, linear: bool) -> list[_Entry]:
        """What Pi replays: from the last compaction's first kept entry on, or only what came after the compaction."""
        at = next((index for index in reversed(range(len(branch))) if branch[index].kind == "compaction"), None)
        if at is None:
            return branch
        first_kept = _first_kept(branch[at], entries, linear=linear)
        kept_from = next((index for index, entry in enumerate(branch[:at]) if first_kept is entry), at)
        for entry in branch[:kept_from]:
            if entry.kind == "message":
                self._lose_message("message cut off by a compaction", entry)
        return branch[kept_from:]

    def _entry(self, entry: _Entry, aborted: set[str], *, linear: bool) -> None:
        """Adds what one entry of the branch gives."""
        if entry.kind in _OTHER_ENTRIES:
            self._lose(_OTHER_ENTRIES[entry.kind], entry.place())
        if entry.kind != "message":
            return
        message = entry.message
        role = message.get("role") if isinstance(message, dict) else None
        if isinstance(role, str) and role in _OTHER_ROLES:
            self._lose(f"message of role {role}", entry.place("message"))
        elif not isinstance(message, dict):
            self.records.append(_Record(message, entry, {}))
        elif not self.options.include_aborted and _is_set_aside(message):
            self._lose_message("failed or aborted turn", entry)
        elif role == "toolResult" and _text(message.get("toolCallId")) in aborted:
            self._lose("result of a failed or aborted turn", entry.place("message"))
        else:
            self._message(message, entry, linear=linear)

    def _message(self, message: dict[str, Any], entry: _Entry, *, linear: bool) -> None:
        made = {key: value for key, value in message.items() if key != "id"}
        if linear:
            made["id"] = f"line-{entry.line}"
        elif "id" in entry.value:
            made["id"] = entry.value["id"]
        content = message.get("content")
        blocks: dict[int, int] = {}
        if isinstance(content, list):
            if message.get("role") == "assistant":
                kept = self._kept(content, "thinking", entry)
                made["content"] = list(kept.values())
                blocks = dict(enumerate(kept))
            elif all(_is_block(block, "text") or _is_block(block, "image") for block in content):
                texts = [block.get("text") for block in self._kept(content, "image", entry).values()]
                made["content"] = "\n".join(texts) if all(isinstance(text, str) for text in texts) else content
        self.records.append(_Record(made, entry, blocks))

    def _kept(self, content: list[Any], lost: str, entry: _Entry) -> dict[int, Any]:
        """The blocks by their positions, but for those of the type that has no place in a transcript."""
        kept: dict[int, Any] = {}
        for at, block in enumerate(content):
            if _is_block(block, lost):
                self._lose(_LOST_BLOCKS[lost], entry.place("message", "content", at))
            else:
                kept[at] = block
        return kept

    def _lose(self, kind: str, place: Place, calls: int = 0) -> None:
        self.losses.append(Loss(kind, place, calls))

    def _lose_message(self, kind: str, entry: _Entry) -> None:
        self._lose(kind, entry.place("message"), len(_call_ids(entry.message)))


def _has_ids(header: Mapping[str, Any], entries: list[_Entry]) -> bool:
    """Whether entries form a tree: from version 2 on, and where the header is lost, if entries have ids."""
    if header:
        version = header.get("version", 1)
        return not isinstance(version, int) or version > 1
    return any("id" in entry.value for entry in entries)


def _first_kept(compaction: _Entry, entries: list[_Entry], *, linear: bool) -> _Entry | None:
    if linear and "firstKeptEntryIndex" in compaction.value:
        # Version 1 counts the header as entry 0.
        index = compaction.value["firstKeptEntryIndex"]
        return entries[index - 1] if isinstance(index, int) and 0 < index <= len(entries) else None
    kept = compaction.value.get("firstKeptEntryId")
    return next((entry for entry in reversed(entries) if _is_id(kept) and entry.value.get("id") == kept), None)


def _calls_set_aside(branch: list[_Entry]) -> set[str]:
    """The ids of calls that only failed and aborted turns make."""
    messages = [entry.message for entry in branch if entry.kind == "message" and isinstance(entry.message, dict)]
    aside = {call for message in messages if _is_set_aside(message) for call in _call_ids(message)}
    kept = {call for message in messages if not _is_set_aside(message) for call in _call_ids(message)}
    return aside - kept - {""}


def _is_set_aside(message: object) -> bool:
    return isinstance(message, dict) and message.get("role") == "assistant" and message.get("stopReason") in _SET_ASIDE


def _call_ids(message: object) -> list[str]:
    content = message.get("content") if isinstance(message, dict) and message.get("role") == "assistant" else None
    blocks = content if isinstance(content, list) else []
    return [_text(block.get("id")) for block in blocks if _is_block(block, "toolCall")]


def _is_block(block: object, kind: str) -> bool:
    return isinstance(block, dict) and block.get("type") == kind


def _is_id(value: object) -> bool:
    return isinstance(value, str)


def _text(value: object) -> str:
    """A string as it is, and the empty one for anything else, which is no id."""
    return value if isinstance(value, str) else ""
