"""What the verbs share when they write: files, JSON, numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pathlib import Path


def require_writable(*paths: Path | None) -> None:
    """Raise ``NccRoutingError`` for a file that cannot be written.

    Called before the work begins: nobody wants to hear it after an hour.
    An existing file keeps its content, and none is left behind.
    """
    from ncc_routing.core.exceptions import NccRoutingError

    for path in paths:
        if path is None:
            continue
        existed = path.exists()
        try:
            with path.open("ab"):
                pass
        except OSError as error:
            message = f"{path} cannot be written: {error.strerror}."
            raise NccRoutingError(message) from None
        if not existed:
            path.unlink()


def print_json(content: object) -> None:
    """Print one JSON object on one line of stdout."""
    typer.echo(json.dumps(content, allow_nan=False))


def format_cost(cost: float | None) -> str:
    """Return a cost for people: whole numbers without a decimal point."""
    if cost is None:
        return "-"
    if float(cost).is_integer():
        return str(int(cost))
    return f"{cost:.4f}"
