"""``ncc-route offer``: where one more order fits, and what that costs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import print_json, require_writable, say
from ncc_route.replan import ResultArgument
from ncc_route.solve import SOME_UNSERVED

if TYPE_CHECKING:
    from ncc_routing.vrp.dispatch.offers import Offer

NumberOption = Annotated[
    int,
    typer.Option(
        "--number",
        "-n",
        min=1,
        help="Largest number of offers, for each slot.",
    ),
]
SlotOption = Annotated[
    list[str] | None,
    typer.Option(
        "--slot",
        metavar="WINDOW",
        help="Time window to price in place of the order's: 08:00-10:00. May "
        "be repeated.",
        show_default="the window of the order",
    ),
]
ImproveOption = Annotated[
    float | None,
    typer.Option(
        "--improve",
        metavar="SECONDS",
        callback=options.positive_seconds,
        help="Seconds of search in which other orders may move too.",
        show_default="no search",
    ),
]
NowOption = Annotated[
    str | None,
    typer.Option(
        "--now",
        metavar="TIME",
        help="Time from which the plan may change: 10:30.",
        show_default="the plan has not begun",
    ),
]
TakeOption = Annotated[
    int | None,
    typer.Option(
        "--take",
        min=1,
        metavar="NUMBER",
        help="Number of the offer to take, from 1; --output writes the plan "
        "with it.",
        show_default="none",
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write the plan with the offer taken (.json, .csv, .xlsx, .sol, "
        ".html).",
        metavar="FILE",
    ),
]


@verb()
def offer(  # noqa: PLR0913 - what is asked, and what is written
    result: ResultArgument,
    order: Annotated[
        str,
        options.argument(
            "ORDER",
            "File with the row of a new order (.json, .csv, .xlsx), or the "
            "id of an unserved order.",
        ),
    ],
    number: NumberOption = 20,
    slot: SlotOption = None,
    improve: ImproveOption = None,
    now: NowOption = None,
    take: TakeOption = None,
    output: OutputOption = None,
    json: options.JsonOption = False,
) -> None:
    """Price the positions of one more order in a plan.

    The other orders keep their vehicles and their sequence. The exit code is
    3 if the order fits nowhere.
    """
    from ncc_routing.vrp.dispatch.explain import explain
    from ncc_routing.vrp.dispatch.offers import offers
    from ncc_routing.vrp.result import Result

    if (take is None) != (output is None):
        raise typer.BadParameter("--take and --output go together.")
    require_writable(output)
    before, asked = Result.read(result), _order(order)
    listed = offers(
        before, asked, number, slots=slot, improve=improve, now=now
    )
    if json:
        print_json({"offers": [one.to_json() for one in listed]})
    else:
        for rank, one in enumerate(listed, start=1):
            say(f"{rank:>3}  {_in_slot(one)}{one}")
    if take is not None and output is not None:
        if take > len(listed):
            raise typer.BadParameter(f"there are {len(listed)} offers.")
        listed[take - 1].result.write(output)
    if not listed:
        if not json:
            say(f"the order fits nowhere\n{explain(before, asked)}")
        raise typer.Exit(SOME_UNSERVED)


def _in_slot(one: "Offer") -> str:
    return "" if one.slot is None else f"{one.slot}: "


def _order(given: str) -> dict[str, Any] | str:
    """Return the only row of a file, or an id."""
    from ncc_routing.desk.changes import read_order
    from ncc_routing.desk.tables import TABLE_SUFFIXES

    is_file = Path(given).suffix.lower() in TABLE_SUFFIXES
    return read_order(given) if is_file else given
