"""``ncc-route solve``: one instance, one checked solution."""

import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from ncc_route import interrupts, options
from ncc_route.output import (
    compilation_notice,
    format_cost,
    print_json,
    require_writable,
)
from ncc_route.pictures import draw_routes
from ncc_route.progress import show_progress
from ncc_routing.core.deadline import Deadline
from ncc_routing.plotting.figures import DEFAULT_DPI
from ncc_routing.vrp.methods import DEFAULT_METHOD, DEFAULT_POLISH
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from ncc_routing.benchmarking.records import Record
    from ncc_routing.problems.instance import Instance


JobsOption = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        callback=options.jobs,
        help="Cores that the polish may use; -1 for all.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the routes in VRPLIB form (.sol).",
        show_default=False,
    ),
]


def solve(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    instance: options.InstanceArgument,
    method: options.MethodOption = DEFAULT_METHOD,
    polish: options.PolishOption = DEFAULT_POLISH,
    router: options.RouterOption = DEFAULT_ROUTER,
    time_limit: options.SolveTimeOption = None,
    seed: options.SeedOption = 1,
    jobs: JobsOption = 1,
    output: OutputOption = None,
    plot: options.PlotOption = None,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
    bks: options.BksOption = None,
    metric: options.MetricOption = "cvrplib",
    params: options.ParamsOption = None,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Solve an instance, check the solution, and print or write it.

    Ctrl-C ends the run with the best solution so far.
    """
    from ncc_routing.benchmarking.best_known import find_bks
    from ncc_routing.benchmarking.records import record_result
    from ncc_routing.io.names import find_instance
    from ncc_routing.io.vrplib import read, write_solution
    from ncc_routing.vrp import solve as pipeline

    start = time.perf_counter()
    # The options that are parameters of the run come out of the context.
    wanted = options.parameters(context, pipeline.SolveParams)
    deadline = Deadline(wanted.time_limit)
    require_writable(output, plot)
    # Whatever a solver prints must not mix with the answer.
    with (
        redirect_stdout(sys.stderr),
        compilation_notice(),
        interrupts.expire_on_signal(deadline) as interruption,
    ):
        file = find_instance(instance)
        problem = read(file, cast("Literal['cvrplib', 'paper']", metric))
        target = find_bks(problem, file, bks)
        with show_progress(progress, target) as callbacks:
            result = pipeline.solve(
                problem, wanted, deadline=deadline, callbacks=callbacks
            )
        if output is not None:
            write_solution(output, result.best)
    record = record_result(result, target, time.perf_counter() - start)
    if plot is not None:
        draw_routes(plot, problem, result.best, size=size, dpi=dpi)
    if json:
        answer = record.to_json()
        # The routes come before the version, as documented.
        package = answer.pop("version")
        print_json(
            {
                **answer,
                "params": result.params,
                "routes": result.best.routes,
                "version": package,
            }
        )
    else:
        typer.echo("\n".join(_describe(problem, record)))
        for label, written in (("solution", output), ("figure", plot)):
            if written is not None:
                typer.echo(f"{label:<10}{written}")
    if interruption.seen:
        raise typer.Exit(interrupts.EXIT_CODE)


def _describe(instance: "Instance", record: "Record") -> list[str]:
    """Return the lines that a person reads."""
    lines = [
        f"{'instance':<10}{instance.name}, {instance.num_customers} "
        f"customers, capacity {instance.capacity}",
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
