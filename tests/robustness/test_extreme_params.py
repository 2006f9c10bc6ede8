"""Every parameter at its bounds, one at a time."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.ccp.methods import PARAMS as CLUSTER_PARAMS
from ncc_routing.core.params import bounds_of, build_params, load
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.methods import PARAMS as SOLVE_PARAMS

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAIN = generate_uchoa(20, 3)
TIMED = replace(
    PLAIN,
    windows=nr.TimeWindows.of(21, [0] + [500] * 20, [10**6] + [2500] * 20),
)
POINTS = nr.PointSet(
    np.random.default_rng(1).random((30, 2)), np.ones(30), 8.0
)
REFUSED = re.compile("end_temperature <=|must add up")
QUICK: dict[str, Any] = {"time_limit": 0.03, "seed": 1}


def extremes(kind: type) -> Iterator[dict[str, Any]]:
    """Yield a change of parameters for each bound of each field."""
    bounds = bounds_of(kind)
    for each in fields(kind):
        if each.name in bounds:
            low, high, _ = bounds[each.name]
            yield {each.name: low}
            yield {each.name: high}
        elif callable(each.default_factory):
            for inner in extremes(type(each.default_factory())):
                yield {each.name: inner}


def fitting(kind: type) -> Iterator[dict[str, Any]]:
    """Yield those that go together with the defaults."""
    for changes in extremes(kind):
        try:
            build_params(kind, changes, "")
        except nr.ParameterError as error:
            if REFUSED.search(str(error)):
                continue
        yield changes


CKM = {"method": "ckm", "polish": "none"}


@pytest.mark.parametrize(
    ("group", "instance", "options"),
    [
        ("ckm", PLAIN, CKM),
        ("ncc", PLAIN, {**CKM, "method": "ncc-sampling"}),
        ("ncc_paper", PLAIN, {**CKM, "method": "ncc-paper-sampling"}),
        ("ruin_recreate", PLAIN, {}),
        ("ruin_recreate", TIMED, {}),
    ],
)
def test_routes_at_the_bounds(
    group: str, instance: nr.Instance, options: dict[str, Any]
) -> None:
    """Every answer keeps the rules."""
    for changes in fitting(load(SOLVE_PARAMS[group])):
        params = nr.SolveParams(**{**QUICK, **options, group: changes})
        found = nr.solve(instance, params=params)
        assert nr.check_solution(instance, found.best) == [], changes


@pytest.mark.parametrize(
    ("group", "options"),
    [
        ("search", {}),
        ("annealing", {"objective": "cpmp"}),
        ("annealing", {"objective": "cccp"}),
        ("kmeans", {"method": "capkmeans"}),
        ("ncc_paper", {"method": "ncc-paper-sampling"}),
        ("gb21", {"method": "gb21", "objective": "cpmp"}),
    ],
)
def test_clusters_at_the_bounds(group: str, options: dict[str, Any]) -> None:
    """Every answer keeps the rules."""
    for changes in fitting(load(CLUSTER_PARAMS[group])):
        params = nr.ClusterParams(**{**QUICK, **options, group: changes})
        found = nr.cluster(POINTS, 5, params=params)
        assert nr.check_clustering(POINTS, found) == [], changes
