"""The problems that labels are made for: what is generated, who solves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.budget import Budget
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.run import Run
from ncc_routing.paper.scoring.vocabulary import (
    CCP,
    CCP_GB21,
    CVRP,
    CVRP_PAPER,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.ccp.points import PointSet
    from ncc_routing.problems.instance import Instance

CCP_STARTS: Final = 8
"""Starts of the search for one label; a start takes a few milliseconds."""

SMALLEST_CLUSTER: Final = 12
LARGEST_CLUSTER: Final = 67
"""Mean points of a cluster in the generated CCPs; the test set of the paper
has 17 to 67."""


@dataclass(frozen=True)
class LabelProblem:
    """How instances are generated and solved, a row of ``LABEL_PROBLEMS``.

    ``code`` tells the files from others, behind the settings that all files
    have; it is empty for the CVRP. ``run`` solves an instance with an effort
    and a generator: the cluster of each node, -1 for a depot, and the cost.
    """

    name: str
    default_effort: int
    code: tuple[int, ...]
    generate: Callable[[int, int], Any]
    run: Callable[[Any, int, np.random.Generator], tuple[np.ndarray, float]]

    def solve(
        self,
        size: int,
        seed: int,
        *,
        num_runs: int,
        effort: int,
        rng: np.random.Generator,
    ) -> tuple[Instance | PointSet, np.ndarray, np.ndarray]:
        """Generate an instance and solve it ``num_runs`` times.

        The answer is the instance, the int16 clusters of each run, and the
        costs.
        """
        instance = self.generate(size, seed)
        runs = [self.run(instance, effort, rng) for _ in range(num_runs)]
        labels, costs = zip(*runs, strict=True)
        return instance, np.array(labels, dtype=np.int16), np.array(costs)


def route_customers(
    instance: Instance, effort: int, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Route by ``effort`` iterations of ruin and recreate per customer."""
    from ncc_routing.vrp.construction.savings import solve_savings
    from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

    solution = ruin_and_recreate(
        instance,
        solve_savings(instance, shapes=(1.0,), router=None),
        Run(
            Budget.of(iterations=effort * instance.num_customers),
            seed=int(rng.integers(2**31)),
        ),
    )
    labels = np.full(instance.num_customers + 1, -1)
    for number, route in enumerate(solution.routes):
        labels[list(route)] = number
    return labels, solution.cost


def by_search(
    points: PointSet, effort: int, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Cluster by our search, with ``effort`` kicks per point.

    A quarter of them without a gain ends a run: few kicks solve many mixtures.
    """
    from ncc_routing.ccp.local_search.search import cluster_by_search
    from ncc_routing.ccp.search_params import SearchParams

    kicks = effort * points.num_points
    params = SearchParams(CCP_STARTS, kicks, patience=max(1, kicks // 4))
    count = points.num_clusters or 1
    clustering = cluster_by_search(points, count, rng, params=params)
    return clustering.labels, clustering.inertia


def by_gb21(
    points: PointSet, effort: int, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """Cluster by GB21, as the paper labels.

    The effort is seconds per 200 points: these labels depend on the machine.
    """
    from ncc_routing.paper.baselines.gb21 import cluster_gb21

    clustering = cluster_gb21(
        points,
        points.num_clusters or 1,
        Run(
            Budget.of(effort * points.num_points / 200.0),
            seed=int(rng.integers(2**31)),
        ),
        objective="inertia",
    )
    return clustering.labels, clustering.inertia


def x_instance(size: int, seed: int) -> Instance:
    """Return an instance of the X family of ``size`` customers."""
    from ncc_routing.generators.uchoa import generate_uchoa

    return generate_uchoa(size, seed)


def paper_instance(size: int, seed: int) -> Instance:
    """Return an instance of the paper's training data of that size."""
    from ncc_routing.generators.depot_mixtures import generate_depot_mixture

    return generate_depot_mixture(size, seed)


def ccp_instance(size: int, seed: int) -> PointSet:
    """Return a Gaussian mixture with a random number of clusters.

    They have ``SMALLEST_CLUSTER`` to ``LARGEST_CLUSTER`` points in the mean.
    """
    from ncc_routing.generators.mixtures import generate_gmm

    fewest = max(2, round(size / LARGEST_CLUSTER))
    most = max(fewest, size // SMALLEST_CLUSTER)
    return generate_gmm(1, size, seed, (fewest, most))[0]


LABEL_PROBLEMS: Final = {
    problem.name: problem
    for problem in (
        LabelProblem(CVRP, 250, (), x_instance, route_customers),
        LabelProblem(CVRP_PAPER, 250, (3,), paper_instance, route_customers),
        LabelProblem(CCP, 2, (1,), ccp_instance, by_search),
        LabelProblem(CCP_GB21, 5, (2,), ccp_instance, by_gb21),
    )
}
"""Every problem by name."""


def label_problem(name: str) -> LabelProblem:
    """Return the problem of a name; ``ParameterError`` if there is none."""
    if name not in LABEL_PROBLEMS:
        names = ", ".join(LABEL_PROBLEMS)
        raise ParameterError(f"problem must be one of {names}, got {name!r}.")
    return LABEL_PROBLEMS[name]
