"""Short solves of any problem, with checked answers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import ncc_routing as nr
from ncc_routing.ccp.methods import METHODS as CLUSTER_METHODS
from ncc_routing.ccp.methods import OBJECTIVE_ACCEPTS
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import (
    InfeasibleError,
    NccRoutingError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.vrp.methods import METHODS, NO_POLISH, POLISHES
from tests.attack.independent import (
    faults_by_pyvrp,
    faults_of,
    read_plain,
)
from tests.attack.outcomes import Counts, require, require_line

if TYPE_CHECKING:
    import random
    from pathlib import Path

PLAIN_METRIC: Final = "cvrplib"
RICH_METRIC: Final = "round"
"""How the checkers of plain and of other files measure."""

SECONDS: Final = (0.02, 0.05)
"""Times of a solve: a polish takes all of it, on the smallest problem."""


def known_metric(file: Path) -> str:
    """Return the metric by which a solution of a file can be checked."""
    return PLAIN_METRIC if plain_or_none(file) else RICH_METRIC


def plain_or_none(file: Path) -> object:
    """Return a plain problem; of a damaged file perhaps none."""
    try:
        return read_plain(file)
    except (ValueError, IndexError, KeyError, OverflowError, MemoryError):
        return None


def solve_file(
    file: Path, instance: nr.Instance, metric: str, rng: random.Random
) -> Counts:
    """Solve an instance, and check the answer from the files alone.

    Parameters
    ----------
    file
        VRPLIB file of the instance.
    instance
        What the package read.
    metric
        How it measures.
    rng
        Draws method, polish and time.
    """
    result, counts = _solve(instance, rng)
    if result is None:
        return counts
    answer = file.with_suffix(".sol")
    nr.write_solution(answer, result.best, instance)
    cost = result.best.cost
    faults = None
    if metric == PLAIN_METRIC and plain_or_none(file):
        faults = faults_of(file, answer, cost)
    elif metric == RICH_METRIC and file.suffix == ".vrp":
        faults = faults_by_pyvrp(file, answer, cost, metric)
    if faults is not None:
        used = f"{result.method}, polish {result.polish}"
        require(not faults, f"wrong answer of {used}: {faults}")
        counts["checked by others"] += 1
    return counts


def solve_instance(instance: nr.Instance, rng: random.Random) -> Counts:
    """Solve an instance, and check the answer."""
    return _solve(instance, rng)[1]


def _solve(
    instance: nr.Instance, rng: random.Random
) -> tuple[nr.Result | None, Counts]:
    """Solve with a method and a polish that accept the instance.

    Only a problem with a limited fleet may have no solution.
    """
    method = rng.choice([m for m in METHODS.values() if _fits(m, instance)])
    polishes = [p.name for p in POLISHES.values() if _fits(p, instance)]
    polish = rng.choice([NO_POLISH, *polishes])
    try:
        result = nr.solve(
            instance,
            method=method.name,
            polish=polish,
            router=rng.choice(("lkh", "local-search")),
            seed=rng.randrange(100),
            deadline=Deadline(rng.choice(SECONDS)),
        )
    except (UnsupportedProblemError, ParameterError) as error:
        require_line(str(error))
        return None, Counter({"unsupported": 1})
    except InfeasibleError as error:
        require_line(str(error))
        is_open = "limited fleet" not in " ".join(instance.features)
        is_plain = instance.is_plain and is_open
        require(not is_plain, f"{method.name}, polish {polish}: {error}")
        return None, Counter({"no solution": 1})
    broken = nr.check_solution(instance, result.best)
    require(not broken, f"{method.name}, polish {polish}: {broken[:1]}")
    return result, Counter({"solves": 1})


def _fits(method: object, problem: nr.Instance | nr.PointSet) -> bool:
    """Whether a method accepts a problem, so that it is not refused."""
    return bool(method.accepted(problem.features))  # type: ignore[attr-defined]


def cluster_points(points: nr.PointSet, rng: random.Random) -> Counts:
    """Cluster points, and check the answer; there may be none."""
    objectives = [
        name
        for name, accepts in OBJECTIVE_ACCEPTS.items()
        if set(points.features) <= accepts
    ]
    methods = [m for m in CLUSTER_METHODS.values() if _fits(m, points)]
    if not objectives or not methods:
        return Counter({"unsupported": 1})
    method, objective = rng.choice(methods).name, rng.choice(objectives)
    try:
        found = nr.cluster(
            points,
            method=method,
            objective=objective,
            seed=rng.randrange(100),
            deadline=Deadline(rng.choice(SECONDS)),
        )
    except NccRoutingError as error:
        require_line(str(error))
        known = isinstance(error, (InfeasibleError, nr.InstanceError))
        require(known, f"{method}, {objective}: {error}")
        return Counter({"no solution": 1})
    broken = nr.check_clustering(points, found)
    require(not broken, f"{method}, {objective}: {broken[:1]}")
    return Counter({"clusterings": 1})
