"""Algorithm 2 of the paper: capacitated k-means with scores from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import clustering as kernels
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.paper.scored_params import MEMBERS, ScoredKMeansParams

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.clustering.scorers import CenterScores
    from ncc_routing.problems.ccp.points import PointSet

_POWERS: Final = (0.0, 0.5, 1.0, 4.0)
"""Powers of the weight in the regret, tried until every point is placed."""

_MOST_EXCHANGED: Final = 10
_MOST_PAIRS: Final = 1_000_000
"""Points that fit nowhere, and pairs of a point and a cluster, up to which
members make room: the time grows with the square of the points."""

_PATIENCE: Final = 5
"""Rounds of a start after which every point has to be placed."""

_TINY: Final = 1e-9
"""Keeps quotients finite where points lie on a center or at one place."""


class Outcome(NamedTuple):
    """The cheapest clusters of all rounds; empty ones count in the number."""

    labels: np.ndarray
    num_clusters: int
    price: float


class ScoredKMeans:
    """Capacitated k-means on some points, whose scores come from outside.

    ``price`` is the cost of labels and their number of clusters.
    """

    def __init__(
        self,
        points: PointSet,
        scores: CenterScores,
        price: Callable[[np.ndarray, int], float],
        params: ScoredKMeansParams,
        *,
        is_sampled: bool = False,
        depot: np.ndarray | None = None,
    ) -> None:
        self._scores, self._price, self._params = scores, price, params
        self._num_samples = params.num_samples if is_sampled else 1
        self._capacity = points.capacity
        self._coords = np.array(points.coords, dtype=np.float64, order="C")
        self._weights = points.weights.astype(np.float64)
        size, num_dims = self._coords.shape
        self._num_left = int(np.ceil(params.last_fraction * size))
        self._depot: np.ndarray | None = None
        self._reach = np.zeros(size)
        if depot is not None:
            gaps = self._coords - depot
            self._reach = np.sqrt((gaps * gaps).sum(axis=1))
            if params.has_depot_in_mean:
                self._depot = np.array(depot, dtype=np.float64)
        self._extent = max(float(np.ptp(self._coords, axis=0).max()), _TINY)
        spacing = self._extent / size ** (1.0 / num_dims)
        weight = params.distance_weight
        if weight is None:
            weight = scores.distance_weight
        self._distance_cost = weight / spacing

    def run(
        self,
        fewest: int,
        most: int,
        rng: np.random.Generator,
        deadline: TimeLimit | None = None,
    ) -> Outcome | None:
        """Return the cheapest clusters of all starts, ``None`` if none fits.

        The number of clusters grows from ``fewest`` to ``most`` until a
        start has placed every point; the deadline counts from then on.
        """
        deadline = deadline or TimeLimit()
        count, num_starts, best = fewest, 0, None
        while num_starts < self._params.num_starts:
            step = max(1, count // 50)
            is_wider = self._params.has_wider_starts and num_starts % 2 == 1
            wanted = min(most, count + step) if is_wider else count
            best = self._start(wanted, best, rng, deadline)
            if best is None and count < most:
                count = min(most, count + step)
                continue
            num_starts += 1
            if best is not None and deadline.passed():
                break
        return best

    def _start(
        self,
        count: int,
        best: Outcome | None,
        rng: np.random.Generator,
        deadline: TimeLimit,
    ) -> Outcome | None:
        params, coords = self._params, self._coords
        size, num_dims = coords.shape
        centers = np.zeros((count, num_dims))
        medoids = np.zeros(count, dtype=np.int64)
        kernels.seed_centers(
            kernels.Seeding.CKM, coords, self._weights, centers, rng
        )
        clusters = kernels.Clusters(
            self._weights, np.full(count, self._capacity, dtype=np.float64)
        )
        is_dense = params.assignment == "cyclic"
        num_listed = count if is_dense else min(count, params.num_listed)
        listed = np.zeros((num_listed, size), dtype=np.int64)
        lengths = np.zeros((num_listed, size))
        limit = (params.tolerance * self._extent) ** 2
        for number in range(1, params.max_rounds + 1):
            kernels.find_medoids(coords, centers, medoids)
            if params.medoids == MEMBERS:
                kernels.take_members(coords, centers, clusters.labels, medoids)
            kernels.list_centers(coords, centers, listed, lengths)
            scores = self._scores.log_odds(medoids, listed)
            priorities = self._priorities(scores, lengths)
            unplaced = self._assign(priorities, listed, centers, clusters, rng)
            labels = clusters.labels
            if unplaced == 0:
                price = self._price(labels, count)
                if best is None or price < best.price:
                    best = Outcome(labels, count, price)
            moved = kernels.update_centers(
                coords, self._depot, labels, centers
            )
            if moved <= limit or (best is not None and deadline.passed()):
                break
            if best is None and number >= _PATIENCE:
                break
        return best

    def _priorities(
        self, scores: np.ndarray, lengths: np.ndarray
    ) -> np.ndarray:
        """Return priorities of shape (C, n), higher is better."""
        values = np.array(scores, dtype=np.float64, order="C")
        if self._params.scaling == "log-odds":
            return np.asarray(values - self._distance_cost * lengths)
        scale = self._weights / (lengths + _TINY) + self._reach
        return np.asarray((values - values.min()) * scale)

    def _assign(
        self,
        priorities: np.ndarray,
        listed: np.ndarray,
        centers: np.ndarray,
        clusters: kernels.Clusters,
        rng: np.random.Generator,
    ) -> int:
        """Assign all points; return how many fit nowhere."""
        if self._params.assignment == "cyclic":
            return self._take_turns(priorities, listed, centers, clusters, rng)
        unplaced = len(self._coords)
        for power in _POWERS:
            clusters.assign_by_regret(priorities, power, listed)
            unplaced = clusters.place_doubtful(
                *(priorities, listed, self._coords, centers),
                num_left=self._num_left if self._num_samples > 1 else 0,
                num_samples=self._num_samples,
                noise=self._params.sample_heat,
                rng=rng,
            )
            if self._params.max_passes and unplaced <= _MOST_EXCHANGED:
                unplaced = self._exchange(
                    priorities, listed, centers, clusters, unplaced
                )
            if unplaced == 0:
                break
        return unplaced

    def _exchange(
        self,
        priorities: np.ndarray,
        listed: np.ndarray,
        centers: np.ndarray,
        clusters: kernels.Clusters,
        unplaced: int,
    ) -> int:
        """Make room for points without one, then swap; as ``_assign``."""
        if len(centers) * len(self._coords) > _MOST_PAIRS:
            return unplaced
        # Centers that a point does not list are worse than those it does.
        gaps = self._coords[None] - centers[:, None]
        lengths = np.sqrt((gaps * gaps).sum(axis=2))
        table = priorities.min(axis=0) - self._distance_cost * lengths
        np.put_along_axis(table, listed, priorities, axis=0)
        unplaced = clusters.place_by_exchange(table)
        clusters.swap_members(table, self._params.max_passes)
        return unplaced

    def _take_turns(
        self,
        priorities: np.ndarray,
        listed: np.ndarray,
        centers: np.ndarray,
        clusters: kernels.Clusters,
        rng: np.random.Generator,
    ) -> int:
        """Assign by turns and complete, as the paper; as ``_assign``."""
        table = np.empty_like(priorities)
        np.put_along_axis(table, listed, priorities, axis=0)
        unplaced = clusters.assign_cyclic(table, self._num_left, rng)
        if unplaced:
            unplaced = clusters.complete(
                table, self._coords, centers, self._num_samples, rng
            )
        return unplaced
