"""``ncc-route warmup``: kernels compiled ahead."""

from typing import Annotated

import typer

from ncc_route.output import say

EverythingOption = Annotated[
    bool,
    typer.Option("--all", help="What every method calls, not the defaults."),
]


def warmup(everything: EverythingOption = False) -> None:
    """Compile kernels ahead, on all cores, so that no later run has to."""
    from ncc_routing.core.compiling import HAS_CACHE
    from ncc_routing.core.exceptions import NccRoutingError
    from ncc_routing.warming import warmup as compile_ahead

    if not HAS_CACHE:
        raise NccRoutingError(
            "there is no folder to keep kernels in; NUMBA_CACHE_DIR names one."
        )
    seconds = compile_ahead(everything=everything)
    say(f"kernels are ready after {seconds:.1f} s")
