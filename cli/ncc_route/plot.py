"""``ncc-route plot``: a solution as a figure."""

import typer

from ncc_route import options, problem_options
from ncc_route.output import require_writable


def plot(
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    output: options.FigureOption,
    hulls: options.HullsOption = False,
    capacity: problem_options.CapacityOption = None,
    depot: problem_options.DepotOption = None,
    matrix: problem_options.MatrixOption = None,
) -> None:
    """Draw the routes of a solution into a PNG or SVG file."""
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.io.customers import read_problem
    from ncc_routing.io.vrplib import read_solution
    from ncc_routing.plotting import plot_solution, save_figure
    from ncc_routing.problems.checking import check_solution
    from ncc_routing.problems.solution import Solution

    options.require_one_stream(instance, solution)
    require_writable(output)
    problem = read_problem(instance, capacity, depot=depot, matrix=matrix)
    stated = read_solution(solution)
    broken = check_solution(problem, Solution(stated.routes, 0.0))
    unknown = [v for v in broken if v.kind == "unknown"]
    if unknown:
        raise ParameterError(f"{solution}: {unknown[0].message}.")
    # Drawn although a rule may be broken: a figure helps to see it.
    drawn = Solution.from_routes(problem, stated.routes)
    save_figure(plot_solution(problem, drawn, hulls=hulls), output)
    typer.echo(f"{'figure':<10}{output}")
