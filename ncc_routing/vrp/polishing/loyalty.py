"""Routes as in past plans: ways between strangers count as longer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.scoring.priority import MIN_CHANCE
from ncc_routing.vrp.polishing.geographic import LARGEST_MATRIX
from ncc_routing.vrp.polishing.zones import refuse_features

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.scorers import PairScorer

UNIT: Final = 0.5
"""What one unit of log-probability adds to a way at a weight of 1, in mean
distances between near customers (``docs/benchmarks/learned_places.md``)."""


@dataclass(frozen=True)
class LoyalRoutes:
    """The preference for routes of customers that belong together.

    The search takes a way between two customers for longer the less likely
    the scorer thinks that they share a route: by -log P times the weight and
    the mean distance of near customers. Zones whose cores are the routes,
    with -log P for their members, gained less.

    Parameters
    ----------
    scorer
        Says how likely near customers share a route.
    weight
        The ``loyalty`` of ``SolveParams``, positive.
    """

    scorer: PairScorer = field(repr=False)
    weight: float
    name: ClassVar[str] = "loyalty"

    def require(self, instance: Instance) -> None:
        """Refuse what is more than a CVRP with coordinates, or too large.

        Raises
        ------
        UnsupportedProblemError
            It names the instance and the feature, or the number of nodes.
        """
        refuse_features(self.name, instance)
        if len(instance.demands) > LARGEST_MATRIX:
            rule = f"does not accept more than {LARGEST_MATRIX} nodes"
            raise UnsupportedProblemError(instance.name, self.name, rule)

    def lengthened(self, instance: Instance) -> Instance:
        """Return the instance as the search sees it, with a matrix.

        Ways from and to the depot stay as they are. Pairs that the scorer
        does not know count as most unlikely. Whole distances stay whole.

        Parameters
        ----------
        instance
            What ``require`` has accepted.
        """
        known, chances, spacing = self.scorer.pair_probabilities(instance)
        size = len(instance.demands)
        likely = np.full((size, size), MIN_CHANCE)
        rows = np.arange(1, size)[:, None]
        likely[rows, known] = np.clip(chances, MIN_CHANCE, 1.0)
        extra = -np.log(np.maximum(likely, likely.T))
        extra *= UNIT * self.weight * spacing
        extra[0, :] = extra[:, 0] = 0.0
        np.fill_diagonal(extra, 0.0)
        if instance.is_integral:
            extra = np.rint(extra)
        nodes = np.arange(size)
        longer = instance.distances(nodes, nodes) + extra
        return replace(instance, matrix=longer)
