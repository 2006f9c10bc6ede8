"""Algorithm 2 of the paper with its own scores, one network call a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from ncc_routing.clustering import assignment_kernels as assignments
from ncc_routing.clustering import center_kernels
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.learning.graphs import center_graph
from ncc_routing.learning.networks.paper import CenterNetwork
from ncc_routing.learning.scorer import single_thread

if TYPE_CHECKING:
    from ncc_routing.learning.scorer import ClusterScorer
    from ncc_routing.problems.instance import Instance

_TINY = 1e-9
"""Keeps quotients finite where a customer lies on a center, and an extent
where all customers lie at one place."""


@dataclass(frozen=True)
class CenterParams:
    """Settings of Algorithm 2; the defaults are those of the paper.

    Parameters
    ----------
    last_fraction
        Share alpha of the customers that is left to the completion. Default
        0.2.
    num_samples
        Completions drawn at random; 1 (default) is greedy.
    num_starts
        Independent starts. Default 8.
    max_iterations
        Rounds of each start. Default 40.
    tolerance
        A start ends when its centers move less than this share of the
        extent of the instance. Default 1e-3.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    last_fraction: float = 0.2
    num_samples: int = 1
    num_starts: int = 8
    max_iterations: int = 40
    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        for field in ("num_samples", "num_starts", "max_iterations"):
            if getattr(self, field) < 1:
                raise ParameterError(
                    f"{field} must be >= 1, got {getattr(self, field)}."
                )
        if not 0.0 <= self.last_fraction <= 1.0:
            raise ParameterError(
                f"last_fraction must lie in [0, 1], got {self.last_fraction}."
            )


def cluster_by_centers(
    scorer: ClusterScorer,
    instance: Instance,
    *,
    params: CenterParams | None = None,
    seed: int = 1,
) -> list[np.ndarray]:
    """Cluster the customers of a CVRP as the paper does.

    The nodes are encoded once; each round scores all centers together, and
    the scores, shifted to be positive, are multiplied by q / d(i, c) +
    d(i, depot). The centers take turns, and the last customers follow in the
    order of their best score. The feasible clustering of least inertia
    counts; the number of clusters grows from ceil(sum q / Q) until there is
    one.

    Parameters
    ----------
    scorer
        A scorer of architecture "paper".
    instance
        The instance; it needs coordinates.
    params
        Default ``CenterParams()``.
    seed
        Seed of centers, turns and samples.

    Returns
    -------
    list[numpy.ndarray]
        The customers (1..n) of each cluster; every load fits.

    Raises
    ------
    ParameterError
        If the scorer is of another architecture.
    InfeasibleError
        If no number of clusters up to twice the least one works.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering,
    Algorithm 2 and section 5.2.
    """
    if not isinstance(scorer.network, CenterNetwork):
        raise ParameterError("the scorer has no architecture 'paper'.")
    params = params or CenterParams()
    rng = np.random.default_rng(seed)
    with single_thread(), torch.inference_mode():
        search = _Search(scorer, instance, params, rng)
        least = instance.min_num_routes
        most = min(2 * least + 8, instance.num_customers)
        for num_clusters in range(least, most + 1):
            labels = search.run(num_clusters)
            if labels is not None:
                found = (
                    np.flatnonzero(labels == k) + 1
                    for k in range(num_clusters)
                )
                return [members for members in found if len(members)]
    raise InfeasibleError(
        f"{instance.name}: no start placed every customer in at most "
        f"{most} clusters."
    )


class _Search:
    """The points, and the network with its nodes encoded."""

    def __init__(
        self,
        scorer: ClusterScorer,
        instance: Instance,
        params: CenterParams,
        rng: np.random.Generator,
    ) -> None:
        coords = instance.require_coords("the neural scorer")
        self.params, self.rng = params, rng
        self.network = scorer.network
        self.points = coords[1:].copy()
        self.weights = instance.demands[1:].copy()
        self.capacity = instance.capacity
        self.depot = np.array([*coords[0], 1.0])
        self.reach = np.hypot(*(self.points - coords[0]).T)
        self.extent = max(float(np.ptp(coords, axis=0).max()), _TINY)
        graph = center_graph(instance, scorer.params.degree)
        self.nodes = self.network.encoder(graph)

    def scores(self, centers: np.ndarray) -> np.ndarray:
        """Return the scaled priorities of the paper, (K, n)."""
        medoids = np.zeros(len(centers), dtype=np.int64)
        center_kernels.find_medoids(
            self.points, len(self.points), len(centers), centers, medoids
        )
        places = torch.from_numpy(medoids + 1)
        logits = self.network.decoder(self.nodes, places)
        values = logits.double().numpy()
        values -= values.min()
        gaps = self.points[None] - centers[:, None]
        length = np.hypot(gaps[..., 0], gaps[..., 1])
        scale = self.weights / (length + _TINY) + self.reach
        return np.asarray(values * scale)

    def run(self, num_clusters: int) -> np.ndarray | None:
        """Return the best labels over the starts, or None."""
        best, best_inertia = None, np.inf
        for _ in range(self.params.num_starts):
            for labels, centers in self._rounds(num_clusters):
                gaps = self.points - centers[labels]
                inertia = float((gaps**2).sum(axis=1).sum())
                if inertia < best_inertia:
                    best, best_inertia = labels.copy(), inertia
        return best

    def _rounds(
        self, num_clusters: int
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the feasible rounds of one start: labels and means."""
        size, rng = len(self.points), self.rng
        points = (self.points, self.weights, size, num_clusters)
        centers = np.zeros((num_clusters, 2))
        center_kernels.seed_centers(
            center_kernels.CKM, *points, centers, np.zeros(size), rng
        )
        capacities = np.full(num_clusters, self.capacity)
        loads = np.zeros(num_clusters, dtype=np.int64)
        labels = np.zeros(size, dtype=np.int64)
        placed = (loads, labels, rng)
        num_left = int(np.ceil(self.params.last_fraction * size))
        samples = self.params.num_samples
        limit = (self.params.tolerance * self.extent) ** 2
        found = []
        for _ in range(self.params.max_iterations):
            scores = self.scores(centers)
            unplaced = assignments.assign_cyclic(
                scores, *points[1:], capacities, num_left, *placed
            )
            if unplaced:
                unplaced = assignments.complete(
                    scores, *points, capacities, centers, samples, *placed
                )
            if unplaced == 0:
                means = centers.copy()
                self._move(means, labels, np.zeros(3))
                found.append((labels.copy(), means))
            if self._move(centers, labels, self.depot) <= limit:
                break
        return found

    def _move(
        self, centers: np.ndarray, labels: np.ndarray, depot: np.ndarray
    ) -> float:
        """Move the centers to the means; return the squared movements."""
        count = len(centers)
        places = (self.points, len(self.points), count, depot, labels)
        moved = center_kernels.update_centers(
            *places, centers, np.zeros(count)
        )
        return float(moved)
