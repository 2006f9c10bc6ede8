"""Tests of annealings that begin together, of which the best go on."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import TargetCost
from ncc_routing.problems.checking import check_solution
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing import heats, restarts, ruin_recreate
from ncc_routing.vrp.polishing._annealing import Annealed
from ncc_routing.vrp.polishing.heats import (
    HEATS,
    Heat,
    anneal_in_heats,
    is_suited_for_heats,
    is_time_for_heats,
)
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.recombination.route_pool import RoutePool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


class Recorder:
    """Stands for the annealings of a search, and notes what is asked.

    The n-th annealing of a heat leaves routes that are n, and has the mean
    cost that ``costs`` names.
    """

    def __init__(self, costs: Sequence[float]) -> None:
        self.jobs = 1
        self.first = _routes(0)
        self.best_cost = math.inf
        self.calls: list[tuple[list[int], tuple[float, float], bool]] = []
        self.numbers = itertools.count(1)
        self.costs = costs

    def anneal_side_by_side(
        self,
        starts: list[PackedRoutes],
        way: tuple[float, float],
        _deadline: Deadline,
        pool: RoutePool | None,
        _stop: Stop | None,
    ) -> list[Annealed]:
        """Note the starts, and leave routes of the next numbers."""
        known = [int(routes.nodes[0]) for routes in starts]
        self.calls.append((known, way, pool is not None))
        found = []
        for number in itertools.islice(self.numbers, len(starts)):
            routes = _routes(number)
            cost = self.costs[number % len(self.costs)]
            found.append(Annealed(routes, routes, 0.0, 0.0, cost, 1, ()))
        return found


def _routes(number: int) -> PackedRoutes:
    return PackedRoutes(
        np.array([number], dtype=np.uint32), np.array([0, 1], dtype=np.int64)
    )


def race(costs: Sequence[float], jobs: int = 1) -> Recorder:
    """Return what a race of three, two and one asks for."""
    recorder = Recorder(costs)
    recorder.jobs = jobs
    anneal_in_heats(recorder, Deadline(60.0), RoutePool())  # type: ignore[arg-type]
    return recorder


@pytest.fixture
def _small_heats(monkeypatch: pytest.MonkeyPatch) -> None:
    small = (Heat(0.4, 0.5, 3), Heat(0.6, 0.25, 2), Heat(1.0, 0.25, 1))
    monkeypatch.setattr(heats, "HEATS", small)


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
def test_many_routes_need_more_time(
    num_customers: int, num_routes: int, seconds: float, expected: bool
) -> None:
    """From 0.5 ms for each customer and route on there are heats."""
    assert is_time_for_heats(num_customers, num_routes, seconds) == expected


def test_heats_fill_the_way_and_the_time() -> None:
    """They end at the end temperature, with ever fewer annealings."""
    assert sum(heat.share for heat in HEATS) == pytest.approx(1.0)
    ends = [heat.end for heat in HEATS]
    assert ends == sorted(set(ends))
    assert ends[-1] == 1.0
    runs = [heat.num_runs for heat in HEATS]
    assert runs == sorted(runs, reverse=True)
    assert runs[-1] == 1


@pytest.mark.usefixtures("_small_heats")
def test_the_shortest_on_average_go_on() -> None:
    """Annealings 1, 2, 3 end the first heat, 4 and 5 the second."""
    costs = [0.0, 30.0, 10.0, 20.0, 9.0, 8.0, 7.0]
    calls = race(costs).calls
    assert [known for known, _, _ in calls] == [[0], [0], [0], [2], [3], [5]]
    ways = [way for _, way, _ in calls]
    assert ways == [(0.0, 0.4)] * 3 + [(0.4, 0.6)] * 2 + [(0.6, 1.0)]


@pytest.mark.usefixtures("_small_heats")
def test_routes_of_the_first_heat_are_not_pooled() -> None:
    """They are too long to be parts of a good solution."""
    pooled = [is_pooled for _, _, is_pooled in race([1.0]).calls]
    assert pooled == [False] * 3 + [True] * 3


@pytest.mark.usefixtures("_small_heats")
def test_no_job_is_idle() -> None:
    """With two jobs the last heat has two annealings, the best ones."""
    costs = [0.0, 30.0, 10.0, 20.0, 9.0, 8.0, 7.0, 6.0]
    calls = race(costs, jobs=2).calls
    assert [known for known, _, _ in calls] == [[0, 0], [0], [2, 3], [5, 4]]


@pytest.mark.usefixtures("_small_heats")
def test_each_heat_has_as_many_annealings_as_jobs() -> None:
    """Four jobs have four in each heat, the best ones first."""
    recorder = Recorder([0.0, 30.0, 10.0, 20.0, 9.0])
    recorder.jobs = 4
    anneal_in_heats(recorder, Deadline(60.0))  # type: ignore[arg-type]
    first, second, third = (known for known, _, _ in recorder.calls)
    assert first == [0] * 4
    assert second == [4, 2, 3, 1]
    assert sorted(third) == [5, 6, 7, 8]


def test_a_race_shortens_the_routes(
    instance: Instance, start: Solution
) -> None:
    """The answer is feasible, and the best that any annealing met."""
    search = RuinRecreateSearch(instance, start)
    anneal_in_heats(search, Deadline(0.3))
    assert check_solution(instance, search.best()) == []
    assert search.best_cost < start.cost
    assert search.num_iterations > 0


def test_a_race_without_time_leaves_the_start(
    instance: Instance, start: Solution
) -> None:
    """Nothing is annealed."""
    search = RuinRecreateSearch(instance, start)
    anneal_in_heats(search, Deadline(0.0))
    assert search.best() == start
    assert search.num_iterations == 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_race_ends_at_a_target(
    instance: Instance, start: Solution, jobs: int
) -> None:
    """What is left of twenty seconds is not used up."""
    target = TargetCost(0.9 * start.cost)
    search = RuinRecreateSearch(instance, start, jobs=jobs)
    deadline = Deadline(20.0)
    anneal_in_heats(search, deadline, stop=target)
    assert search.best_cost <= target.cost
    assert deadline.remaining() > 15.0


def test_penalties_are_not_raced(instance: Instance, start: Solution) -> None:
    """They change between the stretches of one annealing."""
    plain = RuinRecreateSearch(instance, start)
    assert is_suited_for_heats(instance, plain, 60.0)
    penalties = CompactRoutes(1.0).priced(instance, start)
    bound = RuinRecreateSearch(instance, start, penalties=penalties)
    assert not is_suited_for_heats(instance, bound, 60.0)


@pytest.mark.parametrize("num_starts", [1, 3])
def test_ruin_and_recreate_anneals_in_heats(
    instance: Instance,
    start: Solution,
    monkeypatch: pytest.MonkeyPatch,
    num_starts: int,
) -> None:
    """Once or from several starts, where the time is enough."""
    calls: list[RuinRecreateSearch] = []

    def spy(search: RuinRecreateSearch, *rest: object, **more: object) -> None:
        calls.append(search)
        anneal_in_heats(search, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(restarts, "anneal_in_heats", spy)
    monkeypatch.setattr(ruin_recreate, "anneal_in_heats", spy)
    monkeypatch.setattr(ruin_recreate, "annealed_share", lambda *_: 1.0)
    monkeypatch.setattr(ruin_recreate, "count_starts", lambda *_: num_starts)
    found = ruin_and_recreate(instance, start, deadline=Deadline(1.5))
    assert check_solution(instance, found) == []
    assert found.cost < start.cost
    assert len(calls) == num_starts
