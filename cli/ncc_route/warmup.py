"""``ncc-route warmup``: a name of before, which does nothing."""

from typing import Annotated

import typer

from ncc_route.output import say

EverythingOption = Annotated[bool, typer.Option("--all", help="No effect.")]


def warmup(everything: EverythingOption = False) -> None:
    """Do nothing, and go with the next release: all code is compiled."""
    say("there is nothing to compile; warmup goes with the next release.")
