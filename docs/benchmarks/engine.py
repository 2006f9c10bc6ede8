"""Iterations a second of two checkouts, in processes that take turns.

python docs/benchmarks/engine.py BEFORE AFTER --output FOLDER

Each process works on one case on one thread: it loads the package of its
checkout, runs a few iterations, and then times some thousand more by the
processor's clock. The folder gets ``engine.csv``, one row a process.
``NCC_ROUTING_DATA`` names the folder of the published instances, which serve
for speed alone.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance

ROUNDS = 5
"""Processes of each checkout and case."""

COLUMNS = ("case", "checkout", "commit", "iterations", "seconds", "megabytes")

PLAIN = {
    "plain, n = 200, 5 a route": (200, 5.0),
    "plain, n = 200, 20 a route": (200, 20.0),
    "plain, n = 1,000, 9 a route": (1000, 9.0),
    "plain, n = 1,000, 25 a route": (1000, 25.0),
    "plain, n = 3,000, 15 a route": (3000, 15.0),
}
"""Generated instances of the X family: customers, and mean customers a
route."""

PUBLISHED = {
    "windows, R1": "VRPTW/R1_10_2.vrp",
    "windows, C1": "VRPTW/C1_10_2.vrp",
    "windows, R2": "VRPTW/R2_10_2.vrp",
    "windows, C2": "VRPTW/C2_10_2.vrp",
    "windows, RC2": "VRPTW/RC2_10_2.vrp",
    "fleet": "HFVRP/X655-HD.vrp",
    "several depots": "MDVRPTW/PR11A.vrp",
}
"""Published instances, read for their speed."""


def plain(num_customers: int, route_size: float) -> Instance:
    """Generate an instance of the X family."""
    from ncc_routing.generators.uchoa import generate_uchoa

    return generate_uchoa(num_customers, 6000001, route_length=route_size)


def published(name: str) -> Instance:
    """Read a published instance."""
    import ncc_routing as nr

    file = Path(os.environ["NCC_ROUTING_DATA"], "vrp", name)
    return nr.read(file, "dimacs" if "VRPTW" in name else "exact")


def search(make: Callable[[], Instance]) -> Callable[[int], object]:
    """Return ruin and recreate of an instance by a number of iterations."""
    import ncc_routing as nr
    from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

    instance = make()
    method = "savings" if instance.is_plain else "insertion"
    start = nr.solve(instance, method=method, polish="none").best
    return lambda number: ruin_and_recreate(
        instance, start, max_iterations=number
    )


def clusters(num_points: int, objective: str) -> Callable[[int], object]:
    """Return a clustering by a number of kicks or of moves."""
    import numpy as np

    import ncc_routing as nr
    from ncc_routing.core.stopping import MaxIterations

    points = np.random.default_rng(1).random((num_points, 2))
    size = num_points // 40
    return lambda number: nr.cluster(
        points,
        num_clusters=size,
        capacity=44.0,
        objective=objective,
        method="ckm",
        stop=MaxIterations(number),
    )


CASES: dict[str, tuple[Callable[[], Callable[[int], object]], int]] = {
    **{
        name: (partial(search, partial(plain, *shape)), 200_000)
        for name, shape in PLAIN.items()
    },
    **{
        name: (partial(search, partial(published, file)), 100_000)
        for name, file in PUBLISHED.items()
    },
    "clusters, inertia": (partial(clusters, 2000, "inertia"), 2000),
    "clusters, medians": (partial(clusters, 2000, "cpmp"), 20_000),
}
"""What makes the work of each case, and its iterations."""


def measure(case: str) -> None:
    """Print iterations, seconds of the processor, and peak memory in MB."""
    make, number = CASES[case]
    run = make()
    run(10)
    begun = time.process_time()
    run(number)
    seconds = time.process_time() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(number, round(seconds, 4), round(memory, 1))


def child(checkout: Path, case: str) -> list[str]:
    """Return what a process of a checkout prints for a case."""
    folders = os.pathsep.join(map(str, (checkout, checkout / "cli")))
    done = subprocess.run(
        [sys.executable, "-P", __file__, "--case", case],
        env={**os.environ, "PYTHONPATH": folders},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1].split()


def commit(checkout: Path) -> str:
    """Return the commit of a checkout, with a sign where it has changes."""
    run = partial(subprocess.check_output, cwd=checkout, text=True)
    name = run(["git", "describe", "--always", "--dirty=+", "--abbrev=12"])
    return name.strip()


def main() -> None:
    """Time both checkouts, and print the ratios of the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", nargs="*", type=Path)
    parser.add_argument("--case")
    parser.add_argument("--only", default="", help="cases that contain it")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=Path())
    chosen = parser.parse_args()
    if chosen.case:
        measure(chosen.case)
        return
    checkouts = [path.resolve() for path in chosen.checkouts]
    names = dict(zip(checkouts, ("before", "after"), strict=True))
    with (chosen.output / "engine.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case in CASES:
            if chosen.only not in case:
                continue
            found: dict[Path, list[float]] = {path: [] for path in checkouts}
            for _ in range(chosen.rounds):
                for path in checkouts:
                    row = child(path, case)
                    found[path].append(float(row[1]))
                    writer.writerow([case, names[path], commit(path), *row])
            file.flush()
            before, after = map(statistics.median, found.values())
            print(f"{case}: {before / after:.2f} times as fast")


if __name__ == "__main__":
    main()
