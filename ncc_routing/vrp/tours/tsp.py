"""The shortest round trip through the customers of one cluster, by LKH."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.problems.instance import Instance

_LKH_LARGEST: Final = 1e6
"""LKH rounds weights to integers and aborts the interpreter at 1e8."""

_LKH_LIMITS: Final = (1e5, 1e7)
"""Largest weight at least, so that few digits are lost, and at most."""


def check_customers(
    instance: Instance, customers: Sequence[int] | np.ndarray
) -> np.ndarray:
    """Return the customers as a new int64 array, refusing wrong ones."""
    members = np.array(customers, dtype=np.int64).reshape(-1)
    if len(members) > 0:
        low, high = int(members.min()), int(members.max())
        if low < 1 or high > instance.num_customers:
            wrong = low if low < 1 else high
            raise ParameterError(
                f"customers must lie in 1..{instance.num_customers}, "
                f"got {wrong}."
            )
        if len(np.unique(members)) < len(members):
            raise ParameterError("customers must not be repeated.")
    return members


def solve_lkh(instance: Instance, members: np.ndarray) -> tuple[int, ...]:
    """Return the members in the order of LKH's tour; elkai must be there.

    LKH has a fixed seed. elkai never frees the text of a problem: coordinates
    make it O(m) instead of O(m^2) where the instance has LKH's own metric, the
    nearest integer to the Euclidean length. Source: Helsgaun (2000), An
    effective implementation of the Lin-Kernighan traveling salesman heuristic,
    EJOR 126(1), 106-130.
    """
    import elkai

    size = len(members) + 1
    symmetric = instance.matrix is None
    if size < 3 or (symmetric and size == 3):
        return tuple(members.tolist())
    nodes = np.concatenate([[0], members])
    is_straight = instance.matrix is None and instance.detour is None
    is_planar = is_straight and not instance.is_geographic
    if is_planar and instance.rounding in _LKH_COORDS:
        coords = _LKH_COORDS[instance.rounding](instance, nodes)
        if coords is None:
            return tuple(members.tolist())
        cities = dict(enumerate(map(tuple, coords.tolist())))
        tour = elkai.Coordinates2D(cities).solve_tsp(runs=1)
    else:
        weights = _scaled_weights(instance.distances(nodes, nodes))
        if weights is None:
            return tuple(members.tolist())
        if size == 3:
            # Two customers by an asymmetric matrix: LKH wants more nodes.
            there = weights[0, 1] + weights[1, 2] + weights[2, 0]
            back = weights[0, 2] + weights[2, 1] + weights[1, 0]
            tour = [0, 1, 2, 0] if there <= back else [0, 2, 1, 0]
        else:
            matrix = elkai.DistanceMatrix(weights.tolist())
            tour = matrix.solve_tsp(runs=1)
    cycle = tour[:-1]
    depot_at = cycle.index(0)
    order = cycle[depot_at + 1 :] + cycle[:depot_at]
    return tuple(nodes[order].tolist())


def _scaled_weights(distances: np.ndarray) -> np.ndarray | None:
    """Return distances as integers that LKH can take; None if all are 0."""
    np.fill_diagonal(distances, 0.0)
    largest = float(distances.max())
    if largest <= 0.0:
        return None
    low, high = _LKH_LIMITS
    if (distances == np.rint(distances)).all() and largest <= high:
        # Whole numbers stay exact: multiply by a whole number only.
        factor = float(10 ** max(0, int(np.ceil(np.log10(low / largest)))))
    else:
        factor = _LKH_LARGEST / largest
    return np.asarray(np.rint(distances * factor).astype(np.int64))


def _unscaled(
    instance: Instance, nodes: np.ndarray, factor: float = 1.0
) -> np.ndarray | None:
    """Return coordinates in which LKH's rounding is the instance's."""
    coords = instance.require_coords("router lkh")[nodes] * factor
    extent = float(np.hypot(*np.ptp(coords, axis=0)))
    if extent > _LKH_LIMITS[1]:
        return _scaled_coords(instance, nodes)
    return coords if extent > 0.0 else None


def _scaled_coords(instance: Instance, nodes: np.ndarray) -> np.ndarray | None:
    """Return coordinates so large that LKH's rounding does not matter."""
    coords = instance.require_coords("router lkh")[nodes]
    coords = coords - coords.min(axis=0)
    extent = float(np.hypot(*np.ptp(coords, axis=0)))
    return coords * (_LKH_LARGEST / extent) if extent > 0.0 else None


_LKH_COORDS: Final[
    dict[str, Callable[[Instance, np.ndarray], np.ndarray | None]]
] = {
    "nearest": _unscaled,
    "exact": functools.partial(_unscaled, factor=1000.0),
    "none": _scaled_coords,
}
"""How LKH gets the coordinates for a rounding that it knows itself."""
