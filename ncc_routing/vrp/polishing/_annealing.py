"""The annealing of one set of routes, on one thread."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.vrp.polishing import _annealing_kernels as _kernels
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing._state import SearchSpace, read_packed

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.vrp.polishing._packed import PackedRoutes

CHUNK_SECONDS: Final = 0.02
"""Longest time between two looks at the clock."""

CHUNK_SHARE: Final = 0.01
"""The same as a share of the time limit."""

FIRST_CHUNK: Final = 200
"""Iterations before the speed is known."""

SAMPLE_BEGIN: Final = 0.3
"""Share of the way after which the routes are worth to be remembered."""

FIXED_CHUNK: Final = 5000
"""Iterations of a call of the kernel where no time limit counts."""


class Cooling(NamedTuple):
    """An exponential fall of the temperature.

    Attributes
    ----------
    hot, cold
        First and last temperature, in units of cost.
    """

    hot: float
    cold: float

    def at(self, progress: float) -> float:
        """Return the temperature at a share of the way, in [0, 1]."""
        return self.hot * self.factor(progress)

    def factor(self, share: float) -> float:
        """Return what a share of the way multiplies the temperature by."""
        return (self.cold / self.hot) ** share if self.hot > 0.0 else 1.0

    def between(self, begin: float, end: float) -> Cooling:
        """Return the fall from one share of the way to another."""
        return Cooling(self.at(begin), self.at(end))


class Limits(NamedTuple):
    """When an annealing ends: at the first of the two.

    Attributes
    ----------
    deadline
        When to stop.
    iterations
        Iterations at most, ``inf`` for no limit.
    """

    deadline: Deadline
    iterations: float


@dataclass(frozen=True, eq=False)
class Annealed:
    """What an annealing leaves.

    Parameters
    ----------
    current, best
        The last routes and the shortest ones.
    cost, best_cost
        Their lengths.
    num_iterations
        Iterations done.
    samples
        Routes met on the way, if they were asked for.
    """

    current: PackedRoutes
    best: PackedRoutes
    cost: float
    best_cost: float
    num_iterations: int
    samples: tuple[PackedRoutes, ...]


def anneal_routes(
    space: SearchSpace,
    routes: PackedRoutes,
    move: _layout.Move,
    cooling: Cooling,
    limits: Limits,
    seed: list[int],
    takes_samples: bool = False,
) -> Annealed:
    """Anneal some routes of an instance by ruin and recreate.

    Everything that it changes is its own, so that several can run at a
    time on disjoint routes: in threads, which share the arrays of the
    space, or in other processes or on other machines, which get a copy.

    Parameters
    ----------
    space
        The instance.
    routes
        Feasible routes. Customers on none of them are left alone.
    move
        Sizes and probabilities of a move.
    cooling
        Temperatures, which follow the limit that comes first.
    limits
        When to stop.
    seed
        Seeds of the random numbers.
    takes_samples
        Whether to return the routes seen between two calls of the kernel.
    """
    samples: list[PackedRoutes] = []
    state = space.load(routes, move.most_removed, seed)
    clock = _Clock(limits.deadline.remaining(), limits.iterations)
    progress = 0.0
    while progress < 1.0 and not limits.deadline.passed():
        num_iterations, reached = clock.next_chunk()
        if num_iterations == 0:
            break
        _kernels.anneal(
            space.problem,
            state,
            move,
            num_iterations,
            cooling.at(progress),
            cooling.factor((reached - progress) / num_iterations),
        )
        progress = clock.advance(num_iterations)
        if takes_samples and progress > SAMPLE_BEGIN:
            samples.append(read_packed(state.nodes["next"], state))
    return Annealed(
        current=read_packed(state.nodes["next"], state),
        best=read_packed(state.best_next, state),
        cost=float(state.costs[_layout.COST]),
        best_cost=float(state.costs[_layout.BEST_COST]),
        num_iterations=int(state.counts[_layout.NUM_ITERATIONS]),
        samples=tuple(samples),
    )


class _Clock:
    """Cuts a search into chunks and says how far it has come.

    Parameters
    ----------
    seconds
        Time limit from now on, ``inf`` for none.
    iterations
        Limit on the iterations, ``inf`` for none.
    """

    def __init__(self, seconds: float, iterations: float) -> None:
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
