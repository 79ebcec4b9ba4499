"""Every case of the contract, one by one: those of the corpus, and those of what only Python holds."""

from __future__ import annotations

import json

import pytest

from message_ir import Diagnostic, validate_transcript
from message_ir.conformance.hosts import UndeliveredError
from message_ir.conformance.operations import perform
from message_ir.conformance.suite import Request, agrees, load
from message_ir_types.catalogue import CLAUSES
from python_cases import CASES, Case

REQUESTS = {f"{request.case} {request.part}": request for case in load().cases for request in case.requests()}

# What Python does not have.
UNDELIVERED = {"sparse", "undefined", "noPrototype"}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_case_of_the_corpus(request_: Request) -> None:
    message = json.loads(json.dumps(request_.message("handle")))
    if UNDELIVERED & request_.hosts:
        with pytest.raises(UndeliveredError):
            perform(message)
    else:
        assert agrees(request_, perform(message), paths=True)


def shown(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, int, str, tuple[str, ...]]]:
    return [(each.code.value, each.message_index, each.path, each.related) for each in diagnostics]


def expected(case: Case) -> list[tuple[str, int, str, tuple[str, ...]]]:
    return [(code, int(path.split("/")[1]) if path else -1, path, related) for code, path, related in case.expected]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case_of_python(case: Case) -> None:
    assert shown(validate_transcript(case.value)) == expected(case)


def test_there_are_many_cases() -> None:
    assert len(REQUESTS) > 900
    assert len(CASES) > 60
    assert {clause for case in CASES.values() for clause in case.clauses.split()} <= CLAUSES.keys()
