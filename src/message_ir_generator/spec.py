"""Reads `message-ir.yaml`, checks it against its own schema and against itself, and resolves its `${…}` placeholders.

Every problem is named by file, line and key; all of them are reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

import yaml
from jsonschema import Draft202012Validator

PROSE_FACTS = {
    "transcript": {"found", "problem"},
    "shape": {"place", "must", "found"},
    "linkage": {"id", "name", "callName", "place", "other"},
}

# The sections in which `${…}` is resolved, and what it may name besides the limits.
RESOLVED = ("types", "reasons", "diagnostics")
DERIVED = {"nonBlankPattern", "diagnosticCodes", "reasons", "roles", "blockTypes"}
PLACEHOLDER = re.compile(r"\$\{(\w+)\}")

Path_ = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with the specification, and where."""

    file: str
    line: int
    key: Path_
    text: str

    @classmethod
    def at(cls, file: str, lines: dict[Path_, int], key: Path_, text: str) -> Problem:
        """A problem at a key, or at the nearest key around it that has a line."""
        known = key
        while known not in lines and known:
            known = known[:-1]
        return cls(file, lines.get(known, 1), key, text)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {'.'.join(map(str, self.key)) or 'the document'}: {self.text}"


class SpecError(ValueError):
    """The specification cannot be used; `problems` says why, a line each."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True)
class Field:
    """One field of a message or block: its wire name, the reason it is refused for first, and the code of its faults."""

    name: str
    reason: str
    code: str


@dataclass(frozen=True)
class Shape:
    """One message or block type: the value of its tag, the name of its type, and its other fields in order."""

    tag: str
    type: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Spec:
    """The specification, checked and resolved."""

    version: str
    blank_characters: list[dict[str, str]]
    limits: dict[str, dict[str, Any]]
    clauses: dict[str, str]
    schema_gaps: list[dict[str, str]]
    not_in_corpus: dict[str, dict[str, str]]
    types: dict[str, dict[str, Any]]
    reasons: dict[str, dict[str, str]]
    diagnostics: dict[str, dict[str, Any]]

    @property
    def blank(self) -> str:
        """Every blank character, in code point order."""
        return "".join(
            chr(point)
            for span in self.blank_characters
            for point in range(int(span["from"], 16), int(span["to"], 16) + 1)
        )

    def shapes(self, union: str) -> tuple[Shape, ...]:
        """The members of a union type that are told apart by a constant field.

        Args:
            union: the name of a type that is a `oneOf` of references, such as `Message`.
        """
        return tuple(self._shape(ref["$ref"]) for ref in self.types[union]["oneOf"])

    def _shape(self, ref: str) -> Shape:
        name = _target(ref)
        properties: dict[str, dict[str, Any]] = self.types[name]["properties"]
        codes = {field: code for code, entry in self.diagnostics.items() for field in entry.get("fields", [])}
        reasons = {entry["type"]: reason for reason, entry in self.reasons.items() if "type" in entry}
        return Shape(
            tag=next(schema["const"] for schema in properties.values() if "const" in schema),
            type=name,
            fields=tuple(
                Field(field, reasons[_target(schema["$ref"])], codes.get(f"{name}.{field}", "INVALID_MESSAGE"))
                for field, schema in properties.items()
                if "const" not in schema
            ),
        )


def load(spec_file: Path, schema_file: Path) -> Spec:
    """Reads and checks the specification.

    Raises:
        SpecError: it is not YAML, not of its schema, or contradicts itself.
    """
    document, lines = read_yaml(spec_file)
    schema, _ = read_yaml(schema_file)

    def problem(key: Path_, text: str) -> Problem:
        return Problem.at(spec_file.name, lines, key, text)

    if errors := list(schema_errors(schema, document)):
        raise SpecError([problem(key, text) for key, text in errors])
    contradictions = [problem(key, text) for key, text in _contradictions(document)]
    if contradictions:
        raise SpecError(contradictions)
    spec = Spec(
        version=document["version"],
        blank_characters=document["blankCharacters"],
        limits=document["limits"],
        clauses=document["clauses"],
        schema_gaps=document["schemaGaps"],
        not_in_corpus=document["notInCorpus"],
        types=document["types"],
        reasons=document["reasons"],
        diagnostics=document["diagnostics"],
    )
    values = _placeholders(spec)
    resolved = {section: _resolve(getattr(spec, section), values) for section in RESOLVED}
    if errors := list(schema_errors(Draft202012Validator.META_SCHEMA, {"$defs": resolved["types"]})):
        raise SpecError([problem(("types", *key[1:]), f"not a JSON Schema: {text}") for key, text in errors])
    return Spec(**{**vars(spec), **resolved})


def read_yaml(file: Path) -> tuple[Any, dict[Path_, int]]:
    """Reads a YAML file, and the line on which each of its keys and items stands.

    Raises:
        SpecError: it is not YAML, or a mapping has a key twice.
    """
    loader = yaml.SafeLoader(file.read_text(encoding="utf-8"))
    lines: dict[Path_, int] = {}
    problems: list[Problem] = []

    def build(node: yaml.Node, path: Path_) -> Any:
        lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            return [build(child, (*path, index)) for index, child in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            result: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = str(key_node.value)  # as it is written: null and true are names here
                here = (*path, key)
                line = key_node.start_mark.line + 1
                if key in result:
                    problems.append(Problem(file.name, line, here, f"stands twice, first on line {lines[here]}"))
                lines[here] = line
                result[key] = build(value_node, here)
            return result
        return loader.construct_object(node, deep=True)

    try:
        node = loader.get_single_node()
        document = build(node, ()) if node else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SpecError([Problem(file.name, line, (), f"not YAML: {error.problem}")]) from error
    finally:
        loader.dispose()
    if problems:
        raise SpecError(problems)
    return document, lines


def schema_errors(schema: Any, document: Any) -> Iterator[tuple[Path_, str]]:
    """Yields what a JSON Schema finds wrong: the key, and what is wrong with it."""
    for error in Draft202012Validator(schema).iter_errors(document):
        # A wrong key is an error of its mapping; the key itself is the place to look.
        key = [error.instance] if "propertyNames" in error.schema_path else []
        yield (*error.absolute_path, *key), error.message


def _target(ref: str) -> str:
    return ref.removeprefix("#/$defs/")


def _contradictions(document: dict[str, Any]) -> Iterator[tuple[Path_, str]]:
    """What no schema can say: that everything named exists, and that prose uses only facts that its phase has."""
    for path, kind, name in _names(document):
        if name not in _known(document, kind):
            yield path, f"there is no {kind} {name!r}"
    for code, entry in document["diagnostics"].items():
        for variant, template in entry["prose"].items():
            if problem := _prose_problem(template, PROSE_FACTS[entry["phase"]]):
                yield ("diagnostics", code, "prose", variant), problem


def _names(document: dict[str, Any]) -> Iterator[tuple[Path_, str, str]]:  # noqa: C901 # one loop for each place
    """Every name in the document of something that must exist: where it stands, what kind of thing, and the name."""
    for index, gap in enumerate(document["schemaGaps"]):
        yield ("schemaGaps", index, "clause"), "clause", gap["clause"]
    for clause in document["notInCorpus"]:
        yield ("notInCorpus", clause), "clause", clause
    for reason, entry in document["reasons"].items():
        if "type" in entry:
            yield ("reasons", reason, "type"), "type", entry["type"]
    for code, entry in document["diagnostics"].items():
        at: Path_ = ("diagnostics", code)
        for index, clause in enumerate(entry["clauses"]):
            yield (*at, "clauses", index), "clause", clause
        for index, field in enumerate(entry.get("fields", [])):
            yield (*at, "fields", index), "field", field
        for index, diagnostic in enumerate(entry["broken"]["diagnostics"]):
            yield (*at, "broken", "diagnostics", index, "code"), "diagnostic", diagnostic.get("code", code)
    for path, text in _strings({section: document[section] for section in RESOLVED}, ()):
        if path[-1] == "$ref":
            yield path, "type", _target(text)
        for name in PLACEHOLDER.findall(text):
            yield path, "value", name


def _known(document: dict[str, Any], kind: str) -> set[str]:
    match kind:
        case "clause" | "type" | "diagnostic":
            return set(document[f"{kind}s"])
        case "value":
            return DERIVED | set(document["limits"])
        case _:
            types = document["types"].items()
            return {f"{name}.{field}" for name, schema in types for field in schema.get("properties", {})}


def _prose_problem(template: str, facts: set[str]) -> str | None:
    try:
        used = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError as error:
        return f"not a format string: {error}"
    unknown = sorted(used - facts)
    return f"prose of this phase has no {{{'}, {'.join(unknown)}}}" if unknown else None


def _strings(value: Any, path: Path_) -> Iterator[tuple[Path_, str]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _strings(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _strings(child, (*path, index))
    elif isinstance(value, str):
        yield path, value


def _placeholders(spec: Spec) -> dict[str, Any]:
    def either(tags: list[str]) -> str:
        return f"{', '.join(tags[:-1])} or {tags[-1]}"

    derived = {
        # A class of literal characters, which every regular expression dialect reads alike.
        "nonBlankPattern": f"[^{_character_class(spec)}]",
        "diagnosticCodes": list(spec.diagnostics),
        "reasons": list(spec.reasons),
        "roles": either([shape.tag for shape in spec.shapes("Message")]),
        "blockTypes": either([shape.tag for shape in spec.shapes("AssistantBlock")]),
    }
    assert derived.keys() == DERIVED
    return derived | {name: str(limit["value"]) for name, limit in spec.limits.items()}


def _character_class(spec: Spec) -> str:
    spans = ((chr(int(span["from"], 16)), chr(int(span["to"], 16))) for span in spec.blank_characters)
    return "".join(first if first == last else f"{first}-{last}" for first, last in spans)


def _resolve(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _resolve(child, values) for key, child in value.items()}
    if isinstance(value, list):
        return [_resolve(child, values) for child in value]
    if isinstance(value, str):
        if whole := PLACEHOLDER.fullmatch(value):
            return values[whole[1]]
        return PLACEHOLDER.sub(lambda match: values[match[1]], value)
    return value
