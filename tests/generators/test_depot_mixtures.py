"""The instances that the paper trains on."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators.depot_mixtures import generate_depot_mixture


def test_customers_fill_the_square_and_demands_the_vehicles() -> None:
    """Of 40 instances; 3 to 29 vehicles are filled by ten parts in eleven."""
    fleets = set()
    for seed in range(40):
        instance = generate_depot_mixture(200, seed)
        coords = instance.require_coords("test")
        assert coords.shape == (201, 2)
        assert coords[1:].min() >= 0.0
        assert coords[1:].max() == pytest.approx(1000.0, abs=20.0)
        # The mixture has its longer side from 0 to 1000, to the last bit.
        assert coords[41:].max() == 1000.0
        assert coords[41:].min() == 0.0
        assert instance.demands[1:].min() >= 1
        assert instance.demands.max() <= 23
        vehicles = 1.1 * instance.demands.sum() / instance.capacity
        assert 3.0 <= vehicles < 31.0
        fleets.add(round(vehicles))
    assert len(fleets) > 10


def test_depots_lie_in_the_middle_or_at_a_corner() -> None:
    """In five of the ninths of the square, half of them in the middle."""
    places = np.array(
        [
            generate_depot_mixture(5, seed).require_coords("test")[0]
            for seed in range(400)
        ]
    )
    column, row = (places * 3 // 1000).astype(int).T
    is_middle = (column == 1) & (row == 1)
    assert ((column != 1) == (row != 1)).all()
    assert 0.4 < is_middle.mean() < 0.6
    corners = set(zip(column[~is_middle], row[~is_middle], strict=True))
    assert len(corners) == 4


def test_same_seed_same_instance() -> None:
    """And another seed another one."""
    one, same, other = (generate_depot_mixture(20, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.coords, same.coords)
    np.testing.assert_array_equal(one.demands, same.demands)
    assert not np.array_equal(one.demands, other.demands)


@pytest.mark.parametrize(("size", "seed"), [(0, 1), (5, -1)])
def test_impossible_arguments_are_refused(size: int, seed: int) -> None:
    """Both are named."""
    with pytest.raises(nr.ParameterError, match=f"got {size} and {seed}"):
        generate_depot_mixture(size, seed)
