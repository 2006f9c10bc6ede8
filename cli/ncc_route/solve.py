"""``ncc-route solve``: instances, each with a checked solution."""

import time
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.output import format_cost, measures_json, measures_lines, say
from ncc_route.overwriting import read_files, require_kept
from ncc_route.running import Frame, frame
from ncc_route.tables import READ, Reader
from ncc_routing.core.text import money, shortened
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.route_files import FORMATS, PICTURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.bench.records import Record
    from ncc_routing.problems.read_problem import ReadProblem
    from ncc_routing.problems.routes.route_shapes import RouteShapes
    from ncc_routing.vrp.result import Result

SOME_UNSERVED = 3
"""Exit code where the answer leaves some out."""

InstancesArgument = Annotated[
    list[str],
    options.argument(
        "INSTANCE...",
        "VRPLIB files, tables of customers (.csv, .json, .xlsx), names of "
        "known instances, folders of instances, or - for standard input.",
        autocompletion=options.completing_known_names,
    ),
]
FolderOption = Annotated[
    Path | None,
    options.file(
        "--sol-dir",
        "Write the routes of each instance as FOLDER/NAME.sol.",
        metavar="FOLDER",
    ),
]
StartOption = Annotated[
    Path | None,
    options.file(
        "--start",
        "Initial routes in place of a method, repaired if needed: .sol (or - "
        "for standard input), .csv, .xlsx or .json.",
    ),
]
BksOption = Annotated[
    str | None,
    options.file(
        "--bks",
        "Best known solution (.sol, .csv, .xlsx, .json) or cost to compare "
        "with.",
        metavar="FILE|VALUE",
        show_default="the .sol file next to the instance",
    ),
]
BoundOption = Annotated[
    float | None,
    typer.Option(
        "--bound-seconds",
        metavar="SECONDS",
        callback=options.positive_seconds,
        help="Seconds for a proven lower bound after the search, beyond the "
        "time limit.",
        show_default="no bound",
    ),
]
TimesOption = Annotated[
    bool,
    typer.Option(
        "--choose-eta",
        "-c",
        help="VROOM's plan mode: choose the times of the routes in steps, "
        "and report the constraints that they break.",
    ),
]


FRAME = frame(
    options.output(
        "Write the routes: VRPLIB (.sol, or - for standard output), a "
        "timetable (.csv, .xlsx), the whole result (.json), or a picture as "
        "--plot.",
        callback=options.result_file,
    ),
    options.file(
        "--plot",
        "Draw the routes: a picture (.png, .svg), an interactive page "
        "(.html), or map data (.geojson).",
        callback=options.file_of(PICTURE_SUFFIXES),
    ),
    also=options.file(
        "--also",
        "Write the routes in a second form of --output: .json beside .csv is "
        "what replan reads. May be given several times.",
        callback=options.result_files,
    ),
    has_format=True,
)
"""The options of verbs that write the routes of one instance."""


@verb(
    stated=params_of(
        SolveParams,
        allow_unserved={"flag": "--allow-unserved/--all-or-nothing"},
    ),
    frame=FRAME,
    read=READ,
)
def solve(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    instances: InstancesArgument,
    stated: "Stated[SolveParams]",
    reference_instance: options.ReferenceInstanceOption = None,
    start: StartOption = None,
    sol_dir: FolderOption = None,
    bks: BksOption = None,
    bound_seconds: BoundOption = None,
    choose_eta: TimesOption = False,
    *,
    frame: Frame,
    read: "Reader",
) -> None:
    """Solve instances, check the solutions, and print or write them.

    Several instances are solved one after the other, each with the whole time
    limit. If one fails, stderr names it and the next one is solved. Ctrl-C
    ends a run with the best solution so far.
    """
    from ncc_routing.io.instance_files import expand_instances
    from ncc_routing.vrp import solve as pipeline

    if choose_eta:
        _plan(instances, frame, read)
        return
    reference = stated.values.get("reference")
    options.require_one_stream(*instances, reference, start)
    params = read.with_reference(stated.params(), reference_instance)
    work = partial(
        pipeline.solve, initial_solution=start, bound_seconds=bound_seconds
    )
    is_asked = "allow_unserved" in stated.values
    files = expand_instances(instances)
    if len(files) == 1 and sol_dir is None:
        one = (files[0], frame, read, work, params, bks)
        serves_all = solve_one(*one, serves_some_of_tables=not is_asked)
        if not serves_all and frame.format is None:
            raise typer.Exit(SOME_UNSERVED)
        return
    _require_none(output=frame.output, plot=frame.plot, bks=bks, start=start)
    _require_none(format=frame.format, also=frame.also or None)
    if sol_dir is not None:
        read_too = read_files({**context.params, "instances": files})
        targets = [sol_dir / f"{file.stem}.sol" for file in files]
        require_kept(read_too, targets, "sol-dir")
    given = (frame, read, work, params)
    _solve_all(files, sol_dir, *given, serves_some_of_tables=not is_asked)


