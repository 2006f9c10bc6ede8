"""Compare the choices inside ckm on generated instances.

Run from the root of the repository: ``python docs/benchmarks/ckm_choices.py``
writes ``ckm_choices.csv`` beside this file and prints the mean difference of
each choice to the default.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path

from ncc_routing.cluster_first.ckm import CkmParams, cluster_ckm
from ncc_routing.generators import generate_uchoa
from ncc_routing.routing.cluster_routes import route_clusters

SIZES = (100, 150, 200, 250, 300, 350, 400, 500, 600, 800)
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
    "first temperature 0.1": CkmParams(first_temperature=0.1),
    "first temperature 1": CkmParams(first_temperature=1.0),
    "no additional cluster": CkmParams(more_share=0.0),
    "80 trials": CkmParams(trials_per_customer=80),
    "160 trials": CkmParams(trials_per_customer=160),
}


def main() -> None:
    """Run every choice on every instance and write the table."""
    rows = []
    instances = [generate_uchoa(n, seed=1000 + n) for n in SIZES]
    cluster_ckm(instances[0], params=CkmParams(trials_per_customer=1))
    for name, params in CHOICES.items():
        for instance in instances:
            for seed in SEEDS:
                begun = time.perf_counter()
                clusters = cluster_ckm(instance, params=params, seed=seed)
                seconds = time.perf_counter() - begun
                cost = route_clusters(instance, clusters).cost
                rows.append((name, instance.name, seed, cost, seconds))
        mine = [row for row in rows if row[0] == name]
        base = rows[: len(mine)]
        gap = sum(m[3] / b[3] - 1 for m, b in zip(mine, base, strict=True))
        spent = sum(m[4] for m in mine) / sum(b[4] for b in base)
        print(f"{name:<24} {100 * gap / len(mine):+.2f} %  x{spent:.2f}")
    target = Path(__file__).with_suffix(".csv")
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("choice", "instance", "seed", "cost", "seconds"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
