"""The rest of `message_ir_types`: what the specification says in tables, as Python data."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from message_ir_generator.provenance import NOTICE
from message_ir_generator.python_format import formatted
from message_ir_generator.spec import Shape, Spec

PACKAGE = "python/message_ir_types"


def render(spec: Spec) -> dict[str, str]:
    """Renders `constants.py`, `shapes.py`, `catalogue.py`, the package's `__init__.py` and its `py.typed`."""
    modules = {
        "__init__.py": _init(),
        "constants.py": _constants(spec),
        "shapes.py": _shapes(spec),
        "catalogue.py": _catalogue(spec),
    }
    texts = {f"{PACKAGE}/{name}": formatted(f"# {NOTICE}\n{text}") for name, text in modules.items()}
    return texts | {f"{PACKAGE}/py.typed": ""}


def _init() -> str:
    return '"""The generated half of message-ir: `messages`, `wire`, `shapes`, `constants` and `catalogue`."""\n'


def _constants(spec: Spec) -> str:
    lines = [
        '"""The contract\'s version, limits and character sets."""',
        "",
        "from typing import Final",
        "",
        f"VERSION: Final = {spec.version!r}",
        "",
        f"BLANK_CHARACTERS: Final = {spec.blank!a}",
        '"""The characters that a blank string may hold; it may also be empty."""',
    ]
    for name, limit in spec.limits.items():
        lines += ["", f"{_snake(name).upper()}: Final = {limit['value']}", f'"""{limit["meaning"]}"""']
    return "\n".join(lines) + "\n"


def _shapes(spec: Spec) -> str:
    unions = {"MESSAGES": spec.shapes("Message"), "BLOCKS": spec.shapes("AssistantBlock")}
    structs = sorted({shape.type for shapes in unions.values() for shape in shapes})
    text = f'''"""The messages and blocks as tables: which fields they have, in which order they are judged, and how a fault is reported."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from message_ir_types.messages import DiagnosticCode, Reason, {", ".join(structs)}


class Field(NamedTuple):
    """One field of a message or block."""

    name: str
    """Its name on the wire."""
    attribute: str
    """Its name in Python."""
    reason: Reason
    """What a value of the wrong type is refused for."""
    code: DiagnosticCode
    """The code of its faults."""


class Shape(NamedTuple):
    """One message or block type."""

    struct: type[Struct]
    fields: tuple[Field, ...]
    """Its fields but the tag, in order."""

'''
    for name, shapes in unions.items():
        entries = "".join(f"{shape.tag!r}: {_shape(shape)},\n" for shape in shapes)
        text += f"\n{name}: Final[Mapping[str, Shape]] = {{\n{entries}}}\n"
    return text


def _shape(shape: Shape) -> str:
    fields = "".join(
        f"Field({field.name!r}, {_snake(field.name)!r}, Reason.{_snake(field.reason).upper()}, DiagnosticCode.{field.code}),"
        for field in shape.fields
    )
    return f"Shape({shape.type}, ({fields}))"


def _catalogue(spec: Spec) -> str:
    reasons = "".join(
        f"Reason.{_snake(reason).upper()}: {_literal(entry['must'])},\n" for reason, entry in spec.reasons.items()
    )
    entries = "".join(f"DiagnosticCode.{code}: {_entry(code, entry)},\n" for code, entry in spec.diagnostics.items())
    clauses = "".join(f"{clause!r}: {_literal(text)},\n" for clause, text in spec.clauses.items())
    return f'''"""The reference of the diagnostics: what each code means, why it matters, how to mend it, and how its prose is worded."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from message_ir_types.messages import DiagnosticCode, Reason


class Sighting(NamedTuple):
    """How one model API refuses a transcript with such a cause."""

    api: str
    text: str
    """The API's own message; … stands for ids, indexes or counts."""
    note: str = ""


class Entry(NamedTuple):
    """The reference entry of one code."""

    code: DiagnosticCode
    phase: Literal["transcript", "shape", "linkage"]
    summary: str
    path: str
    """Where the path points."""
    related: str
    """Where related points; empty where a report has no counterpart."""
    clauses: tuple[str, ...]
    """The clauses that it reports a breach of."""
    why: str
    mend: str
    prose: Mapping[str, str]
    """The format strings of its message, by variant."""
    broken: str
    """A transcript with this cause, as JSON text, a message a line."""
    mended: str
    """The same transcript without it."""
    seen_as: tuple[Sighting, ...]


CATALOGUE: Final[Mapping[DiagnosticCode, Entry]] = {{
{entries}}}

MUST: Final[Mapping[Reason, str]] = {{
{reasons}}}
"""What a value must do or be; completes “… must”."""

CLAUSES: Final[Mapping[str, str]] = {{
{clauses}}}
"""The contract in single statements."""
'''


def _entry(code: str, entry: dict[str, Any]) -> str:
    sightings = "".join(
        f"Sighting({', '.join(_literal(sighting[key]) for key in ('api', 'text', 'note') if key in sighting)}),"
        for sighting in entry["seenAs"]
    )
    prose = "".join(f"{variant!r}: {_literal(template)}," for variant, template in entry["prose"].items())
    return f"""Entry(
        code=DiagnosticCode.{code},
        phase={entry["phase"]!r},
        summary={_literal(entry["summary"])},
        path={_literal(entry["path"])},
        related={_literal(entry["related"])},
        clauses={tuple(entry["clauses"])!r},
        why={_literal(entry["why"])},
        mend={_literal(entry["mend"])},
        prose={{{prose}}},
        broken={_literal(json_lines(entry["broken"]["transcript"]))},
        mended={_literal(json_lines(entry["mended"]))},
        seen_as=({sightings}),
    )"""


def json_lines(transcript: Any) -> str:
    """A transcript as JSON text with a message on each line, and anything else on one."""
    if not isinstance(transcript, list) or not transcript:
        return json.dumps(transcript, ensure_ascii=False)
    return "[\n" + ",\n".join(f"  {json.dumps(message, ensure_ascii=False)}" for message in transcript) + "\n]"


def _literal(text: str) -> str:
    """The text as Python source, broken over lines where it is long."""
    lines = [piece for line in text.splitlines(keepends=True) for piece in _wrapped(line)]
    return f"({' '.join(map(repr, lines))})" if len(lines) > 1 else repr(text)


def _wrapped(line: str) -> list[str]:
    wrapper = textwrap.TextWrapper(width=90, drop_whitespace=False, break_long_words=False, break_on_hyphens=False)
    wrapper.replace_whitespace = False
    return wrapper.wrap(line)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
