"""Looks at every record and block of a transcript, reports what is not of its shape, and notes calls, results and ids.

Here belong the clauses `message.*`, `block.*`, `call.*`, `result.*`, `read.*` and `silence.malformed-ids`.
Nothing here knows a linkage rule; the rules see only what is observed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from message_ir import arguments
from message_ir.arguments import Fault
from message_ir.findings import UNREADABLE, Finding, found
from message_ir.pointer import Path
from message_ir.values import ABSENT, PASS_THROUGH, Read, is_blank, is_unicode, items, reader, string
from message_ir_types.messages import AssistantBlock, DiagnosticCode, Message, Reason
from message_ir_types.shapes import BLOCKS, MESSAGES, Field, Shape


class Call(NamedTuple):
    """A well-formed tool call, and where it stands."""

    id: str
    name: str
    record: int
    block: int


class Result(NamedTuple):
    """A well-formed tool result, and where it stands."""

    id: str
    name: str
    record: int


@dataclass(slots=True)
class Observed:
    """What inspection saw in a transcript."""

    walk: list[Finding | Call | Result] = field(default_factory=list)
    """Shape findings, calls and results, in the order of the walk."""
    malformed_calls: set[str] = field(default_factory=set)
    """The ids of calls in records or blocks that are themselves reported."""
    malformed_results: set[str] = field(default_factory=set)
    """The ids of results in records or blocks that are themselves reported."""
    messages: list[Message] = field(default_factory=list)
    """Frozen copies of the well-formed records, where they were asked for."""

    def findings(self) -> list[Finding]:
        """The shape findings, in order."""
        return [event for event in self.walk if type(event) is Finding]


def inspect(value: object, *, freeze: bool = False) -> Observed:
    """Inspects a transcript.

    Args:
        value: anything.
        freeze: whether to make frozen copies of the well-formed records on the way.
    """
    inspector = _Inspector(freeze=freeze)
    records = items(value)
    if records is None:
        finding = Finding(DiagnosticCode.INVALID_TRANSCRIPT, (), reason=Reason.ARRAY, facts=found(Reason.ARRAY, value))
        inspector.observed.walk.append(finding)
    else:
        for index, record in enumerate(records):
            inspector.message(record, index)
    return inspector.observed


class _Union(NamedTuple):
    """How the members of a union are told apart, and what is read of a value that is none of them."""

    tag: str
    shapes: Mapping[str, Shape]
    always: tuple[str, ...]


_MESSAGE: Final = _Union("role", MESSAGES, ("id",))
_BLOCK: Final = _Union("type", BLOCKS, ())


class _Inspector:
    def __init__(self, *, freeze: bool) -> None:
        self.observed = Observed()
        self._freeze = freeze
        self._checks: Mapping[Reason, Callable[[object], object]] = (
            CHECKS | {Reason.PLAIN_OBJECT: arguments.freeze} if freeze else CHECKS
        )

    def message(self, record: object, index: int) -> None:
        path = (index,)
        read = reader(record)
        if read is None:
            self._report(DiagnosticCode.INVALID_MESSAGE, path, Reason.OBJECT, record)
            return
        fields: dict[str, object] = {}
        try:
            shape = _read_fields(record, read, _MESSAGE, fields)
        except PASS_THROUGH:
            raise
        except BaseException:  # noqa: BLE001 # a caller's object may raise anything
            self._report(DiagnosticCode.INVALID_MESSAGE, path, Reason.OBJECT, UNREADABLE)
            self._note_malformed(fields)
            return
        problem = _header_problem(fields)
        if problem is not None:
            name, reason = problem
            self._report(DiagnosticCode.INVALID_MESSAGE, (*path, name), reason, fields[name])
        values = self._judge(shape, fields, path) if problem is None and shape is not None else None
        if values is None:
            _read_readable(record, read, ("toolCallId", "content"), fields)
            self._note_malformed(fields)
        elif shape is not None:
            self._accept(shape, values, index)

    def _accept(self, shape: Shape, values: dict[str, object], index: int) -> None:
        """Notes a record of which every field is right; an assistant's blocks are still to be judged."""
        blocks = values.get("content")
        if type(blocks) is not str:
            frozen = [self._block(block, (index, "content", at)) for at, block in enumerate(blocks)]  # type: ignore[arg-type, var-annotated] # an array by CHECKS
            if None in frozen:
                return
            values["content"] = tuple(frozen)
        elif "tool_call_id" in values:
            result = Result(values["tool_call_id"], values["tool_name"], index)  # type: ignore[arg-type] # strings by CHECKS
            self.observed.walk.append(result)
        if self._freeze:
            self.observed.messages.append(shape.struct(**values))  # type: ignore[arg-type] # a message's shape, by MESSAGES

    def _block(self, block: object, path: tuple[int, str, int]) -> AssistantBlock | bool | None:
        """Judges a block; returns its frozen copy, or True where none was asked for, or None if it is malformed."""
        read = reader(block)
        if read is None:
            self._report(DiagnosticCode.INVALID_MESSAGE, path, Reason.OBJECT, block)
            return None
        fields: dict[str, object] = {}
        try:
            shape = _read_fields(block, read, _BLOCK, fields)
        except PASS_THROUGH:
            raise
        except BaseException:  # noqa: BLE001 # a caller's object may raise anything
            self._report(DiagnosticCode.INVALID_MESSAGE, path, Reason.OBJECT, UNREADABLE)
            self._note_malformed(fields, block=True)
            return None
        if shape is None:
            self._report(DiagnosticCode.INVALID_MESSAGE, (*path, "type"), Reason.BLOCK_TYPE, fields["type"])
        values = None if shape is None else self._judge(shape, fields, path)
        if values is None or shape is None:
            _read_readable(block, read, ("id", "toolCallId", "content"), fields)
            self._note_malformed(fields, block=True)
            return None
        if "arguments" in values:
            self.observed.walk.append(Call(values["id"], values["name"], path[0], path[2]))  # type: ignore[arg-type] # strings by CHECKS
        return shape.struct(**values) if self._freeze else True  # type: ignore[return-value] # a block's shape, by BLOCKS

    def _judge(self, shape: Shape, fields: Mapping[str, object], path: Path) -> dict[str, object] | None:
        """Reports every field that is wrong; returns the values in Python's names, or None if any is."""
        values: dict[str, object] = {}
        for rule in shape.fields:
            value = self._checks[rule.reason](fields[rule.name])
            if type(value) is Fault:
                at = (*path, rule.name, *value.path)
                self._report(_code(rule, value), at, value.reason, value.value)
            else:
                values[rule.attribute] = value
        return values if len(values) == len(shape.fields) else None

    def _report(self, code: DiagnosticCode, path: Path, reason: Reason, value: object) -> None:
        self.observed.walk.append(Finding(code, path, reason=reason, facts=found(reason, value)))

    def _note_malformed(self, fields: Mapping[str, object], *, block: bool = False) -> None:
        """Notes the ids that could be read from a record or block that is reported."""
        _note(self.observed.malformed_results, fields.get("toolCallId"))
        if block:
            _note(self.observed.malformed_calls, fields.get("id"))
        for child in items(fields.get("content")) or ():
            read = reader(child)
            if read is not None:
                inner: dict[str, object] = {}
                _read_readable(child, read, ("id",), inner)
                _note(self.observed.malformed_calls, inner.get("id"))


