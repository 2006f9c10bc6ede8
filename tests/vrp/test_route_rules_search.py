"""Problems with rules of routes, against all of their plans."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.route_constraints import (
    InProgressRoute,
    RouteConstraints,
)
from ncc_routing.pyvrp.adapter import from_problem_data
from tests.full_plans import cheapest_full_plan
from tests.vrp.test_full_problems import count_verdicts, small_problem

NUM_PROBLEMS = 80


def with_rules(instance: nr.Instance, seed: int) -> nr.Instance | None:
    """Return an instance with some rules; ``None`` where they contradict."""
    rng = np.random.default_rng([seed, 7])
    stops = range(1, instance.num_customers + 1)
    nodes = range(len(instance.demands))
    kinds = instance.vehicle_types
    changes: dict[str, Any] = {}

    def draws(share: float) -> bool:
        return bool(rng.random() < share)

    def some(least: int, most: int) -> tuple[int, ...]:
        size = min(len(stops), int(rng.integers(least, most + 1)))
        return tuple(rng.permutation(stops)[:size].tolist())

    if draws(0.4):
        kinds = tuple(
            replace(k, skills=tuple(s for s in "ab" if draws(0.7)))
            for k in kinds
        )
        changes["skills"] = tuple(
            tuple(s for s in "ab" if node in stops and draws(0.2))
            for node in nodes
        )
    if draws(0.4):
        changes["vehicles"] = tuple(
            (int(rng.integers(len(kinds))),)
            if node in stops and draws(0.3)
            else None
            for node in nodes
        )
    if draws(0.5):
        changes["same_route"] = (some(2, 3),)
    if draws(0.5):
        changes["different_routes"] = (some(2, 3),)
    if draws(0.4):
        changes["districts"] = tuple(
            int(rng.integers(-1, 3)) if node in stops else -1 for node in nodes
        )
        changes["max_districts"] = int(rng.integers(1, 3))
    if draws(0.4):
        kind = int(rng.integers(len(kinds)))
        customers = some(1, 2)
        times = np.sort(rng.integers(0, 100, 1 + len(customers))).tolist()
        known = tuple(time if draws(0.5) else None for time in times)
        departures = known if draws(0.5) else ()
        changes["in_progress"] = (
            InProgressRoute(kind, customers, departures),
        )
    try:
        fleet = Fleet(kinds)
        rules = RouteConstraints(**changes)
        return replace(instance, fleet=fleet, rules=rules)
    except InstanceError:
        return None


def ruled_problem(number: int) -> nr.Instance:
    """Return a problem so small that all plans can be looked at."""
    plain = from_problem_data(small_problem(number))
    found = (with_rules(plain, seed) for seed in count(number, 100_000))
    return next(each for each in found if each is not None)


def test_search_finds_the_cheapest_plans_that_keep_rules() -> None:
    """Nothing is refused that has a plan, and 98 of 100 are the best."""
    verdicts = count_verdicts(range(NUM_PROBLEMS), ruled_problem)
    assert not {"false refusal", "too cheap"} & verdicts.keys()
    assert verdicts["optimal"] > 15
    assert verdicts["dearer"] <= 0.02 * verdicts.total()


def test_customers_bring_a_in_progress_route_home() -> None:
    """Customer 1 is 50 from the depot, and 2 between them: 10 and 10."""
    matrix = np.full((3, 3), 10.0)
    matrix[1, 0] = 50.0
    for capacity, cost in ((2, 30.0), (1, None)):
        kind = VehicleType(capacity=capacity, max_distance=40)
        for required in (True, False):
            instance = nr.Instance(
                name="far",
                demands=np.array([0, 1, 1]),
                matrix=matrix,
                fleet=Fleet((kind,)),
                selection=nr.Selection(
                    np.zeros(3), np.array([True, True, required])
                ),
                rules=RouteConstraints(
                    in_progress=(InProgressRoute(0, (1,)),)
                ),
            )
            if cost is None:
                with pytest.raises(
                    nr.InfeasibleError,
                    match="in-progress route 1 cannot come back: route 1 "
                    "takes 60 of 40",
                ):
                    nr.solve(instance, stop=nr.MaxIterations(20))
            else:
                found = nr.solve(instance, stop=nr.MaxIterations(20))
                assert found.cost == cost
                assert found.routes == ((1, 2),)


@pytest.mark.parametrize("required", [True, False])
def test_groups_part_without_whom_they_share(required: bool) -> None:
    """Vehicles carry one customer, so that 2 has to be left out."""
    instance = nr.Instance(
        name="apart",
        demands=np.array([0, 1, 1, 1]),
        coords=np.array([[0, 0], [10, 0], [0, 5], [-10, 0]]),
        capacity=1,
        selection=nr.Selection(
            np.array([0, 0, 1, 0]), np.array([True, True, required, True])
        ),
        rules=RouteConstraints(same_route=((1, 2), (2, 3))),
    )
    if required:
        with pytest.raises(nr.InfeasibleError, match="must share a route"):
            nr.solve(instance, stop=nr.MaxIterations(20))
        return
    found = nr.solve(instance, stop=nr.MaxIterations(20))
    assert found.cost == 20 + 20 + 1
    wide = replace(instance, capacity=3)
    assert nr.solve(wide, stop=nr.MaxIterations(20)).cost == 40 + 1
    dear = nr.Selection(
        np.array([0, 0, 9, 0]), np.array([True, True, False, True])
    )
    found = nr.solve(replace(wide, selection=dear), stop=nr.MaxIterations(20))
    assert found.cost == cheapest_full_plan(found.instance)
    assert set(map(len, found.routes)) == {3}
