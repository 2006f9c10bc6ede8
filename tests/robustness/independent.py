"""Checks an answer from the two files alone, without the package's readers.

What a plain CVRP needs is read here once more, in a few lines; PyVRP's own
readers judge files with fleets, windows and several depots.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

_KEYS: Final = {
    "NAME", "COMMENT", "TYPE", "DIMENSION", "CAPACITY", "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE",
}  # fmt: skip
_SECTIONS: Final = {
    "NODE_COORD", "DEMAND", "DEPOT", "EDGE_WEIGHT", "DISPLAY_DATA"
}  # fmt: skip
_TIE: Final = 1e-6
"""Lengths so near to a border of the rounding may go either way."""


class PlainProblem(NamedTuple):
    """A CVRP: demands, capacity, and the least and the most of each length."""

    demands: np.ndarray
    capacity: int
    least: np.ndarray
    most: np.ndarray


def plain_or_none(file: Path) -> PlainProblem | None:
    """Return the problem of a file, ``None`` if it is no plain CVRP."""
    try:
        return _read_plain(file)
    except (ValueError, IndexError, KeyError, OverflowError, MemoryError):
        return None


def _read_plain(file: Path) -> PlainProblem | None:
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
    if not (keys.keys() <= _KEYS and sections.keys() <= _SECTIONS):
        return None
    if [int(node) for node in sections["DEPOT"] if node > 0] != [1]:
        return None
    size = int(float(keys["DIMENSION"]))
    demands = _by_node(sections["DEMAND"], size)[:, 0]
    lengths = _lengths(keys["EDGE_WEIGHT_TYPE"], sections, size)
    capacity = int(float(keys["CAPACITY"]))
    return PlainProblem(demands.astype(int), capacity, *lengths)


def _by_node(values: list[float], size: int) -> np.ndarray:
    """Return the rows of a section, sorted by the nodes in front."""
    rows = np.reshape(values, (size, -1))
    found = np.zeros((size, rows.shape[1] - 1))
    found[rows[:, 0].astype(int) - 1] = rows[:, 1:]
    return found


def _lengths(
    kind: str, sections: dict[str, list[float]], size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the most that each length may be."""
    if kind == "EXPLICIT":
        values = np.array(sections["EDGE_WEIGHT"])
        if len(values) == size * size:
            matrix = values.reshape(size, size)
        else:
            matrix = np.zeros((size, size))
            matrix[np.tril_indices(size, -1)] = values
            matrix += matrix.T
        return matrix, matrix
    places = _by_node(sections["NODE_COORD"], size)
    exact = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    low, high = (
        np.maximum(0.0, exact * (1 + sign * 1e-12) + sign * _TIE)
        for sign in (-1, 1)
    )
    if kind == "CEIL_2D":
        return np.ceil(low), np.ceil(high)
    shift = {"EUC_2D": 0.5, "FLOOR_2D": 0.0, "EXACT_2D": 0.5}[kind]
    scale = 1000 if kind == "EXACT_2D" else 1
    return np.floor(scale * low + shift), np.floor(scale * high + shift)


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
    problem = plain_or_none(file)
    if problem is None:
        return None
    routes, stated = [], None
    for line in solution.read_text(encoding="utf-8").splitlines():
        if line.startswith("Route"):
            routes.append([int(word) for word in line.split(":")[1].split()])
        elif line.startswith("Cost"):
            stated = float(line.split()[1])
    faults = []
    visits = Counter(node for route in routes for node in route)
    if visits != Counter(range(1, len(problem.demands))):
        faults.append(f"visited: {dict(visits)}")
    low = high = 0.0
    for route in routes:
        load = sum(problem.demands[node] for node in route)
        if load > problem.capacity:
            faults.append(f"load {load} of {route}")
        for arc in pairwise((0, *route, 0)) if route else ():
            low += problem.least[arc]
            high += problem.most[arc]
    slack = 1e-6 * max(1.0, high)
    for name, value in (("cost", cost), ("stated cost", stated)):
        if value is None or not low - slack <= value <= high + slack:
            faults.append(f"{name} {value}, not {low} to {high}")
    return faults


def faults_by_pyvrp(file: Path, solution: Path, cost: float) -> list[str]:
    """Return what PyVRP finds wrong; nothing where it cannot read a file."""
    import pyvrp

    try:
        data = pyvrp.read(file, round_func="round")
        found = pyvrp.read_solution(solution, data)
    except (ValueError, RuntimeError, TypeError, KeyError, IndexError):
        return []
    faults = [] if found.is_feasible() else [f"infeasible: {found}"]
    theirs = (
        found.fixed_vehicle_cost()
        + found.distance_cost()
        + found.duration_cost()
    )
    if theirs != cost:
        faults.append(f"cost {cost}, not {theirs}")
    return faults
