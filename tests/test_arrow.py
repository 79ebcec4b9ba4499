"""Columns of transcripts: whatever holds them, the diagnostics are those that the plain validator gives of each."""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from message_ir import validate_json, validate_transcript
from message_ir.arrow import DIAGNOSTICS, validate, with_diagnostics
from message_ir.conformance.strategies import mutated_transcripts, texts, valid_transcripts
from message_ir.conformance.suite import load
from sessions import ROUND, UNANSWERED, assistant, call, result, user

CHECKOUT = Path(__file__).parents[1]

CLEAN, BROKEN = json.dumps(ROUND), json.dumps(UNANSWERED)
LONG = json.dumps([user(content="é" * 500), result("c")])
TEXTS = [CLEAN, None, BROKEN, "", "[", LONG, "3", None, BROKEN, "[]"]

TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]


def plain(values: Iterable[Any], judge: Callable[[Any], Any] = validate_json) -> list[Any]:
    """What the plain validator says of each, in wire form; None of a null."""
    return [None if value is None else json.loads(msgspec.json.encode(judge(value))) for value in values]


def rows(column: Any) -> list[Any]:
    """A column of diagnostics as Python values, after a look at whether it is whole."""
    column.validate(full=True)
    assert column.type == DIAGNOSTICS
    return list(column.to_pylist())


def dictionary(values: list[Any], kind: Any) -> Any:
    """A dictionary-encoded array with a null among its indices, a null in its dictionary, and an entry of no use."""
    distinct = [*dict.fromkeys(values), "unused"]
    indices = [None if value is None and at == 1 else distinct.index(value) for at, value in enumerate(values)]
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(distinct, kind))


EXPECTED = plain(TEXTS)


def test_the_texts_that_the_tests_use_are_of_every_sort() -> None:
    assert [row and row[0]["code"] for row in EXPECTED[:5]] == [
        [],
        None,
        "MISSING_TOOL_RESULT",
        "INVALID_TRANSCRIPT",
        "INVALID_TRANSCRIPT",
    ]


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize("make", [pa.array, dictionary], ids=["plain", "dictionary"])
def test_texts_of_every_type_sliced_and_chunked(kind: Any, make: Callable[..., Any]) -> None:
    array = make(TEXTS, kind)
    assert rows(validate(array)) == EXPECTED
    for start, length in ((0, 0), (1, 1), (2, 5), (9, 1), (10, 0), (3, 7)):
        assert rows(validate(array.slice(start, length))) == EXPECTED[start : start + length]
    chunked = pa.chunked_array([array, array.slice(4, 3), array.slice(1, 0)])
    answer = validate(chunked)
    assert isinstance(answer, pa.ChunkedArray)
    assert rows(answer) == EXPECTED + EXPECTED[4:7]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_no_texts_and_only_nulls(kind: Any) -> None:
    assert rows(validate(pa.array([], kind))) == []
    assert rows(validate(pa.array([None, None], kind))) == [None, None]
    assert rows(validate(pa.array([""], kind))) == plain([""])
    assert rows(validate(pa.chunked_array([], kind))) == []


def test_a_column_of_no_type() -> None:
    assert rows(validate(pa.nulls(2))) == [None, None]


def test_text_that_is_marked_as_json() -> None:
    assert rows(validate(pa.array(TEXTS, pa.json_()))) == EXPECTED


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_bytes_that_are_not_utf8(kind: Any) -> None:
    bad = [b'["\xff"]', b"\xed\xa0\x80" * 10]
    # As a file may hold them, which no reader checks.
    storage = pa.array(
        bad,
        {"string": pa.binary(), "large_string": pa.large_binary(), "string_view": pa.binary_view()}.get(
            str(kind), kind
        ),
    )
    array = pa.Array.from_buffers(kind, len(storage), storage.buffers())
    assert rows(validate(array)) == plain(bad)


