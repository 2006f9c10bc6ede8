"""How a clustering is searched, by objective, size and limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncc_routing.ccp.phases import (
    DENSE_PAIRS,
    DENSE_POINTS,
    NUM_RETRIES,
    RETRIED_PAIRS,
    Phase,
    Phases,
    Step,
    choose_phases,
)
from ncc_routing.ccp.search_params import AnnealingParams, SearchParams
from tests.ccp.points import points_of


def planned(
    size: int, num_clusters: int, objective: str = "inertia", **known: Any
) -> Phases:
    """Return the phases for some points at one place."""
    points = points_of(np.zeros((size, 2)), np.ones(size), size)
    return choose_phases(points, num_clusters, objective, **known)


def words(plan: Phases) -> list[str]:
    """Return the phases in words."""
    return [*map(str, plan)]


@pytest.mark.parametrize(
    ("size", "num_clusters", "expected"),
    [
        (10, 1, ["2 x descend"]),
        (10, 2, ["2 x descend", "100 x kick"]),
        (DENSE_POINTS, 66, ["2 x descend", "1,320 x kick"]),
        (DENSE_POINTS + 1, 1, ["gather"]),
        (DENSE_POINTS + 1, 2, ["bisect", "8 x balance"]),
        (DENSE_PAIRS // 100, 100, ["2 x descend", "2,000 x kick"]),
        (
            DENSE_PAIRS // 100,
            101,
            ["bisect", "8 x balance", "2,020 x kick"],
        ),
        (
            39_999,
            50,
            ["bisect", "2 x balance from 1 / 12 of the points", "25 x kick"],
        ),
        (40_000, 5, ["bisect", "8 x balance from 1 / 20 of the points"]),
        (40_000, 625, ["bisect", "2 x balance", "312 x kick"]),
    ],
)
def test_inertia_follows_from_points_and_pairs(
    size: int, num_clusters: int, expected: list[str]
) -> None:
    """Up to the limits all pairs count, beyond them prices and near ones."""
    assert words(planned(size, num_clusters)) == expected


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, Phase(Step.KICK, 100, batch=20)),
        ({"counts_iterations": True}, Phase(Step.KICK, None, batch=20)),
        ({"seconds": 1.0}, Phase(Step.KICK, None, batch=10)),
        ({"effort": SearchParams(3, 7)}, Phase(Step.KICK, 7, batch=20)),
        (
            {"effort": SearchParams(3, 7), "seconds": 1.0},
            Phase(Step.KICK, 7, batch=10),
        ),
    ],
)
def test_kicks_end_by_number_or_limit(
    known: dict[str, Any], expected: Phase
) -> None:
    """A hundred where nothing else ends them; the clock is asked earlier."""
    starts, kicks = planned(1000, 10, **known)
    assert starts.times == (3 if "effort" in known else 2)
    assert kicks == expected


def test_a_time_limit_bounds_the_bisection() -> None:
    """It may take most of the time, since it comes from no limit alone."""
    plan = planned(5000, 10, seconds=1.0)
    balance = "8 x balance from 1 / 2 of the points"
    assert words(plan) == ["bisect to 60 %", balance, "kick to 100 %"]


@pytest.mark.parametrize("objective", ["cccp", "cpmp"])
@pytest.mark.parametrize(
    ("size", "num_clusters", "known", "expected"),
    [
        (100, 5, {}, ["anneal", "220 x anneal groups"]),
        (100, 5, {"seconds": 1.0}, ["anneal to 50 %", "anneal groups to 100"]),
        (100, 5, {"effort": AnnealingParams(num_trials=9)}, ["anneal", "9 x"]),
        (1, 1, {}, ["gather"]),
        (9, 1, {}, ["gather"]),
    ],
)
def test_medians_are_annealed(
    objective: str,
    size: int,
    num_clusters: int,
    known: dict[str, Any],
    expected: list[str],
) -> None:
    """The whole, then groups of clusters, and again where all fails."""
    found = words(planned(size, num_clusters, objective, **known))
    if num_clusters > 1:
        often = "" if "seconds" in known else f"{NUM_RETRIES} x "
        assert found.pop() == f"{often}retry if that fails"
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.startswith(other)


def test_too_many_pairs_for_a_retry() -> None:
    """The annealing of large problems ends where it ends."""
    many = planned(RETRIED_PAIRS // 100 + 1, 100, "cpmp")
    assert many[-1].step is Step.GROUPS
    few = planned(RETRIED_PAIRS // 100, 100, "cpmp")
    assert few[-1].step is Step.RETRY
