"""Random small problems against all their plans, and rules by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.pyvrp.adapter import from_problem_data
from tests.oracles.brute_force import cheapest_full_plan, cheapest_plan
from tests.oracles.problems import (
    as_instance,
    rich_problem,
    ruled_problem,
    small_problem,
)
from tests.oracles.verdicts import forms_of, judge
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path

    import pyvrp

    Case = tuple[pyvrp.ProblemData | None, float, list[tuple[str, Any]]]


def case(kind: str, number: int, folder: Path) -> Case:
    """Return the data of a problem, its optimum, and forms of it by name."""
    if kind == "ruled":
        instance = ruled_problem(number)
        return None, cheapest_full_plan(instance), [("instance", instance)]
    if kind == "rich":
        data = rich_problem(number)
        optimum = cheapest_plan(as_instance(data))
        return data, optimum, [*forms_of(data, folder)]
    data = small_problem(number)
    optimum = cheapest_full_plan(from_problem_data(data))
    return data, optimum, [("pyvrp", data)]


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("kind", ["rich", "full", "ruled"])
def test_search_finds_the_cheapest_plans(
    kind: str, block: int, tmp_path: Path
) -> None:
    """No cost is wrong, no plan is missed, and nearly all are the best.

    Of problems with features that every search knows, as an instance, a file
    and PyVRP's data; with all that PyVRP knows; and with route constraints.
    """
    verdicts: Counter[str] = Counter()
    for number in seeds(400)[block::4]:
        data, optimum, forms = case(kind, number, tmp_path)
        for form, given in forms:
            verdict = judge(data, given, optimum)
            assert not verdict.startswith(("wrong", "false")), (number, form)
            verdicts[verdict] += 1
    assert verdicts["cheapest"] > verdicts.total() / 5
    assert verdicts["dearer"] <= max(1, 0.02 * verdicts.total())


def test_a_profile_that_all_vehicles_have_counts() -> None:
    """There and back is 200; the matrix that no vehicle has says 2."""
    instance = nr.Instance(
        "profile",
        np.array([0, 1]),
        9,
        matrix=np.array([[0.0, 1.0], [1.0, 0.0]]),
        fleet=nr.Fleet((nr.VehicleType(capacity=9, profile=1),)),
        profiles=(nr.Profile(np.array([[0.0, 100.0], [100.0, 0.0]])),),
    )
    result = nr.solve(instance)
    assert result.cost == 200.0
    assert result.instance is instance


def test_customers_bring_a_in_progress_route_home() -> None:
    """Customer 1 is 50 from the depot, and 2 between them: 10 and 10."""
    matrix = np.full((3, 3), 10.0)
    matrix[1, 0] = 50.0
    for capacity, cost in ((2, 30.0), (1, None)):
        kind = nr.VehicleType(capacity=capacity, max_distance=40)
        for required in (True, False):
            instance = nr.Instance(
                name="far",
                demands=np.array([0, 1, 1]),
                matrix=matrix,
                fleet=nr.Fleet((kind,)),
                selection=nr.Selection(
                    np.zeros(3), np.array([True, True, required])
                ),
                constraints=nr.RouteConstraints(
                    in_progress=(nr.InProgressRoute(0, (1,)),)
                ),
            )
            if cost is None:
                with pytest.raises(
                    nr.InfeasibleError,
                    match="in-progress route 1 cannot come back: route 1 "
                    "takes 60 of 40",
                ):
                    nr.solve(instance, stop=nr.MaxIterations(20))
            else:
                found = nr.solve(instance, stop=nr.MaxIterations(20))
                assert found.cost == cost
                assert found.routes == ((1, 2),)


@pytest.mark.parametrize("required", [True, False])
def test_groups_part_without_whom_they_share(required: bool) -> None:
    """Vehicles carry one customer, so that 2 has to be left out."""
    instance = nr.Instance(
        name="apart",
        demands=np.array([0, 1, 1, 1]),
        coords=np.array([[0, 0], [10, 0], [0, 5], [-10, 0]]),
        capacity=1,
        selection=nr.Selection(
            np.array([0, 0, 1, 0]), np.array([True, True, required, True])
        ),
        constraints=nr.RouteConstraints(same_route=((1, 2), (2, 3))),
    )
    if required:
        with pytest.raises(nr.InfeasibleError, match="must share a route"):
            nr.solve(instance, stop=nr.MaxIterations(20))
        return
    found = nr.solve(instance, stop=nr.MaxIterations(20))
    assert found.cost == 20 + 20 + 1
    wide = replace(instance, capacity=3)
    assert nr.solve(wide, stop=nr.MaxIterations(20)).cost == 40 + 1
    dear = nr.Selection(
        np.array([0, 0, 9, 0]), np.array([True, True, False, True])
    )
    found = nr.solve(replace(wide, selection=dear), stop=nr.MaxIterations(20))
    assert found.cost == cheapest_full_plan(found.instance)
    assert set(map(len, found.routes)) == {3}
