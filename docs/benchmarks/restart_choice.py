"""Compare one long annealing with three and a pool of their routes.

``python docs/benchmarks/restart_choice.py`` runs generated instances of all
classes one after another and writes ``restart_choice.csv`` beside itself; the
least length of an annealing in ``vrp.polishing.restarts`` follows it.
The limit counts processor time, so that other work on the machine does not.
"""

from __future__ import annotations

import csv
import time
from itertools import product
from pathlib import Path

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing.restarts import solve_from_starts
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch

SIZES = (180, 220, 260, 300)
FIRST_SEED = 8802
STARTS = (1, 3)
SECONDS = 10.0
SEEDS = (1, 2)
Row = tuple[str, int, int, int, float, float]


def run(size: int, instance_seed: int, seed: int, starts: int) -> Row:
    """Solve one instance with a number of annealings."""
    instance = generate_uchoa(size, instance_seed)
    deadline = Deadline(SECONDS, clock=time.process_time)
    start = solve_savings(instance)
    search = RuinRecreateSearch(instance, start, seed=seed)
    if starts == 1:
        search.run(TimeLimit(deadline))
        best = search.best()
    else:
        best = solve_from_starts(instance, search, starts, deadline)
    return (instance.name, size, seed, starts, SECONDS, best.cost)


def main() -> None:
    """Run every number of starts on every instance and write the table."""
    warm = generate_uchoa(60, 1)
    ruin_and_recreate(warm, solve_savings(warm), max_iterations=100)
    target = Path(__file__).with_suffix(".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ("instance", "num_customers", "seed", "starts", "seconds", "cost")
        )
        instances = [(n, FIRST_SEED + i) for i, n in enumerate(SIZES)]
        for (size, number), seed, starts in product(instances, SEEDS, STARTS):
            writer.writerow(run(size, number, seed, starts))
            file.flush()


if __name__ == "__main__":
    main()
