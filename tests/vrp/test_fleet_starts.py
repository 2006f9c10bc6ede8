"""Starts for PyVRP on problems with fleets, depots and time windows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
)
from ncc_routing.pyvrp.adapter import objective_of, to_problem_data
from tests.oracles.problems import FLEETS, PARTS, random_problem
from tests.robustness.support import seeds


def test_starts_of_random_problems_are_feasible_for_pyvrp() -> None:
    """Many combinations of features: complete, or said to be infeasible."""
    found: Counter[bool] = Counter()
    for seed in seeds(80, step=3):
        data = to_problem_data(random_problem(seed, FLEETS + PARTS))
        assert nr.pyvrp.supports(data) == [], seed
        try:
            start = nr.warm_start(
                data, time_limit=0.2, stop=nr.stop.MaxIterations(50)
            )
        except nr.InfeasibleError:
            found[False] += 1
            continue
        assert start.is_feasible(), seed
        assert start.is_complete(), seed
        none = pyvrp.stop.MaxIterations(0)
        kept = pyvrp.solve(data, none, display=False, initial_solution=start)
        assert kept.cost() == objective_of(start), seed
        found[True] += 1
    assert found[True] > found[False] > 0


@pytest.mark.parametrize("polish", ["none", "ruin-recreate", "auto"])
def test_solve_takes_every_kind(polish: str) -> None:
    """The construction is insertion, and the stages say so."""
    for instance in (generate_depots(30, 2), generate_fleet(30, 2, "costs")):
        result = nr.solve(instance, polish=polish, time_limit=0.1)
        assert result.method == "insertion"
        assert not nr.check_solution(instance, result.best)
        assert result.stages[0].name == "insertion"


def test_any_construction_keeps_to_a_limited_fleet() -> None:
    """Their routes are made to fit afterwards."""
    plain = generate_uchoa(50, 1, route_length=6.0)
    count = plain.min_num_routes + 1
    fleet = nr.Fleet(
        (nr.VehicleType(capacity=plain.capacity, num_available=count),)
    )
    instance = replace(plain, fleet=fleet)
    for method in ("savings", "ckm", "sweep", "insertion"):
        result = nr.solve(
            instance, method=method, polish="none", time_limit=20.0
        )
        assert result.best.num_routes <= count
        assert not nr.check_solution(instance, result.best)


def test_a_construction_refuses_what_it_does_not_know() -> None:
    """One line names the method and the feature."""
    with pytest.raises(ValueError, match="savings does not accept several"):
        nr.solve(generate_depots(20, 1), method="savings")
