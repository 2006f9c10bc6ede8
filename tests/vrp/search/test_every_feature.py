"""Random problems with every feature, for the checks of compiled code."""

from __future__ import annotations

import pytest

import ncc_routing as nr
from tests.oracles.problems import (
    DAY,
    EVERYTHING,
    HOURS,
    PREFERRED,
    QUICK,
    random_problem,
)
from tests.robustness.support import seeds

DAYS = {
    "breaks": (*DAY, *QUICK),
    "hours": (*HOURS, *QUICK),
    "preferred": (*DAY, *PREFERRED, "quick_services"),
}


@pytest.mark.parametrize("day", DAYS)
def test_every_feature_is_searched_beside_others(day: str) -> None:
    """A problem has a plan, or it is said that none was found.

    `make sanitize` runs it with all checks; `solve` checks each answer.
    """
    stop = nr.stop.MaxIterations(60)
    for seed in seeds(1000):
        parts = (*EVERYTHING, *DAYS[day])
        instance = random_problem(seed, parts, share=0.3)
        try:
            nr.solve(instance, stop, seed=1)
        except nr.InfeasibleError:
            continue
