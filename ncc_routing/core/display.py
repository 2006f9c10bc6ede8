"""The progress of a run, or of many runs, on stderr."""

from __future__ import annotations

from contextlib import contextmanager
from types import NoneType, TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from ncc_routing.core.events import Callbacks, Progress
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console
    from rich.status import Status


SECONDS_BETWEEN_LINES: Final = 1.0
"""Where nothing can be overwritten, a line comes that often at most."""


class ProgressDisplay(Callbacks):
    """Shows stage, time, best cost and iterations while a run works.

    On a terminal one line changes ten times a second; elsewhere a line is
    added where the best cost has fallen. The end of the context wipes the
    line. The console is one of rich, by default of stderr; costs are compared
    with ``best_known``.
    """

    def __init__(
        self, console: Console | None = None, best_known: float | None = None
    ) -> None:
        from rich.console import Console

        self._console = console or Console(stderr=True, highlight=False)
        self._best_known = best_known
        self._limit: float | None = None
        self._last = -SECONDS_BETWEEN_LINES
        self._status: Status | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._status = self._console.status("starting")
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def on_start(self, problem: Any, params: Any) -> None:
        """Take the time limit down."""
        self._limit = params.time_limit

    def on_progress(self, progress: Progress) -> None:
        """Change the line, where there is one."""
        if self._status is not None:
            self._status.update(self.describe(progress))

    def on_best(self, progress: Progress) -> None:
        """Add a line, where lines stay and the last one is old enough."""
        due = self._last + SECONDS_BETWEEN_LINES
        if self._status is None and progress.seconds >= due:
            self._last = progress.seconds
            self._console.print(self.describe(progress))

    def describe(self, progress: Progress) -> str:
        """Return the line about a moment."""
        time = f"{progress.seconds:.1f}"
        if self._limit is not None:
            time += f" of {self._limit:g}"
        parts = [f"{progress.stage:<9} {time} s"]
        if progress.cost is not None:
            cost = f"best {progress.cost:,.10g}"
            if self._best_known:
                gap = 100.0 * (progress.cost / self._best_known - 1.0)
                cost += f" ({gap:+.2f} %)"
            if progress.unserved:
                cost += f", {progress.unserved} unserved"
            parts.append(cost)
        if progress.iterations:
            parts.append(f"{progress.iterations:,} iterations")
        return ", ".join(parts)


@contextmanager
def shown(
    display: bool, callbacks: Callbacks | None
) -> Iterator[tuple[Callbacks, ...]]:
    """Yield the callbacks of a run, and a display if it is wanted."""
    if not isinstance(callbacks, (Callbacks, NoneType)):
        raise ParameterError(
            "callbacks must be an object of a subclass of "
            f"ncc_routing.Callbacks, got {describe_value(callbacks)}."
        )
    listeners = () if callbacks is None else (callbacks,)
    if display:
        with ProgressDisplay() as screen:
            yield (*listeners, screen)
    else:
        yield listeners


@contextmanager
def progress_bar(
    what: str, total: int, visible: bool = True
) -> Iterator[Callable[[], None]]:
    """Show a bar with the time left; yield what advances it by one."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not visible,
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
