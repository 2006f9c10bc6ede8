"""When a search ends: criteria that combine, and the looks at them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import (
    TYPE_CHECKING,
    Final,
    NamedTuple,
    Protocol,
    Self,
    TypeAlias,
    cast,
)

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.text_files import describe_value

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline

LOOK_SECONDS: Final = 0.02
"""Longest time between two looks at a criterion."""

LOOK_SHARE: Final = 0.01
"""The same as a share of the time limit."""

FIRST_LOOK: Final = 200
"""Iterations before the first look, when the speed is not known yet."""

LOOK_ITERATIONS: Final = 5000
"""Iterations between two looks where no time limit counts."""


class Tally(NamedTuple):
    """What a search has done so far.

    ``idle`` counts iterations since the last look at which the best cost had
    fallen; ``best_cost`` is ``inf`` without a solution.
    """

    iterations: int = 0
    idle: int = 0
    best_cost: float = math.inf

    def after(self, iterations: int, best_cost: float) -> Tally:
        """Return the tally some iterations later."""
        idle = 0 if best_cost < self.best_cost else self.idle + iterations
        best = min(best_cost, self.best_cost)
        return Tally(self.iterations + iterations, idle, best)


class Effort(NamedTuple):
    """An amount of work: seconds, and iterations."""

    seconds: float
    iterations: float


class Stop(Protocol):
    """A criterion that ends a search, and says how far it has come.

    It must be picklable, since the parts of a search may run on other
    machines, and it remembers nothing: the search counts.
    """

    def progress(self, tally: Tally, ahead: Effort = ...) -> float:
        """Return the progress of the search; 1 ends it.

        Parameters
        ----------
        tally
            What has been done.
        ahead
            Work to be done from now on, which is to count as done too.
        """

    def left(self, tally: Tally) -> Effort:
        """Return the work left at least; ``inf`` where it sets no limit."""

    def part(self, step: float, share: float) -> Stop:
        """Return the criterion for a part of a search done side by side.

        Parameters
        ----------
        step
            How much of the progress the part makes, in (0, 1].
        share
            Share of all iterations of that time that the part makes.
        """


AnyStop: TypeAlias = Stop | Callable[[int], bool]
"""What ``stop`` takes: a criterion, or a function of the best cost."""

NO_EFFORT: Final = Effort(0.0, 0)
"""Nothing is left to do."""


class TimeLimit:
    """Ends at a deadline; progress counts from when this is made.

    A deadline without a limit still ends the search when it is called off.
    """

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._seconds = deadline.remaining()

    def progress(self, tally: Tally, ahead: Effort = NO_EFFORT) -> float:
        """Return the share of the time that has passed."""
        left = self._deadline.remaining() - ahead.seconds
        if left <= 0.0:
            return 1.0
        return 1.0 - left / self._seconds if left < math.inf else 0.0

    def left(self, tally: Tally) -> Effort:
        """Return the time left."""
        return Effort(self._deadline.remaining(), math.inf)

    def part(self, step: float, share: float) -> TimeLimit:
        """Return a limit at a share of the whole time from now on."""
        return TimeLimit(self._deadline.within(step * self._seconds))


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
        """Return the iterations that count."""
        raise NotImplementedError

    def progress(self, tally: Tally, ahead: Effort = NO_EFFORT) -> float:
        """Return the share of the iterations that are done."""
        if self.iterations == 0:
            return 1.0
        return (self.done(tally) + ahead.iterations) / self.iterations

    def left(self, tally: Tally) -> Effort:
        """Return the iterations left."""
        return Effort(math.inf, self.iterations - self.done(tally))

    def part(self, step: float, share: float) -> Self:
        """Return the limit for a share, rounded up."""
        size = math.ceil(step * self.iterations * share)
        return replace(self, iterations=size)


class MaxIterations(_Counted):
    """End after a number of iterations.

    Parameters
    ----------
    iterations
        Number of iterations, at least 0.
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
    """

    def done(self, tally: Tally) -> int:
        """Return the idle iterations."""
        return tally.idle


class _Event:
    """A criterion that may never be met."""

    def left(self, tally: Tally) -> Effort:
        """Return no limit."""
        return Effort(math.inf, math.inf)


@dataclass(frozen=True)
class TargetCost(_Event):
    """End when the best cost reaches a target.

    A run that does not reach it ends at its time limit, or at its end.

    Parameters
    ----------
    cost
        Best cost at which to stop.
    """

    cost: float

    def __post_init__(self) -> None:
        cost: object = self.cost
        is_number = isinstance(cost, Real) and not isinstance(cost, bool)
        if not is_number or cost != cost:
            raise ParameterError(
                f"cost must be a number, got {describe_value(cost)}."
            )

    def progress(self, tally: Tally, ahead: Effort = NO_EFFORT) -> float:
        """Return 1 where the target is reached, else 0."""
        return 1.0 if tally.best_cost <= self.cost else 0.0

    def part(self, step: float, share: float) -> TargetCost:
        """Return a target out of reach: no part knows the cost of all."""
        return TargetCost(-math.inf)


class FirstFeasible(_Event):
    """End at the first feasible solution."""

    def progress(self, tally: Tally, ahead: Effort = NO_EFFORT) -> float:
        """Return 1 where a cost is known, else 0."""
        return 1.0 if tally.best_cost < math.inf else 0.0

    def part(self, step: float, share: float) -> FirstFeasible:
        """Return the same: the parts of a solution are feasible with it."""
        return self


@dataclass(frozen=True)
class _FirstOf:
    """Ends as soon as one of several criteria is met."""

    criteria: tuple[Stop, ...]

    def progress(self, tally: Tally, ahead: Effort = NO_EFFORT) -> float:
        return max(one.progress(tally, ahead) for one in self.criteria)

    def left(self, tally: Tally) -> Effort:
        left = [one.left(tally) for one in self.criteria]
        return Effort(
            min(one.seconds for one in left),
            min(one.iterations for one in left),
        )

    def part(self, step: float, share: float) -> Stop:
        return _FirstOf(tuple(c.part(step, share) for c in self.criteria))


class Asked(_Event):
    """Ends when a function of the best cost says so; needs a limit beside it.

    The function is asked from look to look, not after each iteration, and of
    a part with the cost ``inf``: no part knows the cost of all. Once it has
    said yes it is not asked again.
    """

    def __init__(self, ask: Callable[[float], object]) -> None:
        self._ask = ask
        self._is_met = False

    def progress(self, tally: Tally, ahead: Effort = NO_EFFORT) -> float:
        """Return 1 where it says yes, else 0; a guess is no question."""
        if ahead == NO_EFFORT and not self._is_met:
            self._is_met = bool(self._ask(tally.best_cost))
        return 1.0 if self._is_met else 0.0

    def part(self, step: float, share: float) -> Asked:
        """Return one that is told of no cost."""
        return Asked(self._ask_without_cost)

    def _ask_without_cost(self, _: float) -> object:
        return self._ask(math.inf)


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
        f"whether to stop, got {kind.__name__}; a number of seconds is the "
        "time_limit."
    )


def first_of(first: AnyStop, *others: AnyStop) -> Stop:
    """Return a criterion that is met when any of the given ones is met.

    Parameters
    ----------
    first, others
        Criteria of this package, or functions of the best cost.

    Raises
    ------
    ParameterError
        If one is neither, as PyVRP's: combine those with its
        ``MultipleCriteria``.
    """
    for each in (first, *others):
        if is_pyvrp(each):
            raise ParameterError(
                "first_of takes no criterion of PyVRP, got "
                f"{type(each).__name__}: PyVRP's MultipleCriteria combines "
                "those, and a number of seconds is the time_limit."
            )
    criteria = tuple(map(stop_of, (first, *others)))
    return _FirstOf(criteria) if others else criteria[0]


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
        self._seconds = stop.left(self._tally).seconds
        self._progress = 0.0
        self.advance(0, best_cost)

    @property
    def progress(self) -> float:
        """Progress in [0, 1]; at 1 the search is over."""
        return self._progress

    def next_batch(self) -> tuple[int, float]:
        """Return how many iterations to do until the next look, at least 1.

        The second value is the progress expected then.
        """
        left = self._stop.left(self._tally)
        size, cost = self._batch or LOOK_ITERATIONS, 0.0
        if left.seconds < math.inf and self._batch is None:
            size, done = self._first, self._tally.iterations
            elapsed = self._seconds - left.seconds
            if done and elapsed > 0.0:
                cost = elapsed / done
                step = min(LOOK_SECONDS, LOOK_SHARE * self._seconds)
                size = int(min(step, left.seconds) / cost)
        size = max(1, int(min(size, left.iterations)))
        ahead = Effort(size * cost, size)
        reached = self._stop.progress(self._tally, ahead)
        return size, min(1.0, max(self._progress, reached))

    def advance(self, iterations: int, best_cost: float = math.inf) -> float:
        """Count iterations as done, and return the progress after them."""
        self._tally = self._tally.after(iterations, best_cost)
        reached = self._stop.progress(self._tally)
        self._progress = min(1.0, max(self._progress, reached))
        return self._progress
