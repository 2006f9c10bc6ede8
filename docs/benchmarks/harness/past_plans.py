"""What past plans say by counting: scorers without a network."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.neighbours import nearest_points
from ncc_routing.scoring.features import NUM_NEIGHBOURS, pair_features

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet

_PRIOR_DAYS: Final = 2.0
"""Days that what near customers do on average counts for."""


@dataclass(frozen=True, eq=False)
class PastPlans:
    """How often two addresses shared a route when both had an order.

    Parameters
    ----------
    shared, met
        Float64 arrays of shape (a, a): days on which two addresses shared a
        route, and on which both had an order.
    by_rank
        Float64 array of shape (k,): how often a customer shares a route
        with its nearest other customer, the second nearest, ... What pairs
        have that met rarely.
    """

    shared: np.ndarray
    met: np.ndarray
    by_rank: np.ndarray
    calibration: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        days: Iterable[tuple[Instance, np.ndarray]],
        num_addresses: int,
    ) -> PastPlans:
        """Count the days.

        Parameters
        ----------
        days
            The customers of each day, whose ids are the numbers of their
            addresses, and the route of each node, shape (n + 1,).
        num_addresses
            Number of addresses; they are 1..num_addresses.
        """
        shared = np.zeros((num_addresses + 1, num_addresses + 1))
        met = np.zeros_like(shared)
        rates = []
        for instance, labels in days:
            own = addresses_of(instance)[1:]
            routes = labels[1:]
            is_shared = routes[:, None] == routes[None, :]
            shared[np.ix_(own, own)] += is_shared
            met[np.ix_(own, own)] += 1.0
            near = pair_features(instance, NUM_NEIGHBOURS).neighbours
            rates.append((routes[near] == routes[:, None]).mean(axis=0))
        return cls(shared, met, np.mean(rates, axis=0))

    def pooled(self, coords: np.ndarray, num_near: int) -> PastPlans:
        """Return the counts with those of near addresses added to each.

        Parameters
        ----------
        coords
            Float64 array of shape (a, 2): the place of each address.
        num_near
            Recurring addresses that stand for each, itself among them.
        """
        size = len(coords)
        _, near = nearest_points(coords[1:])(coords[1:], num_near)
        adds = np.zeros((size, size))
        adds[np.arange(1, size)[:, None], near + 1] = 1.0
        return PastPlans(
            adds @ self.shared @ adds.T,
            adds @ self.met @ adds.T,
            self.by_rank,
        )

    def pair_probabilities(
        self, instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return near customers, their probabilities, and the spacing."""
        found = pair_features(instance, len(self.by_rank))
        own = addresses_of(instance)[1:]
        pairs = own[:, None], own[found.neighbours]
        prior = _PRIOR_DAYS * self.by_rank[: found.neighbours.shape[1]]
        chances = (self.shared[pairs] + prior) / (
            self.met[pairs] + _PRIOR_DAYS
        )
        return found.answers(chances)


def addresses_of(instance: Instance | PointSet) -> np.ndarray:
    """Return the address of each node, int64 of shape (n + 1,)."""
    return np.array(instance.ids, dtype=np.int64)
