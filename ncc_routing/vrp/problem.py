"""Whatever stands for a problem, as an instance."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.io.vrplib import read
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding_loss import require_distances
from ncc_routing.problems.simplification import simplify

if TYPE_CHECKING:
    import pyvrp

    Problem = Instance | str | PathLike[str] | pyvrp.ProblemData | pyvrp.Model


def as_instance(problem: Problem) -> Instance:
    """Return an instance.

    Parameters
    ----------
    problem
        An instance, which comes back without the parts that change nothing;
        a file or the name of a known instance; PyVRP's data or its model.

    Raises
    ------
    ParameterError
        If it is nothing of that.
    InstanceError, UnsupportedProblemError
        If the file or the data are wrong, or hold what no instance can
        hold, or rounding leaves nothing of the distances of an instance.
    """
    if isinstance(problem, Instance):
        require_distances(problem)
        simple = simplify(problem)
        # Types that became one could no longer be told apart in an answer.
        is_same = len(simple.vehicle_types) == len(problem.vehicle_types)
        return simple if is_same else problem
    if isinstance(problem, str | PathLike):
        return read(problem)
    kind = type(problem)
    # A class of PyVRP exists only where somebody has imported it.
    if kind.__module__.partition(".")[0] == "pyvrp":
        from ncc_routing.vrp.pyvrp_instances import from_problem_data

        return from_problem_data(problem)
    raise ParameterError(
        "the problem must be an Instance, a file, a name, or PyVRP's "
        f"ProblemData or Model, got {kind.__name__}."
    )
