"""A port as a process: started, asked, watched, and started again when it crashes, hangs or prints rubbish."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Any, Final, Self

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from message_ir.conformance.suite import Answer, Request
from message_ir.data import read_data
from message_ir_types.constants import VERSION

PROTOCOL: Final = 1

_SCHEMA: Final = json.loads(read_data("protocol.schema.json"))
_VALIDATORS: Final = {
    name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _SCHEMA["$defs"]})
    for name in ("startResponse", "runResponse")
}

# How many requests may be under way at once.
_WINDOW: Final = 32

# After so many processes lost in a row, with not one answer between, there is no use in starting another.
_LOSSES: Final = 10

# A longer line is cut, so that a port that never ends its line cannot fill the memory.
_LONGEST_LINE: Final = 16 * 1024 * 1024
_WAITING_LINES: Final = 1_000
_STDERR_LINES: Final = 20

# So many answered requests are remembered, to know one that is answered twice.
_REMEMBERED: Final = 10_000

# How many seconds a port may take to end once it is asked to.
_FAREWELL: Final = 3.0


class PortError(Exception):
    """The port is of no use: it does not start, does not introduce itself as the protocol says, or is lost again and again."""


class _LostError(Exception):
    """The process is of no more use; the message says why."""

    def __init__(self, why: str, handle: str | None = None) -> None:
        super().__init__(why)
        self.handle = handle
        """The request that is to blame, where that is certain."""


class PortProcess:
    """One port. As a context manager it is started, and in the end stopped."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._command = list(command)
        self._timeout = timeout
        self._process: _Process | None = None
        self._losses = 0
        self._under_way: dict[str, Request] = {}
        self._answered: OrderedDict[str, Request] = OrderedDict()  # a dict is slow at its front
        self.introduction: dict[str, Any] = {}
        self.complaint: str | None = None
        """What it said at its end that answers nothing."""

    def __enter__(self) -> Self:
        """Starts the port.

        Raises:
            PortError: it does not start, or does not introduce itself.
        """
        try:
            self._start()
        except BaseException:  # an interrupt among them: it must not go on alone
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Asks the port to stop, and ends it if it does not."""
        if self._process is not None:
            self._process.end(self._timeout)

    def ask(self, requests: Iterable[tuple[str, Request]]) -> Iterator[Answer]:
        """Asks everything, several requests at a time, and yields the answers as they come.

        When the process is lost, what was under way is asked again one by one, so that only what loses it is errored.
        A request that is answered twice has two answers.

        Args:
            requests: each with its handle; a handle is used once.

        Raises:
            PortError: the port is lost again and again.
        """
        waiting = iter(requests)
        suspects: deque[tuple[str, Request]] = deque()
        while True:
            try:
                while suspects:
                    yield from self._exchange(iter([suspects.popleft()]), window=1)
                yield from self._exchange(waiting, window=_WINDOW)
            except _LostError as lost:
                yield from self._blamed(lost, suspects)
                self._restart(lost)
            else:
                return

    def finish(self) -> Iterator[Answer]:
        """Asks the port to stop; what it repeats then is an errored answer, and what answers nothing its complaint."""
        assert self._process is not None, "it is started"
        unread, self._process = self._process.end(self._timeout), None
        for line in unread:
            try:
                lost = self._unasked(self._parsed(line, "runResponse")["handle"])
            except _LostError as error:
                lost = error
            if lost.handle is None:
                self.complaint = f"after the last answer {lost}"
            else:
                yield Answer(self._answered[lost.handle], "errored", detail=str(lost))

    def _exchange(self, requests: Iterator[tuple[str, Request]], window: int) -> Iterator[Answer]:
        assert self._process is not None, "it is started"
        while True:
            while len(self._under_way) < window and (following := next(requests, None)):
                handle, request = following
                self._under_way[handle] = request
                self._process.send(request.message(handle))
            if not self._under_way:
                return
            message = self._receive("runResponse")
            handle = message["handle"]
            if handle not in self._under_way:
                raise self._unasked(handle)
            request = self._answered[handle] = self._under_way.pop(handle)
            if len(self._answered) > _REMEMBERED:
                self._answered.popitem(last=False)
            self._losses = 0
            yield _answer(request, message)

    def _blamed(self, lost: _LostError, suspects: deque[tuple[str, Request]]) -> Iterator[Answer]:
        """Yields an errored answer where it is certain which request lost the process; the others are asked again."""
        handle = lost.handle
        if handle is None and len(self._under_way) == 1:
            handle = next(iter(self._under_way))
        if handle is not None:
            request = self._under_way.pop(handle, None) or self._answered[handle]
            yield Answer(request, "errored", detail=str(lost))
        elif not self._under_way:
            raise PortError(f"nothing was asked, and {lost}")
        suspects.extend(self._under_way.items())
        self._under_way.clear()

    def _unasked(self, handle: str) -> _LostError:
        if handle in self._answered:
            return _LostError("it answered twice", handle)
        return _LostError(f"it answered {handle!r}, which was not asked")

    def _start(self) -> None:
        try:
            self._process = _Process(self._command)
        except OSError as error:
            quoted = " (write the command without quotes around the whole of it)" if " " in self._command[0] else ""
            raise PortError(f"{self._command[0]} cannot be started: {error.strerror or error}{quoted}") from error
        try:
            self._process.send({"command": "start", "protocol": PROTOCOL, "contract": VERSION})
            self.introduction = self._receive("startResponse")
        except _LostError as lost:
            self._process.end(0)
            self._process = None
            raise PortError(f"it did not introduce itself: {lost}") from lost

    def _restart(self, lost: _LostError) -> None:
        if self._process is not None:
            self._process.end(0)
        self._losses += 1
        if self._losses >= _LOSSES:
            self._process = None
            raise PortError(f"it was started {_LOSSES} times and answered nothing: {lost}") from lost
        self._start()

    def _receive(self, schema: str) -> dict[str, Any]:
        assert self._process is not None, "it is started"
        return self._parsed(self._process.receive(self._timeout), schema)

    @staticmethod
    def _parsed(line: str, schema: str) -> dict[str, Any]:
        try:
            message: dict[str, Any] = json.loads(line)
        except (ValueError, RecursionError):
            raise _LostError(f"it printed what is not JSON: {line[:200].rstrip()!r}") from None
        if error := best_match(_VALIDATORS[schema].iter_errors(message)):
            where = "".join(f"/{step}" for step in error.absolute_path)
            raise _LostError(f"its answer is not of the protocol: {where} {error.message[:300]}")
        return message


class _Process:
    """A child process and the threads that keep its pipes moving, so that neither side can block the other."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child = subprocess.Popen(  # noqa: S603 # the command that the user names
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="backslashreplace",
            start_new_session=True,  # so that what a wrapper starts can be ended with it
        )
        self._over = threading.Event()
        self._requests: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING_LINES)
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._threads = [
            threading.Thread(target=self._write, daemon=True),
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read, args=(self._child.stderr, self._stderr.append), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, message: dict[str, Any]) -> None:
        """Sends a line, without waiting for the child to read it."""
        self._requests.put(json.dumps(message) + "\n")

    def receive(self, timeout: float) -> str:
        """Returns the next line.

        Raises:
            _LostError: there is none within the timeout, or there will never be one.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise _LostError(f"it did not answer within {timeout:g} seconds") from None
        if line is None:
            raise _LostError(self._last_words())
        return line

    def end(self, timeout: float) -> list[str]:
        """Asks the child to stop, kills it if it does not within the timeout, and returns the lines that were not read."""
        self.send({"command": "stop"})
        self._requests.put(None)
        unread: list[str] = []
        over = time.monotonic() + min(timeout, _FAREWELL)
        try:
            while len(unread) < _WAITING_LINES and (line := self._lines.get(timeout=max(0, over - time.monotonic()))):
                unread.append(line)
            self._child.wait(timeout=max(0, over - time.monotonic()))
        except (queue.Empty, subprocess.TimeoutExpired):
            pass
        self._over.set()
        self._kill()
        self._child.wait()
        for thread in self._threads:
            thread.join(timeout=1)  # a grandchild may hold a pipe open
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream is not None and not any(thread.is_alive() for thread in self._threads):
                _close(stream)
        return unread

    def _kill(self) -> None:
        """Ends the child, and where the system has process groups, what it has started."""
        if hasattr(os, "killpg"):
            with suppress(OSError):  # it is gone already
                os.killpg(self._child.pid, signal.SIGKILL)
        self._child.kill()

    def _last_words(self) -> str:
        try:
            end = f"it ended with exit code {self._child.wait(timeout=1)}"
        except subprocess.TimeoutExpired:
            end = "it closed its output"
        self._threads[-1].join(timeout=1)
        said = "".join(self._stderr).strip()
        return f"{end}: {said[-500:]}" if said else end

    def _write(self) -> None:
        stdin = self._child.stdin
        assert stdin is not None, "it was started with a pipe"
        try:
            while (line := self._requests.get()) is not None:
                stdin.write(line)
                stdin.flush()
            stdin.close()
        except (OSError, ValueError):  # the child is gone; whoever waits for its answer is told
            pass

    def _read_answers(self) -> None:
        assert self._child.stdout is not None, "it was started with a pipe"
        self._read(self._child.stdout, self._put)
        self._put(None)

    def _read(self, stream: IO[str], take: Callable[[str], object]) -> None:
        with suppress(OSError, ValueError):  # it was closed meanwhile
            while line := stream.readline(_LONGEST_LINE):
                take(line)

    def _put(self, line: str | None) -> None:
        while not self._over.is_set():
            try:
                self._lines.put(line, timeout=0.1)
            except queue.Full:
                continue
            return


def _close(stream: IO[str]) -> None:
    with suppress(OSError):  # what was buffered for a child that is gone
        stream.close()


def _answer(request: Request, message: dict[str, Any]) -> Answer:
    if "undelivered" in message:
        if not request.hosts:
            return Answer(request, "errored", detail="it said undelivered, but nothing in the input is a host value")
        return Answer(request, "undelivered", detail=message["undelivered"])
    if "errored" in message:
        return Answer(request, "errored", detail=message["errored"])
    return Answer(request, "passed", got=message["result"])
