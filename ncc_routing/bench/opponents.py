"""What a benchmark runs beside the methods of the package."""

from __future__ import annotations

import os
import re
import runpy
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.text_files import read_text
from ncc_routing.vrp.methods import METHOD_NAMES, NO_IMPROVEMENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.result import Result

    Solver = Callable[[Instance, int, float | None], Any]

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
    ``None``, and returns routes: the customers of each, a ``Solution`` or a
    ``Result``, or those of PyVRP.

    Raises
    ------
    NccRoutingError
        If the file cannot be run, or has no such function.
    """
    file, _, name = method.rpartition(":")
    read_text(Path(file))  # refuses a folder, which runpy would run
    with _as_guest(method):
        found = runpy.run_path(file).get(name)
    if not callable(found):
        raise ParameterError(f"method {method} must name a function.")
    solver: Solver = found
    return solver


@contextmanager
def _as_guest(method: str) -> Iterator[None]:
    """Run code of a file, with the modules beside it.

    It prints to stderr; whatever it raises is one kind of error.
    """
    folder = str(Path(method.rpartition(":")[0]).resolve().parent)
    sys.path.insert(0, folder)
    sys.stdout.flush()
    stdout = os.dup(1)
    os.dup2(2, 1)  # for the programs that it starts
    try:
        with redirect_stdout(sys.stderr):
            yield
    except NccRoutingError:
        raise
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise NccRoutingError(f"method {method} failed: {reason}") from error
    finally:
        os.dup2(stdout, 1)
        os.close(stdout)
        if folder in sys.path:
            sys.path.remove(folder)


def solve_by_function(
    instance: Instance, method: str, seed: int, seconds: float | None
) -> Result:
    """Solve an instance by a function of a file, and check its routes."""
    from ncc_routing.problems.routes.checking import check_solution
    from ncc_routing.vrp.result import Result, Stage

    function = function_of(method)
    start = time.perf_counter()
    with _as_guest(method):
        answer = function(instance, seed, seconds)
        found = _solution_of(answer, instance, method)
        taken = time.perf_counter() - start
        violations = check_solution(instance, found)
    for broken in violations:
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


def _solution_of(answer: Any, instance: Instance, method: str) -> Solution:
    """Return what a function has found."""
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.initial_solution import read_start

    if isinstance(answer, Solution):
        return answer
    if is_pyvrp(answer):
        answer = getattr(answer, "best", answer)
    most = 3 * instance.num_customers  # a vehicle and a reload for each
    if instance.fleet is not None:
        most += len(instance.fleet.all_vehicles(instance.num_customers))
    answer = _listed(answer, most)
    if isinstance(answer, list):
        answer = [_listed(route, most) for route in answer]
    found = read_start(answer, instance, f"method {method}: the answer")
    routes, vehicle_types = found.solution.routes, found.solution.vehicle_types
    return Solution.from_routes(instance, routes, vehicle_types)


def _listed(values: Any, most: int) -> Any:
    """Return the values of an iterator, which may be endless; others stay."""
    if not isinstance(values, Iterator):
        return values
    listed = list(islice(values, most + 1))
    if len(listed) > most:
        raise ValueError(f"more than {most} routes or stops in a row")
    return listed


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
