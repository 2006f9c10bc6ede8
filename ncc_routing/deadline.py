"""The one clock: a point in time by which work has to end."""

from __future__ import annotations

import math
import time


class Deadline:
    """A moment in the future, asked how far away it is.

    Parameters
    ----------
    seconds
        Time from now, in seconds. ``None`` is never reached.
    """

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None = None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float:
        """Return the seconds left: ``inf`` without a limit, never < 0."""
        return max(0.0, self._end - time.monotonic())

    def passed(self) -> bool:
        """Whether the moment lies behind us."""
        return time.monotonic() >= self._end

    def within(self, seconds: float) -> Deadline:
        """Return the earlier of this deadline and ``seconds`` from now."""
        return Deadline(min(seconds, self.remaining()))

    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return math.isfinite(self._end)
