"""Kernels made ready before a clock starts, on all cores."""

from __future__ import annotations

import gc
import heapq
import logging
import os
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Final

from ncc_routing.core.compilation import on_compilation
from ncc_routing.core.compiling import HAS_CACHE
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.methods import load
from ncc_routing.core.processes import call_in_child

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

START_SECONDS: Final = 1.0
"""Time that a process takes to start and to load numba."""

_PATIENCE: Final = 300.0
"""Seconds after which a helper is given up: this process then compiles."""

_ready: set[Hashable] = set()
_spent = [0.0]


@dataclass(frozen=True)
class KernelBuild:
    """Kernels that can be compiled beside those of the other parts.

    ``function`` is "module:function", its arguments are picklable; processor
    ``seconds`` only balance the processes.
    """

    function: str
    arguments: tuple[object, ...]
    seconds: float

    def build(self) -> None:
        """Compile the kernels, or load them from the cache."""
        load(self.function)(*self.arguments)


class _CompilationNeeded(BaseException):
    """Ends a trial run: there is something to compile."""


def make_ready(
    key: Hashable, run: Callable[[], object], parts: Iterable[KernelBuild]
) -> None:
    """Call a run on a tiny problem, so that all its kernels are ready.

    If kernels are missing from the cache, processes of their own first compile
    the parts, as numba compiles one kernel at a time in a process. The run
    compiles the rest, which also repairs an interrupted first run. It is made
    once per ``key`` and process.
    """
    if key in _ready:
        return
    begun = time.perf_counter()
    try:
        try:
            with on_compilation(_refuse):
                run()
        except _CompilationNeeded:
            with _without_garbage_collection():
                _build(list(parts))
                run()
        _ready.add(key)
    finally:
        _spent[0] += time.perf_counter() - begun


def seconds_spent() -> float:
    """Return the time that this process has spent on making ready."""
    return _spent[0]


def distribute(
    parts: Iterable[KernelBuild], num_shares: int
) -> list[list[KernelBuild]]:
    """Distribute parts over processes, the longest first.

    The first share, perhaps empty, is for this process; the others start
    later.
    """
    shares: list[list[KernelBuild]] = [[] for _ in range(num_shares)]
    ends = [(START_SECONDS * (k > 0), k) for k in range(num_shares)]
    for part in sorted(parts, key=lambda part: -part.seconds):
        end, k = heapq.heappop(ends)
        shares[k].append(part)
        heapq.heappush(ends, (end + part.seconds, k))
    return [shares[0], *(share for share in shares[1:] if share)]


def _refuse() -> None:
    raise _CompilationNeeded


def _build(parts: list[KernelBuild]) -> None:
    """Compile parts, in this process and in helpers."""
    # What a helper compiles comes back through the cache alone.
    shares = distribute(parts, num_cores() if _can_share() else 1)
    deadline = Deadline(_PATIENCE)
    helpers = [
        Thread(target=call_in_child, args=(_serve, share, deadline))
        for share in shares[1:]
    ]
    try:
        for helper in helpers:
            helper.start()
        for part in shares[0]:
            part.build()
        for helper in helpers:
            helper.join()
    finally:
        deadline.expire()


def num_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can_share() -> bool:
    return HAS_CACHE and bool(sys.executable)


def _serve(
    parts: list[KernelBuild], _seconds: float, _send: Callable[[object], None]
) -> None:
    """Compile parts: the side of the helper."""
    # The process that it helps has said that it compiles.
    logging.disable()
    gc.disable()
    for part in parts:
        part.build()


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Leave garbage where it is: numba makes much, a sixth of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
