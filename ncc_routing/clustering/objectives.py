"""The objectives of the capacitated clustering problem, and other figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.methods import require_name
from ncc_routing.problems.ccp.clusters import Clustering
from ncc_routing.problems.features import OBJECTIVES

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.points import PointSet

_ALL_PAIRS = 3000
"""Members up to which every one is tried as the medoid."""

_MEDOID_CANDIDATES = 300
"""Members next to the mean that are tried in larger clusters."""


def medoid_limits(points: PointSet) -> np.ndarray:
    """Return the largest load for each medoid, inf for any, -1 for none."""
    limits = np.full(points.num_points, np.inf)
    if points.point_capacities is not None:
        limits = np.array(
            points.point_capacities * points.largest_load(1), dtype=np.float64
        )
    limits[list(points.rules.forbidden_centers)] = -1.0
    return limits


def distances_between(
    points: PointSet, rows: np.ndarray, cols: np.ndarray
) -> np.ndarray:
    """Return the distances of "cpmp" from rows to cols, shape (rows, cols)."""
    if points.matrix is not None:
        return np.asarray(points.matrix[np.ix_(rows, cols)])
    total = np.zeros((len(rows), len(cols)))
    for axis in points.coords.T:
        gap = np.subtract.outer(axis[rows], axis[cols])
        total += gap * gap
    lengths = np.sqrt(total)
    return np.floor(lengths) if points.rounding == "floor" else lengths


def summarize(
    points: PointSet, labels: np.ndarray, num_clusters: int, objective: str
) -> Clustering:
    """Return a complete clustering with centers, medoids and its cost.

    An empty cluster has the mean of all points as center and medoid -1.
    ``InfeasibleError`` if a load exceeds the capacities of all its members,
    where the capacity belongs to the medoid.
    """
    require_name("objective", objective, OBJECTIVES)
    labels = np.asarray(labels, dtype=np.int64)
    rules, masses = points.rules, points.masses
    counts = np.bincount(labels, minlength=num_clusters)
    used = counts > 0
    totals = np.bincount(labels, masses, num_clusters)
    shares = np.where(totals[labels] > 0.0, masses, 1.0)
    totals = np.bincount(labels, shares, num_clusters)
    centers = np.tile(points.coords.mean(axis=0), (num_clusters, 1))
    for axis in range(points.coords.shape[1]):
        sums = np.bincount(
            labels, shares * points.coords[:, axis], num_clusters
        )
        centers[used, axis] = sums[used] / totals[used]
    places = points.from_plane(centers)
    num_fixed, is_by_points = 0, np.ndim(rules.centers) == 1
    if rules.centers is not None:
        given, num_fixed = rules.centers, len(rules.centers)
        axes = np.column_stack(list(points.axes.values()))
        places[:num_fixed] = axes[given] if is_by_points else given
        centers[:num_fixed] = points.to_plane(places[:num_fixed])
    squares = ((points.coords - centers[labels]) ** 2).sum(axis=1)
    loads = np.zeros(num_clusters, dtype=points.weights.dtype)
    np.add.at(loads, labels, points.weights)
    medoids = _nearest_members(labels, squares, num_clusters)
    inertia = cost = float((masses * squares).sum())
    if objective == "cccp":
        cost = float((masses * np.sqrt(squares)).sum())
    elif objective == "cpmp":
        cost = 0.0
        order = np.lexsort((squares, labels))
        first = np.searchsorted(labels[order], np.arange(num_clusters))
        last = np.append(first[1:], len(order))
        for k in np.flatnonzero(used):
            members = order[first[k] : last[k]]
            among = rules.centers[[k]] if k < num_fixed else members
            medoids[k], value = _best_medoid(points, members, among, loads[k])
            cost += value
        given = np.column_stack(list(points.axes.values()))
        places[used] = given[medoids[used]]
    return Clustering(labels, places, medoids, loads, inertia, objective, cost)


def _nearest_members(
    labels: np.ndarray, squares: np.ndarray, num_clusters: int
) -> np.ndarray:
    """Return the member nearest to each center, the first of equal ones."""
    least = np.full(num_clusters, np.inf)
    np.minimum.at(least, labels, squares)
    nearest = np.flatnonzero(squares == least[labels])[::-1]
    members = np.full(num_clusters, -1)
    members[labels[nearest]] = nearest
    return members


def spectral_inertia(points: PointSet, clustering: Clustering) -> float:
    """Return the figure that the paper's tables call inertia.

    It sums the squared largest singular values of the members minus their
    mean: 50 to 100 % of the inertia in the plane.
    """
    total = 0.0
    for members in clustering.members():
        if len(members) > 0:
            inside = points.coords[members]
            gaps = inside - inside.mean(axis=0)
            total += float(np.linalg.norm(gaps, ord=2) ** 2)
    return total


def _best_medoid(
    points: PointSet, members: np.ndarray, candidates: np.ndarray, load: float
) -> tuple[int, float]:
    """Return the best of the candidates (nearest to the mean first)."""
    forbidden = points.rules.forbidden_centers
    if forbidden:
        candidates = candidates[~np.isin(candidates, forbidden)]
    if points.point_capacities is not None:
        fits = [
            load <= points.largest_load(points.point_capacities[i].item())
            for i in candidates
        ]
        candidates = candidates[np.array(fits, dtype=bool)]
    if len(candidates) == 0:
        raise InfeasibleError(
            f"{points.name}: no member of a cluster of load {load} may be its "
            f"center."
        )
    if len(members) > _ALL_PAIRS:
        candidates = candidates[:_MEDOID_CANDIDATES]
    sums = np.zeros(len(candidates))
    for low in range(0, len(members), 1000):
        block = members[low : low + 1000]
        lengths = distances_between(points, block, candidates)
        if points.rules.weights_in_objective:
            lengths = lengths * points.masses[block, None]
        # Rows that lie in one piece are added up with less rounding.
        sums += np.ascontiguousarray(lengths.T).sum(axis=1)
    best = int(np.argmin(sums))
    return int(candidates[best]), float(sums[best])


def inertia_of(
    coords: np.ndarray,
    labels: np.ndarray,
    num_clusters: int,
    depot: np.ndarray | None = None,
) -> float:
    """Return the squared distances of points to the mean of their cluster.

    A depot is a member of every cluster, but its own squared distances do not
    count, as in the paper's program.
    """
    counts = np.bincount(labels, minlength=num_clusters).astype(np.float64)
    used = counts > 0
    extra = 0.0 if depot is None else 1.0
    total = 0.0
    for d, axis in enumerate(coords.T):
        origin = 0.0 if depot is None else float(depot[d])
        gaps = axis - origin
        sums = np.bincount(labels, gaps, num_clusters)
        means = sums / np.maximum(counts + extra, 1.0)
        total += float(((gaps - means[labels]) ** 2).sum())
        total -= extra * float((means[used] ** 2).sum())
    return total
