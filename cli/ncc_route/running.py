"""The frame of the verbs that run something: solve, cluster and their kin."""

from __future__ import annotations

import sys
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ncc_route import interrupts, options
from ncc_route.declared import Group, parameter
from ncc_route.output import (
    print_json,
    require_writable,
    show_progress,
    speak_beside,
)
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.plotting.figures import DEFAULT_DPI, FIGURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import typer

    from ncc_routing.core.events import Callbacks


@dataclass(frozen=True)
class Frame:
    """Where a run writes, and what it shows.

    ``say`` prints for people, on stderr beside an answer on standard output.
    """

    say: Callable[[str], None]
    json: bool
    progress: bool | None
    output: Path | None = None
    plot: Path | None = None
    size: str = options.DEFAULT_SIZE
    dpi: int = DEFAULT_DPI
    tiles: str | None = None

    def looks(self, path: Path) -> dict[str, Any]:
        """Return how a picture looks, of which the format leaves it open."""
        if self.tiles is not None and path.suffix.lower() == ".html":
            return {"tiles": self.tiles}
        if path.suffix.lower() not in FIGURE_SUFFIXES:
            return {}
        return {"size": options.figure_size(self.size), "dpi": self.dpi}

    @contextmanager
    def running(self, seconds: float | None = None) -> Iterator[TimeLimit]:
        """Yield the time limit of a run, which the first signal ends.

        Until the answer is written, that signal loses nothing.
        """
        require_writable(self.output, self.plot)
        time_limit = TimeLimit(seconds)
        with interrupts.expire_on_signal(time_limit):
            yield time_limit

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

    def answer(
        self,
        content: Callable[[], object],
        text: Callable[[], str],
        width: int = 10,
        **written: Path | None,
    ) -> None:
        """Print one JSON object, or lines for people and the files written."""
        if self.json:
            print_json(content())
            return
        lines = [
            f"{name:<{width}}{file}" for name, file in written.items() if file
        ]
        self.say("\n".join([text(), *lines]))


def frame(
    output: object = None, plot: object = None, *, has_size: bool = True
) -> Group:
    """Return the options of a frame.

    ``output`` and ``plot`` declare the options that name what is written, if
    there are such; ``has_size`` is whether a picture has a size.
    """
    rows: list[tuple[str, object, object]] = []
    if output is not None:
        rows.append(("output", Annotated[Path | None, output], None))
    if plot is not None:
        rows.append(("plot", Annotated[Path | None, plot], None))
        if has_size:
            rows.append(("size", options.SizeOption, options.DEFAULT_SIZE))
            rows.append(("tiles", options.TilesOption, None))
        rows.append(("dpi", options.DpiOption, DEFAULT_DPI))
    rows.append(("progress", options.ProgressOption, None))
    rows.append(("json", options.JsonOption, False))

    def make(given: dict[str, Any], _: typer.Context) -> object:
        say = speak_beside(given.get("output"), json=given["json"])
        return Frame(say, **given)

    return Group(tuple(parameter(*row) for row in rows), make)
