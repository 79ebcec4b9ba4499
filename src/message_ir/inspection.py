"""Looks at every record and block of a transcript, reports what is not of its shape, and notes calls, results and ids.

Here belong the clauses `message.*`, `block.*`, `call.*`, `result.*`, `read.*` and `silence.malformed-ids`.
Nothing here knows a linkage rule; the rules see only what is observed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import Struct

from message_ir import arguments
from message_ir.arguments import Fault
from message_ir.findings import UNREADABLE, Finding, found
from message_ir.pointer import Path
from message_ir.values import ABSENT, PASS_THROUGH, Read, is_blank, is_unicode, items, reader, string
from message_ir_types.messages import (
    AssistantBlock,
    AssistantMessage,
    DiagnosticCode,
    Message,
    Reason,
    ToolCall,
    ToolResultMessage,
)
from message_ir_types.shapes import BLOCKS, MESSAGES, Field, Shape


class Call(Struct, frozen=True, gc=False):
    """A well-formed tool call, and where it stands."""

    id: str
    name: str
    record: int
    block: int


class Result(Struct, frozen=True, gc=False):
    """A well-formed tool result, and where it stands."""

    id: str
    name: str
    record: int


class Observed:
    """What inspection saw in a transcript."""

    __slots__ = ("malformed_calls", "malformed_results", "messages", "walk")

    def __init__(self) -> None:
        self.walk: list[Finding | Call | Result] = []
        """Shape findings, calls and results, in the order of the walk."""
        self.malformed_calls: set[str] = set()
        """The ids of calls in records or blocks that are themselves reported."""
        self.malformed_results: set[str] = set()
        """The ids of results in records or blocks that are themselves reported."""
        self.messages: list[Message] = []
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
    inspector = Inspector(freeze=freeze)
    records = items(value)
    if records is None:
        finding = Finding(DiagnosticCode.INVALID_TRANSCRIPT, (), reason=Reason.ARRAY, facts=found(Reason.ARRAY, value))
        inspector.observed.walk.append(finding)
    else:
        for index, record in enumerate(records):
            inspector.message(record, index)
    return inspector.observed


class _Problem(NamedTuple):
    """One thing that is wrong with a record or block."""

    path: Path
    reason: Reason
    value: object
    code: DiagnosticCode = DiagnosticCode.INVALID_MESSAGE

    def below(self, *outer: str | int) -> _Problem:
        return self._replace(path=(*outer, *self.path))


class _Accepted(NamedTuple):
    """A record or block of which every field is right: its type, and its fields' values in Python's names."""

    struct: Callable[..., Any]
    values: dict[str, Any]


class _Refused(NamedTuple):
    """A record or block that is reported."""

    problems: Sequence[_Problem]
    readable: bool = True
    """False if a read raised; then nothing more is read."""


class _Union(NamedTuple):
    """How the members of a union are told apart, what is read of a value that is none of them, and what comes first."""

    tag: str
    shapes: Mapping[str, Shape]
    always: tuple[str, ...]
    header: Callable[[Mapping[str, object]], _Problem | None]
    """Finds what ends a record or block before its own fields are judged."""


class Inspector:
    """Inspects one record after the other; what it sees is in `observed`."""

    def __init__(self, *, freeze: bool = False) -> None:
        self.observed = Observed()
        self.freeze = freeze
        """Whether frozen copies are made."""
        self._checks: Mapping[Reason, Callable[[object], object]] = (
            CHECKS | {Reason.PLAIN_OBJECT: arguments.freeze} if freeze else CHECKS
        )

    def message(self, record: object, index: int) -> None:
        """Judges one record, and an assistant's blocks."""
        read = reader(record)
        if read is None:
            self._report(_Problem((index,), Reason.OBJECT, record))
            return
        fields: dict[str, object] = {}
        judged = self._judge(record, read, _MESSAGE, fields)
        if isinstance(judged, _Refused):
            self._report(*(problem.below(index) for problem in judged.problems))
            if judged.readable:
                _read_readable(record, read, ("toolCallId", "content"), fields)
            self._note_malformed(fields)
            return
        values = judged.values
        if judged.struct is AssistantMessage:
            blocks = [self._block(block, index, at) for at, block in enumerate(values["content"])]
            if None in blocks:
                return
            values["content"] = tuple(blocks)
        elif judged.struct is ToolResultMessage:
            self.observed.walk.append(Result(values["tool_call_id"], values["tool_name"], index))
        if self.freeze:
            self.observed.messages.append(judged.struct(**values))

    def _block(self, block: object, index: int, at: int) -> AssistantBlock | bool | None:
        """Judges a block; returns its frozen copy, or True where none was asked for, or None if it is malformed."""
        read = reader(block)
        if read is None:
            self._report(_Problem((index, "content", at), Reason.OBJECT, block))
            return None
        fields: dict[str, object] = {}
        judged = self._judge(block, read, _BLOCK, fields)
        if isinstance(judged, _Refused):
            self._report(*(problem.below(index, "content", at) for problem in judged.problems))
            if judged.readable:
                _read_readable(block, read, ("id", "toolCallId", "content"), fields)
            self._note_malformed(fields)
            _note(self.observed.malformed_calls, fields.get("id"))
            return None
        if judged.struct is ToolCall:
            self.observed.walk.append(Call(judged.values["id"], judged.values["name"], index, at))
        return judged.struct(**judged.values) if self.freeze else True

    def _judge(self, value: object, read: Read, union: _Union, fields: dict[str, object]) -> _Accepted | _Refused:
        """Reads a record's or block's fields into `fields`, all of them and each once, and then judges them."""
        try:
            fields[union.tag] = read(value, union.tag, ABSENT)
            shape = union.shapes.get(string(fields[union.tag]) or "")
            for name in union.always if shape is None else [rule.name for rule in shape.fields]:
                fields[name] = read(value, name, ABSENT)
            problem = union.header(fields)
            if problem is not None:
                return _Refused((problem,))
            assert shape is not None, "a header is only right if it names a shape"
            values: dict[str, Any] = {}
            problems: list[_Problem] = []
            for rule in shape.fields:
                checked = self._checks[rule.reason](fields[rule.name])
                if type(checked) is Fault:
                    problems.append(
                        _Problem((rule.name, *checked.path), checked.reason, checked.value, _code(rule, checked))
                    )
                else:
                    values[rule.attribute] = checked
        except PASS_THROUGH:
            raise
        except BaseException:  # noqa: BLE001 # a caller's object may raise anything
            return _Refused((_Problem((), Reason.OBJECT, UNREADABLE),), readable=False)
        return _Refused(problems) if problems else _Accepted(shape.struct, values)

    def _report(self, *problems: _Problem) -> None:
        for path, reason, value, code in problems:
            self.observed.walk.append(Finding(code, path, reason=reason, facts=found(reason, value)))

    def _note_malformed(self, fields: Mapping[str, object]) -> None:
        """Notes the ids that could be read from a record or block that is reported."""
        _note(self.observed.malformed_results, fields.get("toolCallId"))
        for child in items(fields.get("content")) or ():
            read = reader(child)
            if read is not None:
                inner: dict[str, object] = {}
                _read_readable(child, read, ("id",), inner)
                _note(self.observed.malformed_calls, inner.get("id"))


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


def _message_header(fields: Mapping[str, object]) -> _Problem | None:
    """The first thing that is wrong with a record's role and id."""
    role = string(fields["role"])
    if role is None:
        return _Problem(("role",), Reason.STRING, fields["role"])
    fault = _non_blank_string(fields["id"])
    if type(fault) is Fault:
        return _Problem(("id",), fault.reason, fields["id"])
    return None if role in MESSAGES else _Problem(("role",), Reason.ROLE, role)


def _block_header(fields: Mapping[str, object]) -> _Problem | None:
    if string(fields["type"]) in BLOCKS:
        return None
    return _Problem(("type",), Reason.BLOCK_TYPE, fields["type"])


_MESSAGE: Final = _Union("role", MESSAGES, ("id",), _message_header)
_BLOCK: Final = _Union("type", BLOCKS, (), _block_header)


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
