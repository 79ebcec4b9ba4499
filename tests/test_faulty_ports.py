"""The corpus catches every faulty port, and names it by a case of the clause that it bends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from faulty_ports import FAULTY
from full_way import bar_fast_ways
from local_port import LocalPort
from message_ir.conformance import runner
from message_ir.conformance.suite import Verdict, load
from message_ir_types.catalogue import CLAUSES

CORPUS = load()


def verdicts_of(seed: int = 1) -> list[Verdict]:
    local: Any = LocalPort()
    return runner.run(CORPUS.cases, local, seed)


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_port_is_caught_by_the_clause_that_it_bends(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clause, bend = FAULTY[name]
    bar_fast_ways(monkeypatch)  # what they accept would hide the fault
    bend(monkeypatch)
    caught = [verdict.case for verdict in verdicts_of() if not verdict.conforms]
    assert caught, "the corpus did not catch it"
    assert any(clause in case.clauses for case in caught), f"caught only by {[case.id for case in caught]}"


def test_the_port_itself_is_not_caught() -> None:
    assert [verdict.case.id for verdict in verdicts_of(random.randrange(1000)) if not verdict.conforms] == []


def test_there_are_many_faulty_ports_and_each_bends_a_clause() -> None:
    assert len(FAULTY) >= 40
    assert {clause for clause, _ in FAULTY.values()} <= CLAUSES.keys()
