"""Capacitated clustering as an estimator in the style of scikit-learn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ncc_routing.ccp.solve import cluster
from ncc_routing.core.exceptions import InfeasibleError, MissingDependencyError
from ncc_routing.problems.points import PointSet

try:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingDependencyError(
        "CapacitatedClustering needs scikit-learn: install "
        "ncc_routing[sklearn]."
    ) from error

SLACK = 1.1
"""Capacity over the mean load where the user sets none."""


class CapacitatedClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Cluster samples so that no cluster exceeds its capacity.

    Parameters
    ----------
    n_clusters
        Number of clusters. Default 8.
    capacity
        Largest total demand of a cluster. Default: ten percent more than
        the mean load, rounded up where the demands are whole numbers, and
        at least the largest demand.
    method
        A key of ``ccp.methods.CLUSTER_METHODS``. Default "ckm".
    objective
        "inertia" (default), "cccp" or "cpmp".
    random_state
        Seed, generator or ``None``.

    Attributes
    ----------
    labels_
        Cluster of each sample.
    cluster_centers_
        Centers, shape (n_clusters, n_features).
    medoid_indices_
        Sample that stands for each cluster.
    loads_
        Total demand of each cluster.
    inertia_
        Sum of the squared distances of the samples to the mean of their
        cluster.
    cost_
        Value of the objective.
    capacity_
        The capacity used.
    n_features_in_
        Number of features seen in ``fit``.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        capacity: float | None = None,
        method: str = "ckm",
        objective: str = "inertia",
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.capacity = capacity
        self.method = method
        self.objective = objective
        self.random_state = random_state

    def fit(
        self, X: Any, y: Any = None, demand: Any = None
    ) -> CapacitatedClustering:
        """Cluster the samples.

        Parameters
        ----------
        X
            Samples of shape (n_samples, n_features).
        y
            Ignored.
        demand
            Demand of each sample, >= 0. Default 1 each.
        """
        X = validate_data(self, X, dtype=np.float64)
        if len(X) < self.n_clusters:
            raise ValueError(
                f"n_samples={len(X)} should be >= n_clusters="
                f"{self.n_clusters}."
            )
        demand = _demands(demand, len(X))
        self.capacity_ = self._capacity(demand)
        # 31 bits: what a seed may be everywhere.
        random = check_random_state(self.random_state)
        found = cluster(
            PointSet(X, demand, self.capacity_, "X"),
            self.n_clusters,
            method=self.method,
            objective=self.objective,
            seed=int(random.randint(2**31 - 1)),
        )
        self.labels_ = found.labels
        self.cluster_centers_ = found.centers
        self.medoid_indices_ = found.medoids
        self.loads_ = found.loads
        self.inertia_ = found.inertia
        self.cost_ = found.cost
        return self

    def fit_predict(self, X: Any, y: Any = None, demand: Any = None) -> Any:
        """Cluster the samples and return ``labels_``."""
        return self.fit(X, demand=demand).labels_

    def predict(
        self, X: Any, demand: Any = None, within_capacity: bool = False
    ) -> np.ndarray:
        """Return a cluster for new samples.

        Parameters
        ----------
        X
            New samples.
        demand
            Their demands. Default 1 each.
        within_capacity
            Whether only the capacity that the fitted loads leave may be
            used: the samples that would lose most come first. Default
            ``False``: the nearest center counts alone.

        Raises
        ------
        InfeasibleError
            If a sample fits nowhere.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        demand = _demands(demand, len(X))
        gaps = X[:, None, :] - self.cluster_centers_[None, :, :]
        reach = (gaps * gaps).sum(axis=2)
        order = np.argsort(reach, axis=1, kind="stable")
        if not within_capacity:
            return np.asarray(order[:, 0])
        points = PointSet(
            self.cluster_centers_, self.loads_, self.loads_.max()
        )
        limit = points.largest_load(self.capacity_)
        room = limit - self.loads_.astype(np.float64)
        ranked = np.take_along_axis(reach, order, axis=1)
        second = ranked[:, min(1, ranked.shape[1] - 1)]
        labels = np.empty(len(X), dtype=np.int64)
        for i in np.argsort(ranked[:, 0] - second, kind="stable"):
            fits = order[i][room[order[i]] >= demand[i]]
            if len(fits) == 0:
                raise InfeasibleError(
                    f"sample {i} of demand {demand[i]} fits into no cluster."
                )
            labels[i] = fits[0]
            room[fits[0]] -= demand[i]
        return labels

    def _capacity(self, demand: np.ndarray) -> float:
        if self.capacity is not None:
            return self.capacity
        mean = SLACK * float(demand.sum()) / self.n_clusters
        if np.issubdtype(demand.dtype, np.integer):
            mean = math.ceil(mean)
        return float(max(mean, demand.max().item()))


def _demands(demand: Any, size: int) -> np.ndarray:
    if demand is None:
        return np.ones(size, dtype=np.int64)
    return np.asarray(demand)
