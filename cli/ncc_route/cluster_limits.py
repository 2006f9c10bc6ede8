"""Limits of clusters that the shell offers."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from ncc_routing.core.params import bounded, shell_option


@dataclass(frozen=True)
class Limits:
    """Limits as in ``PointSet``."""

    min_size: int | None = bounded(
        *(None, 0, inf),
        metadata=shell_option("Minimum number of points of every cluster."),
    )
    max_size: int | None = bounded(
        *(None, 1, inf),
        metadata=shell_option("Maximum number of points of every cluster."),
    )
    tolerance: float | None = bounded(
        *(None, 0.0, inf),
        metadata=shell_option(
            "Share by which a load may differ from the mean, such as 0.05.",
            "SHARE",
        ),
    )
