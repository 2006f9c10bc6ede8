"""Schedules and the checker against a simulation, minute by minute."""

from __future__ import annotations

import math

import pytest

import ncc_routing as nr
from tests.oracles.problems import (
    DAY,
    LIMITS,
    TRAVEL,
    random_plan,
    random_problem,
)
from tests.oracles.simulation import Day
from tests.robustness.support import seeds

PARTS = (
    *("depots", "types", "windows", "services", "releases", "shifts", "costs"),
    *("durations", "profiles", "dimensions", "pickups", "initial", "reloads"),
    *("overtime", *DAY, *LIMITS, *TRAVEL),
)

OF_PLANS = {"missing", "vehicles"}
"""Violations of plans, not of routes."""


@pytest.mark.parametrize("block", range(4))
def test_days_minute_by_minute(block: int) -> None:
    """Each route of random plans can be driven or not, and costs as much."""
    counts = {True: 0, False: 0}
    for seed in seeds(500)[block::4]:
        instance = random_problem(seed, PARTS, share=0.5)
        plan = random_plan(instance, seed)
        for route, idx in zip(plan.routes, plan.vehicle_types, strict=True):
            day = Day(instance, route, idx)
            if not day.is_whole:
                continue
            alone = nr.Solution.from_routes(instance, [route], [idx])
            broken = {v.kind for v in nr.check_solution(instance, alone)}
            cost = day.cost()
            is_fine = broken <= OF_PLANS
            assert (cost < math.inf) == is_fine, (seed, route, broken)
            if is_fine:
                assert alone.cost == cost, (seed, route)
            counts[is_fine] += 1
    assert min(counts.values()) > 0.1 * sum(counts.values())
