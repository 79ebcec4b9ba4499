"""The benchmarks: their workloads are what they say, and the tables tell what was measured. No figure is asserted here."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import child, command, contenders, figures, processes, table, timing, typescript
from benchmarks.chat import chat
from benchmarks.contenders import BASE, CONTENDERS, Contender, Judge, Takes
from benchmarks.faults import FAULTS, broken, plant
from benchmarks.figures import FIGURES, Figure, Outcome
from benchmarks.processes import Measured
from benchmarks.sizes import QUICK, WORKLOADS, workload
from benchmarks.table import Row, Workload
from benchmarks.timing import LEAST_ROUNDS, Plan, Spread, Task, alternate
from benchmarks.workload import STREAMS, Random, abyss, as_text, as_texts, clean, nested, transcripts
from message_ir import DiagnosticCode, validate_json, validate_transcript
from message_ir_types.constants import ARGUMENTS_DEPTH

TINY = replace(
    QUICK, transcripts=9, large=60, linkage=60, streams=60, growth=(40, 80), starts=1, lines=5, line_rounds=2
)
STANDARD = "json.loads"
PLAN = Plan(rounds=3, patience=0)
SEEDS = st.integers(0, 2**31 - 1)


def codes(value: object) -> list[str]:
    return [diagnostic.code.value for diagnostic in validate_transcript(value)]


def only(*names: str) -> Iterator[Contender]:
    return (CONTENDERS[name] for name in names)


# Workloads


@given(SEEDS, st.integers(1, 60))
def test_transcripts_are_clean_and_as_long_as_asked(seed: int, length: int) -> None:
    first, second = transcripts(2, length, Random(seed))
    assert not codes(first)
    assert not codes(second)
    assert length <= len(first) <= length + 3
    assert not {message["id"] for message in first} & {message["id"] for message in second}


@given(SEEDS)
def test_one_seed_gives_one_workload(seed: int) -> None:
    assert transcripts(2, 10, Random(seed)) == transcripts(2, 10, Random(seed))
    assert transcripts(2, 10, Random(seed)) != transcripts(2, 10, Random(seed ^ 0x400_0000))


def test_the_workload_is_of_the_size_that_is_promised() -> None:
    made = transcripts(200, 30, Random())
    texts = as_texts(made)
    assert sum(map(len, made)) / len(made) == pytest.approx(32, abs=2)
    assert sum(map(len, texts)) / len(texts) == pytest.approx(25_000, rel=0.1)
    assert len(as_text(clean(5_000, Random()))) / 5_000 == pytest.approx(800, rel=0.1)


def test_the_text_is_the_transcript() -> None:
    made = list(clean(50, Random()))
    assert json.loads(as_text(made)) == made


def test_it_is_the_workload_of_the_port(checkout: Path) -> None:
    """Their lengths of texts aside, both are the same, record by record."""
    script = "const { transcripts } = await import(process.argv[1]); console.log(JSON.stringify(transcripts(3, 200)));"
    source = (checkout / "ports/typescript/bench/workload.ts").as_uri()
    node = typescript.node()
    assert node, "the group test brings Node"
    options = ("--experimental-strip-types", "--no-warnings", "--input-type=module")
    run = subprocess.run((node, *options, "--eval", script, source), capture_output=True, check=True)
    assert json.loads(run.stdout) == transcripts(3, 200, Random(scale=1))


@given(SEEDS, st.sampled_from(list(FAULTS)), st.integers(1, 40))
@settings(max_examples=300)
def test_a_planted_fault_is_found_under_its_code(seed: int, code: DiagnosticCode, length: int) -> None:
    random = Random(seed)
    [whole] = transcripts(1, max(length, 2), random)
    before = json.dumps(whole)
    found = codes(plant(whole, code, random))
    beside = {DiagnosticCode.TOOL_RESULT_BEFORE_CALL: [DiagnosticCode.MISSING_TOOL_RESULT.value]}
    assert found == [code.value, *beside.get(code, [])]
    assert json.dumps(whole) == before


def test_the_faults_take_turns_and_miss_no_code() -> None:
    random = Random()
    made = broken(transcripts(len(FAULTS), 10, random), random)
    assert [codes(transcript)[0] for transcript in made] == [code.value for code in FAULTS]
    assert set(DiagnosticCode) - set(FAULTS) == {DiagnosticCode.INVALID_TRANSCRIPT}


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("clean", {}),
        ("orphans", {"ORPHAN_TOOL_RESULT": 100}),
        ("duplicates", {"DUPLICATE_TOOL_CALL_ID": 25, "DUPLICATE_TOOL_RESULT": 25}),
        ("unanswered", {"MISSING_TOOL_RESULT": 100}),
        ("one-id", {"DUPLICATE_TOOL_CALL_ID": 49, "DUPLICATE_TOOL_RESULT": 49}),
        ("deep", {"INVALID_TOOL_ARGUMENTS": 4}),
    ],
)
def test_streams_are_broken_throughout(stream: str, expected: dict[str, int]) -> None:
    found = codes(list(STREAMS[stream](100, Random())))
    assert {code: found.count(code) for code in found} == expected


def test_arguments_nest_as_deep_as_asked() -> None:
    assert not validate_json(abyss(ARGUMENTS_DEPTH))
    assert [each.code for each in validate_json(abyss(ARGUMENTS_DEPTH + 1))] == [DiagnosticCode.INVALID_TOOL_ARGUMENTS]
    assert json.loads(abyss(3))[0]["content"][0]["arguments"] == nested(3)
    assert abyss(100_000).count(b"{") > 100_000


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_workload_is_made_and_is_as_broken_as_it_says(name: str) -> None:
    load = workload(name, TINY)
    assert load.messages >= TINY.streams
    refused = sum(bool(validate_json(text)) for text in load.texts)
    assert refused == (0 if name.endswith("clean") else len(load.texts))


def test_in_chat_form_every_message_has_its_counterpart() -> None:
    made = list(clean(40, Random()))
    written = chat(made)
    roles = {"user": "user", "assistant": "assistant", "toolResult": "tool"}
    assert [each["role"] for each in written] == [roles[message["role"]] for message in made]
    asked = [call["id"] for each in written for call in each.get("tool_calls", ())]
    assert asked
    assert sorted(asked) == sorted(each["tool_call_id"] for each in written if each["role"] == "tool")


# Timing


def test_each_run_gets_an_input_of_its_own_beside_a_run_of_the_base() -> None:
    runs: list[str] = []

    def noting(name: str) -> Task:
        def prepare() -> list[int]:
            runs.append(f"{name} prepared")
            return [1, 2]

        return Task(prepare, lambda _: runs.append(name))

    series = alternate(noting("base"), {"a": noting("a"), "b": noting("b")}, Plan(rounds=4, patience=60))
    assert {name: len(each.ratios) for name, each in series.items()} == {"a": 4, "b": 4}
    assert runs.count("a prepared") == 1 + 4
    assert runs.count("base prepared") == 1 + 2 * 4
    assert runs.count("a") == 2 * (1 + 4)
    measured = [name.removesuffix(" prepared") for name in runs if name.endswith("prepared")][3:]
    assert all("base" in pair for pair in zip(measured[::2], measured[1::2], strict=True))


def test_a_slow_task_takes_part_in_few_rounds() -> None:
    task = Task(lambda: [1], lambda _: None)
    assert len(alternate(task, {"slow": task}, Plan(rounds=50, patience=0))["slow"].seconds) == LEAST_ROUNDS


def test_a_refusal_is_no_error_and_anything_else_is() -> None:
    refusing = Task(lambda: ["x"], int, (ValueError,))
    assert timing.once(refusing) >= 0
    with pytest.raises(TypeError):
        timing.once(Task(lambda: [None], int, (ValueError,)))


def test_the_spread_is_the_median_and_the_quartiles() -> None:
    assert Spread.of([5, 1, 2, 3, 4]) == Spread(3, 2, 4)


# Tables


def test_every_contender_is_a_row_with_what_it_found() -> None:
    names = ("validate_json", "validate_transcript", "loads", "snapshot", STANDARD, "msgspec.json.decode")
    load = workload("small-broken", TINY)
    rows = table.measure(load, only(*names), PLAN, base=STANDARD)
    assert [row.contender for row in rows] == list(names)
    assert [row.refused for row in rows] == [9, 9, 9, 9, 0, 0]
    assert all(row.series and len(row.series.ratios) == 3 and min(row.series.ratios) > 0 for row in rows)


@pytest.mark.parametrize("name", [name for name in CONTENDERS if name != BASE])
def test_a_contender_that_is_there_accepts_what_is_clean(name: str) -> None:
    [row] = table.measure(workload("small-clean", TINY), only(name), PLAN, base=STANDARD)
    if row.note:
        reason, _, package = row.note.partition(": ")
        assert (reason, find_spec(package)) == ("not installed", None), row.note
    else:
        assert row.refused == 0


def test_a_contender_that_cannot_run_is_shown_with_the_reason() -> None:
    def missing() -> Judge:
        return Judge(import_module("no_such_package").loads)

    def breaking(_: object) -> None:
        raise OSError("a|b\nc")

    load = workload("small-clean", TINY)
    rows = table.measure(
        load,
        [
            Contender("missing", Takes.TEXT, (), missing),
            Contender("breaking", Takes.TEXT, (), lambda: Judge(breaking)),
            *only(STANDARD),
        ],
        PLAN,
        base=STANDARD,
    )
    assert [(row.note, row.series is None) for row in rows] == [
        ("not installed: no_such_package", True),
        ("raises OSError: a|b c", True),
        ("", False),
    ]
    text = table.render(load, rows).splitlines()
    assert text[0].startswith("small, clean: 9 × ")
    assert text[4].endswith("raises OSError: a|b c")
    markdown = table.render(load, rows, markdown=True).splitlines()
    assert markdown[5].endswith(r"| raises OSError: a\|b c |")
    assert len({line.replace(r"\|", "").count("|") for line in markdown[2:-1]}) == 1


def test_a_table_says_what_was_measured() -> None:
    series = timing.Series([0.5, 0.5, 0.5], [1.0, 2.0, 3.0])
    load = Workload("made up", [b" " * 1_000_000], 10)
    row = Row("it", "text", ("shape", "linkage"), series, 1, "so")
    cells = [cell.strip() for cell in table.render(load, [row], markdown=True).splitlines()[4].strip("| ").split("|")]
    assert cells == ["it", "text", "shape, linkage", "500.00", "2", "2.00", "1.50–2.50", "1 of 1", "so"]


def test_without_the_compiled_port_its_rows_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(typescript, "PORT", tmp_path / "index.js")
    rows = typescript.rows(workload("small-clean", TINY), 1.0, PLAN)
    assert [row.contender for row in rows] == [step.name for step in typescript.STEPS.values()]
    assert all(row.series is None and "not compiled" in row.note for row in rows)


def test_the_port_is_measured_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stand-in with the port's functions, since the tests do not compile it."""
    port = tmp_path / "index.mjs"
    validate = "(value) => (JSON.stringify(value).includes('again') ? [1] : [])"
    port.write_text(f"export const validateJson = {validate}; export const validateTranscript = {validate};")
    monkeypatch.setattr(typescript, "PORT", port)
    load = Workload("two", [b"[]", b'["again"]'], 2)
    parse, of_text, of_objects = typescript.rows(load, 1e-3, PLAN)
    assert [parse.refused, of_text.refused, of_objects.refused] == [0, 1, 1]
    assert parse.note.startswith("Node v")
    assert "× its JSON.parse" in of_text.note
    assert of_text.series
    assert of_text.series.ratios == [seconds / 1e-3 for seconds in of_text.series.seconds]


