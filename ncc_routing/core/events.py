"""What a run tells while it works: its stages and its best cost so far."""

from __future__ import annotations

import logging
import math
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ncc_routing.core.stopping import Stop, Tally, TimeLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """Progress of a run.

    Parameters
    ----------
    stage
        Its stage: "start", "cluster", "route", "fleet", "search", "polish",
        "bound", or the name of a method.
    seconds
        Seconds since its start.
    cost
        The best cost so far; ``None`` before the first solution.
    iterations
        Iterations of this stage so far; 0 if it counts none.
    unserved
        Required customers whom the best solution leaves out. Default 0.
    """

    stage: str
    seconds: float
    cost: float | None = None
    iterations: int = 0
    unserved: int = 0


class Callbacks:
    """Methods that a run calls; by default they do nothing.

    Override those that you need. The thread that called ``solve`` or
    ``cluster`` calls them between two steps of the search, so their time
    counts. An exception that they raise ends the run.
    """

    def on_start(self, problem: Any, params: Any) -> None:
        """Run at the start.

        Parameters
        ----------
        problem
            The instance, or the points.
        params
            ``SolveParams`` or ``ClusterParams``.
        """

    def on_progress(self, progress: Progress) -> None:
        """Run at each stage, and several times a second."""

    def on_best(self, progress: Progress) -> None:
        """Run at each new best solution."""

    def on_end(self, result: Any) -> None:
        """Run at the end.

        Parameters
        ----------
        result
            The result that the run returns.
        """


@dataclass(frozen=True)
class TracePoint:
    """A best cost, its stage, and the second of the run that found it."""

    seconds: float
    stage: str
    cost: float


class Monitor:
    """Tells the callbacks of a run what happens, and keeps the trace."""

    def __init__(
        self, clock: TimeLimit, callbacks: tuple[Callbacks, ...] = ()
    ) -> None:
        self._now = clock.now
        self._start = clock.now()
        self._callbacks = callbacks
        self._stage = ""
        self._iterations = 0
        self._counted = 0
        self.trace: list[TracePoint] = []
        self.restart(lambda cost: (0, cost))

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return self._now() - self._start

    @property
    def cost(self) -> float:
        """The best cost so far, infinite where it leaves somebody out."""
        if math.isinf(self._cost):
            return math.inf
        num_absent, cost = self._split(self._cost)
        return math.inf if num_absent else cost

    def begin(self, problem: object, params: object) -> None:
        """Announce the run."""
        for one in self._callbacks:
            one.on_start(problem, params)

    def restart(self, split: Callable[[float], tuple[int, float]]) -> None:
        """Compare no cost with those before.

        ``split`` returns how many a best cost leaves out, and the cost without
        them.
        """
        self._split, self._cost = split, math.inf

    def end(self, result: object) -> None:
        """Announce what the run returns."""
        for one in self._callbacks:
            one.on_end(result)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Announce a stage, for the time of a block."""
        self._stage = name
        self._iterations = self._counted = 0
        begin = self.seconds
        self._tell()
        yield
        took = self.seconds - begin
        if math.isfinite(self._cost):
            _, cost = self._split(self._cost)
            _logger.info("%s: %.2f s, cost %.10g", name, took, cost)
        else:
            _logger.info("%s: %.2f s", name, took)

    def note(self, cost: float, iterations: int = 0) -> None:
        """Take the best cost after iterations; fewer mean a new search."""
        step = iterations - self._counted
        self._iterations += step if step >= 0 else iterations
        self._counted = iterations
        if cost < self._cost:
            self._cost = cost
            unserved, told = self._split(cost)
            if unserved == 0:
                point = TracePoint(self.seconds, self._stage, told)
                self.trace.append(point)
            for one in self._callbacks:
                one.on_best(self._progress())
        self._tell()

    def watched(self, stop: Stop | None = None, unit: float = 1.0) -> Stop:
        """Return a criterion that reports here; ``None`` never ends.

        A cost of the search times ``unit`` is one of the run.
        """
        return _Watched(self, stop or TimeLimit(), unit)

    def _tell(self) -> None:
        for one in self._callbacks:
            one.on_progress(self._progress())

    def _progress(self) -> Progress:
        known = math.isfinite(self._cost)
        unserved, cost = self._split(self._cost) if known else (0, None)
        return Progress(
            *(self._stage, self.seconds, cost, self._iterations, unserved)
        )


class _Watched:
    """Passes a criterion on, and the tallies to a monitor."""

    def __init__(self, monitor: Monitor, stop: Stop, unit: float) -> None:
        self._monitor = monitor
        self._stop = stop
        self._unit = unit

    def progress(self, tally: Tally) -> float:
        tally = tally._replace(best_cost=self._unit * tally.best_cost)
        if tally.ahead is None:
            self._monitor.note(tally.best_cost, tally.iterations)
        return self._stop.progress(tally)

    def left(self, tally: Tally) -> tuple[float, float]:
        return self._stop.left(tally)

    def part(self, step: float, share: float) -> Stop:
        """Return the part of the criterion, which is not watched.

        It may run on another thread or machine, with a part of the solution.
        """
        return self._stop.part(step, share)
