"""Files mean to us what they mean to PyVRP's reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.io.metrics import METRICS
from ncc_routing.io.vrplib import write_solution
from ncc_routing.problems.distances import ROUNDINGS
from ncc_routing.problems.routes.simplification import simplify
from ncc_routing.pyvrp.adapter import (
    from_problem_data,
    from_pyvrp,
    objective_of,
    to_pyvrp,
)
from tests.oracles.problems import FLEETS, random_plan, random_problem
from tests.oracles.same_meaning import METRIC_OF_SET, assert_same_meaning
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path

SOURCE_SCALE = 100_000
"""Some files of HFVRP state the cost of the source: its unit costs are times
100 in the files, and the lengths times 1000."""


@pytest.mark.parametrize("folder", METRIC_OF_SET)
def test_best_known_solutions_cost_it(data_dir: Path, folder: str) -> None:
    """They are feasible, and cost what they say, to the unit."""
    files = sorted((data_dir / "vrp" / folder).glob("*.vrp"))
    if not files:
        pytest.skip("the sets beyond the CVRP are not here")
    for file in files:
        instance = nr.read(file, metric=METRIC_OF_SET[folder])
        stated = nr.read_solution(file.with_suffix(".sol"))
        assert stated.cost is not None
        solution = nr.Solution.from_routes(
            instance, *stated.routes_of(instance)
        )
        scale, slack = 10 if folder == "VRPTW" else 1, 0.0
        if folder == "HFVRP" and not stated.cost.is_integer():
            # In the unit of the source, with two digits.
            scale, slack = SOURCE_SCALE, 0.01 * SOURCE_SCALE
        difference = abs(solution.cost - round(scale * stated.cost))
        assert difference <= slack, file.name
        assert nr.check_solution(instance, solution) == [], file.name


@pytest.mark.parametrize("folder", METRIC_OF_SET)
def test_published_files_as_pyvrp_reads(data_dir: Path, folder: str) -> None:
    """Every file means the same, and so does its best known solution."""
    files = sorted((data_dir / "vrp" / folder).glob("*.vrp"))
    if not files:
        pytest.skip("the sets beyond the CVRP are not here")
    metric = METRIC_OF_SET[folder]
    for number in seeds(len(files), step=3):
        file = files[number]
        data = pyvrp.read(file, round_func=metric)
        instance = nr.read(file, metric=metric)
        scale = int(METRICS[metric].scale)
        assert_same_meaning(instance, from_problem_data(data), scale)
        theirs = pyvrp.read_solution(file.with_suffix(".sol"), data)
        ours = from_pyvrp(theirs, instance)
        stated = nr.read_solution(file.with_suffix(".sol"))
        assert ours.routes == stated.routes_of(instance).routes
        assert ours.cost == objective_of(theirs)


@pytest.mark.parametrize("block", range(4))
def test_written_files_are_those_that_pyvrp_reads(
    tmp_path: Path, block: int
) -> None:
    """Random problems with all that a file can say, over random routes."""
    file, routes_file = tmp_path / "case.vrp", tmp_path / "case.sol"
    num_feasible = num_written = 0
    problems = seeds(1_500)[block::4]
    for seed in problems:
        instance = simplify(random_problem(seed, FLEETS, share=0.3))
        try:
            nr.write_instance(file, instance)
        except nr.ParameterError:
            continue  # it has no place in a file
        num_written += 1
        data = pyvrp.read(file, round_func="round")
        again = nr.read(file)
        found = simplify(again).is_unlimited_cvrp
        assert found == instance.is_unlimited_cvrp, seed
        solution = random_plan(instance, seed)
        if nr.check_solution(instance, solution):
            continue
        num_feasible += 1
        write_solution(routes_file, solution, instance)
        theirs = pyvrp.read_solution(routes_file, data)
        assert theirs.is_feasible(), seed
        assert objective_of(theirs) == solution.cost, seed
        stated = nr.read_solution(routes_file)
        back = nr.Solution.from_routes(again, *stated.routes_of(again))
        assert sorted(back.routes) == sorted(solution.routes), seed
        assert back.cost == solution.cost, seed
        assert nr.check_solution(again, back) == [], seed
        assert to_pyvrp(back, data).is_feasible(), seed
    assert num_feasible > len(problems) / 30
    assert num_written > len(problems) / 7


@pytest.mark.parametrize("metric", ["round", "trunc", "dimacs", "exact"])
def test_lengths_are_those_of_pyvrp(tmp_path: Path, metric: str) -> None:
    """Whole coordinates, where lengths fall on and between whole numbers."""
    rng = np.random.default_rng(1)
    coords = rng.integers(0, 60, (80, 2))
    instance = nr.Instance(
        "grid", np.array([0, *rng.integers(1, 9, 79)]), 30, coords
    )
    file = tmp_path / "grid.vrp"
    nr.write_instance(file, instance)
    theirs = pyvrp.read(file, round_func=metric)
    nodes = np.arange(80)
    ours = nr.read(file, metric=metric)
    assert ours.rounding in ROUNDINGS
    assert np.array_equal(
        ours.distances(nodes, nodes), theirs.distance_matrix(0)
    )