# Figures


@pytest.mark.parametrize(
    ("limit", "at_least", "measured", "verdict", "fails"),
    [
        (2.0, False, 2.0, "met", False),
        (2.0, False, 2.1, "missed by no more than a tenth", False),
        (2.0, False, 2.3, "MISSED", True),
        (2.0, True, 3.0, "met", False),
        (2.0, True, 1.9, "missed by no more than a tenth", False),
        (2.0, True, 1.7, "MISSED", True),
        (2.0, True, None, "MISSED: not available", True),
        (2.0, False, None, "MISSED: not available", True),
    ],
)
def test_a_figure_fails_if_it_is_missed_by_more_than_a_tenth(
    limit: float, at_least: bool, measured: float | None, verdict: str, fails: bool
) -> None:
    outcome = Outcome("it", limit, "×", at_least, measured, "")
    assert (outcome.verdict, outcome.fails) == (verdict, fails)
    assert verdict in figures.render([outcome])


def test_figures_have_names_of_their_own() -> None:
    names = [figure.name for figure in FIGURES]
    assert len(set(names)) == len(names) > 40


# What needs nothing that only the session installs.
HERE = [
    figure.name
    for figure in FIGURES
    if BASE not in figure.name and contenders.TOOL_CALL_REPAIR not in figure.name and "jobs" not in figure.name
]


