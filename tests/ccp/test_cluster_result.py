"""What ``cluster`` tells while it works, and what it returns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.ccp.result import ClusterResult
from ncc_routing.generators import generate_gmm
from ncc_routing.problems.ccp.clusters import Clustering
from tests.ccp.points import CORNERS

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.core.events import Progress


class Costs(nr.Callbacks):
    """Writes the best costs down, and the result."""

    end: Any = None

    def __init__(self) -> None:
        self.costs: list[float | None] = []

    def on_best(self, progress: Progress) -> None:
        """Hear of a better clustering."""
        self.costs.append(progress.cost)

    def on_end(self, result: Any) -> None:
        """Hear of the end."""
        self.end = result


@pytest.fixture(scope="module")
def result() -> ClusterResult:
    """Return the two corners."""
    return nr.cluster(CORNERS, 2, 3)


def test_it_is_a_clustering_and_says_more(result: ClusterResult) -> None:
    """Labels as ever, and the points, the trace and a summary."""
    assert isinstance(result, Clustering)
    assert result.points.num_points == 6
    assert result.trace[-1].cost == pytest.approx(result.cost)
    assert repr(result).startswith("ClusterResult(points: inertia 2.66666")
    assert "2 of 3 to 3 points" in result.summary()
    assert "3 to 3" in result.summary()


@pytest.mark.parametrize("objective", ["inertia", "cccp", "cpmp"])
def test_callbacks_hear_of_better_clusterings(objective: str) -> None:
    """The costs fall to that of the result."""
    points = generate_gmm(1, seed=5, num_points=120)[0]
    diary = Costs()
    found = nr.cluster(points, objective=objective, callbacks=diary)
    assert diary.end is found
    assert diary.costs == [point.cost for point in found.trace]
    assert diary.costs[-1] == pytest.approx(found.cost)


@pytest.mark.parametrize("objective", ["inertia", "cpmp"])
def test_criteria_end_the_search(objective: str) -> None:
    """Few iterations, a worse answer; a target, none of the time used up."""
    coords = np.random.default_rng(3).random((300, 2))
    points = nr.PointSet(coords, np.ones(300), 20, "even")
    run: dict[str, Any] = {"objective": objective, "seed": 2}
    short = nr.cluster(points, stop=nr.stop.MaxIterations(1), **run)
    target = nr.stop.TargetCost(1.2 * short.cost)
    found = nr.cluster(points, stop=target, time_limit=60, **run)
    assert short.cost > nr.cluster(points, **run).cost
    assert found.runtime < 30.0


@pytest.mark.parametrize("objective", ["inertia", "cpmp"])
def test_json_keeps_everything(objective: str) -> None:
    """Written and read, it is the same; a broken one is refused."""
    result = nr.cluster(CORNERS, 2, 3, objective=objective)
    text = result.to_json()
    assert ClusterResult.from_json(text).to_json() == text
    content = json.loads(text)
    with pytest.raises(nr.ParameterError, match="phases must be a list of t"):
        ClusterResult.from_json(json.dumps({**content, "phases": [1]}))
    content["labels"][0] = 1 - content["labels"][0]
    with pytest.raises(
        nr.ParameterError, match="the result is invalid: cluster"
    ):
        ClusterResult.from_json(json.dumps(content))
    with pytest.raises(nr.ParameterError, match="this is no result"):
        ClusterResult.from_json("[1]")


def test_a_result_is_written(tmp_path: Path) -> None:
    """The suffix .json means everything, any other the labels."""
    found = nr.cluster(CORNERS, 2, 3)
    found.write(tmp_path / "all.json")
    text = (tmp_path / "all.json").read_text("utf-8")
    assert ClusterResult.from_json(text).labels.tolist() == [*found.labels]
    found.write(str(tmp_path / "labels.csv"))
    head, *rows = (tmp_path / "labels.csv").read_text("utf-8").splitlines()
    assert head == "x,y,weight,cluster"
    assert [int(row[-1]) for row in rows] == [*found.labels]


def test_a_run_tells_its_phases(caplog: pytest.LogCaptureFixture) -> None:
    """In its result, in its summary and in the log; old texts have none."""
    with caplog.at_level("INFO", "ncc_routing"):
        found = nr.cluster(CORNERS, 2, 3)
    assert found.phases == ("ckm", "2 x descend", "100 x kick")
    assert f"phases    {', '.join(found.phases)}" in found.summary()
    assert caplog.messages[0] == f"Phases: {', '.join(found.phases)}."
    text = found.to_json()
    assert ClusterResult.from_json(text).phases == found.phases
    old = {k: v for k, v in json.loads(text).items() if k != "phases"}
    before = ClusterResult.from_json(json.dumps(old))
    assert before.phases == ()
    assert "phases" not in before.summary()
    old["plan"] = ["ckm"]
    assert ClusterResult.from_json(json.dumps(old)).phases == ("ckm",)


def test_phases_are_of_what_ran(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Baselines have a name alone; the last number of clusters counts."""
    assert nr.cluster(CORNERS, 2, 3, method="random").phases == ("random",)
    three = nr.PointSet(np.eye(3), np.array([3, 3, 3]), 5)
    with caplog.at_level("INFO", "ncc_routing"):
        found = nr.cluster(three, objective="cpmp", time_limit=0.1)
    assert found.num_clusters == 3
    assert found.phases[:2] == ("ckm", "anneal to 50 %")
    assert sum(text.startswith("Phases: ") for text in caplog.messages) == 2


def test_the_points_as_a_table(result: ClusterResult) -> None:
    """One row a point; other dimensions have numbered columns."""
    pytest.importorskip("pandas")
    table = result.to_dataframe()
    assert list(table.columns) == ["cluster", "weight", "x", "y"]
    assert list(table["cluster"]) == list(result.labels)
    flat = nr.cluster(CORNERS[:, :1], 2, 3).to_dataframe()
    assert list(flat.columns) == ["cluster", "weight", "x0"]
