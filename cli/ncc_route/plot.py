"""``ncc-route plot``: a solution as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import require_writable, say
from ncc_route.tables import READ, Reader
from ncc_routing.plotting.figures import DEFAULT_DPI, FIGURE_SUFFIXES
from ncc_routing.vrp.route_files import (
    PICTURE_SUFFIXES,
    draw_routes,
    require_options,
)

FigureOption = Annotated[
    Path,
    options.output(
        "Picture to write (.png or .svg), interactive page (.html), or map "
        "data (.geojson).",
        callback=options.file_of(PICTURE_SUFFIXES),
    ),
]
HullsOption = Annotated[
    bool,
    typer.Option(
        "--hulls/--no-hulls",
        help="Shade the convex hull of the customers of each route.",
    ),
]
TimetableOption = Annotated[
    bool,
    typer.Option(
        "--timetable",
        help="Draw the day of each vehicle in place of a map (.png, .svg).",
    ),
]


@verb(read=READ)
def plot(  # noqa: PLR0913 (typer: one parameter for each option)
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    output: FigureOption,
    hulls: HullsOption = False,
    timetable: TimetableOption = False,
    reference: options.ReferenceOption = None,
    reference_instance: options.ReferenceInstanceOption = None,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
    tiles: options.TilesOption = None,
    *,
    read: Reader,
) -> None:
    """Draw the routes of a solution: PNG, SVG, HTML or GeoJSON.

    With a reference, a .png or .svg picture has the colours of its districts.
    """
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.desk.routes import read_plan
    from ncc_routing.problems.routes.checking import check_solution
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import absent_of, left_out_of

    options.require_one_stream(instance, solution, reference)
    require_writable(output)
    suffix = output.suffix.lower()
    problem = read(instance)
    stated = read_plan(solution, problem)
    routes, vehicle_types = stated.routes, stated.vehicle_types
    broken = check_solution(problem, Solution(routes, 0.0, vehicle_types))
    unknown = [v for v in broken if v.kind == "unknown"]
    if unknown:
        raise ParameterError(f"{solution}: {unknown[0].message}.")
    # Drawn although a rule may be broken: a figure helps to see it.
    drawn = Solution.from_routes(problem, routes, vehicle_types)
    absent = (*absent_of(problem, drawn), *left_out_of(problem, drawn))
    labels = read.labels_of(problem, reference, reference_instance)
    if hulls:
        require_options(output, ("hulls",))
    if timetable:
        require_options(output, ("timetable",))
    if tiles is not None:
        require_options(output, ("tiles",))
    if reference is not None and suffix not in FIGURE_SUFFIXES:
        names = " or ".join(FIGURE_SUFFIXES)
        raise ParameterError(f"--reference is for a figure ({names}).")
    is_default = timetable and size == options.DEFAULT_SIZE
    draw_routes(
        *(output, problem, drawn, absent),
        hulls=hulls,
        timetable=timetable,
        tiles=tiles,
        labels=labels,
        size=None if is_default else options.figure_size(size),
        dpi=dpi,
    )
    say(f"{'figure':<10}{output}")
