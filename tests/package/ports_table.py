"""Fills the table of ports in the README from the JSON reports of conformance runs, or checks that it says what they say.

python ports_table.py [--check] REPORT…
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

README = Path(__file__).parents[2] / "README.md"
START, END = "<!-- from the JSON reports of conformance runs -->\n", "<!-- end of the table of ports -->\n"
HEADER = (
    "| port | cases passed | failed or errored | undelivered | unsupported | operations | host values | reproduce |\n"
)


def row(report: dict[str, Any]) -> str:
    """One port's line; what is undelivered are inputs that its language cannot build."""
    port, counts = report["port"], report["counts"]
    cells = [
        port["language"],
        f"{counts['passed']} of {sum(counts.values())}",
        counts["failed"] + counts["errored"],
        counts["undelivered"],
        counts["unsupported"],
        len(port["operations"]),
        len(port["hosts"]),
        f"`message-ir conformance run -- {' '.join(report['command'])}`",
    ]
    return f"| {' | '.join(map(str, cells))} |\n"


def main(arguments: list[str]) -> None:
    """Writes the README, or ends with a sentence where it says something else."""
    check = "--check" in arguments
    reports = [json.loads(Path(name).read_text(encoding="utf-8")) for name in arguments if name != "--check"]
    table = HEADER + "|---" * HEADER.count(" | ") + "|---|\n" + "".join(map(row, reports))
    readme = README.read_text(encoding="utf-8")
    filled = re.sub(f"{START}.*?{END}", lambda _: START + table + END, readme, flags=re.DOTALL)
    if check and filled != readme:
        sys.exit("README.md: the table of ports is not what the runs reported; nox -s typescript -- fill writes it")
    README.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
