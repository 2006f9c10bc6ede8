"""Tests of the compiled distances against those of the instance."""

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core.distances import fill_block
from ncc_routing.problems.distances import ROUNDINGS


def make(rounding: str, with_matrix: bool = False) -> nr.Instance:
    """Return twelve nodes at fractional places."""
    rng = np.random.default_rng(3)
    return nr.Instance(
        name="tiny",
        demands=np.zeros(12),
        capacity=1,
        coords=rng.uniform(-50, 50, size=(12, 2)),
        rounding=rounding,
        matrix=rng.uniform(0, 9, size=(12, 12)) if with_matrix else None,
    )


def compiled_distances(instance: nr.Instance) -> np.ndarray:
    """Return all distances, by compiled code."""
    size = len(instance.demands)
    out = np.empty((size, size))
    fill_block(instance.metric, np.arange(size), out)
    return out


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("with_matrix", [False, True])
def test_distance_is_that_of_the_instance(
    rounding: str, with_matrix: bool
) -> None:
    """C++ and numpy agree to the last bit, for every rule."""
    instance = make(rounding, with_matrix)
    expected = instance.distances(range(12), range(12))
    np.fill_diagonal(expected, 0.0)
    assert np.array_equal(compiled_distances(instance), expected)


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
    instance = nr.Instance(
        name="line",
        demands=np.zeros(4),
        capacity=1,
        coords=np.array([[0, 0], [2.5, 0], [3.5, 0], [0, 2.2496]]),
        rounding=rounding,
    )
    assert compiled_distances(instance)[0].tolist() == expected
    assert instance.distances([0], range(4)).tolist() == [expected]


def test_sizes_that_do_not_fit_are_refused() -> None:
    """Of a node that is not there, and of too small a matrix."""
    metric = make("nearest").metric
    for nodes, size in (([0, 12], 2), ([-1, 0], 2), ([0, 1], 1)):
        with pytest.raises(ValueError, match="must"):
            fill_block(metric, np.array(nodes), np.empty((size, size)))
