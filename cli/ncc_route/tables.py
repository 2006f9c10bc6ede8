"""Options of tables, for every verb that reads an instance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route.options import choice, file, number
from ncc_routing.core.units import TIME_UNITS
from ncc_routing.io.metrics import METRIC_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.io.customers import TableOptions
    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True)
class Reader:
    """What reads instances with the options of tables."""

    options: TableOptions
    metric: str

    def __call__(self, path: str | Path) -> Instance:
        """Read an instance."""
        from ncc_routing.io.customers import read_problem

        return read_problem(path, self.options, metric=self.metric)

    def past(self, path: Path) -> Instance:
        """Read the instance of a reference; the options are for tables."""
        from ncc_routing.io.customers import read_problem
        from ncc_routing.io.tables import TABLE_SUFFIXES

        if path.suffix.lower() in TABLE_SUFFIXES:
            return read_problem(path, replace(self.options, begun=None))
        return read_problem(path, metric=self.metric)

    def read_days(self, path: Path) -> tuple[Instance, ...]:
        """Read a file of several days, which is no table."""
        from ncc_routing.io.days import read_days

        self.options.require_none(path)
        return read_days(path, self.metric)


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
        show_default="the marked rows, else a first row without demand",
    ),
]
MatrixOption = Annotated[
    Path | None,
    file(
        "--matrix",
        "Distances between the rows of a table: .npz, .npy, CSV, Excel, "
        "or JSON of OSRM or Valhalla with durations.",
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
    file("--vehicles", "Table of vehicles (.csv, .json, .xlsx)."),
]
TimeUnitOption = Annotated[
    str | None,
    choice(
        "--time-unit",
        TIME_UNITS,
        "Unit of times and durations without one: s, min or h.",
        show_default="that of the durations",
    ),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="FIELD=NAME,...",
        help="Columns by field: open=from,close=to; may be repeated.",
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


def reading(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options of tables in place of its ``read``."""
    own = dict(signature(verb).parameters)
    del own["read"]
    declared = [*own.values(), *_TABLES]

    @wraps(verb)
    def run(**values: Any) -> None:
        stated = {each.name: values.pop(each.name) for each in _TABLES}
        verb(read=_reader(**stated), **values)

    run.__signature__ = signature(verb).replace(  # type: ignore[attr-defined]
        parameters=[
            each.replace(kind=Parameter.KEYWORD_ONLY) for each in declared
        ]
    )
    run.__annotations__ = {each.name: each.annotation for each in declared}
    return run


def _reader(
    columns: list[str] | None,
    ignore_column: list[str] | None,
    metric: str,
    **stated: Any,
) -> Reader:
    """Return what reads instances with the options of tables."""
    from ncc_routing.io.columns import Naming
    from ncc_routing.io.customers import TableOptions

    naming = None
    if columns or ignore_column:
        naming = Naming.of(named_columns(columns), ignore_column or [])
    return Reader(TableOptions(**stated, naming=naming), metric)


def named_columns(stated: list[str] | None) -> dict[str, str]:
    """Return the columns that ``--columns`` states, by field."""
    named: dict[str, str] = {}
    for text in stated or ():
        for part in text.split(","):
            field, mark, title = part.partition("=")
            if not mark or "=" in title:
                raise typer.BadParameter(
                    f"--columns: {text!r} is not FIELD=NAME,FIELD=NAME."
                )
            if field.strip() in named:
                raise typer.BadParameter("--columns: a field has one column.")
            named[field.strip()] = title
    return named
