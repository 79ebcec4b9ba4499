"""The compiled corpus, the protocol's schema, and the matrix of clauses and cases."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from message_ir_generator.corpus import Case
from message_ir_generator.provenance import notice
from message_ir_generator.spec import Spec

NOTICE = notice("spec/corpus/")


def render(spec: Spec, cases: list[Case], protocol: dict[str, Any]) -> dict[str, str]:
    """Renders `corpus/cases.json`, `json-schema/protocol.schema.json` and `docs/corpus.md`."""
    compiled = [case.as_json() for case in cases]
    digest = hashlib.sha256(json.dumps(compiled, sort_keys=True).encode()).hexdigest()
    head = {"$comment": NOTICE, "contract": spec.version, "digest": digest}
    # A case a line: small to ship, and a changed case is one changed line.
    lines = ",\n".join(json.dumps(case) for case in compiled)
    document = json.dumps(head, indent=1)[:-2] + f',\n "cases": [\n{lines}\n]}}\n'
    schema = {"$comment": notice("spec/protocol.yaml"), **protocol}
    return {
        "corpus/cases.json": document,
        "json-schema/protocol.schema.json": json.dumps(schema, indent=2) + "\n",
        "docs/corpus.md": _matrix(spec, cases),
    }


def _matrix(spec: Spec, cases: list[Case]) -> str:
    rows = "".join(_row(clause, spec, cases) for clause in spec.clauses)
    codes = "".join(
        f"| {code} | {sum(code in _codes(case) for case in cases)} | {sum(_codes(case) == [code] for case in cases)} |\n"
        for code in spec.diagnostics
    )
    topics = "".join(
        f"| {topic} | {sum(case.topic == topic for case in cases)} |\n"
        for topic in dict.fromkeys(each.topic for each in cases)
    )
    return f"""<!-- {NOTICE} -->
# The conformance corpus

{len(cases)} cases, {sum(case.is_broken for case in cases)} of them broken ones with a clean twin, for message IR {spec.version}.
How a port is held against them is told in [the port author's manual](../../spec/corpus/README.md).

| topic | cases |
|---|---|
{topics}
## Codes

| code | cases with it | cases with it alone |
|---|---|---|
{codes}
## Clauses

How many cases pass and fail by each clause, and two of each.

| clause | passing | failing | such as |
|---|---|---|---|
{rows}"""


def _row(clause: str, spec: Spec, cases: list[Case]) -> str:
    passing = [case.id for case in cases if clause in case.clauses and case.passes]
    failing = [case.id for case in cases if clause in case.clauses and not case.passes]
    examples = ", ".join(f"`{each}`" for each in [*passing[:2], *failing[:2]])
    why = " ".join(spec.not_in_corpus.get(clause, {}).values())
    return f"| `{clause}` | {len(passing)} | {len(failing)} | {examples}{' — ' if examples and why else ''}{why} |\n"


def _codes(case: Case) -> list[str]:
    return [expected["code"] for expected in case.expect] if isinstance(case.expect, list) else []
