"""Ruin and recreate on longitude and latitude."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.vrp.search import geographic
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.vrp.search.calls import one_by_one


def city(size: int = 25) -> nr.Instance:
    """Return customers of demand 1 about a depot at 60 degrees north."""
    rng = np.random.default_rng(4)
    coords = np.array([10.0, 60.0]) + rng.uniform(-0.2, 0.2, (size + 1, 2))
    demands = np.array([0] + [1] * size)
    return nr.Instance("city", demands, 5, coords, is_geographic=True)


@pytest.mark.parametrize("largest", [26, 25])
def test_the_search_ends_on_the_sphere(
    monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    """By a matrix and by a map: both find routes, at their true cost."""
    monkeypatch.setattr(geographic, "LARGEST_MATRIX", largest)
    instance = city()
    start = one_by_one(instance)
    form, same = geographic.in_searchable_form(instance, start)
    assert (form.matrix is None) == (largest == 25)
    if largest == 26:  # the matrix has the costs of the sphere
        assert same is start
        assert nr.check_solution(form, start) == []
    found = ruin_and_recreate(
        instance, start, Run(Budget.of(iterations=3000), seed=1)
    )
    assert nr.check_solution(instance, found) == []
    assert found.num_routes == 5
    assert found.cost < 0.5 * start.cost


def test_a_map_that_misleads_does_no_harm() -> None:
    """What is worse on the sphere is not taken."""
    instance = city()
    start = nr.Solution.from_routes(instance, [range(1, 6)])
    worse = nr.Solution.from_routes(instance, [(1,), (2,), (3,), (4,), (5,)])
    assert geographic.in_given_form(instance, start, worse) is start
    assert geographic.in_given_form(instance, worse, start) == start
