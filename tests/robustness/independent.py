"""Checks an answer from the two files alone, by PyVRP and its readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyvrp

if TYPE_CHECKING:
    from pathlib import Path


def faults_by_pyvrp(file: Path, solution: Path, cost: float) -> list[str]:
    """Return what PyVRP finds wrong; nothing where it cannot read a file.

    Parameters
    ----------
    file
        VRPLIB file of an instance.
    solution
        Its routes, in VRPLIB form.
    cost
        What the solver says that they cost.
    """
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
