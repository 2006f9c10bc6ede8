"""``ncc-route check``: the cost of a solution and the rules it breaks."""

from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import (
    format_cost,
    measures_json,
    measures_lines,
    print_json,
    say,
)
from ncc_route.solve import SOME_UNSERVED
from ncc_route.tables import READ, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.desk.routes import StatedRoutes
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.checking import Violation
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved

_OF_LENGTHS = (
    *("window", "break", "shift", "hours", "distance", "driving"),
    *("waiting", "wait"),
    *("cost", "stated"),
)
"""Kinds of violations that follow from lengths, among others."""

_PLANNED = "the shortest ones, as the file states none"
"""What times are judged of a file without any."""

ShapesOption = Annotated[
    bool,
    typer.Option(
        "--shapes",
        help="Measure how compact the routes are, if they are feasible.",
    ),
]


@verb(read=READ)
def check(
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    shapes: ShapesOption = False,
    reference: options.ReferenceOption = None,
    reference_instance: options.ReferenceInstanceOption = None,
    json: options.JsonOption = False,
    *,
    read: Reader,
) -> None:
    """Recompute the cost of a solution and list every violation.

    The times, loads and distances that an answer states are held against the
    problem too.

    The stated cost may be in the unit of the instance file, which the
    metrics dimacs and exact scale. The exit code is 1 if there is a violation
    or the stated cost is wrong; routes with a wrong cost are still feasible.
    It is 3 if only orders of a table are unserved.
    """
    from ncc_routing.bench.records import whole
    from ncc_routing.desk.routes import read_plan
    from ncc_routing.desk.stated import check_statements
    from ncc_routing.problems.routes.checking import check_solution
    from ncc_routing.problems.routes.references import measure_consistency
    from ncc_routing.problems.routes.route_shapes import measure_shapes
    from ncc_routing.problems.routes.unserved import (
        left_out_of,
        unserved_lines,
        without_required,
    )

    options.require_one_stream(instance, solution, reference)
    given = read.with_form(instance)
    problem = given.instance
    labels = read.labels_of(problem, reference, reference_instance)
    stated = read_plan(solution, problem)
    plan, cost = _recompute(problem, stated, read.metric)
    absent = problem.unserved(plan.routes) if given.leaves_out else []
    violations = check_solution(without_required(problem, absent), plan)
    if cost not in (None, inf):
        violations += check_statements(solution, problem, plan)
    violations = _with_lines(problem, violations)
    feasible = _is_feasible(violations) and not absent
    unserved = _unserved(problem, plan, violations) if absent else ()
    fitting = _fitting_metric(violations, instance, solution, stated.cost)
    measured = kept = None
    if feasible:
        measured = measure_shapes(problem, plan) if shapes else None
        if labels is not None:
            kept = measure_consistency(labels, plan.routes)
    left_out = left_out_of(problem, plan)
    plans_times = _plans_times(problem, solution)
    if json:
        more: dict[str, object] = _largest(problem, plan) if feasible else {}
        if fitting is not None:
            more["stated_metric"] = fitting
        if shapes:
            more["shapes"] = measures_json(measured)
        if labels is not None:
            more["consistency"] = measures_json(kept)
        print_json(
            {
                "instance": problem.name,
                "solution": str(solution),
                "feasible": feasible,
                "cost": whole(None if cost == inf else cost),
                "stated_cost": whole(stated.cost),
                "num_routes": plan.num_routes,
                "left_out": [one.id for one in left_out],
                "unserved": [asdict(one) for one in unserved],
                **more,
                "routing": problem.straight_lines or None,
                "states_times": not plans_times,
                "violations": [
                    {"kind": v.kind, "message": v.message} for v in violations
                ],
            }
        )
    else:
        _say_each(
            cost=format_cost(cost),
            stated=format_cost(stated.cost),
            routes=str(plan.num_routes),
            lengths=problem.straight_lines,
            times=_PLANNED if plans_times else "",
            left_out=_names(problem, left_out),
        )
        lines = [*measures_lines(measured, kept), *unserved_lines(unserved)]
        lines += _lines_of(violations, fitting)
        say("\n".join([*lines, _verdict(violations, unserved)]))
    if violations:
        raise typer.Exit(1)
    if unserved:
        raise typer.Exit(SOME_UNSERVED)


