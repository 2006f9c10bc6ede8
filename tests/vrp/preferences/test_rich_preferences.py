"""Compact and consistent routes with windows, fleets and depots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.preferences.consistency import ConsistentRoutes
from ncc_routing.vrp.preferences.zones import price
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from ncc_routing.vrp.preferences.zones import Preference

SIZE = 60

WINDOWS = generate_time_windows(SIZE, 1, "half", "short")
FLEET = generate_fleet(SIZE, 1, "costs")
DEPOTS = generate_depots(SIZE, 2)


def sectors(instance: nr.Instance) -> list[int]:
    """Return a zone for each direction of the customers from the depot."""
    assert instance.coords is not None
    arms = instance.coords - instance.coords[0]
    labels = np.floor(2.0 * np.arctan2(*arms.T)).astype(int) + 7
    labels[[*instance.depots]] = -1
    return [int(label) for label in labels]


@pytest.mark.parametrize(
    ("instance", "preference"),
    [
        (WINDOWS, CompactRoutes(3.0)),
        (FLEET, CompactRoutes(3.0)),
        (WINDOWS, ConsistentRoutes(sectors(WINDOWS), 3.0)),
        (FLEET, ConsistentRoutes(sectors(FLEET), 3.0)),
        (DEPOTS, ConsistentRoutes(sectors(DEPOTS), 3.0)),
    ],
)
def test_preferred_routes_cost_less_with_penalties(
    instance: nr.Instance, preference: Preference
) -> None:
    """Than those of the same search without; and never more than the start."""
    start = insert_customers(instance)
    run = Run(Budget.of(iterations=2_000))
    short = ruin_and_recreate(instance, start, run)
    found = ruin_and_recreate(instance, start, run, preference=preference)
    assert nr.check_solution(instance, found) == []
    assert found == ruin_and_recreate(
        instance, start, run, preference=preference
    )
    penalties = preference.priced(instance, start)
    assert price(found, penalties) <= price(start, penalties)
    assert price(found, penalties) < price(short, penalties)


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_time_limits_are_kept(seconds: float) -> None:
    """Without time the start comes back."""
    start = insert_customers(WINDOWS)
    run = Run(Budget.of(seconds=seconds))
    found = ruin_and_recreate(
        WINDOWS, start, run, preference=CompactRoutes(1.0)
    )
    assert nr.check_solution(WINDOWS, found) == []
    if seconds == 0.0:
        assert found == start


def test_a_whole_solve() -> None:
    """Insertion makes the first routes; the plan tells the first search."""
    result = nr.solve(
        WINDOWS, time_limit=0.3, reference=sectors(WINDOWS), consistency=1.0
    )
    assert result.method == "insertion"
    assert result.plan[1].startswith("shorten")
    assert result.consistency is not None
