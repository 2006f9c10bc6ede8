"""``ncc-route diagnose``: why a problem has no plan."""

import typer

from ncc_route import options
from ncc_route.declared import verb
from ncc_route.output import say
from ncc_route.tables import READ, Reader


@verb(read=READ)
def diagnose(
    instance: options.InstanceArgument,
    json: options.JsonOption = False,
    *,
    read: Reader,
) -> None:
    """Prove why a problem has no plan, and warn of doubtful data.

    No search runs: fatal findings are proved by arithmetic, and the others are
    warnings. The exit code is 1 if a finding is fatal.
    """
    from ncc_routing.vrp.why.verdict import diagnose

    diagnosis = diagnose(read(instance))
    say(diagnosis.to_json() if json else str(diagnosis))
    if diagnosis.fatal:
        raise typer.Exit(1)
