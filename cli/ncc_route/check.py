"""``ncc-route check``: the cost of a solution and the rules it breaks."""

from math import isclose
from typing import Annotated

import typer

from ncc_route import options, problem_options
from ncc_route.output import (
    format_cost,
    print_json,
    say,
    shapes_json,
    shapes_lines,
)

ShapesOption = Annotated[
    bool,
    typer.Option(
        "--shapes",
        help="Measure how compact the routes are, unless a rule is broken.",
    ),
]


def check(  # noqa: PLR0913 (typer: one parameter for each option)
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    metric: options.MetricOption = "cvrplib",
    capacity: problem_options.CapacityOption = None,
    depot: problem_options.DepotOption = None,
    matrix: problem_options.MatrixOption = None,
    shapes: ShapesOption = False,
    json: options.JsonOption = False,
) -> None:
    """Recompute the cost of a solution and list every broken rule.

    The stated cost may be in the unit of the instance file, which the
    metrics dimacs and exact scale. The exit code is 1 where a rule is broken.
    """
    from ncc_routing.benchmarking.records import whole
    from ncc_routing.io.customers import read_problem
    from ncc_routing.io.metrics import METRICS
    from ncc_routing.io.vrplib import read_solution
    from ncc_routing.problems.checking import check_solution
    from ncc_routing.problems.route_shapes import measure_shapes
    from ncc_routing.problems.solution import Solution

    options.require_one_stream(instance, solution)
    problem = read_problem(
        instance, capacity, depot=depot, matrix=matrix, metric=metric
    )
    stated = read_solution(solution)
    routes, vehicle_types = stated.routes_of(problem)
    visited = {c for route in routes for c in route}
    cost = None  # an unknown customer has no distances
    if visited <= set(range(1, problem.num_customers + 1)):
        cost = Solution.from_routes(problem, routes, vehicle_types).cost
    said = stated.cost if stated.cost is not None else cost
    scale = METRICS[metric].scale
    if cost is not None and said is not None and isclose(scale * said, cost):
        said = cost  # stated in the unit of the instance file
    plan = Solution(routes, 0.0 if said is None else said, vehicle_types)
    violations = check_solution(problem, plan)
    measured = None
    if shapes and not violations:
        measured = measure_shapes(problem, plan)
    if json:
        print_json(
            {
                "instance": problem.name,
                "solution": str(solution),
                "feasible": not violations,
                "cost": whole(cost),
                "stated_cost": whole(stated.cost),
                "num_routes": len(routes),
                **({"shapes": shapes_json(measured)} if shapes else {}),
                "violations": [
                    {"kind": v.kind, "message": v.message} for v in violations
                ],
            }
        )
    else:
        say(f"{'cost':<10}{format_cost(cost)}")
        say(f"{'stated':<10}{format_cost(stated.cost)}")
        say(f"{'routes':<10}{len(routes)}")
        for line in shapes_lines(measured):
            say(line)
        for violation in violations:
            say(f"{violation.kind:<10}{violation.message}")
        say("feasible" if not violations else "NOT feasible")
    if violations:
        raise typer.Exit(1)
