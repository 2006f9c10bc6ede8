"""Every argument and option that more than one verb takes, declared once."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ncc_routing.core.extras import require_extra
from ncc_routing.core.printable import printable
from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.plotting import figures
from ncc_routing.plotting.figures import FIGURE_SUFFIXES
from ncc_routing.vrp.methods import METHOD_NAMES, METHODS, POLISH_NAMES
from ncc_routing.vrp.tours.routers import ROUTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

Params = TypeVar("Params")

CLUSTERS_SUFFIXES = (*FIGURE_SUFFIXES, ".html")
"""What clusters can be drawn into."""

ROUTES_SUFFIXES = (*CLUSTERS_SUFFIXES, ".geojson")
"""What routes can be drawn into."""

DEFAULT_SIZE = "{:g}x{:g}".format(*figures.DEFAULT_SIZE)
"""Width and height of a picture in inches."""


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return a callback that takes one of ``names`` and nothing else."""

    def check(value: str) -> str:
        if value not in names:
            raise typer.BadParameter(
                f"{value!r} is not one of {', '.join(names)}."
            )
        return value

    return check


def completing(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what completes the beginning of one of ``names``."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


def completing_list(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what completes the last of some ``names`` between commas."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{n}" for n in completing(names)(last)]

    return complete


def completing_known_names(incomplete: str) -> list[str]:
    """Complete the name of an instance on this machine."""
    from ncc_routing.io.names import known_names

    return completing(known_names())(incomplete)


def completing_public_names(incomplete: str) -> list[str]:
    """Complete the name of an instance that can be fetched."""
    from ncc_routing.io.names import public_names

    return completing(public_names())(incomplete)


def positive_seconds(value: float | None) -> float | None:
    """Return a time limit: a positive number of seconds, or none."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise typer.BadParameter("must be a positive number of seconds.")
    return value


def file_of(suffixes: tuple[str, ...]) -> Callable[..., Path | None]:
    """Return a callback that takes files with one of ``suffixes``."""

    def check(value: Path | None) -> Path | None:
        if value is not None and value.suffix.lower() not in suffixes:
            raise typer.BadParameter(
                f"{printable(str(value))}: the suffix must be "
                f"{' or '.join(suffixes)}."
            )
        if value is not None and value.suffix.lower() in FIGURE_SUFFIXES:
            require_extra("matplotlib")  # said before the work, not after it
        return value

    return check


def figure_size(value: str) -> tuple[float, float]:
    """Return width and height in inches of a text such as 7x5."""
    try:
        width, height = map(float, value.lower().split("x"))
    except ValueError:
        width = height = math.nan
    if not (math.isfinite(width * height) and min(width, height) > 0):
        raise typer.BadParameter(
            f"{value!r}: must be width and height in inches, such as 7x5."
        )
    return width, height


def _size(value: str) -> str:
    figure_size(value)
    return value


def jobs(value: int) -> int:
    """Return a number of cores: at least 1, or -1 for all."""
    if value < 1 and value != -1:
        raise typer.BadParameter("must be at least 1, or -1 for every core.")
    return value


def parameters(context: typer.Context, kind: type[Params]) -> Params:
    """Return the parameters of a run: a file, and options on top of it.

    Parameters
    ----------
    context
        The options of the verb by the names of the parameters, and which of
        them the user typed: those that he did not type count where the file
        of ``--params`` says nothing.
    kind
        ``SolveParams`` or ``ClusterParams``.
    """
    from ncc_routing.core.params import build_params
    from ncc_routing.io.toml import read_params

    file = context.params["params"]
    stated = {} if file is None else read_params(file)
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    typed = {
        name: value
        for name, value in context.params.items()
        if name in names and (name not in stated or was_typed(context, name))
    }
    return build_params(kind, {**stated, **typed}, str(file or ""))


def require_one_stream(*files: object) -> None:
    """Refuse two files that are both to come from standard input."""
    if sum(str(file) == "-" for file in files) > 1:
        raise typer.BadParameter("standard input can be one file only.")


def require_single(count: int, option: str) -> None:
    """Refuse more than one thing for standard output."""
    if count != 1:
        raise typer.BadParameter(f"{option} must be 1 for standard output.")


def was_typed(context: typer.Context, name: str) -> bool:
    """Whether the user gave an option; its default does not count."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


InstanceArgument = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE",
        help="VRPLIB file, table of customers (.csv, .json), name of a "
        "known instance, or - for standard input.",
        autocompletion=completing_known_names,
        show_default=False,
    ),
]
SolutionArgument = Annotated[
    Path,
    typer.Argument(
        metavar="SOLUTION",
        help="Routes as solve writes them: .sol, .csv or .json; or - for a "
        "solution on standard input.",
        show_default=False,
    ),
]
MethodOption = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        callback=one_of(METHOD_NAMES),
        autocompletion=completing(METHOD_NAMES),
        help="How the first routes are made: auto (what suits polish and "
        f"instance), {', '.join(METHODS)}.",
    ),
]
ScorerOption = Annotated[
    Path | None,
    typer.Option(
        "--scorer",
        metavar="FILE",
        help="Trained weights for the methods of the network, as "
        "ncc-route train writes them.",
        show_default="those of the package",
    ),
]
PolishOption = Annotated[
    str,
    typer.Option(
        "--polish",
        metavar="NAME",
        callback=one_of(POLISH_NAMES),
        autocompletion=completing(POLISH_NAMES),
        help=f"How the routes are improved: {', '.join(POLISH_NAMES)}; auto "
        "is the choice of the package, ruin and recreate.",
    ),
]
RouterOption = Annotated[
    str,
    typer.Option(
        "--router",
        metavar="NAME",
        callback=one_of(ROUTERS),
        autocompletion=completing(ROUTERS),
        help=f"How one route is found: {', '.join(ROUTERS)}. lkh comes "
        "with the extra of that name, for non-commercial use.",
        show_default="lkh where it is installed, else local-search",
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        metavar="NAME",
        callback=one_of(METRIC_NAMES),
        autocompletion=completing(METRIC_NAMES),
        help="cvrplib: distances rounded as the file says; paper: "
        "unrounded, coordinates / 1000; round, trunc, dimacs, exact, none: "
        "as PyVRP's reader.",
    ),
]
TimeLimitOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        callback=positive_seconds,
        help="Seconds from reading the input to the written answer; the "
        "start of the program comes on top. At least 0.5 to be kept.",
        show_default="no limit",
    ),
]
SolveTimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        callback=positive_seconds,
        help="Seconds from reading the instance to the written answer; the "
        "start of the program comes on top. At least 0.5 to be kept.",
        show_default="with a polish n / 100, at least 2 and at most 60",
    ),
]
ProgressOption = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        help="Show stage, time and best cost on stderr.",
        show_default="where stderr is a terminal",
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, help="Random seed.")
]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        callback=jobs,
        help="Number of runs at a time; -1 for one on each core.",
    ),
]
SolveJobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        callback=jobs,
        help="Cores that the polish may use; -1 for all.",
    ),
]
ParamsOption = Annotated[
    Path | None,
    typer.Option(
        "--params",
        metavar="FILE",
        help="TOML file with parameters, those of the algorithms in tables "
        "of their name. An option that is typed counts more.",
        show_default=False,
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON object instead of text."),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=file_of(ROUTES_SUFFIXES),
        help="Draw the routes into a .png or .svg file, an interactive "
        ".html page, or a .geojson file for maps.",
        show_default=False,
    ),
]
ClustersPlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=file_of(CLUSTERS_SUFFIXES),
        help="Draw the clusters into a .png or .svg file or an interactive "
        ".html page.",
        show_default=False,
    ),
]
SizeOption = Annotated[
    str,
    typer.Option(
        "--size",
        metavar="WxH",
        callback=_size,
        help="Inches of a .png or .svg picture.",
    ),
]
DpiOption = Annotated[
    int,
    typer.Option(
        "--dpi", metavar="N", min=1, help="Pixels per inch of a .png picture."
    ),
]
FigureOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=file_of(ROUTES_SUFFIXES),
        help="Picture to write (.png or .svg), interactive page (.html), "
        "or map data (.geojson).",
        show_default=False,
    ),
]
HullsOption = Annotated[
    bool,
    typer.Option(
        "--hulls/--no-hulls",
        help="Shade the convex hull of the customers of each route.",
    ),
]
ReferenceOption = Annotated[
    Path | None,
    typer.Option(
        "--reference",
        metavar="FILE",
        help="Routes of another day, or districts: a solution (.sol, or - "
        "for standard input), a table with id and route or district (.csv), "
        "or a whole result (.json).",
        show_default=False,
    ),
]
ReferenceInstanceOption = Annotated[
    Path | None,
    typer.Option(
        "--reference-instance",
        metavar="FILE",
        help="The instance of the other day, where its customers have other "
        "numbers: they are known again by their ids or places.",
        show_default="the numbers of the instance",
    ),
]
BksOption = Annotated[
    str | None,
    typer.Option(
        "--bks",
        metavar="FILE|VALUE",
        help="Best-known solution to compare with (.sol, .csv, .json).",
        show_default="the .sol file beside the instance",
    ),
]
