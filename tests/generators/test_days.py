"""Pairs of days: who comes back, and with what demand."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.generators.days import generate_days


def test_as_many_come_back_as_are_to() -> None:
    """Ids stand for places, the depot and the capacity stay."""
    one, other = generate_days(50, 3, recurring=0.8, route_length=7.0)
    assert one.num_customers == other.num_customers == 50
    assert one.capacity == other.capacity
    assert one.ids is not None
    assert other.ids is not None
    assert one.coords is not None
    assert other.coords is not None
    assert one.ids[0] == other.ids[0] == "0"
    both = set(one.ids[1:]) & set(other.ids[1:])
    assert len(both) == 40
    places = [
        dict(zip(day.ids or (), day.coords.tolist(), strict=True))  # type: ignore[union-attr]
        for day in (one, other)
    ]
    assert all(places[0][name] == places[1][name] for name in both)
    quantities = [
        dict(zip(day.ids or (), day.demands.tolist(), strict=True))
        for day in (one, other)
    ]
    assert any(quantities[0][name] != quantities[1][name] for name in both)


def test_the_same_arguments_give_the_same_days() -> None:
    """And another seed gives others."""
    days, again = generate_days(20, 5), generate_days(20, 5)
    for one, other in zip(days, again, strict=True):
        assert one.ids == other.ids
        assert (one.demands == other.demands).all()
    assert generate_days(20, 6)[0].name != days[0].name


@pytest.mark.parametrize(("share", "common"), [(0.0, 0), (1.0, 20)])
def test_nobody_or_everybody_comes_back(share: float, common: int) -> None:
    """Both ends of the range."""
    one, other = generate_days(20, 5, recurring=share)
    shared = np.intersect1d(one.node_ids[1:], other.node_ids[1:])
    assert len(shared) == common


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_shares_out_of_range(share: float) -> None:
    """The message names the value."""
    with pytest.raises(ParameterError, match="recurring must be from 0 to 1"):
        generate_days(20, 5, recurring=share)
