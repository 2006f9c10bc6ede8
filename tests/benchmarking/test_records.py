"""Records of runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.benchmarking.records import (
    Record,
    describe,
    gap_percent,
    record_result,
    size_class,
    whole,
    with_gap,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.problems.points import PointSet
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.result import Result, Stage

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


@pytest.fixture
def record(square: Instance) -> Record:
    """Return the record of a solve that ended 10 % above a bks of 440."""
    result = Result(
        instance=square,
        best=Solution.from_routes(square, [[1, 4], [2, 3]]),
        method="ckm",
        polish="none",
        seed=3,
        stages=(Stage("cluster", 0.25, None), Stage("route", 0.5, 484.0)),
        runtime=0.75,
    )
    return record_result(result, 440.0, 0.8)


def test_record_of_a_result(record: Record) -> None:
    """484 over 440 is a gap of 10 %."""
    assert record.feasible
    assert record.cost == 484
    assert record.num_routes == 2
    assert record.gap_percent == pytest.approx(10.0)
    assert record.size_class == "N1"


def test_infeasible_solution_is_said(square: Instance) -> None:
    """The record itself asks the checker: two customers are missing."""
    best = Solution.from_routes(square, [[1, 4]])
    result = Result(square, best, "ckm", "none", 1, (), 0.1)
    assert not record_result(result, None, 0.1).feasible


def test_json_shows_whole_costs_as_integers(record: Record) -> None:
    """484.0 reads 484; the key order is the documented one."""
    answer = record.to_json()
    assert json.dumps(answer["cost"]) == "484"
    assert answer["gap_percent"] == 10.0
    assert answer["stages"] == [
        {"name": "cluster", "seconds": 0.25, "cost": None},
        {"name": "route", "seconds": 0.5, "cost": 484},
    ]
    assert "routes" not in answer


def test_row_holds_class_stages_and_error(record: Record) -> None:
    """A CSV row is the object of --json, flat."""
    row = record.to_row()
    assert row["size_class"] == "N1"
    assert row["gap_percent"] == 10.0
    stages = json.loads(str(row["stages"]))
    assert [stage["name"] for stage in stages] == ["cluster", "route"]
    assert row["error"] is None
    failed = Record("x", None, "gap", "none", 1, error="no way").to_row()
    assert (failed["size_class"], failed["error"]) == ("?", "no way")


def test_description_of_a_solution_names_the_first_broken_rule(
    square: Instance,
) -> None:
    """Complete: feasible, no error; customers missing: the checker says."""
    whole_one = Solution.from_routes(square, [[1, 4], [2, 3]])
    row = describe(square, whole_one, 0.0)
    assert (row["feasible"], row["error"]) == (True, None)
    assert (row["cost"], row["num_routes"]) == (484, 2)
    row = describe(square, Solution.from_routes(square, [[1, 4]]), 0.0)
    assert row["feasible"] is False
    assert "customer 2" in str(row["error"])


def test_description_of_a_clustering() -> None:
    """Two pairs at distance 2: inertia 4, and 2 from the singular value."""
    points = PointSet(
        np.array([[0.0, 0], [2, 0], [10, 0], [12, 0]]),
        np.ones(4, dtype=int),
        2,
        num_clusters=2,
    )
    labels = np.array([0, 0, 1, 1])
    found = summarize(points, labels, 2, "inertia")
    row = describe(points, found, 0.0)
    assert row["cost"] == row["inertia"] == pytest.approx(4.0)
    assert row["feasible"] is True


def test_gap_needs_a_cost_and_a_reference() -> None:
    """110 over 100 is 10 %; otherwise the row stays as it was."""
    assert with_gap({"cost": 110.0}, 100.0)["gap_percent"] == 10.0
    assert with_gap({"cost": 110.0}, None) == {"cost": 110.0}
    assert with_gap({"error": "no"}, 100.0) == {"error": "no"}


@pytest.mark.parametrize(
    ("num_customers", "expected"),
    [(248, "N1"), (249, "N2"), (498, "N2"), (499, "N3"), (30_000, "N3")],
)
def test_size_classes_count_the_depot(
    num_customers: int, expected: object
) -> None:
    """Below 250 nodes, below 500, and the rest."""
    assert size_class(num_customers) == expected


@pytest.mark.parametrize(
    ("cost", "bks", "expected"),
    [(110, 100, 10.0), (90, 100, -10.0), (5, None, None), (5, 0, None)],
)
def test_gap(cost: float, bks: float | None, expected: object) -> None:
    """100 (cost / bks - 1); no gap without a positive bks."""
    assert gap_percent(cost, bks) == pytest.approx(expected)


def test_whole() -> None:
    """Only whole numbers become integers."""
    assert whole(None) is None
    assert isinstance(whole(3.0), int)
    assert whole(3.5) == 3.5
