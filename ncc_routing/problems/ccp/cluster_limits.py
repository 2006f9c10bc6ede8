"""What each cluster may hold, by one measure or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError, InstanceError
from ncc_routing.core.text import counted
from ncc_routing.problems.ccp.adjacency import parts_of
from ncc_routing.problems.ccp.normal_rules import NormalRules, normal_rules
from ncc_routing.problems.values import LOAD_TOLERANCE

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.points import PointSet

_MARGIN = 0.5 * LOAD_TOLERANCE
"""Margin for the order in which a load of real weights is summed up."""


@dataclass(frozen=True, eq=False)
class ClusterLimits:
    """Least and largest load of each cluster, by each measure.

    Parameters
    ----------
    weights
        Weight, other weights, and 1 where sizes are limited: float64 of shape
        (num_points, num_measures).
    lower, upper
        Limits of each cluster, float64 of shape (K, num_measures), -inf and
        inf where there is none.
    rules
        What else there is to keep, if anything. The first of the points that
        must be together has their weights.
    """

    weights: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    rules: NormalRules | None = None

    @property
    def units(self) -> np.ndarray:
        """Weight that one more of each measure counts as, beyond a limit."""
        means = np.maximum(self.weights.mean(axis=0), 1e-300)
        return np.asarray(means[0] / means) if means[0] > 1e-300 else 1 / means

    def loads(self, labels: np.ndarray) -> np.ndarray:
        """Return the loads of clusters, shape (K, num_measures)."""
        count = len(self.upper)
        loads = [np.bincount(labels, each, count) for each in self.weights.T]
        return np.column_stack(loads)


def limits_of(points: PointSet, num_clusters: int) -> ClusterLimits:
    """Return the limits of so many clusters.

    Raises
    ------
    InstanceError
        If the number of clusters does not fit the data.
    InfeasibleError
        If the total of a measure does not fit, a limit contradicts another, or
        a point fits into no cluster; the message names the limit.
    """
    measures = [points.weights]
    upper = [points.cluster_limits(num_clusters)]
    lower = [_each(points, "min_load", num_clusters, -np.inf)]
    names = [("min_load", "capacity")]
    for number, (weights, least, most) in enumerate(points.other_limits, 2):
        measures.append(weights)
        lower.append(np.full(num_clusters, least))
        upper.append(np.full(num_clusters, most))
        whose = f"of weight {number}"
        names.append((f"min_load {whose}", f"capacity {whose}"))
    if points.tolerance is not None:
        for m, weights in enumerate(measures):
            mean = float(weights.sum()) / num_clusters
            low, high = 1.0 - points.tolerance, 1.0 + points.tolerance
            # A hair for the rounding of the products.
            lower[m] = np.maximum(lower[m], low * mean * (1.0 - 1e-12))
            upper[m] = np.minimum(upper[m], high * mean * (1.0 + 1e-12))
            names[m] = ("tolerance", "tolerance")
    for m, weights in enumerate(measures):
        if not np.issubdtype(weights.dtype, np.integer):
            lower[m] = lower[m] * (1.0 - _MARGIN)
            if m > 0:
                upper[m] = upper[m] * (1.0 + _MARGIN)
    if points.min_size is not None or points.max_size is not None:
        measures.append(np.ones(points.num_points, dtype=np.int64))
        lower.append(_each(points, "min_size", num_clusters, -np.inf))
        upper.append(_each(points, "max_size", num_clusters, np.inf))
        names.append(("min_size", "max_size"))
    rules = normal_rules(points, num_clusters)
    if rules is not None:
        measures = [rules.gathered(weights) for weights in measures]
    for m, weights in enumerate(measures):
        _require_possible(points, weights, lower[m], upper[m], names[m])
        if rules is not None:
            _require_room_for_fixed(
                *(points, weights, rules.homes, upper[m], names[m][1])
            )
    limits = ClusterLimits(
        np.column_stack(measures).astype(np.float64),
        np.ascontiguousarray(np.column_stack(lower)),
        np.ascontiguousarray(np.column_stack(upper)),
        rules,
    )
    _require_enough_for_parts(points, limits)
    return limits


def _require_room_for_fixed(
    points: PointSet,
    weights: np.ndarray,
    homes: np.ndarray,
    upper: np.ndarray,
    name: str,
) -> None:
    """Refuse a cluster whose own points exceed an upper limit."""
    is_fixed = homes >= 0
    loads = np.bincount(homes[is_fixed], weights[is_fixed], len(upper))
    excess = loads > upper * (1.0 + LOAD_TOLERANCE)
    for k in np.flatnonzero(excess)[:1].tolist():
        raise InfeasibleError(
            f"{points.name}: {name} cannot hold: the points of cluster {k} by "
            f"fixed, centers and must_link have {loads[k]:.10g} of "
            f"{upper[k]:.10g}."
        )


def _require_enough_for_parts(points: PointSet, limits: ClusterLimits) -> None:
    """Refuse a graph whose parts need more clusters, or have room for less."""
    if limits.rules is None or limits.rules.graph is None:
        return
    part = parts_of(limits.rules.graph)
    fewest = np.ones(part.max() + 1)
    most = np.full(len(fewest), np.inf)
    upper, lower = limits.upper.max(axis=0), limits.lower.min(axis=0)
    for m, weights in enumerate(limits.weights.T):
        loads = np.bincount(part, weights)
        if upper[m] > 0.0:
            share = loads / upper[m] * (1.0 - LOAD_TOLERANCE)
            fewest = np.maximum(fewest, np.ceil(share))
        if lower[m] > 0.0:
            share = loads / lower[m] * (1.0 + LOAD_TOLERANCE)
            most = np.minimum(most, np.floor(share))
    count, rule = len(limits.upper), ""
    parts = f"{counted(len(fewest), 'part')} of the graph"
    if fewest.sum() > count:
        rule = f"the {parts} need {fewest.sum():.0f} clusters or more"
    elif most.sum() < count:
        rule = f"the {parts} have the load for {most.sum():.0f} clusters"
    elif (fewest > most).any():
        rule = "a part of the graph cannot be cut into clusters"
    if rule:
        raise InfeasibleError(
            f"{points.name}: graph cannot hold with "
            f"{counted(count, 'cluster')}: {rule}."
        )


def _each(
    points: PointSet, field: str, num_clusters: int, default: float
) -> np.ndarray:
    value = getattr(points, field)
    limits = np.asarray(default if value is None else value, np.float64)
    if limits.ndim == 1 and len(limits) != num_clusters:
        rule = f"must be {len(limits)}, one for each {field}"
        raise InstanceError(points.name, "num_clusters", rule, num_clusters)
    return np.array(np.broadcast_to(limits, num_clusters))


def _require_possible(
    points: PointSet,
    weights: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    names: tuple[str, str],
) -> None:
    least, most = names
    count, total = len(upper), float(weights.sum())
    if np.issubdtype(weights.dtype, np.integer):
        lower, upper = np.ceil(lower), np.floor(upper)

    def refuse(field: str, rule: str) -> None:
        raise InfeasibleError(f"{points.name}: {field} cannot hold: {rule}.")

    for k in np.flatnonzero(lower > upper)[:1].tolist():
        between = f"no load of cluster {k} is at least {lower[k]:.10g} and at "
        refuse(least, f"{between}most {upper[k]:.10g} ({most})")
    whole = counted(count, "cluster")
    if lower.sum() > total:
        need = f"{whole} need {lower.sum():.10g} in all"
        refuse(least, f"{need}, and the points have {total:.10g}")
    if total > upper.sum():
        hold = f"{whole} hold {upper.sum():.10g} in all"
        refuse(most, f"{hold}, and the points have {total:.10g}")
    heaviest = int(weights.argmax())
    if weights[heaviest] > upper.max():
        which = points.describe_point(heaviest)
        if points.rules.must_link:
            which += " with those that must be with it"
        rule = f"{which} has {weights[heaviest]:.10g} of {upper.max():.10g}"
        refuse(most, rule)