def _largest(problem: "Instance", plan: "Solution") -> dict[str, object]:
    """Return the largest amounts of a route that objectives make small."""
    from ncc_routing.problems.constraints import LARGEST, MIN_MAX

    amounts = {
        name.removeprefix("min-max-"): plan.largest(problem, limit)
        for name, limit in MIN_MAX.items()
    }
    return {LARGEST: amounts}


def _names(problem: "Instance", left_out: "Sequence[Unserved]") -> str:
    """Return who is left out, in words."""
    nodes = (one.customer for one in left_out)
    return ", ".join(map(problem.describe_node, nodes))


def _say_each(**texts: str) -> None:
    for name, text in texts.items():
        if text:
            say(f"{name.replace('_', ' '):<10}{text}")


def _plans_times(problem: "Instance", solution: Path) -> bool:
    """Whether times that matter are in no file."""
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.desk.stated import states_times
    from ncc_routing.problems.routes.timetable import has_times

    return has_times(problem) and not (
        is_standard_input(solution) or states_times(solution)
    )


def _unserved(
    problem: "Instance", plan: "Solution", violations: "list[Violation]"
) -> "tuple[Unserved, ...]":
    """Return who is unserved, with reasons where the routes are feasible."""
    from ncc_routing.problems.routes.unserved import absent_of
    from ncc_routing.vrp.why.reasons import unserved_of

    is_feasible = _is_feasible(violations)
    return (
        unserved_of(problem, plan) if is_feasible else absent_of(problem, plan)
    )


def _with_lines(
    problem: "Instance", violations: "list[Violation]"
) -> "list[Violation]":
    """Say of what follows from lengths that these are straight lines."""
    from ncc_routing.problems.routes.checking import Violation

    if not problem.straight_lines:
        return violations
    return [
        Violation(one.kind, f"{one.message}, by straight lines")
        if one.kind in _OF_LENGTHS
        else one
        for one in violations
    ]


def _is_feasible(violations: "list[Violation]") -> bool:
    """Whether the routes are: what is stated changes nothing about it."""
    return all(one.kind in ("cost", "stated") for one in violations)


def _fitting_metric(
    violations: "list[Violation]",
    instance: str,
    solution: Path,
    stated: float | None,
) -> str | None:
    """Return the metric of a stated cost that is wrong in the one chosen."""
    from ncc_routing.desk.routes import stated_metric

    if stated is None or all(v.kind != "cost" for v in violations):
        return None
    return stated_metric(instance, solution, stated)


def _verdict(
    violations: "list[Violation]", unserved: "tuple[Unserved, ...]"
) -> str:
    if not _is_feasible(violations):
        return "NOT feasible"
    return "not all served" if unserved else "feasible"


def _lines_of(violations: "list[Violation]", fitting: str | None) -> list[str]:
    """Return a line for each violation.

    The metric ``fitting`` gives the stated cost, if another one does.
    """
    lines = [f"{v.kind:<10}{v.message}" for v in violations]
    if fitting is not None:
        lines.append(f"{'metric':<10}{fitting} gives the stated cost")
    return lines


def _recompute(
    problem: "Instance", stated: "StatedRoutes", metric: str
) -> "tuple[Solution, float | None]":
    from ncc_routing.desk.routes import is_stated
    from ncc_routing.problems.routes.solution import Solution

    routes, vehicle_types = stated.routes, stated.vehicle_types
    said = stated.cost
    visited = {c for route in routes for c in route}
    cost = None  # an unknown customer has no distances
    if visited <= set(range(len(problem.demands))):
        cost = Solution.from_routes(problem, routes, vehicle_types).cost
    if cost is not None and (
        said is None
        or abs(said - cost) <= stated.cost_noise
        or is_stated(said, cost, metric)
    ):
        said = cost
    return Solution(routes, 0.0 if said is None else said, vehicle_types), cost
