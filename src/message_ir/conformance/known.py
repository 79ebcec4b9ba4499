"""Known failures: a file of what a port is known to fail, each with its reason; a run conforms when it fails exactly that.

One failure a line: `case: observed  # reason`. Empty lines, and lines that begin with #, are comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from message_ir.conformance.suite import Corpus, Verdict

_LINE: Final = re.compile(r"(?P<case>[^\s:]+):\s*(?P<observed>.*?)\s+#\s*(?P<reason>\S.*)")


class KnownFailure(NamedTuple):
    """One line of the file."""

    line: int
    case: str
    observed: str
    reason: str


class KnownFailuresError(ValueError):
    """The file cannot be used; the message says which line and why."""


def read_known_failures(file: Path) -> list[KnownFailure]:
    """Reads a file of known failures.

    Raises:
        KnownFailuresError: a line is not of the form, a case stands in two, or the file is no text in UTF-8.
        OSError: the file cannot be read.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise KnownFailuresError(f"{file}: it is not UTF-8 at byte {error.start}") from error
    known: dict[str, KnownFailure] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise KnownFailuresError(f"{file}:{number}: write it as “case: observed  # reason”: {line.strip()}")
        if (case := match["case"]) in known:
            raise KnownFailuresError(f"{file}:{number}: {case} stands in line {known[case].line} too; keep one")
        known[case] = KnownFailure(number, case, match["observed"], match["reason"])
    return list(known.values())


def unexpected(known: Sequence[KnownFailure], verdicts: Sequence[Verdict], corpus: Corpus, file: Path) -> Iterator[str]:
    """Yields, for each entry that does not hold, the line to change and how."""
    by_case = {verdict.case.id: verdict for verdict in verdicts}
    ids = {case.id for case in corpus.cases}
    for entry in known:
        place = f"{file}:{entry.line}: {entry.case}"
        verdict = by_case.get(entry.case)
        if verdict is None:
            if entry.case not in ids:
                yield f"{place}: there is no such case; remove the line"
        elif verdict.conforms:
            yield f"{place}: is {verdict.outcome} now; remove the line"
        elif verdict.observed != entry.observed:
            yield f"{place}: fails otherwise than listed; write: {as_line(verdict, entry.reason)}"


def as_line(verdict: Verdict, reason: str) -> str:
    """The line that lists a failure."""
    return f"{verdict.case.id}: {verdict.observed}  # {reason}"
