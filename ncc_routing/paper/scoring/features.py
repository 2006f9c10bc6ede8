"""Features of customers and of pairs, free of units and directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.paper.scoring.places import Region, place_features
from ncc_routing.paper.scoring.vocabulary import CCP, CVRP
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.instance import Instance

if TYPE_CHECKING:
    from collections.abc import Iterable

NUM_NEIGHBOURS: Final = 48
"""Customers with whom each customer is paired."""

NUM_NODE_FEATURES: Final = 18
NUM_PAIR_FEATURES: Final = 16
"""Columns of the two kinds of features."""
SIGNED_NODE_FEATURES: Final = (12, 14)
SIGNED_PAIR_FEATURES: Final = (3, 5)
"""Columns that change their sign in a mirror."""

NUM_LOCAL: Final = 8
"""Nearest customers whose mean distance is the local spacing."""
TINY: Final = 1e-9
"""Keeps quotients of lengths and loads finite."""
_LIMIT: Final = 6.0
"""Largest logarithm of a ratio of lengths, a factor of 400."""


@dataclass(frozen=True, eq=False)
class Scene:
    """The common view of a CVRP and a CCP.

    ``plane`` has the origin as node 0 before the customers or points;
    ``shares`` (n,) are their weights in loads, ``total`` is the number of
    loads, ``fill`` the share of the capacity that they use.
    """

    plane: Instance
    shares: np.ndarray
    total: float
    fill: float
    first_node: int


def scene_of(instance: Instance | PointSet) -> Scene:
    """Return the view of an instance that the features need.

    Loads are in units of the capacity, or, in a CCP with its given number of
    clusters (else the least possible), of the mean load.
    """
    if isinstance(instance, PointSet):
        return _scene_of_points(instance)
    demands = instance.demands[1:].astype(np.float64)
    shares = (demands / instance.capacity).astype(np.float32)
    total = max(float(shares.sum()), TINY)
    return Scene(instance, shares, total, total / np.ceil(total), 1)


def plane_of(points: PointSet) -> Instance:
    """Return points without weights in the plane, their mean as node 0.

    ``InstanceError`` is raised if they have not two coordinates.
    """
    if points.coords.shape[1] != 2:
        rule = "the neural scorer needs two coordinates of each point"
        raise InstanceError(points.name, "coords", rule, points.coords.shape)
    middle = points.coords.mean(axis=0)[None]
    nothing = np.zeros(points.num_points + 1, dtype=np.int64)
    coords = np.concatenate([middle, points.coords])
    return Instance(points.name, nothing, 1, coords)


def _scene_of_points(points: PointSet) -> Scene:
    count = points.num_clusters or points.min_num_clusters
    weights = points.weights.astype(np.float64)
    mean_load = max(float(weights.sum()) / count, TINY)
    room = count * float(points.capacity)
    if points.capacities is not None:
        room = float(points.capacities.sum())
    return Scene(
        plane_of(points),
        (weights / mean_load).astype(np.float32),
        float(count),
        count * mean_load / max(room, TINY),
        0,
    )


@dataclass(frozen=True, eq=False)
class Geometry:
    """Lengths of an instance with the depot, or the mean, at the origin.

    ``delta`` is (n, k, 2), ``length`` (n, k), ``depot`` (n,) the distance to
    the origin, ``axis`` (n, 2) the direction away from it, ``local`` (n,) the
    mean distance to the nearest ``NUM_LOCAL`` customers; ``spacing`` is its
    mean.
    """

    places: np.ndarray
    delta: np.ndarray
    length: np.ndarray
    depot: np.ndarray
    axis: np.ndarray
    local: np.ndarray

    @classmethod
    def of(cls, places: np.ndarray, neighbours: np.ndarray) -> Geometry:
        """Measure customers (n, 2) and neighbours (n, k), nearest first."""
        # Differences first: single precision is enough for what is left.
        delta = (places[neighbours] - places[:, None, :]).astype(np.float32)
        places = places.astype(np.float32)
        length = np.sqrt((delta * delta).sum(axis=2))
        depot = np.sqrt((places * places).sum(axis=1))
        axis = places / np.maximum(depot, TINY)[:, None]
        axis[depot <= TINY] = (1.0, 0.0)
        local = length[:, :NUM_LOCAL].mean(axis=1)
        floor = max(1e-3 * float(local.mean()), TINY)
        return cls(
            places, delta, length, depot, axis, np.maximum(local, floor)
        )

    def polar(self, delta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the parts of (n, ..., 2) away from the depot and across."""
        ax, ay = self.axis[:, 0], self.axis[:, 1]
        if delta.ndim == 3:
            ax, ay = ax[:, None], ay[:, None]
        dx, dy = delta[..., 0], delta[..., 1]
        return ax * dx + ay * dy, ax * dy - ay * dx

    @property
    def spacing(self) -> float:
        """Scale of the instance, in the unit of the coordinates."""
        return max(float(self.local.mean()), TINY)


