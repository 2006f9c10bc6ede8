"""What a network sees between customers and centers."""

from collections.abc import Sequence

import numpy as np
import pytest

from ncc_routing import Instance
from ncc_routing.paper.scoring.center_features import (
    NUM_GEOMETRY_FEATURES,
    CenterGeometry,
)
from ncc_routing.paper.scoring.features import view_of
from tests.oracles.precision import single

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


def test_everybody_at_one_place_is_finite() -> None:
    """Depot and customers: all lengths are nothing."""
    geometry = geometry_of([[0, 0]] * 3, [1, 1, 1], 2)
    found = geometry.features(np.array([0, 1]), np.array([[0, 1, 0]]))
    assert np.isfinite(found).all()
