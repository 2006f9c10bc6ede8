"""When a search ends: criteria that combine, and the looks at them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Final, NamedTuple, Protocol, Self, TypeAlias, cast

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.text_files import describe_value

LOOK_SECONDS: Final = 0.02
"""Longest time between two looks at a criterion."""

LOOK_SHARE: Final = 0.01
"""The same as a share of the time limit."""

FIRST_LOOK: Final = 200
"""Iterations before the first look, when the speed is not known yet."""

LOOK_ITERATIONS: Final = 5000
"""Iterations between two looks where no time limit counts."""


class Tally(NamedTuple):
    """What a search has done so far, or will have done in some seconds.

    ``idle`` counts iterations since the last look at which the best cost had
    fallen; ``best_cost`` is ``inf`` without a solution. ``ahead`` are the
    seconds of a forecast, ``None`` where all is done.
    """

    iterations: int = 0
    idle: int = 0
    best_cost: float = math.inf
    ahead: float | None = None

    def after(self, iterations: int, best_cost: float) -> Tally:
        """Return the tally some iterations later."""
        idle = 0 if best_cost < self.best_cost else self.idle + iterations
        best = min(best_cost, self.best_cost)
        return Tally(self.iterations + iterations, idle, best)


class Stop(Protocol):
    """A criterion that ends a search, and says how far it has come.

    It must be picklable, since the parts of a search may run on other
    machines, and it remembers nothing: the search counts.
    """

    def progress(self, tally: Tally) -> float:
        """Return the progress of the search; 1 ends it."""

    def left(self, tally: Tally) -> tuple[float, float]:
        """Return the seconds and the iterations left at least.

        They are ``inf`` where it sets no limit, as by default.
        """
        return math.inf, math.inf

    def part(self, step: float, share: float) -> Stop:
        """Return the criterion for a part of a search done side by side.

        By default it is the same.

        Parameters
        ----------
        step
            How much of the progress the part makes, in (0, 1].
        share
            Share of all iterations of that time that the part makes.
        """
        return self


AnyStop: TypeAlias = Stop | Callable[[int], bool]
"""What ``stop`` takes: a criterion, or a function of the best cost."""


class TimeLimit:
    """End some seconds after this object is made.

    Every stage polls its limit between steps, so that :meth:`expire` ends the
    run in good order, and measures progress by its clock :meth:`now`. It is
    for one run: another one that finds it over raises ``ParameterError``.

    Parameters
    ----------
    seconds
        Time from now, in seconds. ``None`` is never reached.
    clock
        Returns seconds. Default ``time.monotonic``; ``time.process_time``
        makes comparisons on a shared machine fair.
    """

    __slots__ = (
        *("_before", "_clock", "_end", "_is_in_use", "_is_zero", "_outer"),
        "_seconds",
    )

    def __init__(
        self,
        seconds: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        _outer: tuple[TimeLimit, ...] = (),
        _before: tuple[TimeLimit, ...] = (),
    ) -> None:
        if seconds is not None:
            require_number("seconds", seconds)
        self._clock = clock
        self._end = math.inf if seconds is None else clock() + seconds
        self._outer, self._before = _outer, _before
        self._is_in_use = False
        self._is_zero = seconds is not None and seconds <= 0.0
        self._seconds = self.remaining()

    def now(self) -> float:
        """Return the time of its clock, in seconds from anywhere."""
        return self._clock()

    def remaining(self) -> float:
        """Return the seconds left: ``inf`` without a limit, never < 0."""
        if any(each.is_called_off() for each in self._before):
            return 0.0
        left = [each.remaining() for each in self._outer]
        if self._end < math.inf:
            left.append(max(0.0, self._end - self._clock()))
        return min(left, default=math.inf)

    def passed(self) -> bool:
        """Whether the time is over."""
        return self.remaining() <= 0.0

    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return math.isfinite(self.remaining())

    def is_zero(self) -> bool:
        """Whether no time at all was asked for."""
        if not self._outer:
            return self._is_zero
        return any(each.is_zero() for each in self._outer)

    def within(self, seconds: float | None, *others: TimeLimit) -> TimeLimit:
        """Return what ends first: this, others, or ``seconds`` from now.

        It has the same clock. ``None`` is no further limit.
        """
        return TimeLimit(seconds, clock=self._clock, _outer=(self, *others))

    def beyond(self, seconds: float | None) -> TimeLimit:
        """Return a limit of ``seconds`` from now, whatever is left of this.

        If this one is called off, so is that one.
        """
        return TimeLimit(seconds, clock=self._clock, _before=(self,))

    def expire(self) -> None:
        """End now: work that polls this limit ends."""
        self._end = -math.inf

    def begin_run(self) -> None:
        """Refuse another run once the time is over."""
        is_late = self.passed() and not self.is_called_off()
        if is_late and self._is_in_use:
            raise ParameterError(
                f"stop: another run has used up this TimeLimit of "
                f"{self._seconds:.3g} s, which counts from when it is made: "
                f"make one for each run, or give time_limit instead."
            )
        self._is_in_use = True

    def is_called_off(self) -> bool:
        """Whether it has passed because :meth:`expire` was called."""
        if any(e.is_called_off() for e in (*self._outer, *self._before)):
            return True
        return self._end == -math.inf

    def progress(self, tally: Tally) -> float:
        """Return the share of the time that has passed."""
        left = self.remaining() - (tally.ahead or 0.0)
        if left <= 0.0:
            return 1.0
        return 1.0 - left / self._seconds if left < math.inf else 0.0

    def left(self, tally: Tally) -> tuple[float, float]:
        """Return the time left."""
        return self.remaining(), math.inf

    def part(self, step: float, share: float) -> TimeLimit:
        """Return a limit at a share of the whole time from now on."""
        return self.within(step * self._seconds)

    def __reduce__(self) -> tuple[object, tuple[float, object, float]]:
        """Pickle the time left: another machine has another clock."""
        return _restored, (self.remaining(), self._clock, self._seconds)


def _restored(
    left: float, clock: Callable[[], float], seconds: float
) -> TimeLimit:
    limit = TimeLimit(left, clock=clock)
    limit._seconds = seconds  # noqa: SLF001 - its progress goes on
    return limit


@dataclass(frozen=True)
class _Counted:
    """Ends at a number of iterations of some kind."""

    iterations: int

    def __post_init__(self) -> None:
        count: object = self.iterations
        if (
            isinstance(count, bool)
            or not isinstance(count, Integral)
            or int(count) < 0
        ):
            raise ParameterError(
                "iterations must be a whole number of at least 0, got "
                f"{describe_value(count)}."
            )

    def done(self, tally: Tally) -> int:
        raise NotImplementedError

    def progress(self, tally: Tally) -> float:
        if self.iterations == 0:
            return 1.0
        return self.done(tally) / self.iterations

    def left(self, tally: Tally) -> tuple[float, float]:
        return math.inf, self.iterations - self.done(tally)

    def part(self, step: float, share: float) -> Self:
        size = math.ceil(step * self.iterations * share)
        return replace(self, iterations=size)


class MaxIterations(_Counted):
    """End after a number of iterations.

    Parameters
    ----------
    iterations
        Number of iterations of each search of the improvement, at least 0.

    Raises
    ------
    ParameterError
        If it is negative or not a whole number.
    """

    def done(self, tally: Tally) -> int:
        """Return all iterations."""
        return tally.iterations


class NoImprovement(_Counted):
    """End after a number of iterations without an improvement.

    The temperature falls while nothing improves. After an improvement it stays
    until the same number of iterations has passed without another one.
    Iterations are counted between two checks, and an improvement counts as
    made at the later one. Each part of a search has a separate count.

    Parameters
    ----------
    iterations
        Number of iterations, at least 0.

    Raises
    ------
    ParameterError
        If it is negative or not a whole number.
    """

    def done(self, tally: Tally) -> int:
        """Return the idle iterations."""
        return tally.idle


@dataclass(frozen=True)
class TargetCost(Stop):
    """End when the best cost reaches a target.

    A run that does not reach it ends at its time limit, or at its end.

    Parameters
    ----------
    cost
        Best cost at which to stop, in the unit of ``Solution.cost``.

    Raises
    ------
    ParameterError
        If it is not a number.
    """

    cost: float

    def __post_init__(self) -> None:
        require_number("cost", self.cost)

    def progress(self, tally: Tally) -> float:
        """Return 1 if the target is reached, else 0."""
        return 1.0 if tally.best_cost <= self.cost else 0.0

    def part(self, step: float, share: float) -> TargetCost:
        """Return a target out of reach: no part knows the cost of all."""
        return TargetCost(-math.inf)


@dataclass(frozen=True)
class BoundGap(Stop):
    """End when the cost is proven to be near the optimum.

    For :func:`ncc_routing.solve` with ``bound_seconds``, alone or in
    ``first_of``. The lower bound is then computed before the search.

    Parameters
    ----------
    percent
        Largest gap to the lower bound, 100 (cost / bound - 1), at least 0.

    Raises
    ------
    ParameterError
        If it is negative or not finite; or, during a run, if no bound is
        computed.
    """

    percent: float

    def __post_init__(self) -> None:
        require_number("percent", self.percent)
        if not 0 <= self.percent < math.inf:
            raise ParameterError(
                "percent must be finite and at least 0, got "
                f"{describe_value(self.percent)}."
            )

    def above(self, lower_bound: float) -> TargetCost:
        """Return the cost at which it ends; none above a bound of 0."""
        if lower_bound <= 0.0:
            return TargetCost(-math.inf)
        return TargetCost(lower_bound * (1.0 + self.percent / 100.0))

    def progress(self, tally: Tally) -> float:
        """Raise ``ParameterError``: no bound is known."""
        raise ParameterError("BoundGap needs solve with bound_seconds.")


class FirstFeasible(Stop):
    """End at the first feasible solution."""

    def progress(self, tally: Tally) -> float:
        """Return 1 if a cost is known, else 0."""
        return 1.0 if tally.best_cost < math.inf else 0.0


@dataclass(frozen=True)
class FirstOf:
    """Ends as soon as one of several criteria is met."""

    criteria: tuple[Stop, ...]

    def progress(self, tally: Tally) -> float:
        """Return the progress of the one that has come farthest."""
        return max(one.progress(tally) for one in self.criteria)

    def left(self, tally: Tally) -> tuple[float, float]:
        """Return the least that is left."""
        left = [one.left(tally) for one in self.criteria]
        seconds, iterations = zip(*left, strict=True)
        return min(seconds), min(iterations)

    def part(self, step: float, share: float) -> Stop:
        """Return what is met with one of the parts."""
        return FirstOf(tuple(c.part(step, share) for c in self.criteria))


class Asked(Stop):
    """Ends when a function of the best cost says so; needs a limit beside it.

    The function is asked from look to look, not after each iteration, and of
    a part with the cost ``inf``: no part knows the cost of all. Once it has
    said yes it is not asked again.
    """

    def __init__(self, ask: Callable[[float], object]) -> None:
        self._ask = ask
        self._is_met = False

    def __repr__(self) -> str:
        """Return which function it asks."""
        return f"Asked({self._ask!r})"

    def progress(self, tally: Tally) -> float:
        """Return 1 where it says yes, else 0; a forecast is no question."""
        if tally.ahead is None and not self._is_met:
            self._is_met = bool(self._ask(tally.best_cost))
        return 1.0 if self._is_met else 0.0

    def part(self, step: float, share: float) -> Asked:
        """Return one for a part, which asks with the cost ``inf``."""
        return Asked(self._ask_without_cost)

    def _ask_without_cost(self, _: float) -> object:
        return self._ask(math.inf)


@dataclass(frozen=True)
class Restated(Stop):
    """A criterion of costs that a search counts otherwise.

    ``restate`` returns a cost of the criterion, given one of the search.
    """

    stop: Stop
    restate: Callable[[float], float]

    def progress(self, tally: Tally) -> float:
        """Return that of the criterion."""
        cost = self.restate(tally.best_cost)
        return self.stop.progress(tally._replace(best_cost=cost))

    def left(self, tally: Tally) -> tuple[float, float]:
        """Return what is left by the criterion."""
        return self.stop.left(tally)

    def part(self, step: float, share: float) -> Stop:
        """Return its part, which knows no cost of all."""
        return self.stop.part(step, share)


def require_number(name: str, value: object) -> None:
    """Refuse what is no number."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or value != value:
        raise ParameterError(
            f"{name} must be a number, got {describe_value(value)}."
        )


