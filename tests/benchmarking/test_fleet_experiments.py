"""Experiments with fleets, depots and time windows."""

from __future__ import annotations

import pytest

from benchmarks.experiments.fleets import (
    as_pyvrp_reads,
    fleet_limits,
    run_cold,
    run_warm,
    small_fleet,
)
from benchmarks.harness.cases import stratified
from ncc_routing.core.exceptions import NccRoutingError


def test_pyvrp_with_and_without_a_start_fills_its_rows() -> None:
    """Both are feasible, and the start is not better than what follows."""
    data = small_fleet()
    cold, warm = run_cold(data, 1, 0.3), run_warm(data, 1, 0.5)
    assert cold["num_customers"] == warm["num_customers"] == 60
    assert 0 < warm["cost"] <= warm["start_cost"]
    assert 0 < cold["cost"] < 2 * warm["cost"]


@pytest.mark.usefixtures("published_by_name")
def test_pyvrp_gets_its_own_scale_of_loads() -> None:
    """Thousands in the exact metric, and the best known cost in its unit."""
    try:
        case = as_pyvrp_reads("MDVRPTW", "exact")[0]
    except NccRoutingError as error:
        pytest.skip(f"published instances are not here: {error}")
    data = case.load()
    assert case.reference is not None
    assert data.vehicle_type(0).capacity == [200_000]
    assert case.reference(data) == 6_655_548


@pytest.mark.usefixtures("published_by_name")
def test_all_of_x_is_tried_with_limited_fleets() -> None:
    """The stratified instances come first; the fleet is that of the best."""
    try:
        cases = fleet_limits()
    except NccRoutingError as error:
        pytest.skip(f"published instances are not here: {error}")
    names = [case.name for case in cases]
    assert names[:25] == [case.name for case in stratified()]
    assert len(set(names)) == len(names) == 100
    instance = next(c for c in cases if c.name == "X-n101-k25").load()
    assert instance.vehicle_types[0].num_available == 26
