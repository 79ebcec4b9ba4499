"""The linkage contract once more, straight from its statements: quantifiers over all pairs, and no code of the package.

An event is one call or one result, well-formed or malformed, as `test_exhaustive` lays them out in records.
Slow on purpose: every rule looks at every pair.
"""

from __future__ import annotations

from typing import NamedTuple

Report = tuple[str, int, str, tuple[str, ...]]
"""Code, messageIndex, path, related."""


class Event(NamedTuple):
    """One call or result of a transcript."""

    is_call: bool
    id: str
    name: str
    """Empty for a malformed one."""
    record: int
    block: int = 0

    @property
    def at(self) -> str:
        return f"/{self.record}/content/{self.block}" if self.is_call else f"/{self.record}"

    @property
    def id_path(self) -> str:
        return f"{self.at}/id" if self.is_call else f"{self.at}/toolCallId"

    @property
    def name_path(self) -> str:
        return f"{self.at}/name" if self.is_call else f"{self.at}/toolName"


def reports(events: list[Event]) -> list[Report]:
    """Everything that the contract says of a transcript of these events, in its order."""
    calls = [event for event in events if event.is_call and event.name]
    results = [event for event in events if not event.is_call and event.name]
    bad_calls = {event.id for event in events if event.is_call and not event.name}
    bad_results = {event.id for event in events if not event.is_call and not event.name}
    ambiguous = {one.id for one in calls for other in calls if one is not other and one.id == other.id}

    walk: list[Report] = []
    for event in events:
        same = [other for other in (calls if event.is_call else results) if other.id == event.id]
        if not event.name:
            walk.append(("EMPTY_TOOL_NAME", event.record, event.name_path, ()))
        elif any(position(other) < position(event) for other in same):
            code = "DUPLICATE_TOOL_CALL_ID" if event.is_call else "DUPLICATE_TOOL_RESULT"
            first = min(same, key=position)
            walk.append((code, event.record, event.id_path, (first.id_path,)))

    of_results: list[tuple[tuple[int, int], int, Report]] = []
    for result in results:
        first_of_id = min(position(other) for other in results if other.id == result.id)
        report = of_result(result, calls, ambiguous | bad_calls)
        if report:
            of_results.append((first_of_id, result.record, report))

    of_calls = [
        (position(call), ("MISSING_TOOL_RESULT", call.record, call.id_path, ()))
        for call in calls
        if call.id not in ambiguous | bad_calls | bad_results
        and not any(result.id == call.id and result.record > call.record for result in results)
    ]
    return [*walk, *(report for *_, report in sorted(of_results)), *(report for _, report in sorted(of_calls))]


def of_result(result: Event, calls: list[Event], explained: set[str]) -> Report | None:
    """The one report of rules 3 and 4 on a result."""
    if result.id in explained:
        return None
    if not any(call.id == result.id for call in calls):
        return ("ORPHAN_TOOL_RESULT", result.record, result.id_path, ())
    (call,) = [call for call in calls if call.id == result.id]
    if result.record <= call.record:
        return ("TOOL_RESULT_BEFORE_CALL", result.record, result.id_path, (call.id_path,))
    if result.name != call.name:
        return ("TOOL_NAME_MISMATCH", result.record, result.name_path, (call.name_path,))
    return None


def position(event: Event) -> tuple[int, int]:
    """Where an event stands in the walk."""
    return event.record, event.block
