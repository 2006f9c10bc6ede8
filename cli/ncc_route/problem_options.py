"""The options that say what a table of customers does not."""

from pathlib import Path
from typing import Annotated

import typer

CapacityOption = Annotated[
    float | None,
    typer.Option(
        "--capacity",
        metavar="Q",
        help="Capacity of each vehicle, for customers in a table.",
        show_default="that of the file",
    ),
]
DepotOption = Annotated[
    str | None,
    typer.Option(
        "--depot",
        metavar="ID|X,Y",
        help="The depot of a table: the id of a row, or a place.",
        show_default="the marked row, else the first",
    ),
]
MatrixOption = Annotated[
    Path | None,
    typer.Option(
        "--matrix",
        metavar="FILE",
        help="Distances between the rows of a table: .npz, .npy or CSV.",
        show_default=False,
    ),
]
