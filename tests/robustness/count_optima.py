"""How often the search finds the cheapest plan of small random problems.

``python -m tests.robustness.count_optima FILE LAST``: problems with all parts
of a driver's day, up to a seed. Each is searched for half a second, and has a
line in the file; who calls again goes on. Counts are told by feature. With
``shapes`` behind, problems of ``tests.oracles.shapes``, by 500 iterations.
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
from tests.oracles.shapes import shaped_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.core.stopping import Stop

SECONDS: Final = 0.5
"""Processor time of each search, but for shapes."""

VERDICTS: Final = ("cheapest", "dearer", "none", "refused", "broken", "proof")
"""None: no plan where there is none; refused: none where there is one; proof:
a fatal finding where there is one, or a lower bound that is above it."""

PARTS: Final = tuple(dict.fromkeys((*EVERYTHING, *DAY, *HOURS)))


def problems(first: int, last: int) -> Iterator[tuple[int, nr.Instance]]:
    """Yield problems, each fourth perhaps with preferred windows."""
    for seed in range(first, last + 1):
        parts = PARTS
        if seed % 4 == 0:  # their oracle needs whole times
            parts = (*(p for p in PARTS if p != "speeds"), *PREFERRED)
        few = 4 if seed % 2 else 6
        yield seed, random_problem(seed, parts, few, share=0.25)


def is_disproved(instance: nr.Instance, optimum: float) -> bool:
    """Whether what is proven about a problem contradicts its optimum."""
    if optimum < math.inf and nr.diagnose(instance).fatal:
        return True
    upper = 2 * abs(optimum) + 1000 if optimum < math.inf else None
    try:
        bound = nr.lower_bound(instance, 2.0, upper).lower_bound
    except nr.UnsupportedProblemError:
        return False
    except nr.InfeasibleError:
        return optimum < math.inf
    return bound > optimum + 1e-9 * abs(optimum)


def verdict(instance: nr.Instance, stop: Stop) -> str:
    """Return what the search finds, beside what there is."""
    optimum = cheapest_plan(instance)
    if is_disproved(instance, optimum):
        return "proof"
    try:
        best = nr.solve(instance, stop, seed=1).best
    except nr.InfeasibleError:
        return "none" if optimum == math.inf else "refused"
    except nr.NccRoutingError:
        return "broken"
    cost, slack = Checker(instance).plan_cost(best), 1e-9 * abs(optimum)
    if not math.isclose(cost, best.cost, rel_tol=1e-9, abs_tol=1e-9):
        return "broken"
    if cost < optimum - slack or nr.check_solution(instance, best):
        return "broken"
    return "cheapest" if cost <= optimum + slack else "dearer"


def main(file: Path, last: int, kind: str = "") -> None:
    """Go on behind the last line of a file, and tell all by feature."""
    file.touch()
    first = 1 + len(file.read_text().splitlines())
    is_shape, drawn = kind == "shapes", problems(first, last)
    if is_shape:
        numbers = range(first, last + 1)
        drawn = ((seed, shaped_problem(seed)) for seed in numbers)
    for seed, instance in drawn:
        stop: Stop = nr.stop.MaxIterations(500)
        if not is_shape:
            stop = nr.stop.TimeLimit(SECONDS, clock=time.process_time)
        said = verdict(instance, stop)
        with file.open("a") as lines:
            print(seed, said, *instance.features, sep="\t", file=lines)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for line in file.read_text().splitlines():
        seed_text, said, *names = line.split("\t")
        if said not in ("cheapest", "none"):
            print(f"seed {seed_text}: {said}")
        for name in ("all", *names):
            found[name][said] += 1
    print("feature", *VERDICTS, sep="\t")
    for name, counts in sorted(found.items()):
        print(name, *(counts[each] for each in VERDICTS), sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
