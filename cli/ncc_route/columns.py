"""``ncc-route columns``: how the columns of tables are understood."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import say
from ncc_route.tables import ColumnsOption, IgnoreOption, naming_of

VehiclesOption = Annotated[
    Path | None,
    options.file("--vehicles", "Table of vehicles (.csv, .json, .xlsx)."),
]
OutputOption = Annotated[
    Path | None,
    options.output("Write a .toml file for --columns.", metavar="FILE.toml"),
]


SchemaOption = Annotated[
    str | None,
    typer.Option(
        help="Print the JSON schema of VROOM's problems, or of results.",
        metavar="vroom|result",
        callback=options.one_of(("vroom", "result")),
    ),
]


@verb()
def columns(
    table: Annotated[
        str | None,
        options.argument("FILE", "Table of customers (.csv, .json, .xlsx)."),
    ] = None,
    vehicles: VehiclesOption = None,
    columns: ColumnsOption = None,
    ignore_column: IgnoreOption = None,
    output: OutputOption = None,
    schema: SchemaOption = None,
) -> None:
    """Print how each column of a table is understood.

    The written file has the field of each column, understood or proposed, and
    the columns to ignore. Edit it and pass it to --columns.
    """
    if schema is not None:
        say(json.dumps(_schema(schema), indent=1))
        return
    if table is None:
        raise typer.BadParameter("needs a table, or --schema.")
    from ncc_routing.core.text_files import is_standard_output, write_text
    from ncc_routing.desk.columns import describe_columns, naming_text

    naming = naming_of(columns, ignore_column)
    described = describe_columns(table, "customers", naming)
    if vehicles is not None:
        described[1:] = describe_columns(vehicles, "vehicles", naming)
    if output is None or not is_standard_output(output):
        for lines, _ in described:
            say("\n".join(lines))
    if output is not None:
        write_text(output, naming_text(readings for _, readings in described))


def _schema(name: str) -> dict[str, Any]:
    """Return the JSON schema of a form of files."""
    if name == "result":
        from ncc_routing.vrp.result import result_schema

        return result_schema()
    from ncc_routing.desk.vroom_format import Problem
    from ncc_routing.problems.json_schema import schema_of

    return schema_of(Problem)
