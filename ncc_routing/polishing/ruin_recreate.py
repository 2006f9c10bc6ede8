"""Ruin and recreate: slack induction by string removals, annealed."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ncc_routing.deadline import Deadline
from ncc_routing.exceptions import ParameterError
from ncc_routing.polishing import _layout

if TYPE_CHECKING:
    from ncc_routing.instance import Instance
    from ncc_routing.solution import Solution

CHUNK_SECONDS: Final = 0.05
"""Longest time between two looks at the clock."""

CHUNK_SHARE: Final = 0.01
"""The same as a share of the time limit."""

FIRST_CHUNK: Final = 200
"""Iterations before the speed is known."""

FIXED_CHUNK: Final = 5000
"""Iterations of a call of the kernel where no time limit counts."""

SECONDS_PER_CUSTOMER: Final = 3e-6
"""Time that reading the routes out at the end takes, generously."""


@dataclass(frozen=True)
class RuinRecreateParams:
    """Parameters of the search; the defaults come from generated instances.

    Parameters
    ----------
    degree
        Neighbours that an insertion looks at. Default 100.
    num_candidates
        Neighbours, the nearest in routes with room, next to which it tries
        the customer. Default 8.
    mean_removed
        Customers that a ruin removes, on average. Default 9.
    max_string
        Most customers that a ruin removes from one route. Default 7.
    split
        Probability that a customer inside the string stays. Default 0.3.
    blink
        Probability that an insertion overlooks a position. Default 0.01.
    start_temperature, end_temperature
        Temperatures of the annealing in units of the mean length of an
        edge of the start. Defaults 0.7 and 0.01.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    degree: int = 100
    num_candidates: int = 8
    mean_removed: float = 9.0
    max_string: int = 7
    split: float = 0.3
    blink: float = 0.01
    start_temperature: float = 0.7
    end_temperature: float = 0.01

    def __post_init__(self) -> None:
        for name in (
            "degree",
            "num_candidates",
            "mean_removed",
            "max_string",
        ):
            if not getattr(self, name) >= 1:
                raise ParameterError(
                    f"{name} must be at least 1, got {getattr(self, name)}."
                )
        for name in ("split", "blink"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ParameterError(
                    f"{name} must lie in [0, 1), got {getattr(self, name)}."
                )
        if not 0.0 < self.end_temperature <= self.start_temperature:
            raise ParameterError(
                "the temperatures must be positive and not rise, got "
                f"{self.start_temperature} and {self.end_temperature}."
            )

    @property
    def most_removed(self) -> int:
        """Customers that a ruin removes at most."""
        return math.ceil(4.0 * self.mean_removed) + self.max_string + 1


def ruin_and_recreate(
    instance: Instance,
    solution: Solution,
    *,
    deadline: Deadline | None = None,
    max_iterations: int | None = None,
    seed: int = 1,
    params: RuinRecreateParams | None = None,
) -> Solution:
    """Improve a feasible solution by ruin and recreate.

    Each iteration removes strings of customers from a few neighbouring
    routes, and inserts them again one by one where they cost least. The
    annealing fills the time up to the deadline, at whatever speed the
    machine has.

    Parameters
    ----------
    instance
        The instance. A matrix need not be symmetric.
    solution
        A feasible solution to start from.
    deadline
        When to stop.
    max_iterations
        Iterations at most. With such a limit and no deadline the same seed
        gives the same answer.
    seed
        Seed of the search, at least 0.
    params
        Sizes and temperatures; the defaults of ``RuinRecreateParams`` if
        missing.

    Returns
    -------
    Solution
        A feasible solution, never worse than ``solution``.

    Raises
    ------
    ParameterError
        If neither the time nor the iterations are limited.

    References
    ----------
    J. Christiaens, G. Vanden Berghe (2020). Slack induction by string
    removals for vehicle routing problems. Transportation Science 54(2).
    """
    search = RuinRecreateSearch(instance, solution, seed=seed, params=params)
    search.run(deadline or Deadline(), max_iterations)
    return search.best()


class RuinRecreateSearch:
    """A search that keeps its state between runs.

    The best solution can be read at any time, also after an exception left
    :meth:`run`: the state is consistent whenever no kernel runs.

    Parameters
    ----------
    instance
        The instance.
    solution
        A feasible solution to start from.
    seed
        Seed of the search, at least 0.
    params
        Sizes and temperatures.
    """

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        *,
        seed: int = 1,
        params: RuinRecreateParams | None = None,
    ) -> None:
        from ncc_routing.polishing import _kernels
        from ncc_routing.polishing._state import SearchSpace

        self._params = params or RuinRecreateParams()
        self._start = solution
        self._kernels = _kernels
        self._space = SearchSpace.of(
            instance, self._params.degree, self._params.num_candidates
        )
        self._routes = self._space.routes_of(
            solution, self._params.most_removed, seed
        )
        num_edges = instance.num_customers + solution.num_routes
        self._mean_edge = solution.cost / num_edges
        self._move = _layout.Move(
            mean_removed=float(self._params.mean_removed),
            max_string=float(self._params.max_string),
            split=float(self._params.split),
            blink=float(self._params.blink),
            # Sums of unrounded lengths carry rounding errors.
            tolerance=0.0 if instance.is_integral else 1e-9 * solution.cost,
        )

    @property
    def num_iterations(self) -> int:
        """Iterations run so far."""
        return int(self._routes.counts[_layout.NUM_ITERATIONS])

    @property
    def best_cost(self) -> float:
        """Cost of the best solution so far."""
        return float(self._routes.costs[_layout.BEST_COST])

    def best(self) -> Solution:
        """Return the best solution so far, the start if none is better."""
        if self.best_cost >= self._start.cost:
            return self._start
        return self._space.solution_of(self._routes.best_next, self.best_cost)

    def run(
        self, deadline: Deadline, max_iterations: int | None = None
    ) -> None:
        """Anneal from the start to the end temperature.

        Parameters
        ----------
        deadline
            When to stop.
        max_iterations
            Iterations at most.

        Raises
        ------
        ParameterError
            If neither the time nor the iterations are limited.
        """
        schedule = _Schedule(
            deadline.remaining()
            - SECONDS_PER_CUSTOMER * len(self._space.order),
            math.inf if max_iterations is None else max_iterations,
        )
        hot = self._params.start_temperature * self._mean_edge
        span = math.log(
            self._params.end_temperature / self._params.start_temperature
        )
        progress = 0.0
        while progress < 1.0 and not deadline.passed():
            num_iterations, reached = schedule.next_chunk()
            if num_iterations == 0:
                break
            self._kernels.anneal(
                self._space.problem,
                self._routes,
                self._move,
                num_iterations,
                hot * math.exp(span * progress),
                math.exp(span * (reached - progress) / num_iterations),
            )
            progress = schedule.advance(num_iterations)