def _plan(instances: list[str], frame: Frame, read: "Reader") -> None:
    """Write the times of given routes, as VROOM does."""
    from ncc_routing.desk.problem import choose_times

    if len(instances) != 1:
        raise typer.BadParameter("--choose-eta goes with one problem.")
    frame = replace(frame, format=FORMATS[0])
    with frame.running():
        frame.write(choose_times(read.options, instances[0]))


def _require_none(**options: object) -> None:
    from ncc_routing.core.exceptions import ParameterError

    for option, value in options.items():
        if value is not None:
            raise ParameterError(
                f"--{option} goes with one instance; --sol-dir takes the "
                "routes of several."
            )


def _solve_all(
    files: list[Path],
    folder: Path | None,
    frame: Frame,
    *given: Any,
    serves_some_of_tables: bool,
) -> None:
    """Solve several instances; end with the exit code of all."""
    from ncc_routing.core.exceptions import NccRoutingError
    from ncc_routing.io.instance_files import require_different_names

    require_different_names(files)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    code = 0
    for number, file in enumerate(files):
        if number > 0 and not frame.json:
            frame.say("")
        output = None if folder is None else folder / f"{file.stem}.sol"
        try:
            if not solve_one(
                *(file, replace(frame, output=output), *given),
                serves_some_of_tables=serves_some_of_tables,
            ):
                code = code or SOME_UNSERVED
        except NccRoutingError as error:
            say(f"ncc-route: error: {error}", err=True)
            code = 1
    if code:
        raise typer.Exit(code)


def solve_one(
    file: Path,
    frame: Frame,
    read: "Reader",
    work: "Callable[..., Result]",
    params: SolveParams,
    bks: str | None = None,
    *,
    serves_some_of_tables: bool = False,
) -> bool:
    """Solve one instance, and print and write what is wanted.

    ``work`` solves it, with the keywords of ``vrp.solve.solve``. Returns
    whether all are served; of a table some may stay out if that is allowed.
    """
    from ncc_routing.bench.best_known import find_bks
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.io.names import find_instance

    start = time.perf_counter()
    with frame.running(params.time_limit) as time_limit:
        if not is_standard_input(file):
            file = find_instance(file)
        given = read.with_form(file)
        problem = given.instance
        if serves_some_of_tables:
            params = leaving_out(params, given)
        for path in frame.written:
            if path.suffix.lower() in PICTURE_SUFFIXES:
                problem.require_coords("plotting")
        target = find_bks(problem, file, bks)
        with frame.working(target) as callbacks:
            result = work(
                given,
                params=params,
                stop=frame.for_solving(time_limit, problem.num_customers),
                callbacks=callbacks,
            )
        measures = params.compactness > 0.0
        show_result(frame, result, start, target, measures_shapes=measures)
    return not result.unserved


def leaving_out(params: SolveParams, given: "ReadProblem") -> SolveParams:
    """Return the parameters of a problem of which some may stay out."""
    if given.leaves_out and params.max_extra_cost is None:
        return replace(params, allow_unserved=True)
    return params


def show_result(
    frame: Frame,
    result: "Result",
    start: float,
    bks: float | None = None,
    *,
    measures_shapes: bool = False,
) -> None:
    """Write and print a result; ``start`` is when the work began."""
    from ncc_routing.bench.records import record_result

    if frame.output is not None:
        result.write(frame.output, **frame.looks(frame.output))
    elif frame.format is not None:
        frame.write(result.to_vroom())
    seconds = time.perf_counter() - start
    record = record_result(result, bks, seconds)
    for file in filter(None, (*frame.also, frame.plot)):
        result.write(file, **frame.looks(file))
    shapes = None
    if measures_shapes and result.instance.coords is not None:
        shapes = result.shapes
    frame.answer(
        lambda: _answer(record, result, shapes),
        lambda: _text(record, result, shapes),
        solution=frame.output,
        also=", ".join(map(str, frame.also)),
        figure=frame.plot,
    )


