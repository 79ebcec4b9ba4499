"""The generator: what it renders is what is committed, a change of the spec is felt everywhere, mistakes are named."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from message_ir_generator import __main__ as generator
from message_ir_generator.output import compare, write
from message_ir_generator.spec import SpecError, load
from message_ir_generator.targets import render, render_folder

CHECKOUT = Path(__file__).parents[1]
SPEC = CHECKOUT / "spec/message-ir.yaml"
SCHEMA = CHECKOUT / "spec/message-ir.schema.yaml"


def changed(tmp_path: Path, *replacements: tuple[str, str]) -> Path:
    """A copy of the spec with texts replaced, each of which must be there."""
    text = SPEC.read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new)
    file = tmp_path / "message-ir.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_is_committed_is_what_is_rendered() -> None:
    rendered = render_folder(CHECKOUT / "spec")
    assert len(rendered) >= 13
    assert list(compare(rendered, CHECKOUT / "generated")) == []


def test_two_runs_give_the_same_bytes() -> None:
    assert render_folder(CHECKOUT / "spec") == render_folder(CHECKOUT / "spec")


def test_every_generated_file_says_from_what_and_by_which_command() -> None:
    for path, text in render_folder(CHECKOUT / "spec").items():
        opening = text[:600]
        if not path.endswith("py.typed"):
            assert "Generated from spec/" in opening, path
            assert "python -m message_ir_generator" in opening, path


def test_a_changed_spec_is_felt_in_schema_types_catalogue_and_docs(tmp_path: Path) -> None:
    spec = changed(
        tmp_path,
        ("ORPHAN_TOOL_RESULT", "STRAY_TOOL_RESULT"),
        ("argumentsDepth: { value: 100,", "argumentsDepth: { value: 7,"),
        (
            '{ from: "3000", to: "3000", name: "ideographic space" }',
            '{ from: "0078", to: "0078", name: "the letter x" }',
        ),
        ('version: "1.0.0"', 'version: "2.1.0"'),
    )
    before, after = render(load(SPEC, SCHEMA)), render(load(spec, SCHEMA))
    assert before.keys() == after.keys()
    schema = json.loads(after["json-schema/transcript.schema.json"])
    assert "STRAY_TOOL_RESULT" in schema["$defs"]["DiagnosticCode"]["enum"]
    assert "x" in schema["$defs"]["NonBlankString"]["pattern"]
    assert schema["$id"] == "urn:message-ir:2.1.0:transcript"
    package = "python/message_ir_types"
    assert 'STRAY_TOOL_RESULT = "STRAY_TOOL_RESULT"' in after[f"{package}/messages.py"]
    assert "STRAY_TOOL_RESULT" in after[f"{package}/wire.py"]
    assert "ARGUMENTS_DEPTH: Final = 7" in after[f"{package}/constants.py"]
    assert "nest at most 7 deep" in after[f"{package}/catalogue.py"]
    assert "### STRAY_TOOL_RESULT" in after["docs/diagnostics.md"]
    assert "| `argumentsDepth` | 7 |" in after["docs/contract.md"]
    assert "U+0078" in after["docs/contract.md"]
    assert not [path for path, text in after.items() if "ORPHAN_TOOL_RESULT" in text]


def test_the_validator_follows_a_changed_spec_without_a_change_of_its_own(tmp_path: Path) -> None:
    spec = changed(
        tmp_path,
        ("argumentsDepth: { value: 100,", "argumentsDepth: { value: 2,"),
        (
            '{ from: "3000", to: "3000", name: "ideographic space" }',
            '{ from: "0078", to: "0078", name: "the letter x" }',
        ),
        ("fields: [ToolCall.name, ToolResultMessage.toolName]", "fields: [ToolCall.name]"),
    )
    write(render(load(spec, SCHEMA)), tmp_path / "generated")
    shutil.copytree(CHECKOUT / "src/message_ir", tmp_path / "handwritten/message_ir")
    program = """if True:
        from message_ir import validate_transcript as validate
        call = {"type": "toolCall", "id": "x", "name": "t", "arguments": {"a": {"b": {}}}}
        result = {"id": "m", "role": "toolResult", "toolCallId": "c", "toolName": "", "content": "", "isError": False}
        found = validate([{"id": "m", "role": "assistant", "content": [call]}, result])
        print([(each.code.value, each.path) for each in found])
    """
    path = os.pathsep.join([str(tmp_path / "generated/python"), str(tmp_path / "handwritten")])
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == str(
        [
            ("INVALID_MESSAGE", "/0/content/0/id"),
            ("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments/a/b"),
            ("INVALID_MESSAGE", "/1/toolName"),
        ]
    )


class Mistake(NamedTuple):
    """A change that spoils the spec, what is said of it, and text of the line that is named."""

    old: str
    new: str
    problem: str
    on_line: str


PROSE = 'default: "Tool call {id} at {place} has no result after it."'

MISTAKES = {
    "not YAML": Mistake('version: "1.0.0"', 'version: "1.0.0', "not YAML", "0009"),
    "a missing key": Mistake(
        '    summary: "A tool call has no result after it."\n',
        "",
        "diagnostics.MISSING_TOOL_RESULT: 'summary' is a required property",
        "  MISSING_TOOL_RESULT:",
    ),
    "an unknown key": Mistake(
        "    phase: transcript\n",
        "    phase: transcript\n    phrase: x\n",
        "diagnostics.INVALID_TRANSCRIPT: Additional properties are not allowed ('phrase' was unexpected)",
        "  INVALID_TRANSCRIPT:",
    ),
    "a key twice": Mistake("limits:\n", "limits: {}\nlimits:\n", "limits: stands twice, first on line 20", "limits:\n"),
    "a wrong phase": Mistake(
        "phase: transcript", "phase: beginning", "diagnostics.INVALID_TRANSCRIPT.phase: 'beginning'", "phase: beginning"
    ),
    "a lower-case code": Mistake(
        "  MISSING_TOOL_RESULT:\n",
        "  missingToolResult:\n",
        "diagnostics.missingToolResult: 'missingToolResult' does not match",
        "  missingToolResult:",
    ),
    "a clause that is not there": Mistake(
        "clauses: [linkage.missing]",
        "clauses: [linkage.lost]",
        "diagnostics.MISSING_TOOL_RESULT.clauses.0: there is no clause 'linkage.lost'",
        "linkage.lost",
    ),
    "a field that is not there": Mistake(
        "fields: [ToolCall.arguments]",
        "fields: [ToolCall.input]",
        "diagnostics.INVALID_TOOL_ARGUMENTS.fields.0: there is no field 'ToolCall.input'",
        "ToolCall.input",
    ),
    "a type that is not there": Mistake(
        'items: { $ref: "#/$defs/Message" }',
        'items: { $ref: "#/$defs/Massage" }',
        "types.Transcript.items.$ref: there is no type 'Massage'",
        "Massage",
    ),
    "a reason's type that is not there": Mistake(
        "type: Boolean, must", "type: Bool, must", "reasons.boolean.type: there is no type 'Bool'", "type: Bool,"
    ),
    "a placeholder that is not there": Mistake(
        'pattern: "${nonBlankPattern}"',
        'pattern: "${notBlank}"',
        "types.NonBlankString.pattern: there is no value 'notBlank'",
        "notBlank",
    ),
    "a fact that prose does not have": Mistake(
        PROSE,
        PROSE.replace("place", "spot"),
        "diagnostics.MISSING_TOOL_RESULT.prose.default: prose of this phase has no {spot}",
        "{spot}",
    ),
    "prose that is no format string": Mistake(
        PROSE,
        PROSE.replace("{id}", "{id"),
        "diagnostics.MISSING_TOOL_RESULT.prose.default: not a format string",
        "{id at",
    ),
    "a type that is no JSON Schema": Mistake(
        "    type: boolean\n", "    type: bool\n", "types.Boolean.type: not a JSON Schema", "type: bool\n"
    ),
    "a gap's clause that is not there": Mistake(
        "clause: arguments.depth, why",
        "clause: arguments.deep, why",
        "schemaGaps.3.clause: there is no clause 'arguments.deep'",
        "arguments.deep,",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_by_file_line_and_key(mistake: Mistake, tmp_path: Path) -> None:
    spoilt = changed(tmp_path, (mistake.old, mistake.new))
    with pytest.raises(SpecError) as caught:
        load(spoilt, SCHEMA)
    lines = spoilt.read_text(encoding="utf-8").splitlines(keepends=True)
    named = [int(problem.split(":")[1]) for problem in str(caught.value).splitlines() if mistake.problem in problem]
    assert str(caught.value).startswith("message-ir.yaml:")
    assert named, str(caught.value)
    assert mistake.on_line in lines[named[0] - 1]


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    spec = changed(
        tmp_path, ("clauses: [linkage.missing]", "clauses: [a.b]"), ("clauses: [linkage.orphan]", "clauses: [c.d]")
    )
    with pytest.raises(SpecError) as caught:
        load(spec, SCHEMA)
    assert len(caught.value.problems) == 2


def test_drift_is_reported_as_changed_missing_and_orphaned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CHECKOUT / "spec", tmp_path / "spec")
    assert generator.main([f"--root={tmp_path}"]) == 0
    assert generator.main([f"--root={tmp_path}", "--check"]) == 0
    generated = tmp_path / "generated"
    with (generated / "docs/contract.md").open("a", encoding="utf-8") as file:
        file.write("by hand\n")
    (generated / "python/message_ir_types/wire.py").unlink()
    (generated / "old.md").write_text("", encoding="utf-8")
    capsys.readouterr()
    assert generator.main([f"--root={tmp_path}", "--check"]) == 1
    printed = capsys.readouterr().out
    assert "changed: docs/contract.md" in printed
    assert "-by hand" in printed
    assert "missing: python/message_ir_types/wire.py" in printed
    assert "orphaned: old.md" in printed
    assert generator.main([f"--root={tmp_path}"]) == 0
    assert generator.main([f"--root={tmp_path}", "--check"]) == 0


def test_a_spec_that_cannot_be_used_exits_with_2_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(CHECKOUT / "spec", tmp_path / "spec")
    changed(tmp_path / "spec", ("phase: transcript", "phase: beginning"))
    assert generator.main([f"--root={tmp_path}"]) == 2
    assert "message-ir.yaml:" in capsys.readouterr().err
    assert not (tmp_path / "generated").exists()
