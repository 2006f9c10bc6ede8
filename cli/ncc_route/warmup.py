"""``ncc-route warmup``: a name of before, which does nothing."""

from typing import Annotated

import typer

from ncc_route.output import say

EverythingOption = Annotated[bool, typer.Option("--all", help="No effect.")]


def warmup(everything: EverythingOption = False) -> None:
    """Do nothing. The next release removes this command."""
    say("there is nothing to compile; warmup goes with the next release.")
