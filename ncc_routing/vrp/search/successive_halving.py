"""Successive halving: annealings that begin together; the better go on."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from ncc_routing.core.budget import Budget
    from ncc_routing.vrp.recombination.route_pool import RoutePool
    from ncc_routing.vrp.search.annealing import Annealed
    from ncc_routing.vrp.search.ruin_recreate_search import (
        RuinRecreateSearch,
    )


class Rung(NamedTuple):
    """A stretch that the ``num_runs`` best annealings go through side by side.

    It ends at the share ``end`` of the fall of the temperature, and takes
    ``share`` of the time.
    """

    end: float
    share: float
    num_runs: int


RUNGS: Final = (
    Rung(0.4, 0.3, 8),
    Rung(0.5, 0.2, 4),
    Rung(0.6, 0.2, 2),
    Rung(1.0, 0.3, 1),
)
"""Half way down the mean length tells which annealing ends well."""


def anneal_by_halving(
    search: RuinRecreateSearch,
    budget: Budget,
    pool: RoutePool | None = None,
) -> None:
    """Anneal all routes several times from the start, and end with the best.

    After each rung the best annealings by the mean length of their last routes
    go on, at least one for each job. It takes no penalties.

    Source: K. Jamieson, A. Talwalkar (2016), Non-stochastic best arm
    identification and hyperparameter optimization, AISTATS.
    """
    begin, left = 0.0, 1.0
    starts = [search.first] * max(RUNGS[0].num_runs, search.jobs)
    for rung in RUNGS:
        until = budget.within(budget.remaining() * rung.share / left)
        found: list[Annealed] = []
        num_runs = max(rung.num_runs, search.jobs)
        for low in range(0, num_runs, search.jobs):
            if budget.is_spent(search.best_cost):
                return
            high = min(low + search.jobs, num_runs)
            num_waves = -(-(num_runs - low) // search.jobs)
            found += search.anneal_from(
                starts[low:high],
                (begin, rung.end),
                until.within(until.remaining() / num_waves),
                pool if begin > 0.0 else None,
            )
        found.sort(key=attrgetter("mean_cost"))
        starts = [one.current for one in found]
        begin, left = rung.end, left - rung.share
