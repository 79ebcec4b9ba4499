"""Makes Parquet files of transcripts in some of which a fault is planted, and says which has which.

What is expected follows from what was planted alone; no validator is asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sessions import Json, assistant, call, result, user

Fault = tuple[str, str]
"""A code and a path."""

TOOLS: Final = ("read", "search", "edit", "run")


class Planted(NamedTuple):
    """A folder of files with the columns `id` and `transcript`."""

    folder: Path
    size: int
    """How many transcripts the files hold; their ids are 0 and so on."""
    faults: dict[int, list[Fault] | None]
    """What the validator must say of those of which it says anything, by id; None for a null."""


def clean(random: Random) -> list[Json]:
    """A user's question, some rounds of a text, a call and its result, and an answer."""
    transcript = [user(content=words(random))]
    for number in range(random.randint(2, 5)):
        name = random.choice(TOOLS)
        arguments = {"path": f"src/{words(random)}.py", "lines": [random.randint(1, 99), 100], "all": number == 1}
        transcript += [
            assistant({"type": "text", "text": words(random)}, call(f"call-{number}", name, arguments)),
            result(f"call-{number}", name) | {"content": words(random)},
        ]
    return [message | {"id": f"m{at}"} for at, message in enumerate([*transcript, assistant()])]


def words(random: Random) -> str:
    return " ".join(
        random.choices(("the", "tests", "of", "a parser", "naïve", '"quoted"', "were\nread"), k=random.randint(5, 40))
    )


# ---- faults: each changes a clean transcript, in which a call stands at `at` and its result after it


def not_a_string(transcript: list[Json], at: int) -> list[Fault]:
    transcript[0]["content"] = at
    return [("INVALID_MESSAGE", "/0/content")]


def blank_name(transcript: list[Json], at: int) -> list[Fault]:
    transcript[at]["content"][1]["name"] = " "
    return [("EMPTY_TOOL_NAME", f"/{at}/content/1/name")]


def unparsed_arguments(transcript: list[Json], at: int) -> list[Fault]:
    transcript[at]["content"][1]["arguments"] = '{"path": "x"}'
    return [("INVALID_TOOL_ARGUMENTS", f"/{at}/content/1/arguments")]


def repeated_call(transcript: list[Json], at: int) -> list[Fault]:
    transcript.append(transcript[at])
    return [("DUPLICATE_TOOL_CALL_ID", f"/{len(transcript) - 1}/content/1/id")]


def repeated_result(transcript: list[Json], at: int) -> list[Fault]:
    transcript.append(transcript[at + 1])
    return [("DUPLICATE_TOOL_RESULT", f"/{len(transcript) - 1}/toolCallId")]


def lost_call(transcript: list[Json], at: int) -> list[Fault]:
    del transcript[at]["content"][1]
    return [("ORPHAN_TOOL_RESULT", f"/{at + 1}/toolCallId")]


def early_result(transcript: list[Json], at: int) -> list[Fault]:
    transcript[at], transcript[at + 1] = transcript[at + 1], transcript[at]
    return [("TOOL_RESULT_BEFORE_CALL", f"/{at}/toolCallId"), ("MISSING_TOOL_RESULT", f"/{at + 1}/content/1/id")]


def renamed_tool(transcript: list[Json], at: int) -> list[Fault]:
    transcript[at + 1]["toolName"] += "_file"
    return [("TOOL_NAME_MISMATCH", f"/{at + 1}/toolName")]


def lost_result(transcript: list[Json], at: int) -> list[Fault]:
    del transcript[at + 1]
    return [("MISSING_TOOL_RESULT", f"/{at}/content/1/id")]


IN_TRANSCRIPTS: Final[tuple[Callable[[list[Json], int], list[Fault]], ...]] = (
    not_a_string,
    blank_name,
    unparsed_arguments,
    repeated_call,
    repeated_result,
    lost_call,
    early_result,
    renamed_tool,
    lost_result,
)


def text(random: Random, kind: int | None) -> tuple[str | None, list[Fault] | None]:
    """The text of a transcript with a fault of one kind, or of a clean one, and what must be said of it."""
    transcript = clean(random)
    faults: list[Fault] | None = []
    if kind is not None and kind < len(IN_TRANSCRIPTS):
        faults = IN_TRANSCRIPTS[kind](transcript, 1 + 2 * random.randrange((len(transcript) - 2) // 2))
    whole = json.dumps(transcript, ensure_ascii=False)
    match None if kind is None else kind - len(IN_TRANSCRIPTS):
        case 0:
            return whole[: random.randrange(len(whole))], [("INVALID_TRANSCRIPT", "")]
        case 1:
            return None, None
    return whole, faults


KINDS: Final = len(IN_TRANSCRIPTS) + 2


def plant(folder: Path, count: int, *, files: int = 20, every: int = 90, seed: int = 20261202) -> Planted:
    """Writes the files.

    Args:
        folder: where to; it is made.
        count: how many transcripts.
        files: over how many files.
        every: one transcript in so many has a fault, of each kind in turn.
        seed: of what is random; of the same, the files are the same.
    """
    folder.mkdir(parents=True)
    random = Random(seed)
    faulty = {id_: at % KINDS for at, id_ in enumerate(random.sample(range(count), count // every))}
    assert len(faulty) >= KINDS
    faults: dict[int, list[Fault] | None] = {}
    for file in range(files):
        ids = range(count * file // files, count * (file + 1) // files)
        texts = []
        for id_ in ids:
            whole, said = text(random, faulty.get(id_))
            texts.append(whole)
            if id_ in faulty:
                faults[id_] = said
        table = pa.table({"id": pa.array(ids, pa.int64()), "transcript": pa.array(texts, pa.string())})
        pq.write_table(table, folder / f"part-{file:03}.parquet", row_group_size=2_000)
    return Planted(folder, count, faults)


def check(planted: Planted, output: Path) -> None:
    """Asserts that an output has every transcript once, unchanged, with the planted faults and no others."""
    found = pq.read_table(output).sort_by("id")
    source = pq.read_table(planted.folder).sort_by("id")
    assert found.num_rows == planted.size == len(pc.unique(source["id"]))
    assert found.column_names == ["id", "transcript", "diagnostics"]
    for name in source.column_names:
        assert found[name].cast(source[name].type).combine_chunks() == source[name].combine_chunks()
    said: dict[int, Any] = {
        id_: None if row is None else [(each["code"], each["path"]) for each in row]
        for id_, row in zip(found["id"].to_pylist(), found["diagnostics"].to_pylist(), strict=True)
        if row != []
    }
    assert said == planted.faults
    assert len({code for faults in planted.faults.values() for code, _ in faults or ()}) == 10
