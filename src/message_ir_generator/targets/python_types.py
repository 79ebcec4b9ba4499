"""The Python types, by datamodel-code-generator: frozen msgspec Structs, and TypedDicts for plain wire dicts."""

from __future__ import annotations

import re
from typing import Any, Literal

from datamodel_code_generator import CustomFileHeaderMode, InputFileType, PythonVersion, generate
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter

from message_ir_generator.provenance import NOTICE
from message_ir_generator.python_format import formatted
from message_ir_generator.spec import Spec
from message_ir_generator.targets import json_schema

_STRUCT_HEADER = re.compile(
    r'^class (?P<name>\w+)\(Struct, kw_only=True(?:, tag_field="(?P<field>\w+)", tag="(?P<tag>\w+)")?\):\n'
    r'(?P<doc>    """.*?"""\n)',
    re.MULTILINE,
)

# The one docstring that `use_single_line_docstring` does not reach.
_ENUM_HEADER = re.compile(r'^(class \w+\(StrEnum\):\n    )"""\n    (.+)\n    """$', re.MULTILINE)


def render(spec: Spec) -> dict[str, str]:
    """Renders `messages.py` (Structs, enums and aliases, in Python's names) and `wire.py` (TypedDicts, in wire names)."""
    structs = _generate(
        spec,
        "The messages as frozen msgspec Structs, in Python's names.",
        DataModelType.MsgspecStruct,
        use_msgspec_tagged_unions=True,
        keyword_only=True,
        snake_case_field=True,
        use_specialized_enum=True,
        capitalise_enum_members=True,
        additional_imports=["frozendict.frozendict", "typing.ClassVar", "typing.Literal"],
    )
    wire = _generate(
        spec,
        "The messages as TypedDicts: plain dicts in wire names, as they stand in JSON.",
        DataModelType.TypingTypedDict,
    )
    return {
        "python/message_ir_types/messages.py": formatted(_freeze(structs)),
        "python/message_ir_types/wire.py": formatted(wire),
    }


def _generate(spec: Spec, docstring: str, model_type: DataModelType, **options: Any) -> str:
    text = generate(
        _without_number_bounds(json_schema.document(spec)),
        input_file_type=InputFileType.JsonSchema,
        input_filename="spec/message-ir.yaml",
        output_model_type=model_type,
        target_python_version=PythonVersion.PY_311,
        custom_file_header=f'# {NOTICE}\n"""{docstring}"""',
        custom_file_header_mode=CustomFileHeaderMode.Replace,
        disable_timestamp=True,
        formatters=[Formatter.BUILTIN],
        use_double_quotes=True,
        use_standard_collections=True,
        use_union_operator=True,
        use_type_alias=True,
        use_schema_description=True,
        use_field_description=True,
        use_attribute_docstrings=True,
        use_single_line_docstring=True,
        **options,
    )
    assert isinstance(text, str)
    return text


def _without_number_bounds(schema: Any) -> Any:
    """The schema without bounds on numbers, which msgspec cannot hold for integers beyond 64 bits."""
    if isinstance(schema, dict):
        return {
            key: _without_number_bounds(value) for key, value in schema.items() if key not in ("minimum", "maximum")
        }
    if isinstance(schema, list):
        return [_without_number_bounds(value) for value in schema]
    return schema


def _freeze(text: str) -> str:
    """Settles what the generator has no option for: frozen Structs, tuples for lists, frozendicts for dicts, tags as attributes."""
    text = _STRUCT_HEADER.sub(_frozen_header, text)
    text = _ENUM_HEADER.sub(r'\1"""\2"""', text)
    text = re.sub(r"\blist\[([^\[\]]+)\]", r"tuple[\1, ...]", text)
    text = text.replace("dict[str,", "frozendict[str,")
    mutable: list[Literal["list[", " dict["]] = ["list[", " dict["]
    assert not any(name in text for name in mutable), "a mutable container is left in the types"
    assert text.count("(Struct,") == text.count("frozen=True"), "a Struct is left that is not frozen"
    return text


def _frozen_header(match: re.Match[str]) -> str:
    field, tag = match["field"], match["tag"]
    tagged = f', tag_field="{field}", tag="{tag}"' if field else ""
    attribute = f'\n    {field}: ClassVar[Literal["{tag}"]] = "{tag}"\n' if field else ""
    return f"class {match['name']}(Struct, frozen=True, kw_only=True{tagged}):\n{match['doc']}{attribute}"
