"""The cheapest clusters of few points, by a look at every partition."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ncc_routing as nr


def partitions(size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield each partition once: sets in the order of first members."""
    if size == 0:
        yield ()
        return
    for labels in partitions(size - 1, count):
        for label in range(min(count, max(labels, default=-1) + 2)):
            yield (*labels, label)


def cheapest_clusters(
    points: nr.PointSet, count: int, objective: str
) -> float:
    """Return the least cost and prices of ``count`` clusters, inf for none.

    All limits and rules of a ``PointSet`` hold, in any order of the clusters
    where they differ; a cluster may be empty unless a limit forbids it.
    """
    columns = [points.weights, np.ones(points.num_points)]
    if points.other_weights is not None:
        columns += [*points.other_weights.T]
    measures = np.column_stack(columns).astype(float)
    least, most = _limits(points, measures, count)
    is_alike = (least == least[0]).all() and (most == most[0]).all()
    rules = points.rules
    named = (rules.fixed, rules.centers, rules.reference)
    is_alike &= all(rule is None for rule in named)
    orders = [range(count)] if is_alike else [*permutations(range(count))]

    @cache
    def cluster(members: tuple[int, ...], k: int) -> float:
        loads = measures[[*members]].sum(axis=0)
        if not (least[k] <= loads).all() or not (loads <= most[k]).all():
            return np.inf
        if not keeps_rules(points, {*members}, k):
            return np.inf
        if not members:
            return 0.0
        load = float(loads[0])
        return _cluster_cost(points, [*members], load, objective, k)

    best = np.inf
    for labels in partitions(points.num_points, count):
        groups: list[list[int]] = [[] for _ in range(count)]
        for point, label in enumerate(labels):
            groups[label].append(point)
        for order in orders:
            cost = sum(
                cluster(tuple(groups[place]), k)
                for k, place in enumerate(order)
            )
            if cost < best:
                numbers = np.argsort(order)[[*labels]]
                best = min(best, cost + prices_of(points, numbers))
    return best


def keeps_rules(points: nr.PointSet, members: set[int], k: int) -> bool:
    """Whether some points may be cluster ``k``, by the rules alone."""
    rules = points.rules
    if any(0 < len(members & {*g}) < len(g) for g in rules.must_link):
        return False
    if any(len(members & {*group}) > 1 for group in rules.cannot_link):
        return False
    if rules.fixed is not None and any(
        (home == k) != (point in members)
        for point, home in enumerate(rules.fixed)
        if home >= 0
    ):
        return False
    if np.ndim(rules.centers) == 1 and any(
        (home == k) != (point in members)
        for home, point in enumerate(rules.centers)
    ):
        return False
    if rules.graph is None or not members:
        return True
    inside = [{int(a), int(b)} for a, b, _ in rules.graph if {a, b} <= members]
    reached = {min(members)}
    for _ in members:
        reached |= {i for edge in inside if edge & reached for i in edge}
    return reached == members


def prices_of(points: nr.PointSet, labels: np.ndarray) -> float:
    """Return what borders and changes cost."""
    rules, total = points.rules, 0.0
    if rules.graph is not None:
        total += rules.compactness * sum(
            length
            for a, b, length in rules.graph
            if labels[int(a)] != labels[int(b)]
        )
    if rules.reference is not None:
        has_moved = (rules.reference >= 0) & (rules.reference != labels)
        total += rules.consistency * float(has_moved.sum())
    return total


def _limits(
    points: nr.PointSet, measures: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return least and largest loads, each of shape (count, measures)."""
    least = np.zeros((count, len(measures.T)))
    most = np.full((count, len(measures.T)), np.inf)
    most[:, 0] = points.capacity
    for field, array, measure in (
        ("capacities", most, 0),
        ("min_load", least, 0),
        ("min_size", least, 1),
        ("max_size", most, 1),
        ("other_capacities", most, slice(2, None)),
        ("other_min_loads", least, slice(2, None)),
    ):
        if getattr(points, field) is not None:
            array[:, measure] = getattr(points, field)
    if points.tolerance is not None:
        means = measures.sum(axis=0) / count
        means[1] = np.nan  # no tolerance is asked of the sizes
        least = np.fmax(least, means * (1 - points.tolerance))
        most = np.fmin(most, means * (1 + points.tolerance))
    return least * (1 - 1e-9) - 1e-12, most * (1 + 1e-9) + 1e-12


def _cluster_cost(
    points: nr.PointSet,
    members: list[int],
    load: float,
    objective: str,
    k: int,
) -> float:
    """Return what cluster ``k`` costs with some points, by definition."""
    coords, rules = points.coords[members], points.rules
    shares = np.ones(len(members))
    if rules.weights_in_objective:
        shares = points.weights[members].astype(float)
    is_fixed = rules.centers is not None and k < len(rules.centers)
    if objective != "cpmp":
        heavy = shares if shares.any() else np.ones(len(members))
        center = np.average(coords, axis=0, weights=heavy)
        if is_fixed:
            place = rules.centers[k]
            center = points.coords[place] if place.ndim == 0 else place
        squares = ((coords - center) ** 2).sum(axis=1)
        powers = squares if objective == "inertia" else np.sqrt(squares)
        return float((shares * powers).sum())
    lengths = np.sqrt(((coords[:, None] - coords[None]) ** 2).sum(axis=2))
    if points.matrix is not None:
        lengths = points.matrix[np.ix_(members, members)]
    if points.rounding == "floor":
        lengths = np.floor(lengths)
    sums = (shares[:, None] * lengths).sum(axis=0)
    if points.point_capacities is not None:
        rooms = points.point_capacities[members].astype(float)
        sums[load > points.largest_load(1) * rooms * (1 + 1e-9)] = np.inf
    sums[np.isin(members, rules.forbidden_centers)] = np.inf
    if is_fixed:
        sums[np.array(members) != rules.centers[k]] = np.inf
    return float(sums.min())
