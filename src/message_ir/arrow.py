"""Validates columns of transcripts: Arrow data in, a column of diagnostics out (needs the extra `arrow`).

One function serves whatever holds or exchanges Arrow data: pyarrow, Polars, DuckDB, Spark's `mapInArrow`, Ray Data's
`map_batches`. Here belongs how a transcript stands in a column; what is wrong with it, the validator says.

A column holds one transcript a value, in one of two forms, either of them dictionary-encoded too:

- JSON text: strings, or binary in UTF-8. One transcript at a time is copied out of their buffers.
- Lists of structs, a message each. A null field of a struct is an absent field, since Arrow has no other way to leave
  one out; a null among the messages or blocks of a list is a null, and reported. A map is an object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple

from message_ir.findings import UNREADABLE
from message_ir.validation import diagnostics, not_inspected, validate_json, validate_transcript
from message_ir_types.messages import Diagnostic

try:
    import pyarrow as pa
except ModuleNotFoundError as error:
    if error.name != "pyarrow":
        raise
    needed = "message_ir.arrow needs pyarrow, which is not installed; run: pip install 'message-ir[arrow]'"
    raise ModuleNotFoundError(needed, name=error.name) from error

_FIELDS: Final = (
    pa.field("code", pa.string()),
    pa.field("messageIndex", pa.int64()),
    pa.field("path", pa.string()),
    pa.field("related", pa.list_(pa.string())),
    pa.field("message", pa.string()),
)

DIAGNOSTICS: Final = pa.list_(pa.struct(_FIELDS))
"""The type of a column of diagnostics: for each transcript a list of them, as `validate_transcript` returns it, in wire names."""

Prepare = Callable[[Any], object]
"""What makes a transcript of a value of a column."""


def validate(transcripts: Any, column: str | None = None, *, prepare: Prepare | None = None) -> Any:
    """Reports of each transcript in a column what `validate_json` or `validate_transcript` reports of it.

    Args:
        transcripts: an `Array` or `ChunkedArray` of transcripts; a `RecordBatch` or `Table` that has a column of them;
            or what exports one of these (`__arrow_c_stream__` or `__arrow_c_array__`): a Polars `Series` or `DataFrame`,
            a DuckDB relation, a `RecordBatchReader`. A stream of batches is read one batch at a time.
        column: the column's name where `transcripts` has columns.
        prepare: for columns that hold transcripts in another form; it is given each value (JSON text as bytes, a list of
            structs as a list of dicts without their null fields), and what it returns is validated. What it raises
            passes through.

    Returns:
        An `Array` of type `DIAGNOSTICS` and of the same length, null where the transcript is null, empty where it is valid;
        a `ChunkedArray` where the input is chunked or a stream.

    Raises:
        TypeError: the column holds neither JSON text nor lists of structs, or `transcripts` is no Arrow data, or has columns
            and none is named, or has none and one is named.
        KeyError: there is no column of that name, or there are several.
    """
    data = _imported(transcripts, column)
    if isinstance(data, pa.Array):
        return _validated(data, prepare)
    chunks = data.chunks if isinstance(data, pa.ChunkedArray) else data
    return pa.chunked_array([_validated(chunk, prepare) for chunk in chunks], type=DIAGNOSTICS)


def with_diagnostics(batch: Any, column: str, name: str = "diagnostics", *, prepare: Prepare | None = None) -> Any:
    """Appends a column of diagnostics to a batch: the function for engines that map batches to batches.

    Args:
        batch: a `RecordBatch` or a `Table`.
        column: the column that holds the transcripts.
        name: the name of the new column.
        prepare: as `validate` takes it.

    Returns:
        A batch of the same class with the column `name`, of type `DIAGNOSTICS`, as its last.

    Raises:
        TypeError: as `validate` raises it.
        KeyError: there is no column of that name, or there are several.
        ValueError: the batch has a column of the new name.
    """
    if not isinstance(batch, pa.RecordBatch | pa.Table):
        raise TypeError(f"with_diagnostics takes a pyarrow RecordBatch or Table, not {type(batch).__name__}")
    if name in batch.schema.names:
        raise ValueError(f'there is a column "{name}" already: give the new one another name, or drop that one')
    return batch.append_column(pa.field(name, DIAGNOSTICS), validate(batch, column, prepare=prepare))


# ---- from what was given to arrays


def _imported(given: Any, column: str | None) -> Any:
    """The column as an `Array`, a `ChunkedArray` or an iterator of arrays."""
    if isinstance(given, pa.RecordBatch | pa.Table):
        return given.column(_position(given.schema, column))
    streams = hasattr(given, "__arrow_c_stream__")
    if not (streams or hasattr(given, "__arrow_c_array__")):
        raise TypeError(f"{type(given).__name__} is no Arrow data: give a pyarrow object, or what exports one")
    if column is None:
        array = pa.chunked_array(given) if streams else pa.array(given)
        if pa.types.is_struct(array.type):
            _position(array.type, column)
        return array
    if isinstance(given, pa.Array | pa.ChunkedArray):
        raise TypeError(f'an array has no column "{column}": leave the name out')
    try:
        batches = pa.RecordBatchReader.from_stream(given) if streams else pa.record_batch(given)
    except pa.ArrowInvalid as error:
        raise TypeError(f'{type(given).__name__} has no column "{column}": leave the name out') from error
    position = _position(batches.schema, column)
    return _column(batches, position) if streams else batches.column(position)


def _column(reader: Any, position: int) -> Iterator[Any]:
    with reader:
        for batch in reader:
            yield batch.column(position)


def _position(fields: Any, column: str | None) -> int:
    """The position of a column in a schema or struct."""
    names = [field.name for field in fields]
    if column is None:
        raise TypeError(f"name the column that holds the transcripts; there are: {', '.join(names)}")
    if names.count(column) != 1:
        problem = "there are several columns" if column in names else "there is no column"
        raise KeyError(f'{problem} "{column}"; there are: {", ".join(names)}')
    return names.index(column)


# ---- from arrays to transcripts

_Slots = Callable[[int], Any]
"""Gives what an array holds at a position; None for a null."""


class _Form(NamedTuple):
    """A way in which a column holds transcripts."""

    applies: Callable[[Any], bool]
    slots: Callable[[Any], _Slots]
    validate: Callable[[Any], tuple[Diagnostic, ...]]


def _texts(item: Literal["i", "q"]) -> Callable[[Any], _Slots]:
    """Reads texts that stand one after the other in one buffer.

    Args:
        item: the format of an offset, as `memoryview.cast` takes it.
    """

    def slots(array: Any) -> _Slots:
        validity, offsets, content = array.buffers()
        # An array without values may lack its buffers.
        ends = memoryview(offsets or b"").cast(item)[array.offset :]
        data = memoryview(content or b"")
        valid = array.is_valid().to_pylist() if validity else None
        return lambda at: data[ends[at] : ends[at + 1]].tobytes() if valid is None or valid[at] else None

    return slots


def _views(array: Any) -> _Slots:
    """Reads texts of which the short ones stand inline and the others in any of several buffers."""

    def slot(at: int) -> bytes | None:
        buffer = array[at].as_buffer()
        return None if buffer is None else buffer.to_pybytes()

    return slot


# What pyarrow raises of what Python has no object for: a string that is not UTF-8, a time out of range, a type of column.
_NO_OBJECT: Final = (ValueError, OverflowError, NotImplementedError)


def _values(array: Any) -> _Slots:
    """Reads lists of structs, one transcript at a time, so that no more of them are objects at once."""

    def slot(at: int) -> Any:
        try:
            return _present(array[at].as_py(maps_as_pydicts="lossy"))
        except _NO_OBJECT:
            return UNREADABLE

    return slot


def _present(value: Any) -> Any:
    """Leaves out the fields that are null. It goes no deeper than the column's type."""
    if isinstance(value, dict):
        return {key: _present(each) for key, each in value.items() if each is not None}
    return [_present(each) for each in value] if isinstance(value, list) else value


