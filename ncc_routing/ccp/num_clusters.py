"""The choice of the number of clusters."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ncc_routing.clustering.simple import cluster_simple
from ncc_routing.core.exceptions import (
    InfeasibleError,
    InstanceError,
    OutOfTimeError,
    ParameterError,
)
from ncc_routing.core.methods import require_name
from ncc_routing.core.run import Run
from ncc_routing.core.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

RULES: Final = ("fewest", "most", "random")
"""Rules for the number of clusters."""

PAPER_SEEDS: Final = (1, 2, 3)
"""Seeds of the paper for the least K that random reaches."""


def cluster_by_rule(
    points: PointSet, wanted: int | str, cluster: Callable[[int], Clustering]
) -> Clustering:
    """Cluster with a given number of clusters, or one that a rule chooses.

    ``cluster`` raises ``InfeasibleError`` for a number that does not work.
    """
    if not isinstance(wanted, str):
        return cluster(wanted)
    require_name("num_clusters", wanted, RULES)
    if points.has_limits_by_cluster:
        raise ParameterError(
            f"{points.name}: one limit per cluster fixes the number of "
            f"clusters."
        )
    low, high = points.min_num_clusters, points.max_num_clusters
    if low > high:
        raise InfeasibleError(
            f"{points.name}: the maximum loads or sizes need at least "
            f"{counted(low, 'cluster')}, the minimum ones at most {high}."
        )
    if wanted == "most":
        return first_that_works(range(high, low - 1, -1), cluster)
    if wanted == "random":
        return cluster(fewest_by_random(points))
    return fewest_clusters(points, cluster)


def fewest_clusters(
    points: PointSet, cluster: Callable[[int], Clustering]
) -> Clustering:
    """Cluster with the least number of clusters that works.

    The number starts at ceil(sum q / Q) and ends at one for each point, whose
    error is that of all. A number in the name of an instance
    is not used: 22 of the 100 best known solutions of X have more routes.
    """
    low, high = points.min_num_clusters, points.max_num_clusters
    return first_that_works(range(low, high + 1), cluster)


def first_that_works(
    counts: range, cluster: Callable[[int], Clustering]
) -> Clustering:
    """Cluster with the first number that works; the last error is that of all.

    ``OutOfTimeError`` ends the search.
    """
    for num_clusters in counts[:-1]:
        try:
            return cluster(num_clusters)
        except OutOfTimeError:
            raise
        except InfeasibleError:
            continue
    return cluster(counts[-1])


def fewest_by_random(points: PointSet) -> int:
    """Return the least K that random reaches with one of three seeds."""

    def cluster(count: int) -> Clustering:
        for seed in PAPER_SEEDS:
            # InstanceError: too few clusters for the total weight.
            with suppress(InstanceError, InfeasibleError):
                return cluster_simple(
                    points, count, Run(seed=seed), rule="random"
                )
        raise InfeasibleError(
            f"{points.name}: the random assignment found no way to place "
            f"every point in {counted(count, 'cluster')}."
        )

    return fewest_clusters(points, cluster).num_clusters
