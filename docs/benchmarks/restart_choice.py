"""Compare one long annealing with several and a pool of their routes.

``python docs/benchmarks/restart_choice.py`` runs generated instances, two at
a time, and writes ``restart_choice.csv`` beside itself; the length of an
annealing in ``ncc_routing.polishing.restarts`` follows it.
"""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

from joblib import Parallel, delayed

from ncc_routing.baselines.savings import solve_savings
from ncc_routing.deadline import Deadline
from ncc_routing.generators import generate_uchoa
from ncc_routing.polishing.restarts import solve_from_starts
from ncc_routing.polishing.ruin_recreate import (
    RuinRecreateSearch,
    ruin_and_recreate,
)

SIZES = (100, 200, 400)
ROUTE_LENGTHS = (6.0, 14.0)
STARTS = (1, 3, 6)
SECONDS = 30.0
SEEDS = (1,)
Row = tuple[str, int, float, int, int, float, float]


def run(size: int, route_length: float, starts: int, seed: int) -> Row:
    """Solve one instance with a number of annealings."""
    instance = generate_uchoa(
        size, seed=7700 + size, demands="1-100", route_length=route_length
    )
    start = solve_savings(instance)
    ruin_and_recreate(instance, start, max_iterations=100)
    search = RuinRecreateSearch(instance, start, seed=seed)
    if starts == 1:
        search.run(Deadline(SECONDS))
        best = search.best()
    else:
        best = solve_from_starts(instance, search, starts, Deadline(SECONDS))
    return (
        instance.name,
        size,
        route_length,
        seed,
        starts,
        SECONDS,
        best.cost,
    )


def main() -> None:
    """Run every number of starts on every instance and write the table."""
    tasks = product(SIZES, ROUTE_LENGTHS, STARTS, SEEDS)
    rows = Parallel(n_jobs=2, verbose=10)(delayed(run)(*t) for t in tasks)
    target = Path(__file__).with_suffix(".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            (
                "instance",
                "num_customers",
                "route_length",
                "seed",
                "starts",
                "seconds",
                "cost",
            )
        )
        writer.writerows(rows)


if __name__ == "__main__":
    main()