@pytest.mark.parametrize("name", HERE)
def test_a_figure_is_measured(name: str) -> None:
    [outcome] = [each for each in figures.outcomes(TINY, [name]) if each.name == name]
    assert outcome.measured is not None, outcome.note
    assert outcome.measured > 0 or "memory" in name


def test_what_cannot_be_measured_is_missed_and_the_others_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_: object) -> Measured:
        raise OSError("no")

    monkeypatch.setattr(figures, "FIGURES", (Figure("a", 1, failing), Figure("b", 1, lambda _: Measured(1.0))))
    first, second = figures.outcomes(TINY)
    assert (first.fails, first.note) == (True, "OSError: no")
    assert second.verdict == "met"


def test_a_process_that_fails_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(processes.FailedError, match="ends with 1: KeyError: 'nothing'"):
        processes.child("nothing")
    monkeypatch.setattr(figures, "FIGURES", (Figure("it", 1, lambda _: processes.child("nothing")),))
    [outcome] = figures.outcomes(TINY)
    assert outcome.fails
    assert "ends with 1" in outcome.note


def test_memory_is_that_of_the_process(tmp_path: Path) -> None:
    file = tmp_path / "transcript.json"
    file.write_bytes(as_text(clean(500, Random())))
    before, after, size = child.memory("validate_json", str(file))
    assert 0 < before <= after
    assert size == file.stat().st_size


