"""Random problems with everything, against a look at every plan."""

from __future__ import annotations

import math
from typing import Final

import pytest

import ncc_routing as nr
from tests.oracles.checker import RichProblem, Van, rich_problem
from tests.robustness.support import IS_LARGE

BLOCK: Final = 100
NUM_BLOCKS: Final = 60 if IS_LARGE else 1

NUM_ITERATIONS: Final = 200


@pytest.mark.parametrize("block", range(NUM_BLOCKS))
def test_costs_and_proofs_are_right(block: int) -> None:
    """No wrong cost, none below the least, and no plan called impossible."""
    num_worse = 0
    for seed in range(BLOCK * block, BLOCK * (block + 1)):
        problem = rich_problem(seed)
        instance, least = problem.instance(), problem.cheapest()
        if nr.diagnose(instance).fatal:
            assert math.isinf(least), seed
        stop = nr.MaxIterations(NUM_ITERATIONS)
        try:
            found = nr.solve(instance, stop=stop, seed=seed)
        except nr.InfeasibleError:
            assert math.isinf(least), seed
            continue
        types = found.best.vehicle_types
        assert found.cost == problem.plan_cost(found.routes, types), seed
        assert found.cost >= least, seed
        num_worse += found.cost > least
    assert num_worse <= 3


def test_the_look_at_every_plan_by_hand() -> None:
    """A vehicle starts late for a window, and reloads for customer 2.

    It goes to customer 1, 10 away and open from 30, back to reload,
    and to customer 2, 5 away. It starts at 20 and is back at 50.
    """
    van = Van(1, 9, fixed_cost=7, unit_duration_cost=2, reload_depots=(0,))
    problem = RichProblem(
        num_customers=2,
        depots=(0,),
        vans=(van,),
        distances=([[0, 10, 5], [10, 0, math.inf], [5, math.inf, 0]],),
        durations=([[0, 10, 5], [10, 0, math.inf], [5, math.inf, 0]],),
        delivery=[0, 5, 5],
        pickup=[0, 0, 0],
        service=[0, 0, 0],
        early=[0, 30, 0],
        late=[1000, 40, 1000],
        release=[0, 0, 0],
        prizes=[0, 0, 0],
        required=[False, True, True],
        groups=(),
        needs=[(), (), ()],
    )
    assert problem.route_cost([1], van) == 7 + 20 + 2 * 20
    assert problem.route_cost([2, 1], van) == math.inf
    assert problem.route_cost([1, 0, 2], van) == 7 + 30 + 2 * 30
    assert problem.cheapest() == 7 + 30 + 2 * 30
