"""Options that several verbs take, and options made of parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import typer

from ncc_routing.core.deprecated import RENAMED, with_current_names
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.params import bounds_of, build_params, options_of
from ncc_routing.core.printable import printable
from ncc_routing.core.units import TIME_UNITS
from ncc_routing.io.metrics import METRIC_NAMES
from ncc_routing.plotting import figures
from ncc_routing.plotting.figures import FIGURE_SUFFIXES
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.route_files import require_form

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from ncc_routing.problems.instance import Instance

    Reader = Callable[[str | Path], Instance]

Params = TypeVar("Params")
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


def result_file(value: Path | None) -> Path | None:
    """Return the file of a result, whose suffix names its form."""
    if value is not None:
        try:
            require_form(value)
        except ParameterError as error:
            raise typer.BadParameter(str(error)) from None
    return value


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


@dataclass(frozen=True)
class Stated(Generic[Params]):
    """What a user states: typed options, over the file of ``--params``.

    ``source`` is the name of that file, for messages.
    """

    kind: type[Params]
    values: Mapping[str, object]
    source: str = ""

    def params(self, **more: object) -> Params:
        """Return the parameters, with some more set."""
        return build_params(self.kind, {**self.values, **more}, self.source)


_CHECKS: dict[str, Callable[..., Any]] = {
    "time_limit": positive_seconds,
    "jobs": jobs,
}
"""What the shell requires of a parameter, where it has words of its own."""

_ALIASES = {**RENAMED, "compact": "compactness"}
"""Old names of options, and those of today."""

_TYPES: dict[str, type] = {"int": int, "float": float, "str": str}

_PARAMS = Parameter(
    "params",
    Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        Path | None,
        file(
            "--params",
            "TOML file with parameters, one table per algorithm. "
            "Options take precedence.",
        ),
    ],
)


def taking(
    kind: type,
    only: Iterable[str] | None = None,
    *,
    has_file: bool = True,
    **changes: Mapping[str, str],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a verb the options of parameters.

    They replace the argument ``stated``, a ``Stated`` of ``kind``. ``only``
    names the fields on offer; ``changes`` gives a field another "flag", "help"
    or "shown".
    """
    names = options_of(kind) if only is None else only
    made = {name: _made(kind, name, changes.get(name, {})) for name in names}
    aliases = {
        old: _hidden(old, made[new])
        for old, new in _ALIASES.items()
        if new in made
    }

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        own = dict(signature(verb).parameters)
        wants_context = "context" in own
        context = Parameter(
            "context", Parameter.KEYWORD_ONLY, annotation=typer.Context
        )
        own["context"] = context
        declared: list[Parameter] = []
        for name, each in own.items():
            if name == "stated":
                declared += [*made.values(), *aliases.values()]
                declared += [_PARAMS] if has_file else []
            else:
                declared.append(each.replace(kind=Parameter.KEYWORD_ONLY))

        @wraps(verb)
        def run(context: typer.Context, **values: Any) -> None:
            source = values.pop("params", None) if has_file else None
            stated = {} if source is None else _read(source)
            for old in aliases:
                value = values.pop(old)
                if value is not None:
                    stated[_ALIASES[old]] = value
            for name, each in made.items():
                value = values.pop(each.name)
                if was_typed(context, each.name):
                    stated[name] = value
            if wants_context:
                values["context"] = context
            verb(stated=Stated(kind, stated, str(source or "")), **values)

        run.__signature__ = signature(verb).replace(  # type: ignore[attr-defined]
            parameters=declared
        )
        run.__annotations__ = {each.name: each.annotation for each in declared}
        return run

    return decorate


def _read(source: Path) -> dict[str, object]:
    """Return the parameters in a file by their names of today."""
    from ncc_routing.io.toml import read_params

    return with_current_names(read_params(source))


def _made(kind: Any, name: str, changes: Mapping[str, str]) -> Parameter:
    """Return the parameter of a verb that a field stands for."""
    field = kind.__dataclass_fields__[name]
    option = options_of(kind)[name]
    flag = changes.get("flag", "--" + name.replace("_", "-"))
    shown: str | bool | None = changes.get("shown", option.shown)
    annotation: Any = _TYPES.get(field.type.split(" | ")[0], Path)
    if field.default is None:
        annotation = annotation | None
    check, least = _CHECKS.get(name), None
    if check is None and option.names:
        check = one_of(option.names)
    elif check is None and name in bounds_of(kind):
        low, _, also = bounds_of(kind)[name]
        least = low if also is None else min(low, also)
    info = typer.Option(
        flag,
        metavar=option.metavar,
        callback=check,
        autocompletion=completing(option.names) if option.names else None,
        min=least,
        help=changes.get("help", option.help),
        show_default=shown or field.default is not None,
    )
    return Parameter(
        flag.strip("-").replace("-", "_"),
        Parameter.KEYWORD_ONLY,
        default=field.default,
        annotation=Annotated[annotation, info],
    )


def _hidden(old: str, today: Parameter) -> Parameter:
    """Return an option by its old name, which the help does not show."""
    kind: Any = today.annotation.__args__[0]
    info = today.annotation.__metadata__[0]
    hidden = typer.Option(
        f"--{old}", metavar=info.metavar, min=info.min, hidden=True
    )
    annotation = Annotated[kind | None, hidden]
    return today.replace(name=old, default=None, annotation=annotation)


