"""Several annealings: side by side, by halving, and with a pool of routes."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.recombination.route_pool import RoutePool
from ncc_routing.vrp.search.restarts import solve_from_starts
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.search.successive_halving import (
    anneal_by_halving,
    is_suited_for_halving,
)

if TYPE_CHECKING:
    from collections.abc import Callable


ANNEALINGS = [RuinRecreateSearch.anneal_whole, anneal_by_halving]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seconds", [0.04, 0.08, 0.3, 3.2])
def test_every_time_limit_is_kept_and_used(
    instance: nr.Instance, start: nr.Solution, seconds: float, jobs: int
) -> None:
    """One annealing, halving, the genetic search, and several starts."""
    deadline = Deadline(seconds)
    found = ruin_and_recreate(instance, start, deadline=deadline, jobs=jobs)
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost or seconds < 0.3
    assert deadline.remaining() > -3.0


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("anneal", ANNEALINGS)
def test_annealings_end_at_a_target(
    instance: nr.Instance,
    start: nr.Solution,
    anneal: Callable[..., None],
    jobs: int,
) -> None:
    """What is left of twenty seconds is not used up."""
    target = nr.TargetCost(0.9 * start.cost)
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    deadline = Deadline(20.0)
    anneal(search, deadline, stop=target)
    assert search.best_cost <= target.cost
    assert deadline.remaining() > 15.0


@pytest.mark.parametrize("anneal", ANNEALINGS)
def test_the_pool_holds_routes_of_the_instance(
    instance: nr.Instance, start: nr.Solution, anneal: Callable[..., None]
) -> None:
    """Each is feasible, and its cost is its length."""
    pool = RoutePool()
    search = RuinRecreateSearch(instance, start)
    anneal(search, Deadline(0.3), pool)
    assert nr.check_solution(instance, search.best()) == []
    assert search.best_cost < start.cost
    orders, costs = pool.arrays()
    customers = itertools.chain.from_iterable(o.tolist() for o in orders)
    assert set(customers) == set(range(1, 21))
    for order, cost in zip(orders, costs, strict=True):
        assert instance.demands[order].sum() <= instance.capacity
        assert instance.route_cost(order.tolist()) == cost


@pytest.mark.parametrize(
    ("jobs", "waves"), [(1, 8 + 4 + 2 + 1), (2, 4 + 2 + 1 + 1), (8, 4)]
)
def test_halving_runs_fewer_annealings_on_each_rung(
    instance: nr.Instance, start: nr.Solution, jobs: int, waves: int
) -> None:
    """Eight, four, two and one, with no idle job, as many as jobs at least."""
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    anneal_by_halving(search, Deadline(0.5))
    assert search.num_rounds == waves


def test_no_halved_prices(instance: nr.Instance, start: nr.Solution) -> None:
    """They change between the stretches of one annealing."""
    plain = RuinRecreateSearch(instance, start)
    assert is_suited_for_halving(plain, 60.0)
    penalties = CompactRoutes(1.0).priced(instance, start)
    bound = RuinRecreateSearch(instance, start, penalties=penalties)
    assert not is_suited_for_halving(bound, 60.0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_solves_from_starts(
    instance: nr.Instance, start: nr.Solution, jobs: int
) -> None:
    """The answer is as good as the best annealing, and within the time."""
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    found = solve_from_starts(search, 3, Deadline(1.0))
    assert nr.check_solution(instance, found) == []
    assert found.cost <= search.best_cost < start.cost


def test_no_time_no_change(instance: nr.Instance, start: nr.Solution) -> None:
    """Nothing is tried without time."""
    search = RuinRecreateSearch(instance, start)
    assert solve_from_starts(search, 3, Deadline(0.0)) == start
    anneal_by_halving(search, Deadline(0.0))
    assert search.num_iterations == 0
