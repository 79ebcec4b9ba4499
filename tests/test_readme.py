"""The README keeps its word: its example runs, its commands are those of CI, its links lead somewhere, it stays short."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

from faulty_ports import FAULTY
from message_ir.conformance.suite import load
from message_ir.sources import SOURCES
from message_ir_types.constants import VERSION

CHECKOUT = Path(__file__).parents[1]
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_the_example_prints_what_the_readme_says() -> None:
    (example,), (expected,) = blocks("python"), blocks("text")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "README.md", "exec"), {})
    assert printed.getvalue() == expected


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    first, second, *_ = blocks("sh")
    script = (CHECKOUT / ".ci/run").read_text(encoding="utf-8")
    assert script.endswith(f"\n\n{first}{second}")


def test_links_lead_somewhere() -> None:
    for page in (
        "README.md",
        "CONTRIBUTING.md",
        "FORMATS.md",
        "SCALE.md",
        "generated/docs/contract.md",
        "generated/docs/diagnostics.md",
    ):
        text = (CHECKOUT / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert (CHECKOUT / page).parent.joinpath(link).exists(), link


def test_the_folders_of_the_map_are_those_that_there_are() -> None:
    mapped = set(re.findall(r"^\| `([^`]+)/` \|", README, re.MULTILINE))
    assert len(mapped) >= 6
    assert all((CHECKOUT / folder).is_dir() for folder in mapped)


def test_its_figures_are_those_of_the_suite() -> None:
    cases = load().cases
    undelivered = sum(bool({"undefined", "sparse", "noPrototype"} & next(case.requests()).hosts) for case in cases)
    assert f"| Python | {len(cases) - undelivered} of {len(cases)} | 0 | {undelivered} | 0 |" in README
    assert f"against {len(FAULTY)} faulty ports" in README
    mutants, killed, equivalent = (
        int(number.replace(",", ""))
        for number in re.findall(
            r"against ([\d,]+) mutants .*\| ([\d,]+) killed, none survives, ([\d,]+) change", README
        )[0]
    )
    assert mutants == killed + equivalent


def test_the_table_of_formats_has_every_source() -> None:
    table = (CHECKOUT / "FORMATS.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z][a-z-]*)` (?:\| [^|\n]+){3}\|$", table, re.MULTILINE) == list(SOURCES)


def test_the_npm_package_has_the_version_and_the_licence_of_the_contract() -> None:
    package = CHECKOUT / "ports/typescript"
    assert json.loads((package / "package.json").read_text(encoding="utf-8"))["version"] == VERSION
    assert (package / "LICENSE").read_bytes() == (CHECKOUT / "LICENSE").read_bytes()


def test_it_stays_under_120_lines() -> None:
    assert len(README.splitlines()) < 120
