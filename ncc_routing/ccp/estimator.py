"""Capacitated clustering as an estimator in the style of scikit-learn."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np

from ncc_routing.ccp.solve import cluster
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.problems.points import PointSet
from ncc_routing.problems.values import numbers

with naming_the_extra():
    from sklearn.base import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        TransformerMixin,
    )
    from sklearn.utils import check_array, check_random_state
    from sklearn.utils.validation import check_is_fitted, validate_data

SLACK = 1.1
"""Capacity over the mean load where the user sets none."""

_BLOCK = 4096
"""Samples whose distances are computed at once."""


class CapacitatedClustering(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    ClusterMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Cluster samples so that no cluster exceeds its capacity.

    The weight of a sample counts in the load of its cluster, not in the
    objective: a sample of weight 2 is one undivided point.

    Parameters
    ----------
    n_clusters
        Number of clusters, a whole number >= 1. Default 8.
    capacity
        Largest total weight of a cluster. Default: ten percent more than
        the mean load, rounded up for whole weights, and at least the largest
        weight.
    method
        A key of ``ccp.methods.METHODS``. Default "ckm"; "ncc" starts from
        the clustering of the neural scorer.
    objective
        Sum of the squared distances to the means ("inertia", default), of the
        distances to the means ("cccp"), or to the medoids ("cpmp").
    time_limit
        Time limit of ``fit`` in seconds. Default: no limit. With a limit, the
        labels may depend on the speed of the machine.
    random_state
        Seed, ``numpy.random.RandomState``, or ``None`` (default).

    Attributes
    ----------
    labels_
        Cluster of each sample, shape (n_samples,).
    cluster_centers_
        Centers, shape (n_clusters, n_features): means, or the medoids under
        the objective "cpmp".
    medoid_indices_
        Index of the sample nearest to each center (the medoid for "cpmp"),
        shape (n_clusters,); -1 for an empty cluster.
    loads_
        Total weight of each cluster, shape (n_clusters,).
    inertia_, cost_
        Sum of the squared distances to the means, and value of the objective.
    capacity_
        The capacity used.
    n_features_in_, feature_names_in_
        Number of features in ``fit``; their names, if ``X`` has names.
    """

    def __init__(
        self,
        n_clusters: int = 8,
        capacity: float | None = None,
        method: str = "ckm",
        objective: str = "inertia",
        time_limit: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.capacity = capacity
        self.method = method
        self.objective = objective
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> CapacitatedClustering:
        """Cluster the samples.

        Parameters
        ----------
        X
            Samples of shape (n_samples, n_features).
        y
            Ignored.
        sample_weight
            Weights >= 0, shape (n_samples,), not all 0. Default 1 each.

        Returns
        -------
        CapacitatedClustering
            The estimator itself.

        Raises
        ------
        ValueError
            If an input or a parameter is wrong.
        InfeasibleError
            If no clustering within the capacity was found.
        """
        coords = check_array(X, dtype=np.float64, estimator=self)
        count = self._count(len(coords))
        weights = _weights(sample_weight, len(coords))
        if not weights.any():
            raise ValueError("sample_weight must not be zero everywhere.")
        capacity = self._capacity(weights)
        random = check_random_state(self.random_state)
        found = cluster(
            PointSet(coords, weights, capacity, "X"),
            count,
            method=self.method,
            objective=self.objective,
            time_limit=self.time_limit,
            seed=int(random.randint(2**31 - 1)),
        )
        # Only now: a fit that fails leaves the last one as it was.
        validate_data(self, X, skip_check_array=True)
        self.capacity_ = capacity
        self.labels_ = found.labels
        self.cluster_centers_ = found.centers
        self.medoid_indices_ = found.medoids
        self.loads_ = found.loads
        self.inertia_ = found.inertia
        self.cost_ = found.cost
        return self

    def fit_predict(
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> Any:
        """Cluster the samples and return ``labels_``, within the capacity."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def transform(self, X: Any) -> Any:
        """Return the distances to the centers, (n_samples, n_clusters)."""
        return np.sqrt(self._squares(X))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return minus the objective of samples at their nearest centers.

        It sums squared distances for "inertia", and distances otherwise.
        Capacities, ``y`` and ``sample_weight`` are ignored.
        """
        nearest = self._squares(X).min(axis=1)
        if self.objective != "inertia":
            nearest = np.sqrt(nearest)
        return -float(nearest.sum())

    def predict(
        self, X: Any, sample_weight: Any = None, within_capacity: bool = False
    ) -> np.ndarray:
        """Return the cluster of each new sample, shape (n_samples,).

        By default it is that of the nearest center, as in ``KMeans``:
        capacities are ignored, and a fitted sample may get another cluster
        than in ``labels_``.

        Parameters
        ----------
        X
            New samples, in addition to those that were fitted.
        sample_weight
            Their weights, >= 0. Default 1 each. They matter only with
            ``within_capacity``.
        within_capacity
            Whether to use only the remaining capacity of the fitted clusters.
            Samples with the largest regret (squared distance to the second
            nearest center minus that to the nearest) come first, so the
            cluster of a sample depends on the others. Default ``False``.

        Raises
        ------
        ValueError
            If an input is wrong.
        InfeasibleError
            If a sample fits nowhere.
        """
        reach = self._squares(X)
        if not within_capacity:
            return np.asarray(reach.argmin(axis=1))
        weights = _weights(sample_weight, len(reach))
        order = np.argsort(reach, axis=1, kind="stable")
        points = PointSet(
            self.cluster_centers_, self.loads_, self.loads_.max()
        )
        limit = points.largest_load(self.capacity_)
        room = limit - self.loads_.astype(np.float64)
        ranked = np.take_along_axis(reach, order, axis=1)
        second = ranked[:, min(1, ranked.shape[1] - 1)]
        labels = np.empty(len(reach), dtype=np.int64)
        for i in np.argsort(ranked[:, 0] - second, kind="stable"):
            fits = order[i][room[order[i]] >= weights[i]]
            if len(fits) == 0:
                raise InfeasibleError(
                    f"sample {i} of weight {weights[i]} fits into no cluster."
                )
            labels[i] = fits[0]
            room[fits[0]] -= weights[i]
        return labels

    @property
    def _n_features_out(self) -> int:
        """Number of columns of ``transform``, which scikit-learn asks for."""
        return len(self.cluster_centers_)

    def _squares(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        squares = np.empty((len(X), len(self.cluster_centers_)))
        for low in range(0, len(X), _BLOCK):
            part = slice(low, low + _BLOCK)
            gaps = X[part, None, :] - self.cluster_centers_
            squares[part] = (gaps * gaps).sum(axis=2)
        return squares

    def _count(self, size: int) -> int:
        count = self.n_clusters
        if isinstance(count, bool) or not isinstance(count, Integral):
            raise ValueError(
                f"n_clusters must be a whole number, got {count!r}."
            )
        if count < 1:
            raise ValueError(f"n_clusters must be >= 1, got {count}.")
        if size < count:
            raise ValueError(
                f"n_samples={size} should be >= n_clusters={count}."
            )
        return int(count)

    def _capacity(self, weights: np.ndarray) -> float:
        if self.capacity is not None:
            return self.capacity
        mean = SLACK * float(weights.sum()) / self.n_clusters
        if (weights == np.rint(weights)).all():
            mean = math.ceil(mean)
        return float(max(mean, weights.max().item()))


def _weights(sample_weight: Any, size: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(size, dtype=np.int64)
    weights = numbers("X", "sample_weight", sample_weight)
    if weights.shape != (size,):
        raise ValueError(
            f"sample_weight must have shape ({size},), got {weights.shape}."
        )
    for weight in weights[~((weights >= 0.0) & (weights < np.inf))][:1]:
        raise ValueError(
            f"sample_weight must be finite and not negative, got {weight}."
        )
    is_whole = np.asarray(sample_weight).dtype.kind in "iu"
    return weights.astype(np.int64) if is_whole else weights
