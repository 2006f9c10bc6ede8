"""The method "ckm": the search of this package that suits the objective."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from ncc_routing.ccp.local_search.search import cluster_by_search
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.phases import Step, choose_phases
from ncc_routing.ccp.run import ClusterRun
from ncc_routing.clustering.capacitated_kmeans import capacitated_kmeans
from ncc_routing.core.exceptions import InfeasibleError

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet


_BY_SEARCH: Final = (Step.DESCEND, Step.KICK)
_ANNEALED_SHARE: Final = 0.9
"""Steps that follow the annealing where rules bind points and the objective is
"inertia", and share of the time before them."""


def cluster_ckm(
    points: PointSet, num_clusters: int, run: ClusterRun = ClusterRun()
) -> Clustering:
    """Cluster points under a capacity: capacitated k-means, then a search.

    The priority of the run, where it has one, makes the first clusters.
    ``InfeasibleError`` where a point stays without a cluster.
    """
    rng, start = run.generator(), None
    if run.priority is not None:
        with suppress(InfeasibleError):
            start = capacitated_kmeans(
                *(points, num_clusters),
                priority=run.priority,
                rng=rng,
                deadline=run.budget.time_limit,
            ).labels
    return improve_clusters(points, num_clusters, run, rng, start)


def improve_clusters(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun,
    rng: np.random.Generator,
    start: np.ndarray | None,
) -> Clustering:
    """Search from a label for each point, or from clusters of its own.

    "inertia" takes the local search, "cccp", "cpmp" and what rules bind the
    annealing, with the phases of the run, or those of ``choose_phases``.
    """
    search = partial(
        cluster_by_search,
        *(points, num_clusters, rng, run.budget),
        params=run.search,
    )
    if run.objective == "inertia" and not points.rules.bind:
        try:
            return search(start=start, phases=run.phases)
        except InfeasibleError:
            if not points.more_limits:
                raise
        # The annealing may leave the limits on its way.
        clustering = cluster_by_annealing(
            *(points, num_clusters, rng, run.budget), objective="cccp"
        )
        return search(start=clustering.labels, phases=run.phases)
    phases = run.phases or choose_phases(
        *(points, num_clusters, run.objective, run.effort),
        seconds=run.budget.remaining(),
        counts_iterations=run.budget.counts_iterations,
    )
    last = tuple(phase for phase in phases if phase.step in _BY_SEARCH)
    budget = run.budget
    if last:
        budget = budget.within(_ANNEALED_SHARE * budget.remaining())
    clustering = cluster_by_annealing(
        *(points, num_clusters, rng, budget),
        objective=run.objective,
        start=start,
        params=run.annealing,
        phases=phases,
    )
    return search(start=clustering.labels, phases=last) if last else clustering
