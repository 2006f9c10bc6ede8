"""Where the cases of an experiment come from."""

from __future__ import annotations

import csv
import math
import os
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from benchmarks.harness.experiment import Case
from ncc_routing.bench.best_known import find_bks
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.desk.points import read_points
from ncc_routing.desk.problem import read
from ncc_routing.generators.mixtures import generate_gmm
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.io.names import find_instance, public_names
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ncc_routing.problems.instance import Instance


Metric = Literal["cvrplib", "paper", "dimacs", "exact"]
"""Some of the metrics of :func:`ncc_routing.read`."""

SMALL_ROUTES = Case("warm-up", partial(generate_uchoa, 20, 1))
"""Compiles and loads what a CVRP needs in a fifth of a second."""

TEST_SEED = 4321
"""Seed of the paper's mixtures."""

X_ROUTE_LENGTHS = ("3-5", "5-8", "8-12", "11-17", "17-24")
"""Customers of a mean route in each class of X, at the least number of
routes. The instances by size cycle through the classes."""


SET_I = ("Valle-D-Aosta", "Molise", "Trentino-Alto-Adige")
"""Of 20,000, 50,000 and 100,000 nodes in Italy: L. Accorsi, D. Vigo (2024),
Routing one million customers in a handful of minutes, Computers and Operations
Research 164."""

AGS_NAMES = ("Leuven1", "Leuven2", "Antwerp1", "Antwerp2")
"""Two sizes of AGS, each with the depot inside and outside."""


def data_folder(*parts: str) -> Path:
    """Return a folder of published instances, below NCC_ROUTING_DATA."""
    folder = Path(os.environ.get("NCC_ROUTING_DATA", "data"), *parts)
    if not folder.exists():
        raise NccRoutingError(
            f"{folder} does not exist: NCC_ROUTING_DATA has to name the "
            "folder of the published instances."
        )
    return folder


def file_cases(paths: Iterable[Path], metric: str = "cvrplib") -> list[Case]:
    """Return instance files, with the best-known solution beside each."""
    return [
        Case(path.stem, partial(_read, path, metric), partial(_best_of, path))
        for path in paths
    ]


def published(
    folder: str,
    names: tuple[str, ...] = (),
    metric: str = "cvrplib",
    kind: str = "cvrp",
) -> list[Case]:
    """Return the instances of a published set.

    Parameters
    ----------
    folder
        Name of the set below the folder of its kind.
    names
        The instances in their order; all of them by name where none is
        given.
    metric
        As in :func:`ncc_routing.read`.
    kind
        "cvrp" (default), or "vrp" for what is more.
    """
    place = data_folder(kind, folder)
    files = [place / f"{name}.vrp" for name in names]
    files = files or sorted(place.glob("*.vrp"))
    return file_cases(files, metric)


def stratified() -> list[Case]:
    """Return 25 instances of X: five sizes, five lengths of routes.

    The instances by size cycle through five classes of route length; each
    class comes once in each fifth of the sizes.
    """
    cases = sorted(published("X"), key=lambda case: _num_nodes(case.name))
    return [
        cases[20 * fifth + 5 * ((fifth + length) % 4) + length]
        for fifth in range(5)
        for length in range(5)
    ]


def length_classes() -> dict[str, str]:
    """Return the class of route length of each instance of X by its name."""
    names = [name for name in public_names() if name.startswith("X-n")]
    names.sort(key=_num_nodes)
    return {
        name: X_ROUTE_LENGTHS[idx % len(X_ROUTE_LENGTHS)]
        for idx, name in enumerate(names)
    }


def _num_nodes(name: str) -> int:
    """Return the number of nodes that a name says: 101 of X-n101-k25."""
    return int(name.split("-")[1][1:])


def large_of_ags() -> list[Case]:
    """Return four instances of AGS with 3,000 to 7,000 customers."""
    return published("AGS", AGS_NAMES)


def xl() -> list[Case]:
    """Return 25 instances of XL with 1,420 to 9,362 customers.

    Their best known costs are in one table; there are no solution files.
    """
    table = data_folder("cvrp", "XL") / "bks.csv"
    with table.open(encoding="utf-8") as file:
        best = {row["name"]: float(row["bks"]) for row in csv.DictReader(file)}
    return [
        replace(case, reference=partial(_constant, best[case.name]))
        for case in published("XL")
    ]


