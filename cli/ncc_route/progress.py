"""A progress bar on stderr."""

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(
    what: str, total: int, visible: bool = True
) -> "Iterator[Callable[[], None]]":
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
