"""How much of a reference some routes keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Consistency:
    """Measures of what routes keep of a reference.

    Customers without a zone, such as new ones, or without a route do not
    count.

    Parameters
    ----------
    kept_pairs
        Share of the pairs of customers of one zone that share a route. 1
        where no zone has two customers on routes.
    moved
        Share of the customers that are on a route of another zone. A route
        is of the zone from which most of its customers are.
    """

    kept_pairs: float
    moved: float


def measure_consistency(
    labels: Sequence[int] | np.ndarray, routes: Sequence[Sequence[int]]
) -> Consistency:
    """Return what routes keep of a reference.

    ``labels`` are those of ``references.reference_labels``, with at least one
    zone.
    """
    owners = np.repeat(np.arange(len(routes)), list(map(len, routes)))
    zones = np.asarray(labels)[[node for route in routes for node in route]]
    sizes = np.bincount(zones[zones >= 0])
    groups = zone_groups(zones, owners)
    num_pairs = float((sizes * (sizes - 1)).sum())
    num_kept = float((groups.sizes * (groups.sizes - 1)).sum())
    stayed = np.zeros(len(routes), dtype=np.int64)
    np.maximum.at(stayed, groups.routes, groups.sizes)
    num_known = int(sizes.sum())
    return Consistency(
        kept_pairs=num_kept / num_pairs if num_pairs > 0.0 else 1.0,
        moved=1.0 - int(stayed.sum()) / num_known if num_known > 0 else 0.0,
    )


class ZoneGroups(NamedTuple):
    """The groups of customers of one zone on one route, and their sizes."""

    routes: np.ndarray
    zones: np.ndarray
    sizes: np.ndarray


def zone_groups(zones: np.ndarray, owners: np.ndarray) -> ZoneGroups:
    """Count the customers of each zone (negative: none) on each route."""
    is_known = zones >= 0
    width = max(1, int(zones.max(initial=0)) + 1)
    keys = owners[is_known].astype(np.int64) * width + zones[is_known]
    groups, sizes = np.unique(keys, return_counts=True)
    return ZoneGroups(groups // width, groups % width, sizes)
