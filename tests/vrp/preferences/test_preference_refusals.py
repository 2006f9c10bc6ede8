"""What the preferences refuse, and how they say it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.vrp.params import PREFERENCES

FILE = WEIGHTS / "ncc-cvrp.safetensors"
OTHERS: dict[str, dict[str, Any]] = {
    "does not accept maximum distances": {
        "fleet": nr.Fleet((nr.VehicleType(capacity=9, max_distance=3),))
    },
    "needs vehicles that pay for distances": {
        "fleet": nr.Fleet(
            (
                nr.VehicleType(
                    capacity=9, unit_distance_cost=0, unit_duration_cost=1
                ),
            )
        )
    },
    "does not accept distances without coordinates": {"coords": None},
}


@pytest.mark.parametrize("method", ["auto", "savings", "ckm"])
@pytest.mark.parametrize("rule", OTHERS)
def test_affinity_refuses_other_problems_by_name(
    rule: str, method: str
) -> None:
    """One line names the instance, the preference and the feature."""
    places = np.array([[0, 0], [1, 0], [0, 1], [2, 2]])
    parts: Any = {"coords": places, "matrix": np.ones((4, 4)) - np.eye(4)}
    instance = nr.Instance(
        "other", np.array([0, 1, 1, 1]), 9, **{**parts, **OTHERS[rule]}
    )
    params = nr.SolveParams(method, scorer=FILE, affinity=1.0)
    with pytest.raises(
        nr.UnsupportedProblemError, match=f"^other: affinity: {rule}"
    ):
        nr.solve(instance, time_limit=0.1, params=params)


def test_affinity_refuses_a_node_more_than_a_matrix_may_have() -> None:
    """The line names the instance and the number."""
    large = generate_uchoa(LARGEST_MATRIX, 1)
    message = f"affinity: does not accept .*more than {LARGEST_MATRIX} nodes"
    params = nr.SolveParams(scorer=FILE, affinity=1.0)
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        nr.solve(large, params=params)


@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf, "a"])
@pytest.mark.parametrize("name", PREFERENCES)
def test_values_out_of_range(name: str, value: Any) -> None:
    """The message names the parameter."""
    with pytest.raises(nr.ParameterError, match=f"{name} must"):
        nr.SolveParams(**{name: value})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"consistency": 1.0}, "consistency 1.0 needs a reference"),
        ({"affinity": 1.0}, "affinity 1.0 needs a scorer"),
        (
            {"consistency": 1.0, "reference": [0], "polish": "none"},
            "consistency needs an improvement by ruin-recreate or auto",
        ),
        ({"compactness": 1.0, "polish": "pyvrp"}, "recreate or auto, got py"),
        ({"compactness": 1.0, "polish": "none"}, "recreate or auto, got none"),
        (
            {"scorer": FILE, "affinity": 1.0, "polish": "none"},
            "affinity needs an improvement",
        ),
        ({"scorer": 7, "affinity": 1.0}, r"pair_probabilities\(\), got 7"),
        ({"scorer": "no.safetensors", "affinity": 1.0}, "no.safetensors"),
        ({"scorer": "no.safetensors"}, "needs a method by name .* or an aff"),
        (
            {"affinity": -1.0},
            r"affinity must lie in \[1e-06, 1e\+06\] or be 0, got -1",
        ),
        (
            {"scorer": WEIGHTS / "ncc-ccp.safetensors", "affinity": 1.0},
            "trained for the CCP, not for routes",
        ),
    ],
)
def test_wrong_requests(changes: dict[str, Any], message: str) -> None:
    """Each is said before the instance is looked at."""
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.solve("no such instance", params=nr.SolveParams(**changes))
