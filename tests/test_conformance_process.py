"""A port may crash, hang, print rubbish or answer twice: only the case at which it does so is errored, the rest goes on."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from message_ir.conformance.process import PortError, PortProcess
from message_ir.conformance.runner import answers, run
from message_ir.conformance.suite import Case, Verdict, load

PORT = Path(__file__).parent / "misbehaving_port.py"
ORPHAN = {"code": "ORPHAN_TOOL_RESULT", "messageIndex": 0, "path": "/0/toolCallId", "related": []}


def command(way: str) -> list[str]:
    return [sys.executable, str(PORT), way]


def case(id_: str, tool_call_id: str) -> Case:
    result = {
        "id": "r",
        "role": "toolResult",
        "toolCallId": tool_call_id,
        "toolName": "x",
        "content": "",
        "isError": False,
    }
    return Case(id_, "Test", "A test.", ["linkage.orphan"], "validate", [result], [ORPHAN])


CASES = [case(f"good-{number}", f"c{number}") for number in range(40)]
TRAP = case("trap", "trap")


def verdicts(way: str, *cases: Case, timeout: float = 20) -> dict[str, Verdict]:
    with PortProcess(command(way), timeout) as port:
        return {verdict.case.id: verdict for verdict in run(cases, port, seed=3)}


def test_a_port_that_behaves_passes_everything() -> None:
    found = verdicts("well", *CASES, TRAP)
    assert {verdict.outcome for verdict in found.values()} == {"passed"}
    assert len(found["trap"].answers) == 7  # itself, and six variants


# How each way to misbehave is told.
ERRORED = {
    "crash": "it ended with exit code 1: it hurts",
    "silent-end": "it ended with exit code 0",
    "rubbish": "it printed what is not JSON: 'DEBUG: here I am'",
    "twice": "it answered twice",
    "other-handle": "which was not asked",
    "no-result": "its answer is not of the protocol",
    "no-array": "its answer is not of the protocol",
    "errored": "cannot do this",
    "undelivered": "it said undelivered, but nothing in the input is a host value",
    "not-utf8": "it printed what is not JSON",
    "deep": "it printed what is not JSON",
    "endless-line": "it printed what is not JSON: 'xxxx",
}


@pytest.mark.parametrize("way", ERRORED)
def test_a_port_that_misbehaves_at_one_case_is_errored_at_that_case_alone(way: str) -> None:
    found = verdicts(way, *CASES, TRAP)
    outcomes = {id_: verdict.outcome for id_, verdict in found.items()}
    assert outcomes.pop("trap") == "errored"
    assert set(outcomes.values()) == {"passed"}
    assert len(outcomes) == len(CASES)
    # The variant with renamed ids holds no trap; every other part does.
    details = {answer.request.part: answer.detail for answer in found["trap"].answers if answer.outcome == "errored"}
    assert details.keys() >= {"case", "keys reordered", "properties added", "round appended", "round prepended"}
    assert all(ERRORED[way] in detail for detail in details.values()), details
    assert all(len(verdict.answers) == 7 for id_, verdict in found.items() if id_ != "trap")


def test_a_port_that_hangs_is_ended_after_the_timeout() -> None:
    # A text has no variants, so it hangs but twice: among others, and alone.
    trap = Case("trap", "Test", "A test.", ["construct.text"], "text", {"id": "trap", "content": []}, {"text": ""})
    found = verdicts("hang", *CASES[:3], trap, timeout=5)
    assert found.pop("trap").worst.detail == "it did not answer within 5 seconds"
    assert {verdict.outcome for verdict in found.values()} == {"passed"}


def test_what_is_wrong_is_failed_and_not_errored() -> None:
    found = verdicts("wrong", *CASES, TRAP)
    assert found["trap"].outcome == "failed"
    assert found["trap"].worst.got == {"diagnostics": []}
    assert found["trap"].observed == "failed with nothing reported"


def test_answers_may_come_in_any_order() -> None:
    found = verdicts("backwards", *CASES[:4])
    assert {verdict.outcome for verdict in found.values()} == {"passed"}


def test_a_second_answer_after_the_last_case_counts() -> None:
    found = verdicts("twice-at-the-end", *CASES)
    (errored,) = [verdict for verdict in found.values() if verdict.outcome == "errored"]
    assert errored.worst.detail == "it answered twice"


def test_what_is_said_after_the_last_answer_is_a_complaint_and_loses_no_answer() -> None:
    with PortProcess(command("talkative"), 20) as port:
        found = run(CASES, port, seed=3)
        assert {verdict.outcome for verdict in found} == {"passed"}
        assert port.complaint == "after the last answer it printed what is not JSON: 'bye'"


def test_an_empty_related_may_be_left_out() -> None:
    assert verdicts("no-related", TRAP)["trap"].outcome == "passed"


def test_what_is_observed_does_not_hang_on_the_order_of_answers() -> None:
    observed = set()
    for seed in range(5):
        with PortProcess(command("wrong"), 20) as port:
            (verdict,) = run([TRAP], port, seed)
            parts = [answer.request.part for answer in verdict.answers]
            observed.add((verdict.observed, *parts))
    assert len(observed) == 1


def test_what_a_wrapper_started_is_ended_with_it(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    script = f"sleep 600 & echo $! > {file}; wait"
    with pytest.raises(PortError), PortProcess(["sh", "-c", script], 5):
        pass
    for _ in range(50):
        if not is_running(int(file.read_text(encoding="utf-8"))):
            return
        time.sleep(0.1)
    pytest.fail("the wrapper's child lives on")


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split()[2]
    except OSError:
        return False
    return state != "Z"


def test_a_port_that_does_not_end_is_ended() -> None:
    began = time.monotonic()
    assert {verdict.outcome for verdict in verdicts("stubborn", *CASES).values()} == {"passed"}
    assert time.monotonic() - began < 60


def test_a_port_that_always_crashes_is_given_up() -> None:
    with pytest.raises(PortError, match=r"it was started 10 times and answered nothing: .*never again"):
        verdicts("always-crash", *CASES)


def test_a_port_that_introduces_itself_badly_cannot_be_used() -> None:
    with pytest.raises(PortError, match="it did not introduce itself: its answer is not of the protocol"):
        verdicts("rude", *CASES)


def test_a_command_that_does_not_exist_cannot_be_started() -> None:
    with (
        pytest.raises(PortError, match="no-such-command cannot be started: No such file"),
        PortProcess(["no-such-command"], 1),
    ):
        pass


def test_what_a_port_cannot_do_is_never_a_pass() -> None:
    nan = Case("nan", "Test", "A test.", ["arguments.numbers"], "text", {"content": {"$host": "nan"}}, {"text": ""})
    text = Case("text", "Test", "A test.", ["text.json"], "validateText", {"text": "["}, [])
    for way, id_, outcome, detail in (
        ("able-to-nothing", "good-0", "unsupported", "validate"),
        ("no-text", "text", "unsupported", "validateText"),
        ("no-hosts", "nan", "undelivered", "no such thing here"),
    ):
        verdict = verdicts(way, *CASES[:1], nan, text)[id_]
        assert (verdict.outcome, verdict.worst.detail) == (outcome, detail)
    # A variant of another operation does not make a supported case unsupported.
    assert verdicts("no-text", CASES[0])["good-0"].outcome == "passed"


def test_a_port_without_paths_is_held_to_codes_and_indexes() -> None:
    found = verdicts("no-paths", *CASES, TRAP)
    assert {verdict.outcome for verdict in found.values()} == {"passed"}


def test_requests_hint_at_nothing_and_are_shuffled_by_the_seed() -> None:
    cases = load().cases[:50]
    sent: list[list[tuple[str, Any]]] = []

    class Recorder:
        def __init__(self) -> None:
            self.introduction = {"operations": ["validate"], "hosts": [], "paths": True}

        def ask(self, requests: Any) -> Any:
            sent.append(list(requests))
            return iter(())

        def finish(self) -> Any:
            return iter(())

    recorder: Any = Recorder()
    for seed in (1, 1, 2):
        run(cases, recorder, seed)
    one, same, other = sent
    assert one == same
    assert [request for _, request in one] != [request for _, request in other]
    handles = [handle for handle, _ in one]
    assert len(set(handles)) == len(handles)
    for handle, request in one:
        assert re.fullmatch(r"[0-9a-f]{12}", handle)
        assert request.message(handle).keys() <= {"command", "handle", "operation", "input", "function", "mutations"}


def test_a_port_can_be_asked_again_and_again() -> None:
    with PortProcess(command("well"), 20) as port:
        for _ in range(3):
            requests = [request for each in CASES for request in each.requests()]
            assert {answer.outcome for answer in answers(requests, port, 1)} == {"passed"}
