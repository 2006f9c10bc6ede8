"""The frame of the verbs that run something: solve, cluster and their kin."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ncc_route import interrupts, options
from ncc_route.declared import Group, parameter
from ncc_route.output import (
    print_json,
    require_writable,
    say,
    show_progress,
    speak_beside,
)
from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.core.text_files import write_text
from ncc_routing.plotting.figures import DEFAULT_DPI, FIGURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ncc_routing.core.events import Callbacks


WRITING_SECONDS: Final = {".xlsx": 4e-4, ".svg": 2e-4, ".sol": 2e-6}
OTHER_WRITING_SECONDS: Final = 8e-5
"""Seconds for each customer that a file of a suffix takes, and any other."""


@dataclass(frozen=True)
class Frame:
    """Where a run writes, and what it shows.

    ``say`` prints for people, on stderr beside an answer on standard output.
    """

    say: Callable[[str], None]
    json: bool
    progress: bool | None
    output: Path | None = None
    also: Sequence[Path] = ()
    plot: Path | None = None
    size: str = options.DEFAULT_SIZE
    dpi: int = DEFAULT_DPI
    tiles: str | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        if self.format is None or self.output is None:
            return
        if self.output.suffix.lower() != ".json":
            raise ParameterError(
                f"{self.output}: --format {self.format} goes with a .json "
                "file, or with standard output."
            )

    @property
    def written(self) -> list[Path]:
        """The files that the run writes."""
        paths = (self.output, *self.also, self.plot)
        return [path for path in paths if path is not None]

    def looks(self, path: Path) -> dict[str, Any]:
        """Return how a file looks, where its suffix leaves it open."""
        if self.format is not None and path == self.output:
            return {"format": self.format}
        if self.tiles is not None and path.suffix.lower() == ".html":
            return {"tiles": self.tiles}
        if path.suffix.lower() not in FIGURE_SUFFIXES:
            return {}
        return {"size": options.figure_size(self.size), "dpi": self.dpi}

    @contextmanager
    def running(self, seconds: float | None = None) -> Iterator[TimeLimit]:
        """Yield the time limit of a run, which the first signal ends.

        Until the answer is written, that signal loses nothing. An error has
        the form and the exit code of the format.
        """
        require_writable(*self.written)
        time_limit = TimeLimit(seconds)
        try:
            with interrupts.expire_on_signal(time_limit):
                yield time_limit
        except NccRoutingError as error:
            if self.format is None:
                raise
            # Imported here: a help text needs no writer.
            from ncc_routing.desk.vroom_answer import code_of

            code = code_of(error)
            self.write({"code": code, "error": str(error)})
            say(f"ncc-route: error: {error}", err=True)
            raise typer.Exit(code) from None

    def for_solving(
        self, time_limit: TimeLimit, num_customers: int
    ) -> TimeLimit:
        """Return the limit less the time in which the answer is written.

        At least half of it is left.
        """
        if not time_limit.is_limited():
            return time_limit
        each = sum(
            WRITING_SECONDS.get(path.suffix.lower(), OTHER_WRITING_SECONDS)
            for path in self.written
        )
        left = time_limit.remaining()
        return time_limit.within(max(left / 2, left - each * num_customers))

    @contextmanager
    def working(self, bks: float | None = None) -> Iterator[Callbacks | None]:
        """Yield what shows the progress of a solver.

        Whatever the solver prints must not mix with the answer.
        """
        with (
            redirect_stdout(sys.stderr),
            show_progress(self.progress, bks) as callbacks,
        ):
            yield callbacks

    def write(self, content: object) -> None:
        """Write a JSON object to the output, or to standard output."""
        if self.output is None:
            print_json(content)
        else:
            write_text(self.output, json.dumps(content) + "\n")

    def answer(
        self,
        content: Callable[[], object],
        text: Callable[[], str],
        width: int = 10,
        **written: object,
    ) -> None:
        """Print one JSON object, or lines for people and the files written."""
        if self.json:
            print_json(content())
        if self.json or (self.format is not None and self.output is None):
            return
        lines = [
            f"{name:<{width}}{file}" for name, file in written.items() if file
        ]
        self.say("\n".join([text(), *lines]))


def frame(
    output: object = None,
    plot: object = None,
    *,
    also: object = None,
    has_size: bool = True,
    has_format: bool = False,
) -> Group:
    """Return the options of a frame.

    ``output``, ``also`` and ``plot`` declare the options that name what is
    written, if there are such; ``has_size`` is whether a picture has a size,
    and ``has_format`` whether JSON may have another form.
    """
    rows: list[tuple[str, object, object]] = []
    if output is not None:
        rows.append(("output", Annotated[Path | None, output], None))
    if also is not None:
        rows.append(("also", Annotated[list[Path] | None, also], None))
    if plot is not None:
        rows.append(("plot", Annotated[Path | None, plot], None))
        if has_size:
            rows.append(("size", options.SizeOption, options.DEFAULT_SIZE))
            rows.append(("tiles", options.TilesOption, None))
        rows.append(("dpi", options.DpiOption, DEFAULT_DPI))
    rows.append(("progress", options.ProgressOption, None))
    rows.append(("json", options.JsonOption, False))
    if has_format:
        rows.append(("format", options.FormatOption, None))

    def make(given: dict[str, Any], _: typer.Context) -> object:
        output, is_alone = given.get("output"), given["json"]
        if given.get("format") is not None and output is None:
            is_alone += 1
        given["also"] = given.get("also") or ()
        beside = output, *given["also"]
        return Frame(speak_beside(*beside, json=is_alone), **given)

    return Group(tuple(parameter(*row) for row in rows), make)
