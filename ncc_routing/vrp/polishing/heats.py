"""Annealings that begin together, of which the better ones go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.stopping import is_met
from ncc_routing.vrp.polishing.search_size import search_size

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.polishing._annealing import Annealed
    from ncc_routing.vrp.polishing.ruin_recreate_search import (
        RuinRecreateSearch,
    )
    from ncc_routing.vrp.recombination.route_pool import RoutePool


class Heat(NamedTuple):
    """A stretch of the way that some annealings go side by side.

    Attributes
    ----------
    end
        Share of the fall of the temperature that is done after it.
    share
        Share of the time that it takes.
    num_runs
        Annealings in it, the best of the heat before.
    """

    end: float
    share: float
    num_runs: int


HEATS: Final = (
    Heat(0.4, 0.3, 8),
    Heat(0.5, 0.2, 4),
    Heat(0.6, 0.2, 2),
    Heat(1.0, 0.3, 1),
)
"""The heats of a race. Half way down the mean length tells already which
annealing ends well."""

MAX_CUSTOMERS: Final = 1000
"""Customers at most; with more it was not measured."""

SECONDS_PER_SIZE: Final = 5e-4
"""Time from which a race beats one annealing, in seconds for each unit of
``search_size``: at 0.6 milliseconds by 0.13 +- 0.05 %, at 0.3 by 0.05 +- 0.04
(``docs/benchmarks/heat_choice.md``)."""


def is_time_for_heats(
    num_customers: int, num_routes: int, seconds: float
) -> bool:
    """Whether a time limit is one in which a race beats one annealing.

    Parameters
    ----------
    num_customers, num_routes
        Size of the instance.
    seconds
        The time limit; ``inf`` for none.
    """
    least = SECONDS_PER_SIZE * search_size(num_customers, num_routes)
    return num_customers <= MAX_CUSTOMERS and least <= seconds < float("inf")


def is_suited_for_heats(
    instance: Instance, search: RuinRecreateSearch, seconds: float
) -> bool:
    """Whether a search is to anneal in heats within a time limit.

    With penalties it is not, since these change on the way.
    """
    return not search.has_penalties and is_time_for_heats(
        instance.num_customers, instance.min_num_routes, seconds
    )


def anneal_in_heats(
    search: RuinRecreateSearch,
    deadline: Deadline,
    pool: RoutePool | None = None,
    stop: Stop | None = None,
) -> None:
    """Anneal all routes several times from the start, and end with the best.

    After each heat the annealings are ranked by the mean length of their
    last routes, and only the first of them go on: an annealing whose routes
    are longer than those of others half way down mostly ends longer. With
    several jobs each heat has as many at least.

    Parameters
    ----------
    search
        The search, without penalties; it keeps the best routes.
    deadline, pool, stop
        See ``RuinRecreateSearch.anneal_whole``.
    """
    begin, left = 0.0, 1.0
    starts = [search.first] * max(HEATS[0].num_runs, search.jobs)
    for heat in HEATS:
        until = deadline.within(deadline.remaining() * heat.share / left)
        way = begin, heat.end
        found: list[Annealed] = []
        num_runs = max(heat.num_runs, search.jobs)
        for low in range(0, num_runs, search.jobs):
            if deadline.passed() or is_met(stop, search.best_cost):
                return
            high = min(low + search.jobs, num_runs)
            num_waves = -(-(num_runs - low) // search.jobs)
            found += search.anneal_side_by_side(
                starts[low:high],
                way,
                until.within(until.remaining() / num_waves),
                pool if begin > 0.0 else None,
                stop,
            )
        found.sort(key=_mean_cost)
        starts = [one.current for one in found]
        begin, left = heat.end, left - heat.share


def _mean_cost(annealed: Annealed) -> float:
    return annealed.mean_cost
