"""Reads the conformance corpus, makes a case of each entry of a family, applies edits, and checks what ties cases together.

A case that begins `of` a named value has that value as its clean twin: the edits that make the input are what breaks it.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from jsonpatch import JsonPatchException, apply_patch
from jsonpointer import JsonPointerException

from message_ir_generator.spec import Path_, Problem, Spec, SpecError, read_yaml, schema_errors

_REPEAT = re.compile(r"\$repeat\((\d+),(.*?)\)")
_DIAGNOSING = ("validate", "validateText")


@dataclass(frozen=True)
class Case:
    """One conformance case, ready to be sent to a port."""

    id: str
    topic: str
    why: str
    clauses: list[str]
    operation: str
    input: Any
    expect: Any
    extra: dict[str, Any] = field(default_factory=dict)
    """`function` and `mutations`, where the operation has them."""
    twin: Any = None

    @property
    def passes(self) -> bool:
        """Whether nothing is reported or refused."""
        return self.expect == [] or (
            isinstance(self.expect, dict) and not {"error", "diagnostics"} & self.expect.keys()
        )

    @property
    def is_broken(self) -> bool:
        """Whether it is to have a clean twin."""
        return self.operation in _DIAGNOSING and not self.passes

    def as_json(self) -> dict[str, Any]:
        """The case as ports' runners read it."""
        twin = {} if self.twin is None else {"twin": self.twin}
        head = {
            "id": self.id,
            "topic": self.topic,
            "why": self.why,
            "clauses": self.clauses,
            "operation": self.operation,
        }
        return head | self.extra | {"input": self.input, "expect": self.expect} | twin


def load_corpus(folder: Path, spec: Spec) -> list[Case]:
    """Reads and checks every file of the corpus.

    Raises:
        SpecError: a file is not of its schema, or the cases contradict the specification or each other.
    """
    schema, _ = read_yaml(folder / "corpus.schema.yaml")
    files = sorted(file for file in folder.glob("*.yaml") if file.name not in {"corpus.schema.yaml", "ledger.yaml"})
    assert files, f"{folder} holds no cases"
    ledger, ledger_lines = read_yaml(folder / "ledger.yaml")
    cases: list[Case] = []
    problems: list[Problem] = []
    for file in files:
        document, lines = read_yaml(file)

        def problem(key: Path_, text: str, file: Path = file, lines: dict[Path_, int] = lines) -> Problem:
            return Problem.at(file.name, lines, key, text)

        errors = list(schema_errors(schema, document))
        problems += [problem(key, text) for key, text in errors]
        if not errors:
            for index, entry in enumerate(document["cases"]):
                try:
                    cases += _expanded(entry, document)
                except (KeyError, JsonPatchException, JsonPointerException) as error:
                    problems.append(problem(("cases", index), f"{entry['id']}: cannot be made: {error}"))
    if problems:
        raise SpecError(problems)
    contradictions = [*_contradictions(cases, spec), *_uncovered(cases, spec), *_ledger_contradictions(cases, ledger)]
    if contradictions:
        raise SpecError([Problem.at("ledger.yaml", ledger_lines, (), text) for text in contradictions])
    return cases


def _expanded(entry: dict[str, Any], document: dict[str, Any]) -> Iterator[Case]:
    if "each" not in entry:
        yield _case(entry, document)
        return
    for key, value in entry["each"].items():
        rest = {name: part for name, part in entry.items() if name not in {"each", "id"}}
        yield _case(_with_each(rest, value) | {"id": entry["id"].replace("{each}", key)}, document)


def _case(entry: dict[str, Any], document: dict[str, Any]) -> Case:
    of = copy.deepcopy(document.get("values", {})[entry["of"]] if "of" in entry else entry["input"])
    value = _patched(of, entry.get("edit", []))
    operation = entry.get("operation", "validate")
    expect = _with(entry["expect"], "$of", of)
    clean = _patched(value, entry["twin"]) if "twin" in entry else of if "of" in entry else None
    is_broken = operation in _DIAGNOSING and expect != []
    return Case(
        id=entry["id"],
        topic=document["title"],
        why=entry["why"],
        clauses=entry["clauses"],
        operation=operation,
        input=_repeated(value),
        expect=_repeated(expect),
        extra={name: entry[name] for name in ("function", "mutations") if name in entry},
        twin=_repeated(clean) if is_broken else None,
    )