def stop_of(given: object) -> Stop:
    """Return a criterion, or that of a function of the best cost.

    What is neither raises ``ParameterError``, as do criteria that PyVRP
    defines: those count calls, and ``pyvrp.criteria`` knows what they mean.
    """
    home = type(given).__module__.partition(".")[0]
    is_class = isinstance(given, type)
    if not is_class and callable(getattr(given, "progress", None)):
        return cast("Stop", given)
    if not is_class and callable(given) and home != "pyvrp":
        return Asked(given)
    kind = given if isinstance(given, type) else type(given)
    raise ParameterError(
        "stop must be a criterion of ncc_routing or PyVRP, such as "
        "MaxIterations(1000), or a function of the best cost that says "
        f"whether to stop, got {kind.__name__}; for seconds, use time_limit."
    )


def first_of(first: AnyStop, *others: AnyStop) -> Stop:
    """Return a criterion that is met when any of the given ones is met.

    Parameters
    ----------
    first, others
        Criteria of this package or PyVRP's, or functions of the best cost.

    Raises
    ------
    ParameterError
        If one is none of these.
    """
    # What PyVRP's mean is known where a run begins: pyvrp.criteria.
    criteria = tuple(
        cast("Stop", each) if is_pyvrp(each) else stop_of(each)
        for each in (first, *others)
    )
    return FirstOf(criteria) if others else criteria[0]


