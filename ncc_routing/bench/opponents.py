"""What a benchmark runs beside the methods of the package."""

from __future__ import annotations

import re
import runpy
import time
from functools import cache
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.vrp.methods import METHOD_NAMES, NO_IMPROVEMENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.result import Result

    Routes = Solution | Iterable[Iterable[int]]
    Solver = Callable[[Instance, int, float | None], Routes]

PYVRP: Final = "pyvrp"
"""PyVRP from its own start."""

WARM_PYVRP: Final = "pyvrp-warm"
"""PyVRP from our solution, which has 80 % of the time."""

BENCH_METHODS: Final = (*METHOD_NAMES, PYVRP, WARM_PYVRP)
"""What a benchmark can run by name; see ``names_function`` for others."""

_FUNCTION: Final = re.compile(r".+\.py:\w+")


def names_function(method: str) -> bool:
    """Whether a method is a function of a file: ``FILE.py:FUNCTION``."""
    return _FUNCTION.fullmatch(method) is not None


@cache
def function_of(method: str) -> Solver:
    """Return the function that ``FILE.py:FUNCTION`` names.

    It is called with an instance, a seed and a time limit in seconds, or
    ``None``, and returns routes: a ``Solution``, or the customers of each.

    Raises
    ------
    ParameterError
        If the file has no such function.
    """
    file, _, name = method.rpartition(":")
    found = runpy.run_path(file).get(name)
    if not callable(found):
        raise ParameterError(f"method {method} must name a function.")
    solver: Solver = found
    return solver


def solve_by_function(
    instance: Instance, method: str, seed: int, seconds: float | None
) -> Result:
    """Solve an instance by a function of a file, and check its routes.

    Whatever it raises is one kind of error.
    """
    from ncc_routing.problems.checking import check_solution
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.result import Result, Stage

    start = time.perf_counter()
    try:
        found = function_of(method)(instance, seed, seconds)
    except NccRoutingError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise NccRoutingError(f"method {method} failed: {reason}") from error
    if not isinstance(found, Solution):
        found = Solution.from_routes(instance, found)
    taken = time.perf_counter() - start
    for broken in check_solution(instance, found):
        raise NccRoutingError(f"method {method}: {broken.message}")
    return Result(
        instance=instance,
        best=found,
        method=method,
        polish=NO_IMPROVEMENT,
        seed=seed,
        stages=(Stage("function", taken, found.cost),),
        runtime=taken,
    )


def solve_by_pyvrp(
    instance: Instance, seed: int, seconds: float | None
) -> Result:
    """Solve an instance by PyVRP within a time limit, its set-up included."""
    # Imported here: the command reads only the names.
    from ncc_routing.pyvrp.search import solve_alone
    from ncc_routing.vrp.result import Result, Stage

    if seconds is None:
        raise ParameterError(f"{PYVRP} needs a time limit.")
    best, trace = solve_alone(instance, seed, seconds)
    taken = trace[-1].seconds if trace else seconds
    return Result(
        instance=instance,
        best=best,
        method=PYVRP,
        polish=NO_IMPROVEMENT,
        seed=seed,
        stages=(Stage(PYVRP, taken, best.cost),),
        runtime=taken,
        trace=trace,
    )
