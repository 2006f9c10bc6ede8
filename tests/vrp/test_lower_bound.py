"""Proven lower bounds, against the cheapest of all plans."""

from __future__ import annotations

import math
import os
import signal
import threading
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.bounds import listed, relaxed
from ncc_routing.vrp.bounds.packing import least_bins
from ncc_routing.vrp.bounds.search import FoundBound, search_bound
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import (
    DAY,
    FLEETS,
    LIMITS,
    PARTS,
    RULES,
    TRAVEL,
    random_problem,
)
from tests.robustness.support import seeds

PARTS_TAKEN = tuple(
    part
    for part in FLEETS + DAY + PARTS
    if part not in ("shipments", "reloads", "negative")
)
"""Parts of problems that the bound takes."""


def bounded(instance: nr.Instance, upper: float | None = None) -> FoundBound:
    """Return the bound of an instance, without a search for routes."""
    prepared = relaxed.without_setups(Prepared.of(instance))
    simplified = prepared.simplified
    return search_bound(simplified, None, upper, TimeLimit(20.0))


def gap_below(instance: nr.Instance, cheapest: float, seed: int) -> float:
    """Return the percent by which the bound is below the cheapest plan.

    Half of the bounds know the cost of that plan.
    """
    upper = cheapest if seed % 2 and math.isfinite(cheapest) else None
    points = bounded(instance, upper).points
    values = [point.lower_bound for point in points]
    assert values == sorted(set(values)), seed
    assert values[-1] <= cheapest + 1e-9 * abs(cheapest), seed
    if not 0.0 < cheapest < math.inf:
        return 0.0
    return 100.0 * (1.0 - values[-1] / cheapest)


def small_cvrp(seed: int) -> nr.Instance:
    """Return a CVRP, symmetric or not, rounded or not, some without demand."""
    rng = np.random.default_rng(seed)
    size = 1 + int(rng.integers(2, 8))
    least = int(rng.random() < 0.7)
    demands = np.append(0, rng.integers(least, 10, size - 1))
    place: dict[str, Any] = {
        "coords": rng.integers(0, 50, (size, 2)),
        "rounding": str(rng.choice(["nearest", "none", "ceil"])),
    }
    if rng.random() < 0.4:
        matrix = rng.integers(0, 40, (size, size)).astype(float)
        if rng.random() < 0.5:
            matrix += rng.random((size, size))
        np.fill_diagonal(matrix, 0.0)
        place = {"matrix": matrix}
    capacity = int(rng.integers(9, 25))
    return nr.Instance("small", demands, capacity, **place)


def test_no_cvrp_costs_less() -> None:
    """The bound of random CVRPs is close below the cheapest routes."""
    gaps = [
        gap_below(instance, cheapest_plan(instance), seed)
        for seed in seeds(1320, step=53)
        for instance in [small_cvrp(seed)]
    ]
    assert np.mean(gaps) < 1.0


@pytest.mark.parametrize(
    ("parts", "gap"),
    [
        (FLEETS, 3.0),
        (PARTS_TAKEN + LIMITS, np.inf),
        (PARTS_TAKEN + RULES, np.inf),
        (FLEETS + TRAVEL, np.inf),
    ],
)
def test_no_plan_costs_less(parts: tuple[str, ...], gap: float) -> None:
    """Types, depots, windows, services, shifts and prices are modelled.

    What is left out of the others only lowers the bound.
    """
    gaps = []
    for seed in seeds(1100, step=53):
        instance = random_problem(seed, parts)
        gaps.append(gap_below(instance, cheapest_plan(instance), seed))
    assert np.mean(gaps) < gap


