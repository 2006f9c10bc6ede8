"""Plans whose longest route is as short as possible."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.values import NO_LIMIT
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.min_max import cost_within, largest
from tests.oracles.problems import (
    DAY,
    FLEETS,
    LIMITS,
    PLACES,
    RULES,
    TRAVEL,
    random_problem,
)
from tests.robustness.support import seeds

AMOUNTS = "duration", "distance", "stops"

SETS = {
    "fleets": FLEETS,
    "rules": FLEETS + RULES,
    "limits": (*FLEETS, *LIMITS, "shipments", "pickups"),
    "trips": ("types", "depots", "windows", "reloads", "pickups", "releases"),
    "travel": (*LIMITS, *TRAVEL, *RULES, *PLACES, "windows"),
    "day": (*FLEETS, *DAY, "overtime"),
}
"""Features of random problems, whose arcs need not keep the triangle
inequality."""

ITERATIONS = nr.stop.MaxIterations(60)


def plane(
    coords: list[tuple[int, int]], *types: nr.VehicleType, **fields: Any
) -> nr.Instance:
    """Return a problem of customers with the demand 1 in the plane."""
    num_depots = fields.get("num_depots", 1)
    demands = np.ones(len(coords), dtype=int)
    demands[[0, *range(len(coords) - num_depots + 1, len(coords))]] = 0
    return nr.Instance(
        "plane",
        demands,
        coords=np.array(coords),
        fleet=nr.Fleet(types),
        **fields,
    )


RING = [(0, 0), (30, 0), (20, 20), (0, 30), (-25, 15), (-30, -5), (10, -30)]
"""A depot and six customers around it."""

KIND = nr.VehicleType(capacity=6, num_available=2)


def shapes() -> dict[str, nr.Instance]:
    """Return problems of six customers whose plans differ in what is large."""
    size = len(RING)
    fast = replace(KIND, num_available=1, speed_factor=2)
    long_service = np.array([0, 90, 5, 5, 5, 5, 5])
    early = np.array([0, 60, 0, 200, 0, 120, 0])
    late = np.array([999, 90, 400, 230, 400, 160, 400])
    two = [*RING, (40, 40)]
    return {
        "two vehicles": plane(RING, KIND),
        "three vehicles": plane(RING, replace(KIND, num_available=3)),
        "one is quicker": plane(RING, replace(KIND, num_available=1), fast),
        "one long service": plane(
            RING,
            KIND,
            windows=nr.TimeWindows.of(size, service_durations=long_service),
        ),
        "windows": plane(
            RING,
            KIND,
            windows=nr.TimeWindows.of(size, tw_early=early, tw_late=late),
        ),
        "two depots": plane(
            two,
            replace(KIND, num_available=1),
            replace(KIND, num_available=1, start_depot=1, end_depot=1),
            num_depots=2,
        ),
        "open routes": plane(RING, replace(KIND, end_depot=None)),
        "as many as customers": plane(RING, replace(KIND, num_available=None)),
        "dear vehicles": plane(
            RING, replace(KIND, num_available=3, fixed_cost=1000)
        ),
        "paid by time": plane(
            RING,
            replace(KIND, unit_duration_cost=2, unit_distance_cost=0),
            replace(KIND, num_available=1, capacity=2),
        ),
    }


@pytest.mark.parametrize("what", AMOUNTS)
@pytest.mark.parametrize("shape", shapes())
def test_largest_amount_then_cost_is_least(shape: str, what: str) -> None:
    """A look at all plans finds none with less, or as much at a lower cost."""
    instance = shapes()[shape]
    objective = f"min-max-{what}"
    found = nr.solve(instance, ITERATIONS, objective=objective)
    amount = largest(instance, found.best, what)
    assert amount == found.largest
    assert amount % 1 == 0
    assert cost_within(instance, what, int(amount) - 1) == np.inf
    assert found.cost == cost_within(instance, what, int(amount))


def test_it_is_another_plan_than_the_cheapest_one() -> None:
    """Of most shapes, the cheapest plan has a longer route."""
    differing = 0
    for instance in shapes().values():
        cheapest = nr.solve(instance, ITERATIONS)
        even = nr.solve(instance, ITERATIONS, objective="min-max-duration")
        longest = largest(instance, cheapest.best, "duration")
        assert even.largest is not None
        assert even.largest <= longest
        assert even.cost >= cheapest.cost
        differing += even.largest < longest
    assert differing >= 6


@pytest.mark.parametrize("name", SETS)
def test_random_problems(name: str) -> None:
    """Arcs at random hide the best plan, or any plan, in few cases."""
    verdicts: Counter[str] = Counter()
    for seed in seeds(1000, step=41):
        instance, what = random_problem(seed, SETS[name], 5), AMOUNTS[seed % 3]
        try:
            found = nr.solve(instance, ITERATIONS, objective=f"min-max-{what}")
        except nr.InfeasibleError:
            is_missed = cheapest_plan(instance) < np.inf
            verdicts["more"] += is_missed
            continue
        amount = largest(instance, found.best, what)
        assert amount == pytest.approx(found.largest), seed
        if amount % 1 or not instance.is_integral:
            continue
        cost = cost_within(instance, what, int(amount))
        assert found.cost >= cost, seed
        less = int(amount) - 1
        is_least = less < 0 or cost_within(instance, what, less) == np.inf
        verdicts["least" if is_least and found.cost == cost else "more"] += 1
    assert verdicts["least"] > 5
    assert verdicts["more"] <= max(1, 0.06 * verdicts.total())


def test_fewest_are_left_out_before_the_largest_amount_counts() -> None:
    """Each vehicle has room for two of five; both serve two, and near ones.

    The two vehicles cannot serve more, however short their routes may be.
    """
    instance = plane(RING[:6], replace(KIND, capacity=2))
    found = nr.solve(
        instance,
        ITERATIONS,
        objective="min-max-distance",
        allow_unserved=True,
    )
    assert len(found.unserved) == 1
    kept = [node for route in found.routes for node in route]
    served = instance.derived(
        selection=nr.Selection(np.zeros(6), np.isin(np.arange(6), [0, *kept]))
    )
    assert found.largest is not None
    most = int(found.largest)
    assert cost_within(served, "distance", most) == found.cost
    assert cost_within(served, "distance", most - 1) == np.inf


def test_nobody_is_served_and_no_route_is_long() -> None:
    """All customers are too large for the vehicles."""
    instance = plane(RING, replace(KIND, capacity=0))
    for what in AMOUNTS:
        found = nr.solve(
            instance,
            ITERATIONS,
            objective=f"min-max-{what}",
            allow_unserved=True,
        )
        assert found.largest == 0.0
        assert len(found.unserved) == 6


def test_a_start_never_gets_longer() -> None:
    """A good start is kept in what counts first."""
    instance = shapes()["windows"]
    first = nr.solve(instance, ITERATIONS, objective="min-max-duration")
    again = nr.solve(
        instance,
        nr.stop.MaxIterations(1),
        initial_solution=first,
        objective="min-max-duration",
    )
    assert again.largest == first.largest
    assert again.cost <= first.cost


def test_same_seed_gives_the_same_answer() -> None:
    """Without a time limit nothing depends on the clock."""
    instance = random_problem(3, PLACES, 6)
    plans = {
        nr.solve(instance, ITERATIONS, objective="min-max-distance").routes
        for _ in range(2)
    }
    assert len(plans) == 1


def test_a_new_plan_keeps_the_objective() -> None:
    """Unless another one is asked for."""
    first = nr.solve(plane(RING, KIND), ITERATIONS, objective="min-max-stops")
    after = nr.replan(first, stop=ITERATIONS, now=None)
    assert after.largest == first.largest
    by_cost = nr.replan(first, stop=ITERATIONS, now=None, objective="cost")
    assert by_cost.largest is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"polish": "none"}, "by ruin-recreate or auto, got none"),
        ({"polish": "pyvrp"}, "by ruin-recreate or auto, got pyvrp"),
        ({"max_extra_cost": 0.1}, "max_extra_cost does not go with objective"),
        (
            {"bound_seconds": 1.0},
            "bound_seconds and BoundGap go with the objective",
        ),
    ],
)
def test_what_it_does_not_go_with(
    options: dict[str, Any], message: str
) -> None:
    """The message names the parameter."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.solve(plane(RING, KIND), objective="min-max-stops", **options)


