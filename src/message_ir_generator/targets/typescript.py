"""The TypeScript half: types, tables of shapes, limits, character sets and prose, as modules that a port compiles in.

The types are written here and not by a schema compiler: what an application author wants is a deeply readonly union told
apart by a literal, which is a dozen lines from this specification, and no Node is needed to know whether it is up to date.
"""

from __future__ import annotations

import json
from typing import Any

from message_ir_generator.provenance import NOTICE
from message_ir_generator.spec import Shape, Spec

FOLDER = "typescript"

_SCALARS = {"string": "string", "boolean": "boolean", "null": "null", "integer": "number", "number": "number"}


def render(spec: Spec) -> dict[str, str]:
    """Renders `types.ts`, `shapes.ts`, `constants.ts`, `prose.ts` and `catalogue.ts`."""
    modules = {
        "types.ts": _types(spec),
        "shapes.ts": _shapes(spec),
        "constants.ts": _constants(spec),
        "prose.ts": _prose(spec),
        "catalogue.ts": _catalogue(spec),
    }
    return {f"{FOLDER}/{name}": f"// {NOTICE}\n{text}" for name, text in modules.items()}


def _types(spec: Spec) -> str:
    # A type that only narrows a scalar is that scalar: its name would say no more, or hide one of the language's own.
    scalars = {
        name: _type(schema, {})
        for name, schema in spec.types.items()
        if set(_listed(schema.get("type"))) <= _SCALARS.keys() and "enum" not in schema and "type" in schema
    }
    return "".join(
        f"\n{_comment(schema)}{_declaration(name, schema, scalars)}\n"
        for name, schema in spec.types.items()
        if name not in scalars
    )


def _declaration(name: str, schema: dict[str, Any], scalars: dict[str, str]) -> str:
    if "properties" in schema:
        fields = "".join(
            f"{_comment(field, '  ')}  readonly {key}{'' if key in schema['required'] else '?'}: {_type(field, scalars)};\n"
            for key, field in schema["properties"].items()
        )
        return f"export interface {name} {{\n{fields}}}"
    if "additionalProperties" in schema:
        value = _type(schema["additionalProperties"], scalars)
        return f"export interface {name} {{\n  readonly [key: string]: {value};\n}}"
    declared = f"export type {name} = {_type(schema, scalars)};"
    if "enum" in schema:
        values = "".join(f"  {value}: {json.dumps(value)},\n" for value in schema["enum"])
        declared += f"\n{_comment(schema)}export const {name} = /* @__PURE__ */ Object.freeze({{\n{values}}} as const);"
    return declared


def _type(schema: dict[str, Any], scalars: dict[str, str]) -> str:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return scalars.get(name, name)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if members := schema.get("oneOf") or schema.get("anyOf"):
        return " | ".join(_type(member, scalars) for member in members)
    if schema["type"] == "array":
        return f"readonly {_type(schema['items'], scalars)}[]"
    return " | ".join(dict.fromkeys(_SCALARS[each] for each in _listed(schema["type"])))


def _listed(types: str | list[str] | None) -> list[str]:
    return types if isinstance(types, list) else [] if types is None else [types]


def _comment(schema: dict[str, Any], indent: str = "") -> str:
    return f"{indent}/** {schema['description']} */\n" if "description" in schema else ""


def _shapes(spec: Spec) -> str:
    text = """import type { DiagnosticCode, Reason } from "./types.js";

/** One field of a message or block: its name, what a value of the wrong type is refused for, and the code of its faults. */
export interface Field {
  readonly name: string;
  readonly reason: Reason;
  readonly code: DiagnosticCode;
}

/** The fields of one message or block type but the tag, in the order in which they are judged. */
export type Shape = readonly Field[];
"""
    for name, union in (("MESSAGES", "Message"), ("BLOCKS", "AssistantBlock")):
        entries = "".join(f"  [{json.dumps(shape.tag)}, {_shape(shape)}],\n" for shape in spec.shapes(union))
        text += f"\nexport const {name}: ReadonlyMap<string, Shape> = /* @__PURE__ */ new Map<string, Shape>([\n{entries}]);\n"
    return text


def _shape(shape: Shape) -> str:
    fields = "".join(
        f"    {{ name: {json.dumps(field.name)}, reason: {json.dumps(field.reason)}, code: {json.dumps(field.code)} }},\n"
        for field in shape.fields
    )
    return f"[\n{fields}  ]"


def _constants(spec: Spec) -> str:
    limits = "".join(
        f"\n/** {limit['meaning']} */\nexport const {name} = {limit['value']};\n" for name, limit in spec.limits.items()
    )
    blank = "".join(f"\\u{ord(character):04x}" for character in spec.blank)
    return f"""/** The version of the contract. */
export const version = {json.dumps(spec.version)};

/** The characters that a blank string may hold; it may also be empty. */
export const blankCharacters = "{blank}";
{limits}"""


def _prose(spec: Spec) -> str:
    entries = "".join(
        f"  {code}: {{ phase: {json.dumps(entry['phase'])}, templates: {_literal(entry['prose'])} }},\n"
        for code, entry in spec.diagnostics.items()
    )
    must = "".join(f"  {reason}: {_literal(entry['must'])},\n" for reason, entry in spec.reasons.items())
    return f"""import type {{ DiagnosticCode, Reason }} from "./types.js";

/** How the diagnostics of one code are worded. */
export interface Prose {{
  readonly phase: "transcript" | "shape" | "linkage";
  /** The templates of its message, by variant. */
  readonly templates: Readonly<Record<string, string>>;
}}

/** How the diagnostics are worded, by code. */
export const prose: Readonly<Record<DiagnosticCode, Prose>> = {{
{entries}}};

/** What a value must do or be; completes “… must”. */
export const must: Readonly<Record<Reason, string>> = {{
{must}}};
"""


def _catalogue(spec: Spec) -> str:
    entries = "".join(f"  {code}: {_entry(entry)},\n" for code, entry in spec.diagnostics.items())
    return f"""import type {{ DiagnosticCode }} from "./types.js";

/** The reference entry of one code, for people. */
export interface CatalogueEntry {{
  /** What it reports. */
  readonly summary: string;
  /** Why it matters. */
  readonly why: string;
  /** How it is mended. */
  readonly mend: string;
}}

/** What each code means, why it matters, and how it is mended. */
export const catalogue: Readonly<Record<DiagnosticCode, CatalogueEntry>> = {{
{entries}}};
"""


def _entry(entry: dict[str, Any]) -> str:
    fields = "".join(f"    {name}: {_literal(entry[name])},\n" for name in ("summary", "why", "mend"))
    return f"{{\n{fields}  }}"


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
