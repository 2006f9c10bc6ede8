"""First partitions: by weight along the axes, and by packing alone."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core.clustering import Limits, Rules
from ncc_routing.clustering.objectives import medoid_limits
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.text import counted
from ncc_routing.problems.ccp.normal_rules import NormalRules, normal_rules

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.ccp.cluster_limits import ClusterLimits
    from ncc_routing.problems.ccp.points import PointSet

MOST_TRIED: Final = 10
"""Points up to which every partition is tried where packing fails."""


def limits_for_kernels(
    limits: ClusterLimits, masses: np.ndarray | None = None
) -> Limits:
    """Return the limits in the form of the kernels.

    ``masses`` say what each point counts in the objective, by default 1.
    """
    tables = (limits.weights, limits.lower, limits.upper)
    normal = limits.rules
    if normal is None:
        return Limits(*tables, limits.units)
    rules, given = Rules(), normal.given
    if masses is not None:
        rules.masses = masses.tolist()
    if given.must_link:
        rules.leaders = normal.leaders.tolist()
        rules.ring = normal.ring.tolist()
    if (normal.homes >= 0).any():
        rules.homes = normal.homes.tolist()
    if len(normal.apart.others) > 0:
        apart = normal.apart
        rules.set_apart(apart.begins.tolist(), apart.others.tolist())
        rules.quarrel = float(limits.weights[:, 0].mean()) or 1.0
    if normal.graph is not None:
        graph = normal.graph
        rules.set_graph(graph.begins.tolist(), graph.others.tolist())
        rules.borders = graph.lengths.tolist()
        rules.is_contiguous = True
        rules.compactness = given.compactness
    if given.reference is not None:
        rules.references = given.reference.tolist()
        rules.consistency = given.consistency
    rules.centers = normal.centers.ravel().tolist()
    rules.medoids = normal.medoids.tolist()
    rules.num_fixed = len(normal.centers)
    return Limits(*tables, limits.units, rules)


def bisect(
    points: PointSet, limits: np.ndarray, deadline: TimeLimit | None = None
) -> np.ndarray:
    """Return labels from halving the points along their longer side.

    Both parts get weight in proportion to the capacity of their clusters, but
    loads may exceed the limits. After the deadline the given order is cut.
    Takes O(n log n log K) time and linear memory.
    """
    size, is_late = points.num_points, False
    # The points in their order so far, with their data beside them.
    order = np.arange(size)
    axes = np.array(points.coords.T, order="C")
    weights = points.weights.astype(np.float64)
    labels = np.empty(size, dtype=np.int64)
    ends = np.concatenate([[0.0], np.cumsum(limits)])
    parts = deque([(slice(0, size), 0, len(limits))])
    while parts:  # the largest first, so that late parts are small
        part, low, high = parts.popleft()
        if high - low == 1:
            labels[order[part]] = low
            continue
        middle = (low + high) // 2
        is_late = is_late or (deadline is not None and deadline.passed())
        if not is_late:
            spans = [float(np.ptp(axis[part])) for axis in axes]
            values = axes[int(np.argmax(spans)), part]
            ranks = np.argsort(values, kind="stable")
            order[part] = order[part][ranks]
            weights[part] = weights[part][ranks]
            axes[:, part] = axes[:, part][:, ranks]
        sums = np.cumsum(weights[part])
        room = ends[high] - ends[low]
        share = (ends[middle] - ends[low]) / room if room > 0 else 0.5
        target = share * sums[-1] * (1.0 + 1e-12)
        cut = int(np.searchsorted(sums, target, side="right"))
        # At least one point for each cluster of either part.
        cut = min(max(cut, middle - low), len(sums) - (high - middle))
        at = part.start + cut
        parts.append((slice(part.start, at), low, middle))
        parts.append((slice(at, part.stop), middle, high))
    return labels


def place_all(points: PointSet, limits: Limits) -> np.ndarray | None:
    """Return labels within the limits, where they are found without a search.

    Of few points every partition is tried: ``InfeasibleError`` if none fits.
    """
    labels = pack(points, limits.upper[:, 0])
    if labels is not None and not limits.are_kept(labels):
        labels = None
    if labels is not None or points.num_points > MOST_TRIED:
        return labels
    labels = _try_partitions(points, limits)
    if labels is None:
        raise not_placed(points, len(limits.upper), is_proven=True)
    return labels


def not_placed(
    points: PointSet, num_clusters: int, *, is_proven: bool = False
) -> InfeasibleError:
    """Return the error that no clustering keeps the limits."""
    whole = f"place every point in {counted(num_clusters, 'cluster')} of "
    whole += f"capacity {points.capacity:.10g}"
    if points.more_limits:
        whole += f" with {', '.join(points.more_limits)}"
    if is_proven:
        return InfeasibleError(f"{points.name}: no way to {whole} exists.")
    return InfeasibleError(f"{points.name}: found no way to {whole}.")


def pack(points: PointSet, limits: np.ndarray) -> np.ndarray | None:
    """Return labels by best fit decreasing; ``None`` where a point is left.

    Where capacities are those of medoids, the points of the largest ones
    become the medoids.
    """
    weights = points.weights.astype(np.float64).tolist()
    labels = np.full(points.num_points, -1, dtype=np.int64)
    rooms = [(float(room), k) for k, room in enumerate(limits)]
    if points.point_capacities is not None:
        most = medoid_limits(points).tolist()
        rooms.sort(key=lambda room: (-room[0], room[1]))
        largest = np.argsort(-points.point_capacities, kind="stable").tolist()
        medoids = [i for i in largest if weights[i] <= most[i]]
        whole, rooms = rooms, []
        for (room, k), i in zip(whole, medoids, strict=False):
            if weights[i] <= room:
                labels[i] = k
                rooms.append((min(room, most[i]) - weights[i], k))
    # Rooms in ascending order, the first cluster first among equal ones.
    rooms.sort()
    for i in np.argsort(-points.weights, kind="stable").tolist():
        if labels[i] >= 0:
            continue
        weight = weights[i]
        at = bisect_left(rooms, (weight, -1))
        if at == len(rooms):
            return None
        room, labels[i] = rooms.pop(at)
        insort(rooms, (room - weight, int(labels[i])), hi=at)
    return labels


def _try_partitions(points: PointSet, limits: Limits) -> np.ndarray | None:
    """Return labels within the limits; ``None`` if no partition is."""
    size = points.num_points
    # Sets of points are numbers, whose bits are their members.
    sets = np.arange(2**size)
    is_in = sets[:, None] >> np.arange(size) & 1 == 1
    loads = is_in @ limits.weights
    most = np.where(is_in, medoid_limits(points), -1.0).max(axis=1)
    most[0] = np.inf
    is_part = (sets & sets[:, None] == sets) & (loads[:, 0] <= most)
    rules = normal_rules(points, len(limits.upper))
    if rules is not None:
        is_part &= _kept_inside(rules, sets, is_in)
    rest = sets[:, None] ^ sets
    # By clusters filled: whether they hold a set, and with which last part.
    is_held, lasts = sets == 0, []
    for k, (lower, upper) in enumerate(
        zip(limits.lower, limits.upper, strict=True)
    ):
        fits = ((lower <= loads) & (loads <= upper)).all(axis=1)
        if rules is not None:
            at_home = (rules.homes == k) == is_in
            fits &= (at_home | (rules.homes < 0)).all(axis=1)
            if k < len(rules.medoids) and points.point_capacities is not None:
                fits &= loads[:, 0] <= medoid_limits(points)[rules.medoids[k]]
        last = is_part & fits & is_held[rest]
        lasts.append(last.argmax(axis=1))
        is_held = last.any(axis=1)
    if not is_held[-1]:
        return None
    labels, left = np.empty(size, dtype=np.int64), sets[-1]
    for k in reversed(range(len(lasts))):
        part = lasts[k][left]
        labels[is_in[part]] = k
        left ^= part
    return labels


def _kept_inside(
    rules: NormalRules, sets: np.ndarray, is_in: np.ndarray
) -> np.ndarray:
    """Return which sets of points may be one cluster, whichever it is."""
    is_kept = np.asarray((is_in == is_in[:, rules.leaders]).all(axis=1))
    for i in range(len(rules.leaders)):
        apart = is_in[:, rules.apart.row(i)].any(axis=1)
        is_kept &= ~(is_in[:, i] & apart)
    if rules.graph is None:
        return is_kept
    reached = sets & -sets
    for _ in rules.leaders:
        for i in range(len(rules.leaders)):
            near = int((1 << rules.graph.row(i)).sum())
            reached |= np.where(reached >> i & 1 == 1, near & sets, 0)
    return np.asarray(is_kept & (reached == sets))


def spread_seeds(
    coords: np.ndarray, num_clusters: int, rng: np.random.Generator
) -> np.ndarray:
    """Return indices of k-means++ seeds (Arthur and Vassilvitskii 2007)."""
    chosen = np.empty(num_clusters, dtype=np.int64)
    mass = np.ones(len(coords))
    for k in range(num_clusters):
        total = mass.sum()
        if total <= 0.0:  # fewer places than clusters
            free = np.setdiff1d(np.arange(len(coords)), chosen[:k])
            chosen[k] = rng.choice(free)
            continue
        sums = np.cumsum(mass)
        pick = np.searchsorted(sums, rng.random() * sums[-1], side="right")
        chosen[k] = min(int(pick), len(coords) - 1)
        reach = ((coords - coords[chosen[k]]) ** 2).sum(axis=1)
        mass = reach if k == 0 else np.minimum(mass, reach)
    return chosen
