"""Checks an answer from the two files alone, by PyVRP and its readers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyvrp

if TYPE_CHECKING:
    from pathlib import Path


def faults_by_pyvrp(file: Path, solution: Path, cost: float) -> list[str]:
    """Return what PyVRP finds wrong; nothing where it cannot read a file."""
    if not _is_in_order(file.read_text(encoding="utf-8", errors="replace")):
        return []
    try:
        data = pyvrp.read(file, round_func="round")
        found = pyvrp.read_solution(solution, data)
    except (ValueError, RuntimeError, TypeError, KeyError, IndexError):
        return []
    faults = [] if found.is_feasible() else [f"infeasible: {found}"]
    theirs = found.fixed_vehicle_cost() + found.distance_cost()
    theirs += found.duration_cost()
    if theirs != cost:
        faults.append(f"cost {cost}, not {theirs}")
    return faults


def _is_in_order(text: str) -> bool:
    """Whether the rows of all sections are numbered 1, 2, ...

    PyVRP goes by the order of the rows, and the package by their numbers.
    """
    _, *parts = re.split(r"(\w+)_SECTION\W*\n", text.partition("EOF")[0])
    for name, rows in zip(parts[::2], parts[1::2], strict=True):
        if name not in ("EDGE_WEIGHT", "DEPOT"):
            words = [row.split() for row in rows.splitlines()]
            found = [row[0] for row in words if row]
            if found != [str(1 + k) for k in range(len(found))]:
                return False
    return True
