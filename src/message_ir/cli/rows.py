"""The findings as data: a row for each, the same in JSON lines and in Parquet.

| field | what it is |
|---|---|
| `file` | the file's name, as it was given or found |
| `transcript` | the position of the transcript in the file, from 0 |
| `code` | the diagnostic's code |
| `messageIndex` | the position of the message in the transcript, from 0; -1 for the transcript as a whole |
| `path` | the JSON Pointer of the offending value in the transcript |
| `related` | the pointers to its counterparts |
| `message` | prose for people |
| `line` | the line of the file, from 1 |
| `column` | the character in the line, from 1; null where only the line is known |
| `pointer` | the JSON Pointer in the file's document, or in the one on that line |
| `relatedPlaces` | `line`, `column` and `pointer` of each counterpart |
| `answers` | what the API to which such a file goes says of it |
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from message_ir.cli.checking import Located, Tally
from message_ir.cli.escaping import safe_json
from message_ir.cli.people import Total
from message_ir.cli.writing import Output
from message_ir_types.constants import VERSION

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

# So many rows are held, and written together.
_ROW_GROUP: Final = 10_000


def row(located: Located) -> dict[str, Any]:
    """The row of a finding, by field."""
    found = located.diagnostic
    return {
        "file": located.file,
        "transcript": located.transcript,
        "code": str(found.code),
        "messageIndex": found.message_index,
        "path": found.path,
        "related": list(found.related),
        "message": found.message,
        **located.spot.place._asdict(),
        "relatedPlaces": [spot.place._asdict() for spot in located.related],
        "answers": list(located.answers),
    }


class JsonLinesReport:
    """A line of JSON for each finding, and nothing else."""

    says_total = False

    def __init__(self, out: Output) -> None:
        self._out = out

    def finding(self, located: Located) -> None:
        """Prints a finding."""
        self._out(safe_json(row(located)))

    def file(self, tally: Tally) -> None:
        """Does nothing: what is counted is no finding."""

    def end(self, total: Total, errors: Sequence[str]) -> None:
        """Does nothing, likewise."""


class ParquetReport:
    """A Parquet file with a row for each finding, in row groups, so that there may be any number of them."""

    says_total = False

    def __init__(self, out: Output) -> None:
        if find_spec("pyarrow") is None:
            raise ModuleNotFoundError(name="pyarrow")
        assert out.path is not None, "the command asks for a file"
        self._path = out.path
        self._writer: pq.ParquetWriter | None = None
        self._rows: list[dict[str, Any]] = []

    def finding(self, located: Located) -> None:
        """Holds a finding, and writes those that are held when they are many."""
        # The name of a file need not be Unicode; in JSON an escape stands for what is not, here the like of it.
        self._rows.append(row(located) | {"file": located.file.encode(errors="backslashreplace").decode()})
        if len(self._rows) == _ROW_GROUP:
            self._write()

    def file(self, tally: Tally) -> None:
        """Does nothing: what is counted is no finding."""

    def end(self, total: Total, errors: Sequence[str]) -> None:  # noqa: ARG002 # of the interface
        """Writes the last rows and the file's end."""
        self._write()
        assert self._writer is not None, "written to above"
        self._writer.close()

    def _write(self) -> None:
        # Not imported before there are findings: its threads come after the processes that check.
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        schema = _schema()
        self._writer = self._writer or pq.ParquetWriter(self._path, schema, compression="zstd")
        self._writer.write_table(pa.Table.from_pylist(self._rows, schema))
        self._rows = []


def _schema() -> pa.Schema:
    import pyarrow as pa  # noqa: PLC0415 # as above

    place = pa.struct([("line", pa.int64()), ("column", pa.int64()), ("pointer", pa.string())])
    columns = {
        "file": pa.string(),
        "transcript": pa.int64(),
        "code": pa.string(),
        "messageIndex": pa.int64(),
        "path": pa.string(),
        "related": pa.list_(pa.string()),
        "message": pa.string(),
        "line": pa.int64(),
        "column": pa.int64(),
        "pointer": pa.string(),
        "relatedPlaces": pa.list_(place),
        "answers": pa.list_(pa.string()),
    }
    fields = [pa.field(name, type_, nullable=name == "column") for name, type_ in columns.items()]
    return pa.schema(fields, metadata={"message-ir": VERSION})
