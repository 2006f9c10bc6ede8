"""Random problems with every feature, as an instance, a file and PyVRP's data.

``rich_problem`` has those that every search knows, ``full_problem`` all of
PyVRP's, by switches; ``full_routes`` visits some of its stops at random.

``python -m tests.oracles.verdicts --count 6000`` solves that many in all
three forms and holds each answer against all plans and against PyVRP.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pyvrp

import ncc_routing as nr
from ncc_routing.pyvrp.adapter import objective_of, to_pyvrp
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import as_instance, rich_problem

if TYPE_CHECKING:
    from collections.abc import Iterator


FORMS = ("instance", "file", "pyvrp")

ITERATIONS = 300
"""Iterations of ruin and recreate for each answer."""

SECONDS = 0.4
"""Processor time after which no plan is looked for any more."""


def forms_of(
    data: pyvrp.ProblemData, folder: Path
) -> Iterator[tuple[str, Any]]:
    """Yield name and problem of each form that can hold the data."""
    instance = as_instance(data)
    yield "instance", instance
    is_same = np.array_equal(
        np.asarray(instance.matrix), np.asarray(instance.durations)
    )
    plain = replace(instance, durations=None) if is_same else instance
    file = folder / "case.vrp"
    try:
        nr.write_instance(file, plain)
    except nr.ParameterError:
        pass  # it has no place in a file
    else:
        yield "file", file
    yield "pyvrp", data


def judge(
    data: pyvrp.ProblemData | None, problem: object, optimum: float
) -> str:
    """Solve a problem in some form, and say what is wrong with the answer.

    It is "cheapest", "dearer" or "infeasible" where nothing is wrong, else
    "false refusal", "wrong plan" or "wrong cost". An infinite ``optimum`` says
    that there is no plan; without data of PyVRP's only costs are judged.
    """
    try:
        result: nr.Result = nr.solve(
            problem,  # type: ignore[arg-type]
            stop=nr.first_of(
                nr.MaxIterations(ITERATIONS),
                nr.TimeLimit(SECONDS, clock=time.process_time),
            ),
        )
    except nr.InfeasibleError:
        return "false refusal" if math.isfinite(optimum) else "infeasible"
    best = result.best
    if data is not None:
        if isinstance(problem, Path):
            # The types of a file are those of vehicles that are alike.
            data = pyvrp.read(problem, round_func="round")
        theirs = to_pyvrp(best, data)
        if not (theirs.is_feasible() and theirs.is_complete()):
            return "wrong plan"
        if objective_of(theirs) != best.cost:
            return "wrong cost"
    if best.cost < optimum:
        return "wrong cost"
    return "cheapest" if best.cost == optimum else "dearer"


def count_verdicts(seeds: range) -> Counter[tuple[str, str]]:
    """Solve problems in all forms, print what goes wrong, count verdicts."""
    verdicts: Counter[tuple[str, str]] = Counter()
    with TemporaryDirectory() as folder:
        for seed in seeds:
            data = rich_problem(seed)
            optimum = cheapest_plan(as_instance(data))
            for form, problem in forms_of(data, Path(folder)):
                verdict = judge(data, problem, optimum)
                verdicts[form, verdict] += 1
                if verdict.startswith(("false", "wrong")):
                    print(f"{seed} as {form}: {verdict}, {optimum}")
    return verdicts


def main() -> None:
    """Solve as many problems as wanted, and print the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=6000)
    wanted = parser.parse_args()
    seeds = range(wanted.first, wanted.first + wanted.count)
    for (form, verdict), count in sorted(count_verdicts(seeds).items()):
        print(f"{form:<10}{verdict:<15}{count}")


if __name__ == "__main__":
    main()
