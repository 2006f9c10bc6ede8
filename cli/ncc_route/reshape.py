"""``ncc-route reshape``: other routes within a share of the cost of a plan."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.running import Frame
from ncc_route.solve import FRAME, solve_one
from ncc_route.tables import READ, Reader
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


@verb(
    stated=params_of(
        SolveParams,
        (
            *("compactness", "reference", "consistency"),
            *("time_limit", "seed", "jobs"),
        ),
        compactness={"help": "Initial weight of compact routes."},
        consistency={
            "help": "Initial weight of keeping the routes of the reference."
        },
        time_limit={
            "shown": "n / 100, but 2 to 60 (below 20 customers n / 10)"
        },
    ),
    frame=FRAME,
    read=READ,
)
def reshape(
    instance: options.InstanceArgument,
    solution: options.SolutionArgument,
    max_extra_cost: ExtraOption = 0.01,
    *,
    stated: Stated[SolveParams],
    reference_instance: options.ReferenceInstanceOption = None,
    frame: Frame,
    read: Reader,
) -> None:
    """Make the routes of a plan compact, or consistent with a reference.

    The plan may come from any solver. If no better routes are found within
    the cost limit, it is returned unchanged.
    """
    from ncc_routing.vrp import reshape as pipeline

    reference = stated.values.get("reference")
    options.require_one_stream(instance, solution, reference)
    params = read.with_reference(stated.params(), reference_instance)
    work = partial(
        pipeline.reshape, solution=solution, max_extra_cost=max_extra_cost
    )
    solve_one(Path(instance), frame, read, work, params)
