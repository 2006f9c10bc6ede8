"""Costs recomputed by code that shares nothing with the solvers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
import pyvrp
import vrplib

import ncc_routing as nr
from ncc_routing.vrp.methods import METHODS, NO_IMPROVEMENT
from tests.oracles.by_pyvrp import faults_by_pyvrp
from tests.oracles.samples import LOWER_ROW
from tests.robustness.support import IS_LARGE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "method", METHODS if IS_LARGE else ["savings", "sweep"]
)
def test_costs_equal_those_of_vrplib_and_pyvrp(
    method: str, data_dir: Path
) -> None:
    """One instance of set X of each of some classes of size."""
    files = sorted((data_dir / "cvrp" / "X").glob("*.vrp"))
    if not files:
        pytest.skip("set X is not here")
    rng = random.Random(1)
    number = len(files) if IS_LARGE else 4
    for group in np.array_split(np.arange(len(files)), number):
        file = files[rng.choice(group.tolist())]
        best = nr.solve(
            nr.read(file), method=method, polish=NO_IMPROVEMENT, time_limit=1.0
        ).best
        lengths = np.rint(vrplib.read_instance(file)["edge_weight"])
        paths = [[0, *route, 0] for route in best.routes]
        assert best.cost == sum(
            lengths[path[:-1], path[1:]].sum() for path in paths
        )
        data = pyvrp.read(file, round_func="round")
        clients = [[node - 1 for node in route] for route in best.routes]
        found = pyvrp.Solution(data, clients)
        assert found.is_feasible()
        assert best.cost == found.distance_cost()


# 0-1-2-0 costs 5 + 7 + 6, and 0-3-4-0 costs 8 + 4 + 3.
@pytest.mark.parametrize(
    ("routes", "cost", "fault"),
    [
        (("1 2", "3 4"), 33, "[]"),
        (("1 4", "2 3"), 30, "infeasible"),
        (("1 2", "3 4"), 32, "cost 32"),
    ],
)
def test_wrong_answers_are_found(
    routes: tuple[str, str], cost: int, fault: str, tmp_path: Path
) -> None:
    """An overload, and a wrong cost."""
    file, answer = tmp_path / "a.vrp", tmp_path / "a.sol"
    file.write_text(LOWER_ROW)
    one, two = routes
    answer.write_text(f"Route #1: {one}\nRoute #2: {two}\nCost {cost}\n")
    assert fault in str(faults_by_pyvrp(file, answer, cost))
