"""Plans made compact or consistent within a share of their cost."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.desk.routes import write_routes
from ncc_routing.generators.days import generate_days
from ncc_routing.generators.time_windows import (
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.stop import TimeLimit

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing import Instance


def reshape(
    problem: Any,
    plan: Any,
    stop: Any = None,
    max_extra_cost: float = 0.01,
    **options: Any,
) -> nr.Result:
    """Return the plan made compact or consistent."""
    return nr.solve(
        problem,
        stop,
        initial_solution=plan,
        max_extra_cost=max_extra_cost,
        **options,
    )


PLAN = [[1, 2], [3, 4]]
REFERENCE = [-1, 0, 1, 0, 1]
STEADY: dict[str, Any] = {"consistency": 1.0, "reference": REFERENCE}


@pytest.fixture
def pairs() -> Instance:
    """Return two routes of cost 1000 whose customers want to be swapped.

    The depot is 200 from all. Routes 1 2 and 3 4 cost 2 (400 + 100), those of
    the reference, 1 3 and 2 4, 2 (400 + 105), and any others more.
    """
    matrix = np.full((5, 5), 500)
    matrix[0, :] = matrix[:, 0] = 200
    for one, other, length in (
        *((1, 2, 100), (3, 4, 100)),
        *((1, 3, 105), (2, 4, 105)),
    ):
        matrix[one, other] = matrix[other, one] = length
    np.fill_diagonal(matrix, 0)
    return nr.Instance("pairs", np.array([0, 1, 1, 1, 1]), 2, matrix=matrix)


def test_reading_counts_as_time(
    pairs: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it has taken all of it, one round is left."""
    from ncc_routing.vrp import reshape as pipeline

    def read(problem: Instance) -> Instance:
        time.sleep(0.3)
        return problem

    monkeypatch.setattr(pipeline, "as_instance", read)
    found = reshape(pairs, PLAN, time_limit=0.3, **STEADY)
    assert found.phases[-1] == "reshape in 1 round"


@pytest.mark.parametrize(
    ("share", "cost"),
    [(0, 1000), (0.0, 1000), (0.0099999, 1000), (0.01, 1010), (1, 1010)],
)
def test_the_share_is_kept_exactly(
    pairs: Instance, share: float, cost: int
) -> None:
    """1010 is 1 percent more than 1000, and no more."""
    found = reshape(
        pairs, PLAN, max_extra_cost=share, time_limit=0.3, **STEADY
    )
    assert found.cost == cost
    assert found.consistency is not None
    assert found.consistency.kept_pairs == (0.0 if cost == 1000 else 1.0)
    assert found.params["max_extra_cost"] == share
    assert [stage.cost for stage in found.stages] == [1000, cost]
    assert found.phases[0] == "initial-solution"


def test_decimals_count_as_written() -> None:
    """0.07 of 100 is 7, though the float 0.07 times 100 is a bit more."""
    matrix = [[0, 25, 25], [25, 0, 57], [25, 57, 0]]
    apart = nr.Instance(
        "apart", np.array([0, 1, 1]), 2, matrix=np.array(matrix)
    )
    for share, cost in ((0.07, 107), (0.06999999, 100)):
        found = reshape(
            *(apart, [[1], [2]]),
            reference=[-1, 0, 0],
            consistency=1e3,
            max_extra_cost=share,
            time_limit=0.3,
        )
        assert found.cost == cost


def test_plans_of_any_kind_of_problem() -> None:
    """With windows, fleets, and two days: feasible and within the cap."""
    past, today = generate_days(60, 5, route_length=10.0)
    before = nr.solve(past, polish="none")
    wishes: list[tuple[Instance, dict[str, Any]]] = [
        (generate_time_windows(60, 3), {"compactness": 1.0}),
        (generate_fleet(40, 3), {"compactness": 1.0}),
        (today, {"consistency": 1.0, "reference": before}),
    ]
    for instance, wish in wishes:
        plan = nr.solve(instance, nr.stop.MaxIterations(500))
        found = reshape(
            *(instance, plan, nr.stop.MaxIterations(300)),
            max_extra_cost=0.02,
            **wish,
        )
        assert not nr.check_solution(instance, found.best)
        assert 50 * found.cost <= 51 * plan.cost
        if "reference" in wish:
            again = nr.solve(
                instance,
                reference=before,
                initial_solution=plan,
                stop=nr.stop.MaxIterations(0),
            )
            assert found.consistency is not None
            assert again.consistency is not None
            kept = again.consistency.kept_pairs
            assert found.consistency.kept_pairs > kept


def test_a_plan_of_pyvrp_and_back() -> None:
    """The cost of the answer is that of PyVRP's own solution."""
    instance = generate_time_windows(40, 7)
    data = to_problem_data(instance)
    start = nr.warm_start(data, time_limit=0.1)
    found = reshape(data, start, compactness=1.0, time_limit=0.2)
    solution = found.to_pyvrp(data)
    assert solution.is_feasible()
    assert solution.distance() == found.cost
    assert 100 * found.cost <= 101 * start.distance()


def test_files_and_ids(pairs: Instance, tmp_path: Path) -> None:
    """A path, and texts that are ids."""
    named = replace(pairs, ids=("home", "a", "b", "c", "d"))
    write_routes(
        tmp_path / "plan.csv", named, nr.Solution.from_routes(named, PLAN)
    )
    for plan in (tmp_path / "plan.csv", [["a", "b"], ["c", "d"]]):
        found = reshape(named, plan, time_limit=0.3, **STEADY)
        assert found.cost == 1010


