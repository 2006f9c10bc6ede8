"""Make the instances of this folder, and improve their solutions.

``python make.py`` writes every .vrp file. ``python make.py --seconds 60
[NAME ...]`` then also searches for solutions, by savings and ruin and
recreate, and writes a .sol file where it found a better one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ncc_routing.core.deadline import Deadline
from ncc_routing.generators import generate_uchoa
from ncc_routing.io.vrplib import (
    read,
    read_solution,
    write_instance,
    write_solution,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

FOLDER = Path(__file__).resolve().parent

# (customers, seed, depot, customer class, demand class, route length): each
# class appears at least twice; short, usual and long routes do as well.
ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (20, 1, "central", "random", "1-10", 5.0),
    (33, 1, "random", "clustered", "1-100", 6.0),
    (50, 1, "eccentric", "half", "unitary", 7.0),
    (75, 1, "random", "random", "5-10", 8.0),
    (100, 1, "random", "half", "1-100", 5.0),
    (100, 2, "eccentric", "clustered", "quadrant", 14.0),
    (100, 3, "central", "random", "many-small", 10.0),
    (150, 1, "central", "clustered", "50-100", 4.0),
    (200, 1, "random", "random", "unitary", 18.0),
    (200, 2, "eccentric", "half", "1-10", 9.0),
    (300, 1, "random", "clustered", "5-10", 22.0),
    (400, 1, "central", "half", "quadrant", 12.0),
    (600, 1, "eccentric", "random", "50-100", 7.0),
    (1000, 1, "random", "half", "many-small", 20.0),
    (5000, 1, "central", "clustered", "1-100", 15.0),
)


def make_instances() -> list[str]:
    """Write the .vrp files and return the names of the instances."""
    names = []
    for size, seed, depot, customers, demands, length in ARGUMENTS:
        instance = generate_uchoa(
            size, seed, depot, customers, demands, length
        )
        comment = (
            f"depot {depot}, customers {customers}, demands {demands}, "
            f"route length {length:g}, seed {seed}"
        )
        write_instance(FOLDER / f"{instance.name}.vrp", instance, comment)
        names.append(instance.name)
    return names


def improve(name: str, seconds: float, seed: int) -> None:
    """Search for a better solution of one instance."""
    instance = read(FOLDER / f"{name}.vrp")
    file = FOLDER / f"{name}.sol"
    best = ruin_and_recreate(
        instance,
        solve_savings(instance),
        deadline=Deadline(seconds),
        seed=seed,
    )
    violations = check_solution(instance, best)
    if violations:
        raise SystemExit(f"{name}: {violations[0].message}")
    known = float("inf")
    if file.exists():
        routes = read_solution(file).routes
        known = Solution.from_routes(instance, routes).cost
    if best.cost < known:
        write_solution(file, best)
    print(f"{name}: {known:.0f}, found {best.cost:.0f}", flush=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="default: all")
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    names = make_instances()
    if arguments.seconds > 0:
        for name in arguments.names or names:
            improve(name, arguments.seconds, arguments.seed)


if __name__ == "__main__":
    main()
