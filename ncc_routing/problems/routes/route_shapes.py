"""Shapes of routes: hulls, crossings, and distances to the medoid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core.shapes import find_inside_other_hulls

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull, counter-clockwise.

    The leftmost and of those the lowest is first; one place has one corner, a
    line has two. By A. M. Andrew (1979), Another efficient algorithm for
    convex hulls in two dimensions, Information Processing Letters 9(5).
    """
    places = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(places) <= 2:
        return places
    forward = [(float(x), float(y)) for x, y in places]
    below, above = _chain(forward), _chain(forward[::-1])
    return np.array(below[:-1] + above[:-1])


def _chain(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners from the first place to the last, turning left."""
    corners: list[tuple[float, float]] = []
    for x, y in places:
        while len(corners) > 1:
            (ax, ay), (bx, by) = corners[-2:]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            corners.pop()
        corners.append((x, y))
    return corners


_MOST_PAIRS: Final = 2_000_000
"""Pairs of edges that are looked at together."""


@dataclass(frozen=True)
class RouteShapes:
    """Measures of the shapes of routes on the map.

    Parameters
    ----------
    overlap
        Share of the customers that lie inside the convex hull of another
        route: strictly inside the hull of its customers, the depot not
        among them. A route of one or two places, or on a line, has no
        inside.
    medoid_distance
        Mean distance of a customer to the medoid of its route, in units of
        length. The medoid is the customer to whom the others of the route
        have the least distances in total; it counts with 0.
    crossings
        Pairs of edges of different routes, those of the depot included,
        that cross in a point inside both. Edges that touch, or lie on each
        other, do not cross.
    """

    overlap: float
    medoid_distance: float
    crossings: int


def measure_shapes(instance: Instance, solution: Solution) -> RouteShapes:
    """Return how compact routes are that visit no customer twice.

    Reloads do not count; without a route all measures are 0. Longitudes and
    latitudes are measured on the local map. Memory is linear; 10,000 customers
    take about a second. ``InstanceError`` is raised if the instance has only a
    matrix.
    """
    places = instance.plane_coords("the shapes of routes")
    depots = set(instance.depots)
    routes = [
        np.array([node for node in route if node not in depots], dtype=int)
        for route in solution.routes
    ]
    if not routes:
        return RouteShapes(0.0, 0.0, 0)
    nodes = np.concatenate(routes)
    starts = np.cumsum([0, *map(len, routes)])
    num_inside = int(inside_other_hulls(places, nodes, starts).sum())
    spread = sum(_medoid_distances(instance, route) for route in routes)
    num_customers = len(nodes)
    return RouteShapes(
        overlap=num_inside / num_customers,
        medoid_distance=spread / num_customers,
        crossings=_count_crossings(places, solution.visits(instance)),
    )


def inside_other_hulls(
    places: np.ndarray, nodes: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    """Return which nodes are customers inside the hull of another route.

    Places are (nodes, 2). Route r has the customers
    ``nodes[starts[r]:starts[r + 1]]``; node 0 is a depot and no customer.
    """
    is_inside = np.zeros(len(places), dtype=np.bool_)
    find_inside_other_hulls(
        places=np.ascontiguousarray(places, dtype=np.float64),
        nodes=np.ascontiguousarray(nodes, dtype=np.uint32),
        starts=np.ascontiguousarray(starts, dtype=np.int64),
        is_inside=is_inside,
    )
    return is_inside


def _medoid_distances(instance: Instance, route: np.ndarray) -> float:
    return float(
        min(instance.lengths(route, customer).sum() for customer in route)
    )


def _count_crossings(places: np.ndarray, visits: list[tuple[int, ...]]) -> int:
    """Return how many pairs of edges of different routes cross.

    Edges sorted by their left ends are followed by those that overlap them.
    """
    sizes = [len(nodes) - 1 for nodes in visits]
    owner = np.repeat(np.arange(len(visits)), sizes)
    tails = places[np.concatenate([nodes[:-1] for nodes in visits])]
    heads = places[np.concatenate([nodes[1:] for nodes in visits])]
    order = np.argsort(np.minimum(tails[:, 0], heads[:, 0]), kind="stable")
    tails, heads, owner = tails[order], heads[order], owner[order]
    left = np.minimum(tails[:, 0], heads[:, 0])
    right = np.maximum(tails[:, 0], heads[:, 0])
    counts = np.searchsorted(left, right, "right") - np.arange(len(left)) - 1
    total, first = 0, 0
    while first < len(counts):
        sums = np.cumsum(counts[first:])
        end = first + max(1, int(np.searchsorted(sums, _MOST_PAIRS, "right")))
        counts_here = counts[first:end]
        one = np.repeat(np.arange(first, end), counts_here)
        other = one + 1 + np.arange(counts_here.sum())
        other -= np.repeat(np.cumsum(counts_here) - counts_here, counts_here)
        apart = owner[one] != owner[other]
        one, other = one[apart], other[apart]
        edge = tails[one], heads[one], tails[other], heads[other]
        total += int(_cross(*edge).sum())
        first = end
    return total


def _cross(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray
) -> np.ndarray:
    """Return which edges ab and cd have c and d, and a and b, apart."""
    return np.asarray(
        (_turn(a, b, c) * _turn(a, b, d) < 0.0)
        & (_turn(c, d, a) * _turn(c, d, b) < 0.0)
    )


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return on which side of the line ab each c lies, by sign."""
    (ux, uy), (vx, vy) = (b - a).T, (c - a).T
    return np.asarray(np.sign(ux * vy - uy * vx))
