"""What a program gets that imports the package: no part that needs an extra, and none that is large."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HEAVY = {
    "click",
    "rich",
    "jsonschema",
    "hypothesis",
    "jinja2",
    "yaml",
    "message_ir.cli",
    "message_ir.conformance",
    "message_ir.sources",
    "message_ir.data",
}


def loaded_by(statement: str, folder: Path) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    program = f"{statement}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_the_package_loads_nothing_heavy(tmp_path: Path) -> None:
    loaded = loaded_by("import message_ir\nmessage_ir.validate_json('[]')\nmessage_ir.loads('[]')", tmp_path)
    assert {"message_ir", "message_ir_types", "msgspec", "frozendict"} <= loaded
    assert loaded & HEAVY == set()


def test_the_version_is_told_without_loading_the_commands(tmp_path: Path) -> None:
    statement = "import sys\nsys.argv = ['message-ir', '--version']\nimport message_ir.cli\nmessage_ir.cli.main()"
    done = subprocess.run([sys.executable, "-c", statement], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("message-ir ")
    with_modules = f"import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    {statement.replace(chr(10), chr(10) + '    ')}"
    assert loaded_by(with_modules, tmp_path) & (HEAVY - {"message_ir.cli"}) == set()
