"""What is measured beside what: one line of the table each, with what it takes and what it checks.

A contender's package is imported when it is measured. One that is not installed, or that raises what it does not raise to refuse
an input, is shown with the reason. Each gets its fastest public way of saying yes or no; ours always write the full report.
"""

from __future__ import annotations

import json
import operator
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

import message_ir
from benchmarks.chat import chat
from message_ir.data import read_data


class Checks(StrEnum):
    """What a contender looks at, beyond that the text is JSON."""

    SHAPE = "shape"
    LINKAGE = "linkage"
    ARGUMENTS = "arguments"


class Takes(StrEnum):
    """What a contender is given; making it of text is not in its time."""

    TEXT = "text"
    OBJECTS = "objects"
    CHAT = "chat objects"


class Judge(NamedTuple):
    """How to ask a contender."""

    run: Callable[[Any], object]
    accepts: Callable[[object], bool] = lambda _: True
    """Whether what `run` returned says yes."""
    refusals: tuple[type[Exception], ...] = ()
    """What `run` raises to say no."""


@dataclass(frozen=True)
class Contender:
    """One line of the table."""

    name: str
    takes: Takes
    checks: tuple[Checks, ...]
    build: Callable[[], Judge]
    """Imports what is needed and makes it ready."""


def inputs(takes: Takes, texts: Sequence[bytes]) -> Iterable[Any]:
    """What a contender is given for these texts, made afresh."""
    return texts if takes is Takes.TEXT else map(_MAKERS[takes], texts)


def _parsed(text: bytes) -> Any:
    """What `orjson.loads` makes of a text; without orjson, what `json.loads` makes of it."""
    return _best_parser()(text)


def _best_parser() -> Callable[[bytes], Any]:
    try:
        return import_module("orjson").loads  # type: ignore[no-any-return] # of a module that is imported by name
    except ModuleNotFoundError:
        return json.loads


_MAKERS: Final[Mapping[Takes, Callable[[bytes], Any]]] = {
    Takes.OBJECTS: _parsed,
    Takes.CHAT: lambda text: chat(_parsed(text)),
}

_ALL: Final = tuple(Checks)
_SCHEMA: Final = (Checks.SHAPE, Checks.ARGUMENTS)
_LINKAGE: Final = (Checks.LINKAGE,)


def _reporting(function: Callable[[Any], object]) -> Callable[[], Judge]:
    """Of a function that returns what is wrong."""
    return lambda: Judge(function, operator.not_)


def _raising(function: Callable[[Any], object]) -> Callable[[], Judge]:
    return lambda: Judge(function, refusals=(message_ir.InvalidTranscriptError,))


def _parser(module: str, function: str = "loads") -> Callable[[], Judge]:
    return lambda: Judge(operator.attrgetter(function)(import_module(module)))


def schema() -> dict[str, Any]:
    """The JSON Schema of a transcript, as it is published."""
    return json.loads(read_data("transcript.schema.json"))  # type: ignore[no-any-return] # an object


def _pydantic(*, tagged: bool) -> Judge:
    """Models that datamodel-code-generator makes of our schema, in pydantic's strict mode, from text.

    Args:
        tagged: whether it is told first which field tells the members of a union apart. JSON Schema has no word for that;
            with it, pydantic tries one member instead of all.
    """
    generator = import_module("datamodel_code_generator")
    given = schema()
    if tagged:
        for union, tag in (("Message", "role"), ("AssistantBlock", "type")):
            given["$defs"][union]["discriminator"] = {"propertyName": tag}
    code = generator.generate(
        json.dumps(given),
        input_file_type=generator.InputFileType.JsonSchema,
        output_model_type=generator.DataModelType.PydanticV2BaseModel,
        formatters=[],
    )
    name = f"benchmarks_pydantic_{'tagged' if tagged else 'plain'}"
    module = sys.modules[name] = types.ModuleType(name)  # pydantic looks annotations up by the module's name
    exec(compile(code, name, "exec"), module.__dict__)  # noqa: S102 # generated from our own schema
    run = partial(module.Transcript.model_validate_json, strict=True)
    return Judge(run, refusals=(import_module("pydantic").ValidationError,))


def _jsonschema() -> Judge:
    run = import_module("jsonschema").Draft202012Validator(schema()).is_valid
    return Judge(run, bool)


def _jsonschema_rs() -> Judge:
    run = import_module("jsonschema_rs").Draft202012Validator(schema()).is_valid
    return Judge(run, bool)


def _fastjsonschema() -> Judge:
    """Given the schema as it is.

    fastjsonschema knows Draft 2019-09 at most, and takes a schema of a later one for that. Every keyword of ours means the same
    in both, so that nothing goes unchecked; and what is read in the wrong way would show in the broken workloads.
    """
    package = import_module("fastjsonschema")
    return Judge(package.compile(schema()), refusals=(package.JsonSchemaException,))


def _turnsafe() -> Judge:
    return Judge(partial(import_module("turnsafe").validate, provider="openai"), bool)


def _tessera() -> Judge:
    package = import_module("tessera")
    run = partial(package.inspect, adapter="openai")
    return Judge(run, bool, (package.MalformedTranscriptError,))


def _tool_call_repair() -> Judge:
    package = import_module("toolrepair")
    run = partial(package.validate, format="openai")
    return Judge(run, operator.not_, (package.ToolRepairError,))


BASE: Final = "orjson.loads"
"""What all others are compared with."""

PARSER: Final = "msgspec.json.decode"
"""A fast parser that is always there."""

TOOL_CALL_REPAIR: Final = "tool-call-repair"

CONTENDERS: Final = {
    contender.name: contender
    for contender in (
        Contender("validate_json", Takes.TEXT, _ALL, _reporting(message_ir.validate_json)),
        Contender("validate_transcript", Takes.OBJECTS, _ALL, _reporting(message_ir.validate_transcript)),
        Contender("loads", Takes.TEXT, _ALL, _raising(message_ir.loads)),
        Contender("snapshot", Takes.OBJECTS, _ALL, _raising(message_ir.snapshot)),
        Contender(BASE, Takes.TEXT, (), _parser("orjson")),
        Contender("json.loads", Takes.TEXT, (), _parser("json")),
        Contender(PARSER, Takes.TEXT, (), _parser("msgspec.json", "decode")),
        Contender("pydantic", Takes.TEXT, _SCHEMA, partial(_pydantic, tagged=False)),
        Contender("pydantic, by tag", Takes.TEXT, _SCHEMA, partial(_pydantic, tagged=True)),
        Contender("jsonschema-rs", Takes.OBJECTS, _SCHEMA, _jsonschema_rs),
        Contender("fastjsonschema", Takes.OBJECTS, _SCHEMA, _fastjsonschema),
        Contender("jsonschema", Takes.OBJECTS, _SCHEMA, _jsonschema),
        Contender(TOOL_CALL_REPAIR, Takes.CHAT, _LINKAGE, _tool_call_repair),
        Contender("tessera-transcript", Takes.CHAT, _LINKAGE, _tessera),
        Contender("turnsafe", Takes.CHAT, _LINKAGE, _turnsafe),
    )
}
"""By name, in the order of the table; the TypeScript port's lines come after them."""
