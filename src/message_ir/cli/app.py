"""The commands of `message-ir`: their options, their output and their exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import click
from rich.console import Console
from rich.text import Text

from message_ir.cli.checking import Tally, check
from message_ir.cli.conformance import conformance
from message_ir.cli.escaping import safe
from message_ir.cli.explaining import closest, matches
from message_ir.cli.hints import did_you_mean
from message_ir.cli.progress import ByteProgress
from message_ir.cli.reports import REPORTS
from message_ir.data import read_data
from message_ir.sources import SOURCES, AmbiguousFormatError, Options
from message_ir_types.catalogue import CATALOGUE, CLAUSES, Entry
from message_ir_types.constants import VERSION
from message_ir_types.messages import DiagnosticCode

CLEAN: Final = 0
FINDINGS: Final = 1
COULD_NOT_RUN: Final = 2
INTERRUPTED: Final = 130  # as shells say it of a program that SIGINT ended
BROKEN_PIPE: Final = 141  # as shells say it of a program that SIGPIPE ended

_STDIN: Final = "-"


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    try:
        return int(cli.main(arguments, prog_name="message-ir", standalone_mode=False) or CLEAN)
    except click.ClickException as error:
        error.show()
        # click says 2 for wrong usage and 1 for the rest; here 1 is a result.
        return max(error.exit_code, COULD_NOT_RUN)


class QuietGroup(click.Group):
    """Ends quietly on a broken pipe and on an interrupt, for which click itself prints and exits with 1."""

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command that the arguments name, to the last byte of its output."""
        try:
            code = super().invoke(ctx)
            if sys.stdout is not None:  # it is, where the caller closed it
                sys.stdout.flush()
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:
            # Python flushes standard output once more when it ends; let that go nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        return code


class Codes(click.ParamType[list[DiagnosticCode]]):
    """Diagnostic codes, separated by commas."""

    name = "code[,code…]"

    def convert(
        self, value: str | list[DiagnosticCode], param: click.Parameter | None, ctx: click.Context | None
    ) -> list[DiagnosticCode]:
        """Returns the codes, or fails with the one that is unknown and the one that was perhaps meant."""
        if isinstance(value, list):
            return value
        names = [name.strip().upper() for name in value.split(",")]
        for name in names:
            if name not in CATALOGUE:
                self.fail(_unknown_code(name), param, ctx)
        return [DiagnosticCode(name) for name in names]


@click.group(cls=QuietGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="message-ir", message="%(prog)s %(version)s")
def cli() -> None:
    """Checks the transcripts that agent programs write, and explains what breaks them."""


cli.add_command(conformance)


@cli.command("check")
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option("--from", "format_", type=click.Choice(list(SOURCES)), help="The files' format; found out if not said.")
@click.option(
    "--ids",
    type=click.Choice(["transcript", "turn"]),
    default="transcript",
    help="Where call ids are unique; turn numbers them by turn: call_0@2.",
)
@click.option("--include-aborted", is_flag=True, help="Keep turns that failed or were aborted (Pi sets them aside).")
@click.option("--history", is_flag=True, help="Check what compactions and rollbacks have cut off, too.")
@click.option("--format", "report", type=click.Choice(list(REPORTS)), default="text", help="How to report.")
@click.option("--select", type=Codes(), multiple=True, help="Report these codes only.")
@click.option("--ignore", type=Codes(), multiple=True, help="Do not report these codes.")
def check_command(  # noqa: PLR0913, PLR0917 # an option each
    paths: tuple[str, ...],
    format_: str | None,
    ids: str,
    include_aborted: bool,  # click passes options by name
    history: bool,  # likewise
    report: str,
    select: tuple[list[DiagnosticCode], ...],
    ignore: tuple[list[DiagnosticCode], ...],
) -> int:
    """Checks every transcript in the files; - is standard input.

    A file is a transcript in JSON, a request to a model API, JSON lines of either or of messages, or a session file of an
    agent; the format is found out from the content, and said in the report.

    Exit codes: 0 clean, 1 findings, 2 could not run (a file that cannot be read, wrong usage).
    """
    selected = {code for codes in select for code in codes} or set(DiagnosticCode)
    codes = selected - {code for ignored in ignore for code in ignored}
    options = Options(include_aborted=include_aborted, history=history, ids_by_turn=ids == "turn")
    console = _console()
    tallies: list[Tally] = []
    errors: list[str] = []
    with ByteProgress(_total_bytes(paths)) as progress:

        def out(line: str | Text) -> None:
            progress.hide()
            try:
                _print(console, line)
            except BrokenPipeError:
                raise
            except OSError as error:
                raise click.ClickException(f"cannot write the report: {_why(error)}") from error

        reporting = REPORTS[report](out)
        for path in paths:
            tally = Tally("standard input" if path == _STDIN else path)
            try:
                with _opened(path) as file:
                    for located in check(progress.count(file), tally, format=format_, options=options, codes=codes):
                        reporting.finding(located)
            except BrokenPipeError:
                raise
            except (OSError, AmbiguousFormatError) as error:
                errors.append(f"cannot read {safe(path)}: {_why(error)}")
                click.echo(f"message-ir: {errors[-1]}", err=True)
                continue
            tallies.append(tally)
            reporting.file(tally)
        reporting.end(tallies, errors)
    if errors:
        return COULD_NOT_RUN
    return FINDINGS if any(tally.findings for tally in tallies) else CLEAN


