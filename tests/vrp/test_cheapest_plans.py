"""Random small problems against all their plans, and rules by hand."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.draft import Draft
from ncc_routing.pyvrp.adapter import objective_of, to_problem_data, to_pyvrp
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.checker import Checker
from tests.oracles.problems import (
    DAY,
    FLEETS,
    LIMITS,
    ORDERS,
    PARTS,
    PLACES,
    PREFERRED,
    QUICK,
    RULES,
    STEPS,
    TRAVEL,
    random_problem,
)
from tests.oracles.shapes import shaped_problem
from tests.oracles.short_days import SHORT_EU, SHORT_US
from tests.robustness.count_optima import problems, verdict
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

ITERATIONS = 300
"""Iterations of ruin and recreate for each answer."""

SECONDS = 0.4
"""Processor time after which no plan is looked for any more."""

SETS = {
    "fleets": FLEETS,
    "pyvrp": FLEETS + PARTS,
    "rules": FLEETS + RULES,
    "places": (*PARTS, *RULES, *PLACES),
    "limits": (*FLEETS, *LIMITS, "shipments", "reloads", "pickups"),
    "travel": (*LIMITS, *TRAVEL, *RULES, *PLACES, "groups", "windows"),
    "day": FLEETS + PARTS + DAY,
    "no_ends": ("windows", "types", "setups", "own_services", "breaks"),
    "preferred": (
        *(*FLEETS, *PARTS, *LIMITS, *PREFERRED),
        *("open", "breaks", "in_progress"),
    ),
    "shifts": (*FLEETS, *DAY, *LIMITS, "open", "speeds", "pickups"),
    "steps": (
        *(*FLEETS, *LIMITS, *STEPS, "shipments", "reloads", "pickups"),
        *("overtime", "in_progress", "open", "optional"),
    ),
    "orders": (
        *(*FLEETS, *RULES, *ORDERS, "shipments", "reloads", "pickups"),
        *("setups", "open", "optional", "preferred"),
    ),
    "priced": (*FLEETS, *PREFERRED, *STEPS, "overtime", "breaks", "open"),
    "empty": (*FLEETS, *PARTS, "depots", "empty"),
    "quick": (*FLEETS, *DAY, *QUICK, "in_progress"),
    "quick_hours": (*FLEETS, *QUICK, "hours", "in_progress"),
}


FEW = ("day", "preferred", "shifts", "priced", "quick", "quick_hours")
"""Sets whose problems have five customers at most."""


def forms_of(instance: nr.Instance, folder: Path) -> Iterator[Any]:
    """Yield the problem in each form that can hold it."""
    yield instance
    if instance.rounding != "nearest":
        return
    file = folder / "case.vrp"
    try:
        nr.write_instance(file, instance)
    except nr.ParameterError:
        pass  # it has no place in a file
    else:
        yield file
    beyond = features.BEYOND_PYVRP | features.DRIVERS_DAY
    beyond |= {features.SPEED_FACTORS}
    if beyond.isdisjoint(instance.features) and not (
        instance.constraints or instance.is_geographic
    ):
        yield to_problem_data(instance)


def judge(given: Any, instance: nr.Instance, optimum: float) -> str:
    """Return whether the answer is the cheapest, dearer or that there is none.

    "beyond" is a cheaper one that ``cheapest_plan`` does not look at. PyVRP
    judges those to its own data and files.
    """
    stop = nr.stop.first_of(
        nr.stop.MaxIterations(ITERATIONS),
        nr.stop.TimeLimit(SECONDS, clock=time.process_time),
    )
    try:
        best = nr.solve(given, stop).best
    except nr.InfeasibleError:
        assert optimum == np.inf
        return "infeasible"
    if given is instance:
        cost = Checker(instance).plan_cost(best)
        assert best.cost == pytest.approx(cost, rel=1e-12)
    else:
        data = given
        if isinstance(given, Path):
            # The types of a file are those of vehicles that are alike.
            data = pyvrp.read(given, round_func="round")
        theirs = to_pyvrp(best, data)
        assert theirs.is_feasible()
        assert theirs.is_complete()
        assert objective_of(theirs) == best.cost
    slack = 1e-9 * abs(optimum)
    if best.cost < optimum - slack:
        assert any(route[-1] in instance.depots for route in best.routes)
        return "beyond"
    return "cheapest" if best.cost <= optimum + slack else "dearer"


@pytest.mark.parametrize("name", SETS)
def test_search_finds_the_cheapest_plans(name: str, tmp_path: Path) -> None:
    """No cost is wrong, no plan is missed, and nearly all are the best.

    As an instance, a file and PyVRP's data; what is fatal has no plan.
    """
    verdicts: Counter[str] = Counter()
    for seed in seeds(400, step=53):
        num_customers = 5 if name in FEW else 6
        instance = random_problem(seed, SETS[name], num_customers)
        optimum = cheapest_plan(instance)
        if nr.diagnose(instance).fatal:
            assert optimum == np.inf, seed
        for given in forms_of(instance, tmp_path):
            verdicts[judge(given, instance, optimum)] += 1
    assert verdicts["cheapest"] > verdicts.total() / 5
    assert verdicts["dearer"] <= max(1, 0.02 * verdicts.total())


def test_goods_are_loaded_before_they_are_delivered() -> None:
    """A van starts at home, 10 from the depot, and a customer is between.

    It brings goods to 1 behind the depot, and takes those of 2 at once.
    """
    home = nr.VehicleType(
        start_depot=1, end_depot=1, reload_depots=(0,), starts_empty=True
    )
    instance = nr.Instance(
        "home",
        np.array([0, 1, 0, 0]),
        coords=np.array([[0, 0], [5, 0], [8, 0], [10, 0]]),
        num_depots=2,
        loads=nr.Loads(
            np.array([[0], [1], [0], [0]]), np.array([[0], [0], [1], [0]])
        ),
        fleet=nr.Fleet((home,)),
    )
    best = nr.solve(instance, nr.stop.MaxIterations(100)).best
    assert (best.routes, best.cost) in (
        (((2, 0, 1),), 20.0),
        (((0, 1, 2),), 20.0),
    )
    early = nr.Solution.from_routes(instance, [(1, 2, 0)], [0])
    [broken] = nr.check_solution(instance, early)
    assert broken.kind == "goods"
    assert "delivers to customer 1 before it has loaded" in broken.message


def test_shapes_in_which_limits_bind() -> None:
    """No plan is wrong, none is refused, and nothing false is proven."""
    stop, found = nr.stop.MaxIterations(500), Counter[str]()
    for seed in seeds(1000, step=89):
        said = verdict(shaped_problem(seed), stop)
        assert said in ("cheapest", "dearer", "none"), seed
        found[said] += 1
    assert found["cheapest"] > found.total() / 2
    assert found["dearer"] <= max(1, 0.02 * found.total())


SHARED = ("types", "windows", "services", "setups", "own_services", "shifts")
"""Of problems whose customers share a few places."""


def test_set_ups_count_once_at_a_place() -> None:
    """Also where a stop has to wait, and by vehicles of any type."""
    verdicts: Counter[str] = Counter()
    parts = (*SHARED, "quick_setups", "durations", "breaks", "several")
    for seed in seeds(600, step=53):
        instance = random_problem(seed, parts, 5, share=0.5)
        rng = np.random.default_rng(seed)
        places = rng.integers(0, 3, len(instance.demands))
        instance = replace(instance, places=places)
        optimum = cheapest_plan(instance)
        verdicts[judge(instance, instance, optimum)] += 1
    assert verdicts["cheapest"] > verdicts.total() / 2
    assert verdicts["dearer"] <= max(1, 0.02 * verdicts.total())


def two_vans(field: str, day: dict[str, Any]) -> nr.Instance:
    """Return a slow and a quick van; the quick one alone can serve all."""
    kinds = [
        nr.VehicleType(
            name=name,
            num_available=1,
            capacity=9,
            tw_late=50,
            **(day | {field: (0, *[time] * 3)}),
        )
        for name, time in (("slow", 30), ("quick", 2))
    ]
    return nr.Instance(
        "two",
        np.array([0, 1, 1, 1]),
        matrix=5.0 * (1 - np.eye(4)),
        fleet=nr.Fleet(tuple(kinds)),
    )


@pytest.mark.parametrize("field", ["service_durations", "setup_durations"])
@pytest.mark.parametrize(
    "day",
    [
        {"breaks": (nr.Break(3, ((10, 30),)),)},
        {"breaks": (nr.Break(3, ((10, 30),)), nr.Break(5, ((0, 40),)))},
        {"hours_of_service": SHORT_EU},
        {"hours_of_service": SHORT_US},
    ],
)
@pytest.mark.parametrize("cost", ["unit_distance_cost", "unit_duration_cost"])
def test_each_vehicle_has_its_own_work_beside_breaks(
    cost: str, day: dict[str, Any], field: str
) -> None:
    """Three visits of the quick van take 26 and a break, and 50 are there.

    Two of the slow one do not fit: they take 75 before any break.
    """
    day = {**day, "unit_distance_cost": 0, cost: 1}
    instance = two_vans(field, day)
    assert not nr.diagnose(instance).fatal
    best = nr.solve(instance, nr.stop.MaxIterations(100), seed=1).best
    assert best.vehicle_types == (1,)
    assert best.cost == cheapest_plan(instance)
    start = nr.Solution.from_routes(instance, ((1, 2, 3),), (1,))
    again = nr.solve(
        instance, nr.stop.MaxIterations(1), initial_solution=start
    )
    assert again.cost == start.cost


def test_one_setup_serves_two_whose_window_opens_later() -> None:
    """The set-up of a is b's, so that b ends at 80, when c still opens.

    A set-up of its own would end b at 110.
    """
    rows = {
        "id": ["yard", "a", "b", "c"],
        "x": [0, 0, 0, 0],
        "y": [0, 20, 20, 19],
        "demand": [0, 1, 1, 1],
        "tw early": [0, 0, 60, 80],
        "tw late": [130, 1000, 70, 85],
        "service": [0, 10, 20, 5],
        "setup": [0, 30, 30, 0],
    }
    van = {"capacity": 9, "number": 1, "tw late": 130}
    result = nr.solve(nr.read(rows, [van]), nr.stop.MaxIterations(50), seed=1)
    assert result.best.routes == ((1, 2, 3),)
    assert result.cost == 40


def test_a_route_goes_to_the_type_whose_setups_count_once() -> None:
    """Two vans of the last type drive 26 and 12, and cost 3 each.

    Customers 1 and 2 share a place, 3 and 4 another one; a second set-up at
    the latter of each would come too late.
    """
    services = (0, 8, 9, 2, 7), (0, 10, 6, 4, 1)
    usual: dict[str, Any] = {"fixed_cost": 14, "unit_duration_cost": 1}
    fleet = nr.Fleet(
        (
            nr.VehicleType(
                capacity=7,
                num_available=1,
                unit_distance_cost=0,
                tw_early=18,
                tw_late=168,
                shift_duration=68,
                service_durations=services[0],
                **usual,
            ),
            nr.VehicleType(
                capacity=7,
                num_available=2,
                fixed_cost=3,
                tw_early=15,
                tw_late=102,
                shift_duration=52,
                service_durations=services[1],
                setup_durations=(0, 10, 7, 4, 11),
            ),
        )
    )
    instance = nr.Instance(
        demands=np.array([0, 1, 1, 2, 2]),
        coords=np.array([[11, 11], [3, 1], [3, 1], [8, 6], [8, 6]]),
        fleet=fleet,
        windows=nr.TimeWindows.of(
            5,
            np.array([0, 49, 0, 0, 33]),
            np.array([130, 67, 55, 55, 45]),
            np.array([0, 2, 7, 7, 0]),
            setup_durations=np.array([0, 3, 7, 2, 5]),
        ),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(300), seed=1)
    assert result.cost == cheapest_plan(instance) == 44


def test_no_break_interrupts_a_service_of_ones_own() -> None:
    """The break may begin up to 40, and both services end at 25 and 55.

    So it is had on the way to the second customer, from 25 on, although a
    quicker driver would be free for it at 16 and 46.
    """
    breaks = (nr.Break(5, ((20, 40),)),)
    slow = nr.VehicleType(
        capacity=9, breaks=breaks, service_durations=(0, 15, 15)
    )
    quick = nr.VehicleType(
        capacity=9, tw_late=1, breaks=breaks, service_durations=(0, 6, 6)
    )
    instance = nr.Instance(
        "two",
        np.array([0, 1, 1]),
        matrix=10.0 * (1 - np.eye(3)),
        fleet=nr.Fleet((slow, quick)),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(50), seed=1)
    rows = result.to_dataframe()
    [rest] = rows[rows["kind"] == "break"].itertuples()
    assert (rest.service_start, rest.departure) == (25, 30)


@pytest.mark.parametrize("seed", [575, 896])
def test_several_customers_join_a_route_together(seed: int) -> None:
    """None of them has a place alone.

    In 896 any of a group may come with customer 2, in 575 three come behind
    a reload of a vehicle with a shipment on board.
    """
    [(_, instance)] = problems(seed, seed)
    best = nr.solve(instance, nr.stop.MaxIterations(2000), seed=1).best
    assert best.cost == cheapest_plan(instance)


def test_nobody_is_dropped_who_makes_time_for_a_break() -> None:
    """A break from 79 on fits in front of customer 1 only by way of 2.

    The way there takes 50 from 51 on, and 1 closes at 101; by way of 2 it
    takes 32. The prize of 2 is not worth the 500 of its arc.
    """
    durations = np.array([[0, 50, 3], [29, 0, 44], [14, 29, 0.0]])
    distances = durations.copy()
    distances[0, 2] = 500
    van = nr.VehicleType(
        capacity=9,
        unit_duration_cost=2,
        breaks=(nr.Break(1, ((79, 89),)),),
    )
    instance = nr.Instance(
        "by way of 2",
        np.array([0, 1, 1]),
        matrix=distances,
        durations=durations,
        fleet=nr.Fleet((van,)),
        windows=nr.TimeWindows.of(3, [51, 0, 0], [999, 101, 999]),
        selection=nr.Selection(np.zeros(3), np.array([True, True, False])),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(20), seed=1)
    assert result.best.routes == ((2, 1),)
    assert result.cost == cheapest_plan(instance) == 558 + 2 * 62


def test_two_pairs_that_fit_only_when_they_overlap() -> None:
    """Both pickups come first, then the deliveries in the same order.

    Any arc but 0-1-3-2-4-0 is 100 long, and a route 50 at most.
    """
    matrix = np.full((5, 5), 100.0)
    np.fill_diagonal(matrix, 0.0)
    matrix[[0, 1, 3, 2, 4], [1, 3, 2, 4, 0]] = 10.0
    instance = nr.Instance(
        "pairs",
        np.zeros(5, dtype=int),
        matrix=matrix,
        fleet=nr.Fleet((nr.VehicleType(capacity=9, max_distance=50),)),
        shipments=(nr.Shipment(1, 2, (1,)), nr.Shipment(3, 4, (1,))),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(300), seed=1)
    assert result.best.routes == ((1, 3, 2, 4),)


def test_a_vehicle_that_reloads_takes_not_all_beginnings() -> None:
    """It costs nothing, and has one stop at most; the two need the other one.

    That drives 38 and 46, and has a set-up of 4, at 4 for a unit of time.
    """
    free = nr.VehicleType(
        capacity=9, num_available=1, max_stops=1, reload_depots=(0,)
    )
    paid = nr.VehicleType(capacity=9, num_available=1, unit_duration_cost=4)
    instance = nr.Instance(
        "free",
        np.array([0, 1, 1]),
        matrix=np.zeros((3, 3)),
        durations=np.array([[0, 38, 0], [46, 0, 46], [0, 38, 0.0]]),
        fleet=nr.Fleet((free, paid)),
        windows=nr.TimeWindows.of(
            3, release_times=[0, 0, 33], setup_durations=[0, 0, 4]
        ),
        constraints=nr.RouteConstraints(same_route=((1, 2),)),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(300), seed=1)
    assert result.best.vehicle_types == (1,)
    assert result.cost == cheapest_plan(instance) == 4 * 88


def test_the_look_at_every_plan_by_hand() -> None:
    """A vehicle starts late for a window, and reloads for customer 2.

    It goes to customer 1, 10 away and open from 30, back to reload, and to
    customer 2, 5 away. It starts at 20 and is back at 50.
    """
    kind = nr.VehicleType(
        capacity=9, fixed_cost=7, unit_duration_cost=2, reload_depots=(0,)
    )
    instance = nr.Instance(
        "hand",
        np.array([0, 5, 5]),
        matrix=np.array([[0, 10, 5], [10, 0, np.inf], [5, np.inf, 0]]),
        fleet=nr.Fleet((replace(kind, num_available=1),)),
        windows=nr.TimeWindows.of(
            3, tw_early=[0, 30, 0], tw_late=[1000, 40, 1000]
        ),
    )
    judge = Checker(instance)
    assert judge.route_cost([1], 0) == 7 + 20 + 2 * 20
    assert judge.route_cost([2, 1], 0) == np.inf
    assert judge.route_cost([1, 0, 2], 0) == 7 + 30 + 2 * 30
    assert cheapest_plan(instance) == 7 + 30 + 2 * 30
    two = nr.Fleet((replace(kind, reload_depots=()),))
    assert cheapest_plan(replace(instance, fleet=two)) == (
        7 + 20 + 2 * 20 + 7 + 10 + 2 * 10
    )


def test_a_profile_that_all_vehicles_have_counts() -> None:
    """There and back is 200; the matrix that no vehicle has says 2."""
    instance = nr.Instance(
        "profile",
        np.array([0, 1]),
        9,
        matrix=np.array([[0.0, 1.0], [1.0, 0.0]]),
        fleet=nr.Fleet((nr.VehicleType(capacity=9, profile=1),)),
        profiles=(nr.Profile(np.array([[0.0, 100.0], [100.0, 0.0]])),),
    )
    result = nr.solve(instance)
    assert result.cost == 200.0
    assert result.instance is instance


def test_routes_that_are_open_at_both_ends() -> None:
    """Nobody drives from or to the depot; two stops are 20 apart."""
    kind = nr.VehicleType(
        capacity=2, num_available=1, start_depot=None, end_depot=None
    )
    instance = nr.Instance(
        "open",
        np.array([0, 1, 1]),
        coords=np.array([[0, 0], [50, 30], [50, 50]]),
        fleet=nr.Fleet((kind,)),
    )
    assert nr.solve(instance, nr.stop.MaxIterations(20)).cost == 20


def test_customers_bring_a_in_progress_route_home() -> None:
    """Customer 1 is 50 from the depot, and 2 between them: 10 and 10."""
    matrix = np.full((3, 3), 10.0)
    matrix[1, 0] = 50.0
    for capacity, cost in ((2, 30.0), (1, None)):
        kind = nr.VehicleType(capacity=capacity, max_distance=40)
        for required in (True, False):
            instance = nr.Instance(
                name="far",
                demands=np.array([0, 1, 1]),
                matrix=matrix,
                fleet=nr.Fleet((kind,)),
                selection=nr.Selection(
                    np.zeros(3), np.array([True, True, required])
                ),
                constraints=nr.RouteConstraints(
                    in_progress=(nr.InProgressRoute(0, (1,)),)
                ),
            )
            if cost is None:
                with pytest.raises(
                    nr.InfeasibleError,
                    match="in-progress route 1 cannot return: route 1 "
                    "takes 60 of 40",
                ):
                    nr.solve(instance, stop=nr.stop.MaxIterations(20))
            else:
                found = nr.solve(instance, stop=nr.stop.MaxIterations(20))
                assert found.cost == cost
                assert found.routes == ((1, 2),)


def test_a_vehicle_that_left_too_late_for_its_break() -> None:
    """It left customer 2 at 103, and the break begins at 101 at the latest.

    The other type needs no set-up, so that a part of this one's is its own.
    """
    late = nr.VehicleType(
        capacity=9,
        setup_durations=(0, 14, 15),
        breaks=(nr.Break(17, ((101, 101),)),),
    )
    instance = nr.Instance(
        "late",
        np.array([0, 1, 1]),
        matrix=10.0 * (1 - np.eye(3)),
        fleet=nr.Fleet((nr.VehicleType(capacity=9), late)),
        constraints=nr.RouteConstraints(
            in_progress=(nr.InProgressRoute(1, (2,), (13, 103)),)
        ),
    )
    with pytest.raises(
        nr.InfeasibleError,
        match="in-progress route 1 cannot return: route 1 has no time for",
    ):
        nr.solve(instance, nr.stop.MaxIterations(20))


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
        constraints=nr.RouteConstraints(same_route=((1, 2), (2, 3))),
    )
    if required:
        with pytest.raises(nr.InfeasibleError, match="must share a route"):
            nr.solve(instance, stop=nr.stop.MaxIterations(20))
        return
    found = nr.solve(instance, stop=nr.stop.MaxIterations(20))
    assert found.cost == 20 + 20 + 1
    wide = replace(instance, capacity=3)
    assert nr.solve(wide, stop=nr.stop.MaxIterations(20)).cost == 40 + 1
    dear = nr.Selection(
        np.array([0, 0, 9, 0]), np.array([True, True, False, True])
    )
    found = nr.solve(
        replace(wide, selection=dear), stop=nr.stop.MaxIterations(20)
    )
    assert found.cost == cheapest_plan(found.instance)
    assert set(map(len, found.routes)) == {3}


def test_a_break_behind_what_is_delivered_on_the_way() -> None:
    """Goods of stops that are served are not on board any more.

    Customers need 5 units of one sort each, and the break has room for 4: it
    is on the way back from customer 2.
    """
    loads = nr.Loads(
        np.array([[0, 0], [5, 1], [5, 1]]), np.zeros((3, 2), dtype=int)
    )
    capacity: Any = (10, 9)
    kind = nr.VehicleType(
        capacity=capacity, breaks=(nr.Break(5, max_load=(4, 9)),)
    )
    begun = nr.InProgressRoute(0, (1,), departures=(0, 10))
    instance = nr.Instance(
        "sorts",
        np.array([0, 5, 5]),
        fleet=nr.Fleet((kind,)),
        matrix=np.array([[0, 10, 20], [10, 0, 10], [20, 10, 0]]),
        loads=loads,
        constraints=nr.RouteConstraints(in_progress=(begun,)),
    )
    best = nr.solve(instance, nr.stop.MaxIterations(10)).best
    assert best.routes == ((1, 2),)
    [schedule] = best.schedules(instance)
    assert [one.begin for one in schedule.breaks] == [20]


VEHICLE: int = 10**6
"""More than any plan costs."""


def fewest_vehicles(instance: nr.Instance) -> tuple[float, float]:
    """Return the least number of vehicles, and the least cost of so many."""
    dear = Draft.of(instance)
    dear.set_types(
        replace(one, fixed_cost=one.fixed_cost + VEHICLE)
        for one in dear.vehicle_types
    )
    return divmod(cheapest_plan(dear.build()), VEHICLE)


@pytest.mark.parametrize("name", ["fleets", "limits", "shifts"])
def test_the_fewest_vehicles_are_found(name: str) -> None:
    """As many as the cheapest plan has where each is dearer than any plan."""
    verdicts: Counter[str] = Counter()
    for seed in seeds(400, step=53):
        instance = random_problem(seed, SETS[name], 5)
        least, _ = fewest_vehicles(instance)
        try:
            stop = nr.stop.MaxIterations(100)
            found = nr.solve(instance, stop, objective="fewest-vehicles")
        except nr.InfeasibleError:
            assert not np.isfinite(least), seed
            continue
        assert found.num_routes >= least, seed
        verdicts["more" if found.num_routes > least else "fewest"] += 1
    assert verdicts["more"] <= 0.02 * verdicts.total()
    assert verdicts["fewest"] > 0


@pytest.mark.parametrize(
    ("name", "seed"),
    [("limits", 75), ("limits", 165), ("shifts", 60), ("shifts", 222)],
)
def test_the_best_plan_on_the_fewest_vehicles_leads(
    name: str, seed: int
) -> None:
    """The first plan has more vehicles, and there is time for several."""
    instance = random_problem(seed, SETS[name], 5)
    found = nr.solve(instance, time_limit=0.5, objective="fewest-vehicles")
    count, cost = fewest_vehicles(instance)
    assert (found.num_routes, found.cost) == pytest.approx((count, cost))
    assert "starts" in [stage.name for stage in found.stages]