class _Schedule:
    """Cuts a search into chunks and says how far it has come.

    Parameters
    ----------
    seconds
        Time limit from now on, ``inf`` for none.
    iterations
        Limit on the iterations, ``inf`` for none.
    """

    def __init__(self, seconds: float, iterations: float) -> None:
        if math.isinf(seconds) and math.isinf(iterations):
            raise ParameterError(
                "ruin and recreate needs a time limit or a number of "
                "iterations."
            )
        self._begun = time.perf_counter()
        self._seconds = seconds
        self._iterations = iterations
        self._done = 0

    def next_chunk(self) -> tuple[int, float]:
        """Return a number of iterations and the progress expected then."""
        left = self._iterations - self._done
        if math.isinf(self._seconds):
            chunk = int(min(left, FIXED_CHUNK))
            return chunk, (self._done + chunk) / self._iterations
        elapsed = time.perf_counter() - self._begun
        rest = self._seconds - elapsed
        if rest <= 0.0:
            return 0, 1.0
        chunk = FIRST_CHUNK
        if self._done:
            step = min(CHUNK_SECONDS, CHUNK_SHARE * self._seconds, rest)
            chunk = int(max(1.0, step * self._done / elapsed))
        chunk = int(min(left, chunk))
        share = chunk / self._done if self._done else 0.0
        return chunk, min(
            1.0,
            max(
                elapsed * (1.0 + share) / self._seconds,
                (self._done + chunk) / self._iterations,
            ),
        )

    def advance(self, num_iterations: int) -> float:
        """Count iterations as done; return the progress in [0, 1]."""
        self._done += num_iterations
        elapsed = time.perf_counter() - self._begun
        return min(
            1.0,
            max(elapsed / self._seconds, self._done / self._iterations),
        )
