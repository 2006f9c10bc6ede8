"""Choose the weight of the scores of ``ncc`` on validation instances.

Run from the root of the repository, with labels of ``ncc-route label``:

    python docs/benchmarks/scorer_weight.py LABELS OUT.csv

Every weight gets the same number of trials per customer; weight 0 is ``ckm``.
The reference is the better one of the labels of an instance, which is not
optimal. Routes are those of the built-in router.
"""

from __future__ import annotations

import csv
import logging
import sys
import time
from pathlib import Path

import numpy as np

from ncc_routing.learning.labels import read_labels
from ncc_routing.scoring.predictor import shipped_predictor
from ncc_routing.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import route_clusters

WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.4)
TRIALS = 20

_logger = logging.getLogger("scorer_weight")


def main(labels: Path, output: Path) -> None:
    """Run every weight on every instance and write the table."""
    params = CkmParams(trials_per_customer=TRIALS)
    gaps = []
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["instance", "num_customers", "weight", "trials_per_customer",
             "seconds", "cost", "reference", "gap_percent"]
        )  # fmt: skip
        for entry in read_labels([labels]):
            instance, reference = entry.instance, float(entry.costs.min())
            row = []
            for weight in WEIGHTS:
                start = time.process_time()
                priority = None
                if weight > 0:
                    priority = ScorerPriority.of(
                        shipped_predictor(), instance, weight=weight
                    )
                clusters = cluster_ckm(
                    instance, priority=priority, params=params
                )
                seconds = time.process_time() - start
                cost = route_clusters(
                    instance, clusters, router="local-search"
                ).cost
                row.append(100.0 * (cost / reference - 1.0))
                writer.writerow(
                    [instance.name, instance.num_customers, weight, TRIALS,
                     round(seconds, 3), cost, reference, round(row[-1], 4)]
                )  # fmt: skip
            gaps.append(row)
    table = np.array(gaps)
    for weight, column in zip(WEIGHTS, table.T, strict=True):
        change = column - table[:, 0]
        _logger.info(
            "weight %.2f: gap %.3f %%, difference %.3f +- %.3f", weight,
            column.mean(), change.mean(),
            change.std(ddof=1) / len(change) ** 0.5,
        )  # fmt: skip


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
