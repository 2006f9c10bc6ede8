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
    amounts = instance.deliveries
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
        assert instance.has_backhauls == instance.loads.has_pickups
        searched = SearchedForm.of(instance).searched
        assert searched.has_backhauls == instance.has_backhauls
        gives = np.flatnonzero(instance.loads.pickup)
        gets = np.flatnonzero(instance.loads.delivery)
        if len(gives) and len(gets):
            matrix = instance.matrix.copy()
            matrix[gives[0], gets[0]] = 1.0
            assert not replace(instance, matrix=matrix).has_backhauls
            num_tried += 1
    assert num_tried > 0.5 * len(PROBLEMS)


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
