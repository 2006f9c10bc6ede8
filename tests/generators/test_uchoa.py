"""Tests of the generated instances: the rules of Uchoa et al. (2017)."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.uchoa import CustomerClass, DemandClass, DepotClass


def coords_of(instance: nr.Instance) -> np.ndarray:
    """Return the coordinates, which generated instances always have."""
    return instance.require_coords("a test")


@settings(max_examples=60, deadline=None)
@given(
    num_customers=st.integers(1, 60),
    seed=st.integers(0, 2**31),
    depot=st.none() | st.sampled_from(get_args(DepotClass)),
    customers=st.none() | st.sampled_from(get_args(CustomerClass)),
    demands=st.none() | st.sampled_from(get_args(DemandClass)),
    route_length=st.none() | st.floats(1, 30),
)
def test_rules_that_hold_for_every_instance(
    num_customers: int,
    seed: int,
    depot: DepotClass | None,
    customers: CustomerClass | None,
    demands: DemandClass | None,
    route_length: float | None,
) -> None:
    """Distinct points of the grid, demands that fit; the seed decides."""
    instance = generate_uchoa(
        num_customers, seed, depot, customers, demands, route_length
    )
    coords = coords_of(instance)
    assert instance.num_customers == num_customers
    assert instance.rounding == "nearest"
    assert coords.min() >= 0
    assert coords.max() <= 1000
    assert np.array_equal(coords, np.rint(coords))
    assert len(np.unique(coords, axis=0)) == num_customers + 1
    assert instance.demands[0] == 0
    assert instance.demands[1:].min() >= 1
    assert instance.demands.max() <= instance.capacity
    assert instance.name == f"NCC-n{num_customers + 1:04d}-s{seed}"
    if depot in ("central", "eccentric"):
        assert coords[0].tolist() == [500 * (depot == "central")] * 2
    again = generate_uchoa(
        num_customers, seed, depot, customers, "unitary", route_length
    )
    assert np.array_equal(coords, coords_of(again))


def test_all_classes_are_drawn() -> None:
    """Left to the seed, every place of the depot comes up."""
    depots = {
        tuple(coords_of(generate_uchoa(5, seed))[0].tolist())
        for seed in range(30)
    }
    assert {(0, 0), (500, 500)} < depots
    assert len(depots) > 5


@pytest.mark.parametrize(
    ("demands", "low", "high"),
    [
        ("unitary", 1, 1),
        ("1-10", 1, 10),
        ("5-10", 5, 10),
        ("1-100", 1, 100),
        ("50-100", 50, 100),
    ],
)
def test_uniform_demands(demands: DemandClass, low: int, high: int) -> None:
    """Both ends of the range occur among 2,000 customers."""
    drawn = generate_uchoa(2000, 1, demands=demands).demands[1:]
    assert (drawn.min(), drawn.max()) == (low, high)


def test_quadrant_demands() -> None:
    """Lower left and upper right have 51-100, the other two 1-50."""
    instance = generate_uchoa(2000, 2, customers="random", demands="quadrant")
    is_right, is_upper = coords_of(instance)[1:].T >= 500
    drawn = instance.demands[1:]
    large = drawn[is_right == is_upper]
    small = drawn[is_right != is_upper]
    assert (large.min(), large.max()) == (51, 100)
    assert (small.min(), small.max()) == (1, 50)


@pytest.mark.parametrize("seed", range(5))
def test_many_small_demands(seed: int) -> None:
    """Between 70 and 95 percent in 1-10, the others in 50-100."""
    drawn = generate_uchoa(1000, seed, demands="many-small").demands[1:]
    small, large = drawn[drawn <= 10], drawn[drawn >= 50]
    assert len(small) + len(large) == 1000
    assert 700 <= len(small) <= 950
    assert large.max() <= 100


def test_capacity_follows_the_route_length() -> None:
    """Q = ceil(r sum q / n); with unit demands that is ceil(r)."""
    instance = generate_uchoa(100, 3, demands="unitary", route_length=7.2)
    assert instance.capacity == 8
    instance = generate_uchoa(100, 3, demands="1-100", route_length=5)
    assert instance.capacity == math.ceil(5 * instance.demands.sum() / 100)


def test_route_length_is_drawn_from_its_range() -> None:
    """The triangular distribution (3, 6, 25) has the mean 11.3."""
    lengths = [
        generate_uchoa(3, seed, demands="unitary").capacity
        for seed in range(300)
    ]
    assert min(lengths) >= 4
    assert max(lengths) <= 25
    assert 10.8 < np.mean(lengths) < 12.8  # ceil adds a half


def test_clusters_are_dense() -> None:
    """The nearest neighbour is nearer in clusters than at random."""

    def mean_nearest(customers: CustomerClass) -> float:
        instance = generate_uchoa(300, 4, customers=customers)
        nodes = np.arange(1, 301)
        lengths = instance.distances(nodes, nodes)
        np.fill_diagonal(lengths, np.inf)
        return float(lengths.min(axis=1).mean())

    random = mean_nearest("random")
    half = mean_nearest("half")
    clustered = mean_nearest("clustered")
    assert clustered < half < random
    # 0.5 / sqrt(density) for points at random, plus the border.
    assert 28 < random < 34


def test_large_instances_get_a_finer_grid() -> None:
    """Beyond 10,000 customers side and radius double: points stay apart."""
    instance = generate_uchoa(10_001, 1, depot="central", customers="half")
    coords = coords_of(instance)
    assert coords[0].tolist() == [1000, 1000]
    assert 1990 <= coords.max() <= 2000
    assert len(np.unique(coords, axis=0)) == 10_002


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_customers": 0}, "num_customers must be at least 1"),
        ({"num_customers": 10_000_001}, "must be at most 10000000, got 1"),
        ({"num_customers": 2**63 - 1}, "must be at most 10000000, got 9"),
        ({"seed": -1}, "seed at least 0, got 5 and -1"),
        ({"depot": "west"}, "depot must be one of central, eccentric"),
        ({"customers": "few"}, "customers must be one of random"),
        ({"demands": "2-3"}, "demands must be one of unitary"),
        ({"route_length": 0.9}, "route_length must be at least 1, got 0.9"),
        ({"route_length": math.nan}, "route_length must be at least 1"),
        ({"route_length": math.inf}, "route_length must be at most"),
    ],
)
def test_refuses_arguments_outside_their_range(
    arguments: dict[str, object], message: str
) -> None:
    """Each error names the argument, the rule and the value."""
    given_arguments = {"num_customers": 5, "seed": 1} | arguments
    with pytest.raises(nr.ParameterError, match=message):
        generate_uchoa(**given_arguments)  # type: ignore[arg-type]
