"""The neural scorer as a priority of the compiled clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.priority import PriorityFormula
from ncc_routing.clustering.scorers import (
    MIN_CHANCE,
    PairScorer,
    near_pairs,
)
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True, eq=False)
class ScorerPriority:
    """Log-probability of belonging together, mixed with the distance.

    The priority of node i for a center with medoid m is
    weight * spacing * log P(i, m) - d(i, c), where the spacing makes the
    logarithm a length. In a CVRP the distance is mixed with the detour as
    that of ``RegretPriority`` is.

    Parameters
    ----------
    neighbours
        Nodes of shape (n, k), row i for node ``first_node + i``: customers
        1..n, or points 0..n - 1.
    chances
        Probabilities of the same shape.
    spacing
        Mean distance between near nodes.
    weight
        Weight of the logarithm, in units of the spacing; >= 0.
    far_chance
        Probability of pairs that are not listed.
    first_node
        1 (default) where node 0 is a depot, else 0.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    neighbours: np.ndarray
    chances: np.ndarray
    spacing: float
    weight: float = 1.0
    far_chance: float = MIN_CHANCE
    first_node: int = 1

    def __post_init__(self) -> None:
        if self.neighbours.shape != self.chances.shape:
            raise ParameterError(
                "neighbours and chances must have the same shape."
            )
        if not (self.weight >= 0 and self.spacing > 0):
            raise ParameterError("weight must be >= 0 and spacing > 0.")
        if not 0 < self.far_chance <= 1:
            raise ParameterError("far_chance must lie in (0, 1].")

    @classmethod
    def of(
        cls,
        scorer: PairScorer,
        instance: Instance | PointSet,
        *,
        weight: float | None = None,
    ) -> ScorerPriority:
        """Run a scorer of pairs once and return the priority of an instance.

        The default weight is the calibrated one. Clusters of points can be
        larger than the list of a point: pairs beyond it have the mean
        probability of its last entry. A route ends before that, and such a
        pair has the least probability.
        """
        neighbours, chances, spacing = near_pairs(scorer, instance)
        if weight is None:
            calibration = getattr(scorer, "calibration", {})
            weight = calibration.get("weight", 1.0)
        if not isinstance(instance, PointSet):
            return cls(neighbours, chances, spacing, weight)
        far = max(MIN_CHANCE, float(chances[:, -1].mean()))
        return cls(neighbours, chances, spacing, weight, far, first_node=0)

    def formula(self) -> PriorityFormula:
        """Return the priority in compiled form.

        The row of a depot is empty; the likeliest neighbours come first.
        """
        chances = np.clip(self.chances, MIN_CHANCE, 1.0)
        order = np.argsort(-chances, axis=1, kind="stable")
        chances = np.take_along_axis(chances, order, axis=1)
        size, degree = chances.shape
        first = self.first_node
        neighbours = np.zeros((first + size, degree), dtype=np.int32)
        neighbours[first:] = np.take_along_axis(self.neighbours, order, axis=1)
        affinity = np.zeros((first + size, degree))
        affinity[first:] = self.spacing * np.log(chances)
        far = self.spacing * float(np.log(self.far_chance))
        return PriorityFormula(
            neighbours, affinity, far, float(self.weight), 0.0, 0.0, 1.0, 0.0
        )
