"""Which customers are near each other, where more than lengths counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing._core.fleets import PlaceLengths, find_neighbours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing._core.fleets import VehicleType
    from ncc_routing.vrp.search.fleets._arcs import Arcs
    from ncc_routing.vrp.search.fleets._records import Visits

WAITING_WEIGHT: Final = 0.2
"""Cost of a unit of unavoidable waiting between two neighbours."""

LATENESS_WEIGHT: Final = 1.0
"""The same for lateness, since late neighbours may share a route."""

MOST_LOOKED_AT: Final = 5000
"""Customers that are looked at for the neighbours of one, where lengths are
computed."""

_BLOCK: Final = 256
"""Customers whose neighbours are ranked at once."""


def rank_neighbours(
    vehicles: Sequence[VehicleType],
    arcs: Arcs,
    visits: Visits,
    degree: int,
    ranks: np.ndarray,
    num_nodes: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest neighbours of each customer, and how near they are.

    Nearness is the least cost between them, in either order, by any type, with
    the waiting and lateness that no schedule avoids. ``ranks`` are the nodes
    in the order of the instance, which decides between the equally near.
    There are rows for ``num_nodes``, of which those beyond the customers have
    no neighbours.
    """
    size = len(visits.early)
    rates = {(v.distance_cost, v.duration_cost, v.profile) for v in vehicles}
    unit = min(1.0, min(distance for distance, _, _ in rates) or 1.0)
    distances: Any = arcs.distances
    durations: Any = arcs.durations
    if isinstance(distances, PlaceLengths):
        instance = arcs.instance
        neighbours, near = find_neighbours(
            distances=distances,
            durations=durations,
            places=instance.plane_coords("neighbours")[arcs.order[:size]],
            unit=instance.length_rule.scale,
            **visits._asdict(),
            rates=np.array([each[:2] for each in sorted(rates)]),
            weights=(unit * WAITING_WEIGHT, unit * LATENESS_WEIGHT),
            degree=degree,
            most=MOST_LOOKED_AT,
            num_nodes=num_nodes,
        )
        shape = num_nodes, degree
        return neighbours.reshape(shape), near.reshape(shape)
    neighbours = np.zeros((num_nodes, degree), dtype=np.uint32)
    near = np.full((num_nodes, degree), np.inf)
    leave = visits.early + visits.service
    gone = visits.late + visits.service
    for low in range(1, size, _BLOCK):
        rows = slice(low, min(size, low + _BLOCK))
        least = np.full((rows.stop - low, size), np.inf)
        for distance_cost, duration_cost, profile in sorted(rates):
            for out in (True, False):
                block = (rows, slice(size)) if out else (slice(size), rows)
                length = distances[profile][block].astype(np.float64)
                time = durations[profile][block].astype(np.float64)
                tails, heads = block
                opens = visits.early[heads][None, :]
                closes = visits.late[heads][None, :]
                wait = np.maximum(0.0, opens - time - gone[tails][:, None])
                late = np.maximum(0.0, leave[tails][:, None] + time - closes)
                cost = distance_cost * length + duration_cost * (time + wait)
                cost += unit * (WAITING_WEIGHT * wait + LATENESS_WEIGHT * late)
                least = np.minimum(least, cost if out else cost.T)
        least[:, 0] = np.inf
        least[np.arange(rows.stop - low), np.arange(low, rows.stop)] = np.inf
        least = least.take(ranks, axis=1)
        nearest = np.argpartition(least, degree - 1, axis=1)[:, :degree]
        order = np.argsort(np.take_along_axis(least, nearest, axis=1), axis=1)
        nearest = np.take_along_axis(nearest, order, axis=1)
        neighbours[rows] = ranks[nearest]
        near[rows] = np.take_along_axis(least, nearest, axis=1)
    # Rows without further neighbours are filled up with the customer itself.
    lonely = np.isinf(near)
    neighbours[lonely] = np.nonzero(lonely)[0]
    return neighbours, near
