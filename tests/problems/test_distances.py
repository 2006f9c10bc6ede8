"""Tests of the compiled distances against those of the instance."""

import numpy as np
import pytest

from ncc_routing.problems.distances import distance, fill_block
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding import ROUNDINGS


def make(rounding: str, with_matrix: bool = False) -> Instance:
    """Return twelve nodes at fractional places."""
    rng = np.random.default_rng(3)
    return Instance(
        name="tiny",
        demands=np.zeros(12),
        capacity=1,
        coords=rng.uniform(-50, 50, size=(12, 2)),
        rounding=rounding,
        matrix=rng.uniform(0, 9, size=(12, 12)) if with_matrix else None,
    )


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("with_matrix", [False, True])
def test_distance_is_that_of_the_instance(
    rounding: str, with_matrix: bool
) -> None:
    """Kernels and numpy agree to the last bit, for every rule."""
    instance = make(rounding, with_matrix)
    nodes = range(12)
    metric = instance.metric
    compiled = [[distance(metric, i, j) for j in nodes] for i in nodes]
    assert np.array_equal(compiled, instance.distances(nodes, nodes))


@pytest.mark.parametrize(
    ("rounding", "expected"),
    [
        ("nearest", [0, 3, 4, 2]),
        ("ceil", [0, 3, 4, 3]),
        ("floor", [0, 2, 3, 2]),
        ("exact", [0, 2500, 3500, 2250]),
        ("none", [0, 2.5, 3.5, 2.2496]),
    ],
)
def test_each_rule_by_hand(rounding: str, expected: list[float]) -> None:
    """A half is rounded up: 2.5 to 3, 3.5 to 4, and 2249.6 to 2250."""
    instance = Instance(
        name="line",
        demands=np.zeros(4),
        capacity=1,
        coords=np.array([[0, 0], [2.5, 0], [3.5, 0], [0, 2.2496]]),
        rounding=rounding,
    )
    compiled = [distance(instance.metric, 0, j) for j in range(4)]
    assert compiled == expected
    assert instance.distances([0], range(4)).tolist() == [expected]


def test_fill_block_leaves_the_rest_of_the_buffer() -> None:
    """Only the first rows and columns are written, with a zero diagonal."""
    instance = make("nearest", with_matrix=True)
    out = np.full((4, 4), -1.0)
    nodes = np.array([5, 0, 7, 9])
    fill_block(instance.metric, nodes, 3, out)
    expected = instance.distances(nodes[:3], nodes[:3])
    np.fill_diagonal(expected, 0.0)
    assert np.array_equal(out[:3, :3], expected)
    assert (out[3] == -1).all()
    assert (out[:, 3] == -1).all()