def log_ratio(top: np.ndarray, bottom: np.ndarray | float) -> np.ndarray:
    """Return the logarithm of a ratio of lengths, cut at both ends."""
    value = np.log((top + TINY) / (bottom + TINY))
    return np.clip(value, -_LIMIT, _LIMIT)


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """Customers, and pairs of near customers, as a network takes them.

    Row i is node ``first_node + i`` (1 behind a depot, else 0). No feature
    changes with rotation, shift or scale; a mirror image changes the sign of
    the columns ``SIGNED_...`` alone. ``nodes`` is (n, NUM_NODE_FEATURES), then
    those of ``place_features`` with a region; ``pairs`` (n, k,
    NUM_PAIR_FEATURES); ``neighbours`` (n, k) rows, nearest first; ``reverse``
    (n, k) as of ``reverse_pairs``. ``spacing`` is the mean distance of near
    customers.
    """

    nodes: np.ndarray
    pairs: np.ndarray
    neighbours: np.ndarray
    reverse: np.ndarray
    spacing: float
    first_node: int

    def answers(
        self, chances: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return neighbours as nodes, the probabilities, and the spacing.

        ``chances`` (n, k) are averaged over both directions where both are
        known.
        """
        both = 0.5 * (chances + chances.ravel()[self.reverse])
        return self.neighbours + self.first_node, both, self.spacing


def pair_features(
    instance: Instance | PointSet,
    num_neighbours: int = NUM_NEIGHBOURS,
    region: Region | None = None,
) -> PairFeatures:
    """Describe the customers of a CVRP, or the points of a CCP, in pairs.

    Directions are relative to the depot, or the mean of the points. Loads are
    as in ``scene_of``. At most n - 1 neighbours are used. Time and memory are
    linear in n.
    """
    view = view_of(instance, num_neighbours)
    scene, geometry, neighbours = view.scene, view.geometry, view.neighbours
    reverse = reverse_pairs(neighbours)
    nodes = node_features(view)
    if region is not None:
        coords = scene.plane.plane_coords("the neural scorer")
        known = place_features(region, coords[1:])
        nodes = np.concatenate([nodes, known], axis=1)
    return PairFeatures(
        nodes,
        _pair_features(
            geometry, scene.shares, view.loads, neighbours, reverse
        ),
        neighbours,
        reverse,
        geometry.spacing,
        scene.first_node,
    )


@dataclass(frozen=True, eq=False)
class View:
    """Customers among their neighbours, as features of any kind need them.

    ``neighbours`` (n, k) are rows, nearest first; ``loads`` (n, k) the load of
    a customer and its neighbours up to each.
    """

    scene: Scene
    geometry: Geometry
    neighbours: np.ndarray
    loads: np.ndarray


def view_of(instance: Instance | PointSet, num_neighbours: int) -> View:
    """Return the customers of an instance among their neighbours."""
    scene = scene_of(instance)
    plane = scene.plane
    rows = knn_graph(plane, num_neighbours).neighbours[1:].astype(np.int64)
    neighbours = rows - 1
    if plane.num_customers == 1:
        neighbours = np.zeros((1, 1), dtype=np.int64)
    coords = plane.plane_coords("the neural scorer")
    geometry = Geometry.of(coords[1:] - coords[0], neighbours)
    shares = scene.shares
    loads = shares[neighbours].cumsum(axis=1) + shares[:, None]
    return View(scene, geometry, neighbours, loads)


def region_of(instances: Iterable[Instance | PointSet]) -> Region:
    """Return the region that the customers of some instances lie in."""
    planes = [scene_of(one).plane for one in instances]
    return Region.around(
        plane.plane_coords("the neural scorer")[1:] for plane in planes
    )


def problem_of(instance: Instance | PointSet) -> str:
    """Return "ccp" for points, "cvrp" for an instance with a depot."""
    return CCP if isinstance(instance, PointSet) else CVRP


def require_problem(instance: Instance | PointSet, problem: str) -> None:
    """Refuse an instance of another problem, "cvrp" or "ccp"."""
    actual = problem_of(instance)
    if actual != problem:
        raise ParameterError(
            f"{instance.name} is a {actual.upper()}, the network was trained "
            f"for the {problem.upper()}."
        )


def reverse_pairs(neighbours: np.ndarray) -> np.ndarray:
    """Return the flat index of the pair (j, i) for each pair (i, j).

    A pair without its reverse in the table (n, k) points to itself.
    """
    size, degree = neighbours.shape
    nodes = np.arange(size, dtype=np.int64)[:, None]
    columns = np.argsort(neighbours, axis=1)
    places = (nodes * degree + columns).ravel()
    forward = (nodes * size + neighbours).ravel()[places]
    backward = (neighbours.astype(np.int64) * size + nodes).ravel()
    # Queries in rising order find their neighbourhood in the cache.
    order = np.argsort(backward)
    wanted = backward[order]
    spots = np.minimum(np.searchsorted(forward, wanted), len(forward) - 1)
    is_known = forward[spots] == wanted
    flat = np.arange(size * degree)
    flat[order[is_known]] = places[spots[is_known]]
    return flat.reshape(size, degree)


def node_features(view: View) -> np.ndarray:
    """Return the features of the customers, (n, NUM_NODE_FEATURES)."""
    geometry, scene, loads = view.geometry, view.scene, view.loads
    size, degree = geometry.length.shape
    local, depot = geometry.local, geometry.depot
    shares, total = scene.shares, scene.total
    columns = [
        shares,
        np.minimum(shares * size / total, 10.0) / 3.0,
        np.full(size, np.log(size / total)),
        np.full(size, np.log(max(total, 1.0))),
        np.full(size, scene.fill),
        log_ratio(depot, float(depot.mean())),
        log_ratio(local, float(local.mean())),
        log_ratio(depot, local),
    ]
    # How far the customers reach that fill one vehicle, two and four.
    last = np.arange(size)
    for share in (1.0, 2.0):
        stop = np.minimum((loads < share).sum(axis=1), degree - 1)
        columns.append(log_ratio(geometry.length[last, stop], local))
    columns.append(np.log1p(loads[:, min(15, degree - 1)]))
    for count in (NUM_LOCAL, 24):
        middle = geometry.delta[:, :count].mean(axis=1)
        for part in geometry.polar(middle):
            columns.append(np.arcsinh(part / local))
    for count in (4, 16, 32):
        reach = geometry.length[:, min(count, degree) - 1]
        columns.append(log_ratio(reach, local))
    return np.stack(columns, axis=1).astype(np.float32)


def _pair_features(
    geometry: Geometry,
    shares: np.ndarray,
    loads: np.ndarray,
    neighbours: np.ndarray,
    reverse: np.ndarray,
) -> np.ndarray:
    """Return the features of the pairs, (n, k, NUM_PAIR_FEATURES)."""
    size, degree = neighbours.shape
    length, local = geometry.length, geometry.local[:, None]
    near, far = geometry.depot[:, None], geometry.depot[neighbours]
    away, across = geometry.polar(geometry.delta)
    ends = geometry.axis[neighbours]
    cosine, sine = geometry.polar(ends)
    steps = np.arange(degree, dtype=np.float32) / 48.0
    rank = np.broadcast_to(steps, (size, degree))
    is_own = reverse == np.arange(size * degree).reshape(size, degree)
    back_rank = np.where(is_own, np.float32(1.0), rank.ravel()[reverse])
    back_load = np.where(is_own, loads[neighbours, -1], loads.ravel()[reverse])
    columns = [
        np.log1p(length / local),
        log_ratio(length, geometry.local[neighbours]),
        np.arcsinh(away / local),
        np.arcsinh(across / local),
        cosine,
        sine,
        (near + far - length) / (near + far + TINY),
        rank,
        back_rank,
        np.log1p(loads),
        np.log1p(back_load),
        np.broadcast_to(shares[:, None], (size, degree)),
        shares[neighbours],
        np.arcsinh((near + length - far) / local),
        np.arcsinh((far + length - near) / local),
        log_ratio(length, float(geometry.depot.mean())),
    ]
    features = np.empty((size, degree, len(columns)), dtype=np.float32)
    for number, column in enumerate(columns):
        features[:, :, number] = column
    return features
