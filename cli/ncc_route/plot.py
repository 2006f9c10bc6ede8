"""``ncc-route plot``: a solution as a picture."""

import typer

from ncc_route import options
from ncc_route.output import require_writable
from ncc_route.pictures import draw_routes
from ncc_routing.plotting.figures import DEFAULT_DPI


def plot(
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    output: options.FigureOption,
    hulls: options.HullsOption = False,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
) -> None:
    """Draw the routes of a solution: PNG, SVG, HTML or GeoJSON."""
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.io.vrplib import read, read_solution
    from ncc_routing.problems.checking import check_solution
    from ncc_routing.problems.solution import Solution

    require_writable(output)
    problem = read(instance)
    stated = read_solution(solution)
    broken = check_solution(problem, Solution(stated.routes, 0.0))
    unknown = [v for v in broken if v.kind == "unknown"]
    if unknown:
        raise ParameterError(f"{solution}: {unknown[0].message}.")
    # Drawn although a rule may be broken: a figure helps to see it.
    drawn = Solution.from_routes(problem, stated.routes)
    draw_routes(output, problem, drawn, hulls=hulls, size=size, dpi=dpi)
    typer.echo(f"{'figure':<10}{output}")
