"""``ncc-route explain``: why an order is where it is."""

from typing import Annotated

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import print_json, say
from ncc_route.replan import ResultArgument, read_result


@verb()
def explain(
    result: ResultArgument,
    name: Annotated[
        str,
        options.argument(
            "ID", "Id of an order, or a driver or route: van 2, Route 1."
        ),
    ],
    json: options.JsonOption = False,
) -> None:
    """Explain why an order is on its route, or what binds a route.

    Of an order: its cost, that on each other route, or what forbids it there.
    """
    from ncc_routing.vrp.explain import explain as pipeline

    found = pipeline(read_result(result), name)
    if json:
        print_json(found.to_json())
    else:
        say(str(found))
