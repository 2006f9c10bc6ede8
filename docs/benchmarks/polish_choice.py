"""Compare ruin and recreate, PyVRP and both in turn.

``python docs/benchmarks/polish_choice.py`` runs generated instances, two at
a time, and writes ``polish_choice.csv`` beside itself; ``polish="auto"``
follows it.
"""

from __future__ import annotations

import csv
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING

from joblib import Parallel, delayed

from ncc_routing.core.deadline import Deadline
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing.pyvrp_search import polish_pyvrp
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

SIZES = (50, 100, 200, 400, 800)
SECONDS = (2.0, 10.0)
SEEDS = (1, 2)
SHARES = (1.0, 0.95, 0.5, 0.0)
Row = tuple[str, int, int, float, float, float]


def improve(
    instance: Instance,
    start: Solution,
    share: float,
    seconds: float,
    seed: int,
) -> Solution:
    """Give a share of the time to ruin and recreate, the rest to PyVRP."""
    whole = Deadline(seconds)
    found = start
    if share > 0.0:
        part = whole.within(share * seconds)
        found = ruin_and_recreate(instance, found, deadline=part, seed=seed)
    if share < 1.0:
        found = polish_pyvrp(instance, found, whole, seed)
    return found


def run(size: int, seed: int, seconds: float) -> list[Row]:
    """Run every share on one instance."""
    instance = generate_uchoa(size, seed=2000 + 10 * size + seed)
    start = solve_savings(instance)
    improve(instance, start, 0.5, 1.0, seed)  # compiles and imports
    rows = []
    for share in SHARES:
        best = improve(instance, start, share, seconds, seed)
        rows.append((instance.name, size, seed, seconds, share, best.cost))
    return rows


def main() -> None:
    """Run every share on every instance and write the table."""
    tasks = product(SIZES, SEEDS, SECONDS)
    found = Parallel(n_jobs=2, verbose=10)(delayed(run)(*t) for t in tasks)
    target = Path(__file__).with_suffix(".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ("instance", "num_customers", "seed", "seconds",
             "ruin_recreate_share", "cost")
        )  # fmt: skip
        writer.writerows(chain.from_iterable(found))


if __name__ == "__main__":
    main()
