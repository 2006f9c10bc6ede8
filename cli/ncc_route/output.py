"""What the verbs share when they write: files, JSON, numbers, progress."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import typer

from ncc_routing.core.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ncc_routing.core.events import Callbacks
    from ncc_routing.problems.routes.references import Consistency
    from ncc_routing.problems.routes.route_shapes import RouteShapes


def require_writable(*paths: Path | None) -> None:
    """Raise ``NccRoutingError`` for an unwritable file before the work."""
    from ncc_routing.core import text_files

    for path in paths:
        if path is not None:
            text_files.require_writable(path)


def speak_beside(*outputs: Path | None, json: int) -> Callable[[str], None]:
    """Return what prints a line for people: on stderr beside a stream.

    Refuses to write two things to standard output.
    """
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.core.text_files import is_standard_output

    count = sum(is_standard_output(output) for output in outputs)
    if count + json > 1:
        raise ParameterError("only one output can go to standard output.")
    return partial(say, err=count > 0)


def say(text: str, *, err: bool = False) -> None:
    """Print lines for people, on stderr if wanted; names do no harm there."""
    typer.echo("\n".join(map(printable, text.split("\n"))), err=err)


def ask(question: str) -> str:
    """Return what is typed; standard output is for what a verb prints."""
    typer.echo(f"{question}: ", nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise typer.Abort
    return line.strip()


class PlainFormatter(logging.Formatter):
    """Lines of the log, with escapes for what a terminal would obey."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        return printable(super().formatMessage(record))


@contextmanager
def show_progress(
    wanted: bool | None, best_known: float | None = None
) -> Iterator[Callbacks | None]:
    """Yield what shows the progress of a run on stderr, or nothing.

    ``wanted`` is ``None``: where stderr is a terminal.
    """
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield None
        return
    from ncc_routing.core.display import ProgressDisplay

    with ProgressDisplay(best_known=best_known) as display:
        yield display


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


def measures_json(
    measures: RouteShapes | Consistency | None,
) -> dict[str, float] | None:
    """Return measures of routes as an object, ``None`` for none."""
    if measures is None:
        return None
    return {name: round(value, 4) for name, value in asdict(measures).items()}


def measures_lines(
    shapes: RouteShapes | None, kept: Consistency | None
) -> list[str]:
    """Return the measures of routes that there are as lines for people."""
    lines = []
    if shapes is not None:
        lines += [
            f"{'overlap':<10}{100.0 * shapes.overlap:.1f} % of the customers "
            "inside the hull of another route",
            f"{'medoid':<10}{shapes.medoid_distance:,.6g} away on average",
            f"{'crossings':<10}{shapes.crossings} between routes",
        ]
    if kept is not None:
        lines += [
            f"{'kept':<10}{100.0 * kept.kept_pairs:.1f} % of the pairs "
            "that share a district of the reference share a route",
            f"{'moved':<10}{100.0 * kept.moved:.1f} % of its customers "
            "are on a route of another district",
        ]
    return lines
