"""What a network sees between customers and centers."""

from collections.abc import Sequence

import numpy as np
import pytest

from ncc_routing.problems.instance import Instance
from ncc_routing.scoring.center_features import (
    NUM_GEOMETRY_FEATURES,
    CenterGeometry,
)
from ncc_routing.scoring.features import view_of
from tests.oracles.precision import rounding, single

pytestmark = pytest.mark.numeric


def geometry_of(
    coords: Sequence[Sequence[float]], demands: Sequence[int], capacity: int
) -> CenterGeometry:
    """Return the geometry of customers about a depot at the origin."""
    places, loads = np.array([[0.0, 0.0], *coords]), np.array([0, *demands])
    instance = Instance("by hand", loads, capacity, places)
    return CenterGeometry.of(view_of(instance, 4))


def test_lengths_by_hand() -> None:
    """From (3, 0) to a center at (3, 4); the spacings are 4 and 4."""
    geometry = geometry_of([[3, 0], [3, 4]], [1, 3], 4)
    found = geometry.features(np.array([1]), np.array([[0, 0]]))
    assert found.shape == (1, 2, NUM_GEOMETRY_FEATURES)
    assert found.dtype == np.float32
    expected = [
        *(np.log(2.0), 0.0, 0.0, np.arcsinh(1.0)),  # 4 / 4, across alone
        *(0.6, 0.8),  # the angle of (3, 0) and (3, 4)
        *(0.5, 0.25),  # (3 + 5 - 4) / (3 + 5), and the demand
        *(np.arcsinh(0.5), np.arcsinh(1.5)),  # 3 + 4 - 5 and 5 + 4 - 3
        *(0.0, 0.0),  # the mean distance to the depot is 4; no nearer one
    ]
    np.testing.assert_allclose(found[0, 0, :12], expected, **single(3))
    # The center itself: nothing in between.
    assert found[0, 1, [0, 2, 3, 11]].tolist() == [0.0] * 4
    assert found[0, 1, 6] == 1.0


def test_loads_by_hand() -> None:
    """Four customers on a line, with centers at the first and the last."""
    geometry = geometry_of([[1, 0], [2, 0], [3, 0], [4, 0]], [1, 2, 3, 4], 10)
    every = np.array([[0, 0, 0, 0], [1, 1, 1, 1]])
    found = geometry.features(np.array([0, 3]), every)
    loads = np.expm1(found[:, :, 12:15])
    # Up to the customer, of the cell, of the cell up to the customer.
    expected = [
        [[0.1, 0.3, 0.1], [0.3, 0.3, 0.3], [0.6, 0.3, 0.3], [1.0, 0.3, 0.3]],
        [[1.0, 0.7, 0.7], [0.9, 0.7, 0.7], [0.7, 0.7, 0.7], [0.4, 0.7, 0.4]],
    ]
    np.testing.assert_allclose(loads, expected, **single(4))
    ranks = 8.0 * found[:, :, 15]
    assert ranks.tolist() == [[0, 0, 1, 1], [1, 1, 0, 0]]
    # A step to the second center costs a spacing more for the first customer.
    steps = found[1, :, 11] * geometry.scales[0]
    np.testing.assert_allclose(steps, [3.0, 1.0, 0.0, 0.0], **single(2))


@pytest.mark.parametrize("num_listed", [1, 3])
def test_only_who_lists_a_center_loads_it(num_listed: int) -> None:
    """The load up to each is that of those with the center in their list."""
    rng = np.random.default_rng(num_listed)
    size, count = 40, 6
    demands = rng.integers(1, 9, size)
    coords = rng.random((size, 2)) * 100.0
    geometry = geometry_of(coords.tolist(), demands.tolist(), 50)
    medoids = rng.permutation(size)[:count]
    listed = np.stack(
        [rng.permutation(count)[:num_listed] for _ in range(size)], axis=1
    )
    found = np.expm1(geometry.features(medoids, listed)[:, :, 12])
    lengths = np.hypot(*(coords[:, None] - coords[medoids]).T).T
    for c, i in np.ndindex(*listed.shape):
        k = listed[c, i]
        asks = (listed == k).any(axis=0)
        nearer = lengths[:, k] <= lengths[i, k]
        expected = demands[asks & nearer].sum() / 50.0
        assert found[c, i] == pytest.approx(expected, rel=rounding(size))


def test_everybody_at_one_place_is_finite() -> None:
    """Depot and customers: all lengths are nothing."""
    geometry = geometry_of([[0, 0]] * 3, [1, 1, 1], 2)
    found = geometry.features(np.array([0, 1]), np.array([[0, 1, 0]]))
    assert np.isfinite(found).all()
