"""Clusters by preference: penalties by hand, and what trials make of them."""

from __future__ import annotations

import itertools

import pytest

import ncc_routing as nr
from ncc_routing.generators.days import generate_days
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from ncc_routing.vrp.construction.savings import solve_savings

PAST, TODAY = generate_days(100, 5, route_length=10.0)
BEFORE = nr.PastRoutes(PAST, solve_savings(PAST, router=None).routes)


def test_solve_without_an_improvement() -> None:
    """The method alone follows the preference; others are refused."""
    wishes = ({"compactness": 1.0}, {"consistency": 1.0, "reference": BEFORE})
    for method, wish in itertools.product(("ckm", "ncc-sampling"), wishes):
        found = nr.solve(TODAY, method=method, polish="none", **wish)  # type: ignore[arg-type]
        assert nr.check_solution(TODAY, found.best) == []
        assert [stage.name for stage in found.stages] == ["cluster", "route"]
    params = nr.SolveParams(
        *("ckm", "none"),
        scorer=str(WEIGHTS / "ncc-cvrp.safetensors"),
        affinity=1.0,
    )
    found = nr.solve(TODAY, params=params)
    assert nr.check_solution(TODAY, found.best) == []
    for method, polish in (("savings", "none"), ("ckm", "pyvrp")):
        with pytest.raises(
            nr.ParameterError, match="compactness needs an imp"
        ):
            nr.solve(TODAY, method=method, polish=polish, compactness=1.0)
