"""Checks an answer from the two files alone, without the package's readers.

What a plain CVRP needs is read here once more, in a few lines; PyVRP's own
readers judge files with fleets, windows and several depots.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

Distance = Callable[[int, int], float]
"""Length from a node to another, both 0, 1, ..."""

_PLAIN_KEYS: Final = frozenset(
    (
        "NAME",
        "COMMENT",
        "TYPE",
        "DIMENSION",
        "CAPACITY",
        "EDGE_WEIGHT_TYPE",
        "EDGE_WEIGHT_FORMAT",
        "NODE_COORD_TYPE",
        "DISPLAY_DATA_TYPE",
    )
)
_PLAIN_SECTIONS: Final = frozenset(
    ("NODE_COORD", "DEMAND", "DEPOT", "EDGE_WEIGHT", "DISPLAY_DATA")
)
_WHOLE: Final[dict[str, Callable[[float], float]]] = {
    "EUC_2D": lambda length: math.floor(length + 0.5),
    "CEIL_2D": math.ceil,
    "FLOOR_2D": math.floor,
    "EXACT_2D": lambda length: math.floor(1000 * length + 0.5),
}
"""What turns a Euclidean length into a distance."""

_TIE: Final = 1e-6
"""Lengths so near to a border of the rounding may go either way."""


@dataclass(frozen=True)
class PlainProblem:
    """A CVRP: the demands, the capacity, and two bounds of each length."""

    demands: list[int]
    capacity: int
    least: Distance
    most: Distance


def plain_or_none(file: Path) -> PlainProblem | None:
    """Return the plain CVRP of a file, which may be damaged."""
    try:
        return read_plain(file)
    except (ValueError, IndexError, KeyError, OverflowError, MemoryError):
        return None


def read_plain(file: Path) -> PlainProblem | None:
    """Return the problem of a VRPLIB file, ``None`` if it is no plain CVRP."""
    keys, sections = _split(file)
    if not (
        keys.keys() <= _PLAIN_KEYS
        and sections.keys() <= _PLAIN_SECTIONS
        and {"DEMAND", "DEPOT"} <= sections.keys()
        and {"CAPACITY", "DIMENSION"} <= keys.keys()
    ):
        return None
    size = int(float(keys["DIMENSION"]))
    rows = sections["DEMAND"]
    if len(rows) != 2 * size:
        return None
    demands = [0] * size
    for node, value in zip(rows[::2], rows[1::2], strict=True):
        demands[int(node) - 1] = int(value)
    if [int(v) for v in sections["DEPOT"] if v > 0] != [1]:
        return None
    bounds = _lengths(keys, sections, size)
    if bounds is None:
        return None
    return PlainProblem(demands, int(float(keys["CAPACITY"])), *bounds)


def _split(file: Path) -> tuple[dict[str, str], dict[str, list[float]]]:
    """Return the fields and the numbers of the sections of a file."""
    keys: dict[str, str] = {}
    sections: dict[str, list[float]] = {}
    inside: list[float] | None = None
    text = file.read_bytes().decode("utf-8-sig", errors="replace")
    for line in text.splitlines():
        word = line.strip()
        if word == "EOF":
            break
        if word.rstrip(": ").endswith("_SECTION"):
            name = word.rstrip(": ").removesuffix("_SECTION")
            inside = sections.setdefault(name, [])
        elif ":" in word:
            key, _, value = word.partition(":")
            keys[key.strip()] = value.strip()
        elif inside is not None:
            inside += map(float, word.split())
    return keys, sections


def _lengths(
    keys: dict[str, str], sections: dict[str, list[float]], size: int
) -> tuple[Distance, Distance] | None:
    """Return the least and the most that a distance may be."""
    kind = keys.get("EDGE_WEIGHT_TYPE", "")
    values = sections.get("EDGE_WEIGHT", [])
    if kind == "EXPLICIT" and len(values) == size * size:

        def full(i: int, j: int) -> float:
            return values[i * size + j]

        return full, full
    if kind == "EXPLICIT" and len(values) == size * (size - 1) // 2:

        def triangle(i: int, j: int) -> float:
            high, low = max(i, j), min(i, j)
            return values[high * (high - 1) // 2 + low] if i != j else 0.0

        return triangle, triangle
    rows = sections.get("NODE_COORD", [])
    if kind not in _WHOLE or len(rows) != 3 * size:
        return None
    places = {
        int(rows[k]) - 1: rows[k + 1 : k + 3] for k in range(0, 3 * size, 3)
    }
    whole = _WHOLE[kind]

    def bound(sign: int) -> Distance:
        def length(i: int, j: int) -> float:
            exact = math.dist(places[i], places[j])
            return whole(max(0.0, exact * (1 + sign * 1e-12) + sign * _TIE))

        return length

    return bound(-1), bound(1)


def faults_of(file: Path, solution: Path, cost: float) -> list[str] | None:
    """Return what is wrong with a solution.

    Parameters
    ----------
    file
        VRPLIB file of a plain CVRP.
    solution
        Its routes and its cost, in VRPLIB form.
    cost
        What the solver says that it costs.

    Returns
    -------
    list[str] | None
        ``None`` where the file is no plain CVRP.
    """
    problem = read_plain(file)
    if problem is None:
        return None
    routes, stated = _read_routes(solution)
    faults = []
    visits = Counter(node for route in routes for node in route)
    if visits != Counter(range(1, len(problem.demands))):
        faults.append(f"visited: {dict(visits)}")
    low = high = 0.0
    for route in routes:
        load = sum(problem.demands[node] for node in route)
        if load > problem.capacity:
            faults.append(f"load {load} of {route}")
        path = [0, *route, 0]
        low += sum(map(problem.least, path, path[1:]))
        high += sum(map(problem.most, path, path[1:]))
    slack = 1e-6 * max(1.0, high)
    for name, value in (("cost", cost), ("stated cost", stated)):
        if value is None or not low - slack <= value <= high + slack:
            faults.append(f"{name} {value}, not {low} to {high}")
    return faults


def _read_routes(solution: Path) -> tuple[list[list[int]], float | None]:
    """Return the routes and the cost of a file in VRPLIB form."""
    routes, cost = [], None
    for line in solution.read_text(encoding="utf-8").splitlines():
        if line.startswith("Route"):
            routes.append([int(word) for word in line.split(":")[1].split()])
        elif line.startswith("Cost"):
            cost = float(line.split()[1])
    return [route for route in routes if route], cost


def faults_by_pyvrp(
    file: Path, solution: Path, cost: float, metric: str
) -> list[str] | None:
    """Return what PyVRP finds wrong; ``None`` where it cannot read them.

    Parameters
    ----------
    file, solution, cost
        As in ``faults_of``, of any problem.
    metric
        A ``round_func`` of PyVRP.
    """
    import pyvrp

    try:
        data = pyvrp.read(file, round_func=metric)
        found = pyvrp.read_solution(solution, data)
    except (ValueError, RuntimeError, TypeError, KeyError, IndexError):
        return None
    faults = [] if found.is_feasible() else [f"infeasible: {found}"]
    theirs = (
        found.fixed_vehicle_cost()
        + found.distance_cost()
        + found.duration_cost()
    )
    if theirs != cost:
        faults.append(f"cost {cost}, not {theirs}")
    return faults
