"""Costs and feasibility are PyVRP's, on random problems of every kind."""

from __future__ import annotations

from collections import Counter

import pyvrp

import ncc_routing as nr
from ncc_routing.problems.features import TIME_WINDOWS, VEHICLE_WINDOWS
from ncc_routing.problems.schedules import schedule_route
from ncc_routing.problems.simplification import simplify
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    from_pyvrp,
    objective_of,
    to_problem_data,
    to_pyvrp,
)
from tests.oracles.problems import COMBINATIONS, random_problem, random_routes
from tests.robustness.support import seeds

PROBLEMS = seeds(2_000)


def test_costs_and_feasibility_are_those_of_pyvrp() -> None:
    """Of random routes, the features alone and combined."""
    found: Counter[bool] = Counter()
    for seed in PROBLEMS:
        data = random_problem(seed)
        instance = from_problem_data(data)
        routes, kinds = random_routes(data, seed)
        solution = nr.Solution.from_routes(instance, routes, kinds)
        broken = nr.check_solution(instance, solution)
        if any(violation.kind == "vehicles" for violation in broken):
            used = Counter(kinds)
            types = instance.vehicle_types
            assert any(
                count > (types[kind].num_available or count)
                for kind, count in used.items()
            )
            continue
        theirs = to_pyvrp(solution, data)
        assert theirs.is_feasible() == (not broken), (seed, broken)
        found[theirs.is_feasible()] += 1
        if theirs.is_feasible():
            cost = sum(map(objective_of, theirs.routes()))
            assert solution.cost == cost, seed
            assert from_pyvrp(theirs, instance).cost == cost, seed
    assert min(found.values()) > len(PROBLEMS) / 10
    assert len(COMBINATIONS) <= PROBLEMS.stop


def test_schedules_are_those_of_pyvrp() -> None:
    """Distances always; start, visits and duration where all is in time."""
    num_timely = 0
    for seed in PROBLEMS:
        data = random_problem(seed)
        instance = from_problem_data(data)
        windows = {TIME_WINDOWS, VEHICLE_WINDOWS}
        has_windows = bool(windows & set(simplify(instance).features))
        routes, kinds = random_routes(data, seed)
        for visits, kind in zip(routes, kinds, strict=True):
            clients = [customer - 1 for customer in visits]
            theirs = pyvrp.Route(data, clients, kind)
            ours = schedule_route(instance, visits, kind)
            own = instance.vehicle_types[kind]
            is_timely = sum(ours.lateness) == 0
            is_short = ours.duration <= own.shift_duration
            assert (theirs.time_warp() == 0) == (is_timely and is_short)
            has_excess = ours.distance > own.max_distance
            assert theirs.has_excess_distance() == has_excess
            assert theirs.has_excess_load() == (ours.load > own.capacity)
            if not (has_windows and is_timely):
                continue  # without windows any start is as good
            num_timely += 1
            assert ours.start == theirs.start_time()
            assert ours.duration == theirs.duration()
            begins = [activity.start_time for activity in theirs.schedule()]
            assert list(ours.begins) == begins
    assert num_timely > len(PROBLEMS) / 4


def test_there_and_back() -> None:
    """PyVRP's form of an instance has the same routes at the same costs."""
    for seed in PROBLEMS[::3]:
        instance = from_problem_data(random_problem(seed))
        data = to_problem_data(instance)
        again = from_problem_data(data)
        assert again.features == instance.features
        routes, kinds = random_routes(data, seed)
        solution = nr.Solution.from_routes(instance, routes, kinds)
        if nr.check_solution(instance, solution):
            continue
        theirs = to_pyvrp(solution, data)
        assert theirs.is_feasible()
        assert sum(map(objective_of, theirs.routes())) == solution.cost
        assert (
            nr.Solution.from_routes(again, routes, kinds).cost == solution.cost
        )
