"""Records of runs."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from ncc_routing import Result, Solution
from ncc_routing.bench.records import (
    COLUMNS,
    Record,
    gap_percent,
    record_result,
    size_class,
    whole,
)
from ncc_routing.core.events import TracePoint
from ncc_routing.vrp.result import Stage

if TYPE_CHECKING:
    from ncc_routing import Instance


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
        trace=(
            TracePoint(0.6, "route", 500.0),
            TracePoint(0.61, "route", 484.0),
        ),
    )
    return record_result(result, 440.0, 0.8)


def test_record_of_a_result(record: Record) -> None:
    """484 over 440 is a gap of 10 %, and whole costs are integers."""
    assert json.dumps(record.to_json()) == (
        '{"instance": "square", "num_customers": 4, "method": "ckm", '
        '"polish": "none", "seed": 3, "feasible": true, "cost": 484, '
        '"num_routes": 2, "bks": 440, "gap_percent": 10.0, '
        '"runtime_seconds": 0.8, "stages": [{"name": "cluster", '
        '"seconds": 0.25, "cost": null}, {"name": "route", "seconds": 0.5, '
        f'"cost": 484}}], "version": {json.dumps(version("ncc_routing"))}}}'
    )


def test_row_is_the_object_flat(record: Record) -> None:
    """The class and the progress are added; lists become texts."""
    row, answer = record.to_row(), record.to_json()
    assert tuple(row) == COLUMNS
    assert json.loads(str(row["stages"])) == answer["stages"]
    assert row["progress"] == "[[0.61, 484]]"
    assert (row["size_class"], row["error"]) == ("N1", None)
    same = set(answer) - {"stages"}
    assert {name: row[name] for name in same} == {n: answer[n] for n in same}


def test_infeasible_solution_is_said(square: Instance) -> None:
    """The record itself asks the checker: two customers are missing."""
    best = Solution.from_routes(square, [[1, 4]])
    result = Result(square, best, "ckm", "none", 1, (), 0.1)
    assert not record_result(result, None, 0.1).feasible


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
