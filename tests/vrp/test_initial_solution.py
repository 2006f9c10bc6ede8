"""Runs that begin with routes of the user."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.run import Run
from ncc_routing.desk.routes import write_routes
from ncc_routing.generators.time_windows import generate_depots
from ncc_routing.io.vrplib import write_solution
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    pyvrp,
    to_problem_data,
    to_pyvrp,
)
from ncc_routing.vrp.initial_solution import read_start, repair
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import random_plan, random_problem
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing import Instance, Solution

WORST = [[1, 3], [2], [4]]
"""Routes of the square that no construction finds."""


def in_progress(instance: Any, start: Any, **more: Any) -> nr.Result:
    """Return what comes of a start without an improvement."""
    return nr.solve(instance, polish="none", initial_solution=start, **more)


def test_every_form_of_routes(square: Instance, tmp_path: Path) -> None:
    """They stay as they are where nothing improves them."""
    plan = nr.Solution.from_routes(square, WORST)
    result = in_progress(square, plan)
    files = [tmp_path / name for name in ("a.sol", "a.csv", "a.json")]
    write_solution(files[0], plan)
    write_routes(files[1], square, plan)
    files[2].write_text(result.to_json())
    data = to_problem_data(square)
    stated = nr.read_solution(files[0])
    forms = [plan, result, WORST, stated, to_pyvrp(plan, data)]
    for form in (*forms, *files, str(files[0])):
        found = in_progress(square, form)
        assert found.best == plan
        assert (found.method, found.phases) == (
            "initial-solution",
            ("initial-solution",),
        )
        assert [stage.name for stage in found.stages] == ["start"]


def test_customers_by_id(square: Instance) -> None:
    """Of lists, and of the result of another day with other numbers."""
    named = replace(square, ids=("home", "a", "b", "c", "d"))
    assert in_progress(named, [["a", "c"], ["b"], [4]]).routes == (
        (1, 3),
        (2,),
        (4,),
    )
    past = in_progress(named, WORST)
    today = replace(square, ids=("home", "d", "c", "b", "a"))
    today = replace(today, demands=square.demands[[0, 4, 3, 2, 1]])
    assert in_progress(today, past).routes == ((4, 2), (3,), (1,))


def test_a_polish_begins_there(
    two_depots: Instance, two_depots_plan: Solution
) -> None:
    """And is never worse; fleets keep their vehicle types."""
    found = in_progress(two_depots, two_depots_plan)
    assert found.best == two_depots_plan
    far = nr.Solution.from_routes(two_depots, [[1, 2], [3], [4]], [0, 1, 0])
    better = nr.solve(two_depots, initial_solution=far, time_limit=0.2)
    assert better.cost == 125
    assert better.phases[0] == "initial-solution"


def test_absent_customers_are_inserted(
    square: Instance, caplog: pytest.LogCaptureFixture
) -> None:
    """Where they cost least, and it is said."""
    with caplog.at_level(logging.WARNING):
        found = in_progress(square, [[1], [3]])
    assert nr.check_solution(square, found.best) == []
    assert found.phases == ("initial-solution", "repair")
    assert [record.getMessage() for record in caplog.records] == [
        "The initial solution is repaired: customer 2 is not visited, and 1 "
        "more."
    ]


@pytest.mark.parametrize(
    ("routes", "kinds"),
    [
        ([[1, 2, 3, 4]], [0]),  # too much, and too late
        ([[3, 2], [1, 4]], [0, 0]),  # too late at customer 2
        ([[1], [2], [3], [4]], [0, 0, 1, 1]),  # a vehicle too many
        ([[4, 3, 2, 1]], [1]),  # beyond the shift
        ([], []),
    ],
)
def test_infeasible_routes_are_repaired(
    two_depots: Instance, routes: list[list[int]], kinds: list[int]
) -> None:
    """Every customer is served, and every rule kept."""
    start = nr.Solution.from_routes(two_depots, routes, kinds)
    found = in_progress(two_depots, start, time_limit=5.0)
    assert nr.check_solution(two_depots, found.best) == []
    assert "repair" in found.phases


def test_forbidden_arcs_are_repaired(two_depots: Instance) -> None:
    """Customer 2 is no longer reached from 1."""
    lengths = two_depots.distances(range(6), range(6))
    lengths[1, 2] = np.inf
    instance = replace(two_depots, matrix=lengths)
    start = nr.Solution(((1, 2), (4, 3)), 125, (0, 1))
    found = in_progress(instance, start, time_limit=5.0)
    assert nr.check_solution(instance, found.best) == []
    assert (1, 2) not in found.routes


def test_large_problems_need_no_matrix() -> None:
    """The customers without a place get routes of their own."""
    rng = np.random.default_rng(1)
    size = LARGEST_MATRIX + 1
    instance = nr.Instance(
        "large",
        np.concatenate([[0], np.ones(size, int)]),
        10,
        coords=rng.integers(0, 10_000, (size + 1, 2)),
    )
    routes = np.arange(1, 2001).reshape(100, 20).tolist()
    found = in_progress(instance, routes)
    assert nr.check_solution(instance, found.best) == []
    assert tuple(routes[0][:10]) in found.routes
    everyone = nr.solve(instance, polish="none", method="savings")
    assert in_progress(instance, everyone).cost == everyone.cost


def test_vehicle_types_that_are_alike(square: Instance) -> None:
    """They become one in the search, and are two again in the result."""
    van = nr.VehicleType(capacity=5, num_available=2)
    instance = replace(square, fleet=nr.Fleet((van, replace(van))))
    start = nr.Solution.from_routes(instance, WORST, [0, 1, 0])
    assert in_progress(instance, start).cost == start.cost


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([[1, 9]], "initial_solution: there is no customer 9."),
        ([[1, 2, 1]], "initial_solution: customer 1 is visited 2 times."),
        ([["x"]], "initial_solution: there is no customer with the id 'x' in"),
        (3, "initial_solution must be routes of customers, a Solution, a"),
        ([[True]], "initial_solution must be routes of customers"),
        ({"1": 2}, "initial_solution must be routes of customers, a Sol"),
        (["12", "34"], "initial_solution must be routes of customers, a"),
        ([[1.5]], "initial_solution must be routes"),
        (nr.Solution(((1,),), 0.0, (4,)), "there is no vehicle type 4"),
        (pyvrp.VehicleType(), "it must be PyVRP's Solution, got VehicleType"),
    ],
)
def test_what_is_no_start_is_refused(
    square: Instance, start: Any, message: str
) -> None:
    """In one line that names the customer and the rule."""
    with pytest.raises(nr.ParameterError, match=message):
        in_progress(square, start)


def test_files_are_named(square: Instance, tmp_path: Path) -> None:
    """Of a customer twice, and of one that there is not."""
    file = tmp_path / "a.csv"
    file.write_text("route,id\n1,2\n2,2\n")
    with pytest.raises(nr.ParameterError, match=r"a\.csv: customer 2 is vis"):
        in_progress(square, file)
    file.write_text("route,id\n1,7\n")
    with pytest.raises(nr.InstanceError, match="column id: must be a cust"):
        in_progress(square, file)


def test_the_list_of_yesterday_is_a_start(
    square: Instance, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By order and driver; orders that are no more are left out, and said."""
    file = tmp_path / "a.csv"
    file.write_text("Order No;Driver;Window\n2;Bo;8-9\n7;Bo;\n1;Al;\n3;Bo;\n")
    found = read_start(file, square).solution
    assert found.routes == ((2, 3), (1,))
    assert "rows without a customer of square: 1" in caplog.text


