"""Validates a transcript while it grows, for agents that append a message at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from message_ir.fast_values import observe_record
from message_ir.findings import Finding
from message_ir.inspection import Call, Inspector, Observed, Result
from message_ir.linkage import CALLS, RESULTS, WALK, Links, Stage, reports
from message_ir.pointer import pointer
from message_ir.validation import diagnostics, not_inspected
from message_ir.values import PASS_THROUGH
from message_ir_types.messages import Diagnostic


class OpenCall(NamedTuple):
    """A tool call that waits for its result."""

    id: str
    """The call's own id, to which the result's `toolCallId` must be equal."""
    name: str
    """The tool's name."""
    path: str
    """The JSON Pointer of the call in the transcript."""


class TranscriptValidator:
    """Takes a transcript record by record; at any moment it says of the records so far what `validate_transcript` says of them.

    Taking a record costs its own size, whatever came before it. Asking costs what there is to report, and what came since it was asked last.
    Records are looked at once, when they are appended; what happens to them later is not seen. Not for several threads at once.
    """

    def __init__(self, records: Iterable[object] = ()) -> None:
        """Starts with an empty transcript, and takes these records."""
        self._inspector = Inspector()
        self._links = Links(Observed())
        self._length = 0
        self._failed = False
        self._walk: list[Finding] = []
        """What the walk has reported; nothing that comes later changes it."""
        self._unsettled: set[str] = set()
        """Ids of which something came since their findings were last looked for."""
        self._results: dict[str, list[Finding]] = {}
        """What is wrong with the results of an id, by ids with which anything is."""
        self._calls: dict[str, list[Finding]] = {}
        """Likewise with the call of an id."""
        self.extend(records)

    def __len__(self) -> int:
        """How many records were appended."""
        return self._length

    def append(self, record: object) -> None:
        """Takes the next record: a generated message, a dict or any other mapping, or whatever else stands there.

        Never raises; `KeyboardInterrupt` and `SystemExit` pass through.
        """
        index, self._length = self._length, self._length + 1
        self._inspector.observed = new = Observed()
        links = self._links
        try:
            observe_record(record, index, self._inspector)
            links.malformed_calls |= new.malformed_calls
            links.malformed_results |= new.malformed_results
            self._unsettled |= new.malformed_calls | new.malformed_results
            for event in new.walk:
                links.add(event)
                if not isinstance(event, Finding):
                    self._unsettled.add(event.id)
            self._walk += reports(WALK, new.walk, links)
        except PASS_THROUGH:
            raise
        except BaseException:  # noqa: BLE001 # no memory or no stack left
            self._failed = True

    def extend(self, records: Iterable[object]) -> None:
        """Takes several records, one after the other."""
        for record in records:
            self.append(record)

    @property
    def open_calls(self) -> tuple[OpenCall, ...]:
        """The calls that wait for a result, in their order: those of which MISSING_TOOL_RESULT is reported.

        A call whose id another call has too, or which is malformed itself, is not among them: no result could be told to be its own.
        """
        if self._failed:
            return ()
        self._settle()
        waiting = [self._links.calls[id_] for id_ in self._calls]
        return tuple(
            OpenCall(call.id, call.name, pointer((call.record, "content", call.block)))
            for call in sorted(waiting, key=_position)
        )

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Returns what `validate_transcript` reports of a list of all records so far."""
        if self._failed:
            return diagnostics([not_inspected()])
        self._settle()
        links = self._links
        of_results = sorted(self._results.items(), key=lambda item: links.results[item[0]][0].record)
        of_calls = sorted(self._calls.items(), key=lambda item: _position(links.calls[item[0]]))
        return diagnostics(chain(self._walk, *(found for _, found in of_results), *(found for _, found in of_calls)))

    def _settle(self) -> None:
        """Looks for findings anew, of the ids of which something came."""
        links = self._links
        for id_ in self._unsettled:
            call = links.calls.get(id_)
            self._look(RESULTS, id_, links.results.get(id_, ()), self._results)
            self._look(CALLS, id_, () if call is None else (call,), self._calls)
        self._unsettled.clear()

    def _look(self, stage: Stage, id_: str, events: Sequence[Call | Result], kept: dict[str, list[Finding]]) -> None:
        found = list(reports(stage, events, self._links))
        if found:
            kept[id_] = found
        else:
            kept.pop(id_, None)


def _position(call: Call) -> tuple[int, int]:
    return call.record, call.block
