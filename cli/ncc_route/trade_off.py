"""``ncc-route trade-off``: what compact, steady or loyal routes cost."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import interrupts, options, problem_options
from ncc_route.output import print_json, require_writable, speak_beside
from ncc_route.prior_days import place_reference
from ncc_route.progress import show_progress
from ncc_routing.core.deadline import Deadline
from ncc_routing.plotting.figures import DEFAULT_DPI, FIGURE_SUFFIXES
from ncc_routing.vrp.methods import DEFAULT_METHOD, DEFAULT_POLISH

if TYPE_CHECKING:
    from ncc_routing.vrp.trade_off import TradeOff

NAMES = ("compactness", "stay", "loyalty")
"""What can be varied, as ``vrp.trade_off`` has them."""

NameOption = Annotated[
    str,
    typer.Option(
        "--of",
        metavar="NAME",
        callback=options.one_of(NAMES),
        autocompletion=options.completing(NAMES),
        help="What is varied: compactness; stay, which needs --reference; "
        "or loyalty, which needs --scorer.",
    ),
]
WeightsOption = Annotated[
    str,
    typer.Option(
        "--weights",
        metavar="W,...",
        help="Its values; that of 0 is always there.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the table as CSV; - for standard output.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=options.file_of(FIGURE_SUFFIXES),
        help="Draw each measure over the cost into a .png or .svg file.",
        show_default=False,
    ),
]
PlanTimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        callback=options.positive_seconds,
        help="Seconds for each weight.",
        show_default="n / 100, at least 2 and at most 60",
    ),
]


def trade_off(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    instance: options.InstanceArgument,
    name: NameOption = NAMES[0],
    weights: WeightsOption = "0,0.5,1,2",
    reference: options.ReferenceOption = None,
    reference_instance: options.ReferenceInstanceOption = None,
    scorer: options.ScorerOption = None,
    method: options.MethodOption = DEFAULT_METHOD,
    polish: options.PolishOption = DEFAULT_POLISH,
    time_limit: PlanTimeOption = None,
    seed: options.SeedOption = 1,
    jobs: options.SolveJobsOption = 1,
    output: OutputOption = None,
    plot: PlotOption = None,
    dpi: options.DpiOption = DEFAULT_DPI,
    capacity: problem_options.CapacityOption = None,
    depot: problem_options.DepotOption = None,
    matrix: problem_options.MatrixOption = None,
    metric: options.MetricOption = "cvrplib",
    params: options.ParamsOption = None,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Solve an instance with several weights, and compare the plans.

    Ctrl-C ends the curve with the plan that is being made.
    """
    from ncc_routing.io.customers import read_problem
    from ncc_routing.vrp import trade_off as curves
    from ncc_routing.vrp.params import SolveParams

    values = _numbers(weights)
    options.require_one_stream(instance, reference)
    place_reference(context, reference, reference_instance)
    context.params[name] = max(values)  # without it a scorer is for nothing
    # The options that are parameters of the runs come out of the context.
    wanted = options.parameters(context, SolveParams)
    require_writable(output, plot)
    speak = speak_beside(output, json=json)
    deadline = Deadline()
    with interrupts.expire_on_signal(deadline):
        # Whatever a solver prints must not mix with the answer.
        with redirect_stdout(sys.stderr):
            problem = read_problem(
                instance, capacity, depot=depot, matrix=matrix, metric=metric
            )
            with show_progress(progress) as callbacks:
                curve = curves.trade_off(
                    problem,
                    name,
                    values,
                    wanted,
                    deadline=deadline,
                    callbacks=callbacks,
                )
        _write(curve, output, plot, dpi)
        if json:
            print_json(_answer(curve))
            return
        speak(curve.summary())
        for label, path in (("table", output), ("figure", plot)):
            if path is not None:
                speak(f"{label:<10}{path}")


def _numbers(text: str) -> list[float]:
    """Return the numbers between commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise typer.BadParameter(
            f"--weights must be numbers between commas, got {text!r}."
        ) from None


def _write(
    curve: "TradeOff", output: Path | None, plot: Path | None, dpi: int
) -> None:
    """Write table and figure where they are wanted."""
    if output is not None:
        curve.write(output)
    if plot is not None:
        from ncc_routing.plotting import save_figure

        save_figure(curve.plot(), plot, dpi)


def _answer(curve: "TradeOff") -> dict[str, object]:
    """Return what ``--json`` prints."""
    from importlib import metadata

    first = curve.results[0]
    return {
        "instance": first.instance.name,
        "of": curve.name,
        "seed": first.seed,
        "plans": [
            {**row, "routes": result.routes}
            for row, result in zip(curve.table(), curve.results, strict=True)
        ],
        "version": metadata.version("ncc_routing"),
    }
