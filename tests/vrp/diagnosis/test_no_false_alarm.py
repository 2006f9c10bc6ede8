"""Nothing is called fatal in a problem that has a plan."""

from __future__ import annotations

import math

import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.vrp.diagnosis.verdict import require_possible
from tests.brute_force import cheapest_plan
from tests.vrp.diagnosis.plans import tight_problem
from tests.vrp.rich_problems import as_instance, rich_problem

BLOCK = 500


@pytest.mark.parametrize("block", range(6))
def test_limits_that_a_plan_just_keeps(block: int) -> None:
    """Three thousand plans of 2 to 24 customers, and what they take."""
    for seed in range(BLOCK * block, BLOCK * (block + 1)):
        instance, plan = tight_problem(seed)
        assert nr.check_solution(instance, plan) == []
        require_possible(instance)


def test_whatever_has_a_plan_has_no_fatal_finding() -> None:
    """512 problems of all features, by a look at every plan of each.

    Of those without a plan most are found out.
    """
    found = {True: 0, False: 0}
    for seed in range(512):
        instance = as_instance(rich_problem(seed))
        is_fatal = bool(nr.diagnose(instance).fatal)
        if math.isinf(cheapest_plan(instance)):
            found[is_fatal] += 1
        else:
            assert not is_fatal, seed
    assert found[True] > 4 * found[False]


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
