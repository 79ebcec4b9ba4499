"""The commands of `message-ir conformance`. What is heavy is imported where it is used, so that `check` starts fast."""

from __future__ import annotations

import fnmatch
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.console import Console

from message_ir.cli.escaping import safe, safe_json
from message_ir.cli.hints import did_you_mean
from message_ir.cli.progress import CountProgress
from message_ir.data import read_data

if TYPE_CHECKING:
    from message_ir.conformance.process import PortProcess
    from message_ir.conformance.report import Report
    from message_ir.conformance.suite import Answer, Case, Corpus

CONFORMS: Final = 0
DIFFERS: Final = 1
PORT_BROKE: Final = 3
NOTHING_RAN: Final = 4

# What `export` writes: the name of each file, and the data file that it is.
EXPORTED: Final = {
    "README.md": "port-manual.md",
    "contract.md": "contract.md",
    "cases.json": "cases.json",
    "protocol.schema.json": "protocol.schema.json",
    "transcript.schema.json": "transcript.schema.json",
}

_LARGEST_SEED: Final = 2**32


def _number(_: click.Context, __: click.Parameter, value: float) -> float:
    """Refuses NaN, which is in every range."""
    if value != value:  # noqa: PLR0124 # only NaN is not itself
        raise click.BadParameter("it is not a number")
    return value


_command = click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND…")
_timeout = click.option(
    "--timeout",
    type=click.FloatRange(0.1, 86_400),
    callback=_number,
    default=10.0,
    show_default=True,
    help="Seconds to wait for an answer.",
)
_seed = click.option(
    "--seed", type=click.IntRange(min=0), help="Repeats an earlier run; a new one is drawn and printed if not said."
)
_cases = click.option(
    "--case", "cases", multiple=True, metavar="PATTERN", help="Only cases of this id; * stands for anything."
)
_clauses = click.option(
    "--clause", "clauses", multiple=True, metavar="PATTERN", help="Only cases of this clause, such as linkage.*."
)
_existing = click.Path(exists=True, dir_okay=False, path_type=Path)
_file = click.Path(dir_okay=False, path_type=Path)


@click.group("conformance")
def conformance() -> None:
    """Holds a port of the contract, in any language, against the conformance corpus.

    A port is a program that reads requests and writes answers, a line of JSON each; `message-ir conformance export`
    writes the manual that tells how to write one.

    Exit codes: 0 conforms, 1 does not, 2 wrong usage, 3 the port could not be started or broke the protocol,
    4 nothing ran.
    """


@conformance.command("run")
@_command
@_cases
@_clauses
@_seed
@_timeout
@click.option(
    "--known-failures",
    type=_existing,
    help="What is known to fail; a run conforms when it fails exactly that.",
)
@click.option("--json", type=_file, help="Write the report as JSON.")
@click.option("--junit", type=_file, help="Write the report as JUnit XML.")
@click.option("--markdown", type=_file, help="Write the report as Markdown.")
@click.option("--html", type=_file, help="Write the report as one page for a browser.")
def run_command(  # noqa: PLR0913 # an option each
    *,
    command: tuple[str, ...],
    cases: tuple[str, ...],
    clauses: tuple[str, ...],
    seed: int | None,
    timeout: float,
    known_failures: Path | None,
    **files: Path | None,
) -> int:
    """Runs every case, its clean twin and its variants, in a shuffled order, and reports what differs.

    Known failures are lines of `case: observed  # reason`; the run prints the lines to write.
    """
    from message_ir.cli.differences import print_report  # noqa: PLC0415 # heavy
    from message_ir.conformance import rendering, runner, suite  # noqa: PLC0415 # heavy
    from message_ir.conformance.known import KnownFailuresError, read_known_failures  # noqa: PLC0415 # heavy
    from message_ir.conformance.report import make_report  # noqa: PLC0415 # heavy

    corpus = suite.load()
    selected = _selected(corpus, cases, clauses)
    try:
        known = read_known_failures(known_failures) if known_failures else []
    except (KnownFailuresError, OSError) as error:
        raise click.ClickException(safe(str(error))) from error
    outputs = {file: rendering.RENDERINGS[name] for name, file in files.items() if file is not None}
    if len(outputs) < sum(file is not None for file in files.values()):
        raise click.ClickException("two reports cannot be written to one file")
    for file in outputs:
        _expect_folder(file)
    seed = _drawn(seed)
    console = _console()
    with _started(command, timeout) as port:
        introduction = port.introduction
        who = f"{introduction['name']} {introduction['version']} ({introduction['language']})"
        console.print(f"{safe(who)}, seed {seed}")
        began = time.monotonic()
        with CountProgress("running", None) as progress:
            verdicts = runner.run(selected, port, seed, progress.set)
    report = make_report(
        corpus,
        verdicts,
        introduction=introduction,
        command=command,
        seed=seed,
        seconds=time.monotonic() - began,
        selection=[*cases, *clauses],
        known=known,
        known_file=known_failures,
    )
    print_report(report, console)
    for file, render in outputs.items():
        write(file, render(report))
    if port.complaint:
        raise PortFailure(f"the port: {safe(port.complaint)}")
    return _exit_code(report)


