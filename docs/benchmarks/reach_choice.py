"""Compare how far an insertion looks beyond the least detour so far.

``python docs/benchmarks/reach_choice.py`` runs generated instances of all
classes one after another and writes ``reach_choice.csv`` beside itself;
``RuinRecreateParams.reach`` follows it. The limit counts processor time, so
that other work on the machine does not.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import MaxIterations, TimeLimit
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing.ruin_recreate_search import (
    RuinRecreateParams,
    RuinRecreateSearch,
)

SIZES = (120, 150, 180, 220, 260, 300, 350,
         400, 480, 560, 640, 720, 800, 900)  # fmt: skip
FIRST_SEED = 8800
REACHES = (2.0, 4.0)
SECONDS = 3.0
SEED = 1
Row = tuple[str, int, int, float, float, float]


def run(size: int, instance_seed: int, reach: float) -> Row:
    """Anneal one instance."""
    instance = generate_uchoa(size, instance_seed)
    deadline = Deadline(SECONDS, clock=time.process_time)
    start = solve_savings(instance)
    params = RuinRecreateParams(reach=reach)
    search = RuinRecreateSearch(instance, start, seed=SEED, params=params)
    search.run(TimeLimit(deadline))
    return (instance.name, size, SEED, SECONDS, reach, search.best_cost)


def main() -> None:
    """Run every reach on every instance and write the table."""
    warm = generate_uchoa(60, 1)
    search = RuinRecreateSearch(warm, solve_savings(warm))
    search.run(MaxIterations(100))
    target = Path(__file__).with_suffix(".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ("instance", "num_customers", "seed", "seconds", "reach", "cost")
        )
        for number, size in enumerate(SIZES):
            for reach in REACHES:
                writer.writerow(run(size, FIRST_SEED + number, reach))
                file.flush()


if __name__ == "__main__":
    main()
