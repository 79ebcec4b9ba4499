"""What `message-ir check` reads: files, standard input and folders, compressed or not, as blocks of bytes."""

from __future__ import annotations

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

STDIN: Final = "-"

_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".traj")

# Of text that hardly compresses, so much of it is read at once; a kilobyte of zstd can hold megabytes.
_GZIP_INPUT: Final = 1 << 16
_ZSTD_INPUT: Final = 1 << 10

# In so many bytes the end of a line is looked for.
_LOOK: Final = 1 << 14

_CUT_OFF: Final = "its compressed data is cut off after {:,} bytes"


class Entry(NamedTuple):
    """One file to check."""

    path: str
    """`-` for standard input."""
    folder: str | None = None
    """The folder in whose walk it was found, as it was named; None for a file that was named itself."""

    @property
    def name(self) -> str:
        """What reports call it."""
        return "standard input" if self.path == STDIN else self.path


class CannotReadError(Exception):
    """A file or folder cannot be read; the message says why, as the end of a sentence."""


class Input:
    """A file in the course of being read, decompressed if need be.

    Attributes:
        inner_name: the file's name without a suffix of compression, which tells what is in it.
        is_plain: whether it is a file whose bytes can be read again by others, as they are.
        size: how many bytes a plain file had when it was opened.
        is_live: whether it may come piece by piece, as someone writes it.
        consumed: how many bytes of it were read, compressed ones if it is compressed.
        problem: why it could not be read to its end; None as long as it could.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        codec = _codec(file.peek(4)[:4] if hasattr(file, "peek") else b"", name)
        status = os.fstat(file.fileno())
        is_regular = stat.S_ISREG(status.st_mode)
        self._codec = codec
        self.inner_name = name[: -len(codec.suffix)] if codec and name.lower().endswith(codec.suffix) else name
        self.size = status.st_size
        # What a system makes as it is read looks like an empty file.
        self.is_plain = is_regular and self.size > 0 and codec is None and name != STDIN
        self.is_live = not is_regular and codec is None
        self.consumed = 0
        self.problem: str | None = None

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yields its bytes, none of the blocks much larger than `size`; ends early where it has a problem."""
        try:
            if self._codec is None:
                while block := self._read(size):
                    yield block
            else:
                yield from self._codec.decompressed(self._read, size)
                # Data that is not even begun is cut off, too.
                self.problem = None if self.consumed else _CUT_OFF.format(0)
        except EOFError:
            self.problem = _CUT_OFF.format(self.consumed)
        except _Corrupt as error:
            self.problem = f"its compressed data is damaged ({error})"
        except zlib.error as error:
            self.problem = f"its compressed data is damaged ({str(error).partition(': ')[2] or error})"
        except OSError as error:
            self.problem = why(error)
        except CannotReadError as error:
            self.problem = str(error)

    def line_end(self, offset: int) -> int:
        """Where a line ends that goes on at a byte of a plain file; at the latest, where the file ended when it was opened.

        Raises:
            OSError: it cannot be read.
        """
        self._file.seek(offset)
        while offset < self.size and (block := self._file.read(_LOOK)):
            if end := block.find(b"\n") + 1:
                return offset + end
            offset += len(block)
        return self.size

    def part(self, offset: int, length: int) -> bytes:
        """A part of a plain file.

        Raises:
            OSError: it cannot be read.
            CannotReadError: there is less than there was.
        """
        return part(self._file, offset, length)

    def _read(self, size: int) -> bytes:
        # What is there, without waiting for more.
        data = self._file.read1(size)  # type: ignore[attr-defined] # buffered, as opened here
        self.consumed += len(data)
        return bytes(data)


def part(file: BinaryIO, offset: int, length: int) -> bytes:
    """A part of an open file.

    Raises:
        OSError: it cannot be read.
        CannotReadError: there is less than there was.
    """
    file.seek(offset)
    text = file.read(length)
    if len(text) < length:
        raise CannotReadError("it became shorter while it was read")
    return text


class _Corrupt(Exception):  # noqa: N818 # never leaves this module
    """Compressed data is damaged."""