@conformance.command("list")
@_cases
@_clauses
def list_command(cases: tuple[str, ...], clauses: tuple[str, ...]) -> None:
    """Lists the cases: id, operation, and why each exists."""
    from message_ir.conformance import suite  # noqa: PLC0415 # seldom needed

    for case in _selected(suite.load(), cases, clauses):
        click.echo(f"{case.id}\t{case.operation}\t{case.why}")


@conformance.command("show")
@click.argument("case")
def show_command(case: str) -> None:
    """Shows one case as JSON: why it exists, its clauses, its input, its twin and what is expected."""
    from message_ir.conformance import suite  # noqa: PLC0415 # seldom needed

    ids = {each.id: each for each in suite.load().cases}
    if case not in ids:
        raise click.ClickException(f"there is no case {safe(case)!r}{did_you_mean(case, ids)}")
    # An input may be null; of the others, null says that there is none.
    shown = {name: value for name, value in vars(ids[case]).items() if value is not None or name == "input"}
    click.echo(safe_json(shown, indent=2))


@conformance.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export_command(folder: Path) -> None:
    """Writes the corpus, the schemas and the port author's manual into a folder, for a repository of another language."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"cannot make {safe(str(folder))}: {error.strerror or error}") from error
    texts = {folder / name: read_data(data) for name, data in EXPORTED.items()}
    for file, text in texts.items():
        if file.exists() and not _is_ours(file, text):
            raise click.ClickException(f"{safe(str(file))} is another file; export into a folder of its own")
    for file, text in texts.items():
        write(file, text)
        click.echo(file)


@conformance.command("port")
def port_command() -> None:
    """Speaks the protocol for this implementation, on standard input and output."""
    from message_ir.conformance.port import serve  # noqa: PLC0415 # seldom needed

    serve(sys.stdin, sys.stdout)


@conformance.command("exhaust")
@_command
@click.option(
    "--events",
    type=click.IntRange(min=0, max=6),
    default=4,
    show_default=True,
    help="How many calls and results at the most.",
)
@_seed
@_timeout
def exhaust_command(command: tuple[str, ...], events: int, seed: int | None, timeout: float) -> int:
    """Compares every transcript of up to so many events, over two ids and two names, with this implementation."""
    from message_ir.conformance import search  # noqa: PLC0415 # heavy

    began = time.monotonic()
    with _started(command, timeout) as port, CountProgress("comparing", None) as progress:
        _expect_one_of(port, "validate")
        found = search.exhaust(port, events, _drawn(seed), progress.advance)
    counts = ", ".join(f"{number:,} of {length}" for length, number in found.counts.items())
    click.echo(
        f"{sum(found.counts.values()):,} transcripts compared ({counts} events) in {time.monotonic() - began:.1f} s"
    )
    if found.difference is None:
        click.echo("no difference")
        return CONFORMS
    click.echo(f"{found.differing:,} of the last length differ; the first:\n")
    _print_found(found.difference)
    return DIFFERS


@conformance.command("fuzz")
@_command
@click.option(
    "--count", "number", type=click.IntRange(min=1), default=1_000, show_default=True, help="How many to try."
)
@_seed
@_timeout
def fuzz_command(command: tuple[str, ...], number: int, seed: int | None, timeout: float) -> int:
    """Compares random transcripts and texts with this implementation; a difference is shrunk to a case for the corpus."""
    from message_ir.conformance import search  # noqa: PLC0415 # heavy

    seed = _drawn(seed)
    with _started(command, timeout) as port, CountProgress("trying", number) as progress:
        _expect_one_of(port, "validate", "validateText")
        found = search.fuzz(port, number, seed, _heeding(progress.advance))
    click.echo(f"{found.tried:,} transcripts and texts tried, seed {seed}")
    if found.difference is None:
        click.echo("no difference")
        return CONFORMS
    _print_found(found.difference)
    click.echo("as a case for the corpus:\n")
    click.echo(search.as_case(found.difference.request, f"Found by fuzzing with seed {seed}; say here why it matters."))
    return DIFFERS


@conformance.command("compare")
@click.argument("reports", nargs=-1, required=True, type=_existing)
@click.option("--html", type=_file, required=True, help="The page to write.")
def compare_command(reports: tuple[Path, ...], html: Path) -> None:
    """Makes one page of several JSON reports: which port does what with which case."""
    from message_ir.conformance.rendering import comparison  # noqa: PLC0415 # heavy
    from message_ir.conformance.report import from_json  # noqa: PLC0415 # heavy

    _expect_folder(html)
    if html.resolve() in {file.resolve() for file in reports}:
        raise click.ClickException(f"{safe(str(html))} is one of the reports")
    read: list[Report] = []
    for file in reports:
        try:
            read.append(from_json(file.read_bytes()))
        except (ValueError, OSError) as error:
            raise click.ClickException(f"{safe(str(file))} is no JSON report of a run: {safe(str(error))}") from error
    write(html, comparison(read))


class PortFailure(click.ClickException):
    """The port could not be started, or broke the protocol."""

    exit_code = PORT_BROKE


class NothingRan(click.ClickException):
    """The port has none of the operations that there is something to ask of."""

    exit_code = NOTHING_RAN


def _expect_one_of(port: PortProcess, *operations: str) -> None:
    if not {*operations} & {*port.introduction["operations"]}:
        raise NothingRan(f"nothing ran: the port has no operation {' or '.join(operations)}")


def _is_ours(file: Path, text: str) -> bool:
    """Whether a file is an earlier export: it begins as the new one does."""
    try:
        return file.read_text(encoding="utf-8").split("\n")[0] == text.split("\n", maxsplit=1)[0]
    except (OSError, ValueError):
        return False


class _Terminated(KeyboardInterrupt):
    """A signal that ends the run; an interrupt, so that everything lets it pass."""


_received: Final[list[int]] = []
"""The signals that asked the run to end."""


def _terminate(number: int, _: object) -> None:
    _received.append(number)
    raise _Terminated(number)


def _heeding(advance: Callable[[int], None]) -> Callable[[int], None]:
    """Ends the run at its next step where a signal came at a moment at which Python drops what is raised, as in a collection."""

    def step(number: int) -> None:
        if _received:
            raise _Terminated(_received[0])
        advance(number)

    return step


@contextmanager
def _started(command: Sequence[str], timeout: float) -> Iterator[PortProcess]:
    from message_ir.conformance.process import PortError, PortProcess  # noqa: PLC0415 # heavy

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _terminate)
    try:
        with PortProcess(command, timeout) as port:
            yield port
    except PortError as error:
        raise PortFailure(f"the port: {safe(str(error))}") from error
    except _Terminated as error:
        raise SystemExit(128 + error.args[0]) from None  # as shells say it


def _exit_code(report: Report) -> int:
    if not report.ran:
        return NOTHING_RAN
    return CONFORMS if report.conforms else DIFFERS


def _selected(corpus: Corpus, cases: Sequence[str], clauses: Sequence[str]) -> list[Case]:
    """The cases that fit one of the patterns of each kind.

    Raises:
        ClickException: a pattern fits nothing.
    """
    names: dict[str, Callable[[Case], list[str]]] = {
        "case": lambda case: [case.id],
        "clause": lambda case: case.clauses,
    }
    selected = corpus.cases
    for (kind, names_of), patterns in zip(names.items(), (cases, clauses), strict=True):
        for pattern in patterns:
            if not any(fnmatch.filter(names_of(case), pattern) for case in corpus.cases):
                known = {name for case in corpus.cases for name in names_of(case)}
                raise click.ClickException(f"no {kind} is named {safe(pattern)!r}{did_you_mean(pattern, known)}")
        if patterns:
            selected = [case for case in selected if any(fnmatch.filter(names_of(case), each) for each in patterns)]
    return selected


def _print_found(answer: Answer) -> None:
    from message_ir.conformance.suite import summary  # noqa: PLC0415 # seldom needed

    request = answer.request
    click.echo(f"sent to {request.operation}: {safe_json(request.input)}")
    click.echo(f"expected: {safe(summary(request.result))}")
    click.echo(
        f"got:      {safe(summary(answer.got) if answer.got is not None else f'{answer.outcome}: {answer.detail}')}\n"
    )


def _drawn(seed: int | None) -> int:
    return random.SystemRandom().randrange(_LARGEST_SEED) if seed is None else seed


def _console() -> Console:
    width: dict[str, Any] = {} if sys.stdout.isatty() else {"width": 120}
    return Console(highlight=False, markup=False, emoji=False, **width)


def _expect_folder(file: Path) -> None:
    if not file.absolute().parent.is_dir():
        raise click.ClickException(f"cannot write {safe(str(file))}: there is no folder {safe(str(file.parent))}")


def write(file: Path, text: str) -> None:
    """Writes a file whole, or leaves what was there; a pipe or a device is written to as it is."""
    if file.exists() and not file.is_file() and not file.is_dir():
        file.write_text(text, encoding="utf-8")
        return
    file = file.resolve()
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", newline="\n")
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise click.ClickException(f"cannot write {safe(str(file))}: {error.strerror or error}") from error