def test_each_text_of_a_dictionary_is_validated_once_and_only_if_it_is_used() -> None:
    seen: list[bytes] = []

    def prepare(text: bytes) -> list[Any]:
        seen.append(text)
        return []

    array = dictionary(["[1]", "[2]", "[1]", "[3]", "[1]"], pa.string()).slice(1)
    assert rows(validate(array, prepare=prepare)) == [[]] * 4
    assert seen == [b"[2]", b"[1]", b"[3]"]


CORPUS = [json.dumps(case.input) for case in load().cases]


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_the_corpus(kind: Any) -> None:
    assert len(CORPUS) > 300
    assert rows(validate(pa.array(CORPUS, kind))) == plain(CORPUS)


relaxed = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])

ANY_TEXT = st.one_of(
    st.none(),
    valid_transcripts().map(lambda value: json.dumps(value).encode()),
    mutated_transcripts().map(lambda value: json.dumps(value).encode()),
    texts().map(lambda text: text.encode(errors="surrogatepass")),
    st.binary(max_size=20),
)


@relaxed
@given(st.lists(ANY_TEXT, max_size=6), st.sampled_from(TYPES[3:]), st.integers(0, 6), st.integers(0, 6))
def test_it_says_what_the_plain_validator_says(values: list[bytes | None], kind: Any, start: int, length: int) -> None:
    assert rows(validate(pa.array(values, kind).slice(start, length))) == plain(values[start : start + length])


# ---- lists of structs

ARGUMENTS = pa.struct([("path", pa.string()), ("lines", pa.list_(pa.float64()))])
BLOCK = pa.struct(
    [("type", pa.string()), ("text", pa.string()), ("id", pa.string()), ("name", pa.string()), ("arguments", ARGUMENTS)]
)
FIELDS = [
    ("id", pa.string()),
    ("role", pa.string()),
    ("toolCallId", pa.string()),
    ("toolName", pa.string()),
    ("isError", pa.bool_()),
]
ASSISTANT = pa.struct([*FIELDS, ("content", pa.list_(BLOCK))])
OTHER = pa.struct([*FIELDS, ("content", pa.string())])

SAID: list[Any] = [
    [assistant({"type": "text", "text": "Hello."})],
    None,
    [],
    [assistant(call("c", arguments={"path": "x"})), assistant(call("c", arguments={"lines": [1.0, None]}))],
    [assistant(call("c", arguments={"lines": [float("nan")]}))],
    [None, assistant(None, {"type": "text"}), {"role": "assistant"}],
]


@pytest.mark.parametrize(
    "kind",
    [pa.list_(ASSISTANT), pa.large_list(ASSISTANT), pa.list_view(ASSISTANT), pa.large_list_view(ASSISTANT)],
    ids=["list", "large_list", "list_view", "large_list_view"],
)
def test_lists_of_structs_in_which_a_null_field_is_absent(kind: Any) -> None:
    expected = plain(SAID, validate_transcript)
    array = pa.array(SAID, kind)
    assert rows(validate(array)) == expected
    assert rows(validate(array.slice(1, 4))) == expected[1:5]
    assert rows(validate(pa.chunked_array([array, array.slice(3)]))) == expected + expected[3:]


def test_lists_of_one_length() -> None:
    transcripts = [[user(), result("c")], None]
    array = pa.array(transcripts, pa.list_(OTHER, 2))
    assert rows(validate(array)) == plain(transcripts, validate_transcript)


def test_unions_hold_messages_of_every_role() -> None:
    content = pa.UnionArray.from_dense(
        pa.array([0, 1, 0], pa.int8()),
        pa.array([0, 0, 1], pa.int32()),
        [pa.array(["hello", "ok"]), pa.array([[call("c")]], pa.list_(BLOCK))],
    )
    plain_fields = [pa.array([message.get(name) for message in (user(), *ROUND)], kind) for name, kind in FIELDS]
    messages = pa.StructArray.from_arrays([*plain_fields, content], [*(name for name, _ in FIELDS), "content"])
    transcripts = pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), messages)
    assert [[each["code"] for each in row] for row in rows(validate(transcripts))] == [
        # Of a struct of arguments all fields of which are null, none is there; it is an object all the same.
        ["MISSING_TOOL_RESULT"],
        ["ORPHAN_TOOL_RESULT"],
    ]


