"""The rules of so many clusters, in the form of the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError, InstanceError
from ncc_routing.core.text import counted
from ncc_routing.problems.ccp.adjacency import Adjacency, parts_of

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.cluster_rules import ClusterRules
    from ncc_routing.problems.ccp.points import PointSet

_MOST_WORK: Final = 2_000_000
"""Points looked at in the search for clusters that keep points apart."""


@dataclass(frozen=True, eq=False)
class NormalRules:
    """The rules of so many clusters, in the form of the kernels.

    Parameters
    ----------
    leaders
        First point of those that each one is tied to, itself included.
    homes
        The only cluster of each point, -1 for any.
    apart
        Leaders that must not be together.
    graph
        Neighbours, with the lengths of borders; ``None``: no contiguity.
    centers, medoids
        Centers of the first clusters as coordinates, and as points (-1 for
        places).
    given
        The rules as they are given.
    """

    leaders: np.ndarray
    homes: np.ndarray
    apart: Adjacency
    graph: Adjacency | None
    centers: np.ndarray
    medoids: np.ndarray
    given: ClusterRules

    @property
    def ring(self) -> np.ndarray:
        """The next point of those that each one is tied to, in a cycle."""
        order = np.argsort(self.leaders, kind="stable")
        following = np.roll(order, -1)
        ends = np.append(np.flatnonzero(np.diff(self.leaders[order])), -1)
        following[ends] = self.leaders[order[ends]]
        ring = np.empty_like(order)
        ring[order] = following
        return ring

    def gathered(self, values: np.ndarray) -> np.ndarray:
        """Return values of which each leader has those tied to it."""
        total = np.zeros_like(values)
        np.add.at(total, self.leaders, values)
        return total

    def united(
        self, coords: np.ndarray, masses: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places and masses of points that stand for those tied.

        Leaders have the mean place and the mass of all, the others no mass:
        sums of squared distances to any center differ by a constant.
        """
        total = self.gathered(masses)
        places = self.gathered(masses[:, None] * coords)
        heavy = total > 0.0
        united = coords.copy()
        united[heavy] = places[heavy] / total[heavy, None]
        return united, total


def normal_rules(points: PointSet, num_clusters: int) -> NormalRules | None:  # noqa: C901
    """Return the rules for so many clusters, ``None`` where there are none.

    Raises
    ------
    InstanceError
        If a rule names a cluster that is not there.
    InfeasibleError
        If rules contradict each other; the message names them.
    """
    rules, size = points.rules, points.num_points
    if not rules.given:
        return None
    for name in ("fixed", "reference"):
        labels = getattr(rules, name)
        if labels is not None and labels.max() >= num_clusters:
            rule = f"must be clusters below {num_clusters}"
            raise InstanceError(points.name, name, rule, int(labels.max()))
    medoids, centers = np.empty(0, np.int64), points.coords[:0]
    if rules.centers is not None:
        given = len(rules.centers)
        if given > num_clusters:
            rule = f"must be at most {num_clusters}, one for each cluster"
            raise InstanceError(points.name, "centers", rule, given)
        if rules.centers.ndim == 1:
            medoids, centers = rules.centers, points.coords[rules.centers]
            for point in np.intersect1d(medoids, rules.forbidden_centers):
                what = points.describe_point(int(point))
                _refuse(
                    points,
                    f"centers cannot hold: {what} is a forbidden center",
                )
        else:
            medoids = np.full(len(rules.centers), -1)
            centers = points.to_plane(rules.centers)
    if len({*rules.forbidden_centers}) == size:
        _refuse(
            points, "forbidden_centers cannot hold: they are all the points"
        )
    leaders = _leaders(rules.must_link, size)
    homes = np.full(size, -1)
    stated: list[tuple[int, int, str]] = []
    if rules.fixed is not None:
        for point in np.flatnonzero(rules.fixed >= 0).tolist():
            stated.append((point, int(rules.fixed[point]), "fixed"))
    stated += [(int(p), k, "centers") for k, p in enumerate(medoids) if p >= 0]
    named: dict[int, str] = {}
    for point, home, name in stated:
        leader = leaders[point]
        if homes[leader] not in (-1, home):
            _refuse(
                points,
                f"{name} cannot hold: {points.describe_point(int(point))} "
                f"belongs to cluster {home}, and by {named[leader]} or "
                f"must_link to cluster {homes[leader]}",
            )
        homes[leader], named[leader] = home, name
    pairs = {
        tuple(sorted((int(leaders[a]), int(leaders[b]))))
        for group in rules.cannot_link
        for a, b in combinations(group, 2)
    }
    for a, b in sorted(pairs):
        if a == b or homes[a] == homes[b] >= 0:
            both = f"{points.describe_point(a)} and {points.describe_point(b)}"
            where = f"both belong to cluster {homes[a]}"
            if a == b:
                both = f"two of the points linked to {both.split(' and ')[0]}"
                where = "must_link puts them into one cluster"
            _refuse(points, f"cannot_link cannot hold: {both}: {where}")
    edges = np.array(sorted(pairs), dtype=float).reshape(-1, 2)
    apart = Adjacency.of(edges, size)
    if pairs and _can_be_apart(apart, homes, num_clusters) is False:
        _refuse(
            points,
            "cannot_link cannot hold: its pairs need more than "
            f"{counted(num_clusters, 'cluster')}",
        )
    graph = None
    if rules.graph is not None:
        graph = Adjacency.of(rules.graph, size)
        _require_connected(points, graph, leaders, homes[leaders])
    return NormalRules(
        leaders, homes[leaders], apart, graph, centers, medoids, rules
    )


