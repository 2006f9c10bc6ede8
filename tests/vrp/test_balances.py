"""Plans whose routes are about equal, at a price or by a limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from tests.oracles.balances import cheapest_balanced, plan_cost
from tests.oracles.problems import FLEETS, LIMITS, random_problem
from tests.robustness.support import seeds

ITERATIONS = nr.stop.MaxIterations(60)

AMOUNTS = "duration", "distance", "stops", "driving_time", "load"

SETS = {
    "fleets": FLEETS,
    "carried": (*FLEETS, "shipments", "pickups", "optional", "groups"),
    "limits": (*FLEETS, *LIMITS, "overtime", "open", "steps"),
}


def with_balances(instance: nr.Instance, seed: int) -> nr.Instance:
    """Return a problem with one or two balances at random."""
    rng = np.random.default_rng(seed)
    types = list(instance.vehicle_types)
    for _ in range(int(rng.integers(1, 3))):
        amount = AMOUNTS[rng.integers(len(AMOUNTS))]
        kind = rng.integers(3)
        unit = {"stops": 20, "load": 5}.get(amount, 1)
        one = nr.Balance(
            amount,
            largest_cost=int(rng.integers(1, 4)) * unit if kind == 0 else 0,
            spread_cost=int(rng.integers(1, 4)) * unit if kind == 1 else 0,
            max_spread=int(rng.integers(0, 60)) // unit
            if kind == 2
            else np.inf,
            among=("used", "all")[rng.integers(2)],
        )
        who = int(rng.integers(1, 1 << len(types)))
        for idx, each in enumerate(types):
            if who >> idx & 1 and one not in each.balances:
                types[idx] = replace(each, balances=(*each.balances, one))
    fleet = instance.fleet or nr.Fleet(tuple(types))
    return replace(instance, fleet=replace(fleet, types=tuple(types)))


@pytest.mark.parametrize("name", SETS)
def test_random_problems(name: str) -> None:
    """No cost is wrong, no spread too large, and most plans the best."""
    verdicts: Counter[str] = Counter()
    for seed in seeds(2000, step=139):
        plain = random_problem(seed, SETS[name], 4 + seed % 2)
        instance = with_balances(plain, seed)
        optimum = cheapest_balanced(instance)
        try:
            best = nr.solve(instance, ITERATIONS).best
        except nr.InfeasibleError:
            verdicts["none" if np.isinf(optimum) else "missed"] += 1
            continue
        assert not nr.check_solution(instance, best)
        assert best.cost == pytest.approx(plan_cost(instance, best))
        assert best.cost >= optimum * (1 - 1e-9)
        is_best = best.cost <= optimum * (1 + 1e-9) + 1e-9
        verdicts["best" if is_best else "dearer"] += 1
    found = verdicts["best"] + verdicts["none"]
    assert found >= 0.8 * verdicts.total(), verdicts


PAIRS = [(0, 0), (10, 0), (10, 1), (-10, 0), (-10, 1)]


def line(
    count: int, *balances: nr.Balance, capacity: int = 2, **kind: Any
) -> nr.Instance:
    """Return customers on a line from the depot, and a van for each."""
    coords = np.array([[x, 0] for x in range(count + 1)])
    van = nr.VehicleType(
        capacity=capacity, num_available=count, balances=balances, **kind
    )
    demands = np.array([0, *[1] * count])
    return nr.Instance("line", demands, coords=coords, fleet=nr.Fleet((van,)))


def test_other_numbers_of_routes_are_tried() -> None:
    """Two routes cannot have as many stops: three can."""
    equal = nr.Balance("stops", max_spread=0)
    found = nr.solve(line(3, equal), ITERATIONS)
    assert sorted(map(len, found.routes)) == [1, 1, 1]
    free = line(4, equal, capacity=3, unit_distance_cost=0)
    assert len({*map(len, nr.solve(free, ITERATIONS).routes)}) == 1


def test_no_route_of_some_vehicles_is_balanced() -> None:
    """Those without a balance serve all."""
    lengths = [[0, 10, 12, 9], [10, 0, 4, 6], [12, 4, 0, 7], [9, 6, 7, 0]]
    equal = nr.Balance("distance", max_spread=5, among="all")
    vans = [
        nr.VehicleType(capacity=3, num_available=2, balances=own)
        for own in ((equal,), ())
    ]
    found = nr.solve(
        nr.Instance(
            "some",
            np.array([0, 1, 1, 1]),
            matrix=np.array(lengths),
            fleet=nr.Fleet(tuple(vans)),
        ),
        ITERATIONS,
    )
    assert found.cost == 30
    assert found.best.vehicle_types == (1,)


def test_a_start_is_never_worsened() -> None:
    """The cheapest plan of all is beyond the limit, and the start is not."""
    instance = line(3, nr.Balance("stops", max_spread=0))
    start = nr.Solution.from_routes(instance, [[1], [2], [3]])
    for stop in (nr.stop.MaxIterations(1), ITERATIONS):
        found = nr.solve(instance, stop, initial_solution=start)
        assert found.cost <= start.cost
        assert not nr.check_solution(instance, found.best)


def test_orders_are_left_out_where_no_plan_is_balanced() -> None:
    """They are named, and without a search as well."""
    late = nr.Balance("distance", max_spread=1, among="all")
    instance = line(3, late, fixed_cost=5)
    for polish in ("auto", "none"):
        found = nr.solve(
            instance, ITERATIONS, polish=polish, allow_unserved=True
        )
        served = {node for route in found.routes for node in route}
        absent = {one.customer for one in found.unserved}
        assert served | absent == {1, 2, 3}
        assert absent
        assert "missing" in {
            one.kind for one in nr.check_solution(instance, found.best)
        }
    with pytest.raises(nr.InfeasibleError, match=r"distances .* smaller spr"):
        nr.solve(instance, ITERATIONS)


def test_a_day_that_goes_on_loses_no_order_for_a_limit() -> None:
    """A late vehicle makes durations differ, and still serves."""
    rows = [
        {"id": "d", "x": 0, "y": 0, "demand": 0},
        {"id": "a", "x": 10, "y": 0, "demand": 1},
        {"id": "b", "x": -10, "y": 0, "demand": 1},
    ]
    vans = [
        {"name": name, "capacity": 1, "max_duration_spread": 5}
        for name in "AB"
    ]
    plan = nr.solve(nr.read(rows, vehicles=vans), ITERATIONS)
    after = nr.replan(plan, [nr.changes.Late("A", 50)], ITERATIONS, now=5)
    assert not after.unserved
    assert len(after.routes) == 2


def test_places_and_savings_count_the_balance() -> None:
    """An offer costs what its plan costs more, and a visit what it saves."""
    even = nr.Balance("stops", spread_cost=7, max_spread=1)
    van = nr.VehicleType(capacity=3, num_available=2, balances=(even,))
    instance = nr.Instance(
        "pairs",
        np.array([0, 1, 1, 1, 1]),
        coords=np.array(PAIRS),
        fleet=nr.Fleet((van,)),
    )
    plan = nr.solve(instance, ITERATIONS)
    offers = nr.offers(plan, {"id": "new", "x": 11, "y": 0, "demand": 1})
    assert offers
    for one in offers:
        taken = one.result
        assert taken.cost == pytest.approx(plan.cost + one.cost)
        assert not nr.check_solution(taken.instance, taken.best)
    routes = [[stop for stop in r if stop != 1] for r in plan.routes]
    without = nr.Solution.from_routes(instance, routes)
    saved = nr.explain(plan, "1").cost
    assert saved == pytest.approx(plan.cost - without.cost)
