"""The same problems as instances, files and PyVRP's data; all costs right."""

from __future__ import annotations

import numpy as np

import ncc_routing as nr
from tests.oracles.verdicts import FORMS, count_verdicts

NUM_PROBLEMS = 120


def test_random_problems_in_all_their_forms() -> None:
    """No cost is wrong, no plan breaks a rule, and none is missed."""
    verdicts = count_verdicts(range(0, 49 * NUM_PROBLEMS, 49))
    wrong = [key for key in verdicts if key[1].startswith(("wrong", "false"))]
    assert not wrong, verdicts
    for form in FORMS:
        assert verdicts[form, "cheapest"] >= 10
    assert verdicts["instance", "cheapest"] > NUM_PROBLEMS / 2


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