class _Codec(NamedTuple):
    suffix: str
    magic: bytes
    decompressed: Callable[[Callable[[int], bytes], int], Iterator[bytes]]


class _Raw:
    """The little of a binary file that gzip needs."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read

    def read(self, size: int = -1) -> bytes:
        return self._read(size if 0 <= size < _GZIP_INPUT else _GZIP_INPUT)


def _gunzipped(read: Callable[[int], bytes], size: int) -> Iterator[bytes]:
    try:
        with gzip.GzipFile(fileobj=_Raw(read), mode="rb") as file:  # type: ignore[call-overload] # reads only
            while block := file.read1(size):
                yield block
    except gzip.BadGzipFile as error:
        raise _Corrupt(str(error)) from error


def _unzstd(read: Callable[[int], bytes], size: int) -> Iterator[bytes]:  # noqa: ARG001 # of the interface; frames say theirs
    try:
        import zstandard  # noqa: PLC0415 # optional
    except ModuleNotFoundError:
        raise CannotReadError("zstandard is not installed; run: pip install 'message-ir[cli]'") from None
    frame = None
    try:
        while data := read(_ZSTD_INPUT):
            while data:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                if block := frame.decompress(data):
                    yield block
                data = frame.unused_data if frame.eof else b""
                frame = None if frame.eof else frame
    except zstandard.ZstdError as error:
        raise _Corrupt(str(error)) from error
    if frame is not None:
        raise EOFError


_CODECS: Final = (
    _Codec(".gz", b"\x1f\x8b", _gunzipped),
    _Codec(".zst", b"\x28\xb5\x2f\xfd", _unzstd),
)


def _codec(beginning: bytes, name: str) -> _Codec | None:
    """The compression of a file, by what it begins with, and otherwise by its name."""
    by_magic = (codec for codec in _CODECS if beginning.startswith(codec.magic))
    by_name = (codec for codec in _CODECS if name.lower().endswith(codec.suffix))
    return next(by_magic, None) or next(by_name, None)


@contextmanager
def opened(entry: Entry) -> Iterator[Input]:
    """Opens a file for the time of a block.

    Raises:
        OSError: it cannot be opened.
        CannotReadError: standard input is closed.
    """
    if entry.path != STDIN:
        with Path(entry.path).open("rb") as file:
            yield Input(file, entry.path)
    elif sys.stdin is None:
        raise CannotReadError("it is closed")
    else:
        yield Input(sys.stdin.buffer, STDIN)


def walked(path: str) -> Iterator[Entry]:
    """Yields the files to check for one path: itself, or those in a folder and below, by name.

    Hidden files and folders are left out, and links to folders are not followed.

    Raises:
        OSError: a folder cannot be read.
        CannotReadError: there is no file to check in a folder.
    """
    if path == STDIN or not Path(path).is_dir():
        yield Entry(path)
        return
    is_empty = True
    for folder, folders, names in os.walk(path, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = os.path.join(folder, name)  # noqa: PTH118 # a Path would change how the folder is written
            if not name.startswith(".") and name.lower().endswith(_WALKED) and Path(file).is_file():
                is_empty = False
                yield Entry(file, path)
    if is_empty:
        wanted = ", ".join(f"*{suffix}" for suffix in _SUFFIXES)
        compressed = " and ".join(codec.suffix for codec in _CODECS)
        raise CannotReadError(f"no file in it or below is one of {wanted}, or of these with {compressed}")


_WALKED: Final = tuple(
    suffix + compressed for suffix in _SUFFIXES for compressed in ("", *(codec.suffix for codec in _CODECS))
)


def _raise(error: OSError) -> None:
    raise error


def total_bytes(entries: list[Entry]) -> int | None:
    """How much there is to read; None where that cannot be known beforehand."""
    total = 0
    for entry in entries:
        try:
            status = os.fstat(sys.stdin.fileno()) if entry.path == STDIN else Path(entry.path).stat()
        except (OSError, AttributeError):
            # What cannot be opened is reported when its turn comes.
            continue
        if not stat.S_ISREG(status.st_mode):
            return None
        total += status.st_size
    return total


def why(error: Exception) -> str:
    """Why something could not be read or written, as the end of a sentence."""
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else str(error)
