"""Checks the built wheel and sdist, and the environment into which only the wheel was installed.

Run by that environment's own interpreter, which has no pytest: `python check_distributions.py FOLDER`.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
DECLARED = {"message-ir", "msgspec", "frozendict"}
BROKEN = [{"id": "m1", "role": "toolResult", "toolCallId": "c", "toolName": "t", "content": "", "isError": False}]


def expect(found: object, expected: object, what: str) -> None:
    """Ends the run with a sentence where something is not as it should be."""
    if found != expected:
        sys.exit(f"{what}: expected {expected!r}, found {found!r}")
    print(f"ok: {what}")


def check_wheel(names: set[str]) -> None:
    """The wheel holds the two packages with all their modules, the data, the licence, and nothing else."""
    sources = {
        f"{package.name}/{file.relative_to(package).as_posix()}"
        for package in (CHECKOUT / "src/message_ir", CHECKOUT / "generated/python/message_ir_types")
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    expect(len(sources) > 20, True, "the checkout has modules")
    names_of_data = ("cases.json", "contract.md", "port-manual.md", "protocol.schema.json", "transcript.schema.json")
    data = {f"message_ir/_data/{name}" for name in names_of_data}
    packaged = {name for name in names if ".dist-info/" not in name}
    expect(packaged, sources | data, "the wheel holds the packages and the data")
    expect(any(name.endswith("licenses/LICENSE") for name in names), True, "the wheel holds the licence")


def check_sdist(names: set[str]) -> None:
    """The sdist holds every tracked folder that a build or a test needs."""
    inside = {name.partition("/")[2] for name in names}
    for folder in ("spec", "generated", "src", "tests", "examples"):
        files = {
            file.relative_to(CHECKOUT).as_posix()
            for file in (CHECKOUT / folder).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
        }
        expect(bool(files) and files <= inside, True, f"the sdist holds {folder}/")
    expect(
        {name for name in inside if ".venv" in name or ".nox" in name}, set(), "no environment leaked into the sdist"
    )


def check_environment() -> None:
    """The wheel works with its declared dependencies alone; without its extra the command says what to install."""
    installed = {distribution.metadata["Name"].lower() for distribution in importlib.metadata.distributions()}
    expect(installed - {"pip", "setuptools"}, DECLARED, "only declared dependencies are installed")
    import message_ir  # noqa: PLC0415 # from the wheel, which is what is checked

    expect("site-packages" in Path(message_ir.__file__).parts, True, "message_ir comes from the wheel")
    codes = [diagnostic.code for diagnostic in message_ir.validate_json(json.dumps(BROKEN))]
    expect(codes, ["ORPHAN_TOOL_RESULT"], "the validator works")
    heavy = {"click", "rich", "jsonschema", "jinja2", "hypothesis", "yaml"} & sys.modules.keys()
    expect(heavy, set(), "importing the package imports none of the extras")
    run = subprocess.run([sys.executable, "-m", "message_ir"], capture_output=True, text=True, check=False)
    expect(run.returncode, 2, "the command without its extra exits with 2")
    expect("pip install 'message-ir[cli]'" in run.stderr, True, "and says what to install")


def main() -> None:
    """Checks everything in the folder of distributions that the command names."""
    folder = Path(sys.argv[1])
    wheel, sdist = next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))
    expect(
        wheel.name.split("-")[1], sdist.name.removesuffix(".tar.gz").split("-")[1], "wheel and sdist have one version"
    )
    with zipfile.ZipFile(wheel) as archive:
        check_wheel(set(archive.namelist()))
    with tarfile.open(sdist) as archive:
        check_sdist({member.name for member in archive.getmembers() if member.isfile()})
    check_environment()


if __name__ == "__main__":
    main()
