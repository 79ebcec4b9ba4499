"""Holds a port against the corpus: every case, its twin and its variants, in an order that a seed shuffles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from message_ir.conformance.suite import Answer, Case, Request, Verdict, agrees
from message_ir.conformance.variants import variants

if TYPE_CHECKING:
    from message_ir.conformance.process import PortProcess


def run(
    cases: Sequence[Case],
    port: PortProcess,
    seed: int,
    advance: Callable[[int, int], object] | None = None,
) -> list[Verdict]:
    """Asks a port everything about the cases, and returns what became of each, in their order.

    Args:
        cases: the cases to run.
        port: a port that is started.
        seed: shuffles what is asked, and makes the handles.
        advance: is told how much of how much is done.

    Raises:
        PortError: the port cannot be used any more.
    """
    verdicts = {case.id: Verdict(case) for case in cases}
    operations = port.introduction["operations"]
    # A variant may be of another operation than its case; where the port has not that one, the case is not unsupported.
    requests = [each for each in everything(cases) if each.operation in operations or each.part in _OWN_PARTS]
    positions = {(each.case, each.part): position for position, each in enumerate(requests)}
    random.Random(seed).shuffle(requests)  # noqa: S311 # an order, not a secret
    total = len(requests)
    for done, answer in enumerate(chain(answers(requests, port, seed), port.finish()), 1):
        verdicts[answer.request.case].answers.append(answer)
        if advance is not None:
            advance(min(done, total), total)
    for verdict in verdicts.values():  # so that a report does not hang on the order in which they came
        verdict.answers.sort(key=lambda answer: positions[answer.request.case, answer.request.part])
    return list(verdicts.values())


_OWN_PARTS: Final = frozenset({"case", "twin"})


def everything(cases: Iterable[Case]) -> Iterator[Request]:
    """All that is asked of the cases: each itself, its twin, and its variants."""
    for case in cases:
        for request in case.requests():
            yield request
            if request.part == "case":
                yield from variants(request)


def answers(requests: Iterable[Request], port: PortProcess, seed: int) -> Iterator[Answer]:
    """Asks a port what it says it can be asked, and yields every answer, held against the expectation."""
    introduction = port.introduction
    not_asked: list[Answer] = []

    def asked() -> Iterator[Request]:
        for request in requests:
            missing = _cannot(request, introduction)
            if missing is None:
                yield request
            else:
                not_asked.append(missing)

    for answer in port.ask(zip(_handles(seed), asked(), strict=False)):
        if answer.outcome == "passed" and not agrees(answer.request, answer.got, paths=introduction["paths"]):
            answer.outcome = "failed"
        yield answer
    yield from not_asked


def _cannot(request: Request, introduction: dict[str, Any]) -> Answer | None:
    """The answer to what the port says it cannot do."""
    reasons = introduction.get("reasons", {})
    if request.operation not in introduction["operations"]:
        return Answer(request, "unsupported", detail=reasons.get(request.operation, request.operation))
    for host in sorted(request.hosts - set(introduction["hosts"])):
        return Answer(request, "undelivered", detail=reasons.get(host, host))
    return None


def _handles(seed: int) -> Iterator[str]:
    """Handles that tell nothing, not even an order."""
    numbers = random.Random(seed)  # noqa: S311 # they need not be secret
    used: set[str] = set()
    while True:
        handle = f"{numbers.getrandbits(48):012x}"
        if handle not in used:
            used.add(handle)
            yield handle
