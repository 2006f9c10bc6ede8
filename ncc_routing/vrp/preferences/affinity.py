"""Routes as in past plans: distances that they avoided count as longer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.scoring.predictor import shipped_predictor
from ncc_routing.scoring.priority import MIN_CHANCE
from ncc_routing.scoring.scorers import near_pairs
from ncc_routing.vrp.preferences.clusters import NO_PENALTIES
from ncc_routing.vrp.preferences.zones import refuse_features

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.scoring.scorers import PairScorer
    from ncc_routing.vrp.preferences.clusters import ClusterPenalties

UNIT: Final = 1.0
"""What a unit of log-probability adds to a distance at weight 1, in mean
distances of near customers (``docs/benchmarks/routes.md``)."""


@dataclass(frozen=True)
class LearnedAffinity:
    """The preference for routes of customers that belong together.

    In the search a distance grows by log P' - log P times the weight and the
    mean distance of near customers: P is the scorer's chance of a common
    route, and P' that of ``expected``, by default the shipped scorer, which
    knows no region. So places do not count twice.
    """

    scorer: PairScorer = field(repr=False)
    weight: float
    expected: PairScorer | None = field(default=None, repr=False)
    name: ClassVar[str] = "affinity"

    def require(self, instance: Instance) -> None:
        """Refuse what is more than a CVRP with coordinates, or too large."""
        refuse_features(self.name, instance, instance.features)
        if len(instance.demands) > LARGEST_MATRIX:
            rule = f"does not accept more than {LARGEST_MATRIX} nodes"
            raise UnsupportedProblemError(instance.name, self.name, rule)

    def for_clusters(
        self, instance: Instance, start: Solution
    ) -> ClusterPenalties:
        """Return no penalties: the longer distances are enough."""
        del instance, start
        return NO_PENALTIES

    def adjusted(self, instance: Instance) -> Instance:
        """Return the instance for the search, with a matrix.

        Distances of the depot and of pairs unknown to a scorer stay, and whole
        ones stay whole.
        """
        learned, spacing = log_chances(self.scorer, instance)
        expected, _ = log_chances(
            self.expected or shipped_predictor(), instance
        )
        extra = np.nan_to_num(np.maximum(expected - learned, 0.0))
        extra *= UNIT * self.weight * spacing
        if instance.is_integral:
            extra = np.rint(extra)
        nodes = np.arange(len(extra))
        longer = instance.distances(nodes, nodes) + extra
        return replace(instance, matrix=longer)


def log_chances(
    scorer: PairScorer, instance: Instance
) -> tuple[np.ndarray, float]:
    """Return symmetric log P, (n + 1, n + 1), and the customers' spacing.

    P is the larger of a pair's two answers, NaN for unknown pairs.
    """
    known, chances, spacing = near_pairs(scorer, instance)
    size = len(instance.demands)
    likely = np.full((size, size), np.nan)
    rows = np.arange(1, size)[:, None]
    likely[rows, known] = np.log(np.clip(chances, MIN_CHANCE, 1.0))
    return np.fmax(likely, likely.T), spacing
