"""The fast way for linkage: it sees that every tool round is whole and every id is there, and proves nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

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
