"""Every argument and option that more than one verb takes, declared once."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.plotting.figures import FIGURE_SUFFIXES
from ncc_routing.vrp.methods import METHOD_NAMES, METHODS, POLISH_NAMES
from ncc_routing.vrp.tours.routers import ROUTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

Params = TypeVar("Params")


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return a callback that takes one of ``names`` and nothing else."""

    def check(value: str) -> str:
        if value not in names:
            raise typer.BadParameter(
                f"{value!r} is not one of {', '.join(names)}."
            )
        return value

    return check


def _positive(value: float | None) -> float | None:
    if value is not None and not (math.isfinite(value) and value > 0):
        raise typer.BadParameter("must be a positive number of seconds.")
    return value


def figure_file(value: Path | None) -> Path | None:
    """Return a file that a figure can be written to."""
    if value is not None and value.suffix.lower() not in FIGURE_SUFFIXES:
        raise typer.BadParameter(
            f"{value}: the suffix must be {' or '.join(FIGURE_SUFFIXES)}."
        )
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
        if name in names and (name not in stated or _was_typed(context, name))
    }
    return build_params(kind, {**stated, **typed}, str(file or ""))


def _was_typed(context: typer.Context, name: str) -> bool:
    """Whether the user gave an option; its default does not count."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


InstanceArgument = Annotated[
    str,
    typer.Argument(
        metavar="INSTANCE",
        help="VRPLIB file, or the name of a known instance.",
        show_default=False,
    ),
]
SolutionArgument = Annotated[
    Path,
    typer.Argument(
        metavar="SOLUTION",
        help="Solution in VRPLIB form (.sol).",
        show_default=False,
    ),
]
MethodOption = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        callback=one_of(METHOD_NAMES),
        help="How the first routes are made: auto (what suits polish and "
        f"instance), {', '.join(METHODS)}.",
    ),
]
PolishOption = Annotated[
    str,
    typer.Option(
        "--polish",
        metavar="NAME",
        callback=one_of(POLISH_NAMES),
        help=f"How the routes are improved: {', '.join(POLISH_NAMES)}; auto "
        "is ruin and recreate, and PyVRP at the end where it pays.",
    ),
]
RouterOption = Annotated[
    str,
    typer.Option(
        "--router",
        metavar="NAME",
        callback=one_of(ROUTERS),
        help=f"How one route is found: {', '.join(ROUTERS)}.",
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        metavar="NAME",
        callback=one_of(METRIC_NAMES),
        help="cvrplib: distances rounded as the file says; paper: "
        "unrounded, coordinates / 1000.",
    ),
]
TimeLimitOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        callback=_positive,
        help="Seconds from reading the input to the written answer.",
        show_default="no limit",
    ),
]
SolveTimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        callback=_positive,
        help="Seconds from reading the instance to the written answer.",
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
        callback=figure_file,
        help="Draw the routes into a .png or .svg file.",
        show_default=False,
    ),
]
FigureOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=figure_file,
        help="Figure to write (.png or .svg).",
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
BksOption = Annotated[
    str | None,
    typer.Option(
        "--bks",
        metavar="FILE|VALUE",
        help="Best-known solution to compare with.",
        show_default="the .sol file beside the instance",
    ),
]
