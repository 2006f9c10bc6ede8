"""One run as a flat record: the row of a table, the object of ``--json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from ncc_routing.clustering.objectives import spectral_inertia
from ncc_routing.problems.checking import check_clustering, check_solution
from ncc_routing.problems.clusters import Clustering
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.points import PointSet
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.result import Result

if TYPE_CHECKING:
    from ncc_routing.problems.checking import Violation

Json = dict[str, object]

SIZE_CLASSES: Final = (("N1", 250), ("N2", 500), ("N3", None))
"""Size classes of the paper: name, and the number of nodes it stays below.

The depot counts as a node; ``None`` is no bound.
"""


@dataclass(frozen=True)
class Record:
    """What one method did on one instance with one seed.

    Parameters
    ----------
    instance
        Name of the instance.
    num_customers
        Its number of customers; ``None`` where it could not be read.
    method, polish
        What was asked for.
    seed
        Seed of the run.
    feasible
        Whether a solution was found that passes ``check_solution``.
    cost, num_routes
        Cost and number of routes of the solution, ``None`` without one.
    bks
        Cost of the best-known solution, ``None`` where none is known.
    gap_percent
        100 (cost / bks - 1).
    runtime_seconds
        Wall-clock time from reading the instance to the answer.
    stages
        Name, seconds and cost of each step.
    version
        Version of the package.
    error
        The message of the run that failed.
    """

    instance: str
    num_customers: int | None
    method: str
    polish: str
    seed: int
    feasible: bool = False
    cost: float | None = None
    num_routes: int | None = None
    bks: float | None = None
    gap_percent: float | None = None
    runtime_seconds: float = 0.0
    stages: tuple[tuple[str, float, float | None], ...] = ()
    version: str = ""
    error: str | None = None

    @property
    def size_class(self) -> str:
        """Size class of the paper, or "?" where the size is not known."""
        if self.num_customers is None:
            return "?"
        return size_class(self.num_customers)

    def to_json(self) -> Json:
        """Return the fields of a finished run in the order of ``--json``."""
        return {
            "instance": self.instance,
            "num_customers": self.num_customers,
            "method": self.method,
            "polish": self.polish,
            "seed": self.seed,
            "feasible": self.feasible,
            "cost": whole(self.cost),
            "num_routes": self.num_routes,
            "bks": whole(self.bks),
            "gap_percent": rounded(self.gap_percent, 4),
            "runtime_seconds": rounded(self.runtime_seconds, 4),
            "stages": [
                {
                    "name": name,
                    "seconds": rounded(seconds, 4),
                    "cost": whole(cost),
                }
                for name, seconds, cost in self.stages
            ],
            "version": self.version,
        }

    def to_row(self) -> Json:
        """Return the cells of a CSV row: ``to_json``, class and error.

        The stages become one cell of JSON text.
        """
        row: Json = {}
        for key, value in self.to_json().items():
            row[key] = json.dumps(value) if key == "stages" else value
            if key == "num_customers":
                row["size_class"] = self.size_class
        row["error"] = self.error
        return row


def record_result(
    result: Result, bks: float | None, runtime_seconds: float
) -> Record:
    """Return the record of a finished solve.

    Parameters
    ----------
    result
        What :func:`ncc_routing.solve` returned.
    bks
        Cost of the best-known solution, ``None`` where none is known.
    runtime_seconds
        Wall-clock time of the whole run, reading included.
    """
    best = result.best
    return Record(
        instance=result.instance.name,
        num_customers=result.instance.num_customers,
        method=result.method,
        polish=result.polish,
        seed=result.seed,
        feasible=not check_solution(result.instance, best),
        cost=best.cost,
        num_routes=best.num_routes,
        bks=bks,
        gap_percent=gap_percent(best.cost, bks),
        runtime_seconds=runtime_seconds,
        stages=tuple((s.name, s.seconds, s.cost) for s in result.stages),
        version=version("ncc_routing"),
    )


def describe(problem: object, found: object, seconds: float) -> Json:
    """Return what is known of the answer of a run, by column.

    Parameters
    ----------
    problem
        What was solved.
    found
        A result, a solution, a clustering, or measured values, which are
        taken as they are.
    seconds
        Wall-clock time of the run.
    """
    if isinstance(found, Mapping):
        return dict(found)
    if isinstance(found, Result):
        return record_result(found, None, seconds).to_row()
    broken: list[Violation] = []
    row: Json = {}
    if isinstance(found, Solution) and isinstance(problem, Instance):
        broken = check_solution(problem, found)
        row = {"cost": found.cost, "num_routes": found.num_routes}
    elif isinstance(found, Clustering) and isinstance(problem, PointSet):
        broken = check_clustering(problem, found, problem.num_clusters)
        row = {
            "objective": found.objective,
            "cost": found.cost,
            "inertia": found.inertia,
            "spectral_inertia": spectral_inertia(problem, found),
        }
    else:
        raise TypeError(f"no record of {type(found).__name__}")
    row["feasible"] = not broken
    row["error"] = broken[0].message if broken else None
    return row


def describe_problem(problem: object) -> Json:
    """Return name and size of an instance or of points, by column."""
    if isinstance(problem, Instance):
        return {
            "instance": problem.name,
            "num_customers": problem.num_customers,
            "size_class": size_class(problem.num_customers),
        }
    if isinstance(problem, PointSet):
        return {
            "instance": problem.name,
            "num_points": problem.num_points,
            "num_clusters": problem.num_clusters,
        }
    return {"size_class": "?"}


def with_gap(row: Json, reference: float | None) -> Json:
    """Return a row with what its cost is compared with, and the gap."""
    cost = row.get("cost")
    if reference is None or not isinstance(cost, int | float):
        return row
    gap = rounded(gap_percent(cost, reference), 4)
    bks = whole(reference)
    return {**row, "reference": reference, "bks": bks, "gap_percent": gap}


def gap_percent(cost: float, bks: float | None) -> float | None:
    """Return 100 (cost / bks - 1), or ``None`` without a positive bks."""
    if bks is None or bks <= 0:
        return None
    return 100.0 * (cost / bks - 1.0)


def size_class(num_customers: int) -> str:
    """Return the size class of the paper: N1, N2 or N3."""
    for name, bound in SIZE_CLASSES:
        if bound is None or num_customers + 1 < bound:
            return name
    raise AssertionError("the last class has no bound")  # pragma: no cover


def whole(value: float | None) -> float | int | None:
    """Return a whole number as ``int``, so that 27591.0 reads 27591."""
    if value is None or not float(value).is_integer():
        return value
    return int(value)


def rounded(value: float | None, digits: int) -> float | None:
    """Round to ``digits``; ``None`` stays ``None``."""
    return None if value is None else round(value, digits)
