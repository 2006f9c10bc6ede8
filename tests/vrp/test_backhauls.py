"""Routes that deliver first, then collect."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.problems.routes.searched_form import SearchedForm
from ncc_routing.vrp.search.phases import Phase, Step, choose_phases
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import FLEETS, random_problem
from tests.robustness.support import seeds

PARTS = (*FLEETS, "dimensions", "initial", "skills", "stops")
PROBLEMS = seeds(300, step=17)


def with_backhauls(instance: nr.Instance, seed: int) -> nr.Instance:
    """Let some customers give what they got, after all who still get."""
    rng = np.random.default_rng([seed, 1])
    amounts = instance.deliveries.copy()
    if seed % 3:  # of the others some do neither
        customers = slice(1, 1 + instance.num_customers)
        amounts[customers, 0] = np.maximum(1, amounts[customers, 0])
    gives = (rng.random(len(amounts)) < 0.5) & amounts.any(axis=1)
    gets = ~gives & amounts.any(axis=1)

    def behind(matrix: np.ndarray) -> np.ndarray:
        matrix = np.array(matrix, dtype=float)
        matrix[np.ix_(gives, gets)] = np.inf
        return matrix

    assert instance.matrix is not None
    getting = np.where(gives[:, None], 0, amounts)
    return replace(
        instance,
        demands=getting[:, 0],
        matrix=behind(instance.matrix),
        profiles=tuple(
            replace(each, matrix=behind(each.matrix))
            for each in instance.profiles
        ),
        loads=nr.Loads(getting, amounts - getting),
    )


def iterated(instance: nr.Instance) -> nr.Solution:
    """Return the routes of an iterated local search."""
    form = SearchedForm.of(instance)
    first = nr.solve(instance, nr.stop.MaxIterations(1)).best
    start = form.from_given(first).costed(form.searched)
    run = Run(Budget.of(iterations=200), seed=1)
    phases = (Phase(Step.ITERATE),)
    return form.given_solution(
        ruin_and_recreate(form.searched, start, run, phases=phases)
    )


def test_they_are_told_by_the_arcs() -> None:
    """Where one of them may come first, there are pickups alone."""
    num_tried = 0
    for seed in PROBLEMS:
        instance = with_backhauls(random_problem(seed, (), 6), seed)
        assert instance.loads is not None
        assert instance.matrix is not None
        amounts = instance.loads.delivery + instance.loads.pickup
        assert instance.has_backhauls == bool(
            instance.loads.has_pickups and amounts[1:, 0].all()
        )
        searched = SearchedForm.of(instance).searched
        assert searched.has_backhauls == instance.has_backhauls
        gives = np.flatnonzero(instance.loads.pickup)
        gets = np.flatnonzero(instance.loads.delivery)
        if instance.has_backhauls and len(gets):
            matrix = instance.matrix.copy()
            matrix[gives[0], gets[0]] = 1.0
            assert not replace(instance, matrix=matrix).has_backhauls
            num_tried += 1
    assert num_tried > 0.4 * len(PROBLEMS)


@pytest.mark.parametrize("is_iterated", [False, True])
def test_few_customers_are_served_at_least_cost(is_iterated: bool) -> None:
    """The two sums say all that loads forbid, and no more."""
    verdicts: Counter[str] = Counter()
    for seed in PROBLEMS:
        instance = with_backhauls(
            random_problem(seed, PARTS, 6, share=0.25), seed
        )
        verdicts["backhauls"] += instance.has_backhauls
        optimum = cheapest_plan(instance)
        try:
            if is_iterated:
                found = iterated(instance)
            else:
                stop = nr.stop.MaxIterations(500)
                found = nr.solve(instance, stop, seed=seed).best
        except nr.InfeasibleError:
            verdicts["none"] += 1
            continue
        assert nr.check_solution(instance, found) == [], seed
        slack = 1e-9 * abs(optimum)
        assert found.cost >= optimum - slack, seed
        verdicts["dearer"] += found.cost > optimum + slack
        verdicts["found"] += 1
    assert verdicts["backhauls"] > 0.5 * len(PROBLEMS)
    assert verdicts["found"] > 0.5 * len(PROBLEMS)
    assert verdicts["dearer"] <= 0.1 * verdicts["found"]


def three_of(
    matrix: np.ndarray,
    delivery: list[int],
    pickup: list[int],
    max_distance: float = np.inf,
) -> nr.Instance:
    """Return three customers, or two, of one type of vehicles."""
    amounts = np.array([delivery, pickup])
    kind = nr.VehicleType(capacity=10, max_distance=max_distance)
    return nr.Instance(
        "three",
        amounts[0],
        matrix=matrix,
        loads=nr.Loads(*amounts[:, :, None]),
        fleet=nr.Fleet((kind,)),
    )


def test_nobody_comes_between() -> None:
    """By way of one who does neither who gives may come before who gets."""
    matrix = np.full((4, 4), 100.0)
    np.fill_diagonal(matrix, 0.0)
    matrix[[0, 1, 2, 3], [1, 2, 3, 0]] = 1.0
    matrix[1, 3] = np.inf
    instance = three_of(matrix, [0, 0, 0, 10], [0, 10, 0, 0])
    assert not instance.has_backhauls
    found = nr.solve(instance, nr.stop.MaxIterations(500))
    assert found.cost == cheapest_plan(instance) == 203.0


def test_arcs_as_long_as_a_route_may_be_are_driven() -> None:
    """What sums of real numbers may exceed a limit by is no rule."""
    matrix = np.array([[0, 0, 60], [60, 0, 100 + 1e-10], [0, 60.5, 0]])
    instance = three_of(matrix, [0, 0, 10], [0, 10, 0], max_distance=100)
    assert not instance.has_backhauls
    assert nr.solve(instance, nr.stop.MaxIterations(500)).cost == 120.0
    matrix[1, 2] = 101.0
    assert three_of(
        *(matrix, [0, 0, 10], [0, 10, 0]), max_distance=100
    ).has_backhauls


def test_they_are_raced_where_there_is_time() -> None:
    """Pickups that may come at any time are annealed alone."""
    instance = with_backhauls(random_problem(1, (), 6), 1)
    assert instance.has_backhauls
    raced = choose_phases(instance, 0.06 * instance.num_customers)
    assert [phase.runs for phase in raced] == [4, 2, 1, 1, 1]
    assert instance.matrix is not None
    free = np.where(np.isinf(instance.matrix), 1.0, instance.matrix)
    anywhere = replace(instance, matrix=free)
    seconds = 0.06 * instance.num_customers
    assert choose_phases(anywhere, seconds) == (Phase(Step.ANNEAL),)
