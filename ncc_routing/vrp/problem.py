"""Every form of a problem as an instance, and the check of the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.text_files import describe_value
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.odd_lengths import require_distances
from ncc_routing.problems.read_problem import ReadProblem
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.unserved import without_required

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyvrp

    from ncc_routing.desk.tables import TableSource
    from ncc_routing.problems.routes.solution import Solution

    PyvrpProblem = pyvrp.ProblemData | pyvrp.Model
    Problem = (
        Instance
        | ReadProblem
        | str
        | PathLike[str]
        | TableSource
        | PyvrpProblem
    )


def as_instance(problem: Problem) -> Instance:
    """Return an instance of what the entry points take.

    That is an instance; a file of VRPLIB, a table or VROOM's JSON, by its
    suffix; the name of a known instance; a table that says all (a data frame,
    a mapping, a list of mappings); and PyVRP's data or model.
    ``ParameterError`` is raised for any other type, and ``InstanceError`` if
    rounding makes all distances zero.
    """
    return with_start(problem)[0]


def with_start(problem: Problem) -> tuple[Instance, Solution | None]:
    """Return an instance as ``as_instance``, and its routes to start from.

    VROOM's JSON may have such routes.
    """
    if isinstance(problem, Instance):
        return _seen(problem), None
    if isinstance(problem, ReadProblem):
        return _seen(problem.instance), problem.start
    if is_pyvrp(problem):
        from ncc_routing.pyvrp.adapter import from_problem_data

        return from_problem_data(problem), None
    # Imported here: an instance needs no reader.
    from ncc_routing.desk.problem import read_with_form
    from ncc_routing.desk.table_options import TableOptions
    from ncc_routing.desk.tables import is_table

    if isinstance(problem, str | PathLike) or is_table(problem):
        return with_start(read_with_form(TableOptions(), problem))
    raise ParameterError(
        "the problem must be an Instance, a file, a name, a table, or PyVRP's "
        f"ProblemData or Model, got {describe_value(problem)}."
    )


def _seen(instance: Instance) -> Instance:
    require_distances(instance)
    return instance


def require_several(problems: object) -> Iterable[Any]:
    """Return problems, of which any may be wrong; refuse one alone."""
    from ncc_routing.desk.tables import is_arrow, is_frame

    is_one = isinstance(problems, (str, PathLike, Mapping))
    is_one = is_one or is_frame(problems) or is_arrow(problems)
    if isinstance(problems, Iterable) and not is_one:
        return problems
    raise ParameterError(
        "problems must be a list of problems, or anything that yields some, "
        f"got {describe_value(problems)}."
    )


def checked_answer(
    problem: Problem,
    instance: Instance,
    solution: Solution,
    unserved: Sequence[int] = (),
) -> Solution:
    """Return an answer that keeps every rule of the problem as it was given.

    Those who are ``unserved`` may be left out. PyVRP judges a complete answer
    to its own data as well. Only a defect of a solver raises
    ``NccRoutingError``; it names the broken rule.
    """
    asked = without_required(instance, unserved)
    violations = check_solution(asked, solution)
    broken = [violation.message for violation in violations]
    if not (broken or unserved) and is_pyvrp(problem):
        from ncc_routing.pyvrp.adapter import disagreement

        broken += disagreement(solution, problem)
    for message in broken[:1]:
        raise NccRoutingError(
            f"{instance.name}: the answer breaks a rule: {message}. Please "
            "report this."
        )
    return solution
