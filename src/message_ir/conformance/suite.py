"""The corpus as data: its cases, what is sent of each, and how an answer is held against the expectation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from message_ir.conformance.hosts import recipes
from message_ir.data import read_data
from message_ir.quoting import escape

Outcome = Literal["passed", "failed", "errored", "undelivered", "unsupported"]

# The operations whose result is diagnostics.
DIAGNOSING = frozenset({"validate", "validateText"})

# From the worst on; a case is what the worst of its parts is.
OUTCOMES: tuple[Outcome, ...] = ("failed", "errored", "undelivered", "unsupported", "passed")


@dataclass(frozen=True)
class Case:
    """One conformance case."""

    id: str
    topic: str
    why: str
    clauses: list[str]
    operation: str
    input: Any
    expect: Any
    function: str | None = None
    mutations: list[Any] | None = None
    twin: Any = None
    """The clean twin of a broken input."""

    def requests(self) -> Iterator[Request]:
        """The case itself, and its clean twin."""
        yield Request(self.id, "case", self.operation, self.input, self.expect, self.function, self.mutations)
        if self.twin is not None:
            yield Request(self.id, "twin", self.operation, self.twin, [])


@dataclass(frozen=True)
class Request:
    """One thing that a port is asked, and what it should answer."""

    case: str
    part: str
    """`case`, `twin`, or the name of a variant."""
    operation: str
    input: Any
    expect: Any
    function: str | None = None
    mutations: list[Any] | None = None

    @property
    def hosts(self) -> set[str]:
        """The host values that the port has to build."""
        return set(recipes(self.input))

    @property
    def result(self) -> Any:
        """The expectation, in the form of a port's result."""
        return {"diagnostics": self.expect} if self.operation in DIAGNOSING else self.expect

    def message(self, handle: str) -> dict[str, Any]:
        """The request as it is sent; nothing in it hints at the expectation."""
        optional = {"function": self.function, "mutations": self.mutations}
        head = {"command": "run", "handle": handle, "operation": self.operation, "input": self.input}
        return head | {name: value for name, value in optional.items() if value is not None}


@dataclass(frozen=True)
class Corpus:
    """All cases, the version of the contract that they are of, and a digest that pins them."""

    contract: str
    digest: str
    cases: list[Case]


@dataclass
class Answer:
    """What became of one request."""

    request: Request
    outcome: Outcome
    got: Any = None
    """The result of a port that answered."""
    detail: str = ""
    """Why there is no result."""


@dataclass
class Verdict:
    """What became of one case: the answers to all that was asked of it."""

    case: Case
    answers: list[Answer] = field(default_factory=list)

    @property
    def outcome(self) -> Outcome:
        """The worst of the answers' outcomes."""
        return self.worst.outcome

    @property
    def worst(self) -> Answer:
        """The first answer with the worst outcome."""
        return min(self.answers, key=lambda answer: OUTCOMES.index(answer.outcome))

    @property
    def conforms(self) -> bool:
        """Whether nothing of it is wrong; what could not be asked is not wrong, and never a pass."""
        return self.outcome not in {"failed", "errored"}

    @property
    def observed(self) -> str:
        """What went wrong, in one line: what a file of known failures holds."""
        worst = self.worst
        part = "" if worst.request.part == "case" else f"{worst.request.part} "
        # In such a file a # begins the reason.
        got = f" with {escape(summary(worst.got), also='#')}" if worst.outcome == "failed" else ""
        return " ".join(f"{part}{worst.outcome}{got}".split())


def load() -> Corpus:
    """Reads the corpus that comes with the package."""
    document = json.loads(read_data("cases.json"))
    return Corpus(document["contract"], document["digest"], [Case(**case) for case in document["cases"]])


def agrees(request: Request, result: Any, *, paths: bool) -> bool:
    """Whether a result is what was expected: never the prose, and paths only where the port reports them."""
    return bool(comparable(result, paths=paths) == comparable(request.result, paths=paths))


def comparable(result: Any, *, paths: bool) -> Any:
    """What of a result is compared."""
    match result:
        case {"diagnostics": diagnostics}:
            codes = [(each["code"], each["messageIndex"]) for each in diagnostics]
            # A port may leave out a related that is empty.
            places = [(each.get("path"), each.get("related", [])) for each in diagnostics] if paths else []
            return codes, places
        case {"error": error}:
            return error["pointer"], error["reason"]
    return _exact(result)


def _exact(value: Any) -> Any:
    """The value so that true and 1 differ; 1 and 1.0 are one number in JSON."""
    return json.dumps(_numbers(value), sort_keys=True)


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_numbers(child) for child in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


_SUMMARY_LENGTH = 120


def summary(result: Any) -> str:
    """A result in one line."""
    match result:
        case {"diagnostics": []}:
            return "nothing reported"
        case {"diagnostics": diagnostics}:
            return ", ".join(f"{each['code']} {each.get('path', each['messageIndex'])}" for each in diagnostics)
        case {"error": {"pointer": pointer, "reason": reason}}:
            return f"{reason} at {json.dumps(pointer)}"
    text = json.dumps(result)
    if len(text) <= _SUMMARY_LENGTH:
        return text
    return f"{text[:_SUMMARY_LENGTH]}… (digest {hashlib.sha256(text.encode()).hexdigest()[:8]})"