# The command


@pytest.fixture
def without_orjson(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the standard library's parser stand in for the base, which the tests do not install."""
    monkeypatch.setitem(CONTENDERS, BASE, replace(CONTENDERS[BASE], build=CONTENDERS[STANDARD].build))


@pytest.mark.usefixtures("without_orjson")
def test_the_command_prints_tables_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    options = ("--quick", "--transcripts=3", "--large=40", "--only=validate_json", f"--json={file}")
    result = CliRunner().invoke(command.main, options)
    assert result.exit_code == 0, result.output
    written = json.loads(file.read_bytes())
    assert written["sizes"]["transcripts"] == 3
    assert written["environment"]["packages"]["msgspec"]
    assert [each["transcripts"] for each in written["workloads"]] == [3, 3, 1, 1]
    names = [[row["contender"] for row in each["rows"]] for each in written["workloads"]]
    assert names == [["validate_json", BASE]] * 4
    assert result.output.count("validate_json") == 4


@pytest.mark.usefixtures("without_orjson")
@pytest.mark.parametrize(("value", "code"), [(1.05, 0), (1.2, 1)])
def test_the_check_exits_with_1_if_a_figure_is_missed(monkeypatch: pytest.MonkeyPatch, value: float, code: int) -> None:
    monkeypatch.setattr(figures, "FIGURES", (Figure("it", 1, lambda _: Measured(value)),))
    result = CliRunner().invoke(command.main, ["--check", "--quick"])
    assert result.exit_code == code
    assert f"{value:.2f} ×" in result.output


@pytest.mark.usefixtures("without_orjson")
@pytest.mark.parametrize("options", [["--figure=loads"], ["--check", "--figure=nothing"], ["--workload=no"]])
def test_wrong_usage_exits_with_2(options: list[str]) -> None:
    assert CliRunner().invoke(command.main, options).exit_code == 2


def test_without_orjson_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Judge:
        return Judge(import_module("no_such_package").loads)

    monkeypatch.setitem(CONTENDERS, BASE, replace(CONTENDERS[BASE], build=missing))
    result = CliRunner().invoke(command.main, ["--quick"])
    assert result.exit_code == 2
    assert "nox -s bench" in result.output