def _refuse(points: PointSet, text: str) -> None:
    raise InfeasibleError(f"{points.name}: {text}.")


def _leaders(groups: tuple[tuple[int, ...], ...], size: int) -> np.ndarray:
    """Return the first point that each one is tied to, by union-find."""
    above = list(range(size))

    def find(point: int) -> int:
        while above[point] != point:
            above[point] = above[above[point]]
            point = above[point]
        return point

    for group in groups:
        for pair in pairwise(group):
            low, high = sorted(map(find, pair))
            above[high] = low
    return np.array([find(point) for point in range(size)])


def _can_be_apart(
    apart: Adjacency, homes: np.ndarray, num_clusters: int
) -> bool | None:
    """Whether so many clusters suffice; ``None`` if that takes too long.

    Points with the fewest clusters left come first (DSATUR, Brélaz 1979).
    """
    colours = {i: int(homes[i]) for i in np.flatnonzero(homes >= 0).tolist()}
    todo = set(np.flatnonzero(np.diff(apart.begins)).tolist())
    todo -= colours.keys()
    # Clusters without a fixed point are alike: one new one is tried.
    first = sorted(set(colours.values()))
    order = first + [k for k in range(num_clusters) if k not in first]
    work = 0

    def taken(i: int) -> set[int]:
        row = apart.row(i).tolist()
        return {colours[other] for other in row if other in colours}

    def choices(i: int) -> list[int]:
        used = len(set(colours.values()) | set(first))
        barred = taken(i)
        return [k for k in order[: used + 1] if k not in barred]

    stack: list[tuple[int, list[int]]] = []
    while todo:
        i = max(todo, key=lambda each: (len(taken(each)), -each))
        stack.append((i, choices(i)))
        todo.discard(i)
        while stack and not stack[-1][1]:
            last, _ = stack.pop()
            colours.pop(last, None)
            todo.add(last)
            if stack:
                colours.pop(stack[-1][0], None)
        work += 1 + len(todo)
        if work > _MOST_WORK:
            return None
        if not stack:
            return False
        last, left = stack[-1]
        colours[last] = left.pop(0)
    return True


def _require_connected(
    points: PointSet, graph: Adjacency, leaders: np.ndarray, homes: np.ndarray
) -> None:
    """Refuse points that are together, but in two parts of the graph."""
    part = parts_of(graph)
    owner: dict[tuple[str, int], int] = {}
    for point in range(points.num_points):
        keys = [("must_link", int(leaders[point]))]
        if homes[point] >= 0:
            keys.append(("fixed", int(homes[point])))
        for key in keys:
            other = owner.setdefault(key, point)
            if part[other] != part[point]:
                _refuse(
                    points,
                    f"graph cannot hold: {points.describe_point(other)} and "
                    f"{points.describe_point(point)} are together by "
                    f"{key[0]}, and no path links them",
                )
