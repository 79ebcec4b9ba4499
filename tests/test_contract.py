"""Every case of the contract, and that every clause has a case that passes and one that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

import argument_cases
import contract_cases
import linkage_cases
from contract_cases import Case
from message_ir import Diagnostic, validate_transcript
from message_ir_generator.spec import load

CHECKOUT = Path(__file__).parents[1]
CASES = [contract_cases.CASES, argument_cases.CASES, linkage_cases.CASES]
ALL: dict[str, Case] = {name: case for cases in CASES for name, case in cases.items()}

# Clauses that other files show, since they are not about what one transcript says.
ELSEWHERE = {
    "diagnostic.quoting": "test_diagnostics.py: of the prose",
    "validate.never-raises": "test_properties.py: for any value",
    "validate.input-unchanged": "test_properties.py: for any value",
    "text.json": "test_json_text.py",
    "text.utf8": "test_json_text.py",
    "text.escaped-surrogate": "test_json_text.py",
    "text.repeated-keys": "test_json_text.py",
    "text.large-number": "test_json_text.py",
    "text.depth": "test_json_text.py",
    "construct.copy": "test_construction.py",
    "construct.frozen": "test_construction.py",
    "construct.error": "test_construction.py",
    "construct.text": "test_construction.py",
    "construct.round-trip": "test_construction.py",
}

# Clauses that allow something: there is nothing that fails.
ONLY_PASSES = {"message.id-repeats", "string.empty"}


def shown(diagnostics: tuple[Diagnostic, ...]) -> list[tuple[str, int, str, tuple[str, ...]]]:
    return [(each.code.value, each.message_index, each.path, each.related) for each in diagnostics]


def expected(case: Case) -> list[tuple[str, int, str, tuple[str, ...]]]:
    return [(code, int(path.split("/")[1]) if path else -1, path, related) for code, path, related in case.expected]


@pytest.mark.parametrize("case", ALL.values(), ids=ALL)
def test_case(case: Case) -> None:
    assert shown(validate_transcript(case.value)) == expected(case)


def test_no_case_hides_another() -> None:
    assert sum(map(len, CASES)) == len(ALL) > 400


def test_every_clause_has_a_case_that_passes_and_one_that_fails() -> None:
    clauses = set(load(CHECKOUT / "spec/message-ir.yaml", CHECKOUT / "spec/message-ir.schema.yaml").clauses)
    cited = {clause for case in ALL.values() for clause in case.clauses.split()}
    passing = {clause for case in ALL.values() if not case.expected for clause in case.clauses.split()}
    failing = {clause for case in ALL.values() if case.expected for clause in case.clauses.split()}
    assert cited <= clauses
    assert not cited & ELSEWHERE.keys()
    assert clauses - passing - ELSEWHERE.keys() - ONLY_FAILS == set()
    assert clauses - failing - ELSEWHERE.keys() - ONLY_PASSES == set()


# Clauses that say how something wrong is reported: there is nothing that passes.
ONLY_FAILS = {
    "message.order", "call.fields", "name.unicode", "arguments.first", "read.raises", "linkage.ambiguous",
    "silence.malformed-ids", "silence.malformed-call", "silence.malformed-result", "silence.message-level",
    "silence.block-type", "diagnostic.path", "diagnostic.related", "diagnostic.index",
}  # fmt: skip


def test_the_files_that_show_the_other_clauses_are_there() -> None:
    for note in ELSEWHERE.values():
        assert (CHECKOUT / "tests" / note.partition(":")[0]).exists(), note
