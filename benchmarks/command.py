"""The command's options, and what it prints and writes."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from benchmarks import figures, table, typescript
from benchmarks.contenders import BASE, CONTENDERS
from benchmarks.environment import environment
from benchmarks.sizes import BY_DEFAULT, QUICK, WORKLOADS, Sizes, workload

_TYPESCRIPT: Final = tuple(step.name for step in typescript.STEPS.values())
_AT_LEAST_ONE: Final = click.IntRange(min=1)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.option("--check", "checking", is_flag=True, help="Measure the promised figures; exit with 1 if one is missed.")
@click.option("--figure", "parts", multiple=True, metavar="TEXT", help="With --check: only figures that contain TEXT.")
@click.option("--quick", is_flag=True, help="Small sizes: everything runs in seconds, and no figure means much.")
@click.option("--transcripts", type=_AT_LEAST_ONE, help="How many transcripts the small workloads have.")
@click.option("--messages", type=_AT_LEAST_ONE, help="How many messages each of these has.")
@click.option("--large", type=_AT_LEAST_ONE, help="How many messages the one transcript of the large workloads has.")
@click.option("--streams", type=_AT_LEAST_ONE, help="How many messages a wholly broken transcript has.")
@click.option("--rounds", type=click.IntRange(min=3), help="How often each contender runs.")
@click.option("--patience", type=click.FloatRange(min=0), help="After so many seconds a slow contender runs no more.")
@click.option("--scale", type=click.FloatRange(min=0.1), help="How long texts are; 1.7 gives 800 bytes a message.")
@click.option("--seed", type=click.IntRange(min=0, max=2**31 - 1), help="Of ids and texts.")
@click.option(
    "--workload", "workloads", multiple=True, type=click.Choice(list(WORKLOADS)), help="Only this; repeatable."
)
@click.option(
    "--only", multiple=True, type=click.Choice([*CONTENDERS, *_TYPESCRIPT]), help="Only this contender; repeatable."
)
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write everything as JSON, too.")
def main(  # noqa: PLR0913, PLR0917 # an option each
    checking: bool,  # click passes options by name
    parts: tuple[str, ...],
    quick: bool,  # likewise
    workloads: tuple[str, ...],
    only: tuple[str, ...],
    markdown: bool,  # likewise
    file: Path | None,
    **chosen: Any,
) -> None:
    """Measures message-ir beside parsers and other validators, in one run.

    Exit codes: 0 measured, and with --check no figure missed; 1 a figure missed by more than a tenth; 2 could not run.
    """
    sizes = replace(QUICK if quick else Sizes(), **{name: value for name, value in chosen.items() if value is not None})
    try:
        CONTENDERS[BASE].build()
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"{error.name} is not installed, with which all is compared; nox -s bench brings it"
        ) from error
    if parts and not checking:
        raise click.UsageError("--figure is for --check")
    if file is not None and not file.parent.is_dir():
        raise click.UsageError(f"--json: there is no folder {file.parent}")
    result: dict[str, Any] = {"environment": environment(), "sizes": dataclasses.asdict(sizes)}
    click.echo(_heading(result["environment"], markdown=markdown))
    missed = False
    if checking:
        outcomes = _figures(sizes, parts)
        result["figures"] = [dataclasses.asdict(each) | {"verdict": each.verdict} for each in outcomes]
        click.echo(figures.render(outcomes, markdown=markdown))
        missed = any(each.fails for each in outcomes)
    else:
        result["workloads"] = [_measured(name, sizes, only, markdown=markdown) for name in workloads or BY_DEFAULT]
    if file is not None:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    sys.exit(int(missed))


def _heading(where: dict[str, Any], *, markdown: bool) -> str:
    names = ("message-ir", "orjson", "msgspec")
    versions = ", ".join(f"{name} {where['packages'].get(name, '–')}" for name in names)
    line = f"{where['cpu']}, {where['cpus']} CPUs; {where['python']}; {versions}; ratios are to {BASE}"
    return f"{line}\n" if not markdown else f"{line}.\n"


def _figures(sizes: Sizes, parts: Sequence[str]) -> list[figures.Outcome]:
    outcomes = []
    for outcome in figures.outcomes(sizes, parts):
        click.echo(f"{outcome.name}: {outcome.verdict}", err=True)  # there are many minutes to go
        outcomes.append(outcome)
    if not outcomes:
        raise click.UsageError(f"no figure contains {' or '.join(map(repr, parts))}")
    return outcomes


def _measured(name: str, sizes: Sizes, only: Sequence[str], *, markdown: bool) -> dict[str, Any]:
    """Measures one workload, prints its table, and returns it for the JSON."""
    load = workload(name, sizes)
    # The base is always there: the port's process is compared with it too.
    contenders = [each for each in CONTENDERS.values() if not only or each.name in only or each.name == BASE]
    rows = table.measure(load, contenders, sizes.plan())
    base = table.median_of(rows, BASE)
    assert base is not None, "the base was measured"
    if not only or set(only) & set(_TYPESCRIPT):
        ports = typescript.rows(load, base, sizes.plan())
        rows += [row for row in ports if not only or row.contender in only]
    click.echo(table.render(load, rows, markdown=markdown))
    return {
        "name": name,
        "transcripts": len(load.texts),
        "messages": load.messages,
        "megabytes": load.megabytes,
        "rows": [dataclasses.asdict(row) for row in rows],
    }