def waits_for_bound(stop: object) -> bool:
    """Whether a criterion is ``BoundGap``, or has it in ``first_of``."""
    if isinstance(stop, FirstOf):
        return any(map(waits_for_bound, stop.criteria))
    return isinstance(stop, BoundGap)


def with_bound(stop: Stop, lower_bound: float) -> Stop:
    """Return a criterion that knows a lower bound."""
    if isinstance(stop, FirstOf):
        criteria = (with_bound(each, lower_bound) for each in stop.criteria)
        return FirstOf(tuple(criteria))
    return stop.above(lower_bound) if isinstance(stop, BoundGap) else stop


class Pace:
    """Counts for one search, and says when to look at its criterion.

    Its progress is that of ``stop``, but never falls. By default ``batch`` is
    what takes a fiftieth of a second, or 5,000 without a time limit, and the
    first look comes after ``first`` iterations.
    """

    def __init__(
        self,
        stop: Stop,
        batch: int | None = None,
        best_cost: float = math.inf,
        first: int = FIRST_LOOK,
    ) -> None:
        self._stop = stop
        self._batch = batch
        self._first = first
        self._tally = Tally(best_cost=best_cost)
        self._seconds, _ = stop.left(self._tally)
        self._progress = 0.0
        self.advance(0, best_cost)

    @property
    def progress(self) -> float:
        """Progress in [0, 1]; at 1 the search is over."""
        return self._progress

    def batches(
        self, best_cost: Callable[[], float]
    ) -> Iterator[tuple[int, float, float]]:
        """Yield the iterations between two looks, until the criterion is met.

        The further values are the progress before them and that expected after
        them. The caller does them before it asks for the next.
        """
        while self._progress < 1.0:
            begin = self._progress
            size, end = self.next_batch()
            yield size, begin, end
            self.advance(size, best_cost())

    def left(self) -> tuple[float, float]:
        """Return the seconds and the iterations left at least."""
        return self._stop.left(self._tally)

    def next_batch(self) -> tuple[int, float]:
        """Return how many iterations to do until the next look, at least 1.

        The second value is the progress expected then.
        """
        seconds, iterations = self.left()
        size, cost = self._batch or LOOK_ITERATIONS, 0.0
        if seconds < math.inf and self._batch is None:
            size, done = self._first, self._tally.iterations
            elapsed = self._seconds - seconds
            if done and elapsed > 0.0:
                cost = elapsed / done
                step = min(LOOK_SECONDS, LOOK_SHARE * self._seconds)
                size = int(min(step, seconds) / cost)
        size = max(1, int(min(size, iterations)))
        done, idle, best_cost, _ = self._tally
        forecast = Tally(done + size, idle + size, best_cost, size * cost)
        reached = self._stop.progress(forecast)
        return size, min(1.0, max(self._progress, reached))

    def advance(self, iterations: int, best_cost: float = math.inf) -> float:
        """Count iterations as done, and return the progress after them."""
        self._tally = self._tally.after(iterations, best_cost)
        reached = self._stop.progress(self._tally)
        self._progress = min(1.0, max(self._progress, reached))
        return self._progress
