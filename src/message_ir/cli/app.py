"""The commands of `message-ir`: their options, their output and their exit codes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from message_ir.cli.checking import Settings
from message_ir.cli.conformance import conformance
from message_ir.cli.escaping import safe
from message_ir.cli.explaining import closest, matches
from message_ir.cli.hints import did_you_mean
from message_ir.cli.jobs import LostWorkerError
from message_ir.cli.progress import ByteProgress
from message_ir.cli.reports import REPORTS
from message_ir.cli.running import Run
from message_ir.cli.units import SIZE
from message_ir.cli.writing import Terminal, reporting, written
from message_ir.data import read_data
from message_ir.sources import SOURCES, Options
from message_ir_types.catalogue import CATALOGUE, CLAUSES, Entry
from message_ir_types.constants import VERSION
from message_ir_types.messages import DiagnosticCode

CLEAN: Final = 0
FINDINGS: Final = 1
COULD_NOT_RUN: Final = 2
INTERRUPTED: Final = 130  # as shells say it of a program that SIGINT ended
TERMINATED: Final = 143  # likewise of SIGTERM
BROKEN_PIPE: Final = 141  # as shells say it of a program that SIGPIPE ended


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
@click.option(
    "--output",
    type=click.Path(dir_okay=False),
    help="Write the report to this file, once it is complete; parquet needs one.",
)
@click.option("--select", type=Codes(), multiple=True, help="Report these codes only.")
@click.option("--ignore", type=Codes(), multiple=True, help="Do not report these codes.")
@click.option("--max-findings", type=click.IntRange(0), metavar="N", help="List at most N findings, but count all.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Check in N processes; the report is the same.",
)
def check_command(  # noqa: PLR0913, PLR0917 # an option each
    paths: tuple[str, ...],
    format_: str | None,
    ids: str,
    include_aborted: bool,  # click passes options by name
    history: bool,  # likewise
    report: str,
    output: str | None,
    select: tuple[list[DiagnosticCode], ...],
    ignore: tuple[list[DiagnosticCode], ...],
    max_findings: int | None,
    jobs: int,
) -> int:
    """Checks every transcript in the files; - is standard input.

    A file is a transcript in JSON, a request to a model API, JSON lines of either or of messages, or a session file of an
    agent; the format is found out from the content, and said in the report. It may be compressed (.gz, .zst).

    In a folder and below, all files with the suffixes .json, .jsonl, .ndjson and .traj are checked, compressed ones too, but
    hidden ones not. Those of no known format are set aside and counted.

    Exit codes: 0 clean, 1 findings, 2 could not run (a file that cannot be read, wrong usage).
    """
    if report == "parquet" and output is None:
        raise click.UsageError("--format parquet needs --output FILE.")
    # Asked to end, it takes its processes and a file in the making with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    selected = {code for codes in select for code in codes} or set(DiagnosticCode)
    settings = Settings(
        format_,
        Options(include_aborted=include_aborted, history=history, ids_by_turn=ids == "turn"),
        frozenset(selected - {code for ignored in ignore for code in ignored}),
    )
    with ByteProgress() as progress, ExitStack() as stack:

        def complain(problem: str) -> None:
            progress.hide()
            click.echo(f"message-ir: {problem}", err=True)

        terminal = Terminal(progress.hide)
        if output is not None:
            stack.enter_context(reporting())
        out = terminal if output is None else stack.enter_context(written(output))
        form = REPORTS[report](out)
        run = Run(
            settings,
            form,
            progress,
            complain,
            jobs=jobs,
            max_findings=max_findings,
            size=SIZE,
        )
        try:
            run.check(paths)
        except LostWorkerError as error:
            raise click.ClickException(str(error)) from error
    if output is not None:
        with reporting():
            terminal(str(run.total))
    elif not form.says_total:
        for note in run.total.notes():
            click.echo(f"message-ir: {note}", err=True)
    if run.errors:
        return COULD_NOT_RUN
    return FINDINGS if run.total.findings else CLEAN


@cli.command("explain")
@click.argument("subject", metavar="[CODE | ERROR TEXT]", required=False)
def explain_command(subject: str | None) -> int:
    """Explains a diagnostic code, or finds the codes behind what a model API says.

    Without an argument it lists the codes. Exit code 1: nothing is known of the text.
    """
    terminal = Terminal()
    if subject is None:
        width = max(map(len, CATALOGUE))
        for entry in CATALOGUE.values():
            terminal(Text.assemble((f"{entry.code:<{width}}", "bold"), f"  {entry.summary}"))
        return CLEAN
    name = subject.strip().upper()
    if name in CATALOGUE:
        _print_markdown(terminal.console, _reference(CATALOGUE[DiagnosticCode(name)]))
        return CLEAN
    found, how = matches(subject), "says"
    if not found:
        found, how = closest(subject), "says something like this, perhaps for"
    for match in found:
        note = f" {match.sighting.note}" if match.sighting.note else ""
        terminal(Text.assemble(f"{match.sighting.api} {how}: ", (match.code, "bold"), f"{note}"))
        terminal(f"  {match.sighting.text}\n  {CATALOGUE[match.code].summary}\n  {CATALOGUE[match.code].mend}\n")
    if not found:
        click.echo(f"message-ir: {_unknown_code(name)}, and no error message of a model API is like it.", err=True)
        return FINDINGS
    return CLEAN


@cli.command("schema")
def schema_command() -> None:
    """Prints the JSON Schema of a transcript."""
    Terminal()(read_data("transcript.schema.json").rstrip("\n"))


def _print_markdown(console: Console, text: str) -> None:
    if not console.is_terminal:
        click.echo(text)
        return
    from rich.markdown import Markdown  # noqa: PLC0415 # slow to import, and seldom needed

    console.print(Markdown(text), soft_wrap=False)


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
