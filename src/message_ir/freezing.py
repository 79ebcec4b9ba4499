"""Makes frozen objects of dicts, without what `frozendict` asks of each before it takes it."""

from __future__ import annotations

from typing import Any, Final

from frozendict import frozendict

# Where it is written in Python, a frozendict is a dict with one slot, which its constructor fills in.
if frozendict.__mro__[1:] == (dict, object) and getattr(frozendict, "__slots__", None) == ("_hash",):
    _new: Final[Any] = dict.__new__
    _fill: Final = dict.update
    _set_hash: Final = frozendict.__dict__["_hash"].__set__
    # What a fresh one holds there, until it is asked for its hash.
    _UNKNOWN: Final = frozendict({"": None})._hash  # type: ignore[attr-defined] # noqa: SLF001 # tested above

    def frozen_object(value: dict[str, Any]) -> frozendict[str, Any]:
        """Returns a frozen copy of an exact dict."""
        made: frozendict[str, Any] = _new(frozendict)
        _fill(made, value)
        _set_hash(made, _UNKNOWN)
        return made

else:

    def frozen_object(value: dict[str, Any]) -> frozendict[str, Any]:
        """Returns a frozen copy of an exact dict."""
        return frozendict(value)
