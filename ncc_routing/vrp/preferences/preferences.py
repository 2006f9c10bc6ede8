"""What routes are to be besides short, by three weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.routes.references import reference_labels
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.compactness import (
    Compactness,
    MatrixCompactness,
)
from ncc_routing.vrp.preferences.consistency import (
    FREE_SHARE,
    ConsistencyPenalties,
)
from ncc_routing.vrp.preferences.penalties import (
    NO_PENALTIES,
    CentersAndPairs,
    ClusterPenalties,
    RoutePenalties,
    travel_cost_of,
)

if TYPE_CHECKING:
    from ncc_routing.clustering.scorers import PairScorer
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution


@dataclass(frozen=True)
class Preferences:
    """What routes are to be besides short; all weights are 0 by default.

    Parameters
    ----------
    compactness, consistency, affinity
        Weights, as in ``SolveParams``.
    reference
        Routes or districts, for a consistency, as for
        :func:`problems.routes.references.reference_labels`.
    scorer
        What has learned the affinity.
    expected
        Scorer that knows no region, against which the affinity counts.
        Default: the shipped one.
    """

    compactness: float = 0.0
    consistency: float = 0.0
    affinity: float = 0.0
    reference: object = field(default=None, repr=False)
    scorer: PairScorer | None = field(default=None, repr=False)
    expected: PairScorer | None = field(default=None, repr=False)

    @property
    def has_penalties(self) -> bool:
        """Whether a search has to count more than adjusted distances."""
        return self.compactness > 0.0 or self.consistency > 0.0

    @property
    def free_share(self) -> float:
        """Share of a search of a CVRP that first only shortens the routes."""
        return FREE_SHARE if self.consistency > 0.0 else 0.0

    def require(self, instance: Instance) -> None:
        """Refuse an instance that one of them is not made for."""
        if self.consistency > 0.0:
            reference_labels(instance, self.reference)
        if self.affinity > 0.0:
            # Imported here: nothing else needs a scorer.
            from ncc_routing.vrp.preferences.affinity import require_affinity

            require_affinity(instance)

    def adjusted(self, instance: Instance) -> Instance:
        """Return the instance with the distances that the search uses."""
        if self.scorer is None or self.affinity <= 0.0:
            return instance
        from ncc_routing.vrp.preferences.affinity import with_affinity

        return with_affinity(
            instance, self.scorer, self.affinity, self.expected
        )

    def priced(self, instance: Instance, start: Solution) -> Penalties | None:
        """Return what routes cost besides, scaled by any solution."""
        if not self.has_penalties:
            return None
        compact: Compactness | MatrixCompactness | None = None
        if self.compactness > 0.0:
            kind = (
                MatrixCompactness if instance.coords is None else Compactness
            )
            compact = kind.of(instance, start, self.compactness)
        return Penalties(compact, self._consistent(instance, start))

    def for_clusters(
        self, instance: Instance, start: Solution
    ) -> ClusterPenalties:
        """Return what clusters cost besides, scaled as by ``priced``."""
        penalties = NO_PENALTIES
        if self.compactness > 0.0:
            compact = Compactness.of(instance, start, self.compactness)
            if compact.rate > 0.0:
                penalties = penalties._replace(
                    places=compact.places, rate=compact.rate
                )
        kept = self._consistent(instance, start)
        if kept is not None and kept.unit > 0.0:
            penalties = penalties._replace(
                districts=kept.labels,
                district_sizes=kept.num_others + np.int32(1),
                unit=kept.unit,
            )
        return penalties

    def _consistent(
        self, instance: Instance, start: Solution
    ) -> ConsistencyPenalties | None:
        if self.consistency <= 0.0:
            return None
        labels = reference_labels(instance, self.reference)
        cost = travel_cost_of(instance, start)
        return ConsistencyPenalties.of(
            instance, labels, cost, self.consistency
        )


@dataclass(frozen=True, eq=False)
class Penalties:
    """What the routes of an instance cost besides their length."""

    compactness: Compactness | MatrixCompactness | None = None
    consistency: ConsistencyPenalties | None = None

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs, (routes,), from the routes alone."""
        parts = (self.compactness, self.consistency)
        costs = [each.penalties(routes) for each in parts if each is not None]
        return np.asarray(np.sum(costs, axis=0))

    def around(self, routes: PackedRoutes) -> RoutePenalties:
        """Return the penalties with which a search goes on from some routes.

        With them the routes cost about ``penalties``, which decides between
        plans.
        """
        pairs = None
        if self.consistency is not None:
            pairs = self.consistency.pairs()
            if self.compactness is None:
                return pairs
        assert self.compactness is not None
        centers = self.compactness.around(routes)
        return centers if pairs is None else CentersAndPairs(centers, pairs)


def price(solution: Solution, penalties: Penalties | None) -> float:
    """Return length and penalties of a solution together."""
    if penalties is None:
        return float(solution.cost)
    packed = PackedRoutes.of(solution.routes)
    return float(solution.cost + penalties.penalties(packed).sum())
