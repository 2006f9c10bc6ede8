"""What a time limit is best spent on."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

import ncc_routing as nr
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.preferences.consistency import ConsistentRoutes
from ncc_routing.vrp.search.plan import Phase, Plan, Step, plan_search
from tests.vrp.search.calls import one_way


def steps(plan: Plan) -> str:
    """Return the steps of a plan by their first letters; N evolves."""
    return "".join(
        "N" if phase.step is Step.EVOLVE else phase.step.name[0]
        for phase in plan
    )


def planned(
    num_customers: int,
    seconds: float,
    route_length: float = 5.0,
    jobs: int = 1,
) -> str:
    """Return the steps for a generated instance."""
    instance = nr.generate_uchoa(num_customers, 1, route_length=route_length)
    return steps(plan_search(instance, seconds, jobs=jobs))


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [
        (100, math.inf, "P"),
        (100, 0.9, "P"),
        (100, 1.0, "H"),
        (100, 1.9, "H"),
        (100, 2.0, "HN"),  # half of the time is for the genetic search
        (100, 7.4, "HN"),
        (100, 7.6, "HHCHCN"),
        (100, 25.0, "HHCHCHCHCN"),
        (100, 600.0, "H" + 9 * "HC" + "N"),
        (400, 14.9, "P"),
        (400, 15.0, "WWCWC"),  # too little time for each to halve
        (500, 24.0, "P"),
        (500, 26.0, "H"),
        (500, 49.0, "WWCWC"),
        (500, 50.0, "HN"),
        (1000, 199.0, "W" + 6 * "WC"),
        (1001, 60.0, "P"),
        (30_000, 600.0, "P"),
    ],
)
def test_steps_follow_from_size_and_time(
    num_customers: int, seconds: float, expected: str
) -> None:
    """Twenty routes for a hundred customers, and so on."""
    assert planned(num_customers, seconds) == expected


@pytest.mark.parametrize(
    ("route_length", "seconds", "expected"),
    [
        # Long routes take less time, from twenty customers on as much.
        (10.0, 15.2, False),
        (10.0, 16.8, True),
        (20.0, 7.6, False),
        (20.0, 8.4, True),
        (40.0, 7.6, False),
        (40.0, 8.4, True),
    ],
)
def test_many_routes_need_more_time_to_evolve(
    route_length: float, seconds: float, expected: bool
) -> None:
    """A millisecond for each customer and route."""
    assert ("N" in planned(400, seconds, route_length)) == expected


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [(500, 1.2, "P"), (500, 1.25, "W"), (1000, 2.5, "W"), (1001, 9.0, "P")],
)
def test_jobs_anneal_all_routes_where_time_allows(
    num_customers: int, seconds: float, expected: str
) -> None:
    """They do up to a thousand customers, from 2.5 ms for each on."""
    assert planned(num_customers, seconds, jobs=2) == expected
    assert planned(num_customers, seconds) == "P"


def test_one_way_streets_are_annealed_alone() -> None:
    """A reversed route would cost something else."""
    assert Step.EVOLVE not in {p.step for p in plan_search(one_way(4), 60.0)}


def test_iterations_make_one_annealing() -> None:
    """The answer is the same on every machine."""
    instance = nr.generate_uchoa(100, 1)
    plan = plan_search(instance, 60.0, counts_iterations=True)
    assert plan == (Phase(Step.PARTS, 1.0),)


def test_penalties_are_neither_halved_nor_evolved() -> None:
    """They change between the stretches of one annealing."""
    instance = nr.generate_uchoa(100, 1)
    plan = plan_search(instance, 60.0, preference=CompactRoutes(1.0))
    assert steps(plan) == "W" + 9 * "WC"


def test_consistent_routes_begin_with_short_ones() -> None:
    """A fifth of the limits goes to a search without penalties."""
    instance = nr.generate_uchoa(100, 1)
    routes = nr.solve(instance, method="savings", polish="none").routes
    preference = ConsistentRoutes(routes, 1.0)
    for counts in (False, True):
        first, *rest = plan_search(
            instance, 1.0, preference=preference, counts_iterations=counts
        )
        assert first == (Step.SHORTEN, 0.2)
        assert rest == [(Step.PARTS, 1.0)]


@pytest.mark.parametrize("seconds", [1.0, 3.0, 8.0, 60.0, 600.0])
@pytest.mark.parametrize("num_customers", [20, 100, 500, 1000])
def test_phases_follow_each_other(num_customers: int, seconds: float) -> None:
    """Each ends later than the one before, and the last one with the time."""
    instance = nr.generate_uchoa(num_customers, 1)
    plan = plan_search(instance, seconds)
    assert all(a.end < b.end for a, b in pairwise(plan))
    assert plan[-1].end == pytest.approx(1.0)
    assert str(plan[-1]).endswith("100 %")