def test_several_types_must_be_said(two_depots: Instance) -> None:
    """Lists do not say who drives."""
    with pytest.raises(nr.ParameterError, match="needs the vehicle types"):
        in_progress(two_depots, [[1, 2], [4, 3]])


def test_a_method_does_not_go_with_it(square: Instance) -> None:
    """The routes take its place."""
    with pytest.raises(nr.ParameterError, match="would have no effect"):
        in_progress(square, WORST, method="savings")


def test_a_customer_that_no_vehicle_serves(two_depots: Instance) -> None:
    """The message names the rule."""
    times = two_depots.windows
    assert times is not None
    late = np.array(times.tw_late)
    late[1] = 5
    instance = replace(two_depots, windows=replace(times, tw_late=late))
    with pytest.raises(
        nr.InfeasibleError, match="customer 1: it is reached at 10"
    ):
        in_progress(instance, nr.Solution(((2,), (4, 3)), 0, (0, 1)))


def test_pyvrp_starts_from_it_as_well(
    two_depots: Instance, two_depots_plan: Solution
) -> None:
    """``warm_start`` takes a start, in the form of its data."""
    data = to_problem_data(two_depots)
    first = to_pyvrp(two_depots_plan, data)
    found = nr.warm_start(data, time_limit=0.2, initial_solution=first)
    assert found.is_feasible()
    assert found.distance() == first.distance()
    assert from_problem_data(data).num_depots == 2


