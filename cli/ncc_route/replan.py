"""``ncc-route replan``: the rest of a day, from a moment on."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.running import Frame
from ncc_route.solve import FRAME, SOME_UNSERVED, show_result
from ncc_routing.vrp.params import SolveParams

ResultArgument = Annotated[
    Path,
    options.argument(
        "RESULT",
        "Plan as solve or replan --output writes it: .xlsx, .json, or .csv "
        "with the .json of --also beside it.",
    ),
]
ChangesArgument = Annotated[
    Path | None,
    options.argument(
        "CHANGES",
        "Table of changes (.csv, .json, .xlsx). Its column change says add "
        "order, cancel, out of service, late, window or add vehicle, in one "
        "of five languages.",
    ),
]
NowOption = Annotated[
    str,
    typer.Option(
        "--now",
        metavar="TIME",
        help="Time to plan from, in the format of the input: 10:30.",
    ),
]
ActualOption = Annotated[
    Path | None,
    options.file(
        "--actual",
        "Served stops with their actual times in a column departure, in a "
        "format of --in-progress of solve. A table needs no routes.",
        show_default="the vehicles are on time",
    ),
]


CompeteOption = Annotated[
    bool,
    typer.Option(
        "--new-orders-compete",
        help="Let new orders count as much as those of the plan. Otherwise "
        "orders of the plan are left out after new ones of their priority.",
    ),
]


@verb(
    stated=params_of(
        SolveParams,
        ("time_limit", "seed", "jobs", "objective", "allow_unserved"),
        objective={"shown": "that of the plan"},
        allow_unserved={
            "flag": "--allow-unserved/--all-or-nothing",
            "shown": "allow-unserved",
        },
    ),
    frame=FRAME,
)
def replan(
    result: ResultArgument,
    changes: ChangesArgument = None,
    *,
    now: NowOption,
    actual: ActualOption = None,
    new_orders_compete: CompeteOption = False,
    stated: Stated[SolveParams],
    frame: Frame,
) -> None:
    """Plan the rest of a day: new orders, cancellations, breakdowns, delays.

    Served stops and goods on board stay, and nothing departs before --now.
    The exit code is 3 if orders are left unserved.
    """
    from ncc_routing.core.params import build_params
    from ncc_routing.vrp.dispatch.replan import kept_objective
    from ncc_routing.vrp.dispatch.replan import replan as pipeline
    from ncc_routing.vrp.result import Result

    start = time.perf_counter()
    with frame.running(stated.params().time_limit) as time_limit:
        before = Result.read(result)
        with frame.working() as callbacks:
            after = pipeline(
                before,
                () if changes is None else changes,
                time_limit,
                now=now,
                actual=actual,
                allow_unserved=bool(stated.values.get("allow_unserved", True)),
                new_orders_compete=new_orders_compete,
                params=build_params(
                    SolveParams,
                    {**kept_objective(before), **stated.values},
                    "",
                ),
                callbacks=callbacks,
            )
        show_result(frame, after, start)
    if after.unserved and frame.format is None:
        raise typer.Exit(SOME_UNSERVED)
