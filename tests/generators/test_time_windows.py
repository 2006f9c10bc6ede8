"""Tests of random problems with time windows, fleets and depots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.rivers import generate_river
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_shipments,
    generate_time_windows,
)
from ncc_routing.problems import features


def test_every_customer_can_be_served_alone() -> None:
    """Windows are within reach, there and back; the seed decides."""
    for customers in ("random", "half", "clustered"):
        for windows in ("short", "long"):
            instance = generate_time_windows(80, 1, customers, windows)
            again = generate_time_windows(80, 1, customers, windows)
            assert instance.windows is not None
            assert again.windows is not None
            late = instance.windows.tw_late
            assert (late == again.windows.tw_late).all()
            routes = [(customer,) for customer in range(1, 81)]
            solution = nr.Solution.from_routes(instance, routes)
            assert not nr.check_solution(instance, solution)


def test_share_of_windows() -> None:
    """None, some, and all customers have one."""
    for share in (0.0, 0.5, 1.0):
        instance = generate_time_windows(400, 1, share=share)
        assert instance.windows is not None
        count = np.count_nonzero(instance.windows.tw_early)
        assert 400 * share - 60 <= count <= 400 * share + 40


def test_fleets_differ_in_what_they_say() -> None:
    """Unit costs, fixed costs, or both and their number."""
    assert features.FIXED_COSTS not in generate_fleet(20, 1, "costs").features
    found = generate_fleet(20, 1, "capacities").features
    assert features.FIXED_COSTS in found
    assert features.UNIT_DISTANCE_COSTS not in found
    assert features.LIMITED_FLEET not in found
    assert features.LIMITED_FLEET in generate_fleet(20, 1, "limited").features


def test_depots_lie_behind_the_customers() -> None:
    """They have no demand, and vehicles of their own."""
    instance = generate_depots(30, 1, num_depots=3)
    assert instance.depots == (0, 31, 32)
    assert [kind.start_depot for kind in instance.vehicle_types] == [0, 1, 2]
    assert instance.num_customers == 30


def test_arguments_out_of_range() -> None:
    """One line says which and why."""
    with pytest.raises(nr.ParameterError, match="share"):
        generate_time_windows(10, 1, share=1.5)
    with pytest.raises(nr.ParameterError, match="fleet must be one of"):
        generate_fleet(10, 1, "none")  # type: ignore[arg-type]
    with pytest.raises(nr.ParameterError, match="num_depots"):
        generate_depots(10, 1, num_depots=0)


def test_every_shipment_can_be_served_alone() -> None:
    """By a vehicle of its own; nearly all customers are of one."""
    for windows in ("short", "long"):
        instance = generate_shipments(40, 1, windows=windows)
        assert len(instance.shipments) >= 36
        ends = [(one.pickup, one.delivery) for one in instance.shipments]
        alone = set(range(1, 81)).difference(*ends)
        routes = [*ends, *((customer,) for customer in sorted(alone))]
        solution = nr.Solution.from_routes(instance, routes)
        assert not nr.check_solution(instance, solution)


@pytest.mark.parametrize(
    ("generate", "changes"),
    [
        (generate_time_windows, {"customers": "foo"}),
        (generate_time_windows, {"seed": -1}),
        (generate_shipments, {"seed": -1}),
        (generate_uchoa, {"seed": "1"}),
        (generate_uchoa, {"route_length": 1e308}),
        (generate_river, {"seed": -1}),
    ],
)
def test_wrong_arguments_are_refused(
    generate: Any, changes: dict[str, Any]
) -> None:
    """The message names the argument."""
    [name] = changes
    with pytest.raises(nr.ParameterError, match=name):
        generate(9, **{"seed": 1, **changes})
