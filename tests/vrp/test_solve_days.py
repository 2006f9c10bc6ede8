"""Several days planned so that customers see few drivers."""

from __future__ import annotations

import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing import Instance
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.days import generate_days
from ncc_routing.generators.time_windows import generate_fleet
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.routes.days import compare_days
from ncc_routing.stop import TimeLimit

if TYPE_CHECKING:
    from ncc_routing.core.events import Progress


def square(name: str, cheap: list[tuple[int, int]], length: int) -> Instance:
    """Return two routes of two of the customers a, b, c, d.

    The depot is 200 from all. The pairs that are named are 100 apart, those
    of the other day ``length``, and any others 500.
    """
    matrix = np.full((5, 5), 500)
    matrix[0, :] = matrix[:, 0] = 200
    for pair in ((1, 2), (3, 4), (1, 3), (2, 4)):
        one, other = pair
        apart = 100 if pair in cheap else length
        matrix[one, other] = matrix[other, one] = apart
    np.fill_diagonal(matrix, 0)
    demands = np.array([0, 1, 1, 1, 1])
    return Instance(
        name, demands, 2, matrix=matrix, ids=("home", "a", "b", "c", "d")
    )


DAYS = [
    square("monday", [(1, 2), (3, 4)], 105),
    square("tuesday", [(1, 3), (2, 4)], 120),
]
"""Alone they cost 1000 each, and b and c see two drivers. With the pairs of
tuesday on monday everybody sees one for 1010, the other way for 1040."""

BRIEF: dict[str, Any] = {"stop": nr.stop.MaxIterations(2_000)}


@pytest.mark.parametrize(
    ("share", "cost", "drivers"),
    [
        (0, 2000, 1.5),
        (0.0049999, 2000, 1.5),
        (0.005, 2010, 1.0),
        (0.03, 2010, 1.0),
    ],
)
def test_the_share_of_all_days_is_kept_exactly(
    share: float, cost: int, drivers: float
) -> None:
    """10 is half a percent of 2000, and no less."""
    found = nr.solve_days(DAYS, max_extra_cost=share, **BRIEF)
    assert found.cost == cost
    assert found.extra_percent == pytest.approx((cost - 2000) / 20)
    assert found.measures.mean_drivers == drivers
    assert [result.cost for result in found.alone] == [1000, 1000]
    assert compare_days(found.alone).mean_drivers == 1.5


def test_the_same_seed_gives_the_same_days() -> None:
    """As long as iterations alone limit it."""
    days = generate_days(40, 3)
    one, other = (nr.solve_days(days, seed=7, **BRIEF) for _ in range(2))
    for first, second in zip(one.results, other.results, strict=True):
        assert first.routes == second.routes
    assert one.measures.mean_drivers <= compare_days(one.alone).mean_drivers


def test_days_with_a_fleet_and_a_construction() -> None:
    """Each plan keeps the rules of its day, and the days the cap."""
    pool = generate_fleet(30, 5)
    days = [
        replace(restrict(pool, np.delete(np.arange(1, 31), served)))
        for served in (slice(0, 6), slice(20, 26), slice(10, 16))
    ]
    found = nr.solve_days(
        days, method="insertion", time_limit=0.6, max_extra_cost=0.05
    )
    for day, result in zip(days, found.results, strict=True):
        assert not nr.check_solution(day, result.best)
    base = sum(result.cost for result in found.alone)
    assert 100 * found.cost <= 105 * base


def test_days_with_nobody_in_common() -> None:
    """Each is planned alone, as a single day is."""
    whole = DAYS[0]
    days = [restrict(whole, np.array(nodes)) for nodes in ([1, 2], [3, 4])]
    for problems in (days, days[:1]):
        found = nr.solve_days(problems, **BRIEF)
        assert found.results == found.alone
        assert found.measures.mean_drivers == 1.0


def test_days_that_serve_nobody() -> None:
    """Customers who need no service, and are too far away for their prize."""
    free = nr.Selection(np.array([0, 1, 1, 1, 1]), np.zeros(5))
    days = [replace(day, selection=free) for day in DAYS]
    found = nr.solve_days(days, **BRIEF)
    assert [plan.routes for plan in found.results] == [(), ()]
    assert (found.cost, found.measures.mean_drivers) == (8.0, 0.0)
    labels = np.array([-1, 0, 0, 1, 1])
    alone = nr.solve(days[0], reference=labels, consistency=1.0, **BRIEF)
    assert alone.consistency is not None
    assert alone.consistency.moved == 0.0


def test_a_clock_that_has_passed() -> None:
    """It leaves the first plan of each day."""
    deadline = TimeLimit()
    deadline.expire()
    found = nr.solve_days(DAYS, stop=deadline)
    assert found.results == found.alone
    for day, result in zip(DAYS, found.results, strict=True):
        assert not nr.check_solution(day, result.best)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_it_with_plans_of_all_days() -> None:
    """Days that were not planned yet get a first plan."""

    class Interrupting(nr.Callbacks):
        def on_progress(self, progress: Progress) -> None:
            if progress.stage == "polish" and not heard:
                heard.append(progress)
                signal.raise_signal(signal.SIGINT)

    heard: list[Progress] = []
    days = generate_days(40, 3)
    found = nr.solve_days(days, time_limit=30.0, callbacks=Interrupting())
    assert len(heard) == 1
    assert found.results == found.alone
    assert found.results[0].interrupted
    for day, result in zip(days, found.results, strict=True):
        assert not nr.check_solution(day, result.best)


@pytest.mark.parametrize(
    ("problems", "changes", "message"),
    [
        ([], {}, "problems must be of one day or more"),
        (
            DAYS,
            {"params": nr.SolveParams(reference=[-1, 0, 0, 1, 1])},
            "reference: the other days",
        ),
        (DAYS, {"polish": "none"}, "consistency needs an improvement by"),
        (DAYS, {"max_extra_cost": -1}, "max_extra_cost must lie in"),
        ([7], {}, "the problem must be an Instance"),
    ],
)
def test_refusals(
    problems: Any, changes: dict[str, Any], message: str
) -> None:
    """Each is one line that says what is wrong, before any search."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.solve_days(problems, **changes)


def test_days_in_any_order_of_containers() -> None:
    """Several problems, not one."""
    days = {"mon": generate_uchoa(6, 1), "tue": generate_uchoa(6, 2)}
    found = nr.solve_days(days.values(), stop=nr.stop.MaxIterations(10))
    assert len(found.results) == 2
    wrong: list[Any] = [days["mon"], "x.vrp", days, 5]
    for each in wrong:
        with pytest.raises(nr.ParameterError, match="must be a list of"):
            nr.solve_days(each)
