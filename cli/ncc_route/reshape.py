"""``ncc-route reshape``: other routes within a share of the cost of a plan."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options, parameters, tables
from ncc_route.solve import OutputOption, PlotOption, Request, solve_one
from ncc_routing.plotting.figures import DEFAULT_DPI
from ncc_routing.vrp.params import SolveParams

ExtraOption = Annotated[
    float,
    typer.Option(
        "--max-extra-cost",
        metavar="SHARE",
        help="Largest extra cost of the routes, as a share of the cost of "
        "the plan.",
    ),
]


@parameters.taking(
    SolveParams,
    (
        *("compactness", "reference", "consistency"),
        *("time_limit", "seed", "jobs"),
    ),
    compactness={"help": "Weight of compact routes to begin with."},
    consistency={
        "help": "Weight of keeping the routes of the reference to begin with."
    },
    time_limit={"shown": "n / 100, but 2 to 60 (below 20 customers n / 10)"},
)
@tables.reading
def reshape(  # noqa: PLR0913 (typer: one parameter for each option)
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    max_extra_cost: ExtraOption = 0.01,
    *,
    stated: parameters.Stated[SolveParams],
    read: "tables.Reader",
    reference_instance: options.ReferenceInstanceOption = None,
    output: OutputOption = None,
    plot: PlotOption = None,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Make the routes of a plan compact, or consistent with a reference.

    The plan may come from any solver. If no better routes are found within
    the cost limit, it is returned unchanged.
    """
    from ncc_routing.vrp import reshape as pipeline

    reference = stated.values.get("reference")
    options.require_one_stream(instance, solution, reference)
    request = Request.of(
        partial(
            pipeline.reshape, plan=solution, max_extra_cost=max_extra_cost
        ),
        stated,
        reference_instance,
        read=read,
        output=output,
        plot=plot,
        size=size,
        dpi=dpi,
        progress=progress,
        json=json,
    )
    solve_one(Path(instance), request)
