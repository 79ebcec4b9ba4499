"""What a figure depends on: the machine, Python, and the version of every installed package."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any


def environment() -> dict[str, Any]:
    """Tells where a run takes place, for its JSON."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu(),
        "cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": dict(sorted((each.metadata["Name"].lower(), each.version) for each in distributions())),
    }


def cpu() -> str:
    """The processor's name, as the system tells it."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
