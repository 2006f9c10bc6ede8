"""Routes in parts, each of which is a problem of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def split_routes(
    instance: Instance,
    middles: np.ndarray,
    sizes: np.ndarray,
    num_parts: int,
    rng: np.random.Generator,
) -> list[np.ndarray]:
    """Cut routes into parts of about the same number of customers.

    Each cut takes the routes nearest to a random one, by their ``middles``,
    the middle customers, so that the borders differ. ``sizes`` counts the
    customers of each. Parts are route numbers, and empty only where routes are
    fewer. No coordinates are needed.
    """

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

    return split(np.arange(len(sizes)), num_parts)
