"""What a time limit is best spent on."""

from __future__ import annotations

import math

import pytest

import ncc_routing as nr
from ncc_routing.vrp.search.phases import (
    annealed_share,
    count_starts,
    is_time_for_halving,
    is_time_for_whole,
)
from tests.vrp.search.calls import one_way


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [
        (100, math.inf, 1),
        (100, 3.7, 1),
        (100, 3.8, 3),
        (100, 9.9, 3),
        (100, 12.5, 5),
        (100, 600.0, 10),
        (400, 15.0, 3),
        (500, 37.4, 1),
        (500, 37.5, 3),
        (1000, 60.0, 1),
        (1000, 80.0, 3),
    ],
)
def test_much_time_for_few_customers_means_restarts(
    num_customers: int, seconds: float, expected: int
) -> None:
    """There are one or at least three, the latter sooner up to 400."""
    assert count_starts(num_customers, seconds) == expected


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [
        (500, 1.2, False),
        (500, 1.25, True),
        (1000, 2.5, True),
        (1001, 60.0, False),
        (500, math.inf, False),
    ],
)
def test_jobs_anneal_all_routes_where_time_allows(
    num_customers: int, seconds: float, expected: bool
) -> None:
    """They do up to a thousand customers, from 2.5 ms for each on."""
    assert is_time_for_whole(num_customers, seconds) == expected


@pytest.mark.parametrize(
    ("num_customers", "num_routes", "seconds", "expected"),
    [
        (500, 50, 12.4, False),
        (500, 50, 12.6, True),
        (500, 10, 6.2, False),  # fifty customers a route count as twenty
        (500, 10, 6.3, True),
        (1000, 50, 26.0, True),
        (1001, 50, 1e6, False),
        (500, 50, math.inf, False),
    ],
)
def test_many_routes_need_more_time_for_halving(
    num_customers: int, num_routes: int, seconds: float, expected: bool
) -> None:
    """It takes 0.5 ms for each customer and route."""
    assert is_time_for_halving(num_customers, num_routes, seconds) == expected


@pytest.mark.parametrize(
    ("num_customers", "route_length", "seconds", "expected"),
    [
        (1, 5.0, 10.0, 1.0),
        (100, 5.0, 1.9, 1.0),
        (100, 5.0, 2.0, 0.5),
        (500, 5.0, 49.0, 1.0),
        (500, 5.0, 50.0, 0.5),
        (1000, 5.0, 199.0, 1.0),
        (1000, 5.0, 200.0, 0.5),
        (1001, 5.0, 600.0, 1.0),
        (100, 5.0, math.inf, 1.0),
        # Long routes take less time, from twenty customers on as much.
        (400, 10.0, 15.2, 1.0),
        (400, 10.0, 16.8, 0.5),
        (400, 20.0, 7.6, 1.0),
        (400, 20.0, 8.4, 0.5),
        (400, 40.0, 7.6, 1.0),
        (400, 40.0, 8.4, 0.5),
    ],
)
def test_the_genetic_search_takes_half_of_much_time(
    num_customers: int, route_length: float, seconds: float, expected: float
) -> None:
    """And none of little time or where there is no limit."""
    instance = nr.generate_uchoa(num_customers, 1, route_length=route_length)
    assert annealed_share(instance, seconds) == expected


def test_one_way_streets_are_annealed_alone() -> None:
    """A reversed route would cost something else."""
    assert annealed_share(one_way(4), 60.0) == 1.0
