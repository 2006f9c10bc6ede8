"""``ncc-route new``: a workbook of orders and vehicles to fill in."""

from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.output import say
from ncc_routing.core.text import quoted
from ncc_routing.desk.words import LANGUAGES

FileArgument = Annotated[
    Path, options.argument("FILE", "Workbook (.xlsx) to write.")
]
LanguageOption = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="|".join(LANGUAGES),
        callback=options.one_of(LANGUAGES),
        autocompletion=options.completing(LANGUAGES),
        help="Language of headings and hints.",
    ),
]


def new(file: FileArgument, language: LanguageOption = "en") -> None:
    """Write an example of orders and vehicles, for solve, to fill in."""
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.desk.example import write_example
    from ncc_routing.desk.excel import is_excel

    if not is_excel(file):
        raise ParameterError(f"{file}: the example is a workbook, .xlsx.")
    if file.exists():
        raise ParameterError(f"{file} exists: name another file.")
    write_example(file, language)
    command = f"ncc-route solve {quoted(str(file))} -o plan.xlsx"
    say(f"Fill in {file}, then: {command}")
