"""Labels of the capacitated clustering problem, and their files."""

from pathlib import Path

import numpy as np
import pytest

from ncc_routing import ParameterError, PointSet
from ncc_routing.paper.learning.label_files import (
    LabelledInstance,
    read_labels,
)
from ncc_routing.paper.learning.label_problems import (
    LARGEST_CLUSTER,
    SMALLEST_CLUSTER,
    ccp_instance,
)
from ncc_routing.paper.learning.labels import (
    LabelPlan,
    label_instance,
    write_labels,
)


def test_defaults_of_each_problem() -> None:
    """The settings of the CVRP stand as they did before there was a CCP."""
    assert LabelPlan().settings() == (100, 400, 2, 250)
    assert LabelPlan(problem="ccp").settings() == (100, 400, 2, 2, 1)
    assert LabelPlan(problem="ccp-gb21").settings() == (100, 400, 2, 5, 2)
    with pytest.raises(ParameterError, match="problem"):
        LabelPlan(problem="tsp")


@pytest.mark.parametrize("size", [20, 200, 400])
def test_instances_have_clusters_of_every_size(size: int) -> None:
    """From 12 to 67 points in the mean; at least two clusters."""
    counts = {ccp_instance(size, seed).num_clusters or 0 for seed in range(40)}
    assert min(counts) >= max(2, round(size / LARGEST_CLUSTER))
    assert max(counts) <= max(2, size // SMALLEST_CLUSTER)
    assert len(counts) > 1 or size == 20


def test_labels_are_feasible_clusters(
    tiny_ccp_labels: list[LabelledInstance],
) -> None:
    """Each run places every point and respects the capacity."""
    for entry in tiny_ccp_labels:
        points = entry.instance
        assert isinstance(points, PointSet)
        assert points.num_clusters is not None
        assert entry.labels.shape == (2, points.num_points)
        for labels, cost in zip(entry.labels, entry.costs, strict=True):
            loads = np.bincount(labels, points.weights)
            assert len(loads) <= points.num_clusters
            assert loads.max() <= points.largest_load()
            members = [points.coords[labels == k] for k in range(len(loads))]
            squares = [((m - m.mean(axis=0)) ** 2).sum() for m in members]
            assert cost == pytest.approx(sum(squares))


def test_gb21_labels_the_same_instances(
    tiny_ccp_labels: list[LabelledInstance], tiny_ccp_plan: LabelPlan
) -> None:
    """The same points, and clusters that are no better."""
    plan = LabelPlan(
        sizes=tiny_ccp_plan.sizes,
        num_runs=1,
        iterations_per_customer=1,
        problem="ccp-gb21",
    )
    found = label_instance(plan, 11)
    ours = tiny_ccp_labels[0]
    np.testing.assert_array_equal(found.instance.coords, ours.instance.coords)
    assert found.costs[0] >= ours.costs.min() - 1e-9


def test_files_are_written_and_read(
    tiny_ccp_plan: LabelPlan,
    tiny_ccp_labels: list[LabelledInstance],
    tmp_path: Path,
) -> None:
    """What is read is what was labelled; a plan of CVRPs is refused."""
    assert len(list(write_labels(tiny_ccp_plan, tmp_path))) == 2
    found = read_labels([tmp_path])
    for one, other in zip(found, tiny_ccp_labels, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
        np.testing.assert_array_equal(one.costs, other.costs)
        for field in ("coords", "weights", "capacity", "num_clusters"):
            np.testing.assert_array_equal(
                getattr(one.instance, field), getattr(other.instance, field)
            )
    cvrp = LabelPlan(
        num_instances=4, first_seed=11, sizes=(20, 30), shard_size=2
    )
    with pytest.raises(ParameterError, match="other settings"):
        list(write_labels(cvrp, tmp_path))
