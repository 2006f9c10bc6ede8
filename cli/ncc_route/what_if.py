"""``ncc-route what-if``: what changes would make of a plan."""

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.offer import NowOption
from ncc_route.replan import (
    ActualOption,
    ChangesArgument,
    ResultArgument,
)
from ncc_route.running import Frame, frame
from ncc_route.solve import SOME_UNSERVED
from ncc_routing.vrp.params import SolveParams


@verb(
    stated=params_of(
        SolveParams,
        ("time_limit", "seed", "jobs", "objective", "allow_unserved"),
        time_limit={"shown": "1.0"},
        objective={"shown": "that of the plan"},
        allow_unserved={
            "flag": "--allow-unserved/--all-or-nothing",
            "shown": "allow-unserved",
        },
    ),
    frame=frame(
        options.output(
            "Write the plan after the changes, in a format of solve.",
            callback=options.result_file,
        ),
    ),
)
def what_if(
    result: ResultArgument,
    changes: ChangesArgument = None,
    *,
    now: NowOption = None,
    actual: ActualOption = None,
    stated: Stated[SolveParams],
    frame: Frame,
) -> None:
    """Compare a plan before and after changes: cost, km, hours, moved orders.

    The exit code is 3 if orders are left unserved.
    """
    from ncc_routing import __version__
    from ncc_routing.core.params import build_params
    from ncc_routing.vrp.dispatch.what_if import SECONDS, warm_params
    from ncc_routing.vrp.dispatch.what_if import what_if as pipeline
    from ncc_routing.vrp.result import Result

    seconds = stated.params().time_limit or SECONDS
    with frame.running(seconds) as time_limit:
        before = Result.read(result)
        with frame.working() as callbacks:
            compared = pipeline(
                before,
                () if changes is None else changes,
                time_limit,
                now=now,
                actual=actual,
                allow_unserved=bool(stated.values.get("allow_unserved", True)),
                params=build_params(
                    SolveParams,
                    {**warm_params(before, seconds), **stated.values},
                    "",
                ),
                callbacks=callbacks,
            )
        if frame.output is not None:
            compared.result.write(frame.output)
    after = compared.result
    frame.answer(
        lambda: {
            **compared.to_json(),
            "seed": after.seed,
            "params": after.params,
            "version": __version__,
        },
        lambda: str(compared),
        solution=frame.output,
    )
    if after.unserved:
        raise typer.Exit(SOME_UNSERVED)
