"""The reference pages: the diagnostics, and the contract in single statements."""

from __future__ import annotations

from typing import Any

from message_ir_generator.provenance import NOTICE
from message_ir_generator.spec import Spec
from message_ir_generator.targets.python_data import json_lines

PHASES = {
    "transcript": "The transcript as a whole",
    "shape": "Shapes: one record, block or field",
    "linkage": "Linkage: calls and results across the transcript",
}


def render(spec: Spec) -> dict[str, str]:
    """Renders `docs/diagnostics.md` and `docs/contract.md`."""
    return {"docs/diagnostics.md": _diagnostics(spec), "docs/contract.md": _contract(spec)}


def _diagnostics(spec: Spec) -> str:
    rows = "".join(
        f"| [{code}](#{code.lower()}) | {entry['phase']} | {entry['summary']} |\n"
        for code, entry in spec.diagnostics.items()
    )
    sections = "".join(
        f"\n## {title}\n"
        + "".join(_entry(code, entry, spec) for code, entry in spec.diagnostics.items() if entry["phase"] == phase)
        for phase, title in PHASES.items()
    )
    return f"""<!-- {NOTICE} -->
# Diagnostics

What the validator of message IR {spec.version} reports, one entry a code.
Each cause is reported once: what a malformed record explains is not reported again as a broken tool round.
`code`, `messageIndex`, `path`, `related` and their order are the contract; the prose may change.
`message-ir explain CODE` prints an entry, and `message-ir explain "…"` finds the entries behind an error message of a model API.

| code | phase | meaning |
|---|---|---|
{rows}{sections}"""


def _entry(code: str, entry: dict[str, Any], spec: Spec) -> str:
    related = f" Related: {entry['related']}." if entry["related"] else ""
    clauses = "".join(f"- `{clause}`: {spec.clauses[clause]}\n" for clause in entry["clauses"])
    return f"""
### {code}

**{entry["summary"]}**
Path: {entry["path"]}.{related}

{_sentences(entry["why"])}

*How to mend it.* {_sentences(entry["mend"])}

Broken:

```json
{json_lines(entry["broken"]["transcript"])}
```

Mended:

```json
{json_lines(entry["mended"])}
```
{_seen_as(entry["seenAs"])}
Clauses:

{clauses}"""


def _seen_as(sightings: list[dict[str, str]]) -> str:
    if not sightings:
        return ""
    rows = "".join(
        f"| {sighting['api']} | {_cell(sighting['text'])}{' — ' + sighting['note'] if 'note' in sighting else ''} |\n"
        for sighting in sightings
    )
    return f"""
What model APIs say when they meet it:

| API | error |
|---|---|
{rows}"""


def _cell(text: str) -> str:
    """The text as inline code; two backticks, since API messages hold single ones."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _sentences(text: str) -> str:
    return text.strip().replace(". ", ".\n")


def _contract(spec: Spec) -> str:
    groups: dict[str, list[str]] = {}
    for clause, text in spec.clauses.items():
        groups.setdefault(clause.partition(".")[0], []).append(f"| `{clause}` | {text} |\n")
    clauses = "".join(
        f"\n### {group}\n\n| clause | statement |\n|---|---|\n{''.join(rows)}" for group, rows in groups.items()
    )
    blank = "".join(f"| {_span(span)} | {span['name']} |\n" for span in spec.blank_characters)
    limits = "".join(f"| `{name}` | {limit['value']} | {limit['meaning']} |\n" for name, limit in spec.limits.items())
    reasons = "".join(f"| `{reason}` | must {entry['must']} |\n" for reason, entry in spec.reasons.items())
    gaps = "".join(f"| `{gap['clause']}` | {gap['why']} |\n" for gap in spec.schema_gaps)
    return f"""<!-- {NOTICE} -->
# The contract

Message IR {spec.version}, in single statements with stable ids.
The types are in [the JSON Schema](../json-schema/transcript.schema.json), the codes in [the diagnostics](diagnostics.md).

## Types

{_types(spec)}
## Clauses
{clauses}
## Limits

| limit | value | meaning |
|---|---|---|
{limits}
## Blank characters

| code points | characters |
|---|---|
{blank}
## Reasons

What a value fails to be; a construction error carries one of them.

| reason | the value |
|---|---|
{reasons}
## What the JSON Schema cannot say

The validator alone reports these.

| clause | why |
|---|---|
{gaps}"""


def _types(spec: Spec) -> str:
    rows = ""
    for union in ("Message", "AssistantBlock"):
        for shape in spec.shapes(union):
            properties = spec.types[shape.type]["properties"]
            fields = ", ".join(
                f'`{name}`: `"{schema["const"]}"`'
                if "const" in schema
                else f"`{name}`: {schema['$ref'].rpartition('/')[2]}"
                for name, schema in properties.items()
            )
            rows += f"| {shape.type} | {fields} | {spec.types[shape.type]['description']} |\n"
    return f"| type | fields | meaning |\n|---|---|---|\n{rows}"


def _span(span: dict[str, str]) -> str:
    return f"U+{span['from']}" if span["from"] == span["to"] else f"U+{span['from']}–{span['to']}"
