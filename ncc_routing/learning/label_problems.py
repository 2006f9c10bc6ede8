"""The problems that labels are made for: what is generated, who solves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.scoring.vocabulary import CCP, CCP_GB21, CVRP, CVRP_PAPER

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet

CCP_STARTS: Final = 8
"""Starts of the search for one label; a start takes a few milliseconds."""

SMALLEST_CLUSTER: Final = 12
LARGEST_CLUSTER: Final = 67
"""Mean points of a cluster in the generated CCPs; the test set of the paper
has 17 to 67."""


class LabelProblem(Protocol):
    """What the labelling has to know about a problem."""

    @property
    def name(self) -> str:
        """Key of ``LABEL_PROBLEMS``."""

    @property
    def default_effort(self) -> int:
        """Effort for each customer where the plan names none."""

    @property
    def code(self) -> tuple[int, ...]:
        """What tells its files from others; empty for the CVRP.

        It stands behind the settings that all files have.
        """

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

        Returns
        -------
        tuple[Instance | PointSet, numpy.ndarray, numpy.ndarray]
            The instance, the cluster of each node in each run (int16, -1
            for a depot), and the costs of the runs.
        """


@dataclass(frozen=True)
class CvrpLabels:
    """Routes of generated instances, by ruin and recreate.

    The effort is the number of iterations per customer; each run starts
    from the savings solution.

    Parameters
    ----------
    name, default_effort, code
        As in ``LabelProblem``.
    generate
        The instance of a number of customers and a seed.
    """

    name: str
    default_effort: int
    code: tuple[int, ...]
    generate: Callable[[int, int], Instance]

    def solve(
        self,
        size: int,
        seed: int,
        *,
        num_runs: int,
        effort: int,
        rng: np.random.Generator,
    ) -> tuple[Instance, np.ndarray, np.ndarray]:
        """Generate an instance and solve it, as ``LabelProblem.solve``."""
        from ncc_routing.vrp.construction.savings import solve_savings
        from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

        instance = self.generate(size, seed)
        start = solve_savings(instance, shapes=(1.0,), router=None)
        labels = np.full((num_runs, size + 1), -1, dtype=np.int16)
        costs = np.zeros(num_runs)
        for run in range(num_runs):
            solution = ruin_and_recreate(
                instance,
                start,
                max_iterations=effort * size,
                seed=int(rng.integers(2**31)),
            )
            costs[run] = solution.cost
            for number, route in enumerate(solution.routes):
                labels[run, list(route)] = number
        return instance, labels, costs


def x_instance(size: int, seed: int) -> Instance:
    """Return an instance of the X family of ``size`` customers."""
    from ncc_routing.generators.uchoa import generate_uchoa

    return generate_uchoa(size, seed)


def paper_instance(size: int, seed: int) -> Instance:
    """Return an instance of the paper's training data of that size."""
    from ncc_routing.generators.depot_mixtures import generate_depot_mixture

    return generate_depot_mixture(size, seed)


def ccp_instance(size: int, seed: int) -> PointSet:
    """Return a Gaussian mixture of the paper's generator.

    The number of clusters is uniform, so that a cluster has from
    ``SMALLEST_CLUSTER`` to ``LARGEST_CLUSTER`` points in the mean.

    Parameters
    ----------
    size
        Number of points.
    seed
        Seed of the generator.
    """
    from ncc_routing.generators.mixtures import generate_gmm

    fewest = max(2, round(size / LARGEST_CLUSTER))
    most = max(fewest, size // SMALLEST_CLUSTER)
    return generate_gmm(1, size, seed, (fewest, most))[0]


@dataclass(frozen=True)
class CcpLabels:
    """Clusters of Gaussian mixtures of small inertia, by either solver.

    Parameters
    ----------
    name, default_effort, code
        As in ``LabelProblem``.
    run
        The solver: ``by_search`` or ``by_gb21``.
    """

    name: str
    default_effort: int
    code: tuple[int, ...]
    run: Callable[[PointSet, int, np.random.Generator], Clustering]

    def solve(
        self,
        size: int,
        seed: int,
        *,
        num_runs: int,
        effort: int,
        rng: np.random.Generator,
    ) -> tuple[PointSet, np.ndarray, np.ndarray]:
        """Generate an instance and solve it, as ``LabelProblem.solve``."""
        points = ccp_instance(size, seed)
        found = [self.run(points, effort, rng) for _ in range(num_runs)]
        labels = np.array([one.labels for one in found], dtype=np.int16)
        return points, labels, np.array([one.inertia for one in found])


def by_search(
    points: PointSet, effort: int, rng: np.random.Generator
) -> Clustering:
    """Cluster by our search.

    The effort is the number of kicks per point; a quarter of them without a
    gain ends a run, for many of these mixtures are solved by a few kicks.
    """
    from ncc_routing.ccp.local_search.search import (
        SearchParams,
        cluster_by_search,
    )

    kicks = effort * points.num_points
    params = SearchParams(CCP_STARTS, kicks, patience=max(1, kicks // 4))
    count = points.num_clusters or 1
    return cluster_by_search(points, count, params=params, rng=rng)


def by_gb21(
    points: PointSet, effort: int, rng: np.random.Generator
) -> Clustering:
    """Cluster by GB21, as the paper labels.

    The effort is the number of seconds of a run at 200 points, and grows
    with the points: these labels depend on the machine.
    """
    from ncc_routing.ccp.baselines.gb21 import cluster_gb21
    from ncc_routing.core.deadline import Deadline

    return cluster_gb21(
        points,
        points.num_clusters or 1,
        objective="inertia",
        rng=rng,
        deadline=Deadline(effort * points.num_points / 200.0),
    )


LABEL_PROBLEMS: Final[dict[str, LabelProblem]] = {
    problem.name: problem
    for problem in (
        CvrpLabels(CVRP, 250, (), x_instance),
        CvrpLabels(CVRP_PAPER, 250, (3,), paper_instance),
        CcpLabels(CCP, 2, (1,), by_search),
        CcpLabels(CCP_GB21, 5, (2,), by_gb21),
    )
}
"""Every problem by name."""


def label_problem(name: str) -> LabelProblem:
    """Return the problem of a name.

    Raises
    ------
    ParameterError
        If there is none.
    """
    if name not in LABEL_PROBLEMS:
        names = ", ".join(LABEL_PROBLEMS)
        raise ParameterError(f"problem must be one of {names}, got {name!r}.")
    return LABEL_PROBLEMS[name]
