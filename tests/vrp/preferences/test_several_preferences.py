"""Several preferences in one run: sums, clusters, whole solves."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.references import reference_labels
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.preferences.zones import NO_PENALTIES, ZonesAndPairs
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch


def sectors(instance: nr.Instance) -> list[int]:
    """Return twelve zones, by the direction from the depot."""
    assert instance.coords is not None
    arms = instance.coords - instance.coords[0]
    labels = (6.0 + 6.0 / np.pi * np.arctan2(*arms.T)).astype(int) % 12
    labels[0] = -1
    return [int(label) for label in labels]


INSTANCE = nr.generate_uchoa(120, 3, route_length=10.0)
START = solve_savings(INSTANCE, router=None)
LABELS = sectors(INSTANCE)
COMPACT = Preferences(compactness=1.0)
CONSISTENT = Preferences(consistency=1.0, reference=LABELS)


@dataclass(frozen=True, eq=False)
class Parity:
    """A scorer for which only the parity of customers counts."""

    def pair_probabilities(
        self, instance: nr.Instance | nr.PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return all pairs of different customers."""
        assert isinstance(instance, nr.Instance)
        rows = np.arange(1, instance.num_customers + 1)
        others = np.array([np.delete(rows, i) for i in range(len(rows))])
        alike = others % 2 == rows[:, None] % 2
        return others, np.where(alike, 0.9, 0.05), 10.0


def test_costs_add_up() -> None:
    """Of routes and of clusters; each has its own weight."""
    both = Preferences(1.0, 1.0, reference=LABELS)
    packed = PackedRoutes.of(START.routes)
    found, compact, consistent = (
        each.priced(INSTANCE, START) for each in (both, COMPACT, CONSISTENT)
    )
    assert found is not None
    assert compact is not None
    assert consistent is not None
    assert found.penalties(packed) == pytest.approx(
        compact.penalties(packed) + consistent.penalties(packed)
    )
    clusters = both.for_clusters(INSTANCE, START)
    alone = COMPACT.for_clusters(INSTANCE, START)
    pairs = CONSISTENT.for_clusters(INSTANCE, START)
    assert (clusters.rate, clusters.unit) == (alone.rate, pairs.unit)
    assert (clusters.zones == pairs.zones).all()
    assert (clusters.places == alone.places).all()


def test_affinity_adds_distances_alone() -> None:
    """It has no penalties of its own."""
    learned = Preferences(affinity=1.0, scorer=Parity())
    assert not learned.has_penalties
    assert learned.priced(INSTANCE, START) is None
    assert learned.for_clusters(INSTANCE, START) is NO_PENALTIES
    both = replace(CONSISTENT, affinity=1.0, scorer=Parity())
    assert both.has_penalties
    assert both.free_share == CONSISTENT.free_share
    nodes = np.arange(121)
    assert np.array_equal(
        both.adjusted(INSTANCE).distances(nodes, nodes),
        learned.adjusted(INSTANCE).distances(nodes, nodes),
    )


def test_a_pickled_part_takes_both_along() -> None:
    """Zones and pairs of its own customers."""
    both = Preferences(1.0, 1.0, reference=LABELS)
    penalties = both.priced(INSTANCE, START)
    search = RuinRecreateSearch(INSTANCE, START, penalties=penalties)
    whole = search.leaders[0].current
    routes = whole.take([0, 2])
    part = search.subproblem(routes, search.zones(whole))
    copy = pickle.loads(pickle.dumps(part)).zones
    assert isinstance(copy, ZonesAndPairs)
    names = np.concatenate([[0], np.sort(routes.nodes)])
    assert (
        copy.pairs.labels == reference_labels(INSTANCE, LABELS)[names]
    ).all()
    assert len(copy.zones.ids) == len(names)


@pytest.mark.parametrize("method", ["auto", "ckm"])
def test_solve_takes_all_three(method: str) -> None:
    """Each as a weight; shapes and kept pairs are better than without."""
    params = nr.SolveParams(method, reference=LABELS)
    wishes = replace(
        params,
        compactness=2.0,
        consistency=2.0,
        affinity=0.5,
        scorer=Parity(),
    )
    results = [
        nr.solve(INSTANCE, nr.MaxIterations(20_000), params=each)
        for each in (params, wishes)
    ]
    plain, found = results
    assert found.consistency is not None
    assert plain.consistency is not None
    assert found.consistency.kept_pairs > plain.consistency.kept_pairs
    assert found.cost >= plain.cost
