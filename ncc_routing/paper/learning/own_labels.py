"""Labels from solutions that a user has, in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.objectives import inertia_of
from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.text import counted
from ncc_routing.desk.points import read_points
from ncc_routing.desk.problem import read
from ncc_routing.desk.tables import Table, read_table, with_decimal_commas
from ncc_routing.io.vrplib import read_solution
from ncc_routing.paper.learning.label_files import (
    SUFFIX,
    LabelledInstance,
    write_shard,
)
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.simplification import simplify
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SOLUTION: Final = ".sol"
CLUSTERS: Final = ".clusters.csv"
"""Endings of the files with the answers: NAME.sol beside NAME.vrp, and
NAME.clusters.csv beside the points NAME.csv, NAME.json or NAME.txt."""

_POINTS: Final = (".csv", ".json", ".txt")
_CLUSTER: Final = "cluster"
"""Column of the cluster of each point."""

_SETTINGS: Final = (0, 0, 1, 0, 4)
"""What label files of this kind say about how they were made."""


def label_folder(
    folder: Path,
    output: Path,
    *,
    capacity: float | None = None,
    shard_size: int = 25,
) -> Iterator[Path]:
    """Turn a folder of solved problems into label files.

    Parameters
    ----------
    folder
        Folder with instances and their solutions, NAME.vrp and NAME.sol; or
        with points and their clusters, NAME.csv (.json, .txt) and
        NAME.clusters.csv as ``ncc-route cluster --output`` writes it. Other
        files are left alone.
    output
        Folder of the label files, made where it is missing.
    capacity
        Capacity of the clusters, where the files of points state none.
    shard_size
        Problems in one file. Default 25.

    Yields
    ------
    pathlib.Path
        Each file, as it is there.

    Raises
    ------
    InstanceError
        If nothing in the folder is solved, it holds routes and clusters, a
        problem has no solution or a solution no problem, or one does not
        solve the other.
    UnsupportedProblemError
        If an instance has what the scorer does not know, such as time
        windows.
    ParameterError
        If the output holds label files already.
    """
    pairs = find_pairs(folder)
    if any(output.glob(f"labels-*{SUFFIX}")):
        raise ParameterError(
            f"{output} holds label files already: choose another folder."
        )
    output.mkdir(parents=True, exist_ok=True)
    for first in range(0, len(pairs), shard_size):
        part = pairs[first : first + shard_size]
        labelled = [read_pair(*pair, capacity=capacity) for pair in part]
        path = output / f"labels-{first:08d}{SUFFIX}"
        numbers = list(range(first, first + len(part)))
        write_shard(path, labelled, numbers, _SETTINGS)
        yield path


def find_pairs(folder: Path) -> list[tuple[Path, Path]]:
    """Return the problems of a folder, each with the file of its answer."""
    if not folder.is_dir():
        raise InstanceError(folder, "folder", "there is none")
    routed = [
        (file, file.with_suffix(SOLUTION))
        for file in sorted(folder.glob("*.vrp"))
    ]
    answers = sorted(folder.glob(f"*{CLUSTERS}"))
    clustered = [(_points_of(answer), answer) for answer in answers]
    if routed and clustered:
        rule = "holds routes and clusters: take a folder for each"
        raise InstanceError(folder, "folder", rule)
    for problem, answer in routed:
        if not answer.exists():
            raise InstanceError(problem, "solution", f"{answer} is missing")
    for answer in sorted(folder.glob(f"*{SOLUTION}")):
        if not answer.with_suffix(".vrp").exists():
            missing = answer.with_suffix(".vrp")
            raise InstanceError(answer, "instance", f"{missing} is missing")
    if not routed and not clustered:
        rule = f"holds neither NAME.vrp with NAME{SOLUTION} nor points with "
        raise InstanceError(folder, "folder", f"{rule}NAME{CLUSTERS}")
    return routed or clustered


def _points_of(answer: Path) -> Path:
    name = answer.name.removesuffix(CLUSTERS)
    files = [answer.with_name(name + ending) for ending in _POINTS]
    present = [file for file in files if file.exists()]
    if len(present) != 1:
        rule = f"one of {', '.join(f.name for f in files)} must be beside it"
        raise InstanceError(answer, "points", rule)
    return present[0]


def read_pair(
    problem: Path, answer: Path, *, capacity: float | None = None
) -> LabelledInstance:
    """Read a problem and its solution as a label.

    ``InstanceError`` is raised where the answer does not solve the problem.
    """
    if answer.suffix == SOLUTION:
        if capacity is not None:
            rule = "states its own capacity: capacity is for points"
            raise InstanceError(problem, "capacity", rule)
        return _from_routes(simplify(read(problem)), problem, answer)
    return _from_clusters(read_points(problem, capacity), answer)


def _from_routes(
    instance: Instance, problem: Path, answer: Path
) -> LabelledInstance:
    METHODS["ncc"].require(str(problem), instance.features)
    places = instance.plane_coords("labels")
    routes = [list(route) for route in read_solution(answer).routes if route]
    size = instance.num_customers
    unknown = [c for route in routes for c in route if c > size]
    if unknown:
        rule = f"must be a customer of {problem.name}, 1..{size}"
        raise InstanceError(answer, "Route", rule, unknown[0])
    solution = Solution.from_routes(instance, routes)
    for violation in check_solution(instance, solution)[:1]:
        raise InstanceError(answer, violation.kind, violation.message)
    labels = np.full((1, size + 1), -1, dtype=np.int32)
    for number, route in enumerate(solution.routes):
        labels[0, list(route)] = number
    plain = Instance(
        instance.name, instance.demands, instance.capacity, places
    )
    return LabelledInstance(plain, labels, np.array([solution.cost]))


def _from_clusters(points: PointSet, answer: Path) -> LabelledInstance:
    for feature in points.features:
        rule = f"a scorer does not support {feature}"
        raise UnsupportedProblemError(points.name, "points", rule)
    table = read_table(answer, "clusters")
    if _CLUSTER not in table.columns:
        rule = f"a column {_CLUSTER} is needed"
        raise InstanceError(answer, "columns", rule)
    if table.num_rows != points.num_points:
        rule = f"must be {points.num_points}, as many as there are points"
        raise InstanceError(answer, "rows", rule, table.num_rows)
    _require_same_points(table, points)
    names = table.texts(_CLUSTER)
    for row, name in enumerate(names):
        if not name:
            field = f"{table.places[row]}, column {_CLUSTER}"
            raise InstanceError(answer, field, "must not be empty")
    _, labels = np.unique(names, return_inverse=True)
    loads = np.bincount(labels, points.weights)
    if loads.max() > points.largest_load():
        worst = names[int(np.flatnonzero(labels == loads.argmax())[0])]
        rule = f"a cluster carries at most {points.capacity:.10g}"
        field = f"cluster {worst}"
        raise InstanceError(answer, field, rule, float(loads.max()))
    if points.num_clusters is not None and len(loads) > points.num_clusters:
        rule = (
            f"there must be at most {counted(points.num_clusters, 'cluster')}"
        )
        raise InstanceError(answer, _CLUSTER, rule, len(loads))
    inertia = inertia_of(points.coords, labels, len(loads))
    plain = PointSet(
        points.coords,
        points.weights,
        points.capacity,
        points.name,
        num_clusters=len(loads),
    )
    return LabelledInstance(
        plain, labels[None].astype(np.int32), np.array([inertia])
    )


def _require_same_points(table: Table, points: PointSet) -> None:
    if points.ids is not None and "id" in table.columns:
        for row, (name, named) in enumerate(
            zip(table.texts("id"), points.ids, strict=True)
        ):
            if name != named:
                field = f"{table.places[row]}, column id"
                rule = f"must be {named}, as in the file of the points"
                raise InstanceError(table.source, field, rule, name)
    known = {**points.axes, "weight": points.weights, "demand": points.weights}
    table = with_decimal_commas(table, known)
    for name, values in known.items():
        if name not in table.columns:
            continue
        stated = table.numbers(name)
        for row in np.flatnonzero(~np.isclose(stated, values))[:1]:
            field = f"{table.places[row]}, column {name}"
            rule = f"must be {values[row]:.10g}, as in the file of the points"
            raise InstanceError(table.source, field, rule, stated[row])
