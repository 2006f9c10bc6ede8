"""``ncc-route bound``: how far a solution is from the best at most."""

from typing import Annotated

import typer

from ncc_route import interrupts, options
from ncc_route.declared import verb
from ncc_route.output import say
from ncc_route.tables import READ, Reader
from ncc_routing.core.stopping import TimeLimit

UpperOption = Annotated[
    str | None,
    options.file(
        "--upper",
        "Solution (.sol, .csv, .xlsx, .json) or cost; it speeds up the bound.",
        metavar="FILE|VALUE",
        show_default="a short search",
    ),
]
TimeLimitOption = Annotated[
    float,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        callback=options.positive_seconds,
        help="Time limit in seconds.",
    ),
]
ProveOption = Annotated[
    bool,
    typer.Option(
        "--prove", help="Branch until the best cost is proven to be optimal."
    ),
]


@verb(read=READ)
def bound(
    instance: options.InstanceArgument,
    upper: UpperOption = None,
    time_limit: TimeLimitOption = 60.0,
    prove: ProveOption = False,
    json: options.JsonOption = False,
    *,
    read: Reader,
) -> None:
    """Prove a lower bound on the cost of any solution.

    Constraints that are not modelled are dropped and named; the bound stays
    valid. Ctrl-C ends the run with the best bound so far.
    """
    from ncc_routing.core.text import may_be_number, number_of
    from ncc_routing.vrp.lower_bound import lower_bound

    options.require_one_stream(instance, upper)
    limit = TimeLimit(time_limit)
    problem = read(instance)
    is_cost = upper is not None and may_be_number(upper)
    known = number_of(upper) if upper and is_cost else upper
    with interrupts.expire_on_signal(limit):
        proved = lower_bound(problem, limit, known, prove=prove)
        say(proved.to_json() if json else str(proved))
