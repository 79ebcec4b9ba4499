"""Reports which mutants the corpus noticed; run it where `mutmut run` has run.

A mutant that survived must be listed in `equivalents.yaml` with the reason for which no case can notice it. Exits with 1
where one is not listed, an entry fits none, the real implementation is not right, or a deleted rule goes unnoticed.
"""

from __future__ import annotations

import fnmatch
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code

from adequacy.judge import first_wrong
from message_ir import linkage

KILLED = frozenset({"killed", "timeout", "suspicious", "segfault"})
MANGLED = re.compile(r"(?:x_|xǁ(?P<owner>\w+)ǁ)(?P<name>\w+)__mutmut_\d+$")


class Mutant(NamedTuple):
    """One change to one function."""

    key: str
    function: str
    """Such as `linkage.orphan` or `arguments._Walk.run`."""
    status: str

    def change(self) -> str:
        """The lines that differ."""
        lines = get_diff_for_mutant(self.key).splitlines()
        return "\n".join(line for line in lines if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"})


class Equivalent(NamedTuple):
    """Why mutants of some functions cannot be noticed; the change, if given, is searched in the lines that differ."""

    functions: list[str]
    why: str
    change: str = ""


def mutants(folder: Path) -> Iterator[Mutant]:
    """Yields the mutants of a finished run."""
    for file in sorted(folder.rglob("*.py.meta")):
        for key, code in json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"].items():
            module, _, mangled = key.rpartition(".")
            match = MANGLED.fullmatch(mangled)
            assert match is not None, f"{key} is named in another way than this reads"
            owner = f"{match['owner']}." if match["owner"] else ""
            function = f"{module.removeprefix('message_ir.')}.{owner}{match['name']}"
            yield Mutant(key, function, status_by_exit_code[code])


def explanation(mutant: Mutant, equivalents: list[Equivalent]) -> Equivalent | None:
    """The entry that says why a mutant cannot be noticed."""
    change = mutant.change()
    for entry in equivalents:
        of_function = any(fnmatch.fnmatchcase(mutant.function, each) for each in entry.functions)
        if of_function and re.search(entry.change, change):
            return entry
    return None


def unnoticed_deletions() -> list[str]:
    """The control: with any one linkage rule deleted, the corpus must notice."""
    stages = linkage.STAGES
    unnoticed: list[str] = []
    for code in [rule.code for stage in stages for rule in stage.rules]:
        without = tuple(
            stage._replace(rules=tuple(rule for rule in stage.rules if rule.code is not code)) for stage in stages
        )
        vars(linkage)["STAGES"] = without
        if first_wrong() is None:
            unnoticed.append(code)
    vars(linkage)["STAGES"] = stages
    return unnoticed


def main() -> int:
    """Prints the figures, and what is wrong."""
    entries = yaml.safe_load((Path(__file__).parent / "equivalents.yaml").read_text(encoding="utf-8"))
    equivalents = [Equivalent(**entry) for entry in entries]
    made = list(mutants(Path("mutants")))
    problems = [] if made else ["there are no mutants; run mutmut first"]
    statuses = Counter(mutant.status for mutant in made)
    killed = sum(number for status, number in statuses.items() if status in KILLED)
    used: Counter[int] = Counter()
    for mutant in made:
        if mutant.status not in KILLED:
            entry = explanation(mutant, equivalents)
            if entry is None:
                problems.append(f"survived, and is not listed: {mutant.function}\n{mutant.change()}")
            else:
                used[equivalents.index(entry)] += 1
    problems += [f"fits no mutant: {entry}" for index, entry in enumerate(equivalents) if not used[index]]
    if wrong := first_wrong():
        problems.append(f"the implementation itself is wrong: {wrong}")
    deletions = unnoticed_deletions()
    problems += [f"control: nobody notices that the rule {code} is deleted" for code in deletions]
    for index, entry in enumerate(equivalents):
        print(f"{used[index]:5}  equivalent: {entry.why}")
    survived = len(made) - killed - used.total()
    print(f"{len(made):,} mutants: {killed:,} killed, {survived:,} survived, {used.total():,} equivalent")
    print("control: every deleted rule is noticed" if not deletions else "control: FAILED")
    print(*problems, sep="\n\n", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
