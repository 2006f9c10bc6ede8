"""What a person sees on stderr while a verb works."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.core.events import Callbacks


@contextmanager
def show_progress(
    wanted: bool | None, best_known: float | None = None
) -> Iterator[Callbacks | None]:
    """Yield what shows the progress of a run, or nothing.

    Parameters
    ----------
    wanted
        Whether to show it; ``None``: where stderr is a terminal.
    best_known
        Cost that the best so far is compared with.
    """
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield None
        return
    from ncc_routing.core.display import ProgressDisplay

    with ProgressDisplay(best_known=best_known) as display:
        yield display
