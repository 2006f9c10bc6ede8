"""``ncc-route solve``: instances, each with a checked solution."""

import sys
import time
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import interrupts, options, problem_options
from ncc_route.output import (
    format_cost,
    print_json,
    require_writable,
    say,
    shapes_json,
    shapes_lines,
    speak_beside,
    steadiness_json,
    steadiness_lines,
)
from ncc_route.pictures import draw_routes
from ncc_route.prior_days import place_reference
from ncc_route.progress import show_progress
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.printable import shortened
from ncc_routing.plotting.figures import DEFAULT_DPI
from ncc_routing.vrp.methods import DEFAULT_METHOD, DEFAULT_POLISH
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.bench.records import Record
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveParams
    from ncc_routing.vrp.result import Result

InstancesArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="INSTANCE...",
        help="VRPLIB files, tables of customers (.csv, .json), names of known "
        "instances, folders with .vrp files, or - for standard input.",
        autocompletion=options.completing_known_names,
        show_default=False,
    ),
]
CompactOption = Annotated[
    float,
    typer.Option(
        "--compact",
        metavar="W",
        min=0.0,
        help="How much compact routes are worth; 1 stands for about one "
        "percent of the cost.",
    ),
]
LoyaltyOption = Annotated[
    float,
    typer.Option(
        "--loyalty",
        metavar="W",
        min=0.0,
        help="How much the search believes the scorer that --scorer names.",
    ),
]
StayOption = Annotated[
    float,
    typer.Option(
        "--stay",
        metavar="W",
        min=0.0,
        help="How much it is worth that customers stay with those of the "
        "reference; 1 costs about half a percent.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the routes: in VRPLIB form (.sol, or - for standard "
        "output), as a table with the ids of the customers (.csv), or the "
        "whole result (.json).",
        show_default=False,
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--sol-dir",
        metavar="FOLDER",
        help="Write the routes of each instance as FOLDER/NAME.sol.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class _Wishes:
    """What to do with each instance, beside the parameters of the run."""

    params: "SolveParams"
    table: dict[str, object]
    bks: str | None
    output: Path | None
    plot: Path | None
    size: str
    dpi: int
    progress: bool | None
    json: bool
    say: "Callable[[str], None]"


def solve(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    instances: InstancesArgument,
    method: options.MethodOption = DEFAULT_METHOD,
    scorer: options.ScorerOption = None,
    polish: options.PolishOption = DEFAULT_POLISH,
    router: options.RouterOption = DEFAULT_ROUTER,
    time_limit: options.SolveTimeOption = None,
    seed: options.SeedOption = 1,
    jobs: options.SolveJobsOption = 1,
    compactness: CompactOption = 0.0,
    loyalty: LoyaltyOption = 0.0,
    reference: options.ReferenceOption = None,
    reference_instance: options.ReferenceInstanceOption = None,
    stay: StayOption = 0.0,
    output: OutputOption = None,
    sol_dir: FolderOption = None,
    plot: options.PlotOption = None,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
    bks: options.BksOption = None,
    capacity: problem_options.CapacityOption = None,
    depot: problem_options.DepotOption = None,
    matrix: problem_options.MatrixOption = None,
    metric: options.MetricOption = "cvrplib",
    params: options.ParamsOption = None,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Solve instances, check the solutions, and print or write them.

    Several instances are solved one after the other, each in its own time
    limit; one that fails is named on stderr, and the others go on. Ctrl-C
    ends a run with the best solution so far.
    """
    from ncc_routing.io.instance_files import expand_instances
    from ncc_routing.vrp.params import SolveParams

    place_reference(context, reference, reference_instance)
    wishes = _Wishes(
        # The options that are parameters of the run come out of the context.
        params=options.parameters(context, SolveParams),
        table={
            "capacity": capacity,
            "depot": depot,
            "matrix": matrix,
            "metric": metric,
        },
        bks=bks,
        output=output,
        plot=plot,
        size=size,
        dpi=dpi,
        progress=progress,
        json=json,
        say=speak_beside(output, json=json),
    )
    require_writable(output, plot)
    options.require_one_stream(*instances, reference)
    files = expand_instances(instances)
    if len(files) > 1 or sol_dir is not None:
        _solve_all(files, sol_dir, wishes)
    else:
        _solve_one(files[0], wishes)


def _solve_all(
    files: list[Path], folder: Path | None, wishes: _Wishes
) -> None:
    """Solve several instances; end with 1 where one failed."""
    from dataclasses import replace

    from ncc_routing.core.exceptions import NccRoutingError, ParameterError

    for option in ("output", "plot", "bks"):
        if getattr(wishes, option) is not None:
            raise ParameterError(
                f"--{option} goes with one instance; --sol-dir takes the "
                "routes of several."
            )
    targets: dict[str, Path] = {}
    for file in files:
        if targets.setdefault(file.stem.lower(), file) is not file:
            raise ParameterError(
                f"{file} and {targets[file.stem.lower()]} would have the "
                "same name."
            )
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for number, file in enumerate(files):
        if number > 0 and not wishes.json:
            wishes.say("")
        output = None if folder is None else folder / f"{file.stem}.sol"
        try:
            _solve_one(file, replace(wishes, output=output))
        except NccRoutingError as error:
            say(f"ncc-route: error: {error}", err=True)
            failed = True
    if failed:
        raise typer.Exit(1)


def _solve_one(file: Path, wishes: _Wishes) -> None:
    """Solve one instance, and print and write what is wanted."""
    from ncc_routing.bench.best_known import find_bks
    from ncc_routing.bench.records import record_result
    from ncc_routing.core.preparation import seconds_spent
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.io.customers import read_problem
    from ncc_routing.io.names import find_instance
    from ncc_routing.vrp import solve as pipeline

    start, spent = time.perf_counter(), seconds_spent()
    deadline = Deadline(wishes.params.time_limit)
    # Until the answer is written, the first signal loses nothing.
    with interrupts.expire_on_signal(deadline):
        # Whatever a solver prints must not mix with the answer.
        with redirect_stdout(sys.stderr):
            if not is_standard_input(file):
                file = find_instance(file)
            problem = read_problem(file, **wishes.table)  # type: ignore[arg-type]
            target = find_bks(problem, file, wishes.bks)
            with show_progress(wishes.progress, target) as callbacks:
                result = pipeline.solve(
                    problem,
                    wishes.params,
                    deadline=deadline,
                    callbacks=callbacks,
                )
        if wishes.output is not None:
            _write(wishes.output, result)
        seconds = time.perf_counter() - start - seconds_spent() + spent
        _report(wishes, result, record_result(result, target, seconds))


def _report(wishes: _Wishes, result: "Result", record: "Record") -> None:
    """Draw and print what is wanted."""
    problem = result.instance
    if wishes.plot is not None:
        draw_routes(
            wishes.plot,
            problem,
            result.best,
            labels=result.labels,
            size=wishes.size,
            dpi=wishes.dpi,
        )
    if wishes.json:
        print_json(_answer(record, result))
        return
    wishes.say("\n".join(_describe(problem, record)))
    if wishes.params.compactness > 0.0:
        wishes.say("\n".join(shapes_lines(result.shapes)))
    if result.labels:
        wishes.say("\n".join(steadiness_lines(result.steadiness)))
    written = (("solution", wishes.output), ("figure", wishes.plot))
    for label, path in written:
        if path is not None:
            wishes.say(f"{label:<10}{path}")


def _write(path: Path, result: "Result") -> None:
    """Write the routes in the form that the suffix names."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        from ncc_routing.core.text_files import write_text

        write_text(path, result.to_json() + "\n")
    elif suffix == ".csv":
        from ncc_routing.io.routes import write_routes

        write_routes(path, result.instance, result.best)
    else:
        from ncc_routing.io.vrplib import write_solution

        write_solution(path, result.best, result.instance)


def _answer(record: "Record", result: "Result") -> dict[str, object]:
    """Return what ``--json`` prints."""
    from ncc_routing.io.routes import route_ids

    answer = record.to_json()
    # The routes come before the version, as documented.
    package = answer.pop("version")
    instance = result.instance
    more: dict[str, object] = {}
    if instance.fleet is not None:
        more["vehicle_types"] = result.best.vehicle_types
    if result.params.get("compactness"):
        more["shapes"] = shapes_json(result.shapes)
    if result.labels:
        more["steadiness"] = steadiness_json(result.steadiness)
    if instance.ids is not None:
        more["route_ids"] = route_ids(instance, result.best)
    if instance.unused_columns:
        more["unused_columns"] = instance.unused_columns
    return {
        **answer,
        "params": result.params,
        "routes": result.best.routes,
        **more,
        "version": package,
    }


def _describe(instance: "Instance", record: "Record") -> list[str]:
    """Return the lines that a person reads."""
    lines = [
        f"{'instance':<10}{instance.name}, {instance.num_customers} "
        f"customers, capacity {instance.capacity}",
    ]
    if instance.unused_columns:
        names = shortened(", ".join(instance.unused_columns))
        lines.append(f"{'unused':<10}columns {names}")
    lines += [
        f"{'method':<10}{record.method}, polish {record.polish}, "
        f"seed {record.seed}",
    ]
    for name, seconds, cost in record.stages:
        after = "" if cost is None else f", cost {format_cost(cost)}"
        lines.append(f"{name:<10}{seconds:.2f} s{after}")
    gap = ""
    if record.gap_percent is not None:
        gap = f" ({record.gap_percent:.2f} % over {format_cost(record.bks)})"
    verdict = "feasible" if record.feasible else "NOT feasible"
    lines += [
        f"{'cost':<10}{format_cost(record.cost)}{gap}",
        f"{'routes':<10}{record.num_routes}, {verdict}",
        f"{'time':<10}{record.runtime_seconds:.2f} s",
    ]
    return lines
