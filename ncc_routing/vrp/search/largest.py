"""Solutions in which no route has much of an amount."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ncc_routing.core.budget import Budget
from ncc_routing.core.params import MAX_SEED
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.problems import features
from ncc_routing.problems.constraints import STOPS
from ncc_routing.problems.price_steps import PriceStep
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.search.fleets.limits import lacking
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.constraints import Constraint
    from ncc_routing.problems.instance import Instance

MAX_ROUNDS: Final = 5
"""Annealings before the limit is lowered, with a target each."""

ROUNDS_SHARE: Final = 0.5
ROUND_ITERATIONS: Final = 200
"""Share of the time that they take, or iterations of each where these are
limited."""

SETUP_SECONDS_PER_CUSTOMER: Final = 2.5e-4
"""Time that a search needs before it begins, in seconds a customer."""

EXCESS_PRICE: Final = 30.0
"""Cost of a unit beyond the target, beside that of 1."""

FIRST_GAP: Final = 0.5
"""How far the target is below the largest amount at first, as a share of the
way to the mean of all vehicles; it is halved after each round
that does not lower the largest amount."""

FIRST_STEP: Final = 0.02
"""Share by which the largest amount is to fall at first."""

LEAST_STEP: Final = 1e-6
"""The same at last, where amounts are no whole numbers."""

LEAST_EJECTIONS: Final = 20
EJECTIONS_PER_CUSTOMER: Final = 8
"""Ejections that look for places within a limit."""

ITERATIONS_PER_EJECTION: Final = 20
"""Iterations that an ejection beyond the least counts as: on long routes it
takes milliseconds."""

ATTEMPT_SHARE: Final = 0.05
"""Share of the time that one of them takes at most."""

MOST_MISSES: Final = 4
"""Attempts with the least step that end a search of limited iterations."""

DROPPED_WHOLE: Final = frozenset(
    {
        features.CLIENT_GROUPS,
        features.SHIPMENTS,
        features.RELOAD_DEPOTS,
        features.IN_PROGRESS_ROUTES,
        features.SAME_ROUTE,
    }
)
"""Features with which a route above the limit loses all customers: some would
not come alone."""


def with_least_largest(
    instance: Instance,
    solution: Solution,
    run: Run,
    *,
    limit: Constraint,
) -> Solution:
    """Return a solution whose largest amount of a route is as small as found.

    Annealings come first, then a limit is lowered, again and again: routes
    above it lose customers, for whom places are looked for on all vehicles.
    Where there are none it is lowered by half as much. Routes of the instance
    cost the amount. Where the iterations are limited, and not the time, all
    depends only on the seed.
    """
    deadline, rng = run.budget.time_limit, run.generator()
    counts = run.budget.counts_iterations
    longest = ATTEMPT_SHARE * deadline.remaining() + setup_seconds(instance)
    num_ejections = EJECTIONS_PER_CUSTOMER * instance.num_customers
    if counts:
        most = run.budget.max_iterations / ITERATIONS_PER_EJECTION
        num_ejections = int(min(num_ejections, most))
    num_ejections += LEAST_EJECTIONS
    best = _annealed(instance, solution, run, limit)
    now, least = best.largest(instance, limit), _bound(instance, limit)
    is_whole = limit.unit == STOPS or instance.is_integral
    step, misses = FIRST_STEP * now, 0
    while now > least and misses < MOST_MISSES and not deadline.passed():
        last = 1.0 if is_whole else LEAST_STEP * now
        step = max(step, last)
        most = math.floor(now - step) if is_whole else now - step
        until = deadline.within(longest)
        narrow = _narrowed(instance, limit, max(0, most))
        placed = _placed(narrow, best, limit, rng, until, num_ejections)
        amount = placed.largest(instance, limit) if placed else now
        # In-progress routes may come back although they exceed a limit.
        if placed is None or amount >= now:
            misses += counts and step == last
            step *= 0.5
        else:
            best, now, misses = placed.costed(instance), amount, 0
    return best


def setup_seconds(instance: Instance) -> float:
    """Return the time that a search of an instance needs to begin."""
    return SETUP_SECONDS_PER_CUSTOMER * instance.num_customers


def _annealed(
    instance: Instance, solution: Solution, run: Run, limit: Constraint
) -> Solution:
    """Return a solution after annealings with a price beyond a target."""
    count = _num_vehicles(instance) or instance.num_customers
    deadline, num_rounds = run.budget.time_limit, MAX_ROUNDS
    seconds = ROUNDS_SHARE * deadline.remaining()
    if deadline.is_limited():  # half of each is for its search, at least
        most = seconds / (2.0 * setup_seconds(instance))
        num_rounds = min(num_rounds, int(most))
    best, gap = solution, FIRST_GAP
    for number in range(num_rounds):
        if deadline.passed():
            break
        amounts = best.amounts(instance, limit)
        now = max(amounts, default=0.0)
        mean = sum(amounts) / min(count, instance.num_customers)
        priced = _priced(instance, limit, now, now - gap * (now - mean))
        budget = Budget(deadline.within(seconds / num_rounds))
        if run.budget.counts_iterations:
            budget = Budget(deadline, MaxIterations(ROUND_ITERATIONS))
        part = run.for_stage(f"round {number}").with_budget(budget)
        found = ruin_and_recreate(priced, best.costed(priced), part)
        amount = found.largest(instance, limit)
        gap *= 1.0 if amount < now else 0.5
        if amount <= now:
            best = found.costed(instance)
    return best


def _priced(
    instance: Instance, limit: Constraint, most: float, target: float
) -> Instance:
    """Return an instance where an amount beyond a target costs more."""
    step = PriceStep(
        limit.field.removeprefix("max_"), max(0.0, target), EXCESS_PRICE
    )
    limited = _narrowed(instance, limit, most)
    return instance.with_types(
        replace(each, price_steps=(*each.price_steps, step))
        for each in limited.vehicle_types
    )


def _num_vehicles(instance: Instance) -> int | None:
    """Return the number of vehicles, ``None`` without a limit."""
    return None if instance.fleet is None else instance.fleet.num_vehicles


def _bound(instance: Instance, limit: Constraint) -> float:
    """Return a lower bound on the largest amount."""
    count = _num_vehicles(instance)
    if limit.unit != STOPS or count is None:
        return 0.0
    is_certain = features.CLIENT_GROUPS not in instance.features
    return is_certain * math.ceil(instance.num_customers / count)


def _narrowed(instance: Instance, limit: Constraint, most: float) -> Instance:
    """Return an instance whose routes have at most so much."""
    types = [each.limited(limit, most) for each in instance.vehicle_types]
    return instance.with_types(types)


def _placed(
    narrow: Instance,
    solution: Solution,
    limit: Constraint,
    rng: np.random.Generator,
    deadline: TimeLimit,
    num_ejections: int,
) -> Solution | None:
    """Return routes that keep the limits of an instance, if they are found."""
    search = FleetSearch(narrow, int(rng.integers(MAX_SEED)))
    search.load(_thinned(search, solution, limit, rng))
    placed = search.place_absent(deadline, num_ejections)
    if narrow.unserved(placed.routes) or lacking(narrow, placed):
        return None
    return placed


def _thinned(
    search: FleetSearch,
    solution: Solution,
    limit: Constraint,
    rng: np.random.Generator,
) -> Solution:
    """Return routes within the limits of a search, some customers left out."""
    narrow, routes, types = search.space.instance, [], []
    drops_whole = not DROPPED_WHOLE.isdisjoint(narrow.features)
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for route, idx in driven:
        most = getattr(narrow.vehicle_types[idx], limit.field)
        amount = schedule_route(narrow, route, idx).amounts[limit.amount]
        kept = [] if drops_whole and amount > most else list(route)
        while amount > most and kept:
            del kept[rng.integers(len(kept))]
            is_kept = math.isfinite(search.space.route_cost(kept, idx))
            amount = 0.0 if is_kept else amount
        if kept:
            routes.append(kept)
            types.append(idx)
    return Solution.from_routes(narrow, routes, types)
