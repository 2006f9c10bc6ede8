"""Options that several verbs take, and what the shell requires of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.params import options_of
from ncc_routing.core.text import printable
from ncc_routing.core.text_files import is_special
from ncc_routing.plotting import figures
from ncc_routing.plotting.figures import FIGURE_SUFFIXES
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.route_files import FORMATS, require_form

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

Text = TypeVar("Text", str, str | None)

CLUSTERS_SUFFIXES = (*FIGURE_SUFFIXES, ".html")
"""What clusters can be drawn into."""

DEFAULT_SIZE = "{:g}x{:g}".format(*figures.DEFAULT_SIZE)
"""Width and height of a picture in inches."""


def one_of(names: Collection[str]) -> Callable[[Text], Text]:
    """Return a callback that takes one of ``names``, or none at all."""

    def check(value: Text) -> Text:
        if value is not None and value not in names:
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


def positive_seconds(value: float | None) -> float | None:
    """Return a time limit: a positive number of seconds, or none."""
    if value is not None and not (math.isfinite(value) and value > 0):
        raise typer.BadParameter("must be a positive number of seconds.")
    return value


def jobs(value: int) -> int:
    """Return a number of cores: at least 1, or -1 for all."""
    if value < 1 and value != -1:
        raise typer.BadParameter("must be at least 1, or -1 for every core.")
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


def csv_file(value: Path | None) -> Path | None:
    """Return a file of CSV, or a stream."""
    if value is None or is_special(value):
        return value
    return file_of((".csv",))(value)


def clusters_file(value: Path | None) -> Path | None:
    """Return a file of clusters, or a stream."""
    if value is None or is_special(value):
        return value
    return file_of((".csv", ".json", ".geojson"))(value)


def result_file(value: Path | None) -> Path | None:
    """Return the file of a result, whose suffix names its form."""
    if value is not None:
        try:
            require_form(value)
        except ParameterError as error:
            raise typer.BadParameter(str(error)) from None
    return value


def result_files(values: list[Path] | None) -> list[Path] | None:
    """Return the files of a result, as ``result_file``."""
    for value in values or ():
        result_file(value)
    return values


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


# Short forms of typer's declarations.


def choice(flag: str, names: Collection[str], text: str, **more: Any) -> Any:
    """Return an option that is one of some names."""
    return typer.Option(
        flag,
        metavar="NAME",
        callback=one_of(names),
        autocompletion=completing(names),
        help=text,
        **more,
    )


def number(flag: str, text: str, least: int = 1, **more: Any) -> Any:
    """Return an option that is a whole number, not below the least."""
    return typer.Option(flag, metavar="N", min=least, help=text, **more)


def file(flag: str, text: str, **more: Any) -> Any:
    """Return an option that names a file, by default none."""
    more = {"metavar": "FILE", "show_default": False, **more}
    return typer.Option(flag, help=text, **more)


def output(text: str, **more: Any) -> Any:
    """Return the option for the file that a verb writes."""
    more = {"metavar": "FILE", "show_default": False, **more}
    return typer.Option("--output", "-o", help=text, **more)


def argument(metavar: str, text: str, **more: Any) -> Any:
    """Return an argument without a default."""
    return typer.Argument(
        metavar=metavar, help=text, show_default=False, **more
    )


InstanceArgument = Annotated[
    str,
    argument(
        "INSTANCE",
        "VRPLIB file, table of customers (.csv, .json, .xlsx), name of a "
        "known instance, or - for standard input.",
        autocompletion=completing_known_names,
    ),
]
SolutionArgument = Annotated[
    Path,
    argument(
        "SOLUTION",
        "Routes in a format of solve: .sol, .csv, .xlsx or .json; or - for a "
        "solution on standard input.",
    ),
]
ReferenceOption = Annotated[
    Path | None, file("--reference", options_of(SolveParams)["reference"].help)
]
ReferenceInstanceOption = Annotated[
    Path | None,
    file(
        "--reference-instance",
        "Instance of the reference, to match customers by id or location.",
        show_default="match by number",
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
SeedOption = Annotated[int, number("--seed", "Random seed.", 0)]
JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        callback=jobs,
        help="Number of runs at a time; -1 for one on each core.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object instead of text.")
]
SizeOption = Annotated[
    str,
    typer.Option(
        "--size",
        metavar="WxH",
        callback=_size,
        help="Size of a .png or .svg picture in inches.",
    ),
]
TilesOption = Annotated[
    str | None,
    typer.Option(
        "--tiles",
        metavar="URL",
        help="Base map of an .html page: "
        "https://tile.openstreetmap.org/{z}/{x}/{y}.png.",
        show_default="none: the page works offline",
    ),
]
FormatOption = Annotated[
    str | None,
    choice(
        "--format",
        FORMATS,
        "vroom: answer in VROOM's JSON, with its exit codes: 0 even if tasks "
        "are unassigned, 2 for bad input, 3 if routing fails.",
        show_default=False,
    ),
]
DpiOption = Annotated[
    int, number("--dpi", "Pixels per inch of a .png picture.")
]