def test_maps_are_objects() -> None:
    blocks = pa.struct([*list(BLOCK)[:4], pa.field("arguments", pa.map_(pa.string(), pa.int64()))])
    kind = pa.list_(pa.struct([*FIELDS, ("content", pa.list_(blocks))]))
    transcripts = [[assistant(call("c", arguments=[("a", 1)]), call("d", arguments=[]))]]
    expected = [[assistant(call("c", arguments={"a": 1}), call("d"))]]
    assert rows(validate(pa.array(transcripts, kind))) == plain(expected, validate_transcript)


def test_lists_of_which_none_holds_a_message() -> None:
    transcripts: list[Any] = [[], None, [None]]
    assert rows(validate(pa.array(transcripts))) == plain(transcripts, validate_transcript)


def test_what_no_python_value_can_be_made_of_is_reported_and_the_rest_is_validated() -> None:
    ids = pa.Array.from_buffers(pa.string(), 2, pa.array([b"u", b"\xff"]).buffers())
    names = ("id", "role", "content")
    messages = pa.StructArray.from_arrays([ids, pa.array(["user"] * 2), pa.array(["", ""])], names)
    good, bad = rows(validate(pa.ListArray.from_arrays([0, 1, 2], messages)))
    assert good == []
    assert [(each["code"], each["path"], each["messageIndex"]) for each in bad] == [("INVALID_TRANSCRIPT", "", -1)]
    centuries_off = pa.array([[10**15], [0]], pa.list_(pa.timestamp("s")))
    times = pa.ListArray.from_arrays(
        centuries_off.offsets, pa.StructArray.from_arrays([centuries_off.values], ["role"])
    )
    assert [[each["code"] for each in row] for row in rows(validate(times))] == [
        ["INVALID_TRANSCRIPT"],
        ["INVALID_MESSAGE"],
    ]


def test_values_that_json_has_not_are_reported_where_they_stand() -> None:
    array = pa.array([[assistant(call("c", arguments={"at": datetime.datetime(2026, 1, 1)}))]])  # noqa: DTZ001 # as files hold it
    assert [(each["code"], each["path"]) for each in rows(validate(array))[0][:1]] == [
        ("INVALID_TOOL_ARGUMENTS", "/0/content/0/arguments/at")
    ]


# ---- what holds columns

TABLE = pa.table({"id": range(len(TEXTS)), "transcript": TEXTS})


def test_batches_tables_and_readers() -> None:
    (batch,) = TABLE.to_batches()
    of_batch = validate(batch, "transcript")
    assert isinstance(of_batch, pa.Array)
    assert rows(of_batch) == EXPECTED
    for source in (TABLE, pa.concat_tables([TABLE.slice(0, 3), TABLE.slice(3)]), TABLE.to_reader(max_chunksize=3)):
        assert rows(validate(source, "transcript")) == EXPECTED


def test_with_diagnostics_appends_a_column() -> None:
    (batch,) = TABLE.to_batches()
    for whole in (batch, TABLE):
        checked = with_diagnostics(whole, "transcript", "found")
        assert type(checked) is type(whole)
        assert checked.schema == TABLE.schema.append(pa.field("found", DIAGNOSTICS))
        assert checked.select(["id", "transcript"]) == whole
        assert rows(checked.column("found")) == EXPECTED


def test_polars() -> None:
    for kind in (polars.String, polars.Categorical):
        series = polars.Series("transcript", TEXTS, dtype=kind)
        assert rows(validate(series)) == EXPECTED
    frame = polars.DataFrame({"id": range(len(TEXTS)), "transcript": TEXTS})
    assert rows(validate(frame, "transcript")) == EXPECTED
    assert rows(validate(polars.Series(pa.array(SAID, pa.list_(ASSISTANT))))) == plain(SAID, validate_transcript)
    assert polars.Series(validate(frame, "transcript")).list.len().to_list() == [
        row if row is None else len(row) for row in EXPECTED
    ]


