"""Lower bounds of runs: before a search, after it, or beside it."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.stopping import require_number
from ncc_routing.vrp.params import OBJECTIVES, PREFERENCES
from ncc_routing.vrp.problem import checked_answer
from ncc_routing.vrp.result import BOUND, Result, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from ncc_routing.core.events import Monitor
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.routes.simplification import Prepared
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.params import SolveParams
    from ncc_routing.vrp.problem import Problem


_ROUNDED: Final = 1.0 - 1e-9
"""Share of a cost that another sum of the same numbers is at least."""

CLOSED: Final = 1e-5
"""Share of a cost that is not whole within which a bound ends a search."""


def require_bound(
    params: SolveParams, prepared: Prepared, seconds: float | None
) -> None:
    """Refuse a bound that is not possible."""
    # Imported here: few runs have a bound.
    from ncc_routing.vrp.bounds.relaxed import (
        require_bounded,
        without_setups,
    )

    if params.objective != OBJECTIVES[0]:
        raise ParameterError(
            "bound_seconds and BoundGap go with the objective cost."
        )
    if seconds is None:
        raise ParameterError("BoundGap needs bound_seconds.")
    require_number("bound_seconds", seconds)
    require_bounded(without_setups(prepared).simplified)


def weighs_more(params: SolveParams) -> bool:
    """Whether routes are to be more than cheap, so that no proof is enough."""
    return any(getattr(params, name) for name in PREFERENCES)


class Bound(NamedTuple):
    """A lower bound, and whether a signal ended its search.

    ``upper`` is the cost that it takes for granted, and ``better`` a solution
    that it has met on its way, if any.
    """

    lower_bound: float = -math.inf
    seconds: float = 0.0
    is_over: bool = False
    better: Solution | None = None
    upper: float = math.inf

    def is_for(self, best: Solution) -> bool:
        """Whether one of the solutions that are known costs no more."""
        cost = best.cost if self.better is None else self.better.cost
        return self.upper >= min(best.cost, cost) * _ROUNDED


def bound(
    prepared: Prepared,
    deadline: TimeLimit,
    best: Solution | None = None,
    known: Callable[[], float] = lambda: math.inf,
) -> Bound:
    """Bound the cost, and prove the best solution if there is one.

    ``known`` returns the cost of another solution, which may fall meanwhile.
    """
    from ncc_routing.vrp.bounds.search import bound_of

    start = deadline.now()
    with expire_on_ctrl_c(deadline):
        found = bound_of(
            *(prepared, best, None if best is None else best.cost, deadline),
            prove=best is not None,
            known=known,
        )
    return Bound(
        found.points[-1].lower_bound,
        deadline.now() - start,
        deadline.is_called_off(),
        found.better,
        found.upper,
    )


@contextmanager
def bounding(
    prepared: Prepared,
    best: Solution,
    clock: TimeLimit,
    limit: TimeLimit,
    known: Callable[[], float],
) -> Iterator[Future[Bound]]:
    """Search a bound beside a block, until ``limit``.

    ``clock`` is that of the block: a proof ends it.
    """
    is_whole = prepared.given.is_integral

    def least() -> float:
        # Sums of other numbers on their way may miss a whole one.
        cost = known()
        return round(cost) if is_whole and cost < math.inf else cost

    def work() -> Bound:
        found = bound(prepared, limit, best, least)
        open_share = 0.0 if is_whole else CLOSED
        if found.lower_bound >= (1.0 - open_share) * found.upper:
            clock.expire()
        return found

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            yield future
        except BaseException:
            limit.expire()
            raise


def bound_after(
    prepared: Prepared,
    best: Solution | None,
    first: Bound | None,
    seconds: float,
    clock: TimeLimit,
    monitor: Monitor,
) -> Bound:
    """Bound the cost after a search.

    ``first`` is the bound before it, which leaves the rest of the seconds.
    What calls off ``clock`` ends it as well.
    """
    before = first or Bound()
    if best is not None and before.lower_bound >= best.cost:
        return before
    left = max(0.0, seconds - before.seconds)
    with monitor.stage(BOUND):
        last = bound(prepared, clock.beyond(left), best)
    return last._replace(
        lower_bound=max(before.lower_bound, last.lower_bound),
        seconds=before.seconds + last.seconds,
        is_over=before.is_over or last.is_over,
    )


def bounded_result(
    problem: Problem,
    result: Result,
    found: Bound,
    params: SolveParams,
    monitor: Monitor,
) -> Result:
    """Return a result with its bound, and the better solution that it met.

    A bound is that of solutions that serve all required customers: it says
    nothing where some are unserved.
    """
    best, better = result.best, found.better
    if weighs_more(params):
        better = None
    if better is not None and (result.unserved or better.cost < best.cost):
        best = checked_answer(problem, result.instance, better)
        monitor.restart(lambda cost: (0, cost))
        monitor.note(best.cost)
        trace = tuple(monitor.trace)
        result = replace(result, best=best, trace=trace, unserved=())
    return replace(
        result,
        lower_bound=None if result.unserved else found.lower_bound,
        stages=(*result.stages, Stage(BOUND, found.seconds, best.cost)),
        interrupted=result.interrupted or found.is_over,
    )
