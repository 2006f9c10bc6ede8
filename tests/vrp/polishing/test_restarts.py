"""Tests of several annealings with one pool of routes."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import TargetCost
from ncc_routing.problems.checking import check_solution
from ncc_routing.vrp.polishing import (
    heats,
    parts,
    restarts,
    ruin_recreate,
)
from ncc_routing.vrp.polishing.parts import Part, anneal_part
from ncc_routing.vrp.polishing.restarts import (
    count_starts,
    is_time_for_whole,
    solve_from_starts,
)
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.recombination.route_pool import RoutePool

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.polishing._annealing import Annealed


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [
        (100, math.inf, 1),
        (100, 3.7, 1),
        (100, 3.8, 3),
        (100, 7.4, 3),
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
    ("jobs", "workers", "expected"), [(3, 4, 3), (200, 2, 2)]
)
def test_jobs_differ_by_their_random_numbers(
    instance: Instance,
    start: Solution,
    monkeypatch: pytest.MonkeyPatch,
    jobs: int,
    workers: int,
    expected: int,
) -> None:
    """Each begins with all routes; the better answer is kept.

    There are as many as jobs, but no more than workers.
    """
    monkeypatch.setattr(restarts, "START_SECONDS_PER_CUSTOMER", 1.0)
    monkeypatch.setattr(restarts, "SMALL_SECONDS_PER_CUSTOMER", 1.0)
    monkeypatch.setattr(ruin_recreate, "annealed_share", lambda *_: 1.0)
    monkeypatch.setattr(heats, "SECONDS_PER_SIZE", math.inf)
    monkeypatch.setattr(ruin_recreate, "num_workers", lambda: workers)
    calls: list[tuple[int, list[int], float]] = []

    def spy(part: Part, *rest: Any) -> Annealed:
        found = anneal_part(part, *rest)
        calls.append((part.num_customers, rest[4], found.best_cost))
        return found

    monkeypatch.setattr(parts, "anneal_part", spy)
    deadline = Deadline(0.2)
    found = ruin_and_recreate(instance, start, deadline=deadline, jobs=jobs)
    assert check_solution(instance, found) == []
    assert [size for size, _, _ in calls] == [20] * expected
    assert len({tuple(seed) for _, seed, _ in calls}) == expected
    assert found.cost == min(cost for _, _, cost in calls)


@pytest.mark.parametrize("jobs", [1, 2])
def test_whole_annealings_end_at_a_target(
    instance: Instance, start: Solution, jobs: int
) -> None:
    """Time enough for ten looks is not used up."""
    target = TargetCost(0.9 * start.cost)
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    deadline = Deadline(20.0)
    search.anneal_whole(deadline, stop=target)
    assert search.best_cost <= target.cost
    assert deadline.remaining() > 15.0


@pytest.mark.parametrize("jobs", [1, 2])
def test_solves_from_starts(
    instance: Instance, start: Solution, jobs: int
) -> None:
    """The answer is as good as the best annealing, and within the time."""
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    found = solve_from_starts(instance, search, 3, Deadline(3.0))
    assert check_solution(instance, found) == []
    assert found.cost <= search.best_cost
    assert found.cost < start.cost


def test_the_pool_holds_routes_of_the_instance(
    instance: Instance, start: Solution
) -> None:
    """Each is feasible, and its cost is its length."""
    pool = RoutePool()
    search = RuinRecreateSearch(instance, start)
    search.anneal_whole(Deadline(0.3), pool)
    orders, costs = pool.arrays()
    assert len(orders) > 1
    assert set(chain.from_iterable(o.tolist() for o in orders)) == set(
        range(1, 21)
    )
    for order, cost in zip(orders, costs, strict=True):
        assert instance.demands[order].sum() <= instance.capacity
        assert instance.route_cost(order.tolist()) == cost


def test_a_passed_deadline_gives_the_start_back(
    instance: Instance, start: Solution
) -> None:
    """Nothing is tried without time."""
    search = RuinRecreateSearch(instance, start)
    assert solve_from_starts(instance, search, 3, Deadline(0.0)) == start


def test_small_instances_are_solved_from_starts(
    instance: Instance, start: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half the time is enough for three annealings of twenty customers."""
    calls: list[Deadline] = []
    whole = RuinRecreateSearch.anneal_whole

    def counted(
        search: RuinRecreateSearch,
        deadline: Deadline,
        pool: RoutePool,
        stop: Stop | None,
    ) -> None:
        calls.append(deadline)
        whole(search, deadline, pool, stop)

    monkeypatch.setattr(RuinRecreateSearch, "anneal_whole", counted)
    monkeypatch.setattr(heats, "SECONDS_PER_SIZE", math.inf)
    monkeypatch.setattr(restarts, "START_SECONDS_PER_CUSTOMER", 0.01)
    found = ruin_and_recreate(instance, start, deadline=Deadline(1.24))
    assert check_solution(instance, found) == []
    assert len(calls) in (2, 3)
