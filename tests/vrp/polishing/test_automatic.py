"""The choice of the polish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing.core.deadline import Deadline
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.polishing import automatic
from ncc_routing.vrp.polishing.automatic import polish_auto, tail_seconds
from ncc_routing.vrp.polishing.pyvrp_search import polish_pyvrp

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance


@pytest.mark.parametrize(
    ("num_customers", "seconds", "expected"),
    [
        (100, 1.0, 0.5),
        (100, 10.0, 1.0),
        (100, 60.0, 3.0),
        (400, 2.0, 0.0),
        (400, 10.0, 0.5),
        (1000, 10.0, 0.0),
        (1000, 60.0, 3.0),
        (30_000, 3600.0, 0.0),
    ],
)
def test_pyvrp_gets_the_end_where_that_is_enough(
    num_customers: int, seconds: float, expected: float
) -> None:
    """Five per cent; a second or half the time where there are few."""
    assert tail_seconds(num_customers, seconds) == pytest.approx(expected)


@pytest.mark.parametrize(("tail", "expected"), [(0.3, 1), (0.0, 0)])
def test_pyvrp_continues_from_ruin_and_recreate(
    random_instance: Instance,
    monkeypatch: pytest.MonkeyPatch,
    tail: float,
    expected: int,
) -> None:
    """It is called where it gets time, and the answer is feasible."""
    calls: list[int] = []

    def counted(
        instance: Instance,
        start: Solution,
        deadline: Deadline,
        seed: int,
        stop: Stop | None,
    ) -> Solution:
        calls.append(seed)
        return polish_pyvrp(instance, start, deadline, seed, stop=stop)

    monkeypatch.setattr(automatic, "tail_seconds", lambda *_: tail)
    monkeypatch.setattr(automatic, "polish_pyvrp", counted)
    start = Solution.from_routes(
        random_instance, [[customer] for customer in range(1, 61)]
    )
    best = polish_auto(random_instance, start, Deadline(0.6), seed=1)
    assert len(calls) == expected
    assert check_solution(random_instance, best) == []
    assert best.cost <= start.cost
