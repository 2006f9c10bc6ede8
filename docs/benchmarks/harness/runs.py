"""What the variants of more than one experiment do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from ncc_routing.core.stopping import TimeLimit

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.ccp.clusters import Clustering


def solve_cvrp(
    instance: nr.Instance,
    seed: int,
    budget: Allowance,
    *,
    method: str,
    polish: str = "none",
    router: str = "lkh",
    jobs: int = 1,
    **params: Any,
) -> nr.Result:
    """Solve a CVRP by the name of a method; the budget is its time limit.

    ``params`` are further ones of :class:`ncc_routing.SolveParams`.
    """
    params |= {"method": method, "polish": polish, "router": router}
    return nr.solve(
        *(instance, TimeLimit(seconds_of(budget))),
        seed=seed,
        jobs=jobs,
        params=nr.SolveParams(**params),
    )


def cluster_points(
    points: nr.PointSet,
    seed: int,
    budget: Allowance,
    *,
    method: str,
    objective: str = "inertia",
    params: nr.ClusterParams | None = None,
) -> Clustering:
    """Cluster points by the name of a method."""
    return nr.cluster(
        points,
        points.num_clusters or points.min_num_clusters,
        method=method,
        objective=objective,
        seed=seed,
        time_limit=seconds_of(budget),
        params=params,
    )


def processor_deadline(budget: Allowance) -> TimeLimit:
    """Return a deadline that other work on the machine does not shorten."""
    return TimeLimit(seconds_of(budget), clock=time.process_time)


def seconds_of(budget: Allowance) -> float | None:
    """Return a budget in seconds, ``None`` for none."""
    return None if budget is None else float(budget)
