"""``ncc-route solve``: one instance, one checked solution."""

import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from ncc_route import interrupts, options
from ncc_route.output import (
    format_cost,
    print_json,
    require_writable,
)
from ncc_routing.core.deadline import Deadline
from ncc_routing.vrp.methods import DEFAULT_METHOD, NO_POLISH

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
    polish: options.PolishOption = NO_POLISH,
    router: options.RouterOption = "lkh",
    time_limit: options.TimeLimitOption = None,
    seed: options.SeedOption = 1,
    jobs: JobsOption = 1,
    output: OutputOption = None,
    plot: options.PlotOption = None,
    bks: options.BksOption = None,
    metric: options.MetricOption = "cvrplib",
    params: options.ParamsOption = None,
    json: options.JsonOption = False,
) -> None:
    """Solve an instance, check the solution, and print or write it."""
    from ncc_routing.benchmarking.best_known import find_bks
    from ncc_routing.benchmarking.records import record_result
    from ncc_routing.core.preparation import seconds_spent
    from ncc_routing.io.vrplib import find_instance, read, write_solution
    from ncc_routing.vrp import solve as pipeline

    start = time.perf_counter()
    # The options that are parameters of the run come out of the context.
    wanted = options.parameters(context, pipeline.SolveParams)
    deadline = Deadline(wanted.time_limit)
    require_writable(output, plot)
    # Whatever a solver prints must not mix with the answer.
    with (
        redirect_stdout(sys.stderr),
        interrupts.expire_on_signal(deadline) as interruption,
    ):
        file = find_instance(instance)
        problem = read(file, cast("Literal['cvrplib', 'paper']", metric))
        target = find_bks(problem, file, bks)
        result = pipeline.solve(problem, wanted, deadline=deadline)
        if output is not None:
            write_solution(output, result.best)
    seconds = time.perf_counter() - start - seconds_spent()
    record = record_result(result, target, seconds)
    if plot is not None:
        from ncc_routing.plotting import plot_solution, save_figure

        save_figure(plot_solution(problem, result.best), plot)
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
