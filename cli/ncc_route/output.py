"""What the verbs share when they write: files, JSON, numbers."""

from __future__ import annotations

import json
import logging
from functools import partial
from typing import TYPE_CHECKING

import typer

from ncc_routing.core.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ncc_routing.problems.route_shapes import RouteShapes
    from ncc_routing.problems.steadiness import Steadiness


def require_writable(*paths: Path | None) -> None:
    """Raise ``NccRoutingError`` for a file that cannot be written.

    Called before the work begins: nobody wants to hear it after an hour.
    """
    from ncc_routing.core import text_files

    for path in paths:
        if path is not None:
            text_files.require_writable(path)


def speak_beside(*outputs: Path | None, json: bool) -> Callable[[str], None]:
    """Return what prints a line for people: on stderr beside a stream.

    Parameters
    ----------
    outputs
        Files to write, one of them perhaps standard output ("-").
    json
        Whether one JSON object is to stand on standard output.

    Raises
    ------
    NccRoutingError
        If two things would go to standard output.
    """
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.core.text_files import is_standard_output

    count = sum(is_standard_output(output) for output in outputs)
    if count + json > 1:
        raise ParameterError("standard output takes one thing at a time.")
    return partial(say, err=count > 0)


def say(text: str, *, err: bool = False) -> None:
    """Print lines for people; names and paths in them cannot do harm.

    Parameters
    ----------
    text
        The lines.
    err
        Whether they go to stderr. Default no.
    """
    typer.echo("\n".join(map(printable, text.split("\n"))), err=err)


class PlainFormatter(logging.Formatter):
    """Lines of the log, with escapes for what a terminal would obey."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return printable(super().formatMessage(record))


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


def shapes_json(shapes: RouteShapes | None) -> dict[str, float] | None:
    """Return measures of routes as an object, ``None`` for none."""
    if shapes is None:
        return None
    return {
        "overlap": round(shapes.overlap, 4),
        "medoid_distance": round(shapes.medoid_distance, 4),
        "crossings": shapes.crossings,
    }


def shapes_lines(shapes: RouteShapes | None) -> list[str]:
    """Return measures of routes as lines for people, none for ``None``."""
    if shapes is None:
        return []
    return [
        f"{'overlap':<10}{100.0 * shapes.overlap:.1f} % of the customers "
        "inside the hull of another route",
        f"{'medoid':<10}{shapes.medoid_distance:,.6g} away on average",
        f"{'crossings':<10}{shapes.crossings} between routes",
    ]


def steadiness_json(steadiness: Steadiness | None) -> dict[str, float] | None:
    """Return what routes keep as an object, ``None`` for none."""
    if steadiness is None:
        return None
    return {
        "kept_pairs": round(steadiness.kept_pairs, 4),
        "moved": round(steadiness.moved, 4),
    }


def steadiness_lines(steadiness: Steadiness | None) -> list[str]:
    """Return what routes keep as lines for people, none for ``None``."""
    if steadiness is None:
        return []
    return [
        f"{'kept':<10}{100.0 * steadiness.kept_pairs:.1f} % of the pairs "
        "that share a zone of the reference share a route",
        f"{'moved':<10}{100.0 * steadiness.moved:.1f} % of its customers "
        "are on a route of another zone",
    ]
