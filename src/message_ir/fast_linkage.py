"""The fast way for linkage: it sees that every tool round is whole and every id is there; what is not, the rules report."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

from message_ir.inspection import Call, Observed, Result
from message_ir.values import is_blank
from message_ir_types.constants import BLANK_CHARACTERS


class Family(NamedTuple):
    """Message types that are of the generated ones' shapes."""

    assistant: type[Any]
    result: type[Any]
    call: type[Any]


def linked(records: Iterable[Any], family: Family) -> int | None:  # noqa: C901 # one loop: a function for each part costs more than the part
    """Returns how many calls the records have; None where linkage reports anything, or an id or name is blank.

    A result takes the call that it answers out of those that are open. So a call is answered once, by a later record,
    and a result without an open call of its id and name ends the walk; so does a call whose id was seen before.

    Args:
        records: messages of the family, all of their fields right but for blank ids and names.
        family: the records' types.
    """
    assistant, result, call = family
    blanks = BLANK_CHARACTERS
    names: dict[str, str] = {}
    take = names.pop
    ids: list[str] = []
    see = ids.append
    for record in records:
        # The id is read in each branch, where the interpreter knows the record's type.
        kind = type(record)
        if kind is result:
            if take(record.tool_call_id, None) != record.tool_name or not record.id.strip(blanks):
                return None
        elif kind is assistant:
            if not record.id.strip(blanks):
                return None
            for block in record.content:
                if type(block) is call:
                    id_ = block.id
                    name = names[id_] = block.name
                    if not name.strip(blanks):
                        return None
                    see(id_)
        elif not record.id.strip(blanks):
            return None
    distinct = set(ids)
    if names or len(distinct) != len(ids) or not all(map(str.strip, distinct, repeat(blanks))):
        return None
    return len(ids)


def observed(records: Iterable[Any], family: Family) -> Observed | None:
    """Returns what inspection sees in records of which each is of its shape; None where an id or name is blank.

    Args:
        records: as for `linked`.
        family: likewise.
    """
    assistant, result, call = family
    seen = Observed()
    note = seen.walk.append
    for index, record in enumerate(records):
        kind = type(record)
        if is_blank(record.id):
            return None
        if kind is result:
            if is_blank(record.tool_call_id) or is_blank(record.tool_name):
                return None
            note(Result(record.tool_call_id, record.tool_name, index))
        elif kind is assistant:
            for at, block in enumerate(record.content):
                if type(block) is call:
                    if is_blank(block.id) or is_blank(block.name):
                        return None
                    note(Call(block.id, block.name, index, at))
    return seen
