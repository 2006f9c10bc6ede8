"""``ncc-route solve``: instances, each with a checked solution."""

import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import interrupts, options, parameters, tables
from ncc_route.output import (
    format_cost,
    measures_json,
    measures_lines,
    print_json,
    require_writable,
    say,
    show_progress,
    speak_beside,
)
from ncc_route.overwriting import read_files, require_kept
from ncc_route.references import with_reference
from ncc_routing.core.printable import shortened
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.plotting.figures import DEFAULT_DPI, FIGURE_SUFFIXES
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.route_files import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from ncc_routing.bench.records import Record
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.result import Result

InstancesArgument = Annotated[
    list[str],
    options.argument(
        "INSTANCE...",
        "VRPLIB files, tables of customers (.csv, .json, .xlsx), names of "
        "known instances, folders of instances, or - for standard input.",
        autocompletion=options.completing_known_names,
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write the routes: VRPLIB (.sol, or - for standard output), a "
        "timetable (.csv), the whole result (.json), or a picture as --plot.",
        callback=options.result_file,
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
PlotOption = Annotated[
    Path | None,
    options.file(
        "--plot",
        "Draw the routes into a .png or .svg file, an interactive .html "
        "page, or a .geojson file for maps.",
        callback=options.file_of(PICTURE_SUFFIXES),
    ),
]
StartOption = Annotated[
    Path | None,
    options.file(
        "--start",
        "Initial routes in place of a method, repaired if needed: .sol (or - "
        "for standard input), .csv or .json.",
    ),
]
BksOption = Annotated[
    str | None,
    options.file(
        "--bks",
        "Best known solution (.sol, .csv, .json) or cost to compare with.",
        metavar="FILE|VALUE",
        show_default="the .sol file next to the instance",
    ),
]


@dataclass(frozen=True)
class Request:
    """What to do with each instance.

    ``work`` solves it, with the keywords of ``vrp.solve.solve``.
    """

    work: "Callable[..., Result]"
    params: SolveParams
    read: "Callable[[Path], Instance]"
    output: Path | None
    plot: Path | None
    size: str
    dpi: int
    progress: bool | None
    json: bool
    say: Callable[[str], None]
    bks: str | None = None

    @classmethod
    def of(
        cls,
        work: "Callable[..., Result]",
        stated: parameters.Stated[SolveParams],
        reference_instance: Path | None,
        **wanted: Any,
    ) -> "Request":
        """Refuse what cannot be done before any work."""
        output = wanted["output"]
        params = with_reference(
            stated.params(), reference_instance, wanted["read"]
        )
        speak = speak_beside(output, json=wanted["json"])
        require_writable(output, wanted["plot"])
        return cls(work, params, say=speak, **wanted)

    def require_places(self, problem: "Instance") -> None:
        """Refuse a picture of a problem without coordinates."""
        for path in filter(None, (self.output, self.plot)):
            if path.suffix.lower() in PICTURE_SUFFIXES:
                problem.require_coords("plotting")


@parameters.taking(SolveParams)
@tables.reading
def solve(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    instances: InstancesArgument,
    stated: parameters.Stated[SolveParams],
    read: "tables.Reader",
    reference_instance: options.ReferenceInstanceOption = None,
    start: StartOption = None,
    output: OutputOption = None,
    sol_dir: FolderOption = None,
    plot: PlotOption = None,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
    bks: BksOption = None,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Solve instances, check the solutions, and print or write them.

    Several instances are solved one after the other, each with the whole time
    limit. If one fails, stderr names it and the next one is solved. Ctrl-C
    ends a run with the best solution so far.
    """
    from ncc_routing.io.instance_files import expand_instances
    from ncc_routing.vrp import solve as pipeline

    reference = stated.values.get("reference")
    options.require_one_stream(*instances, reference, start)
    request = Request.of(
        partial(pipeline.solve, initial_solution=start),
        stated,
        reference_instance,
        read=read,
        bks=bks,
        output=output,
        plot=plot,
        size=size,
        dpi=dpi,
        progress=progress,
        json=json,
    )
    files = expand_instances(instances)
    if len(files) > 1 or sol_dir is not None:
        _require_none(output=output, plot=plot, bks=bks, start=start)
        if sol_dir is not None:
            read_too = read_files({**context.params, "instances": files})
            targets = [sol_dir / f"{file.stem}.sol" for file in files]
            require_kept(read_too, targets, "sol-dir")
        _solve_all(files, sol_dir, request)
    else:
        solve_one(files[0], request)


def _require_none(**options: object) -> None:
    """Refuse options that go with one instance."""
    from ncc_routing.core.exceptions import ParameterError

    for option, value in options.items():
        if value is not None:
            raise ParameterError(
                f"--{option} goes with one instance; --sol-dir takes the "
                "routes of several."
            )


def _solve_all(
    files: list[Path], folder: Path | None, request: Request
) -> None:
    """Solve several instances; end with 1 where one failed."""
    from ncc_routing.core.exceptions import NccRoutingError
    from ncc_routing.io.instance_files import require_different_names

    require_different_names(files)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for number, file in enumerate(files):
        if number > 0 and not request.json:
            request.say("")
        output = None if folder is None else folder / f"{file.stem}.sol"
        try:
            solve_one(file, replace(request, output=output))
        except NccRoutingError as error:
            say(f"ncc-route: error: {error}", err=True)
            failed = True
    if failed:
        raise typer.Exit(1)


def solve_one(file: Path, request: Request) -> None:
    """Solve one instance, and print and write what is wanted."""
    from ncc_routing.bench.best_known import find_bks
    from ncc_routing.bench.records import record_result
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.io.names import find_instance

    start = time.perf_counter()
    time_limit = TimeLimit(request.params.time_limit)
    # Until the answer is written, the first signal loses nothing.
    with interrupts.expire_on_signal(time_limit):
        # Whatever a solver prints must not mix with the answer.
        with redirect_stdout(sys.stderr):
            if not is_standard_input(file):
                file = find_instance(file)
            problem = request.read(file)
            request.require_places(problem)
            target = find_bks(problem, file, request.bks)
            with show_progress(request.progress, target) as callbacks:
                result = request.work(
                    problem,
                    params=request.params,
                    stop=time_limit,
                    callbacks=callbacks,
                )
        if request.output is not None:
            _write(request.output, result, request)
        seconds = time.perf_counter() - start
        _report(request, result, record_result(result, target, seconds))


def _report(request: Request, result: "Result", record: "Record") -> None:
    """Draw and print what is wanted."""
    problem = result.instance
    if request.plot is not None:
        _write(request.plot, result, request)
    is_compact = request.params.compactness > 0.0
    is_compact = is_compact and problem.coords is not None
    if request.json:
        print_json(_answer(record, result, is_compact=is_compact))
        return
    shapes = result.shapes if is_compact else None
    lines = measures_lines(shapes, result.consistency)
    request.say("\n".join([*_describe(problem, record), *lines]))
    for label, path in (
        ("solution", request.output),
        ("figure", request.plot),
    ):
        if path is not None:
            request.say(f"{label:<10}{path}")


def _write(path: Path, result: "Result", request: Request) -> None:
    """Write the result in the form that the suffix names."""
    looks: dict[str, Any] = {}
    if path.suffix.lower() in FIGURE_SUFFIXES:
        looks = {"size": options.figure_size(request.size), "dpi": request.dpi}
    result.write(path, **looks)


def _answer(
    record: "Record", result: "Result", *, is_compact: bool
) -> dict[str, object]:
    """Return what ``--json`` prints; the version comes last."""
    from ncc_routing.io.routes import route_ids
    from ncc_routing.problems.timetable import has_times, stop_rows

    answer = record.to_json()
    package = answer.pop("version")
    instance = result.instance
    answer |= {"params": result.params, "plan": result.plan}
    answer["routes"] = result.best.routes
    if instance.fleet is not None:
        answer["vehicle_types"] = result.best.vehicle_types
    if is_compact:
        answer["shapes"] = measures_json(result.shapes)
    if result.labels:
        kept = measures_json(result.consistency)
        answer |= {"consistency": kept, "steadiness": kept}  # its old name
    if instance.ids is not None:
        answer["route_ids"] = route_ids(instance, result.best)
    if has_times(instance):
        answer["timetable"] = stop_rows(instance, result.best)
    if instance.unused_columns:
        answer["unused_columns"] = instance.unused_columns
    return {**answer, "version": package}


def _describe(instance: "Instance", record: "Record") -> list[str]:
    """Return the lines that a person reads."""
    lines = [
        f"{'instance':<10}{instance.name}, {instance.describe_size()}",
    ]
    if instance.unused_columns:
        names = shortened(", ".join(instance.unused_columns))
        lines.append(f"{'unused':<10}columns {names}")
    lines.append(
        f"{'method':<10}{record.method}, polish {record.polish}, "
        f"seed {record.seed}"
    )
    for name, seconds, cost in record.stages:
        after = "" if cost is None else f", cost {format_cost(cost)}"
        lines.append(f"{name:<10}{seconds:.2f} s{after}")
    gap = ""
    if record.gap_percent is not None:
        gap = f" ({record.gap_percent:.2f} % over {format_cost(record.bks)})"
    verdict = "feasible" if record.feasible else "NOT feasible"
    return [
        *lines,
        f"{'cost':<10}{format_cost(record.cost)}{gap}",
        f"{'routes':<10}{record.num_routes}, {verdict}",
        f"{'time':<10}{record.runtime_seconds:.2f} s",
    ]
