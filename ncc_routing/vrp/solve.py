"""Solving a problem, and warm starts for PyVRP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.params import chosen
from ncc_routing.core.text_files import describe_value
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.steps import run_steps

if TYPE_CHECKING:
    from typing import Unpack

    import pyvrp

    from ncc_routing.core.budget import Budget
    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.vrp.initial_solution import InitialSolution
    from ncc_routing.vrp.params import SolveOptions
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.result import Result

WARM_START_SECONDS: Final = 2.0
"""Time for a warm start where the caller sets no limit."""


def solve(
    problem: Problem,
    stop: AnyStop | Budget | None = None,
    *,
    initial_solution: InitialSolution | None = None,
    bound_seconds: float | None = None,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
    **options: Unpack[SolveOptions],
) -> Result:
    """Solve a vehicle routing problem: make first routes, then improve them.

    Ctrl-C ends the run with the best solution so far; a second one raises.

    Parameters
    ----------
    problem
        An ``Instance``; a VRPLIB file, or a table (.csv, .tsv, .json, .xlsx);
        the name of a known instance; a table as a DataFrame, a mapping of
        columns or a list of mappings (:func:`ncc_routing.read` makes an
        instance of several tables); or PyVRP's ``ProblemData`` or ``Model``.
    stop
        When to end, beside ``time_limit``: a criterion of
        :mod:`ncc_routing.core.stopping`, one of PyVRP's, or a function of the
        best cost that returns whether to stop. Iterations are those of each
        search of the improvement; with a limit of them there is no default
        time limit. A ``TimeLimit`` or PyVRP's ``MaxRuntime`` is one of the
        whole run; ``TimeLimit(10, clock=time.process_time)`` measures it by
        another clock, and its method ``expire`` ends the run at once. Default:
        none.
    initial_solution
        Routes in place of the construction: a ``Solution``, a ``Result``, a
        file in any form that ``ncc-route solve`` writes, PyVRP's ``Solution``,
        or lists of customers, by number or as texts by id. Routes that omit
        customers or break a rule are repaired; the log and ``Result.phases``
        say so. Default: none.
    bound_seconds
        Seconds for a proven lower bound after the search, beyond
        ``time_limit``: ``Result.lower_bound``. It goes on until the plan is
        proven to be optimal, and takes a cheaper one that it meets. With two
        ``jobs`` or more, one of them searches it beside the routes, and a
        proof ends the run. With the criterion ``BoundGap`` it begins before
        the search. Default: no bound.
    params
        All parameters of the run, also those of its algorithms:
        ``SolveParams(ruin_recreate={"mean_removed": 12})``. Default:
        ``SolveParams()``.
    callbacks
        Called at the start, at each better solution, and at the end.
    display
        Whether to show the progress on stderr. Default no.
    **options
        Fields of :class:`ncc_routing.SolveParams`; one that is given replaces
        that of ``params``: ``solve(instance, method="savings", seed=2)``.

    Returns
    -------
    Result
        Its solution has passed ``check_solution`` for the given problem,
        except for ``unserved`` customers.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range, or the initial solution has
        an unknown customer, one twice, or is given with a construction.
    InstanceError
        If a file or a table is missing or wrong.
    UnsupportedProblemError
        If the method or the improvement does not accept the instance.
    InfeasibleError
        If none is found; its ``solution`` has the fewest absent customers.
    MissingDependencyError
        If the method or the improvement needs a package that is not installed.
    """
    asked = chosen(SolveParams, params, **options)
    if asked.max_extra_cost is None:
        return run_steps(
            problem,
            stop,
            asked,
            initial_solution=initial_solution,
            bound_seconds=bound_seconds,
            callbacks=callbacks,
            display=display,
        )
    # Imported here: few runs have it.
    from ncc_routing.vrp.reshape import reshape

    if initial_solution is None:
        raise ParameterError(
            "max_extra_cost needs an initial solution, whose cost it is a "
            "share of."
        )
    if bound_seconds is not None:
        raise ParameterError("bound_seconds does not go with max_extra_cost.")
    return reshape(
        problem, initial_solution, stop, asked, callbacks, display=display
    )


def warm_start(
    data: pyvrp.ProblemData | pyvrp.Model,
    stop: AnyStop | None = None,
    *,
    initial_solution: InitialSolution | None = None,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
    **options: Unpack[SolveOptions],
) -> pyvrp.Solution:
    """Return a complete, feasible start for PyVRP.

    It is the solution of :func:`solve`, which is quick by default.

    Parameters
    ----------
    data
        A problem that ``nr.pyvrp.supports`` accepts, as PyVRP's data or model.
        For others, use ``solve``.
    stop, initial_solution, params, callbacks, display, **options
        As for :func:`solve`. Default: savings, or insertion beyond the CVRP,
        then ruin and recreate for the rest of the time. ``time_limit``
        includes the conversion of the data; it is 2 by default, unless
        ``stop`` limits time or iterations. 80 % of a total budget is a good
        choice.

    Returns
    -------
    pyvrp.Solution
        The ``initial_solution`` for ``pyvrp.solve``.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range.
    UnsupportedProblemError
        If the data has an unsupported feature, which the message names.
    InstanceError
        If a demand exceeds every capacity, or there is no client.
    InfeasibleError
        If no feasible plan is found, as by :func:`solve`.
    """
    from ncc_routing.pyvrp.adapter import problem_data, to_pyvrp

    if not is_pyvrp(data):
        raise ParameterError(
            "warm_start returns a pyvrp.Solution and so takes PyVRP's "
            f"ProblemData or Model, got {describe_value(data)}: call solve, "
            "or give pyvrp.adapter.to_problem_data(instance)."
        )
    params = chosen(SolveParams, params, **options)
    params.require_all_served("warm_start")
    budget = budget_of(stop, params.time_limit).or_within(WARM_START_SECONDS)
    data = problem_data(data)
    result = solve(
        data,
        budget,
        initial_solution=initial_solution,
        params=params,
        callbacks=callbacks,
        display=display,
    )
    return to_pyvrp(result.best, data)