def _answer(
    record: "Record", result: "Result", shapes: "RouteShapes | None"
) -> dict[str, object]:
    """Return what ``--json`` prints; the version comes last."""
    from ncc_routing.problems.routes.solution import route_ids
    from ncc_routing.problems.routes.timetable import has_times, stop_rows

    answer = record.to_json()
    package = answer.pop("version")
    instance = result.instance
    answer |= {"params": result.params, "phases": result.phases}
    if result.lower_bound is not None:
        answer["lower_bound"] = result.lower_bound
        answer["bound_gap_percent"] = result.bound_gap_percent
        answer["is_optimal"] = result.is_optimal
    if result.largest is not None:
        answer["largest"] = result.largest
    answer["routes"] = result.best.routes
    if instance.fleet is not None:
        answer["vehicle_types"] = result.best.vehicle_types
    if shapes is not None:
        answer["shapes"] = measures_json(shapes)
    if result.labels:
        answer["consistency"] = measures_json(result.consistency)
    if instance.ids is not None:
        answer["route_ids"] = route_ids(instance, result.best)
    if has_times(instance):
        answer["timetable"] = stop_rows(instance, result.best)
    answer["summary"] = result.totals.to_json()
    if result.differences is not None:
        answer["differences"] = asdict(result.differences)
    if result.absent:
        answer["unserved"] = [asdict(one) for one in result.absent]
    if instance.source.unused_columns:
        answer["unused_columns"] = instance.source.unused_columns
    return {**answer, "version": package}


def _text(
    record: "Record", result: "Result", shapes: "RouteShapes | None"
) -> str:
    instance = result.instance
    lines = [f"{'instance':<10}{instance.name}, {instance.describe_size()}"]
    read = {k.title.lower() for k in instance.source.columns if k.says}
    unused = instance.source.unused_columns
    unused = tuple(k for k in unused if k.lower() not in read)
    if unused:  # drivers read names, addresses, phones and remarks
        names = shortened(", ".join(unused))
        lines.append(f"{'no effect':<10}columns {names}")
    if not instance.source.is_table:  # of which no dispatcher speaks
        lines.append(
            f"{'method':<10}{record.method}, polish {record.polish}, "
            f"seed {record.seed}"
        )
        for name, seconds, value in record.stages:
            after = "" if value is None else f", cost {format_cost(value)}"
            lines.append(f"{name:<10}{seconds:.2f} s{after}")
    gap = ""
    if record.gap_percent is not None:
        side = "over" if record.gap_percent >= 0 else "under"
        gap = f" ({abs(record.gap_percent):.2f} % {side} "
        gap += f"{format_cost(record.bks)})"
    if result.is_optimal:
        gap += f", {result.proof}"
    elif result.bound_gap_percent is not None:
        gap += f", at most {result.bound_gap_percent:.2f} % over a bound"
    verdict = "feasible" if record.feasible else "NOT feasible"
    if result.unserved:
        verdict = "not all served"
    from ncc_routing.problems.routes.comparison import difference_lines
    from ncc_routing.problems.routes.unserved import unserved_lines

    is_money = instance.source.is_table and instance.has_metres
    cost = money(result.cost) if is_money else format_cost(record.cost)
    routes = f"{'routes':<10}{record.num_routes}, {verdict}"
    took = f"{'time':<10}{record.runtime_seconds:.2f} s"
    if result.differences is not None:
        totals = result.totals, result.cost, result.absent
        told = difference_lines(result.differences, *totals)
        told += result.describe_amounts()
        return "\n".join([*told, routes, *lines, took])
    lines += [
        *result.describe_amounts(),
        f"{'cost':<10}{cost}{gap}",
        *(routes, *result.totals.lines(), took),
    ]

    lines += measures_lines(shapes, result.consistency)
    return "\n".join([*lines, *unserved_lines(result.absent)])
