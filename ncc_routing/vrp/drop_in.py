"""PyVRP's ``solve``, with the search of this package."""

from __future__ import annotations

import logging
import math
from itertools import chain
from typing import TYPE_CHECKING, Final

from ncc_routing.core.events import Callbacks
from ncc_routing.core.exceptions import (
    InstanceError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.methods import IMPROVEMENTS
from ncc_routing.vrp.params import FEWEST_VEHICLES, SolveParams
from ncc_routing.vrp.problem import as_instance
from ncc_routing.vrp.solve import solve as solve_ours
from ncc_routing.vrp.stages import choose_method

if TYPE_CHECKING:
    import pyvrp
    from pyvrp.stop import StoppingCriterion

    from ncc_routing.core.events import Progress
    from ncc_routing.pyvrp.results import Printed
    from ncc_routing.vrp.problem import Problem


_logger = logging.getLogger(__name__)

_PER_ITERATION: Final = ((50, 50), (200, 180), (math.inf, 300))
"""Iterations of this package in the time of one of PyVRP, up to so many
clients (``docs/reference/pyvrp.md``)."""


_BY_PYVRP: Final = (
    "params of PyVRP are given: PyVRP's own search runs. Leave them out for "
    "that of ncc_routing."
)


class _Iterations(Callbacks):
    """Counts the iterations of all stages, as those of PyVRP."""

    def __init__(self, each: int, printed: Printed) -> None:
        self._each, self._printed = each, printed
        self._of_stage: dict[str, int] = {}

    @property
    def number(self) -> int:
        return sum(self._of_stage.values()) // self._each

    def on_progress(self, progress: Progress) -> None:
        before = self._of_stage.get(progress.stage, 0)
        self._of_stage[progress.stage] = max(before, progress.iterations)
        if progress.cost is not None:
            self._printed.show(
                *(self.number, progress.seconds, progress.cost),
                is_whole=progress.unserved == 0,
            )


def solve(  # noqa: PLR0913 - PyVRP's parameters, and one more
    data: pyvrp.ProblemData | pyvrp.Model,
    stop: StoppingCriterion,
    seed: int = 0,
    collect_stats: bool = True,
    display: bool = False,
    params: pyvrp.SolveParams | None = None,
    initial_solution: pyvrp.Solution | None = None,
    *,
    all_clients: bool = False,
) -> pyvrp.Result:
    """Solve PyVRP's data as ``pyvrp.solve`` does, with our search.

    It takes the place of PyVRP's function: ``from ncc_routing.pyvrp import
    solve``.

    Parameters
    ----------
    data
        A problem of PyVRP, or a model.
    stop
        A criterion of PyVRP. One of its iterations counts as as many of ours
        as take its time.
    seed
        Seed of the run. Default 0.
    collect_stats
        Whether the result has statistics: the best cost in each iteration,
        all as long until a better one is found. Default yes.
    display
        Whether to print the progress as PyVRP does. Default no.
    params
        With parameters of PyVRP, PyVRP's own search runs, and the log says so.
        Default: ours runs.
    initial_solution
        Routes to begin with. Default: none.
    all_clients
        Whether the best solution has all required clients where no plan serves
        them: it then has too much load, or is late, as PyVRP's. Default no.

    Returns
    -------
    pyvrp.Result
        If no solution serves all required clients, its best solution is not
        feasible: it leaves out as few as possible, or none with
        ``all_clients``.

    Raises
    ------
    UnsupportedProblemError
        If numbers of the data are too large.
    InstanceError
        If there is no client.
    """
    from ncc_routing.pyvrp.adapter import problem_data, to_pyvrp
    from ncc_routing.pyvrp.results import (
        Printed,
        on_stdout,
        solve_by_pyvrp,
        to_result,
        with_all_clients,
    )

    data = problem_data(data)
    if params is not None:
        _logger.warning(_BY_PYVRP)
        with on_stdout(display=display):
            return solve_by_pyvrp(
                *(data, stop, seed, collect_stats, display, params),
                initial_solution,
            )
    each = _per_iteration(data)
    with on_stdout(display=display):
        printed = Printed(data, display=display and collect_stats)
        counter = _Iterations(each, printed)
        result = solve_ours(
            data,
            budget_of(stop, per_iteration=each),
            seed=seed,
            initial_solution=initial_solution,
            allow_unserved=True,
            callbacks=counter,
        )
        best = to_pyvrp(result.best, data)
        if all_clients:
            best = with_all_clients(best, data, seed)
        trace = [(point.seconds, point.cost) for point in result.trace]
        answer = to_result(
            best,
            trace or [(0.0, result.best.cost)],
            counter.number,
            result.runtime,
            collect_stats=collect_stats,
        )
        printed.end(answer)
    return answer


def minimise_fleet(
    data: pyvrp.ProblemData,
    stop: StoppingCriterion,
    seed: int = 0,
    params: pyvrp.SolveParams | None = None,
) -> pyvrp.VehicleType:
    """Return a smaller fleet as ``pyvrp.minimise_fleet`` does, by our search.

    Parameters
    ----------
    data
        A problem of PyVRP with one vehicle type.
    stop, seed, params
        As for :func:`solve`.

    Returns
    -------
    pyvrp.VehicleType
        The vehicle type with as few vehicles as are found to serve all
        clients; as it is if none are found.

    Raises
    ------
    ValueError
        If there are several vehicle types, or optional clients, as by PyVRP.
    """
    from ncc_routing.pyvrp.results import minimise_by_pyvrp

    is_simple = data.num_vehicle_types == 1
    if params is not None or not (
        is_simple and all(client.required for client in data.clients())
    ):
        if params is not None:
            _logger.warning(_BY_PYVRP)
        more = () if params is None else (params,)
        return minimise_by_pyvrp(data, stop, seed, *more)
    given = data.vehicle_type(0)
    result = solve_ours(
        data,
        budget_of(stop, per_iteration=_per_iteration(data)),
        seed=seed,
        allow_unserved=True,
        objective=FEWEST_VEHICLES,
    )
    if result.unserved or result.num_routes >= given.num_available:
        return given
    return given.replace(num_available=result.num_routes)


def _per_iteration(data: pyvrp.ProblemData) -> int:
    """Return how many iterations of ours take the time of one of PyVRP."""
    return next(n for most, n in _PER_ITERATION if data.num_clients <= most)


def supports(problem: Problem) -> list[str]:
    """Return the reasons for which a problem is refused.

    They are those of ``warm_start``, and of ``solve`` with defaults.

    Parameters
    ----------
    problem
        As for :func:`ncc_routing.solve`.

    Returns
    -------
    list[str]
        Unsupported features in words; empty if the problem is supported.

    Raises
    ------
    ParameterError, InstanceError
        If it is not a problem, or a file or a table is wrong.
    """
    try:
        instance = as_instance(problem)
    except InstanceError as error:
        if is_pyvrp(problem) or isinstance(error, UnsupportedProblemError):
            return [str(error)]
        raise
    instance = Prepared.of(instance).searched
    params = SolveParams()
    steps = (choose_method(params, instance), IMPROVEMENTS[params.polish])
    refused = [step.refused(instance.features) for step in steps]
    return list(dict.fromkeys(chain.from_iterable(refused)))
