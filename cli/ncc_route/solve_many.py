"""``ncc-route solve-many``: many problems, several at a time."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.output import format_cost, print_json, say
from ncc_route.overwriting import read_files, require_kept
from ncc_route.solve import (
    SOME_UNSERVED,
    BoundOption,
    InstancesArgument,
    leaving_out,
)
from ncc_route.tables import READ, Reader
from ncc_routing.core.params import options_of
from ncc_routing.core.text import counted
from ncc_routing.vrp.params import SolveParams

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.vrp.result import Result

WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        metavar="N",
        callback=options.jobs,
        help="Problems at a time, one core each; -1 for one on each core.",
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write NAME.json for each problem, and manifest.csv with a row for "
        "each, into a folder. Repeat an interrupted command to continue it.",
        metavar="FOLDER",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume/--no-resume",
        help="Keep whole results in --output, and try again what has failed.",
    ),
]
_OF_ONE = ("jobs", "max_extra_cost")
"""Parameters that many problems do not have."""


@verb(
    stated=params_of(
        SolveParams,
        [name for name in options_of(SolveParams) if name not in _OF_ONE],
        time_limit={"help": "Seconds for each problem, with its reading."},
        allow_unserved={"flag": "--allow-unserved/--all-or-nothing"},
    ),
    read=READ,
)
def solve_many(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    problems: InstancesArgument,
    *,
    stated: Stated[SolveParams],
    workers: WorkersOption = 1,
    output: OutputOption = None,
    resume: ResumeOption = True,
    reference_instance: options.ReferenceInstanceOption = None,
    bound_seconds: BoundOption = None,
    json: options.JsonOption = False,
    read: Reader,
) -> None:
    """Solve many problems, several at a time, and print a line for each.

    If one fails, stderr names it, and the others go on; the exit code is 1.
    """
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.io.instance_files import (
        expand_instances,
        require_different_names,
    )
    from ncc_routing.vrp import many

    if read.is_interactive or any(map(is_standard_input, problems)):
        raise typer.BadParameter(
            "--interactive and standard input go with solve."
        )
    params = read.with_reference(stated.params(), reference_instance)
    many.require_one_each(params)
    files = expand_instances(problems)
    require_different_names(files)
    folder = None
    if output is not None:
        given = {"bound_seconds": bound_seconds, "read": read}
        settings = many.settings_of(stated.params(), **given)
        folder = many.ResultFolder(output, settings, resume=resume)
        read_too = read_files({**context.params, "problems": files})
        targets = [folder.file_of(file.stem) for file in files]
        require_kept(read_too, targets, "output")
    serves_some = "allow_unserved" not in stated.values
    work = partial(_solve, read, params, serves_some, bound_seconds)
    named = ((file.stem, file) for file in files)
    counts = dict.fromkeys(("solved", "failed", "with unserved orders"), 0)
    for name, answer in many.solve_each(named, work, read, folder, workers):
        row = many.row_of(name, answer)
        if "error" in row:
            say(f"ncc-route: error: {name}: {row['error']}", err=True)
        if json:
            print_json(row)
        elif "error" not in row:
            say(_line(row))
        counts["failed" if "error" in row else "solved"] += 1
        if row.get("num_unserved"):
            counts["with unserved orders"] += 1
    if not json:
        told = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
        say(f"{counted(len(files), 'problem')}: {told}")
    if counts["failed"]:
        raise typer.Exit(1)
    if counts["with unserved orders"]:
        raise typer.Exit(SOME_UNSERVED)


def _solve(
    read: Reader,
    params: SolveParams,
    serves_some: bool,
    bound_seconds: float | None,
    file: Path,
) -> "Result":
    """Solve the problem of a file, in a process."""
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.solve import solve

    time_limit = TimeLimit(params.time_limit)
    given = read.with_form(file)
    if serves_some:
        params = leaving_out(params, given)
    return solve(given, time_limit, params=params, bound_seconds=bound_seconds)


def _line(row: "Mapping[str, Any]") -> str:
    unserved = row["num_unserved"]
    more = f", {unserved} unserved" if unserved else ""
    return (
        f"{row['name']:<24}cost {format_cost(row['cost'])}, "
        f"{counted(row['num_routes'], 'route')}{more}, "
        f"{row['runtime_seconds']:.2f} s"
    )