def _patched(value: Any, edits: list[dict[str, Any]]) -> Any:
    return apply_patch(copy.deepcopy(value), edits)


def _with_each(part: Any, value: Any) -> Any:
    """The part with the family's value for `$each`: as it is for the whole of a string, as text inside one."""
    return _mapped(part, lambda text: copy.deepcopy(value) if text == "$each" else text.replace("$each", str(value)))


def _with(part: Any, name: str, value: Any) -> Any:
    """The part with a value in the place of each string that is its name."""
    return _mapped(part, lambda text: copy.deepcopy(value) if text == name else text)


def _repeated(part: Any) -> Any:
    """The part with `$repeat(3,ab)` written out in its strings."""
    return _mapped(part, lambda text: _REPEAT.sub(lambda match: int(match[1]) * match[2], text))


def _mapped(part: Any, change: Callable[[str], Any]) -> Any:
    """A copy of the part with each of its strings, but for keys, changed."""
    if isinstance(part, dict):
        return {key: _mapped(child, change) for key, child in part.items()}
    if isinstance(part, list):
        return [_mapped(child, change) for child in part]
    return change(part) if isinstance(part, str) else part


def _contradictions(cases: list[Case], spec: Spec) -> Iterator[str]:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            yield f"two cases have the id {case.id}"
        seen.add(case.id)
        for clause in case.clauses:
            if clause not in spec.clauses:
                yield f"{case.id}: there is no clause {clause!r}"
        if case.is_broken and case.twin is None:
            yield f"{case.id}: a broken case needs a twin: begin it of a clean value, or say what mends it"
        codes = {expected["code"] for expected in case.expect} if isinstance(case.expect, list) else set()
        for code in sorted(codes - spec.diagnostics.keys()):
            yield f"{case.id}: there is no code {code}"


def _uncovered(cases: list[Case], spec: Spec) -> Iterator[str]:
    """Clauses and codes that no case shows."""
    passing = {clause for case in cases if case.passes for clause in case.clauses}
    failing = {clause for case in cases if not case.passes for clause in case.clauses}
    alone = {case.expect[0]["code"] for case in cases if isinstance(case.expect, list) and len(case.expect) == 1}
    for clause in spec.clauses:
        exempt = spec.not_in_corpus.get(clause, {})
        for kind, covered in (("passing", passing), ("failing", failing)):
            if (clause in covered) == (kind in exempt):
                problem = "is listed as having none, and has one" if clause in covered else "has none"
                yield f"clause {clause}: of {kind} cases it {problem}"
    # A call that is answered too early is also unanswered, so that code never stands alone.
    for code in spec.diagnostics.keys() - alone - {"TOOL_RESULT_BEFORE_CALL"}:
        yield f"no case has {code} alone"
    together = {pair for case in cases if isinstance(case.expect, list) for pair in _pairs(case.expect)}
    in_arrays = [code for code, diagnostic in spec.diagnostics.items() if diagnostic["phase"] != "transcript"]
    for one, other in combinations(in_arrays, 2):
        if frozenset((one, other)) not in together:
            yield f"no case has both {one} and {other}"


def _pairs(expect: list[dict[str, Any]]) -> Iterator[frozenset[str]]:
    return map(frozenset, combinations([each["code"] for each in expect], 2))


def _ledger_contradictions(cases: list[Case], ledger: dict[str, list[str]]) -> Iterator[str]:
    """The ledger holds every id that was ever given, so that none is given to another case."""
    ids = {case.id for case in cases}
    active, retired = set(ledger["ids"]), set(ledger["retired"])
    for unknown in sorted(ids - active):
        yield f"{unknown}: is not in the ledger; append it"
    for gone in sorted(active - ids - retired):
        yield f"{gone}: is in the ledger and has no case; list it as retired"
    for reused in sorted(ids & retired):
        yield f"{reused}: is retired, and may not be given again"
