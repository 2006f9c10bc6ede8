"""Cut a set of routes into parts of neighbouring routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.packed_routes import PackedRoutes


def split_routes(
    instance: Instance,
    routes: PackedRoutes,
    num_parts: int,
    rng: np.random.Generator,
) -> list[np.ndarray]:
    """Cut routes into parts of about the same number of customers.

    Each cut takes the routes that are nearest to a random one as one side,
    so that the borders differ from call to call. The customer in the middle
    of a route stands for it.

    Parameters
    ----------
    instance
        The instance. No coordinates are needed.
    routes
        The routes.
    num_parts
        Number of parts, at least 1.
    rng
        Random numbers for the routes from which the sides grow.

    Returns
    -------
    list[numpy.ndarray]
        The numbers of the routes of each part; none is empty unless there
        are fewer routes than parts.
    """
    middles = routes.nodes[(routes.starts[:-1] + routes.starts[1:]) // 2]
    sizes = np.diff(routes.starts)

    def split(part: np.ndarray, num_parts: int) -> list[np.ndarray]:
        if num_parts == 1:
            return [part]
        if len(part) == 0:
            return [part] * num_parts
        root = middles[part[rng.integers(len(part))]]
        order = np.argsort(instance.lengths(root, middles[part]))
        part = part[order]
        num_left = num_parts // 2
        reached = np.cumsum(sizes[part]) / sizes[part].sum()
        cut = int(np.searchsorted(reached, num_left / num_parts)) + 1
        cut = min(max(1, cut), max(1, len(part) - 1))
        return [
            *split(part[:cut], num_left),
            *split(part[cut:], num_parts - num_left),
        ]

    return split(np.arange(routes.num_routes), num_parts)
