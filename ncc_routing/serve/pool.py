"""Processes that work on requests, and a queue before them."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ncc_routing.core.exceptions import DeadProcessError
from ncc_routing.core.processes import Child

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

_MOST_CALLS: Final = 1000
"""Requests after which a process makes room for a new one."""


class BusyError(Exception):
    """All workers work, and the queue is full."""


def told(error: BaseException) -> str:
    """Return what a client is told of a call that has raised an error."""
    if isinstance(error, BusyError):
        return "all workers are busy; try again later."
    if isinstance(error, TimeoutError):
        return "the work exceeded its time limit and was stopped."
    if isinstance(error, DeadProcessError):
        return str(error)
    return f"internal error: {type(error).__name__}: {error}"


class Answer(NamedTuple):
    """What a call returned, and the seconds that it waited for a process."""

    value: Any
    waited: float


class Pool:
    """Workers in processes that can be ended at any time.

    Parameters
    ----------
    workers
        Calls at a time.
    queue
        Calls that wait at most.
    first
        What each new process calls first, so that it has loaded what the next
        ones need.
    """

    def __init__(
        self, workers: int, queue: int, first: Callable[[], object]
    ) -> None:
        self._workers, self._most_waiting = workers, queue
        self._first = first
        # A process that is ended keeps its thread for a moment.
        self._threads = ThreadPoolExecutor(2 * workers)
        self._idle: asyncio.Queue[tuple[Child, int]] = asyncio.Queue()
        self._all: set[Child] = set()
        self._starts: set[asyncio.Task[None]] = set()
        self._is_open = True
        self.busy = self.waiting = 0

    async def open(self) -> None:
        """Start the processes."""
        await asyncio.gather(*(self._start() for _ in range(self._workers)))

    def close(self) -> None:
        """End the processes at once."""
        self._is_open = False
        for start in self._starts:
            start.cancel()
        for child in list(self._all):
            child.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def call(
        self, seconds: float, function: Callable[..., Any], *arguments: object
    ) -> Answer:
        """Return ``function(*arguments)``, called in a process.

        The process ends where that takes longer than ``seconds``
        (``TimeoutError``) or this call is cancelled. ``BusyError`` is raised
        where too many wait, ``DeadProcessError`` if the process dies.
        """
        if self._idle.empty() and self.waiting >= self._most_waiting:
            raise BusyError
        begin = time.monotonic()
        self.waiting += 1
        try:
            child, calls = await self._idle.get()
        finally:
            self.waiting -= 1
        waited, is_kept = 0.0, False
        self.busy += 1
        try:
            if not child.is_alive:
                self._all.discard(child)
                child, calls = await self._new(), 0
            waited = time.monotonic() - begin
            work = self._in_thread(child.call, function, *arguments)
            value = await asyncio.wait_for(work, seconds)
            is_kept = calls + 1 < _MOST_CALLS
            return Answer(value, waited)
        finally:
            self.busy -= 1
            if is_kept:
                self._idle.put_nowait((child, calls + 1))
            else:
                child.end()
                self._all.discard(child)
                if self._is_open:
                    start = asyncio.create_task(self._start())
                    self._starts.add(start)
                    start.add_done_callback(self._starts.discard)

    def _in_thread(
        self, function: Callable[..., Any], *arguments: object
    ) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._threads, function, *arguments)

    async def _start(self) -> None:
        """Add a process to the idle ones."""
        self._idle.put_nowait((await self._new(), 0))

    async def _new(self) -> Child:
        """Return a process that has loaded what it needs."""
        child = Child()
        self._all.add(child)
        try:
            await self._in_thread(child.call, self._first)
        # Its next call says so, and is its last one.
        except DeadProcessError as error:
            logger.warning("%s", error)
        except asyncio.CancelledError:
            child.end()
            self._all.discard(child)
            raise
        return child
