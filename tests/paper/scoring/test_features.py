"""Features of customers and pairs."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

from ncc_routing import Instance, InstanceError
from ncc_routing.paper.scoring.features import (
    PairFeatures,
    pair_features,
    reverse_pairs,
)
from tests.oracles.precision import rounding, single

pytestmark = pytest.mark.numeric


def moved(
    instance: Instance, matrix: ArrayLike, shift: float = 0.0
) -> Instance:
    """Return the instance with its coordinates transformed."""
    coords = instance.coords @ np.asarray(matrix).T + shift
    return Instance("moved", instance.demands, instance.capacity, coords)


def test_features_have_no_unit_and_no_direction(
    small_instance: Instance,
) -> None:
    """Shift, scale and rotation change nothing."""
    angle = 0.7
    turn = 13.0 * np.array(
        [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    )
    plain = pair_features(small_instance, 10)
    other = pair_features(moved(small_instance, turn, 500.0), 10)
    np.testing.assert_array_equal(plain.neighbours, other.neighbours)
    precision = single(len(plain.nodes))
    np.testing.assert_allclose(plain.nodes, other.nodes, **precision)
    np.testing.assert_allclose(plain.pairs, other.pairs, **precision)
    spacing = pytest.approx(13.0 * plain.spacing, rel=precision["rtol"])
    assert other.spacing == spacing


def test_mirror_changes_signed_columns_alone(
    small_instance: Instance,
    require_mirrored: Callable[[PairFeatures, PairFeatures], None],
) -> None:
    """The columns named in SIGNED_... turn over; the others stay."""
    plain = pair_features(small_instance, 10)
    other = pair_features(moved(small_instance, [[-1, 0], [0, 1]]), 10)
    require_mirrored(plain, other)


def test_some_features_by_hand() -> None:
    """Customers at 3 and 4 to the east and 12 north; demands 2, 4, 6 of 8."""
    coords = np.array([[0, 0], [3, 0], [4, 0], [0, 12]])
    found = pair_features(Instance("hand", np.array([0, 2, 4, 6]), 8, coords))
    assert found.neighbours[0].tolist() == [1, 2]
    # Demand over capacity; total demand over whole vehicles, 1.5 of 2.
    np.testing.assert_allclose(found.nodes[:, 0], [0.25, 0.5, 0.75])
    np.testing.assert_allclose(found.nodes[:, 4], 0.75)
    # Saving of customers 1 and 2: (3 + 4 - 1) / (3 + 4).
    assert found.pairs[0, 0, 6] == pytest.approx(6 / 7, rel=rounding(3))
    # Load up to the second neighbour of 1: all three.
    assert found.pairs[0, 1, 9] == pytest.approx(
        np.log1p(12 / 8), rel=rounding(3)
    )
    # Customer 3 lies at a right angle to customer 1.
    assert found.pairs[0, 1, 4] == pytest.approx(0.0, abs=rounding(2))
    assert found.pairs[0, 1, 5] == pytest.approx(1.0, rel=rounding(2))


def test_reverse_pairs_against_a_dictionary() -> None:
    """Random tables give what a dictionary of pairs gives."""
    rng = np.random.default_rng(5)
    others = [np.delete(np.arange(30), i) for i in range(30)]
    table = np.array([rng.permutation(row)[:6] for row in others])
    pairs = [(i, j) for i, row in enumerate(table.tolist()) for j in row]
    known = {pair: flat for flat, pair in enumerate(pairs)}
    flat = [known.get((j, i), known[i, j]) for i, j in pairs]
    expected = np.reshape(flat, (30, 6)).tolist()
    assert reverse_pairs(table).tolist() == expected


@pytest.mark.parametrize("num_customers", [1, 2, 9])
def test_small_and_degenerate_instances(num_customers: int) -> None:
    """Few customers, all of them on the depot; and no demand at all."""
    demands = np.array([0] + [1] * num_customers)
    coords = np.full((num_customers + 1, 2), 4.0)
    found = pair_features(Instance("same", demands, 3, coords))
    assert np.isfinite(found.nodes).all()
    assert np.isfinite(found.pairs).all()
    assert found.spacing > 0
    coords = np.array([[0, 0], [3, 0], [4, 0]])
    idle = pair_features(Instance("none", np.zeros(3, int), 3, coords))
    assert np.isfinite(idle.nodes).all()


def test_coordinates_are_needed() -> None:
    """A matrix alone is refused with a clear message."""
    instance = Instance("matrix", np.array([0, 1]), 3, matrix=np.zeros((2, 2)))
    with pytest.raises(InstanceError, match="coordinates are needed"):
        pair_features(instance)
