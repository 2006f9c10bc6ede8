"""When work ends: a time limit and a criterion, as one thing."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.stopping import (
    MaxIterations,
    Stop,
    Tally,
    TimeLimit,
    first_of,
    stop_of,
)


@dataclass(frozen=True)
class Budget:
    """What work may take: it ends at a time limit, or by a criterion before.

    Parameters
    ----------
    time_limit
        When to stop. Default: never.
    stop
        A criterion, such as ``MaxIterations(1000)``. Default: none.
    """

    time_limit: TimeLimit = field(default_factory=TimeLimit)
    stop: Stop | None = None

    @classmethod
    def of(
        cls, seconds: float | None = None, iterations: int | None = None
    ) -> Budget:
        """Return seconds from now, iterations, or what ends first of both."""
        stop = None if iterations is None else MaxIterations(iterations)
        return cls(TimeLimit(seconds), stop)

    @property
    def is_timed(self) -> bool:
        """Whether it limits the time."""
        return self.time_limit.is_limited()

    @property
    def counts_iterations(self) -> bool:
        """Whether it limits the iterations of a search."""
        return self.max_iterations < math.inf

    @property
    def max_iterations(self) -> float:
        """Iterations of a search at most, ``inf`` without a limit."""
        stop = self.stop
        return math.inf if stop is None else stop.left(Tally())[1]

    @property
    def is_limited(self) -> bool:
        """Whether it limits the time or the iterations."""
        return self.is_timed or self.counts_iterations

    def remaining(self) -> float:
        """Return the seconds left: ``inf`` without a limit, never < 0."""
        return self.time_limit.remaining()

    def is_met(self, best_cost: float) -> bool:
        """Whether the criterion ends the work before a search has begun."""
        tally = Tally(best_cost=best_cost)
        return self.stop is not None and self.stop.progress(tally) >= 1.0

    def is_spent(self, best_cost: float) -> bool:
        """Whether the time limit has passed, or the criterion is met."""
        return self.time_limit.passed() or self.is_met(best_cost)

    def criterion(self, what: str) -> Stop:
        """Return both limits as one criterion, whose progress begins now.

        ``ParameterError``, which names ``what`` needs it, is raised where
        neither the time nor the iterations are limited.
        """
        whole: Stop = self.time_limit.within(None)
        if self.stop is not None:
            whole = first_of(whole, stop_of(self.stop))
        if min(whole.left(Tally())) == math.inf:
            raise ParameterError(
                f"{what} needs a time limit or a number of iterations."
            )
        return whole

    def within(self, seconds: float | None) -> Budget:
        """Return what ends ``seconds`` from now at the latest."""
        return replace(self, time_limit=self.time_limit.within(seconds))

    def or_within(self, default: float | None) -> Budget:
        """Return it, or where it has no limit ``default`` seconds from now."""
        return self if self.is_limited else self.within(default)

    def until(self, stop: Stop) -> Budget:
        """Return what ends by another criterion too."""
        both = stop if self.stop is None else first_of(self.stop, stop)
        return replace(self, stop=both)

    def after(self, share: float) -> Budget:
        """Return what is left of it when a share of it is used."""
        if share == 0.0 or self.stop is None or not self.counts_iterations:
            return self
        return self.until(self.stop.part(1.0 - share, 1.0))
