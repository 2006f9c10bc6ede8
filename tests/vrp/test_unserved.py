"""Plans that leave customers out where not all can be served."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.events import Progress
from ncc_routing.generators.time_windows import generate_time_windows
from ncc_routing.problems.routes.unserved import Reason
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import (
    DAY,
    FLEETS,
    HOURS,
    LIMITS,
    PARTS,
    PLACES,
    RULES,
    random_problem,
)
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path

SOON: dict[str, Any] = {"polish": "none", "time_limit": 1e-3}
"""A construction alone."""

LOST = 100_000
"""What an unserved customer costs here, more than any plan."""


def on_a_line(*places: int, **more: object) -> nr.Instance:
    """Return customers of demand 1 right of the depot at 0."""
    coords = np.array([[x, 0] for x in (0, *places)])
    demands = np.array([0, *[1] * len(places)])
    fields = {"demands": demands, "fleet": vans(2), **more}
    return nr.Instance("line", coords=coords, **fields)  # type: ignore[arg-type]


def vans(capacity: int, number: int | None = 1) -> nr.Fleet:
    """Return a fleet of one type."""
    return nr.Fleet((nr.VehicleType(capacity=capacity, num_available=number),))


def names(result: nr.Result) -> list[int]:
    """Return the unserved customers of a result."""
    return [one.customer for one in result.unserved]


def test_the_farthest_stays_out() -> None:
    """There is room for two of three: the nearest two cost 4."""
    instance = on_a_line(1, 2, 3)
    with pytest.raises(nr.InfeasibleError):
        nr.solve(instance, time_limit=0.2)
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert names(result) == [3]
    capacity, vehicles = result.unserved[0].reasons
    assert (
        str(capacity) == result.unserved[0].why == "exceeds the capacity by 1"
    )
    assert (capacity.excess, capacity.certain) == (1.0, False)
    assert vehicles.constraint == "vehicles"
    assert result.cost == 4.0
    assert not result.is_feasible
    assert {v.kind for v in nr.check_solution(instance, result.best)} == {
        "missing"
    }


def test_a_window_keeps_out() -> None:
    """The last customer, at 9, closes at 8."""
    windows = nr.TimeWindows.of(4, np.zeros(4, int), np.array([99, 99, 99, 8]))
    instance = on_a_line(1, 2, 9, fleet=vans(9, None), windows=windows)
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert names(result) == [3]
    assert result.unserved[0].reasons == (
        Reason(0, "window", "reached at 9, closes at 8", 1.0, certain=True),
    )
    assert result.cost == 4.0


def test_an_order_that_no_vehicle_can_hold_stays_out() -> None:
    """Without a limit on vehicles too; of several dimensions each counts."""
    instance = nr.Instance(
        "line",
        np.array([0, 1, 3]),
        2,
        np.array([[0, 0], [1, 0], [2, 0]]),
        ids=("yard", "small", "large"),
    )
    message = r"customer 2 \(id large\): its demand of 3 exceeds the larg"
    with pytest.raises(nr.InfeasibleError, match=message) as error:
        nr.solve(instance, time_limit=0.1)
    assert error.value.absent == ("large",)
    (finding,) = nr.diagnose(instance).fatal
    assert (finding.kind, finding.ids) == ("demand", ("large",))
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert [one.id for one in result.unserved] == ["large"]
    assert result.unserved[0].why == "exceeds the capacity by 1"
    assert result.unserved[0].reasons[0].certain
    wide = replace(
        instance,
        demands=np.array([0, 1, 1]),
        loads=nr.Loads(np.array([[0, 0], [1, 4], [1, 0]]), np.zeros((3, 2))),
        capacity=2,
        fleet=nr.Fleet((nr.VehicleType(capacity=2, other_capacities=(3,)),)),
    )
    message = (
        "its delivery of 4 exceeds the largest capacity in dimension 2, 3"
    )
    with pytest.raises(nr.InfeasibleError, match=message):
        nr.solve(wide, time_limit=0.1)


def test_who_can_all_be_served_are() -> None:
    """Where nobody must stay out the answer is the same, bit by bit."""
    instance = on_a_line(1, 2, 3, 5, fleet=vans(2, 2))
    stop = nr.stop.MaxIterations(500)
    plain = nr.solve(instance, stop)
    result = nr.solve(instance, stop, allow_unserved=True)
    assert result.unserved == ()
    assert result.is_feasible
    assert result.best == plain.best


def test_both_ends_of_a_shipment_stay_out() -> None:
    """The shipment of 5 is too large for the van, which serves the others."""
    instance = replace(
        on_a_line(1, 2, 3, 4, fleet=vans(4)),
        demands=np.zeros(5, int),
        shipments=(nr.Shipment(1, 2, (2,)), nr.Shipment(3, 4, (2,))),
        constraints=nr.RouteConstraints(different_routes=((1, 3),)),
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert names(result) == [3, 4]
    assert result.cost == 4.0


@pytest.mark.parametrize("late", [2, 1])
def test_a_shipment_on_board_is_delivered_in_time(late: int) -> None:
    """It was picked up at 1 and reaches 2 at time 2; the last stop is late."""
    begun = nr.InProgressRoute(0, (1,), (0, 1))
    instance = replace(
        on_a_line(1, 2, 3, fleet=vans(4)),
        demands=np.array([0, 0, 0, 1]),
        windows=nr.TimeWindows.of(4, np.zeros(4), np.array([99, 99, late, 2])),
        shipments=(nr.Shipment(1, 2, (2,)),),
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )
    stop = nr.stop.MaxIterations(100)
    if late == 1:
        with pytest.raises(nr.InfeasibleError):
            nr.solve(instance, stop)
        result = nr.solve(instance, stop, allow_unserved=True)
        assert (result.routes, names(result)) == (((1,),), [2, 3])
        assert result.unserved[0].why == "reached at 2, closes at 1"
        return
    result = nr.solve(instance, stop, allow_unserved=True)
    assert (result.routes, names(result)) == (((1, 2),), [3])


def test_who_share_a_route_stay_out_together() -> None:
    """The van has room for two: 1 and 2, who share it, or 3 alone."""
    instance = on_a_line(
        *(1, 2, 3),
        constraints=nr.RouteConstraints(same_route=((1, 2),)),
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert names(result) == [3]
    crowded = replace(instance, fleet=vans(1), capacity=1)
    result = nr.solve(crowded, nr.stop.MaxIterations(300), allow_unserved=True)
    assert names(result) == [1, 2]
    assert [one.reasons[0].constraint for one in result.unserved] == [
        "together",
        "together",
    ]


@pytest.mark.parametrize("seed", range(12))
def test_who_are_all_served_or_none_stay_out_together(seed: int) -> None:
    """As few as can be; groups may have members in common."""
    rng = random.Random(seed)
    size, number = rng.randint(3, 6), rng.randint(1, 2)
    nodes = range(1, size + 1)
    demands = [rng.randint(1, 3) for _ in nodes]
    capacity = rng.randint(3, 5)
    groups = tuple(tuple(rng.sample(nodes, 2)) for _ in range(2))
    instance = on_a_line(
        *nodes,
        demands=np.array([0, *demands]),
        fleet=vans(capacity, number),
        constraints=nr.RouteConstraints(all_or_none=groups),
    )

    fewest = size
    for drivers in product(range(number + 1), repeat=size):  # 0 is nobody
        loads = np.bincount(drivers, demands, number + 1)[1:]
        is_out = [driver == 0 for driver in drivers]
        if max(loads) <= capacity and all(
            is_out[one - 1] == is_out[other - 1] for one, other in groups
        ):
            fewest = min(fewest, sum(is_out))
    found = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True, seed=1
    )
    assert len(found.unserved) == fewest
    assert all(one.reasons for one in found.unserved)


def test_a_required_group_stays_out() -> None:
    """One of 2 and 3 must be served, and there is room for one stop."""
    instance = on_a_line(
        *(1, 2, 3),
        fleet=vans(1),
        selection=nr.Selection(
            np.zeros(4), np.array([0, 1, 0, 0]), (nr.Group((2, 3)),)
        ),
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert names(result) == [2]
    assert result.routes == ((1,),)


def test_json_keeps_them() -> None:
    """A result is read with its unserved customers, and not without."""
    stop = nr.stop.MaxIterations(300)
    result = nr.solve(on_a_line(1, 2, 3), stop, allow_unserved=True)
    again = nr.Result.from_json(result.to_json())
    assert again.unserved == result.unserved
    assert "unserved  1" in again.summary()
    text = result.to_json().replace('"unserved": [{', '"left": [{')
    with pytest.raises(nr.ParameterError, match="is not visited"):
        nr.Result.from_json(text)


def test_a_prize_is_worth_less_than_a_required_customer() -> None:
    """Customer 3 has a prize of 50, and 1 and 2 must be served."""
    instance = on_a_line(
        *(1, 2, 3),
        selection=nr.Selection(
            np.array([0, 0, 0, 50]), np.array([0, 1, 1, 0])
        ),
        fleet=vans(2),
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert result.unserved == ()
    assert result.cost == 54.0


def test_complete_plans_are_compared() -> None:
    """Who compares plans serves all."""
    instance = on_a_line(1, 2)
    plan = nr.solve(instance, time_limit=0.1)
    params = nr.SolveParams(allow_unserved=True, max_extra_cost=0.1)
    message = "allow_unserved does not go with"
    with pytest.raises(nr.ParameterError, match=f"{message} max_extra_cost"):
        nr.solve(instance, initial_solution=plan, params=params)
    with pytest.raises(nr.ParameterError, match=f"{message} solve_days"):
        nr.solve_days([instance, instance], params=params)


REASONS: list[tuple[dict[str, Any], str, float | None, str]] = [
    # Customer 3, at 9, where another one, at 1, is on the only route.
    ({"demands": [0, 1, 0, 2]}, "capacity", 1, "exceeds the capacity by 1"),
    ({"late": [99, 99, 99, 7]}, "window", 2, "reached at 9, closes at 7"),
    ({"late": [17, 99, 99, 99]}, "return", 1, "returns at 18, limit 17"),
    ({"late": [99, 10, 99, 99], "early": [0, 0, 0, 12], "tw_late": 20},
     "return", 1, "returns at 21, limit 20"),
    ({"max_distance": 16}, "distance", 2, "drives 18, limit 16"),
    ({"shift_duration": 15}, "shift", 3, "takes 18, limit 15"),
    ({"release": [0, 0, 0, 5], "start_late": 3}, "start", 2,
     "goods ready 2 after the latest start"),
    ({"skills": ((), (), (), ("lift",))}, "skill", None, "lacks lift"),
    ({"different_routes": ((1, 3),)}, "apart", None,
     "must be apart from others on the route"),
    ({"districts": (-1, 0, -1, 1), "max_districts": 1}, "district", None,
     "too many districts on the route"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "kind", "excess", "text"), REASONS)
def test_reasons_are_of_the_final_routes(
    changes: dict[str, Any], kind: str, excess: float | None, text: str
) -> None:
    """Customer 1 is served first by its priority; 2 may be left out."""
    changes = dict(changes)
    names_of_rules = (
        *("skills", "different_routes", "districts", "max_districts"),
    )
    rules = {
        name: changes.pop(name) for name in names_of_rules if name in changes
    }
    windows = nr.TimeWindows.of(
        4,
        changes.pop("early", np.zeros(4)),
        changes.pop("late", np.full(4, 99)),
        release_times=changes.pop("release", np.zeros(4)),
    )
    instance = replace(
        on_a_line(1, 2, 9, windows=windows),
        demands=np.array(changes.pop("demands", [0, 1, 0, 1])),
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=2, num_available=1, **changes),)
        ),
        selection=nr.Selection(
            np.zeros(4), np.array([0, 1, 0, 1]), (), np.array([0, 9, 0, 1])
        ),
        constraints=nr.RouteConstraints(**rules) if rules else None,
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(200), allow_unserved=True
    )
    assert [(one.customer, one.priority) for one in result.unserved] == [
        (3, 1)
    ]
    reason, *others = result.unserved[0].reasons
    assert (reason.constraint, reason.excess, str(reason)) == (
        kind,
        excess,
        text,
    )
    assert [one.constraint for one in others] in ([], ["vehicles"])


def test_the_fewest_vehicles_may_cost_more() -> None:
    """The large one drives 4 at 10 each; two small ones 2 and 4 at 1."""
    large = nr.VehicleType(capacity=2, unit_distance_cost=10)
    fleet = nr.Fleet((large, nr.VehicleType(capacity=1)))
    instance = on_a_line(1, 2, fleet=fleet)
    for objective, cost, routes in (
        ("cost", 6.0, 2),
        ("fewest-vehicles", 40.0, 1),
    ):
        stop = nr.stop.MaxIterations(200)
        result = nr.solve(instance, stop, objective=objective)
        assert (result.cost, result.num_routes) == (cost, routes)
        assert result.trace[-1].cost == cost
    with pytest.raises(nr.ParameterError, match="go with the objective"):
        nr.solve(instance, objective="fewest-vehicles", bound_seconds=1.0)


def test_criteria_know_the_cost_without_prices_of_vehicles() -> None:
    """A plan costs 40 with one vehicle, and 6 with two."""
    large = nr.VehicleType(capacity=2, unit_distance_cost=10)
    fleet = nr.Fleet((large, nr.VehicleType(capacity=1)))
    instance = on_a_line(1, 2, fleet=fleet)
    costs: list[float] = []

    def ask(cost: float) -> bool:
        costs.append(cost)
        return cost == 40.0

    result = nr.solve(
        instance, ask, time_limit=60.0, objective="fewest-vehicles"
    )
    assert (result.cost, result.num_routes) == (40.0, 1)
    assert result.runtime < 30.0
    assert {*costs} <= {6.0, 40.0}


def test_routes_are_given_up_until_the_vehicles_are_fewest() -> None:
    """The load fills 19 vehicles, and a construction takes more."""
    instance = generate_time_windows(200, 901, share=1.0)
    assert -(-instance.demands.sum() // instance.capacity) == 19
    for objective, is_least in (("cost", False), ("fewest-vehicles", True)):
        result = nr.solve(
            instance, time_limit=100.0, polish="none", objective=objective
        )
        assert (result.num_routes == 19) is is_least


@pytest.mark.parametrize(
    ("given", "phase"),
    [
        ({"method": "savings"}, "savings"),
        ({"initial_solution": [[2], [3]]}, "initial-solution"),
    ],
)
def test_those_who_fit_nowhere_stay_out(given: Any, phase: str) -> None:
    """Nobody can carry 9; savings, or a start, get customers 2 and 3."""
    instance = nr.Instance(
        demands=np.array([0, 9, 1, 1]), capacity=2, coords=np.eye(4, 2)
    )
    stop = nr.stop.MaxIterations(10)
    result = nr.solve(instance, stop, allow_unserved=True, **given)
    assert (names(result), result.phases[0]) == ([1], phase)


@pytest.mark.parametrize("polish", ["none", "auto"])
@pytest.mark.parametrize(
    ("given", "phase"),
    [
        ({"method": "savings"}, "savings"),
        ({"initial_solution": [[1]]}, "initial-solution"),
    ],
)
def test_nobody_is_served_whom_no_vehicle_can_hold(
    given: Any, phase: str, polish: str
) -> None:
    """The construction is named that would have served them."""
    instance = nr.Instance(
        "large", np.array([0, 8, 9]), 7, matrix=np.full((3, 3), 5.0)
    )
    found = nr.solve(
        instance,
        nr.stop.MaxIterations(20),
        polish=polish,
        allow_unserved=True,
        **given,
    )
    assert found.method == found.phases[0] == phase
    assert [one.customer for one in found.unserved] == [1, 2]


def test_progress_tells_who_is_left_out() -> None:
    """Costs are those of the routes, without prizes."""

    class Last(nr.Callbacks):
        progress = Progress("", 0.0)

        def on_best(self, progress: Progress) -> None:
            self.progress = progress

    last = Last()
    stop = nr.stop.MaxIterations(200)
    instance = on_a_line(1, 2, 3)
    nr.solve(instance, stop, allow_unserved=True, callbacks=last)
    assert (last.progress.unserved, last.progress.cost) == (1, 4.0)


def test_priorities_of_many_levels_need_several_searches() -> None:
    """Prizes that grow fifty times would pass exact sums: 20 of 50."""
    priorities = np.append(0, np.random.default_rng(1).permutation(50))
    instance = on_a_line(
        *range(1, 51),
        fleet=vans(10, 2),
        selection=nr.Selection(np.zeros(51), np.ones(51), (), priorities),
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(2000), allow_unserved=True
    )
    left = {one.priority for one in result.unserved}
    assert left == set(range(30))
    assert len(result.phases) > 2


def test_as_few_as_possible_stay_out() -> None:
    """Small problems with all route constraints against all their plans.

    Fewest of the highest priority first, then vehicles if asked for, and cost.
    """
    own = ("types", "costs", "optional", "open", "speeds")
    parts = (*own, *RULES, *LIMITS, *DAY)
    verdicts: Counter[str] = Counter()
    for seed in seeds(48, step=2):
        instance = random_problem(seed, parts, 5, share=0.4)
        selection, required = instance.selection, instance.required
        if selection is None:
            selection = nr.Selection(np.zeros(len(required)), required)
        levels = np.random.default_rng(seed).integers(0, 3, len(required))
        instance = replace(
            instance, selection=replace(selection, priorities=50 * levels)
        )
        lost, car = LOST * 10.0**levels, 1_000.0 * (seed % 2)
        types = tuple(
            replace(each, fixed_cost=each.fixed_cost + car)
            for each in instance.vehicle_types
        )
        optional = replace(
            instance,
            selection=nr.Selection(
                selection.prizes + lost * required, np.zeros(len(required))
            ),
            fleet=nr.Fleet(types),
        )
        optimum = cheapest_plan(optional)
        if optimum == math.inf:  # an in-progress route breaks a rule
            continue
        result = nr.solve(
            *(instance, nr.stop.MaxIterations(500)),
            seed=seed,
            allow_unserved=True,
            objective="fewest-vehicles" if car else "cost",
        )
        cost = result.cost + car * result.num_routes
        cost += float(lost[names(result)].sum())
        assert cost > optimum - 1e-6, seed
        rules = instance.constraints
        parted = rules is not None and rules.same_route
        verdicts["parted" if parted else str(cost < optimum + 1e-6)] += 1
        first = nr.solve(instance, allow_unserved=True, **SOON)
        left = float(lost[names(first)].sum())
        if not (car or parted):
            assert left == float(lost[names(result)].sum()), seed
    assert verdicts["True"] >= 8
    assert verdicts["False"] <= 1


def test_a_mixed_group_is_chosen_in_the_search() -> None:
    """Of 1, 2 and 5 on one route, 5 is optional: 1 and 2 come together."""
    instance = on_a_line(
        *(5, 6, 1, 2, 7),
        selection=nr.Selection(
            np.array([0, 0, 0, 0, 0, 1]), np.array([0, 1, 1, 1, 1, 0])
        ),
        constraints=nr.RouteConstraints(same_route=((1, 2, 5),)),
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=3, num_available=1, max_distance=12),)
        ),
    )
    result = nr.solve(
        instance, nr.stop.MaxIterations(300), allow_unserved=True
    )
    assert len(names(result)) == 1
    assert set(names(result)) < {3, 4}
    assert {1, 2} < set(result.routes[0])


@pytest.mark.parametrize("seed", range(6))
def test_a_construction_leaves_the_lowest_priority_out(seed: int) -> None:
    """Of twelve at random, by priority; of prizes those below their detour."""
    rng = np.random.default_rng(seed)
    priorities = np.append(0, rng.permutation(12))
    places = rng.integers(1, 50, 12)
    instance = on_a_line(
        *places,
        fleet=vans(5),
        selection=nr.Selection(np.zeros(13), np.ones(13), (), priorities),
    )
    result = nr.solve(instance, allow_unserved=True, **SOON)
    assert sorted(one.priority for one in result.unserved) == [*range(7)]
    prized = on_a_line(
        *places,
        fleet=vans(12, 2),
        selection=nr.Selection(np.append(0, np.full(12, 3)), np.zeros(13)),
    )
    assert nr.solve(prized, **SOON).cost <= 36


def test_optional_orders_that_are_left_out_are_named(tmp_path: Path) -> None:
    """In rows, JSON, the page and the summary, as optional ones.

    The far order costs more than its prize; of a group one is enough.
    """
    rows = [
        {"id": "yard", "x": 0, "demand": 0},
        {"id": "near", "x": 3, "prize": 50},
        {"id": "far", "x": 900, "prize": 5},
        {"id": "free", "x": 800, "one of": "b", "required": 0},
        {"id": "one", "x": 2, "one of": "a"},
        {"id": "other", "x": 700, "one of": "a"},
    ]
    rows = [{"y": 0, "demand": 1, "required": 1, **row} for row in rows]
    rows[1]["required"] = rows[2]["required"] = 0
    result = nr.solve(nr.read(rows, capacity=9), time_limit=0.2, seed=1)
    assert (result.unserved, result.is_feasible) == ((), True)
    assert [(one.id, one.why) for one in result.absent] == [
        ("far", "optional"),
        ("free", "optional"),
    ]
    file = tmp_path / "plan.csv"
    result.write(file)
    lines = file.read_text().splitlines()[-2:]
    assert all("unserved" in line and "optional" in line for line in lines)
    assert nr.check_solution(result.instance, result.best) == []
    content = json.loads(result.to_json())
    assert [one["optional"] for one in content["unserved"]] == [True, True]
    again = nr.Result.from_json(result.to_json())
    assert (again.unserved, again.absent) == ((), result.absent)
    assert again.totals == result.totals
    assert "far (optional)" in result.summary()
    page = tmp_path / "plan.html"
    result.write(page)
    assert '"reasons":["optional"]' in page.read_text().replace(" ", "")


def test_open_route_that_ends_too_late_beside_a_saved_set_up() -> None:
    """Customer 1 opens 50 after the shift; 2 and 3 share their set-up."""
    van = nr.VehicleType(num_available=1, end_depot=None, tw_late=100)
    windows = nr.TimeWindows.of(4, [0, 150, 0, 0], [1000, 200, 1000, 1000])
    windows = replace(windows, setup_durations=np.array([0, 0, 0, 30]))
    day = nr.Instance(
        demands=np.zeros(4, dtype=int),
        coords=np.array([[0, 0], [10, 0], [5, 0], [5, 0]]),
        fleet=nr.Fleet((van,)),
        windows=windows,
    )
    for start in (None, [[2, 3, 1]]):
        result = nr.solve(
            day,
            nr.stop.MaxIterations(20),
            allow_unserved=True,
            initial_solution=start,
        )
        assert result.routes == ((2, 3),)
        assert [one.customer for one in result.unserved] == [1]


@pytest.mark.parametrize("seconds", [0.005, 0.05])
def test_no_plan_in_time_hides_a_route_that_cannot_return(
    seconds: float,
) -> None:
    """The duration of a route in progress is 52, and its limit 43."""
    parts = (*FLEETS, *PLACES, *DAY, *LIMITS, *RULES, *PARTS, *HOURS, "open")
    instance = random_problem(892, parts, 8, share=0.35)
    with pytest.raises(nr.InfeasibleError, match="takes 52 of 43"):
        nr.solve(instance, time_limit=seconds, allow_unserved=True)


@pytest.mark.parametrize(("closes", "route"), [(40, (2, 1)), (39, (1,))])
def test_a_vehicle_that_only_left_keeps_its_departure(
    closes: int, route: tuple[int, ...]
) -> None:
    """It left at 20 with goods for 1, and is at 2 at 40."""
    begun = nr.InProgressRoute(0, departures=(20,), on_board=(1,))
    instance = nr.Instance(
        "left",
        coords=np.array([[0, 0], [10, 0], [20, 0]]),
        demands=np.array([0, 1, 1]),
        windows=nr.TimeWindows.of(3, tw_late=[900, 900, closes]),
        fleet=nr.Fleet((nr.VehicleType(capacity=2, num_available=1),)),
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )
    stop = nr.stop.MaxIterations(50)
    result = nr.solve(instance, stop, seed=1, allow_unserved=True)
    assert result.best.routes == (route,)
    if closes < 40:
        (late, used) = result.unserved[0].reasons
        assert str(late) == "reached at 40, closes at 39"
        assert str(used) == "all are in use"


def test_a_route_goes_on_with_one_in_progress() -> None:
    """The goods of 2 left with another vehicle than the one that served 1."""
    both = (
        nr.InProgressRoute(0, (1,), (0, 10)),
        nr.InProgressRoute(0, departures=(90,), on_board=(2,)),
    )
    instance = nr.Instance(
        "two",
        coords=np.array([[0, 0], [10, 0], [20, 0]]),
        demands=np.array([0, 1, 1]),
        windows=nr.TimeWindows.of(3, tw_late=[900, 900, 100]),
        fleet=nr.Fleet((nr.VehicleType(capacity=2, num_available=2),)),
        constraints=nr.RouteConstraints(in_progress=both),
    )
    plan = nr.Solution.from_routes(instance, [(1, 2)])
    (found,) = nr.check_solution(instance, plan)
    assert found.message == "route 1 goes on with those of two vehicles"
    stop = nr.stop.MaxIterations(50)
    result = nr.solve(instance, stop, seed=1, allow_unserved=True)
    assert [str(each) for each in result.unserved[0].reasons] == [
        "reached at 110, closes at 100",
        "its goods are on board another vehicle",
    ]


@pytest.mark.parametrize("method", ["auto", "savings"])
def test_equal_vehicles_in_two_rows_leave_somebody_out(method: str) -> None:
    """They are those of one row, though a construction has more routes."""
    van = nr.VehicleType(capacity=7, num_available=1)
    both = replace(van, num_available=2)
    costs = {
        nr.solve(
            nr.Instance(
                coords=np.array([[0, 0], [3, 4], [6, 8], [0, 5]]),
                demands=np.array([0, 4, 7, 4]),
                fleet=nr.Fleet(types),
            ),
            nr.stop.MaxIterations(50),
            method=method,
            allow_unserved=True,
        ).cost
        for types in ((van, van), (both,))
    }
    assert len(costs) == 1
