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

    Customers without a zone, such as new ones, do not count.

    Parameters
    ----------
    kept_pairs
        Share of the pairs of customers of one zone that share a route. 1
        where no zone has two customers.
    moved
        Share of the customers that are on a route of another zone. A route
        is of the zone from which most of its customers are.
    """

    kept_pairs: float
    moved: float


def measure_consistency(
    labels: Sequence[int] | np.ndarray, routes: Sequence[Sequence[int]]
) -> Consistency:
    """Return what routes that visit every customer once keep of a reference.

    ``labels`` are those of ``references.reference_labels``, with at least one
    zone.
    """
    labels = np.asarray(labels)
    owners = np.repeat(np.arange(len(routes)), list(map(len, routes)))
    zones = labels[np.concatenate(routes)]
    sizes = np.bincount(labels[labels >= 0])
    groups = zone_groups(zones, owners)
    num_pairs = float((sizes * (sizes - 1)).sum())
    num_kept = float((groups.sizes * (groups.sizes - 1)).sum())
    kept = np.zeros(len(routes), dtype=np.int64)
    np.maximum.at(kept, groups.routes, groups.sizes)
    return Consistency(
        kept_pairs=num_kept / num_pairs if num_pairs > 0.0 else 1.0,
        moved=1.0 - float(kept.sum()) / float(sizes.sum()),
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
