"""``ncc-route columns``: how the columns of tables are understood."""

from pathlib import Path
from typing import Annotated

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


@verb()
def columns(
    table: Annotated[
        str,
        options.argument("FILE", "Table of customers (.csv, .json, .xlsx)."),
    ],
    vehicles: VehiclesOption = None,
    columns: ColumnsOption = None,
    ignore_column: IgnoreOption = None,
    output: OutputOption = None,
) -> None:
    """Print how each column of a table is understood.

    The written file has the field of each column, understood or proposed, and
    the columns to ignore. Edit it and pass it to --columns.
    """
    from ncc_routing.core.text_files import is_standard_output, write_text
    from ncc_routing.desk.columns import describe_columns, naming_text

    naming = naming_of(columns, ignore_column)
    described = [describe_columns(table, "customers", naming)]
    if vehicles is not None:
        described.append(describe_columns(vehicles, "vehicles", naming))
    if output is None or not is_standard_output(output):
        for lines, _ in described:
            say("\n".join(lines))
    if output is not None:
        write_text(output, naming_text(readings for _, readings in described))
