"""`python -m message_ir_generator`: writes `generated/`, or with `--check` says how it differs from the specification."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from message_ir_generator.output import compare, write
from message_ir_generator.spec import SpecError
from message_ir_generator.targets import render_folder

CHECKOUT = Path(__file__).parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 when all is up to date or written, 1 for drift, 2 for a specification that cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m message_ir_generator", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="compare only; print a diff and exit 1 where anything differs"
    )
    parser.add_argument("--root", type=Path, default=CHECKOUT, help="the checkout (default: the one this module is in)")
    options = parser.parse_args(arguments)
    root: Path = options.root
    try:
        rendered = render_folder(root / "spec")
    except (SpecError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    generated = root / "generated"
    if not options.check:
        for drift in write(rendered, generated):
            print({"orphaned": "removed"}.get(drift.kind, "written"), f"generated/{drift.path}")
        return 0
    drifts = list(compare(rendered, generated))
    for drift in drifts:
        print(drift)
    print(f"{len(rendered)} files compared, {len(drifts)} differ.")
    if drifts:
        print("Edit spec/, never generated/, then run: python -m message_ir_generator", file=sys.stderr)
    return 1 if drifts else 0


if __name__ == "__main__":
    raise SystemExit(main())
