"""Does work in several processes, with the answers in order; knows nothing of what the work is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Final, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# So many tasks for each process are on their way, so that none waits for work while the oldest one takes its time.
_IN_FLIGHT: Final = 3

# So often a waiting caller hears that time passes.
_TICK: Final = 0.2

_LOST: Final = (
    "a process that did part of the work was killed, perhaps for want of memory, so that the report is not complete; "
    "with fewer --jobs, less memory is needed"
)


class LostWorkerError(Exception):
    """A process that did part of the work is gone."""


def in_order(
    tasks: Iterable[Task],
    work: Callable[[Task], Answer],
    jobs: int,
    *,
    tick: Callable[[], object] = lambda: None,
) -> Generator[Answer]:
    """Yields the answer to each task, in their order, taking tasks only as far as they can soon be done.

    Args:
        tasks: what is to be done; they can be pickled.
        work: does it, in another process. Its answer can be pickled, and is small: of a large one, a process that is killed may
            leave half behind, for the end of which everyone else would wait.
        jobs: in how many processes.
        tick: is called now and then where nothing else happens.

    Raises:
        LostWorkerError: a process ended of itself or was killed.
        OSError: the work raised it.
    """
    left = iter(tasks)
    pending: deque[Future[Answer]] = deque()
    with _pool(jobs) as pool:
        while True:
            pending.extend(_submitted(pool, work, task) for task in islice(left, jobs * _IN_FLIGHT - len(pending)))
            if not pending:
                return
            yield _awaited(pending.popleft(), tick)


def batches(tasks: Iterable[Task], weight: Callable[[Task], int], most: int) -> Iterator[list[Task]]:
    """Puts tasks together until they weigh enough."""
    held: list[Task] = []
    weighed = 0
    for task in tasks:
        held.append(task)
        weighed += weight(task)
        if weighed >= most:
            yield held
            held, weighed = [], 0
    if held:
        yield held


def _submitted(pool: ProcessPoolExecutor, work: Callable[[Task], Answer], task: Task) -> Future[Answer]:
    try:
        return pool.submit(work, task)
    except OSError as error:
        raise LostWorkerError(f"processes cannot be started: {error.strerror}; do without --jobs") from error
    except BrokenProcessPool:
        raise LostWorkerError(_LOST) from None


def _awaited(future: Future[Answer], tick: Callable[[], object]) -> Answer:
    while True:
        try:
            return future.result(timeout=_TICK)
        except TimeoutError:
            if future.done():
                return future.result()
            tick()
        except BrokenProcessPool:
            raise LostWorkerError(_LOST) from None


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    # Forked processes begin at once. No thread runs here yet, so that nothing can be lost in them.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        # Nobody waits for what is still being done.
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _begin() -> None:
    """Makes a process end with its parent, and only then: an interrupt is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
