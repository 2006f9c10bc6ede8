"""Routes of fleets as the kernels see them: schedules, costs and refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.routes.types_as_arcs import with_types_as_arcs
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.search.fleets.search import FleetSearch
from tests.oracles.problems import FLEETS, random_problem
from tests.robustness.support import seeds
from tests.vrp.search.test_fleet_search import generated

PROBLEMS = seeds(768, step=13)


def test_the_state_is_that_of_its_routes() -> None:
    """Costs and times after many changes, undone or not, are those anew."""
    for instance in generated():
        search = FleetSearch(instance, 1)
        search.insert_all(TimeLimit())
        start = search.current()
        search.load(start)
        search.run(nr.stop.MaxIterations(3_000), search.mean_edge(start))
        assert search.num_iterations == 3_000
        state, found = search.state, search.current()
        assert state.cost == pytest.approx(found.cost)
        assert state.best_cost == pytest.approx(search.best().cost)
        assert state.num_routes == found.num_routes
        search.load(found)
        anew, size = search.state, instance.num_customers + 1
        assert anew.cost == pytest.approx(state.cost)
        assert (anew.ready[1:size] == state.ready[1:size]).all()
        assert (anew.latest[1:size] == state.latest[1:size]).all()
        costs = np.sort(state.route_costs[state.route_costs > 0])
        expected = np.sort(anew.route_costs[anew.route_costs > 0])
        assert costs == pytest.approx(expected)


@pytest.mark.parametrize(
    "day",
    [
        (),
        ("breaks", "quick_services"),
        ("hours", "quick_services"),
        ("breaks", "quick_services", "preferred"),
    ],
    ids=["no_day", "breaks", "hours", "preferred"],
)
def test_paths_cost_what_their_schedules_say(day: tuple[str, ...]) -> None:
    """Random routes of random problems; infinite where they break a limit."""
    rng = np.random.default_rng(1)
    num_feasible = 0
    for seed in PROBLEMS:
        instance = random_problem(seed, FLEETS + day, share=0.7)
        space = FleetSearch(with_types_as_arcs(instance), 1).space
        order = rng.permutation(instance.num_customers) + 1
        route = order[: rng.integers(1, len(order) + 1)]
        for kind in range(len(instance.vehicle_types)):
            found = space.problem.path_cost(space.ranks[route], kind)
            solution = nr.Solution.from_routes(instance, [route], [kind])
            broken = {v.kind for v in nr.check_solution(instance, solution)}
            if broken - {"missing"}:
                assert math.isinf(found), seed
            else:
                [cost] = solution.route_costs(instance)
                assert space.breaks_ties or found == pytest.approx(
                    cost, rel=1e-12
                ), seed
                num_feasible += 1
    assert num_feasible > len(PROBLEMS) / 5
