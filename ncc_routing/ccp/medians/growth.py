"""First clusters that keep the rules: grown from seeds, over a graph."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.starts import spread_seeds
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.problems.ccp.adjacency import parts_of

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.normal_rules import NormalRules

_TRIES: Final = 20
"""Orders in which points are linked over the graph."""


def first_labels(
    coords: np.ndarray,
    rules: NormalRules,
    num_clusters: int,
    rng: np.random.Generator,
) -> np.ndarray | None:
    """Return labels that keep all rules but ``cannot_link``.

    Limits of loads are left out. ``None`` where no way was found.
    """
    if rules.graph is None:
        seeds = _places(coords, rules, num_clusters, rng)
        _, near = nearest_points(seeds)(coords, 1)
        labels = near[:, 0][rules.leaders]
        reference = rules.given.reference
        if reference is not None:
            labels = np.where(reference >= 0, reference, labels)
            labels = labels[rules.leaders]
        return np.where(rules.homes >= 0, rules.homes, labels)
    for _ in range(_TRIES):
        growth = _Growth(coords, rules, num_clusters, rng)
        if growth.link() and growth.sow() and growth.grow():
            return growth.labels
    return None


def _places(
    coords: np.ndarray,
    rules: NormalRules,
    num_clusters: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return a place for each cluster: given, of its points, or spread."""
    places = coords[spread_seeds(coords, num_clusters, rng)]
    for labels in (rules.given.reference, rules.homes):
        if labels is not None:
            for k in np.unique(labels[labels >= 0]):
                places[k] = coords[labels == k].mean(axis=0)
    places[: len(rules.centers)] = rules.centers
    return np.asarray(places)


class _Growth:
    """Clusters that grow over the graph from what is together already."""

    def __init__(
        self,
        coords: np.ndarray,
        rules: NormalRules,
        num_clusters: int,
        rng: np.random.Generator,
    ) -> None:
        assert rules.graph is not None
        self._coords, self._rules, self._graph = coords, rules, rules.graph
        self._num_clusters, self._rng = num_clusters, rng
        self._size = len(coords)
        # Points that are together by now; those of cluster k have the core k.
        self._core = np.full(self._size, -1)
        self._tied: dict[int, list[int]] = {}
        for point, leader in enumerate(rules.leaders.tolist()):
            self._tied.setdefault(leader, []).append(point)
        self.labels = np.full(self._size, -1)

    def link(self) -> bool:
        """Link what must be together by paths over free points."""
        homes = self._rules.homes
        groups = [
            (k, np.flatnonzero(homes == k).tolist())
            for k in self._rng.permutation(np.unique(homes[homes >= 0]))
        ]
        self._core[homes >= 0] = homes[homes >= 0]
        rings = [ring for ring in self._tied.values() if len(ring) > 1]
        core = self._num_clusters
        for at in self._rng.permutation(len(rings)).tolist():
            if homes[rings[at][0]] < 0:
                groups.append((core, rings[at]))
                core += 1
        return all(self._join(int(core), points) for core, points in groups)

    def _join(self, core: int, points: list[int]) -> bool:
        for other in set(self._core[points].tolist()) - {-1, core}:
            # Already linked to another core on a path.
            core = other
        members, pending = [points[0]], points[1:]
        self._core[points[0]] = core
        while pending:
            target = pending.pop()
            if target in members:
                continue
            path = self._path(members, target, core)
            if path is None:
                return False
            for point in path:
                self._core[point] = core
                members.append(point)
                pending += self._tied[int(self._rules.leaders[point])]
        return True

    def _path(
        self, members: list[int], target: int, core: int
    ) -> list[int] | None:
        """Return the points from the members to the target, itself last."""
        before = dict.fromkeys(members, -1)
        queue = list(members)
        for point in queue:
            if point == target:
                break
            for near in self._graph.row(point).tolist():
                if near not in before and self._core[near] in (-1, core):
                    before[near] = point
                    queue.append(near)
        else:
            return None
        path = []
        while before[target] >= 0:
            path.append(target)
            target = before[target]
        return path[::-1]

    def sow(self) -> bool:
        """Give each cluster a first point, and each part of the graph one."""
        places = _places(
            self._coords, self._rules, self._num_clusters, self._rng
        )
        homes, part = self._rules.homes, parts_of(self._graph)
        self._places = places
        self._seeds = np.full(self._num_clusters, -1)
        for k in range(self._num_clusters):
            inside = np.flatnonzero(homes == k)
            if len(inside) > 0:
                self._seeds[k] = inside[0]
        stated = set(range(len(self._rules.centers)))
        if self._rules.given.reference is not None:
            stated |= set(self._rules.given.reference.tolist())
        left = [k for k in range(self._num_clusters) if self._seeds[k] < 0]
        left.sort(key=lambda k: k not in stated)
        for at, k in enumerate(left):
            used = self._seeds[self._seeds >= 0]
            taken = np.isin(self._core, self._core[used]) & (self._core >= 0)
            taken[used] = True
            missing = ~np.isin(part, part[used])
            # The last clusters go to the parts that have none.
            must = len(np.unique(part[missing])) >= len(left) - at
            free = np.flatnonzero(~taken & (missing | (not must)))
            if len(free) == 0:
                free = np.flatnonzero(~taken)
            if len(free) == 0:
                break
            gaps = ((self._coords[free] - places[k]) ** 2).sum(axis=1)
            seed = int(free[gaps.argmin()])
            self._seeds[k] = seed
            if k not in stated:
                places[k] = self._coords[seed]
        return bool(np.isin(part, part[self._seeds[self._seeds >= 0]]).all())

    def grow(self) -> bool:
        """Let the clusters take one neighbour after the other, near first."""
        reference = self._rules.given.reference
        of_core: dict[int, list[int]] = {}
        for point, core in enumerate(self._core.tolist()):
            if core >= 0:
                of_core.setdefault(core, []).append(point)

        def cost(point: int, k: int) -> tuple[bool, float]:
            is_new = reference is not None and reference[point] != k
            gap = self._coords[point] - self._places[k]
            return is_new, float(gap @ gap)

        heap = [
            (False, -1.0, int(seed), k)
            for k, seed in enumerate(self._seeds.tolist())
            if seed >= 0
        ]
        heapify(heap)
        while heap:
            _, _, point, k = heappop(heap)
            if self.labels[point] >= 0:
                continue
            core = int(self._core[point])
            for each in of_core.get(core, [point]):
                self.labels[each] = k
                for near in self._graph.row(each).tolist():
                    if self.labels[near] < 0 and not (
                        0 <= self._core[near] < self._num_clusters
                        and self._core[near] != k
                    ):
                        heappush(heap, (*cost(near, k), near, k))
        return bool((self.labels >= 0).all())
