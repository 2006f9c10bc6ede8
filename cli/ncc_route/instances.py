"""``ncc-route instances``: what can be named without a path."""

import typer

from ncc_route import options
from ncc_route.output import format_cost, print_json


def instances(json: options.JsonOption = False) -> None:
    """List the known instances, the smallest first.

    These lie in instances/ of the repository and below the folder that the
    environment variable NCC_ROUTING_DATA names.
    """
    from ncc_routing.benchmarking.catalogue import list_instances
    from ncc_routing.benchmarking.records import whole

    entries = list_instances()
    if json:
        found = [
            {
                "name": entry.name,
                "num_customers": entry.num_customers,
                "capacity": entry.capacity,
                "bks": whole(entry.bks),
                "path": str(entry.path),
            }
            for entry in entries
        ]
        print_json({"instances": found})
        return
    if not entries:
        typer.echo("No instance found; set NCC_ROUTING_DATA.", err=True)
        return
    width = max(len(entry.name) for entry in entries)
    typer.echo(
        f"{'name':<{width}} {'customers':>9} {'capacity':>8} {'bks':>9}"
    )
    for entry in entries:
        size = "-" if entry.num_customers is None else entry.num_customers
        capacity = "-" if entry.capacity is None else entry.capacity
        typer.echo(
            f"{entry.name:<{width}} {size:>9} {capacity:>8} "
            f"{format_cost(entry.bks):>9}"
        )
