"""Records of runs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ncc_routing.benchmarking.records import (
    Record,
    gap_percent,
    record_result,
    size_class,
    whole,
)
from ncc_routing.problems.result import Result, Stage
from ncc_routing.problems.solution import Solution


@pytest.fixture
def record(square) -> Record:
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


def test_record_of_a_result(record):
    """484 over 440 is a gap of 10 %."""
    assert record.feasible
    assert record.cost == 484
    assert record.num_routes == 2
    assert record.gap_percent == pytest.approx(10.0)
    assert record.size_class == "N1"


def test_infeasible_solution_is_said(square):
    """The record itself asks the checker: two customers are missing."""
    best = Solution.from_routes(square, [[1, 4]])
    result = Result(square, best, "ckm", "none", 1, (), 0.1)
    assert not record_result(result, None, 0.1).feasible


def test_json_shows_whole_costs_as_integers(record):
    """484.0 reads 484; the key order is the documented one."""
    answer = record.to_json()
    assert json.dumps(answer["cost"]) == "484"
    assert answer["gap_percent"] == 10.0
    assert answer["stages"] == [
        {"name": "cluster", "seconds": 0.25, "cost": None},
        {"name": "route", "seconds": 0.5, "cost": 484},
    ]
    assert "routes" not in answer


def test_row_and_back(record):
    """A CSV row holds everything: the record comes back from its text."""
    row = {
        key: "" if value is None else str(value)
        for key, value in record.to_row().items()
    }
    assert row["size_class"] == "N1"
    assert Record.from_row(row) == replace(record, gap_percent=10.0)


def test_failed_row_and_back():
    """Empty cells become None again."""
    failed = Record("x", None, "gap", "none", 1, error="no way")
    assert failed.size_class == "?"
    row = {k: "" if v is None else str(v) for k, v in failed.to_row().items()}
    assert Record.from_row(row) == failed


@pytest.mark.parametrize(
    ("num_customers", "expected"),
    [(248, "N1"), (249, "N2"), (498, "N2"), (499, "N3"), (30_000, "N3")],
)
def test_size_classes_count_the_depot(num_customers, expected):
    """Below 250 nodes, below 500, and the rest."""
    assert size_class(num_customers) == expected


@pytest.mark.parametrize(
    ("cost", "bks", "expected"),
    [(110, 100, 10.0), (90, 100, -10.0), (5, None, None), (5, 0, None)],
)
def test_gap(cost, bks, expected):
    """100 (cost / bks - 1); no gap without a positive bks."""
    assert gap_percent(cost, bks) == pytest.approx(expected)


def test_whole():
    """Only whole numbers become integers."""
    assert whole(None) is None
    assert isinstance(whole(3.0), int)
    assert whole(3.5) == 3.5
