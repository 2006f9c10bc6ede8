"""Phases of a search: annealings by halving, coverings, the evolution."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.run import Run
from ncc_routing.vrp.recombination.route_pool import RoutePool
from ncc_routing.vrp.search.plan import Phase, Step
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.search.successive_halving import anneal_by_halving

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.core.stopping import Stop


ANNEALINGS = [RuinRecreateSearch.anneal_whole, anneal_by_halving]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seconds", [0.04, 0.08, 0.3, 3.2])
def test_every_time_limit_is_kept_and_used(
    instance: nr.Instance, start: nr.Solution, seconds: float, jobs: int
) -> None:
    """One annealing, halving, the genetic search, and several starts."""
    deadline = Deadline(seconds)
    found = ruin_and_recreate(
        instance, start, Run(Budget(deadline), jobs=jobs)
    )
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
    search = RuinRecreateSearch(instance, start, Run(jobs=jobs))
    deadline = Deadline(20.0)
    anneal(search, Budget(deadline, target))
    assert search.best_cost <= target.cost
    assert deadline.remaining() > 15.0


@pytest.mark.parametrize("anneal", ANNEALINGS)
def test_the_pool_holds_routes_of_the_instance(
    instance: nr.Instance, start: nr.Solution, anneal: Callable[..., None]
) -> None:
    """Each is feasible, and its cost is its length."""
    pool = RoutePool()
    search = RuinRecreateSearch(instance, start)
    anneal(search, Budget.of(0.3), pool)
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
    search = RuinRecreateSearch(instance, start, Run(jobs=jobs))
    anneal_by_halving(search, Budget.of(0.5))
    assert search.num_rounds == waves


RESTARTS = (
    Phase(Step.WHOLE, 0.4),
    Phase(Step.HALVE, 0.7),
    Phase(Step.COVER, 0.8),
    Phase(Step.EVOLVE, 1.0),
)


@pytest.mark.parametrize("jobs", [1, 2])
def test_phases_run_in_their_order(
    instance: nr.Instance, start: nr.Solution, jobs: int
) -> None:
    """The answer is feasible, better than the start, and in time."""
    deadline = Deadline(1.0)
    found = ruin_and_recreate(
        instance, start, Run(Budget(deadline), jobs=jobs), plan=RESTARTS
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost
    assert deadline.remaining() > -1.0


@pytest.mark.parametrize("stop", [nr.MaxIterations(10), nr.NoImprovement(10)])
def test_phases_need_a_time_limit(
    instance: nr.Instance, start: nr.Solution, stop: Stop
) -> None:
    """A share of the iterations would never end."""
    for deadline in (Deadline(), Deadline(1.0)):
        with pytest.raises(nr.ParameterError, match="a time limit"):
            ruin_and_recreate(
                instance, start, Run(Budget(deadline, stop)), plan=RESTARTS
            )


def test_no_time_no_change(instance: nr.Instance, start: nr.Solution) -> None:
    """Nothing is tried without time."""
    none = Deadline(0.0)
    assert ruin_and_recreate(instance, start, Run(Budget(none))) == start
    found = ruin_and_recreate(
        instance, start, Run(Budget(none)), plan=RESTARTS
    )
    assert found == start
    search = RuinRecreateSearch(instance, start)
    anneal_by_halving(search, Budget(none))
    assert search.num_iterations == 0


def test_a_run_tells_its_plan(
    instance: nr.Instance, caplog: pytest.LogCaptureFixture
) -> None:
    """In its result, in its summary and in the log."""
    with caplog.at_level("INFO", "ncc_routing"):
        found = nr.solve(instance, time_limit=0.2)
    assert found.plan[0] == "savings"
    assert found.plan[-1] == "evolve to 100 %"
    assert f"plan      {', '.join(found.plan)}" in found.summary()
    assert f"Plan: {', '.join(found.plan)}." in caplog.messages
    assert nr.Result.from_json(found.to_json()).plan == found.plan
    assert nr.solve(instance, polish="none").plan == ("ckm",)
