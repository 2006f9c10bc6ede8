"""Pairs of days: who comes back, and with what demand."""

from __future__ import annotations

import pytest

import ncc_routing as nr
from ncc_routing.generators.days import draw_days, generate_days
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_time_windows,
    with_fleet,
)


@pytest.mark.parametrize(("share", "common"), [(0, 0), (0.8, 40), (1, 50)])
def test_share_of_customers_who_come_back(share: float, common: int) -> None:
    """Ids stand for places; depot and capacity are common, demands new."""
    one, other = generate_days(50, 3, recurring=share, route_length=7.0)
    assert one.num_customers == other.num_customers == 50
    assert one.capacity == other.capacity
    before, after = (
        {
            name: (*place, demand)
            for name, place, demand in zip(
                day.node_ids,
                day.require_coords("a test").tolist(),
                day.demands.tolist(),
                strict=True,
            )
        }
        for day in (one, other)
    )
    both = set(before) & set(after)
    assert len(both) == 1 + common
    assert all(before[name][:2] == after[name][:2] for name in both)
    assert common == 0 or any(before[name] != after[name] for name in both)


def test_the_same_arguments_give_the_same_days() -> None:
    """And another seed gives others."""
    days, again = generate_days(20, 5), generate_days(20, 5)
    for one, other in zip(days, again, strict=True):
        assert one.ids == other.ids
        assert (one.demands == other.demands).all()
    assert generate_days(20, 6)[0].name != days[0].name


def test_days_of_any_kind_keep_windows_fleet_and_depots() -> None:
    """Customers of both days keep their windows, and a depot keeps its id."""
    pool = with_fleet(generate_time_windows(12, 3), 3, "limited")
    assert pool.windows is not None
    days = draw_days(pool, 10, 3)
    for day in days:
        nodes = list(map(int, day.node_ids))
        assert day.fleet == pool.fleet
        assert day.windows is not None
        late = pool.windows.tw_late[nodes].tolist()
        assert day.windows.tw_late.tolist() == late
    assert len(set(days[0].node_ids) & set(days[1].node_ids)) == 1 + 8
    several, _ = draw_days(generate_depots(12, 3), 10, 3)
    assert several.node_ids[-3:] == ("13", "14", "15")
    assert several.num_customers == 10


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_out_of_range(share: float) -> None:
    """The message names the value."""
    with pytest.raises(
        nr.ParameterError, match="recurring must be from 0 to 1"
    ):
        generate_days(20, 5, recurring=share)
