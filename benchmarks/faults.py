"""Breaks a clean transcript in one place, in a way that real ones break.

Of each fault the validator must report its code, once and before all else; else it reports only, of a result that comes
before its call, that the call has none after it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Final, NamedTuple

from benchmarks.workload import Json, Random
from message_ir_types.messages import DiagnosticCode


class Round(NamedTuple):
    """One call and its result, and where they stand."""

    asked: int
    call: Json
    answered: int
    result: Json


def broken(made: Sequence[Sequence[Json]], random: Random) -> list[list[Json]]:
    """Copies of transcripts, each with one fault; the codes take turns."""
    return [plant(transcript, code, random) for transcript, code in zip(made, cycle(FAULTS), strict=False)]


def plant(transcript: Sequence[Json], code: DiagnosticCode, random: Random) -> list[Json]:
    """A copy of a clean transcript with one fault, for which the validator reports this code."""
    messages = copy.deepcopy(list(transcript))
    rounds = _rounds(messages)
    FAULTS[code](messages, rounds[random.below(len(rounds))])
    return messages


def _rounds(messages: Sequence[Json]) -> list[Round]:
    calls: dict[str, tuple[int, Json]] = {}
    rounds = []
    for index, message in enumerate(messages):
        if message["role"] == "assistant":
            calls |= {block["id"]: (index, block) for block in message["content"] if block["type"] == "toolCall"}
        elif message["role"] == "toolResult":
            rounds.append(Round(*calls[message["toolCallId"]], index, message))
    return rounds


def _invalid_message(messages: list[Json], round_: Round) -> None:
    """A user message without content, as a client writes it that sends what it did not get."""
    index = next(index for index in range(round_.asked, -1, -1) if messages[index]["role"] == "user")
    messages[index]["content"] = None


def _arguments_as_text(messages: list[Json], round_: Round) -> None:
    """Arguments as some APIs have them: as JSON text."""
    del messages
    round_.call["arguments"] = json.dumps(round_.call["arguments"])


def _call_twice(messages: list[Json], round_: Round) -> None:
    messages[round_.asked]["content"].append(copy.deepcopy(round_.call))


def _result_twice(messages: list[Json], round_: Round) -> None:
    messages.insert(round_.answered + 1, round_.result | {"id": f"{round_.result['id']}_again"})


def _result_of_lost_call(messages: list[Json], round_: Round) -> None:
    lost = {"id": f"{round_.result['id']}_lost", "toolCallId": f"{round_.call['id']}_lost"}
    messages.insert(round_.answered + 1, round_.result | lost)


def _result_first(messages: list[Json], round_: Round) -> None:
    messages.insert(round_.asked, messages.pop(round_.answered))


def _result_lost(messages: list[Json], round_: Round) -> None:
    del messages[round_.answered]


FAULTS: Final[Mapping[DiagnosticCode, Callable[[list[Json], Round], None]]] = {
    DiagnosticCode.INVALID_MESSAGE: _invalid_message,
    DiagnosticCode.EMPTY_TOOL_NAME: lambda _, round_: round_.call.update(name=""),
    DiagnosticCode.INVALID_TOOL_ARGUMENTS: _arguments_as_text,
    DiagnosticCode.DUPLICATE_TOOL_CALL_ID: _call_twice,
    DiagnosticCode.DUPLICATE_TOOL_RESULT: _result_twice,
    DiagnosticCode.ORPHAN_TOOL_RESULT: _result_of_lost_call,
    DiagnosticCode.TOOL_RESULT_BEFORE_CALL: _result_first,
    DiagnosticCode.TOOL_NAME_MISMATCH: lambda _, round_: round_.result.update(toolName=f"{round_.call['name']}_file"),
    DiagnosticCode.MISSING_TOOL_RESULT: _result_lost,
}
"""What breaks a transcript so that it is reported under each code; after `INVALID_TRANSCRIPT` there would be no messages left."""
