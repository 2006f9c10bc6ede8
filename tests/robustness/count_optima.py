"""How often the search finds the cheapest plan of small random problems.

``python -m tests.robustness.count_optima FIRST SECONDS``: problems with all
parts of a driver's day, from a seed on, until the seconds of processor time
are over. Each is searched for half a second. Counts are told by feature.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter, defaultdict
from itertools import count
from typing import TYPE_CHECKING, Final

import ncc_routing as nr
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.checker import Checker
from tests.oracles.problems import DAY, EVERYTHING, PREFERRED, random_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 0.5
"""Processor time of each search."""

VERDICTS: Final = ("cheapest", "dearer", "none", "refused", "broken")
"""None: no plan where there is none; refused: none where there is one."""

PARTS: Final = tuple(dict.fromkeys((*EVERYTHING, *DAY)))


def problems(first: int) -> Iterator[tuple[int, nr.Instance]]:
    """Yield problems, each fourth perhaps with preferred windows."""
    for seed in count(first):
        parts = PARTS
        if seed % 4 == 0:  # their oracle needs whole times
            parts = (*(p for p in PARTS if p != "speeds"), *PREFERRED)
        few = 4 if seed % 2 else 6
        yield seed, random_problem(seed, parts, few, share=0.25)


def verdict(instance: nr.Instance) -> str:
    """Return what the search finds, beside what there is."""
    optimum = cheapest_plan(instance)
    stop = nr.TimeLimit(SECONDS, clock=time.process_time)
    try:
        best = nr.solve(instance, stop, seed=1).best
    except nr.InfeasibleError:
        return "none" if optimum == math.inf else "refused"
    except nr.NccRoutingError:
        return "broken"
    cost, slack = Checker(instance).plan_cost(best), 1e-9 * abs(optimum)
    if not math.isclose(cost, best.cost, rel_tol=1e-9, abs_tol=1e-9):
        return "broken"
    if cost < optimum - slack:
        return "broken"
    return "cheapest" if cost <= optimum + slack else "dearer"


def main(first: int, seconds: float) -> None:
    """Count, and write a line for each feature."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for seed, instance in problems(first):
        if time.process_time() > seconds:
            print(f"seeds {first} to {seed - 1}")
            break
        said = verdict(instance)
        if said in ("dearer", "refused", "broken"):
            print(f"seed {seed}: {said}", flush=True)
        for name in ("all", *sorted(instance.features)):
            found[name][said] += 1
    print("feature", *VERDICTS, sep="\t")
    for name, counts in found.items():
        print(name, *(counts[each] for each in VERDICTS), sep="\t")


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
