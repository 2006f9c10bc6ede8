"""``ncc-route explain``: why an order is where it is."""

from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import print_json, require_writable, say
from ncc_route.replan import ResultArgument

OutputOption = Annotated[
    Path | None,
    options.output(
        "Write a page of the routes with the explanation of each order.",
        callback=options.file_of((".html",)),
        metavar="FILE.html",
    ),
]


@verb()
def explain(
    result: ResultArgument,
    name: Annotated[
        str | None,
        options.argument(
            "ID", "Id of an order, a driver or a route: van 2, Route 1."
        ),
    ] = None,
    output: OutputOption = None,
    json: options.JsonOption = False,
) -> None:
    """Explain why an order is on its route, or what limits a route.

    Prints what an order costs on its route and on each other one, or the
    constraint that forbids it there.
    """
    from ncc_routing.vrp.dispatch.explain import explain as pipeline
    from ncc_routing.vrp.result import Result

    if name is None and output is None:
        raise typer.BadParameter("needs an ID or --output FILE.html.")
    require_writable(output)
    plan = Result.read(result)
    if name is not None:
        explained = pipeline(plan, name)
        if json:
            print_json(explained.to_json())
        else:
            say(str(explained))
    if output is not None:
        ids = plan.instance.node_ids[1 : plan.instance.num_customers + 1]
        notes = {each: str(pipeline(plan, each)) for each in ids}
        plan.write(output, notes=notes)
