"""Compare ``ncc`` with ``ckm`` at equal processor time.

Run from the root of the repository:

    python docs/benchmarks/scorer_vs_ckm.py generated OUT.csv
    python docs/benchmarks/scorer_vs_ckm.py FOLDER OUT.csv [START STEP]

The first line takes generated instances that no choice was made on, the
second the .vrp files of a folder with best-known solutions beside them; with
START and STEP a part of them in the order of the names. ``ncc`` is ``ckm``
with the network and the vote of its pairs, whose time counts. Time is that of
the processor, one thread, so that other work on the machine does not decide;
kernels and network are loaded before. Budget 0 is the first clustering alone,
whatever it takes. Routes are those of the built-in router for both.
"""

from __future__ import annotations

import csv
import logging
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.deadline import Deadline
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.io.vrplib import read, read_solution
from ncc_routing.problems.checking import check_solution
from ncc_routing.scoring.predictor import shipped_predictor
from ncc_routing.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.methods import ROLLOUT_SHARE
from ncc_routing.vrp.ncc import roll_out
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.tours.cluster_routes import route_clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance

BUDGETS = (0.0, 0.5, 2.0, 5.0)
METHODS = ("ckm", "ncc")
SIZES = tuple(range(100, 1000, 45))
FIRST_SEED = 3_000_000
REFERENCE_ITERATIONS = 1000
ENDLESS = 1_000_000_000

_logger = logging.getLogger("scorer_vs_ckm")


def generated() -> Iterator[tuple[Instance, float]]:
    """Yield fresh instances with the cost of a long ruin and recreate."""
    for number, size in enumerate(SIZES):
        instance = generate_uchoa(size, FIRST_SEED + number)
        start = solve_savings(instance, shapes=(1.0,), router=None)
        best = ruin_and_recreate(
            instance, start, max_iterations=REFERENCE_ITERATIONS * size
        )
        yield instance, best.cost


def published(
    folder: Path, start: int, step: int
) -> Iterator[tuple[Instance, float]]:
    """Yield instances of a folder with their best-known cost."""
    for path in sorted(folder.glob("*.vrp"))[start::step]:
        instance = read(path)
        best = read_solution(path.with_suffix(".sol"))
        yield instance, sum(map(instance.route_cost, best.routes))


def run(instance: Instance, method: str, budget: float) -> tuple[float, float]:
    """Return cost and processor time of one run."""
    start = time.process_time()
    params, deadline = CkmParams(trials_per_customer=0), Deadline()
    if budget > 0:
        params = CkmParams(ENDLESS, max_trials=ENDLESS)
        deadline = Deadline(budget, clock=time.process_time)
    priority, first = None, None
    if method == "ncc":
        priority = ScorerPriority.of(shipped_predictor(), instance)
        share = Deadline()
        if budget > 0:
            left = ROLLOUT_SHARE * deadline.remaining()
            share = Deadline(left, clock=time.process_time)
        first = roll_out(instance, priority, deadline=share)
    clusters = cluster_ckm(
        instance,
        priority=priority,
        start=first,
        params=params,
        deadline=deadline,
    )
    seconds = time.process_time() - start
    solution = route_clusters(instance, clusters, router="local-search")
    broken = check_solution(instance, solution)
    if broken:
        raise RuntimeError(f"{instance.name}: {broken[0]}")
    return solution.cost, seconds


def main(source: str, output: Path, start: int, step: int) -> None:
    """Run both methods at every budget and write the table."""
    if source == "generated":
        pairs = generated()
    else:
        pairs = published(Path(source), start, step)
    warm = generate_uchoa(60, 1)
    for method in METHODS:
        run(warm, method, 0.1)
    gaps: dict[tuple[str, float], list[float]] = {}
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["instance", "num_customers", "method", "budget", "seconds",
             "cost", "reference", "gap_percent"]
        )  # fmt: skip
        for instance, reference in pairs:
            for budget in BUDGETS:
                for method in METHODS:
                    cost, seconds = run(instance, method, budget)
                    gap = 100.0 * (cost / reference - 1.0)
                    gaps.setdefault((method, budget), []).append(gap)
                    writer.writerow(
                        [instance.name, instance.num_customers, method,
                         budget, round(seconds, 3), cost, reference,
                         round(gap, 4)]
                    )  # fmt: skip
            file.flush()
    for budget in BUDGETS:
        ours, other = (np.array(gaps[m, budget]) for m in ("ncc", "ckm"))
        change = ours - other
        _logger.info(
            "%3.1f s: ckm %.3f %%, ncc %.3f %%, difference %.3f +- %.3f, "
            "%d instances", budget, other.mean(), ours.mean(), change.mean(),
            change.std(ddof=1) / len(change) ** 0.5, len(change),
        )  # fmt: skip


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    numbers = [int(word) for word in sys.argv[3:5]] or [0, 1]
    main(sys.argv[1], Path(sys.argv[2]), *numbers)
