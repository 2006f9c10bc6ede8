"""Regions with a river: distances by hand, days and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators.rivers import (
    RiverRegion,
    as_on_the_map,
    generate_river,
)


def test_arcs_lead_over_the_nearer_bridge_by_hand() -> None:
    """The river is the line y = 0, with bridges at x = 0 and x = 100."""
    coords = np.array([[0, 40], [0, -30], [100, -30], [100, 40], [30, 40.0]])
    region = RiverRegion(
        coords,
        np.array([[0.0, 0.0], [100.0, 0.0]]),
        coords[:, 1] < 0.0,
        seed=1,
    )
    found = region.distances(np.arange(5))
    assert found[0].tolist() == [0, 70, 138, 100, 30]  # 107.7 + 30 beats 144.4
    assert found[4].tolist() == [30, 80, 111, 70, 0]  # 50 + 30; 80.6 + 30
    assert found[1, 2] == 100  # on one side: straight
    assert (found == found.T).all()


def test_a_day_is_drawn_from_the_region() -> None:
    """Different addresses by their numbers, roads never shorter than lines."""
    region = generate_river(200, seed=3)
    day, again, other = (region.day(number, 60) for number in (4, 4, 5))
    assert day.ids == again.ids
    assert (day.demands == again.demands).all()
    assert day.ids != other.ids
    nodes = np.array(day.ids, dtype=int)
    assert len(np.unique(nodes)) == 61
    assert day.coords is not None
    assert (day.coords == region.coords[nodes]).all()
    roads, lines = (
        one.distances(range(61), range(61))
        for one in (day, as_on_the_map(day))
    )
    assert (roads >= lines).all()
    assert 0.1 < (roads > lines + 1).mean() < 0.6
    assert region.day(0, 200).num_customers == 200


@pytest.mark.parametrize(("number", "size"), [(-1, 5), (0, 0), (0, 11)])
def test_a_day_out_of_range_is_refused(number: int, size: int) -> None:
    """A day needs a number, and no more customers than addresses."""
    with pytest.raises(nr.ParameterError, match="num_customers lie in"):
        generate_river(10).day(number, size)


def test_a_region_without_addresses_is_refused() -> None:
    """One address is the least."""
    assert generate_river(1).num_addresses == 1
    with pytest.raises(nr.ParameterError, match="num_addresses"):
        generate_river(0)
