"""Make the instances of this folder, and improve their solutions.

``python make.py`` writes every .vrp file. ``python make.py --seconds 60
--seeds 4 --jobs 2 [NAME ...]`` then also searches for solutions, with each of
the seeds for so many seconds, two searches at a time, and writes a .sol file
wherever one is better than what is there.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from ncc_routing.desk.problem import read
from ncc_routing.generators import generate_uchoa
from ncc_routing.io.vrplib import (
    read_solution,
    write_instance,
    write_solution,
)
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.solve import solve

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


def search(name: str, params: SolveParams) -> tuple[str, Solution]:
    """Return a name and the best solution that a run finds for it."""
    return name, solve(read(FOLDER / f"{name}.vrp"), params=params).best


def keep_better(name: str, found: Solution) -> None:
    """Write a solution where it is better than the one in the folder."""
    instance = read(FOLDER / f"{name}.vrp")
    violations = check_solution(instance, found)
    if violations:
        raise SystemExit(f"{name}: {violations[0].message}")
    file = FOLDER / f"{name}.sol"
    known = float("inf")
    if file.exists():
        routes = read_solution(file).routes
        known = Solution.from_routes(instance, routes).cost
    if found.cost < known:
        write_solution(file, found)
    print(f"{name}: {known:.0f}, found {found.cost:.0f}", flush=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="default: all")
    parser.add_argument(
        "--seconds", type=float, default=0.0, help="of each search"
    )
    parser.add_argument(
        "--seeds", type=int, default=1, help="searches of an instance"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="searches at a time"
    )
    arguments = parser.parse_args()
    names = make_instances()
    if arguments.seconds <= 0:
        return
    tasks = [
        delayed(search)(
            name,
            SolveParams(
                method="savings",
                polish="auto",
                time_limit=arguments.seconds,
                seed=seed,
            ),
        )
        for name in arguments.names or names
        for seed in range(1, arguments.seeds + 1)
    ]
    found = Parallel(n_jobs=arguments.jobs, return_as="generator")(tasks)
    for name, best in found:
        keep_better(name, best)


if __name__ == "__main__":
    main()
