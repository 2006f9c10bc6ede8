"""Capacitated clustering as an estimator in the style of scikit-learn."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np

from ncc_routing.ccp.solve import cluster
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.problems.ccp.cluster_limits import limits_of
from ncc_routing.problems.ccp.points import PointSet
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
        Largest total weight of all clusters, or one for each cluster; with
        several weights, one for each weight. Default, if no other limit is
        given: ten percent more than the mean load, rounded up for whole
        weights, and at least the largest weight.
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
    min_load
        Least total weight of every cluster, as ``capacity``. Default: none.
    min_size, max_size
        Least and largest number of samples of every cluster, or of each.
        Default: none.
    tolerance
        Share by which the total weight of a cluster may differ from the mean.
        Default: any.
    graph
        Graph in which every cluster is connected: "nearest", "delaunay", or
        another form of ``ClusterRules``. Default: none.
    weights_in_objective
        Whether ``sample_weight`` counts in the objective. Default no.
    compactness, consistency
        Prices of borders in the graph and of samples that leave their former
        cluster, as in ``ClusterRules``. Default 0.
    size_min, size_max
        Other names of ``min_size`` and ``max_size``, those of
        k-means-constrained.

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
        The capacity used, or the total weight without one.
    n_features_in_, feature_names_in_
        Number of features in ``fit``; their names, if ``X`` has names.
    """

    def __init__(  # noqa: PLR0913 - scikit-learn reads parameters here
        self,
        n_clusters: int = 8,
        capacity: Any = None,
        method: str = "ckm",
        objective: str = "inertia",
        time_limit: float | None = None,
        random_state: Any = None,
        min_load: Any = None,
        min_size: Any = None,
        max_size: Any = None,
        tolerance: float | None = None,
        graph: Any = None,
        weights_in_objective: bool = False,
        compactness: float = 0.0,
        consistency: float = 0.0,
        size_min: Any = None,
        size_max: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.capacity = capacity
        self.method = method
        self.objective = objective
        self.time_limit = time_limit
        self.random_state = random_state
        self.min_load = min_load
        self.min_size = min_size
        self.max_size = max_size
        self.tolerance = tolerance
        self.graph = graph
        self.weights_in_objective = weights_in_objective
        self.compactness = compactness
        self.consistency = consistency
        self.size_min = size_min
        self.size_max = size_max

    def fit(  # noqa: PLR0913 - scikit-learn routes each by its name
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        must_link: Any = None,
        cannot_link: Any = None,
        fixed: Any = None,
        centers: Any = None,
        forbidden_centers: Any = None,
        reference: Any = None,
    ) -> CapacitatedClustering:
        """Cluster the samples.

        Parameters
        ----------
        X
            Samples of shape (n_samples, n_features).
        y
            Ignored.
        sample_weight
            Weights >= 0, shape (n_samples,), not all 0. Several, of shape
            (n_samples, n_weights), go with a ``capacity`` for each. Default 1
            each.
        must_link, cannot_link, fixed, centers, forbidden_centers, reference
            Links, fixed samples and centers, as in ``ClusterRules``. Default:
            none.

        Returns
        -------
        CapacitatedClustering
            The estimator itself.

        Raises
        ------
        ValueError
            If an input or a parameter is wrong.
        InfeasibleError
            If no clustering within the limits was found.
        """
        coords = check_array(X, dtype=np.float64, estimator=self)
        count = self._count(len(coords))
        several = None
        given = np.asarray(self.capacity)
        if np.asarray(sample_weight).ndim == 2 and given.ndim == 1:
            several = len(given)
        weights = _weights(sample_weight, len(coords), several)
        if not weights.any():
            raise ValueError("sample_weight must not be zero everywhere.")
        limits = self._limits()
        capacity = self.capacity
        if capacity is None and not limits:
            capacity = self._usual_capacity(weights)
        rules = {
            "must_link": must_link,
            "cannot_link": cannot_link,
            "fixed": fixed,
            "centers": centers,
            "forbidden_centers": forbidden_centers,
            "reference": reference,
            "graph": self.graph,
            "weights_in_objective": self.weights_in_objective,
            "compactness": self.compactness,
            "consistency": self.consistency,
        }
        points = PointSet.from_arrays(
            coords, weights, capacity, "X", **{**limits, **rules}
        )
        random = check_random_state(self.random_state)
        clustering = cluster(
            points,
            count,
            method=self.method,
            objective=self.objective,
            time_limit=self.time_limit,
            seed=int(random.randint(2**31 - 1)),
        )
        # Only now: a fit that fails leaves the last one as it was.
        validate_data(self, X, skip_check_array=True)
        self.capacity_ = points.capacity
        whole = limits_of(points, count)
        self._room = whole.upper - whole.loads(clustering.labels)
        self.labels_ = clustering.labels
        self.cluster_centers_ = clustering.centers
        self.medoid_indices_ = clustering.medoids
        self.loads_ = clustering.loads
        self.inertia_ = clustering.inertia
        self.cost_ = clustering.cost
        return self

    def fit_predict(
        self, X: Any, y: Any = None, sample_weight: Any = None, **rules: Any
    ) -> Any:
        """Cluster the samples and return ``labels_``, within the capacity.

        ``rules`` are those of ``fit``.
        """
        return self.fit(X, sample_weight=sample_weight, **rules).labels_

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
            Whether new samples take only what the fitted ones leave of the
            largest loads and sizes. Samples with the largest regret (squared
            distance to the second nearest center minus that to the nearest)
            come first, so the cluster of a sample depends on the others.
            Default ``False``.

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
        several = None
        if np.asarray(sample_weight).ndim == 2:
            several = np.asarray(sample_weight).shape[1]
        weights = _weights(sample_weight, len(reach), several)
        order = np.argsort(reach, axis=1, kind="stable")
        needs = weights.reshape(len(reach), -1).astype(np.float64)
        if needs.shape[1] < self._room.shape[1]:  # sizes are limited
            needs = np.column_stack([needs, np.ones(len(reach))])
        room = self._room.copy()
        ranked = np.take_along_axis(reach, order, axis=1)
        second = ranked[:, min(1, ranked.shape[1] - 1)]
        labels = np.empty(len(reach), dtype=np.int64)
        for i in np.argsort(ranked[:, 0] - second, kind="stable"):
            fits = order[i][(room[order[i]] >= needs[i]).all(axis=1)]
            if len(fits) == 0:
                raise InfeasibleError(
                    f"sample {i} of weight {weights[i]} fits into no cluster."
                )
            labels[i] = fits[0]
            room[fits[0]] -= needs[i]
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

    def _limits(self) -> dict[str, Any]:
        given = {
            "min_load": self.min_load,
            "min_size": self.min_size,
            "max_size": self.max_size,
            "tolerance": self.tolerance,
        }
        for name, other in (
            ("min_size", "size_min"),
            ("max_size", "size_max"),
        ):
            if getattr(self, other) is None:
                continue
            if given[name] is not None:
                raise ValueError(
                    f"{name} and {other} are the same: give only one."
                )
            given[name] = getattr(self, other)
        return {n: value for n, value in given.items() if value is not None}

    def _usual_capacity(self, weights: np.ndarray) -> Any:
        mean = SLACK * float(weights.sum()) / self.n_clusters
        if (weights == np.rint(weights)).all():
            mean = math.ceil(mean)
        return float(max(mean, weights.max().item()))


def _weights(
    sample_weight: Any, size: int, num_weights: int | None = None
) -> np.ndarray:
    if sample_weight is None:
        return np.ones(size, dtype=np.int64)
    weights = numbers("X", "sample_weight", sample_weight)
    shape = (size,) if num_weights is None else (size, num_weights)
    if weights.shape != shape:
        raise ValueError(
            f"sample_weight must have shape {shape}, got {weights.shape}."
        )
    for weight in weights[~((weights >= 0.0) & (weights < np.inf))][:1]:
        raise ValueError(
            f"sample_weight must be finite and not negative, got {weight}."
        )
    is_whole = np.asarray(sample_weight).dtype.kind in "iu"
    return weights.astype(np.int64) if is_whole else weights