def test_a_clock_that_has_passed(pairs: Instance) -> None:
    """It leaves the plan as it is."""
    deadline = TimeLimit()
    deadline.expire()
    found = reshape(pairs, PLAN, stop=deadline, **STEADY)
    assert found.routes == ((1, 2), (3, 4))


def test_iterations_make_it_repeatable() -> None:
    """The same seed gives the same routes; no iteration leaves the plan."""
    instance = generate_fleet(40, 3)
    plan = nr.solve(instance, stop=nr.stop.MaxIterations(200))
    found = [
        reshape(
            *(instance, plan),
            compactness=2.0,
            stop=nr.stop.MaxIterations(number),
        )
        for number in (1_000, 1_000, 0)
    ]
    assert found[0].routes == found[1].routes != plan.routes
    assert found[2].routes == plan.routes
    assert found[0].phases[1] == "reshape in 10 rounds"


def test_other_criteria() -> None:
    """PyVRP's criteria count as ours; a function ends it between rounds."""
    instance = generate_time_windows(40, 7)
    plan = nr.solve(instance, polish="none")
    for stop in (pyvrp.stop.MaxIterations(500), lambda _cost: True):
        found = reshape(instance, plan, compactness=1.0, stop=stop)
        assert not nr.check_solution(instance, found.best)


@pytest.mark.parametrize(
    ("plan", "changes", "message"),
    [
        (PLAN, {}, "needs a positive compactness, or a reference and"),
        (PLAN, {"reference": REFERENCE}, "needs a positive compactness"),
        (PLAN, {**STEADY, "max_extra_cost": -0.1}, r"lie in .*, got -0\.1"),
        (PLAN, {**STEADY, "max_extra_cost": np.inf}, "lie in .*, got inf"),
        (PLAN, {**STEADY, "max_extra_cost": True}, "a number, got True"),
        (PLAN, {**STEADY, "max_extra_cost": "1"}, "a number, got '1'"),
        (
            [[1, 2, 3, 4]],
            STEADY,
            "breaks a rule of pairs: route 1 carries 4",
        ),
        ([[1, 2], [3]], STEADY, "the plan breaks a rule of pairs: .*4"),
        ([[1, 2], [3, 9]], STEADY, "solution: .*9"),
        ([["x"]], STEADY, "solution: there is no customer with the id 'x'"),
        (7, STEADY, "solution must be routes of customers"),
        (
            PLAN,
            {**STEADY, "params": nr.SolveParams("savings")},
            "method savings would have no effect",
        ),
    ],
)
def test_refusals(
    pairs: Instance, plan: Any, changes: dict[str, Any], message: str
) -> None:
    """Each is one line that says what is wrong."""
    with pytest.raises(nr.ParameterError, match=message):
        reshape(pairs, plan, **changes)


def test_largest_seed_and_cost_limit_are_taken() -> None:
    """0 follows the largest seed; a share beyond every float is refused."""
    instance = generate_time_windows(20, 1)
    plan = nr.solve(instance, stop=nr.stop.MaxIterations(50))
    found = reshape(
        instance,
        plan,
        compactness=1.0,
        seed=2**63 - 1,
        stop=nr.stop.MaxIterations(50),
    )
    assert found.cost <= 1.01 * plan.cost
    with pytest.raises(nr.ParameterError, match="max_extra_cost"):
        reshape(instance, plan, compactness=1.0, max_extra_cost=10**400)


def test_forbidden_arcs_without_coordinates() -> None:
    """An infinite distance says nothing about how compact a route is."""
    rng = np.random.default_rng(2)
    coords = rng.integers(0, 100, (25, 2))
    matrix = np.rint(np.hypot(*(coords[:, None] - coords[None]).T).T)
    is_forbidden = np.triu(rng.random(matrix.shape) < 0.5, 1)
    is_forbidden[0] = False
    matrix[is_forbidden] = np.inf
    demands = np.ones(25, dtype=int)
    demands[0] = 0
    instance = nr.Instance("one_way", demands, 6, matrix=matrix)
    plan = nr.solve(instance, stop=nr.stop.MaxIterations(3)).best
    found = reshape(
        instance,
        plan,
        compactness=1.0,
        max_extra_cost=0.5,
        stop=nr.stop.MaxIterations(500),
    )
    assert found.best != plan
    assert found.cost <= 1.5 * plan.cost


def test_limits_that_no_route_reaches_do_not_matter() -> None:
    """As for ``solve``."""
    rng = np.random.default_rng(1)
    kind = nr.VehicleType(capacity=5, num_available=4, max_distance=10**6)
    instance = nr.Instance(
        "wide",
        np.array([0, *[1] * 12]),
        coords=rng.integers(0, 100, (13, 2)),
        fleet=nr.Fleet((kind,)),
    )
    params = nr.SolveParams(
        compactness=1.0,
        affinity=1.0,
        scorer=WEIGHTS / "ncc-cvrp.safetensors",
    )
    plan = nr.solve(instance, nr.stop.MaxIterations(20), params=params)
    found = reshape(instance, plan, nr.stop.MaxIterations(60), params=params)
    assert found.cost <= 1.01 * plan.cost
