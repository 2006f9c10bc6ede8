"""Problems with rules of routes, against all of their plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.route_constraints import (
    InProgressRoute,
    RouteConstraints,
)
from tests.oracles.brute_force import cheapest_full_plan
from tests.oracles.problems import ruled_problem
from tests.vrp.test_full_problems import count_verdicts

NUM_PROBLEMS = 80


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
