"""Preferred windows: the times of least cost, against linear programs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.routes.schedules import schedule_route
from tests.oracles.checker import Checker
from tests.oracles.preferred import by_minutes, by_programs
from tests.oracles.problems import (
    DAY,
    FLEETS,
    LIMITS,
    PARTS,
    PREFERRED,
    random_problem,
)
from tests.robustness.support import seeds

DISTANCES = np.array([[0, 10, 20], [10, 0, 10], [20, 10, 0]])


def two_customers(**times: Any) -> nr.Instance:
    """Return a line: the depot, and customers 10 and 20 away."""
    return nr.Instance(
        "line",
        np.array([0, 1, 1]),
        fleet=nr.Fleet((nr.VehicleType(capacity=9, unit_duration_cost=2),)),
        matrix=DISTANCES,
        windows=nr.TimeWindows.of(3, **times),
    )


@pytest.mark.parametrize(
    ("preferred", "costs", "begins", "window_cost"),
    [
        # Both are met by a start at 40: no wait, no price.
        ([None, (50, 50), (60, 70)], (5, 5), (40, 50, 60, 80), 0),
        # A wait of 20 at customer 2 costs 40, 20 late at 1 costs 20.
        ([None, (50, 50), (80, 90)], (3, 1), (60, 70, 80, 100), 20),
        # To be late costs 3 now, more than the wait.
        ([None, (50, 50), (80, 90)], (9, 3), (40, 50, 80, 100), 0),
        # Early at 2 costs 1 for each unit, less than a wait.
        ([None, (50, 50), (80, 90)], (1, 3), (40, 50, 60, 80), 20),
    ],
)
def test_the_schedule_of_least_cost(
    preferred: list[Any],
    costs: tuple[float, float],
    begins: tuple[float, ...],
    window_cost: float,
) -> None:
    """Waits, earliness and lateness are weighed, as worked out by hand."""
    early, late = costs
    instance = two_customers(
        preferred=preferred, early_costs=early, late_costs=late
    )
    found = schedule_route(instance, [1, 2])
    assert found.begins == begins
    assert found.window_cost == window_cost
    assert found.cost == 40 + 2 * found.duration + window_cost
    assert sum(found.waits) == found.duration - 40
    result = nr.solve(instance, nr.stop.MaxIterations(20))
    assert result.best.cost <= found.cost
    assert not nr.check_solution(instance, result.best)
    assert result.totals.costs.get("windows", 0) == pytest.approx(
        sum(one.window_cost for one in result.best.schedules(instance))
    )


def test_a_forbidden_arc_has_no_times() -> None:
    """Its cost is infinite, with preferred windows as well."""
    instance = two_customers(
        preferred=[None, (50, 50), (60, 70)], early_costs=5, late_costs=5
    )
    matrix = DISTANCES.astype(float)
    matrix[1, 2] = np.inf
    instance = replace(instance, matrix=matrix)
    assert schedule_route(instance, [1, 2]).cost == np.inf


@pytest.mark.parametrize("block", range(4))
def test_times_cost_what_linear_programs_say(block: int) -> None:
    """So does the checker, with several windows, overtime and limits."""
    parts = (*FLEETS, *PARTS, *LIMITS, *PREFERRED, "open")
    num_routes = 0
    for seed in range(block, 240, 4):
        instance = random_problem(seed, parts, share=0.5)
        if features.PREFERRED_WINDOWS not in instance.features:
            continue
        rng, judge = np.random.default_rng(seed), Checker(instance)
        stops = 1 + rng.permutation(instance.num_customers)
        route = stops[: rng.integers(1, 6)].tolist()
        idx = int(rng.integers(len(instance.vehicle_types)))
        kind = judge.types[idx]
        if judge.duration(route, idx) > kind.max_duration:
            continue
        num_routes += 1
        found = schedule_route(instance, route, idx)
        timed, _, _ = judge.timed_stops(route, idx)
        least = by_programs(timed, kind)
        assert by_minutes(timed, kind) == pytest.approx(least)
        over = max(0, found.duration - kind.shift_duration)
        assert found.window_cost + (
            kind.unit_duration_cost * found.duration
            + kind.unit_overtime_cost * over
        ) == pytest.approx(least)
        plan = nr.Solution.from_routes(instance, [route], [idx])
        kinds = {one.kind for one in nr.check_solution(instance, plan)}
        assert kinds.isdisjoint(("cost", "window", "shift")), seed
    assert num_routes > 8


@pytest.mark.parametrize("block", seeds(4, step=2))
def test_times_with_breaks_cost_what_minutes_say(block: int) -> None:
    """Breaks on the way to each stop, and schedules that have them all."""
    parts = (*FLEETS, *PARTS, *LIMITS, *PREFERRED, "open", "breaks")
    needed = {features.PREFERRED_WINDOWS, features.BREAKS}
    num_routes = 0
    for seed in range(block, 400, 4):
        instance = random_problem(seed, parts, share=0.5)
        if not needed <= set(instance.features):
            continue
        rng, judge = np.random.default_rng(seed), Checker(instance)
        stops = 1 + rng.permutation(instance.num_customers)
        route = stops[: rng.integers(1, 5)].tolist()
        idx = int(rng.integers(len(instance.vehicle_types)))
        kind = judge.types[idx]
        is_driven = judge.duration(route, idx) <= kind.max_duration
        found = schedule_route(instance, route, idx)
        plan = nr.Solution.from_routes(instance, [route], [idx])
        kinds = {one.kind for one in nr.check_solution(instance, plan)}
        late = ("arc", "window", "shift", "break")
        assert is_driven == kinds.isdisjoint(late), seed
        if not is_driven:
            continue
        assert "cost" not in kinds, seed
        over = max(0, found.duration - kind.shift_duration)
        num_routes += bool(kind.breaks)
        assert found.window_cost + (
            kind.unit_duration_cost * found.duration
            + kind.unit_overtime_cost * over
        ) == pytest.approx(by_minutes(*judge.timed_stops(route, idx))), seed
        lasting = sum(found.waits) + sum(found.services)
        lasting += sum(one.duration for one in found.breaks)
        assert lasting + found.driving == pytest.approx(found.duration), seed
        assert len(found.breaks) == len(kind.breaks), seed
        for one in found.breaks:
            spans = kind.breaks[one.number].windows
            assert any(a <= one.begin <= b for a, b in spans), seed
    assert num_routes > 3


@pytest.mark.parametrize("block", range(4))
def test_what_has_begun_keeps_its_times(block: int) -> None:
    """Its price counts, and only what follows has other times."""
    parts = (*FLEETS, *PARTS, *LIMITS, *PREFERRED, *DAY, "open", "in_progress")
    num_routes = 0
    for seed in range(block, 400, 4):
        instance = random_problem(seed, parts, share=0.5)
        if features.PREFERRED_WINDOWS not in instance.features:
            continue
        rng, judge = np.random.default_rng(seed), Checker(instance)
        for one in instance.in_progress:
            route, idx = [*one.customers], one.vehicle_type
            left = set(range(1, instance.num_customers + 1)) - set(route)
            route += rng.permutation(sorted(left))[: rng.integers(3)].tolist()
            kind = judge.types[idx]
            is_driven = judge.duration(route, idx) <= kind.max_duration
            found = schedule_route(instance, route, idx)
            plan = nr.Solution.from_routes(instance, [route], [idx])
            kinds = {one.kind for one in nr.check_solution(instance, plan)}
            if "arc" in kinds:
                continue
            late = ("window", "shift", "break")
            assert is_driven == kinds.isdisjoint(late), seed
            if not is_driven:
                continue
            assert "cost" not in kinds, seed
            num_routes += bool(one.departures)
            over = max(0, found.duration - kind.shift_duration)
            least = by_minutes(*judge.timed_stops(route, idx))
            assert found.window_cost + (
                kind.unit_duration_cost * found.duration
                + kind.unit_overtime_cost * over
            ) == pytest.approx(least + judge.price_so_far(route, idx)), seed
    assert num_routes > 3


def test_the_checker_recomputes_the_price() -> None:
    """A cost without the price is wrong."""
    instance = two_customers(preferred=[None, (50, 50), (80, 90)])
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    cheaper = replace(plan, cost=plan.cost - 1)
    assert [v.kind for v in nr.check_solution(instance, cheaper)] == ["cost"]


def test_a_table_with_preferred_windows() -> None:
    """Windows in one cell or two, and costs by their unit."""
    rows = [
        {"id": "depot", "x": 0, "y": 0, "demand": 0},
        {
            **{"id": "a", "x": 600, "y": 0, "demand": 1},
            "preferred": "10:00-11:00",
            **{"early cost per min": 6, "late cost per min": 12},
        },
        {"id": "b", "x": 0, "y": 9, "demand": 1, "preferred": "after 9:00"},
        {"id": "c", "x": 60, "y": 60, "demand": 1},
    ]
    instance = nr.read(rows, capacity=9, speed="36km/h")
    windows = instance.windows
    assert windows is not None
    assert windows.preferred is not None
    assert windows.preferred[1].tolist() == [36000, 39600]
    assert windows.preferred[2, 0] == 32400
    assert windows.early_costs is not None
    assert windows.early_costs.tolist() == [0, 0.1, 1, 0]
    assert windows.late_costs is not None
    assert windows.late_costs.tolist() == [0, 0.2, 0, 0]
    again = {
        **{"preferred from": [None, 5, None], "preferred until": [None, 9, 7]},
        "late cost": [None, 4, None],
    }
    plain = nr.read(
        {"x": [0, 1, 2], "y": [0, 1, 2], "demand": [0, 1, 1], **again},
        capacity=9,
    )
    assert plain.windows is not None
    assert plain.windows.preferred is not None
    assert plain.windows.preferred.tolist()[1:] == [[5, 9], [0, 7]]
    assert plain.windows.late_costs is not None
    assert plain.windows.late_costs.tolist() == [0, 4, 1]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"late cost": [0, 1]}, "late_costs: needs preferred"),
        (
            {"preferred from": [None, 9], "preferred until": [None, 8]},
            "row 2, column preferred until: must not be before the window",
        ),
        (
            {"preferred from": [None, 9], "early cost": [None, -1]},
            "row 2, column early cost: must not be negative",
        ),
        ({"preferred from": [3, 9]}, "must not be given for depots"),
    ],
)
def test_wrong_tables(columns: dict[str, Any], message: str) -> None:
    """Messages name the field, the row and the rule."""
    table = {"x": [0, 1], "y": [0, 1], "demand": [0, 1], **columns}
    with pytest.raises(nr.InstanceError, match=message):
        nr.read(table, capacity=9)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ({"late_costs": 1}, "late_costs: needs preferred"),
        ({"preferred": [None, (1, 2)]}, "must hold 3 pairs"),
        ({"preferred": [None, (3, 2), None]}, "must not close before"),
        (
            {"preferred": [None, (1, 2), None], "early_costs": -1},
            "early_costs: must be finite and not negative",
        ),
        (
            {"preferred": [None, (1, 2), None], "late_costs": [1, 1]},
            "late_costs: must hold 3 numbers",
        ),
        ({"preferred": [(1, 2), None, None]}, "must not be given for depots"),
    ],
)
def test_wrong_fields(times: dict[str, Any], message: str) -> None:
    """So do those of the fields in Python."""
    with pytest.raises(nr.InstanceError, match=message):
        two_customers(**times)


def test_hours_beside_preferred_windows_are_refused() -> None:
    """By name, as are many breaks."""
    instance = two_customers(preferred=[None, (1, 2), None])
    hours = nr.HoursOfService(rest=5, driving_block=90)
    van = nr.VehicleType(capacity=9, hours_of_service=hours)
    many = nr.VehicleType(capacity=9, breaks=(nr.Break(5),) * 5)
    for name, kind in (
        ("more than 4 breaks", many),
        ("hours of service", van),
    ):
        with pytest.raises(nr.InstanceError, match=f"beside {name}"):
            replace(instance, fleet=nr.Fleet((kind,)))


def test_windows_that_cost_nothing_are_none() -> None:
    """A price of 0, or a window that is never closed, is no feature."""
    for times in (
        {"preferred": [None, (1, 2), None], "early_costs": 0, "late_costs": 0},
        {"preferred": [None, None, None]},
    ):
        instance = two_customers(**times)
        assert features.PREFERRED_WINDOWS not in instance.features


def test_other_parts_name_what_they_leave_out(tmp_path: Any) -> None:
    """The bound leaves the price out; PyVRP and files refuse it."""
    instance = two_customers(preferred=[None, (50, 50), (80, 90)])
    bound = nr.lower_bound(instance, 2.0)
    assert features.PREFERRED_WINDOWS in bound.relaxed
    best = nr.solve(instance, nr.stop.MaxIterations(50)).best
    assert bound.lower_bound <= best.cost
    with pytest.raises(nr.UnsupportedProblemError, match="preferred windows"):
        nr.solve(instance, nr.stop.MaxIterations(1), polish="pyvrp")
    vans = nr.Fleet((nr.VehicleType(capacity=9),))
    with pytest.raises(nr.ParameterError, match="preferred windows"):
        nr.write_instance(tmp_path / "case.vrp", replace(instance, fleet=vans))


def test_offers_have_the_price() -> None:
    """The cheapest offer costs what the plan costs more with it."""
    selection = nr.Selection(np.zeros(3), np.array([False, True, False]), ())
    instance = replace(
        two_customers(preferred=[None, (50, 50), (80, 90)]),
        selection=selection,
    )
    before = nr.solve(instance, nr.stop.MaxIterations(50))
    assert before.best.routes == ((1,),)
    offer = nr.offers(before, 2)[0]
    after = offer.result.best
    assert after.cost - before.best.cost == pytest.approx(offer.cost)
    assert not nr.check_solution(instance, after)
    assert math.isfinite(nr.explain(before, 2).alternatives[0].cost or 0)


def test_what_takes_longer_than_a_shift_is_unserved() -> None:
    """Work and two breaks take 13 and more, and a shift is of 12 at most."""
    breaks = (nr.Break(3, ((8, 15),)), nr.Break(1, ((0, 30),), paid=False))
    van = nr.VehicleType(
        capacity=5,
        tw_late=40,
        shift_duration=10,
        max_overtime=2,
        breaks=breaks,
    )
    windows = nr.TimeWindows.of(
        4,
        preferred=[None, (2, 6), None, (9, 20)],
        early_costs=1,
        late_costs=0.5,
    )
    places = np.array([0, 4, 5, 7])
    instance = nr.Instance(
        "short",
        np.array([0, 1, 1, 1]),
        matrix=np.abs(np.subtract.outer(places, places)).astype(float),
        fleet=nr.Fleet((van,)),
        windows=windows,
    )
    stop = nr.stop.MaxIterations(500)
    with pytest.raises(nr.InfeasibleError):
        nr.solve(instance, stop, seed=1)
    result = nr.solve(instance, stop, seed=1, allow_unserved=True)
    assert [one.id for one in result.unserved] == ["2", "3"]
    assert result.routes == ((1,),)
