"""The choice of the polish."""

import pytest

from ncc_routing.checking import check_solution
from ncc_routing.deadline import Deadline
from ncc_routing.instance import Instance
from ncc_routing.polishing import automatic
from ncc_routing.polishing.automatic import polish_auto
from ncc_routing.solution import Solution


@pytest.mark.parametrize(("limit", "expected"), [(60, 1), (59, 0)])
def test_pyvrp_takes_part_up_to_the_limit(
    random_instance: Instance,
    monkeypatch: pytest.MonkeyPatch,
    limit: int,
    expected: int,
) -> None:
    """Sixty customers: at the limit PyVRP is called, beyond it is not."""
    calls = []
    original = automatic.polish_pyvrp

    def counted(*args: object) -> Solution:
        calls.append(args)
        return original(*args)

    monkeypatch.setattr(automatic, "SEQUENCE_LIMIT", limit)
    monkeypatch.setattr(automatic, "polish_pyvrp", counted)
    start = Solution.from_routes(
        random_instance, [[customer] for customer in range(1, 61)]
    )
    best = polish_auto(random_instance, start, Deadline(0.5), seed=1)
    assert len(calls) == expected
    assert check_solution(random_instance, best) == []
    assert best.cost <= start.cost
