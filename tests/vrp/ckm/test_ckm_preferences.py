"""Clusters by preference: penalties by hand, and what trials make of them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core import ckm as kernels
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.days import generate_days
from ncc_routing.problems.route_shapes import measure_shapes
from ncc_routing.scoring.weights_file import WEIGHTS
from ncc_routing.vrp.ckm.search import cluster_ckm
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.penalties import NO_PENALTIES
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.tours.cluster_routes import improve_members

if TYPE_CHECKING:
    from ncc_routing.vrp.preferences.penalties import ClusterPenalties

PAST, TODAY = generate_days(100, 5, route_length=10.0)
BEFORE = nr.PastRoutes(PAST, solve_savings(PAST, router=None).routes)


def penalty(found: ClusterPenalties, *members: int) -> float:
    """Return what a cluster of a plan costs besides its route."""
    num_nodes = (
        max(len(found.places), len(found.districts)) or max(members) + 1
    )
    plan = kernels.Plan(2, num_nodes)
    plan.set_cluster(1, np.array(members), 0, 0.0)
    plan.add_penalties(found)
    assert plan.costs[0] == 0.0  # a free slot
    return float(plan.costs[1])


@pytest.mark.parametrize(
    "preference",
    [
        Preferences(compactness=2.0),
        Preferences(consistency=2.0, reference=BEFORE),
    ],
)
def test_a_search_and_a_cluster_agree(preference: Preferences) -> None:
    """Routes cost the same as in ruin and recreate."""
    start = solve_savings(TODAY, router=None)
    found = preference.for_clusters(TODAY, start)
    packed = PackedRoutes.of(start.routes)
    priced = preference.priced(TODAY, start)
    assert priced is not None
    costs = priced.penalties(packed)
    assert [penalty(found, *route) for route in start.routes] == (
        pytest.approx(costs.tolist())
    )
    assert preference.adjusted(TODAY) is TODAY


def routed(clusters: list[np.ndarray], instance: nr.Instance) -> nr.Solution:
    """Return the routes through clusters, in any order that is good."""
    members = np.concatenate(clusters).astype(np.int64)
    offsets = np.cumsum([0, *map(len, clusters)])
    improve_members(instance, members, offsets)
    return nr.Solution.from_routes(
        instance, np.split(members, offsets[1:-1].tolist())
    )


def test_clusters_are_more_compact() -> None:
    """At some cost, and feasible."""
    instance = generate_uchoa(120, 4, route_length=10.0)
    plain, compact = (
        routed(cluster_ckm(instance, Run(seed=2), preferences=wish), instance)
        for wish in (Preferences(), Preferences(compactness=4.0))
    )
    assert nr.check_solution(instance, compact) == []
    overlaps = [measure_shapes(instance, s).overlap for s in (plain, compact)]
    assert overlaps[1] < 0.7 * overlaps[0]
    assert compact.cost < 1.1 * plain.cost


def test_loyalty_changes_the_ways() -> None:
    """Clusters are judged on the lengthened ones, and routed on the true."""
    preference = Preferences(affinity=1.0, scorer=Side())
    seen = preference.adjusted(TODAY)
    assert preference.for_clusters(TODAY, None) is NO_PENALTIES  # type: ignore[arg-type]
    plain, loyal = (
        cluster_ckm(TODAY, Run(seed=1), preferences=wish)
        for wish in (Preferences(), preference)
    )
    costs = [routed(clusters, seen).cost for clusters in (plain, loyal)]
    assert costs[1] < costs[0]


class Side:
    """A scorer for which only the side of a line counts."""

    def pair_probabilities(
        self, instance: nr.Instance | nr.PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return all pairs of different customers."""
        assert isinstance(instance, nr.Instance)
        places = instance.plane_coords("a test")[:, 0]
        side = places > np.median(places) + 7
        rows = np.arange(1, instance.num_customers + 1)
        others = np.array([np.delete(rows, i) for i in rows - 1])
        same = side[rows[:, None]] == side[others]
        return others, np.where(same, 0.5, 0.01), 100.0


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
