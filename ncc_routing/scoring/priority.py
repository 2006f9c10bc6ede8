"""The neural scorer as a priority of the compiled clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.priority import PriorityFormula
from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.pair_scorer import PairScorer

MIN_CHANCE = 1e-3
"""Least probability that counts: the logarithm of less is noise."""


@dataclass(frozen=True, eq=False)
class ScorerPriority:
    """Log-probability of sharing a route, mixed with the distance.

    The priority of customer i for a center with medoid m is
    weight * spacing * log P(i, m) - d(i, c), where the spacing makes the
    logarithm a length, and the distance is mixed with the detour as that of
    ``RegretPriority`` is.

    Parameters
    ----------
    neighbours
        Customers (1..n) of shape (n, k): row i for customer i + 1.
    chances
        Probabilities of the same shape.
    spacing
        Mean distance between near customers.
    weight
        Weight of the logarithm, in units of the spacing; >= 0.
    far_chance
        Probability of pairs that are not listed.

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
        instance: Instance,
        *,
        weight: float | None = None,
    ) -> ScorerPriority:
        """Run the network once and return the priority of an instance.

        Parameters
        ----------
        scorer
            A scorer of architecture "pairs".
        instance
            The instance; it needs coordinates.
        weight
            Default: the one that was calibrated with the weights.
        """
        neighbours, chances, spacing = scorer.pair_probabilities(instance)
        if weight is None:
            weight = scorer.calibration.get("weight", 1.0)
        return cls(neighbours, chances, spacing, weight)

    def formula(self) -> PriorityFormula:
        """Return the priority in compiled form.

        Row 0, that of the depot, is empty; the neighbours of a customer
        stand in the order of their probability, the highest first.
        """
        chances = np.clip(self.chances, self.far_chance, 1.0)
        order = np.argsort(-chances, axis=1, kind="stable")
        chances = np.take_along_axis(chances, order, axis=1)
        size, degree = chances.shape
        neighbours = np.zeros((size + 1, degree), dtype=np.int32)
        neighbours[1:] = np.take_along_axis(self.neighbours, order, axis=1)
        affinity = np.zeros((size + 1, degree))
        affinity[1:] = self.spacing * np.log(chances)
        far = self.spacing * float(np.log(self.far_chance))
        return PriorityFormula(
            neighbours, affinity, far, float(self.weight), 0.0, 0.0, 1.0, 0.0
        )