def _read_fields(value: object, read: Read, union: _Union, fields: dict[str, object]) -> Shape | None:
    """Reads the tag and then the fields of the shape that it names into `fields`, each once.

    Raises:
        BaseException: whatever a read raises; `fields` then holds what was read before.
    """
    fields[union.tag] = read(value, union.tag, ABSENT)
    shape = union.shapes.get(string(fields[union.tag]) or "")
    for name in union.always if shape is None else [rule.name for rule in shape.fields]:
        fields[name] = read(value, name, ABSENT)
    return shape


def _read_readable(value: object, read: Read, names: Sequence[str], fields: dict[str, object]) -> None:
    """Reads what was not read yet and can be."""
    for name in names:
        if name not in fields:
            try:
                fields[name] = read(value, name, ABSENT)
            except PASS_THROUGH:
                raise
            except BaseException:  # noqa: BLE001, S112 # what raises is not readable
                continue


def _note(ids: set[str], value: object) -> None:
    text = string(value)
    if text is not None and not is_blank(text):
        ids.add(text)


def _header_problem(fields: Mapping[str, object]) -> tuple[str, Reason] | None:
    """The first thing that is wrong with a record's role and id: the field and the reason."""
    role = string(fields["role"])
    if role is None:
        return "role", Reason.STRING
    fault = _non_blank_string(fields["id"])
    if type(fault) is Fault:
        return "id", fault.reason
    return ("role", Reason.ROLE) if role not in MESSAGES else None


def _code(rule: Field, fault: Fault) -> DiagnosticCode:
    """The code of a field's fault; an unpaired surrogate in a name is no empty name (clause `name.unicode`)."""
    if fault.reason is Reason.UNICODE and rule.reason is Reason.NON_BLANK_STRING:
        return DiagnosticCode.INVALID_MESSAGE
    return rule.code


def _non_blank_string(value: object) -> str | Fault:
    text = string(value)
    if text is None or is_blank(text):
        return Fault(Reason.NON_BLANK_STRING, (), value)
    return text if is_unicode(text) else Fault(Reason.UNICODE, (), value)


def _string(value: object) -> str | Fault:
    text = string(value)
    if text is None:
        return Fault(Reason.STRING, (), value)
    return text if is_unicode(text) else Fault(Reason.UNICODE, (), value)


def _boolean(value: object) -> bool | Fault:
    return value if type(value) is bool else Fault(Reason.BOOLEAN, (), value)


def _array(value: object) -> Sequence[object] | Fault:
    blocks = items(value)
    return Fault(Reason.ARRAY, (), value) if blocks is None else blocks


def _arguments(value: object) -> object:
    return arguments.first_fault(value)


# A check takes a field's value and returns it in exact types, or the fault that it has.
CHECKS: Final[dict[Reason, Callable[[object], object]]] = {
    Reason.NON_BLANK_STRING: _non_blank_string,
    Reason.STRING: _string,
    Reason.BOOLEAN: _boolean,
    Reason.ARRAY: _array,
    Reason.PLAIN_OBJECT: _arguments,
}
