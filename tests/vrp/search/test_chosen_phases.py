"""What a time limit is best spent on."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.time_windows import (
    generate_fleet,
    generate_shipments,
    generate_time_windows,
)
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search import phases as plans
from ncc_routing.vrp.search.phases import Phase, Step, choose_phases

ANNEAL = Phase(Step.ANNEAL)


def runs(num_customers: int, seconds: float, jobs: int = 1) -> list[int]:
    """Return the runs of each phase: annealings, then iterated searches."""
    instance = generate_uchoa(num_customers, 1)
    first, *others = choose_phases(instance, seconds, jobs=jobs)
    assert first.step is Step.ANNEAL
    assert {phase.step for phase in others} == {Step.ITERATE}
    return [first.runs, *(phase.runs for phase in others)]


@pytest.mark.parametrize(
    ("share", "jobs", "expected"),
    [
        (0.1, 1, [1, 1]),
        (1.99, 1, [1, 1]),
        (2.0, 1, [2, 1]),
        (4.0, 1, [4, 2, 1]),
        (7.9, 1, [4, 2, 1]),
        (8.0, 1, [8, 4, 2, 1]),
        (1000.0, 1, [8, 4, 2, 1]),
        (2.0, 2, [4, 2, 2]),  # no job is idle
        (2.0, 3, [4, 3, 3]),
        (0.3, 4, [4, 4]),
        (0.2, 4, [1, 1]),  # parts of the routes
    ],
)
def test_runs_follow_from_the_time_for_each(
    share: float, jobs: int, expected: list[int]
) -> None:
    """Each annealing has its seconds a customer, half of them go on."""
    enough = plans.START_SECONDS_PER_CUSTOMER / plans.ANNEALED_SHARE
    assert runs(250, share * 250 * enough * (1 + 1e-9), jobs) == expected


def test_small_problems_begin_with_shorter_annealings() -> None:
    """Their time is in pairs of customers, and goes on with the others."""
    most = plans.SMALL_MAX_CUSTOMERS
    enough = plans.SMALL_START_SECONDS / plans.ANNEALED_SHARE
    for size in (1, 50, 100, most):
        assert runs(size, 3.99 * enough * size**2) == [2, 1]
        assert runs(size, 4.01 * enough * size**2) == [4, 2, 1]
    assert runs(most + 1, 4.01 * enough * most**2) == [1, 1]


@pytest.mark.parametrize("jobs", [1, 3])
def test_many_customers_are_searched_once(jobs: int) -> None:
    """Jobs search parts of the routes then."""
    most = plans.RACE_MAX_CUSTOMERS
    assert runs(most, 600.0)[0] == plans.MAX_RUNS
    assert runs(most + 1, 600.0, jobs) == [1, 1]


def test_iterations_make_one_annealing() -> None:
    """The answer is the same on every machine."""
    instance = generate_uchoa(100, 1)
    phases = choose_phases(instance, 60.0, counts_iterations=True)
    assert phases == (ANNEAL,)
    assert choose_phases(instance, math.inf) == (ANNEAL,)


@pytest.mark.parametrize(
    ("seconds", "starts"), [(1.0, 1), (4.9, 1), (5.1, 2), (600.0, 10)]
)
def test_penalties_are_annealed_alone(seconds: float, starts: int) -> None:
    """An iterated local search counts none."""
    instance = generate_uchoa(100, 1)
    phases = choose_phases(
        instance, seconds, preferences=Preferences(compactness=1.0)
    )
    ends = [(idx + 1) / starts for idx in range(starts)]
    assert {phase._replace(end=1.0) for phase in phases} == {ANNEAL}
    assert [phase.end for phase in phases] == pytest.approx(ends)


def test_windows_are_iterated_where_there_is_time() -> None:
    """Fleets, prizes and breaks are annealed; so is all that has to hurry."""
    windows = generate_time_windows(100, 1)
    first, *others = choose_phases(windows, 6.0)
    assert first.step is Step.ANNEAL
    steps = [phase.step for phase in others]
    assert steps == [Step.ITERATE, Step.ELIMINATE, Step.ITERATE]
    assert [phase.runs for phase in (first, *others)] == [1, 1, 1, 1]
    assert choose_phases(windows, 6.0, jobs=2)[0].runs == 4
    assert choose_phases(generate_time_windows(1500, 1), 90.0) == (
        first,
        *others,
    )
    before, _, after = others
    assert before.progress[1] == after.progress[0]
    raced = choose_phases(windows, 6.0, jobs=4)
    assert [phase.runs for phase in raced] == [8, 4, 1, 1, 1, 1]
    assert all(a.end < b.end for a, b in pairwise(raced))
    with_breaks = replace(
        windows,
        fleet=nr.Fleet(
            (replace(windows.vehicle_types[0], breaks=(nr.Break(10),)),)
        ),
    )
    for instance in (
        generate_fleet(100, 1),
        generate_shipments(100, 1),
        with_breaks,
    ):
        assert choose_phases(instance, 6.0) == (ANNEAL,)
    assert choose_phases(windows, 4.0) == (ANNEAL,)


def test_consistent_routes_begin_with_short_ones() -> None:
    """A fifth of the limits goes to a search without penalties."""
    instance = generate_uchoa(100, 1)
    routes = nr.solve(instance, method="savings", polish="none").routes
    preference = Preferences(consistency=1.0, reference=routes)
    for counts in (False, True):
        phases = choose_phases(
            instance, 1.0, preferences=preference, counts_iterations=counts
        )
        assert phases == (Phase(Step.SHORTEN, 0.2), ANNEAL)


@pytest.mark.parametrize("seconds", [1.0, 3.0, 8.0, 60.0, 600.0])
@pytest.mark.parametrize("num_customers", [20, 100, 500, 1000])
def test_phases_follow_each_other(num_customers: int, seconds: float) -> None:
    """Each ends later than the one before, and the last one with the time."""
    instance = generate_uchoa(num_customers, 1)
    phases = choose_phases(instance, seconds)
    assert all(a.end < b.end for a, b in pairwise(phases))
    assert phases[-1].end == pytest.approx(1.0)
    assert str(phases[-1]).endswith("100 %")
    for before, after in pairwise(phases[1:]):
        assert before.progress[1] == pytest.approx(after.progress[0])
    assert phases[-1].progress[1] == pytest.approx(1.0)
