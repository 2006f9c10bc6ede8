"""``ncc-route serve``: problems over HTTP."""

from typing import Annotated

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_routing.serve.params import ServeParams

HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Address to listen on; 0.0.0.0 for all interfaces.",
    ),
]
PortOption = Annotated[
    int, options.number("--port", "Port to listen on.", 0, max=65535)
]


@verb(stated=params_of(ServeParams, has_file=False))
def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 3000,
    *,
    stated: Stated[ServeParams],
) -> None:
    """Answer requests over HTTP: VROOM's JSON as vroom-express, and tables.

    It has no users and no encryption: put a proxy in front of it if others can
    reach it.
    """
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.serve.app import listen

    try:
        listen(stated.params(), host, port)
    except OSError as error:
        raise ParameterError(
            f"{host}, port {port}: {error.strerror}."
        ) from None