def reading(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options of tables in place of its ``read``.

    That is a function from the path of an instance to the instance. The verb
    is told the metric as well, where it asks for it.
    """
    own = dict(signature(verb).parameters)
    del own["read"]
    has_metric = own.pop("metric", None) is not None
    declared = [*own.values(), *_TABLES]

    @wraps(verb)
    def run(**values: Any) -> None:
        stated = {each.name: values.pop(each.name) for each in _TABLES}
        if has_metric:
            values["metric"] = stated["metric"]
        verb(read=_reader(**stated), **values)

    run.__signature__ = signature(verb).replace(  # type: ignore[attr-defined]
        parameters=[
            each.replace(kind=Parameter.KEYWORD_ONLY) for each in declared
        ]
    )
    run.__annotations__ = {each.name: each.annotation for each in declared}
    return run


def _reader(
    columns: str | None,
    ignore_column: list[str] | None,
    metric: str,
    **stated: Any,
) -> Reader:
    """Return what reads an instance with the options of tables."""
    from ncc_routing.io.columns import Naming
    from ncc_routing.io.customers import TableOptions, read_problem

    naming = None
    if columns is not None or ignore_column:
        pairs = [part.split("=") for part in (columns or "").split(",")]
        if columns is not None and any(len(pair) != 2 for pair in pairs):
            raise typer.BadParameter(
                f"--columns: {columns!r} is not FIELD=NAME,FIELD=NAME."
            )
        if len({pair[0].strip() for pair in pairs}) < len(pairs):
            raise typer.BadParameter("--columns: a field has one column.")
        named = dict(pairs) if columns is not None else {}
        naming = Naming.of(named, ignore_column or [])
    options = TableOptions(**stated, naming=naming)
    return partial(read_problem, options=options, metric=metric)


InstanceArgument = Annotated[
    str,
    argument(
        "INSTANCE",
        "VRPLIB file, table of customers (.csv, .json), name of a known "
        "instance, or - for standard input.",
        autocompletion=completing_known_names,
    ),
]
SolutionArgument = Annotated[
    Path,
    argument(
        "SOLUTION",
        "Routes in a format of solve: .sol, .csv or .json; or - for a "
        "solution on standard input.",
    ),
]
CapacityOption = Annotated[
    float | None,
    typer.Option(
        "--capacity",
        metavar="Q",
        help="Capacity of each vehicle of a table.",
        show_default="that of the file",
    ),
]
DepotOption = Annotated[
    str | None,
    typer.Option(
        "--depot",
        metavar="ID|X,Y",
        help="Depot of a table: the id of a row, or coordinates.",
        show_default="the marked row, else the first",
    ),
]
MatrixOption = Annotated[
    Path | None,
    file(
        "--matrix",
        "Distances between the rows of a table: .npz, .npy, CSV, or JSON of "
        "OSRM or Valhalla with durations.",
    ),
]
DurationsOption = Annotated[
    Path | None,
    file("--durations", "Durations between the rows; formats of --matrix."),
]
SpeedOption = Annotated[
    str | None,
    typer.Option(
        "--speed",
        metavar="SPEED",
        help="Speed that converts distances to durations: 40km/h, 25mph.",
        show_default=False,
    ),
]
VehiclesOption = Annotated[
    Path | None,
    file("--vehicles", "Table of vehicles (.csv, .json)."),
]
TimeUnitOption = Annotated[
    str | None,
    choice(
        "--time-unit",
        TIME_UNITS,
        "Unit of times and durations without one: s, min or h.",
        show_default="that of the distances",
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="FIELD=NAME,...",
        help="Columns of tables by field: open=from,close=to.",
        show_default=False,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore-column",
        metavar="NAME",
        help="Column of a table to ignore; may be repeated.",
        show_default=False,
    ),
]
MaxDistrictsOption = Annotated[
    int | None,
    number(
        "--max-districts",
        "Largest number of districts on a route, for a table with a column "
        "district.",
        show_default=False,
    ),
]
BegunOption = Annotated[
    Path | None,
    file(
        "--begun",
        "Begun routes in a format of solve (.sol, .csv, .json); their "
        "customers stay at the beginnings of routes. A table may have a "
        "column departure with the actual times.",
    ),
]
MetricOption = Annotated[
    str,
    choice(
        "--metric",
        METRIC_NAMES,
        "cvrplib: that of the file; paper: unrounded, coordinates / 1000; "
        "round, trunc, dimacs, exact, none: as in PyVRP.",
    ),
]
_TABLES = tuple(
    Parameter(
        *(name, Parameter.KEYWORD_ONLY),
        default="cvrplib" if name == "metric" else None,
        annotation=annotation,
    )
    for name, annotation in {
        "capacity": CapacityOption,
        "depot": DepotOption,
        "vehicles": VehiclesOption,
        "matrix": MatrixOption,
        "durations": DurationsOption,
        "speed": SpeedOption,
        "time_unit": TimeUnitOption,
        "max_districts": MaxDistrictsOption,
        "begun": BegunOption,
        "columns": ColumnsOption,
        "ignore_column": IgnoreOption,
        "metric": MetricOption,
    }.items()
)
"""Options that ``reading`` gives a verb."""

ReferenceOption = Annotated[
    Path | None,
    file("--reference", options_of(SolveParams)["reference"].help),
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
    bool,
    typer.Option("--json", help="Print one JSON object instead of text."),
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
DpiOption = Annotated[
    int, number("--dpi", "Pixels per inch of a .png picture.")
]
