"""``ncc-route instances``: what can be named without a path."""

from fnmatch import fnmatch
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.output import format_cost, print_json, say

instances = typer.Typer(
    name="instances", rich_markup_mode=None, invoke_without_command=True
)
"""The verb: a list, and one step to fetch more."""


def _completing_public_names(incomplete: str) -> list[str]:
    from ncc_routing.io.names import public_names

    return options.completing(public_names())(incomplete)


NamesArgument = Annotated[
    list[str],
    options.argument(
        "NAME...",
        "Names such as X-n101-k25, or patterns such as 'X-n1*'.",
        autocompletion=_completing_public_names,
    ),
]


@instances.callback()
def show(context: typer.Context, json: options.JsonOption = False) -> None:
    """List the known instances, the smallest first.

    They are in the package, under the folder of the environment variable
    NCC_ROUTING_DATA, or downloaded by "instances get".
    """
    from ncc_routing.bench.catalogue import list_instances
    from ncc_routing.bench.records import whole

    if context.invoked_subcommand is not None:
        return
    entries = list_instances()
    if json:
        rows = [
            {
                "name": entry.name,
                "num_customers": entry.num_customers,
                "capacity": entry.capacity,
                "bks": whole(entry.bks),
                "path": str(entry.path),
            }
            for entry in entries
        ]
        print_json({"instances": rows})
        return
    if not entries:
        say("No instance found; set NCC_ROUTING_DATA.", err=True)
        return
    width = max(len(entry.name) for entry in entries)
    say(f"{'name':<{width}} {'customers':>9} {'capacity':>8} {'bks':>9}")
    for entry in entries:
        size = "-" if entry.num_customers is None else entry.num_customers
        capacity = "-" if entry.capacity is None else entry.capacity
        say(
            f"{entry.name:<{width}} {size:>9} {capacity:>8} "
            f"{format_cost(entry.bks):>9}"
        )


@instances.command()
def get(names: NamesArgument) -> None:
    """Download public instances and their best known solutions.

    These are the CVRP sets X and XXL (AGS) of the repository PyVRP/Instances
    at a fixed commit; every file is verified by its sha256 hash. They are kept
    in the user's cache folder, or in the folder of NCC_ROUTING_DATA.
    """
    from ncc_routing.io.names import fetch_instance, public_names

    known = public_names()
    for pattern in names:
        lower = pattern.lower()
        # A name without a match is refused by fetch_instance, with a hint.
        for name in [n for n in known if fnmatch(n.lower(), lower)] or [
            pattern
        ]:
            say(str(fetch_instance(name)))
