"""Nothing is called fatal in a problem that has a plan."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import DAY, FLEETS, random_problem
from tests.robustness.support import seeds
from tests.vrp.diagnosis.plans import tight_problem

PARTS = (*FLEETS, *DAY, "dimensions")


@pytest.mark.parametrize("block", range(4))
def test_limits_that_a_plan_just_keeps(block: int) -> None:
    """Three thousand plans of 2 to 24 customers, and what they take."""
    for seed in seeds(3_000, step=53)[block::4]:
        instance, plan = tight_problem(seed)
        assert nr.check_solution(instance, plan) == []
        assert nr.diagnose(instance).fatal == (), seed


def test_a_vehicle_that_carries_anything_may_reload() -> None:
    """It fetches goods that are released after its latest start."""
    kind = nr.VehicleType(num_available=1, reload_depots=(0,), start_late=10)
    instance = nr.Instance(
        "reload",
        np.array([0, 1, 1]),
        fleet=nr.Fleet((kind,)),
        coords=np.array([[0, 0], [3, 4], [6, 8.0]]),
        windows=nr.TimeWindows.of(3, release_times=[0, 0, 50]),
    )
    plan = nr.Solution.from_routes(instance, [[1, 0, 2]])
    assert nr.check_solution(instance, plan) == []
    assert nr.solve(instance, stop=nr.stop.MaxIterations(50)).cost == 20.0


@pytest.mark.parametrize("block", range(4))
def test_whatever_has_a_plan_has_no_fatal_finding(block: int) -> None:
    """Of those without a plan most are found out."""
    found = {True: 0, False: 0}
    for seed in seeds(2_000)[block::4]:
        instance = random_problem(seed, PARTS, share=0.5)
        is_fatal = bool(nr.diagnose(instance).fatal)
        if np.isinf(cheapest_plan(instance)):
            found[is_fatal] += 1
        else:
            assert not is_fatal, seed
    assert found[True] > found[False]


@pytest.mark.parametrize(
    "instance",
    [
        generate_uchoa(60, 1),
        generate_time_windows(60, 1),
        generate_time_windows(60, 2, "clustered", "long"),
        generate_fleet(60, 3, "limited"),
        generate_depots(60, 4),
    ],
    ids=lambda instance: instance.name,
)
def test_generated_problems_are_well(instance: nr.Instance) -> None:
    """Not even a warning but for customers at one place."""
    found = nr.diagnose(instance)
    assert {each.kind for each in found} <= {"duplicate", "at-depot"}
