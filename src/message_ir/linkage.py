"""The rules that tie calls and results together, as one table, and the order in which they report.

A rule is a function of one shape: it takes a call or a result and the links of the whole transcript, and returns a
finding or None. It sees only what inspection observed, never the input. Clauses `linkage.*`, `silence.*` and `order.*`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from message_ir.findings import Finding
from message_ir.inspection import Call, Observed, Result
from message_ir.pointer import Path
from message_ir.quoting import quote
from message_ir_types.messages import DiagnosticCode


class Links:
    """Which calls and results carry which ids."""

    def __init__(self, observed: Observed) -> None:
        self.walk = observed.walk
        self.malformed_calls = observed.malformed_calls
        self.malformed_results = observed.malformed_results
        self.calls: dict[str, Call] = {}
        """The first call of each id."""
        self.results: dict[str, list[Result]] = {}
        """All results of each id, by position; the ids in order of first appearance."""
        self.ambiguous: set[str] = set()
        """The ids that several calls carry."""
        for event in observed.walk:
            self.add(event)

    def add(self, event: Finding | Call | Result) -> None:
        """Links the next event of the walk."""
        if type(event) is Call:
            if self.calls.setdefault(event.id, event) is not event:
                self.ambiguous.add(event.id)
        elif type(event) is Result:
            self.results.setdefault(event.id, []).append(event)

    def call_of(self, result: Result) -> Call | None:
        """The one call that a result answers; None where there is none, or where its id is ambiguous or malformed."""
        explained = result.id in self.ambiguous or result.id in self.malformed_calls
        return None if explained else self.calls.get(result.id)


def duplicate_call(call: Call, links: Links) -> Finding | None:
    """Another call has the id first."""
    first = links.calls[call.id]
    if first is call:
        return None
    facts = {"id": quote(call.id)}
    return Finding(DiagnosticCode.DUPLICATE_TOOL_CALL_ID, _id(call), (_id(first),), facts=facts)


def duplicate_result(result: Result, links: Links) -> Finding | None:
    """Another result answers the id first."""
    first = links.results[result.id][0]
    if first is result:
        return None
    facts = {"id": quote(result.id)}
    return Finding(DiagnosticCode.DUPLICATE_TOOL_RESULT, _tool_call_id(result), (_tool_call_id(first),), facts=facts)


def orphan(result: Result, links: Links) -> Finding | None:
    """No call carries the id, not even a malformed one."""
    if result.id in links.calls or result.id in links.malformed_calls:
        return None
    return Finding(DiagnosticCode.ORPHAN_TOOL_RESULT, _tool_call_id(result), facts={"id": quote(result.id)})


def before_call(result: Result, links: Links) -> Finding | None:
    """The result stands at or before its call's record."""
    call = links.call_of(result)
    if call is None or result.record > call.record:
        return None
    facts = {"id": quote(result.id)}
    return Finding(DiagnosticCode.TOOL_RESULT_BEFORE_CALL, _tool_call_id(result), (_id(call),), facts=facts)


def name_mismatch(result: Result, links: Links) -> Finding | None:
    """The result stands after its call and names another tool."""
    call = links.call_of(result)
    if call is None or result.record <= call.record or result.name == call.name:
        return None
    return Finding(
        DiagnosticCode.TOOL_NAME_MISMATCH,
        (result.record, "toolName"),
        ((call.record, "content", call.block, "name"),),
        facts={"id": quote(call.id), "name": quote(result.name), "callName": quote(call.name)},
    )


def missing(call: Call, links: Links) -> Finding | None:
    """No result of the call stands in a later record, and no malformed one either."""
    if call.id in links.ambiguous or call.id in links.malformed_calls or call.id in links.malformed_results:
        return None
    # Results are in order, so the last one tells.
    results = links.results.get(call.id)
    if results is not None and results[-1].record > call.record:
        return None
    return Finding(DiagnosticCode.MISSING_TOOL_RESULT, _id(call), facts={"id": quote(call.id)})


class Rule(NamedTuple):
    """One rule: the code that it reports, and what it judges."""

    code: DiagnosticCode
    about: type[Call | Result]
    judge: Callable[[Call, Links], Finding | None] | Callable[[Result, Links], Finding | None]


class Stage(NamedTuple):
    """Rules that report together, in the order of the events that they judge."""

    events: Callable[[Links], Iterable[Finding | Call | Result]]
    rules: tuple[Rule, ...]


# Stages report one after the other (clauses order.walk, order.results, order.calls).
# What the walk says of an event depends on nothing that comes after it; what the others say, on all events of its id.
WALK: Final = Stage(
    lambda links: links.walk,
    (
        Rule(DiagnosticCode.DUPLICATE_TOOL_CALL_ID, Call, duplicate_call),
        Rule(DiagnosticCode.DUPLICATE_TOOL_RESULT, Result, duplicate_result),
    ),
)
RESULTS: Final = Stage(
    lambda links: chain.from_iterable(links.results.values()),
    (
        Rule(DiagnosticCode.ORPHAN_TOOL_RESULT, Result, orphan),
        Rule(DiagnosticCode.TOOL_RESULT_BEFORE_CALL, Result, before_call),
        Rule(DiagnosticCode.TOOL_NAME_MISMATCH, Result, name_mismatch),
    ),
)
CALLS: Final = Stage(lambda links: links.calls.values(), (Rule(DiagnosticCode.MISSING_TOOL_RESULT, Call, missing),))
STAGES: Final = (WALK, RESULTS, CALLS)


def findings(observed: Observed) -> Iterator[Finding]:
    """Yields every finding of a transcript, shapes and linkage, in the order of the contract."""
    links = Links(observed)
    for stage in STAGES:
        yield from reports(stage, stage.events(links), links)


def reports(stage: Stage, events: Iterable[Finding | Call | Result], links: Links) -> Iterator[Finding]:
    """Yields what the rules of a stage say of events, and the findings among these."""
    rules = stage.rules
    for event in events:
        kind = type(event)
        if kind is Finding:
            yield event  # type: ignore[misc] # it is one
        for _, about, judge in rules:
            if kind is about and (finding := judge(event, links)):  # type: ignore[arg-type] # matched
                yield finding


def _id(call: Call) -> Path:
    return (call.record, "content", call.block, "id")


def _tool_call_id(result: Result) -> Path:
    return (result.record, "toolCallId")
