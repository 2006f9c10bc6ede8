"""Annealings of parts of the routes, with other borders in each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.stopping import Pace, Tally
from ncc_routing.vrp.packed_routes import PackedRoutes

if TYPE_CHECKING:
    from ncc_routing.core.budget import Budget
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.search.annealing import Subproblem
    from ncc_routing.vrp.search.ruin_recreate_search import (
        RuinRecreateSearch,
    )

NUM_ROUNDS: Final = 40
"""Rounds of a parallel search; the parts have other borders in each."""

MIN_PART_SIZE: Final = 50
"""Customers that a part has at least, on average."""

MAX_PART_SIZE: Final = 10_000
"""Most customers of a part on average: its search then stays in a core's
cache. Further parts of a round are annealed one after another."""

MIN_ROUND_SECONDS: Final = 0.2
ROUND_SECONDS_PER_CUSTOMER: Final = 3e-5
"""Least length of a round: its setup takes a few hundredths of it."""


def split_routes(
    instance: Instance,
    routes: PackedRoutes,
    num_parts: int,
    rng: np.random.Generator,
) -> list[np.ndarray]:
    """Cut routes into parts of about the same number of customers.

    Each cut takes the routes nearest to a random one, by their middle
    customers, so that the borders differ. Parts are route numbers, and empty
    only where routes are fewer. No coordinates are needed.
    """
    middles = routes.nodes[(routes.starts[:-1] + routes.starts[1:]) // 2]
    sizes = np.diff(routes.starts)

    def split(part: np.ndarray, num_parts: int) -> list[np.ndarray]:
        if num_parts == 1:
            return [part]
        if len(part) == 0:
            return [part] * num_parts
        root = middles[part[rng.integers(len(part))]]
        order = np.argsort(instance.lengths(root, middles[part]))
        part = part[order]
        num_left = num_parts // 2
        reached = np.cumsum(sizes[part]) / sizes[part].sum()
        cut = int(np.searchsorted(reached, num_left / num_parts)) + 1
        cut = min(max(1, cut), max(1, len(part) - 1))
        return [
            *split(part[:cut], num_left),
            *split(part[cut:], num_parts - num_left),
        ]

    return split(np.arange(routes.num_routes), num_parts)


def cut_in_parts(search: RuinRecreateSearch) -> list[Subproblem]:
    """Return the current routes, cut into the parts of a round."""
    num_parts = _count_parts(search)
    routes, zones = search.current, search.zones(search.current)
    if num_parts == 1:
        return [search.subproblem(routes, zones)]
    rng = np.random.default_rng([search.seed, search.num_rounds])
    numbers = split_routes(search.instance, routes, num_parts, rng)
    return [search.subproblem(routes.take(part), zones) for part in numbers]


def anneal_in_rounds(search: RuinRecreateSearch, budget: Budget) -> None:
    """Anneal the current routes from the start to the end temperature.

    One part without penalties takes a single round. With several jobs the
    criterion is asked between the rounds, and its parts during them.
    """
    stop = budget.criterion("ruin and recreate")
    if _count_parts(search) == 1 and not search.has_penalties:
        [found] = search.anneal(cut_in_parts(search), (0.0, 1.0), [stop])
        search.current = found.current
        search.keep([found.best], found.best_cost)
        return
    num_customers = search.instance.num_customers
    step = _round_share(num_customers, stop.left(Tally()).seconds)
    pace = Pace(stop, best_cost=search.best_length)
    while pace.progress < 1.0:
        left = 1.0 - pace.progress
        end = pace.progress + left / max(1.0, left // step)
        _anneal_once(search, stop, pace, end)


def _count_parts(search: RuinRecreateSearch) -> int:
    """Return how many parts the routes are cut into.

    One for each job, or a multiple of that where they are large.
    """
    num_customers = search.instance.num_customers
    num_waves = -(-num_customers // (search.jobs * MAX_PART_SIZE))
    most = min(search.current.num_routes, num_customers // MIN_PART_SIZE)
    return max(1, min(search.jobs * num_waves, most))


def _round_share(num_customers: int, seconds: float) -> float:
    """Return the share of the limits that one round takes."""
    least = MIN_ROUND_SECONDS + ROUND_SECONDS_PER_CUSTOMER * num_customers
    return min(1.0, max(1.0 / NUM_ROUNDS, least / max(seconds, least)))


def _anneal_once(
    search: RuinRecreateSearch, stop: Stop, pace: Pace, end: float
) -> None:
    """Anneal every part of the current routes once, up to some progress."""
    parts = cut_in_parts(search)
    progress = pace.progress, end
    current = [part.routes for part in parts]
    costs = [routes.cost(search.instance) for routes in current]
    best = current.copy()
    for low in range(0, len(parts), search.jobs):
        wave = parts[low : low + search.jobs]
        num_customers = sum(part.num_customers for part in wave)
        step = (end - pace.progress) * len(wave) / (len(parts) - low)
        stops = [
            stop.part(step, part.num_customers / num_customers)
            for part in wave
        ]
        before = search.num_iterations
        for idx, one in enumerate(search.anneal(wave, progress, stops)):
            current[low + idx] = one.current
            best[low + idx] = one.best
            costs[low + idx] = one.best_cost
        search.keep(best, sum(costs))
        pace.advance(search.num_iterations - before, search.best_length)
        if pace.progress >= 1.0:
            break
    search.current = PackedRoutes.joined(current)