@cli.command("explain")
@click.argument("subject", metavar="[CODE | ERROR TEXT]", required=False)
def explain_command(subject: str | None) -> int:
    """Explains a diagnostic code, or finds the codes behind what a model API says.

    Without an argument it lists the codes. Exit code 1: nothing is known of the text.
    """
    console = _console()
    if subject is None:
        width = max(map(len, CATALOGUE))
        for entry in CATALOGUE.values():
            _print(console, Text.assemble((f"{entry.code:<{width}}", "bold"), f"  {entry.summary}"))
        return CLEAN
    name = subject.strip().upper()
    if name in CATALOGUE:
        _print_markdown(console, _reference(CATALOGUE[DiagnosticCode(name)]))
        return CLEAN
    found, how = matches(subject), "says"
    if not found:
        found, how = closest(subject), "says something like this, perhaps for"
    for match in found:
        note = f" {match.sighting.note}" if match.sighting.note else ""
        _print(console, Text.assemble(f"{match.sighting.api} {how}: ", (match.code, "bold"), f"{note}"))
        _print(console, f"  {match.sighting.text}\n  {CATALOGUE[match.code].summary}\n  {CATALOGUE[match.code].mend}\n")
    if not found:
        click.echo(f"message-ir: {_unknown_code(name)}, and no error message of a model API is like it.", err=True)
        return FINDINGS
    return CLEAN


@cli.command("schema")
def schema_command() -> None:
    """Prints the JSON Schema of a transcript."""
    _print(_console(), read_data("transcript.schema.json").rstrip("\n"))


def _console() -> Console:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def _print(console: Console, line: str | Text) -> None:
    if console.color_system is None or isinstance(line, str):
        click.echo(str(line))
    else:
        console.print(line)


def _print_markdown(console: Console, text: str) -> None:
    if not console.is_terminal:
        click.echo(text)
        return
    from rich.markdown import Markdown  # noqa: PLC0415 # slow to import, and seldom needed

    console.print(Markdown(text), soft_wrap=False)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path == _STDIN:
        yield sys.stdin.buffer
    else:
        with Path(path).open("rb") as file:
            yield file


def _total_bytes(paths: Sequence[str]) -> int | None:
    """How much there is to read; None where that cannot be known beforehand."""
    try:
        return sum(Path(path).stat().st_size for path in paths) if _STDIN not in paths else None
    except OSError:
        return None


def _why(error: OSError | AmbiguousFormatError) -> str:
    if isinstance(error, AmbiguousFormatError):
        return f"{error} with --from"
    if isinstance(error, IsADirectoryError):
        return "it is a directory; name the files in it"
    return error.strerror or type(error).__name__


def _unknown_code(name: str) -> str:
    return f"there is no code {safe(name)!r}{did_you_mean(name, CATALOGUE)}"


def _reference(entry: Entry) -> str:
    """The reference entry of a code, in Markdown."""
    related = f" Related: {entry.related}." if entry.related else ""
    seen = "".join(f"- {each.api}: “{each.text}” {each.note}".rstrip() + "\n" for each in entry.seen_as)
    clauses = "".join(f"- `{clause}`: {CLAUSES[clause]}\n" for clause in entry.clauses)
    parts = [
        f"# {entry.code}\n\n{entry.summary} Path: {entry.path}.{related}",
        f"## Why it matters\n\n{entry.why}",
        f"## How to mend it\n\n{entry.mend}",
        f"## Broken\n\n```json\n{entry.broken}\n```",
        f"## Mended\n\n```json\n{entry.mended}\n```",
        f"## What model APIs say\n\n{seen}" if seen else "",
        f"## Clauses\n\n{clauses}",
    ]
    return "\n\n".join(part.strip() for part in parts if part)
