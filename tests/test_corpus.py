"""The corpus as it is written, and its linter."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from message_ir_generator.corpus import Case, load_corpus
from message_ir_generator.spec import SpecError, load

CHECKOUT = Path(__file__).parents[1]
SPEC = load(CHECKOUT / "spec/message-ir.yaml", CHECKOUT / "spec/message-ir.schema.yaml")
CASES = load_corpus(CHECKOUT / "spec/corpus", SPEC)


def asked(case: Case) -> str:
    return json.dumps([case.operation, case.extra, case.input], sort_keys=False)


def test_no_case_only_repeats_another() -> None:
    seen: dict[str, str] = {}
    for case in CASES:
        assert seen.setdefault(asked(case), case.id) == case.id


def test_there_are_enough_cases_and_every_broken_one_has_another_twin() -> None:
    assert len(CASES) >= 300
    broken = [case for case in CASES if case.is_broken]
    assert len(broken) > 200
    assert all(case.twin is not None and json.dumps(case.twin) != json.dumps(case.input) for case in broken)
    assert all(case.twin is None for case in CASES if not case.is_broken)


# ---- the linter, on a small corpus of its own

WELL = {"id": "m", "role": "user", "content": ""}
ENTRY: dict[str, Any] = {
    "id": "one",
    "why": "It may be.",
    "clauses": ["user.content"],
    "of": "clean",
    "edit": [{"op": "replace", "path": "/0/content", "value": 3}],
    "expect": [{"code": "INVALID_MESSAGE", "messageIndex": 0, "path": "/0/content", "related": []}],
}


def problems(
    tmp_path: Path, *entries: dict[str, Any], ledger: str = "ids: [one]\nretired: []\n", **top: Any
) -> list[str]:
    """What the linter says, but for what is not covered, since a small corpus covers nothing."""
    document = {"title": "Small", "values": {"clean": [WELL]}, "cases": list(entries)} | top
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    (tmp_path / "ledger.yaml").write_text(ledger, encoding="utf-8")
    schema = (CHECKOUT / "spec/corpus/corpus.schema.yaml").read_text(encoding="utf-8")
    (tmp_path / "corpus.schema.yaml").write_text(schema, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_corpus(tmp_path, SPEC)
    lines = str(caught.value).splitlines()
    uncovered = (" cases it has none", " alone", "no case has both", "is listed as having none")
    return [line for line in lines if line.strip() and not any(each in line for each in uncovered)]


def test_a_case_that_is_right_is_not_complained_of(tmp_path: Path) -> None:
    assert problems(tmp_path, ENTRY) == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (ENTRY | {"id": "One"}, "does not match"),
        ({key: value for key, value in ENTRY.items() if key != "why"}, "'why' is a required property"),
        (ENTRY | {"why": " "}, "does not match"),
        (ENTRY | {"clauses": []}, "clauses"),
        ({key: value for key, value in ENTRY.items() if key != "clauses"}, "'clauses' is a required property"),
        (ENTRY | {"clauses": ["user.contents"]}, "there is no clause 'user.contents'"),
        (ENTRY | {"expect": [{"code": "INVALID_MESSAGES"}]}, "there is no code INVALID_MESSAGES"),
        (ENTRY | {"of": "unclean"}, "cannot be made: 'unclean'"),
        (ENTRY | {"edit": [{"op": "remove", "path": "/7"}]}, "one: cannot be made"),
        (ENTRY | {"operation": "guess"}, "is not one of"),
        (ENTRY | {"input": []}, "one"),
        ({key: value for key, value in ENTRY.items() if key not in {"of", "edit"}} | {"input": [3]}, "a broken case needs a twin"),
        (ENTRY | {"edit": [{"op": "explode", "path": ""}]}, "one: cannot be made"),
    ],
)  # fmt: skip
def test_a_case_that_is_wrong_is_told_with_its_place(entry: dict[str, Any], said: str, tmp_path: Path) -> None:
    found = problems(tmp_path, entry)
    assert any(said in line for line in found), found
    assert any(line.startswith(("small.yaml:", "ledger.yaml:")) for line in found)


@pytest.mark.parametrize(
    ("ledger", "said"),
    [
        ("ids: []\nretired: []\n", "one: is not in the ledger; append it"),
        ("ids: [one, gone]\nretired: []\n", "gone: is in the ledger and has no case; list it as retired"),
        ("ids: [one]\nretired: [one]\n", "one: is retired, and may not be given again"),
    ],
)
def test_ids_are_given_once(ledger: str, said: str, tmp_path: Path) -> None:
    assert any(said in line for line in problems(tmp_path, ENTRY, ledger=ledger))


def test_a_retired_id_stays_in_the_ledger(tmp_path: Path) -> None:
    assert problems(tmp_path, ENTRY, ledger="ids: [one, gone]\nretired: [gone]\n") == []


def test_two_cases_cannot_have_one_id(tmp_path: Path) -> None:
    assert any("two cases have the id one" in line for line in problems(tmp_path, ENTRY, ENTRY | {"why": "Again."}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cases: [case for case in cases if "linkage.orphan" not in case["clauses"]], "clause linkage.orphan: of failing cases it has none"),
        (lambda cases: [case for case in cases if "TOOL_NAME_MISMATCH" not in json.dumps(case["expect"])], "no case has TOOL_NAME_MISMATCH alone"),
        (lambda cases: [case for case in cases if "ORPHAN_TOOL_RESULT" not in json.dumps(case["expect"])], "no case has both ORPHAN_TOOL_RESULT and TOOL_NAME_MISMATCH"),
    ],
)  # fmt: skip
def test_what_no_case_shows_is_told(change: Callable[[list[Any]], list[Any]], said: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_entries(tmp_path, change([as_entry(case) for case in CASES]))
    assert said in str(caught.value)


def test_a_corpus_without_families_and_edits_is_as_right(tmp_path: Path) -> None:
    loaded = load_entries(tmp_path, [as_entry(case) for case in CASES])
    assert [case.id for case in loaded] == [case.id for case in CASES]


def load_entries(folder: Path, entries: list[Any]) -> list[Case]:
    (folder / "all.yaml").write_text(json.dumps({"title": "All", "cases": entries}), encoding="utf-8")
    ledger = {"ids": [entry["id"] for entry in entries], "retired": []}
    (folder / "ledger.yaml").write_text(json.dumps(ledger), encoding="utf-8")
    schema = (CHECKOUT / "spec/corpus/corpus.schema.yaml").read_text(encoding="utf-8")
    (folder / "corpus.schema.yaml").write_text(schema, encoding="utf-8")
    return load_corpus(folder, SPEC)


def as_entry(case: Case) -> dict[str, Any]:
    """A case as an entry of its own."""
    twin = {"twin": [{"op": "replace", "path": "", "value": case.twin}]} if case.is_broken else {}
    head = {"id": case.id, "why": case.why, "clauses": case.clauses, "operation": case.operation}
    return head | case.extra | {"input": case.input, "expect": case.expect} | twin
