"""Every form of a problem as an instance, and the check of the answer."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, TypeGuard

from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.io.vrplib import read
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding_loss import require_distances

if TYPE_CHECKING:
    import pyvrp

    from ncc_routing.problems.solution import Solution

    Problem = Instance | str | PathLike[str] | pyvrp.ProblemData | pyvrp.Model


def as_instance(problem: Problem) -> Instance:
    """Return an instance of a file, a known name, or PyVRP's data or model.

    Raises ``ParameterError`` for any other type, and ``InstanceError`` if
    rounding makes all distances zero.
    """
    if isinstance(problem, Instance):
        require_distances(problem)
        return problem
    if isinstance(problem, str | PathLike):
        return read(problem)
    if is_pyvrp(problem):
        from ncc_routing.vrp.pyvrp_adapter import from_problem_data

        return from_problem_data(problem)
    raise ParameterError(
        "the problem must be an Instance, a file, a name, or PyVRP's "
        f"ProblemData or Model, got {type(problem).__name__}."
    )


def is_pyvrp(problem: object) -> TypeGuard[pyvrp.ProblemData | pyvrp.Model]:
    """Whether something is of a class of PyVRP, which is not imported here."""
    return type(problem).__module__.partition(".")[0] == "pyvrp"


def checked_answer(
    problem: Problem, instance: Instance, solution: Solution
) -> Solution:
    """Return an answer that keeps every rule of the problem as it was given.

    PyVRP judges the answer to its own data as well. Only a defect of a solver
    raises ``NccRoutingError``; it names the broken rule.
    """
    broken = [found.message for found in check_solution(instance, solution)]
    if not broken and is_pyvrp(problem):
        from ncc_routing.vrp.pyvrp_adapter import disagreement

        broken += disagreement(solution, problem)
    for message in broken[:1]:
        raise NccRoutingError(
            f"{instance.name}: the answer breaks a rule: {message}. Please "
            "report this."
        )
    return solution