@pytest.mark.parametrize("suffix", [".csv", ".json", ".sol"])
def test_a_plan_goes_round(suffix: str, tmp_path: Path) -> None:
    """Solved, written, read and begun with, it has the same cost."""
    instance = generate_depots(40, 5, 3)
    result = nr.solve(instance, time_limit=0.2)
    file = tmp_path / f"plan{suffix}"
    if suffix == ".sol":
        write_solution(file, result.best, instance)
    else:
        write_routes(file, instance, result.best)
    again = in_progress(instance, file)
    assert again.cost == result.cost
    assert again.phases == ("initial-solution",)


@pytest.mark.parametrize("block", range(3))
def test_starts_of_any_problem_are_repaired(block: int) -> None:
    """Half a shipment, two of a group, a rule of routes: all are mended.

    What is found then is as cheap as any plan.
    """
    num_repaired = 0
    for seed in seeds(1_000)[block::3]:
        instance = random_problem(seed, num_customers=4)
        start, least = random_plan(instance, seed), cheapest_plan(instance)
        try:
            found = nr.solve(
                instance, nr.stop.MaxIterations(300), initial_solution=start
            )
        except (nr.InfeasibleError, nr.ParameterError):
            continue  # there is none, or a reload that nobody may do
        num_repaired += "repair" in found.phases
        assert found.cost == pytest.approx(least), seed
        kept = nr.solve(instance, initial_solution=found.best, polish="none")
        assert kept.phases == ("initial-solution",)
        assert kept.cost == found.cost
    assert num_repaired > 0


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        (nr.RouteConstraints(same_route=((1, 4),)), ((1, 2), (3,))),
        (
            nr.RouteConstraints(in_progress=(nr.InProgressRoute(0, (3, 4)),)),
            ((1, 2), (3, 4)),
        ),
        (
            nr.RouteConstraints(in_progress=(nr.InProgressRoute(0, (4,)),)),
            ((1, 2), (4,)),
        ),
        (nr.RouteConstraints(different_routes=((1, 2),)), ((3, 4),)),
        (nr.RouteConstraints(), ((1, 2), (3, 4))),
    ],
)
def test_routes_that_break_rules_of_routes_are_left_out(
    square: Instance, rules: nr.RouteConstraints, kept: Any
) -> None:
    """Those that only others contradict stay; nobody must be served."""
    routes = ((1, 2), (3,), (4,)) if rules.same_route else ((1, 2), (3, 4))
    instance = replace(
        square,
        capacity=9,
        selection=nr.Selection(np.zeros(5), np.zeros(5)),
        constraints=rules,
    )
    start = nr.Solution(routes, 0.0)
    assert repair(instance, start, Run()).routes == kept


def test_another_vehicle_takes_a_whole_route(square: Instance) -> None:
    """The first one has no lift; of the others the last one costs less."""
    types = [
        nr.VehicleType(
            capacity=9, num_available=1, fixed_cost=cost, skills=skills
        )
        for cost, skills in ((0, ()), (5, ("lift",)), (3, ("lift",)))
    ]
    rules = nr.RouteConstraints(skills=((), (), ("lift",), (), ()))
    instance = replace(
        square,
        capacity=9,
        fleet=nr.Fleet(tuple(types)),
        constraints=rules,
    )
    start = nr.Solution(((1, 2), (3, 4)), 0.0, (0, 1))
    kept = repair(instance, start, Run())
    assert (kept.routes, kept.vehicle_types) == (((1, 2), (3, 4)), (2, 1))