def _nothing(_: Any) -> _Slots:
    return lambda _: None


def _is_list_of_messages(kind: Any) -> bool:
    lists = (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)
    messages = (pa.types.is_struct, pa.types.is_map, pa.types.is_union, pa.types.is_null)
    return isinstance(kind, lists) and any(is_one(kind.value_type) for is_one in messages)


_FORMS: Final = (
    _Form(lambda kind: kind in (pa.string(), pa.binary()), _texts("i"), validate_json),
    _Form(lambda kind: kind in (pa.large_string(), pa.large_binary()), _texts("q"), validate_json),
    _Form(lambda kind: kind in (pa.string_view(), pa.binary_view()), _views, validate_json),
    _Form(_is_list_of_messages, _values, validate_transcript),
    _Form(pa.types.is_null, _nothing, validate_json),
)

_UNREADABLE: Final = diagnostics([not_inspected()])


# ---- from transcripts to diagnostics


def _validated(array: Any, prepare: Prepare | None) -> Any:
    """The diagnostics of an array's transcripts, as an array."""
    verdict = _verdicts(array, prepare)
    every: list[Diagnostic] = []
    # Where each transcript's diagnostics start; a null list starts nowhere.
    starts: list[int | None] = []
    for at in range(len(array)):
        of_one = verdict(at)
        starts.append(None if of_one is None else len(every))
        every += of_one or ()
    starts.append(len(every))
    columns = (
        [each.code.value for each in every],
        [each.message_index for each in every],
        [each.path for each in every],
        [each.related for each in every],
        [each.message for each in every],
    )
    arrays = [pa.array(values, field.type) for values, field in zip(columns, _FIELDS, strict=True)]
    structs = pa.StructArray.from_arrays(arrays, fields=_FIELDS)
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), structs, type=DIAGNOSTICS)


def _verdicts(array: Any, prepare: Prepare | None) -> Callable[[int], tuple[Diagnostic, ...] | None]:
    """What gives the diagnostics of the transcript at a position, None for a null.

    Raises:
        TypeError: the array holds no transcripts.
    """
    if isinstance(array, pa.ExtensionArray):  # JSON text that is marked as such
        return _verdicts(array.storage, prepare)
    if isinstance(array, pa.DictionaryArray):
        indices = array.indices.to_pylist()
        # Each text is validated once, and only if it is used.
        of_text = cache(_verdicts(array.dictionary, prepare))
        return lambda at: None if indices[at] is None else of_text(indices[at])
    form = next((form for form in _FORMS if form.applies(array.type)), None)
    if form is None:
        raise TypeError(
            f"a column of {array.type} holds no transcripts: they are JSON texts (string or binary) or lists of structs"
        )
    slot = form.slots(array)
    validated = form.validate if prepare is None else partial(_prepared, prepare)

    def verdict(at: int) -> tuple[Diagnostic, ...] | None:
        value = slot(at)
        if value is None:
            return None
        return _UNREADABLE if value is UNREADABLE else validated(value)

    return verdict


def _prepared(prepare: Prepare, value: Any) -> tuple[Diagnostic, ...]:
    return validate_transcript(prepare(bytes(value) if isinstance(value, memoryview) else value))
