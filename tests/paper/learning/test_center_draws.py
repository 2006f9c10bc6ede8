"""The centers that the network of the paper is trained on."""

import numpy as np
import pytest

from ncc_routing.paper.learning.center_draws import (
    NUM_NEAR,
    draw_centers,
    list_nearest,
    medoids_of,
    spacings,
)
from tests.oracles.precision import single


def test_medoids_of_routes_that_overlap() -> None:
    """The customer nearest to the mean of the second route is not its own."""
    coords = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [5.0, 3.0]])
    labels = np.array([1, 1, 1, 0])
    coords[3] = coords[:3].mean(axis=0)
    assert medoids_of(coords, labels).tolist() == [3, 0]
    assert medoids_of(coords, labels, "nearest").tolist() == [3, 3]
    # A label without customers is none.
    assert medoids_of(coords, 2 * labels).tolist() == [3, 0]


def test_centers_that_a_customer_asks_about() -> None:
    """The two nearest of three, or all where there are no more."""
    lengths = np.array([[0.0, 5.0], [1.0, 4.0], [2.0, 3.0]])
    found = list_nearest(lengths, 2)
    assert found is not None
    assert [set(own) for own in found.T.tolist()] == [{0, 1}, {1, 2}]
    assert list_nearest(lengths, 3) is None


def test_drawn_centers_are_the_label_near_it_or_seeds() -> None:
    """About a third each; as many as there were, and all of them customers."""
    rng = np.random.default_rng(1)
    coords, weights = rng.random((60, 2)), rng.random(60)
    medoids = np.arange(0, 60, 10)
    ranks = np.empty((6, 60), dtype=int)
    for k, medoid in enumerate(medoids):
        lengths = np.hypot(*(coords - coords[medoid]).T)
        ranks[k, lengths.argsort()] = np.arange(60)
    same = near = 0
    for _ in range(300):
        found = draw_centers(medoids, coords, weights, rng)
        assert found.shape == (6,)
        assert found.dtype == np.int64
        assert 0 <= found.min() <= found.max() < 60
        if np.array_equal(found, medoids):
            same += 1
        elif (ranks[np.arange(6), found] < NUM_NEAR).all():
            near += 1
    # Moved centers stay now and then, and seeds can be near.
    assert 70 < same < 140
    assert 70 < near < 140


@pytest.mark.numeric
def test_spacings_by_hand() -> None:
    """Four customers on a line of length 6: the spacing is 3."""
    coords = np.array([[0.0, 0.0], [6.0, 0.0], [3.0, 0.0], [0.0, 3.0]])
    found = spacings(coords, np.array([0, 2]))
    diagonal = np.sqrt(2.0)
    expected = [[0, 1], [2, 1], [1, 0], [1, diagonal]]
    np.testing.assert_allclose(found.T, expected, **single(2))
    assert (spacings(np.ones((3, 2)), np.array([1])) == 0.0).all()
