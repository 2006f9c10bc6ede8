"""PyVRP's ``solve``, with the search of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.core.events import Callbacks
from ncc_routing.vrp.solve import solve as solve_ours

if TYPE_CHECKING:
    import pyvrp
    from pyvrp.stop import StoppingCriterion

    from ncc_routing.core.events import Progress


class _Iterations(Callbacks):
    """Counts the iterations of all stages."""

    def __init__(self) -> None:
        self.of_stage: dict[str, int] = {}

    def on_progress(self, progress: Progress) -> None:
        before = self.of_stage.get(progress.stage, 0)
        self.of_stage[progress.stage] = max(before, progress.iterations)


def solve(
    data: pyvrp.ProblemData | pyvrp.Model,
    stop: StoppingCriterion,
    seed: int = 0,
    collect_stats: bool = True,
    display: bool = False,
    params: pyvrp.SolveParams | None = None,
    initial_solution: pyvrp.Solution | None = None,
) -> pyvrp.Result:
    """Solve PyVRP's data as ``pyvrp.solve`` does, with our search.

    It takes the place of PyVRP's function: ``from ncc_routing.pyvrp import
    solve``.

    Parameters
    ----------
    data
        A problem of PyVRP, or a model.
    stop
        A criterion of PyVRP. Iterations are those of our search.
    seed
        Seed of the run. Default 0.
    collect_stats
        Whether the result has statistics: the best cost in each iteration,
        all as long until a better one is found. Default yes.
    display
        Whether to show the progress. Default no.
    params
        With parameters of PyVRP, PyVRP's own search runs. Default: ours runs.
    initial_solution
        Routes to begin with. Default: none.

    Returns
    -------
    pyvrp.Result
        If no solution serves all required clients, its best solution leaves
        out as few as possible, and is not feasible.

    Raises
    ------
    UnsupportedProblemError
        If numbers of the data are too large.
    InstanceError
        If there is no client.
    """
    from ncc_routing.pyvrp.adapter import problem_data, to_pyvrp
    from ncc_routing.pyvrp.results import solve_by_pyvrp, to_result

    data = problem_data(data)
    if params is not None:
        return solve_by_pyvrp(
            *(data, stop, seed, collect_stats, display, params),
            initial_solution,
        )
    counter = _Iterations()
    result = solve_ours(
        data,
        stop,
        seed=seed,
        initial_solution=initial_solution,
        allow_unserved=True,
        callbacks=counter,
        display=display,
    )
    trace = [(point.seconds, point.cost) for point in result.trace]
    return to_result(
        to_pyvrp(result.best, data),
        trace or [(0.0, result.best.cost)],
        sum(counter.of_stage.values()),
        result.runtime,
        collect_stats=collect_stats,
    )
