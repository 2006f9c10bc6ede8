"""``ncc-route solve-days``: several days with few drivers per customer."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.output import format_cost
from ncc_route.overwriting import read_files, require_kept
from ncc_route.running import Frame, frame
from ncc_route.tables import READ, Reader
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.route_files import PICTURE_SUFFIXES, RESULT_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.days import DayMeasures
    from ncc_routing.vrp.days import SolvedDays
    from ncc_routing.vrp.result import Result

FORMATS = tuple(suffix[1:] for suffix in RESULT_SUFFIXES)
DRIVERS, MEASURES = "drivers.csv", "measures.csv"
"""Tables beside the plans."""

DaysArgument = Annotated[
    list[str],
    options.argument(
        "DAY...",
        "The days in order: VRPLIB files, tables of customers (.csv, .json, "
        ".xlsx), known names, or folders of instances; or one ConVRP file.",
        autocompletion=options.completing_known_names,
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write the plan of each day, the driver of each route "
        f"({DRIVERS}) and the measures ({MEASURES}) into a folder.",
        metavar="FOLDER",
    ),
]
FormatOption = Annotated[
    str,
    options.choice(
        "--format", FORMATS, f"Format of the plans: {', '.join(FORMATS)}."
    ),
]


@verb(
    stated=params_of(
        SolveParams,
        (
            *("max_extra_cost", "compactness", "method", "polish"),
            *("time_limit", "seed", "jobs"),
        ),
        max_extra_cost={
            "help": "Largest extra cost of all days, as a share of the cost "
            "of the days alone.",
            "shown": "0.03",
        },
        time_limit={
            "help": "Seconds for all days, from reading them to the written "
            "plans.",
            "shown": "the sum of the defaults of solve",
        },
    ),
    frame=frame(),
    read=READ,
)
def solve_days(
    context: typer.Context,
    days: DaysArgument,
    *,
    stated: Stated[SolveParams],
    output: OutputOption = None,
    form: FormatOption = "csv",
    frame: Frame,
    read: Reader,
) -> None:
    """Plan several days so that each customer sees few drivers.

    Each day is planned alone first; the cost limit refers to these plans.
    Ctrl-C ends the run with the best plans so far.
    """
    from ncc_routing.vrp import days as pipeline

    params = stated.params()
    with frame.running(params.time_limit) as time_limit:
        files = _files_of(days)
        problems = _read(files, read)
        targets = _targets(files, problems, output, form)
        if f".{form}" in PICTURE_SUFFIXES and targets:
            for problem in problems:
                problem.require_coords("plotting")
        read_too = read_files({**context.params, "days": files})
        require_kept(read_too, targets, "output")
        with frame.working() as callbacks:
            solved = pipeline.solve_days(
                *(problems, time_limit),
                params=params,
                callbacks=callbacks,
            )
        _write(solved, targets)
        written = [f"{'written':<10}{target}" for target in targets]
        frame.answer(
            lambda: _answer(solved),
            lambda: "\n".join([_table(solved), *written]),
        )


def _files_of(days: list[str]) -> list[Path]:
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.io.instance_files import expand_instances
    from ncc_routing.io.names import find_instance

    if any(map(is_standard_input, days)):
        raise typer.BadParameter("a day is a file, not standard input.")
    # A file that is given twice stands for two days.
    files = (file for day in days for file in expand_instances([day]))
    return [find_instance(file) for file in files]


def _read(files: list[Path], read: Reader) -> "Sequence[Instance]":
    """Return the days; a file alone that is no table holds several."""
    from ncc_routing.desk.tables import TABLE_SUFFIXES

    if len(files) == 1 and files[0].suffix.lower() not in TABLE_SUFFIXES:
        return read.read_days(files[0])
    return [read(file) for file in files]


def _targets(
    files: list[Path],
    problems: "Sequence[Instance]",
    folder: Path | None,
    form: str,
) -> list[Path]:
    """Return the files to write: a plan for each day, and two tables."""
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.vrp.route_files import require_form

    if folder is None:
        return []
    names = [file.stem for file in files]
    if len(files) == 1:
        names = [problem.name for problem in problems]
    targets = [require_form(folder / f"{name}.{form}") for name in names]
    targets += [folder / DRIVERS, folder / MEASURES]
    if len({target.name.lower() for target in targets}) < len(targets):
        raise ParameterError(
            "the days must have different names, none of them "
            f"{DRIVERS} or {MEASURES} with its suffix."
        )
    folder.mkdir(parents=True, exist_ok=True)
    return targets


def _write(solved: "SolvedDays", targets: list[Path]) -> None:
    from ncc_routing.core.text_files import write_text
    from ncc_routing.desk.tables import csv_text

    if not targets:
        return
    *plans, drivers, measures = targets
    rows: list[dict[str, Any]] = []
    for plan, result, numbers in zip(
        plans, solved.results, solved.measures.drivers, strict=True
    ):
        result.write(plan)
        rows += [
            {"day": plan.stem, "route": route, "driver": driver}
            for route, driver in enumerate(numbers, start=1)
        ]
    compared = _compared(solved)
    for file, names, table in (
        (drivers, ("day", "route", "driver"), rows),
        (measures, tuple(compared[0]), compared),
    ):
        columns = {name: [row[name] for row in table] for name in names}
        write_text(file, csv_text(columns))


def _compared(solved: "SolvedDays") -> list[dict[str, Any]]:
    from ncc_routing.problems.routes.days import compare_days

    return [
        _row("alone", solved.alone, compare_days(solved.alone)),
        _row("together", solved.results, solved.measures),
    ]


def _row(
    name: str, plans: "Sequence[Result]", measures: "DayMeasures"
) -> dict[str, Any]:
    kept = asdict(measures)
    del kept["drivers"]
    return {
        "plans": name,
        "cost": sum(plan.cost for plan in plans),
        "distance": sum(plan.distance for plan in plans),
        **{name: round(value, 4) for name, value in kept.items()},
    }


def _table(solved: "SolvedDays") -> str:
    """Return a line for each measure: alone, and together."""
    alone, together = _compared(solved)
    lines = [f"{'':<20}{'alone':>12}{'together':>12}"]
    for name in list(alone)[1:]:
        cells = (f"{format_cost(row[name]):>12}" for row in (alone, together))
        lines.append(f"{name.replace('_', ' '):<20}{''.join(cells)}")
    extra = f"{solved.extra_percent:.2f} %"
    return "\n".join([*lines, f"{'extra cost':<20}{'':>12}{extra:>12}"])


def _answer(solved: "SolvedDays") -> dict[str, object]:
    """Return what ``--json`` prints."""
    from importlib import metadata

    from ncc_routing.problems.routes.solution import route_ids

    days = []
    for result, drivers in zip(
        solved.results, solved.measures.drivers, strict=True
    ):
        day = {
            "instance": result.instance.name,
            "cost": result.cost,
            "feasible": result.is_feasible,
            "routes": result.routes,
            "drivers": drivers,
        }
        if result.instance.ids is not None:
            day["route_ids"] = route_ids(result.instance, result.best)
        days.append(day)
    return {
        "days": days,
        "measures": _compared(solved),
        "extra_percent": round(solved.extra_percent, 4),
        "seed": solved.alone[0].seed,
        "version": metadata.version("ncc_routing"),
    }