def test_problems_it_does_not_go_with() -> None:
    """Who may be left out would be, and wishes may lengthen a route."""
    optional = replace(
        plane(RING, KIND),
        selection=nr.Selection(np.zeros(7), np.arange(7) != 2),
    )
    windows = nr.TimeWindows.of(
        7,
        preferred=[(0, NO_LIMIT), *[(10, 20)] * 6],
        late_costs=[0, 1, 1, 1, 1, 1, 1],
    )
    wishes = replace(plane(RING, KIND), windows=windows)
    for instance, objective, message in (
        (optional, "min-max-stops", "optional customers"),
        (wishes, "min-max-duration", "preferred windows"),
    ):
        with pytest.raises(nr.UnsupportedProblemError, match=message):
            nr.solve(instance, ITERATIONS, objective=objective)
    found = nr.solve(wishes, ITERATIONS, objective="min-max-stops")
    assert found.largest == 3


def test_it_is_said() -> None:
    """The summary, the JSON and the result read from it have the amount."""
    instance = shapes()["two vehicles"]
    plain = nr.solve(instance, ITERATIONS)
    assert plain.largest is None
    assert "largest" not in plain.summary()
    assert "largest" not in json.loads(plain.to_json())
    found = nr.solve(instance, ITERATIONS, objective="min-max-stops")
    assert "largest   3 stops on a route" in found.summary()
    assert json.loads(found.to_json())["largest"] == 3.0
    assert nr.Result.from_json(found.to_json()).largest == 3.0


def test_plans_are_compared_by_it() -> None:
    """A plan before and after a change: both largest amounts are told."""
    instance = shapes()["two vehicles"]
    plan = nr.solve(instance, ITERATIONS)
    after = nr.what_if(plan, stop=ITERATIONS, objective="min-max-distance")
    before = largest(instance, plan.best, "distance")
    assert after.largest_before == before
    assert after.result.largest is not None
    assert after.largest_after == after.result.largest < before
    assert f"largest   {before:.0f} -> {after.result.largest:.0f}" in str(
        after
    )
    assert after.to_json()["largest_before"] == before


def test_offers_that_lengthen_the_longest_route_come_last() -> None:
    """The cheapest place is on the longest route."""
    coords = [(0, 0), (50, 0), (60, 0), (-10, 0), (40, 30)]
    instance = plane(coords, KIND)
    required = nr.Selection(np.zeros(5), np.arange(5) < 4)
    plan = nr.solve(
        replace(instance, selection=required),
        ITERATIONS,
        initial_solution=[[1, 2], [3]],
    )
    assert plan.routes == ((1, 2), (3,))
    [near, *_] = nr.offers(plan, "4")
    assert near.route == 1
    even = replace(plan, params={"objective": "min-max-distance"})
    [first, *_] = nr.offers(even, "4")
    assert first.route == 2
    assert first.cost > near.cost