@pytest.mark.parametrize(
    "parts", [(), FLEETS, PARTS_TAKEN + LIMITS, PARTS_TAKEN + RULES]
)
def test_no_plan_costs_less_than_by_lists_of_arcs(
    parts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here each list has one arc, and cells stand for all others."""
    monkeypatch.setattr(relaxed, "LARGEST_MATRIX", 0)
    monkeypatch.setattr(listed, "NUM_NEAR", 1)
    monkeypatch.setattr(listed, "_CELL_SIZE", 2)
    for seed in seeds(660, step=53):
        instance = random_problem(seed, parts) if parts else small_cvrp(seed)
        gap_below(instance, cheapest_plan(instance), seed)


def test_routes_a_unit_too_cheap_count() -> None:
    """The optimum is 141, which a bound of 141.0000001 would round up."""
    no, late = np.inf, 1000
    matrix = [
        [0, 20, no, 40, 20],
        [22, 0, 49, 22, 0],
        [40, 20, 0, 40, 20],
        [0, no, 22, 0, 22],
        [22, 0, 49, no, 0],
    ]
    delivery = np.array([[0, 0], [2, 6], [6, 6], [6, 3], [4, 2]])
    instance = nr.Instance(
        "units",
        delivery[:, 0],
        matrix=np.array(matrix),
        fleet=nr.Fleet((nr.VehicleType(capacity=18, other_capacities=(15,)),)),
        loads=nr.Loads(delivery=delivery, pickup=0 * delivery),
        windows=nr.TimeWindows.of(
            5,
            tw_early=[0, 0, 0, 58, 64],
            tw_late=[late, late, late, late, 211],
            service_durations=[12, 0, 20, 0, 0],
        ),
        selection=nr.Selection(
            prizes=np.array([0, 0, 0, 0, 37]),
            required=np.array([False, True, True, True, False]),
        ),
    )
    assert cheapest_plan(instance) == 141.0
    assert bounded(instance).points[-1].lower_bound == 141.0


def test_multipliers_stay_in_range() -> None:
    """Of two types each visits half, and the multipliers grow and grow."""
    kinds = (
        nr.VehicleType(capacity=16),
        nr.VehicleType(capacity=23, start_depot=1),
    )
    instance = nr.Instance(
        "two",
        np.array([0, 1, 6, 0]),
        matrix=np.array(
            [[0, 4, 32, 15], [40, 0, 31, 46], [17, 21, 0, 34], [47, 22, 17, 0]]
        ),
        num_depots=2,
        fleet=nr.Fleet(kinds),
        constraints=nr.RouteConstraints(vehicles=(None, (0,), None, None)),
    )
    assert bounded(instance).points[-1].lower_bound <= 52.0


def test_relaxed_names_what_is_left_out() -> None:
    """A rule of routes is named, and a capacity is not."""
    plain = small_cvrp(0)
    rules = nr.RouteConstraints(different_routes=((1, 2),))
    ruled = nr.Instance(
        "ruled",
        plain.demands,
        plain.capacity,
        coords=plain.coords,
        constraints=rules,
    )
    assert bounded(plain).relaxed == ()
    assert bounded(ruled).relaxed == ("customers on different routes",)


@pytest.fixture
def line() -> nr.Instance:
    """Four customers on a line: two routes, 2 * 4 + 2 * 2 long."""
    coords = [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]
    demands = np.array([0, 1, 1, 1, 1])
    return nr.Instance("line", demands, 2, coords=np.array(coords))


def test_the_gap_of_an_optimal_solution_is_0(line: nr.Instance) -> None:
    """The bound meets the cheapest routes, and the history leads to it."""
    found = nr.lower_bound(line, 5.0, upper=[[1, 2], [3, 4]])
    assert (found.lower_bound, found.upper) == (12.0, 12.0)
    assert found.bound_gap_percent == 0.0
    assert found.history[-1].lower_bound == 12.0
    assert found.relaxed == ()
    assert not found.interrupted
    assert "12" in repr(found)


@pytest.mark.parametrize("upper", [None, 12.0])
def test_marginal_costs_add_up_to_the_bound(
    line: nr.Instance, upper: float | None
) -> None:
    """Far customers cost more than near ones, and the depot nothing."""
    line = replace(line, rounding="none")  # so that the bound is not rounded
    costs = nr.lower_bound(line, 2.0, upper=upper).marginal_costs
    assert costs[0] == 0.0
    assert costs.sum() == pytest.approx(12.0)
    assert costs[4] > costs[1]


def test_a_solution_is_searched_for_where_none_is_given(
    line: nr.Instance,
) -> None:
    """Its cost is the upper bound."""
    found = nr.lower_bound(line, 2.0)
    assert (found.lower_bound, found.upper) == (12.0, 12.0)


def test_a_wrong_cost_as_upper_only_lowers_the_bound(
    line: nr.Instance,
) -> None:
    """Below the optimum it is the bound itself, above it the plan is found."""
    found = nr.lower_bound(line, 5.0, upper=11)
    assert (found.lower_bound, found.best) == (11.0, None)
    assert not found.is_optimal
    for upper in (24.0, 1e12, 1e300):
        found = nr.lower_bound(line, 5.0, upper=upper)
        assert found.lower_bound == found.upper == 12.0
        assert found.best is not None
        assert found.is_optimal


def test_no_time_leaves_a_valid_bound(line: nr.Instance) -> None:
    """Costs are not negative."""
    found = nr.lower_bound(line, 0.0, upper=12)
    assert found.lower_bound == 0.0
    assert found.bound_gap_percent is None


def test_a_broken_or_odd_upper_is_refused(line: nr.Instance) -> None:
    """Routes must keep the rules, and a cost must be a number."""
    with pytest.raises(nr.ParameterError, match="upper breaks a rule"):
        nr.lower_bound(line, 1.0, upper=[[1, 2, 3, 4]])
    for wrong in (math.inf, -math.inf, math.nan, True, 10**400):
        with pytest.raises(nr.ParameterError, match="upper must be"):
            nr.lower_bound(line, 1.0, upper=wrong)


def test_what_may_lower_the_cost_is_refused_by_name(
    line: nr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new feature is refused too, until it is declared a restriction."""
    fields: dict[str, dict[str, Any]] = {
        "reload depots": {"reload_depots": (0,)},
        "negative fixed costs": {"fixed_cost": -1},
        "unheard-of limits": {},
    }
    for name, field in fields.items():
        fleet = nr.Fleet((nr.VehicleType(capacity=2, **field),))
        instance = replace(line, fleet=fleet)
        if not field:
            monkeypatch.setattr(nr.Instance, "features", (name,))
        with pytest.raises(nr.UnsupportedProblemError, match=name):
            nr.lower_bound(instance, 1.0, upper=12)
    monkeypatch.setattr(relaxed, "TAKEN", relaxed.TAKEN | {name})
    assert bounded(instance).relaxed == (name,)


def test_all_fields_of_problems_are_known_to_the_bound() -> None:
    """A new field needs a feature, for the bound to model, name or refuse it.

    ``problems/features.py`` says which features only restrict.
    """
    known = {
        nr.VehicleType: "capacity num_available start_depot end_depot "
        "fixed_cost unit_distance_cost unit_duration_cost tw_early tw_late "
        "start_late shift_duration max_overtime unit_overtime_cost "
        "max_distance profile initial_load reload_depots max_reloads "
        "other_capacities name skills unit_driving_cost max_driving_time "
        "max_stops min_stops min_load price_steps balances speed_factor "
        "service_durations breaks "
        "setup_durations hours_of_service max_waiting max_wait starts_empty",
        nr.TimeWindows: "tw_early tw_late service_durations release_times "
        "windows setup_durations preferred early_costs late_costs",
        nr.RouteConstraints: "same_route different_routes skills vehicles "
        "districts max_districts in_progress all_or_none precedences "
        "sequences positions",
        nr.Selection: "required prizes groups priorities",
    }
    for part, names in known.items():
        assert {each.name for each in fields(part)} == set(names.split())


def test_setups_are_left_out(line: nr.Instance) -> None:
    """They only take time; the bound names them."""
    size = len(line.demands)
    setups = (0, *[3] * (size - 1))
    kind = nr.VehicleType(capacity=2, unit_duration_cost=1)
    own = nr.VehicleType(
        capacity=2, unit_duration_cost=1, setup_durations=setups
    )
    windows = nr.TimeWindows.of(size, setup_durations=setups)
    plain = cheapest_plan(replace(line, fleet=nr.Fleet((kind,))))
    for fleet, times, name in (
        (nr.Fleet((own,)), None, "set-up durations of vehicle types"),
        (nr.Fleet((kind,)), windows, "set-up durations"),
    ):
        instance = replace(line, fleet=fleet, windows=times)
        upper = cheapest_plan(instance)
        found = nr.lower_bound(instance, 5.0, upper=upper)
        assert found.relaxed == (name,)
        assert found.lower_bound == plain < upper


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_with_the_best_bound() -> None:
    """The run ends long before its limit, with a bound."""
    instance = generate_uchoa(150, seed=1, route_length=10.0)
    upper = nr.solve(instance, method="savings", polish="none")

    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    found = nr.lower_bound(instance, 600.0, upper=upper)
    timer.join()
    assert found.interrupted
    assert 0.0 < found.lower_bound <= upper.cost


def on_a_line(num_nodes: int) -> nr.Instance:
    """Return customers at 1, 2, 3, ...; nine fit a vehicle."""
    return nr.Instance(
        "large",
        np.ones(num_nodes, int) - np.eye(1, num_nodes, dtype=int)[0],
        9,
        coords=np.zeros((num_nodes, 2)) + np.arange(num_nodes)[:, None],
    )


def test_large_problems_have_a_weaker_bound() -> None:
    """Up to 30,000 nodes, more are refused."""
    instance = on_a_line(3002)
    found = nr.lower_bound(instance, TimeLimit(20.0), upper=2_000_000)
    assert found.kind == "q-routes"
    best = sum(2 * round(math.sqrt(2) * far) for far in range(3001, 0, -9))
    assert 0.3 * best < found.lower_bound <= best
    with pytest.raises(nr.UnsupportedProblemError, match="30000 nodes"):
        nr.lower_bound(on_a_line(30_001), 1.0, upper=12)


def test_bound_gap_ends_a_search(line: nr.Instance) -> None:
    """The bound of 12 is reached, and nothing else would end the run soon."""
    for stop in (
        nr.stop.BoundGap(0.0),
        nr.stop.first_of(nr.stop.BoundGap(8.0), nr.stop.MaxIterations(10**9)),
    ):
        result = nr.solve(line, stop, bound_seconds=5.0, time_limit=10.0**6)
        assert (result.cost, result.lower_bound) == (12.0, 12.0)


def test_bound_gap_needs_a_bound(line: nr.Instance) -> None:
    """Nothing computes one for ``solve`` without seconds, or clusters."""
    with pytest.raises(nr.ParameterError, match="bound_seconds"):
        nr.solve(line, nr.stop.BoundGap(1.0))
    with pytest.raises(nr.ParameterError, match="bound_seconds"):
        nr.cluster(line, stop=nr.stop.BoundGap(1.0))
    for wrong in (-0.1, math.inf, math.nan, True, "1"):
        with pytest.raises(nr.ParameterError, match="percent"):
            nr.stop.BoundGap(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["5", math.nan, True])
def test_odd_bound_seconds_are_refused_before_the_search(
    line: nr.Instance, wrong: Any
) -> None:
    """The plan would be lost."""
    with pytest.raises(nr.ParameterError, match="bound_seconds must be a"):
        nr.solve(line, lambda _: bool(1 / 0), bound_seconds=wrong)


def test_vehicles_are_counted_by_packing() -> None:
    """Five loads of 6 need five vehicles of 10, not three.

    Each vehicle costs 100, and all customers are at the depot.
    """
    fleet = nr.Fleet((nr.VehicleType(capacity=10, fixed_cost=100),))
    instance = nr.Instance(
        "bins",
        np.array([0, 6, 6, 6, 6, 6]),
        coords=np.zeros((6, 2)),
        fleet=fleet,
    )
    assert least_bins(np.array([4, 6, 6, 6, 6, 6]), 10) == 5
    assert bounded(instance).points[-1].lower_bound == 500.0


def test_open_routes_have_a_bound(line: nr.Instance) -> None:
    """The place where they end has no cost of its own."""
    types = (nr.VehicleType(capacity=line.capacity, end_depot=None),)
    instance = replace(line, fleet=nr.Fleet(types))
    found = nr.lower_bound(instance, time_limit=1.0)
    assert found.marginal_costs.shape == line.demands.shape
    assert found.lower_bound <= cheapest_plan(instance) + 1e-6
