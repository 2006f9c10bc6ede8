"""How often the search finds the cheapest plan of small random problems.

``python -m tests.robustness.count_optima FILE LAST``: problems with all parts
of a driver's day, up to a seed. Each is searched for half a second, and has a
line in the file; who calls again goes on. Counts are told by feature.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import ncc_routing as nr
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.checker import Checker
from tests.oracles.problems import (
    DAY,
    EVERYTHING,
    HOURS,
    PREFERRED,
    random_problem,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 0.5
"""Processor time of each search."""

VERDICTS: Final = ("cheapest", "dearer", "none", "refused", "broken")
"""None: no plan where there is none; refused: none where there is one."""

PARTS: Final = tuple(dict.fromkeys((*EVERYTHING, *DAY, *HOURS)))


def problems(first: int, last: int) -> Iterator[tuple[int, nr.Instance]]:
    """Yield problems, each fourth perhaps with preferred windows."""
    for seed in range(first, last + 1):
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


def main(file: Path, last: int) -> None:
    """Go on behind the last line of a file, and tell all by feature."""
    file.touch()
    first = 1 + len(file.read_text().splitlines())
    for seed, instance in problems(first, last):
        said = verdict(instance)
        with file.open("a") as lines:
            print(seed, said, *instance.features, sep="\t", file=lines)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for line in file.read_text().splitlines():
        seed_text, said, *names = line.split("\t")
        if said in ("dearer", "refused", "broken"):
            print(f"seed {seed_text}: {said}")
        for name in ("all", *names):
            found[name][said] += 1
    print("feature", *VERDICTS, sep="\t")
    for name, counts in sorted(found.items()):
        print(name, *(counts[each] for each in VERDICTS), sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
