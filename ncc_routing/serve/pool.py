"""Processes that work on requests, and a queue before them."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import DeadProcessError
from ncc_routing.core.processes import Child

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

_MOST_CALLS: Final = 1000
"""Requests after which a process makes room for a new one."""


class BusyError(Exception):
    """All workers work, and the queue is full."""


class Pool:
    """Workers in processes that can be ended at any time.

    Parameters
    ----------
    workers
        Calls at a time.
    queue
        Calls that wait at most.
    first
        A call that each new process answers first, so that it has loaded what
        the next ones need.
    """

    def __init__(
        self, workers: int, queue: int, first: tuple[Callable[..., Any], ...]
    ) -> None:
        self._queue, self._first = queue, first
        self._threads = ThreadPoolExecutor(2 * workers)
        self._idle: deque[tuple[Child, int]] = deque()
        self._all: set[Child] = set()
        self._turn = asyncio.Semaphore(workers)
        self._workers = workers
        self._tasks: set[asyncio.Task[None]] = set()
        self.busy = self.waiting = 0
        self._is_open = True

    async def open(self) -> None:
        """Start the processes."""
        await asyncio.gather(*(self._renew() for _ in range(self._workers)))

    def close(self) -> None:
        """End the processes at once."""
        self._is_open = False
        for child in list(self._all):
            child.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def call(
        self, seconds: float, function: Callable[..., Any], *arguments: object
    ) -> Any:
        """Return ``function(*arguments)``, called in a process.

        The process ends where that takes longer than ``seconds``
        (``TimeoutError``) or this call is cancelled. ``BusyError`` is raised
        where too many wait, ``DeadProcessError`` if the process dies.
        """
        if self._turn.locked() and self.waiting >= self._queue:
            raise BusyError
        self.waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self.waiting -= 1
        self.busy += 1
        try:
            return await self._call(seconds, function, *arguments)
        finally:
            self.busy -= 1
            self._turn.release()

    async def _call(
        self, seconds: float, function: Callable[..., Any], *arguments: object
    ) -> Any:
        if not self._idle:
            await self._renew()
        child, calls = self._idle.popleft()
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(
            self._threads, child.call, function, *arguments
        )
        is_kept = False
        try:
            answer = await asyncio.wait_for(asyncio.shield(work), seconds)
            is_kept = calls + 1 < _MOST_CALLS
            return answer
        finally:
            if is_kept:
                self._idle.append((child, calls + 1))
            else:
                self._all.discard(child)
                child.end()
                work.add_done_callback(lambda done: done.exception())
                task = asyncio.create_task(self._renew())
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _renew(self) -> None:
        """Start a process and let it load what it needs."""
        if not self._is_open:
            return
        child = Child()
        self._all.add(child)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._threads, child.call, *self._first)
        except DeadProcessError as error:
            self._all.discard(child)
            logger.warning("%s", error)
            return
        self._idle.append((child, 0))
