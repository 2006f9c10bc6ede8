"""Compare the choices inside ckm on generated instances.

Run from the root of the repository: ``python docs/benchmarks/ckm_choices.py``
writes ``ckm_choices.csv`` beside this file and prints, for each choice, the
mean difference to the default of the costs and of the numbers of routes. Half
of the instances are tight: with the least possible number of routes, less than
one percent of the capacity is left. Time is that of the processor.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path

import numpy as np

from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import route_clusters

INSTANCES = [
    (size, 1000 + size)
    for size in (100, 150, 200, 250, 300, 350, 400, 500, 600, 800)
]
TIGHT = [
    (669, 7000001), (763, 7000002), (599, 7000013), (291, 7000015),
    (899, 7000020), (725, 7000023), (397, 7000025), (828, 7000030),
    (664, 7000039), (461, 7000049),
]  # fmt: skip
SEEDS = (1, 2)
CHOICES = {
    "default": CkmParams(),
    "regions of up to 3": CkmParams(max_clusters=3),
    "regions of up to 8": CkmParams(max_clusters=8),
    "rounds up to 1": CkmParams(max_rounds=1),
    "rounds up to 3": CkmParams(max_rounds=3),
    "rounds up to 6": CkmParams(max_rounds=6),
    "detour share up to 0.6": CkmParams(max_detour_share=0.6),
    "weight power 0": CkmParams(max_weight_power=0.0),
    "first temperature 0.1": CkmParams(start_temperature=0.1),
    "first temperature 0.3": CkmParams(start_temperature=0.3),
    "first temperature 2.5": CkmParams(start_temperature=2.5),
    "no additional cluster": CkmParams(more_share=0.0),
    "least clusters 10 %": CkmParams(fewer_share=0.1),
    "least clusters 60 %": CkmParams(fewer_share=0.6),
    "fullness bonus 0": CkmParams(fullness_bonus=0.0),
    "fullness bonus 5": CkmParams(fullness_bonus=5.0),
    "fullness bonus 100": CkmParams(fullness_bonus=100.0),
    "80 trials": CkmParams(trials_per_customer=80),
    "160 trials": CkmParams(trials_per_customer=160),
}


def main() -> None:
    """Run every choice on every instance and write the table."""
    rows: list[tuple[str, str, int, float, int, float]] = []
    instances = [generate_uchoa(n, seed=seed) for n, seed in INSTANCES + TIGHT]
    cluster_ckm(instances[0], params=CkmParams(trials_per_customer=1))
    for name, params in CHOICES.items():
        for instance in instances:
            for seed in SEEDS:
                begun = time.process_time()
                clusters = cluster_ckm(instance, params=params, seed=seed)
                seconds = time.process_time() - begun
                cost = route_clusters(instance, clusters).cost
                rows.append(
                    (name, instance.name, seed, cost, len(clusters), seconds)
                )
        num_runs = len(instances) * len(SEEDS)
        base = np.array([row[3:] for row in rows[:num_runs]])
        mine = np.array([row[3:] for row in rows[-num_runs:]])
        ratio = 100.0 * (mine / base - 1.0)
        error = ratio.std(axis=0) / num_runs**0.5
        print(
            f"{name:<24} {ratio[:, 0].mean():+.2f} +- {error[0]:.2f} %, "
            f"routes {ratio[:, 1].mean():+.2f} %, "
            f"x{mine[:, 2].sum() / base[:, 2].sum():.2f}"
        )
    target = Path(__file__).with_suffix(".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ("choice", "instance", "seed", "cost", "routes", "seconds")
        )
        writer.writerows(rows)


if __name__ == "__main__":
    main()
