"""Finds reference entries: by code, and by what a model API says."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from message_ir_types.catalogue import CATALOGUE, Sighting
from message_ir_types.messages import DiagnosticCode


class Match(NamedTuple):
    """A code, and what an API says when it meets it."""

    code: DiagnosticCode
    sighting: Sighting


def matches(error: str) -> list[Match]:
    """Returns the entries that an API's error message points to; the longest sighting that it holds counts.

    Case, white space, quotes and backslashes make no difference, so that an error can be taken from a log as it is.
    """
    text = _plain(error)
    return _longest({match: len(_plain(match.sighting.text)) for match in _ALL if _pattern(match).search(text)})


def closest(error: str) -> list[Match]:
    """Returns the entries with the sighting of which the error message has the most words, if that is most of them."""
    words = set(_plain(error).split())
    shares = {match: _share(match, words) for match in _ALL}
    return _longest({match: share for match, share in shares.items() if share >= _ENOUGH})


_ALL: Final = [Match(entry.code, sighting) for entry in CATALOGUE.values() for sighting in entry.seen_as]

_ENOUGH: Final = 0.6


def _longest(measured: dict[Match, float]) -> list[Match]:
    most = max(measured.values(), default=0)
    return [match for match, measure in measured.items() if measure == most]


def _share(match: Match, words: set[str]) -> float:
    own = set(_plain(match.sighting.text).replace("…", " ").split())
    return len(own & words) / len(own)


def _pattern(match: Match) -> re.Pattern[str]:
    """A pattern for an API's message, in which … stands for anything; at its end, for nothing too."""
    pieces = match.sighting.text.rstrip("… .").split("…")
    return re.compile(".*?".join(re.escape(_plain(piece)) for piece in pieces))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\\[nrt]|[\\`'\"\s]+", " ", text).split()).lower()