def set_i(folder: Path) -> list[Case]:
    """Return three instances of set I, with FILO2's best of ten long runs.

    Those take 32 to 44 minutes each. The folder has the instances and FILO2's
    table of the runs.
    """
    table = folder / "filo2-i-long.csv"
    if not table.exists():
        raise NccRoutingError(
            f"{table} does not exist: docs/benchmarks/routes.md tells how to "
            "get it."
        )
    with table.open(encoding="utf-8") as file:
        costs = {row["ID"]: row for row in csv.DictReader(file)}
    best = {
        name: min(float(costs[f"{name}.vrp"][f"z{run}"]) for run in range(10))
        for name in SET_I
    }
    return [
        replace(case, reference=partial(_constant, best[case.name]))
        for case in file_cases(folder / f"{name}.vrp" for name in SET_I)
    ]


def mixtures(
    count: int, seed: int = TEST_SEED, num_points: int = 200
) -> list[Case]:
    """Return Gaussian mixtures of one stream."""
    return [
        Case(
            f"gmm-n{num_points}-s{seed}-{idx:03d}",
            partial(_mixture, count, seed, num_points, idx),
        )
        for idx in range(count)
    ]


def medians(kinds: tuple[str, ...]) -> list[Case]:
    """Return the published p-median problems, with the best known value.

    Parameters
    ----------
    kinds
        Folders below ``ccp``.
    """
    known = best_values(data_folder("ccp") / "cpmp_bks.csv")
    return [
        Case(
            points.name,
            partial(_same, points),
            partial(_constant, known[points.name]),
        )
        for kind in kinds
        for points in _median_sets(kind)
    ]


def in_paper_units(names: Iterable[str]) -> list[Case]:
    """Return some p-median problems, scaled as the paper's program did."""
    kinds = ("osman_christofides", "sjc", "stefanello2015")
    return [
        Case(case.name, partial(_scaled, case))
        for case in medians(kinds)
        if case.name in names
    ]


def uniform(sizes: Iterable[int]) -> list[Case]:
    """Return uniform points with K = n / 100, loads at 91 %."""
    return [Case(f"uniform-{n}", partial(uniform_points, n)) for n in sizes]


def uniform_points(size: int) -> PointSet:
    """Return uniform points with K = n / 100, loads at 91 %."""
    rng = np.random.default_rng(size)
    weights = rng.integers(1, 11, size)
    count = size // 100
    return PointSet(
        rng.random((size, 2)),
        weights,
        math.ceil(1.1 * float(weights.sum()) / count),
        f"uniform-{size}",
        num_clusters=count,
    )


def scaled_points(points: PointSet) -> PointSet:
    """Scale coordinates and weights as the paper's program did.

    Both axes are moved by the global minimum and divided by the global
    maximum. The capacity stays exact: the program divided by Q + 1.
    """
    coords = points.coords + max(0.0, -float(points.coords.min()))
    coords = coords - coords.min()
    return PointSet(
        coords / coords.max(),
        points.weights,
        points.capacity,
        points.name,
        num_clusters=points.num_clusters,
    )


def best_values(path: Path) -> dict[str, float]:
    """Return the best value of each instance, reported ones included."""
    columns = ("best_verified_feasible_here", "better_value_reported")
    with path.open(newline="", encoding="utf-8") as file:
        return {
            row["instance"]: min(float(row[c]) for c in columns if row[c])
            for row in csv.DictReader(file)
        }


def _read(path: Path, metric: str) -> Instance:
    return read(find_instance(path), metric=metric)


def _best_of(path: Path, instance: Instance) -> float | None:
    return find_bks(instance, find_instance(path))


def small_mixture() -> PointSet:
    """Return points that compile and load what a CCP needs."""
    return generate_gmm(1, 60, num_clusters=(3, 3))[0]


SMALL_POINTS = Case("warm-up", small_mixture)
"""Compiles and loads what a CCP needs."""


@cache
def _stream(count: int, seed: int, num_points: int) -> list[PointSet]:
    return generate_gmm(count, num_points, seed)


def _mixture(count: int, seed: int, num_points: int, idx: int) -> PointSet:
    return _stream(count, seed, num_points)[idx]


def _median_sets(kind: str) -> Iterator[PointSet]:
    rounding = "floor" if kind == "osman_christofides" else "none"
    for file in sorted(data_folder("ccp", kind).iterdir()):
        if file.suffix in (".txt", ".dat"):
            yield read_points(file, rounding=rounding)


def _same(problem: Any) -> Any:
    return problem


def _constant(value: float, _problem: object) -> float:
    return value


def _scaled(case: Case) -> PointSet:
    return scaled_points(case.load())