def test_duckdb(tmp_path: Path) -> None:
    pq.write_table(TABLE, tmp_path / "transcripts.parquet")
    with duckdb.connect() as connection:
        relation = connection.read_parquet(str(tmp_path / "transcripts.parquet"))
        assert rows(validate(relation, "transcript")) == EXPECTED
        valid_json = connection.sql("SELECT '[]'::JSON AS transcript UNION ALL SELECT NULL")
        assert sorted(rows(validate(valid_json, "transcript")), key=str) == [None, []]


def test_anything_that_exports_one_array_or_one_batch() -> None:
    class Exporter:
        def __init__(self, inner: Any) -> None:
            self.__arrow_c_array__ = inner.__arrow_c_array__

    assert rows(validate(Exporter(pa.array(TEXTS)))) == EXPECTED
    assert rows(validate(Exporter(TABLE.to_batches()[0]), "transcript")) == EXPECTED


def test_parquet_files_hold_diagnostics(tmp_path: Path) -> None:
    pq.write_table(with_diagnostics(TABLE, "transcript"), tmp_path / "checked.parquet")
    assert rows(pq.read_table(tmp_path / "checked.parquet").column("diagnostics").cast(DIAGNOSTICS)) == EXPECTED


# ---- what cannot be validated

TWO = pa.Table.from_arrays([pa.array(["[]"]), pa.array(["[]"])], names=["a", "a"])


@pytest.mark.parametrize(
    ("given_", "column", "error", "says"),
    [
        ([CLEAN], None, TypeError, "list is no Arrow data: give a pyarrow object"),
        (TABLE, None, TypeError, "name the column that holds the transcripts; there are: id, transcript"),
        (polars.DataFrame({"t": [CLEAN]}), None, TypeError, "name the column that holds the transcripts; there are: t"),
        (TABLE, "text", KeyError, 'there is no column "text"; there are: id, transcript'),
        (TWO, "a", KeyError, 'there are several columns "a"; there are: a, a'),
        (pa.array([CLEAN]), "text", TypeError, 'an array has no column "text"'),
        (polars.Series([CLEAN]), "text", TypeError, 'Series has no column "text"'),
        (TABLE, "id", TypeError, "a column of int64 holds no transcripts: they are JSON texts"),
        (pa.array([[CLEAN]]), None, TypeError, "a column of list<item: string> holds no transcripts"),
        (pa.array([1]).dictionary_encode(), None, TypeError, "a column of int64 holds no transcripts"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(given_: Any, column: str | None, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=re.escape(says)):
        validate(given_, column)


def test_a_column_is_not_replaced() -> None:
    with pytest.raises(ValueError, match='there is a column "id" already'):
        with_diagnostics(TABLE, "transcript", "id")
    with pytest.raises(TypeError, match="takes a pyarrow RecordBatch or Table, not str"):
        with_diagnostics("transcript", "transcript")


def test_what_prepare_raises_passes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        validate(pa.array([CLEAN]), prepare=lambda _: 1 / 0)


def test_without_pyarrow_it_says_what_to_install() -> None:
    script = "import sys; sys.modules['pyarrow'] = None; import message_ir.arrow"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.rstrip().endswith("run: pip install 'message-ir[arrow]'")


def test_the_package_itself_does_not_import_pyarrow() -> None:
    script = "import sys, message_ir; assert 'pyarrow' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


# ---- the page

PAGE = (CHECKOUT / "SCALE.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```\n+```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("example", "prints"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_of_the_page_print_what_it_says(example: str, prints: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "SCALE.md", "exec"), {})
    assert printed.getvalue() == prints


def test_no_example_of_the_page_is_left_out_and_its_links_lead_somewhere() -> None:
    assert len(EXAMPLES) == PAGE.count("```python") > 0
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert len(links) >= 4
    assert all((CHECKOUT / link).exists() for link in links)
