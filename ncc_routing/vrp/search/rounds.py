"""Searches of parts of the routes, with other borders in each round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.stopping import Pace, Tally
from ncc_routing.problems.routes.route_parts import split_routes
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.phases import Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.budget import Budget
    from ncc_routing.core.stopping import Stop
    from ncc_routing.vrp.search.leaders import LeadingRoutes
    from ncc_routing.vrp.search.phases import Phase
    from ncc_routing.vrp.search.subproblem import Part

NUM_ROUNDS: Final = 40
"""Rounds of a parallel search; the parts have other borders in each."""

MIN_PART_SIZE: Final = 50
"""Customers that a part has at least, on average."""

MAX_PART_SIZE: Final = 10_000
"""Most customers of an annealed part on average: its search then stays in a
core's cache. Further parts of a round are annealed one after another. An
iterated local search touches few routes for long, wherever they are."""

ELIMINATION_SHARE: Final = 0.25
"""Share of an elimination of routes that a round takes at least: it ends after
a round without a gain."""

MIN_ROUND_SECONDS: Final = 0.2
ROUND_SECONDS_PER_CUSTOMER: Final = 3e-5
"""Least length of a round: its setup takes a few hundredths of it."""


def cut_in_parts(
    search: LeadingRoutes, step: Step = Step.ANNEAL
) -> Sequence[Part]:
    """Return the leading routes, cut into the parts of a round."""
    num_parts = _count_parts(search, step)
    routes = search.leaders[0].current
    if step is Step.ELIMINATE:
        routes = search.best_routes
    if num_parts == 1:
        return [search.whole(routes)]
    penalties = search.around(routes)
    rng = np.random.default_rng([search.seed, search.num_rounds])
    numbers = split_routes(
        search.instance, routes.middles, routes.sizes, num_parts, rng
    )
    return search.parts(
        step, [routes.take(part) for part in numbers], penalties
    )


def search_in_rounds(
    search: LeadingRoutes, phase: Phase, budget: Budget
) -> None:
    """Search the leading routes by a phase, one part for each job at a time.

    One part without penalties takes a single round, and an elimination of
    routes ends by itself. With several jobs the criterion is asked between the
    rounds, and its parts during them.
    """
    stop = budget.criterion("ruin and recreate")
    is_whole = _count_parts(search, phase.step) == 1
    if is_whole and not search.has_penalties:
        parts = cut_in_parts(search, phase.step)
        partners = [[one.best for one in search.leaders[1:]]]
        [outcome] = search.run(
            phase.step, parts, phase.progress, [stop], partners
        )
        search.leaders = [outcome]
        search.keep([outcome.best], outcome.best_cost)
        return
    num_customers = search.instance.num_customers
    seconds, _ = stop.left(Tally())
    step = _round_share(num_customers, seconds)
    if phase.step is Step.ELIMINATE:
        step = max(step, ELIMINATION_SHARE)
    pace = Pace(stop, best_cost=search.best_length)
    while pace.progress < 1.0:
        left, before = 1.0 - pace.progress, search.best_cost
        end = pace.progress + left / max(1.0, left // step)
        _search_once(search, phase, stop, pace, end)
        if phase.step is Step.ELIMINATE and search.best_cost >= before:
            break


def _count_parts(search: LeadingRoutes, step: Step) -> int:
    """Return how many parts the routes are cut into.

    One for each job, or a multiple of that where they are annealed and large.
    """
    num_customers = search.instance.num_customers
    num_waves = 1
    if step is not Step.ITERATE:
        num_waves = -(-num_customers // (search.jobs * MAX_PART_SIZE))
    most = min(search.max_parts, num_customers // MIN_PART_SIZE)
    return max(1, min(search.jobs * num_waves, most))


def _round_share(num_customers: int, seconds: float) -> float:
    """Return the share of the limits that one round takes."""
    least = MIN_ROUND_SECONDS + ROUND_SECONDS_PER_CUSTOMER * num_customers
    return min(1.0, max(1.0 / NUM_ROUNDS, least / max(seconds, least)))


def _search_once(
    search: LeadingRoutes,
    phase: Phase,
    stop: Stop,
    pace: Pace,
    end: float,
) -> None:
    """Search every part of the leading routes once, up to some progress."""
    parts = cut_in_parts(search, phase.step)
    progress = phase.progress_at(pace.progress), phase.progress_at(end)
    current = [part.routes for part in parts]
    best = current.copy()
    costs: list[float] = []
    for low in range(0, len(parts), search.jobs):
        wave = parts[low : low + search.jobs]
        sizes = [max(1, len(part.routes.nodes)) for part in wave]
        step = (end - pace.progress) * len(wave) / (len(parts) - low)
        stops = [stop.part(step, size / sum(sizes)) for size in sizes]
        before = search.num_iterations
        outcomes = search.run(phase.step, wave, progress, stops)
        for idx, one in enumerate(outcomes):
            current[low + idx] = one.current
            best[low + idx] = one.best
        costs += [one.best_cost for one in outcomes]
        if len(costs) == len(parts):
            search.keep(best, sum(costs))
        pace.advance(search.num_iterations - before, search.best_length)
        if pace.progress >= 1.0:
            break
    rest = [routes.cost(search.instance) for routes in best[len(costs) :]]
    if rest:
        search.keep(best, sum(costs + rest))
    search.lead_on(PackedRoutes.joined(current))