@pytest.fixture
def idle_depots() -> Instance:
    """Return a vehicle that reloads at the last of four depots or before."""
    coords = np.random.default_rng(0).integers(0, 100, (11, 2))
    kind = nr.VehicleType(
        num_available=1, capacity=3, reload_depots=(2, 3), max_reloads=3
    )
    return nr.Instance(
        "idle",
        np.array([0, *[1] * 7, 0, 0, 0]),
        coords=coords,
        num_depots=4,
        fleet=nr.Fleet((kind,)),
    )


def test_reloads_where_the_vehicle_is() -> None:
    """Those at an end of a route serve nothing, and the search has none."""
    van = nr.VehicleType(capacity=1, num_available=1, reload_depots=(0,))
    instance = nr.Instance(
        demands=np.array([0, 1, 1]),
        coords=np.array([[0, 0], [1, 0], [2, 0]]),
        fleet=nr.Fleet((van,)),
    )
    start = nr.Solution(((0, 1, 0, 0, 2, 0),), 6.0, (0,))
    result = nr.solve(
        instance, nr.stop.MaxIterations(5), initial_solution=start
    )
    assert result.cost == 6


def test_reloads_beside_a_depot_without_vehicles(
    idle_depots: Instance, tmp_path: Path
) -> None:
    """They stay where they are, in whatever form the plan comes."""
    plan = nr.Solution.from_routes(idle_depots, [[1, 2, 9, 3, 4, 9, 5, 6, 7]])
    assert nr.check_solution(idle_depots, plan) == []
    write_routes(tmp_path / "plan.csv", idle_depots, plan)
    data = to_problem_data(idle_depots)
    for start in (plan, tmp_path / "plan.csv", to_pyvrp(plan, data)):
        found = nr.solve(idle_depots, initial_solution=start, polish="none")
        assert found.best == plan
    best = nr.solve(
        idle_depots, initial_solution=plan, stop=nr.stop.MaxIterations(50)
    )
    assert best.cost < plan.cost
    again = nr.solve(
        idle_depots,
        nr.stop.MaxIterations(50),
        initial_solution=best,
        max_extra_cost=0.01,
        compactness=1.0,
    )
    assert nr.check_solution(idle_depots, again.best) == []


def test_a_reload_at_a_depot_without_vehicles_is_repaired(
    idle_depots: Instance,
) -> None:
    """Nobody may reload there."""
    plan = nr.Solution(((1, 2, 8, 3, 4, 8, 5, 6, 7),), 1.0, (0,))
    found = nr.solve(
        idle_depots, initial_solution=plan, stop=nr.stop.MaxIterations(50)
    )
    assert found.phases[:2] == ("initial-solution", "repair")
    assert 8 not in found.routes[0]


def test_a_reference_beside_a_depot_without_vehicles(
    idle_depots: Instance,
) -> None:
    """Its districts are those of the nodes that the user knows."""
    plan = nr.Solution.from_routes(idle_depots, [[1, 2, 9, 3, 4, 9, 5, 6, 7]])
    districts = np.array([-1, *[0] * 4, *[1] * 3, *[-1] * 3])
    run: dict[str, Any] = {
        "consistency": 1.0,
        "stop": nr.stop.MaxIterations(20),
    }
    whole = nr.solve(idle_depots, stop=nr.stop.MaxIterations(20))
    for reference in (plan, whole, districts):
        found = nr.solve(idle_depots, reference=reference, **run)
        assert len(found.labels) == len(idle_depots.demands)
        assert found.consistency is not None
        assert nr.Result.from_json(found.to_json()).labels == found.labels
    days = nr.solve_days([idle_depots] * 2, stop=nr.stop.MaxIterations(50))
    assert days.cost <= 1.03 * sum(each.cost for each in days.alone)


def test_a_in_progress_route_keeps_its_vehicle_from_a_start(
    square: Instance,
) -> None:
    """Four routes for two vehicles, one of which is on its way to two."""
    instance = replace(
        square,
        capacity=9,
        fleet=nr.Fleet((nr.VehicleType(capacity=9, num_available=2),)),
        constraints=nr.RouteConstraints(
            in_progress=(nr.InProgressRoute(0, (3, 4)),)
        ),
    )
    result = nr.solve(
        instance,
        stop=nr.stop.MaxIterations(50),
        initial_solution=[[1], [2], [3], [4]],
    )
    assert result.phases[:2] == ("initial-solution", "repair")
    assert any(route[:2] == (3, 4) for route in result.routes)
