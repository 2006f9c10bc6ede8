"""The one clock: a point in time by which work has to end."""

from __future__ import annotations

import math
import time


class Deadline:
    """A moment in the future, asked how far away it is.

    Every stage of a run polls the deadline it is given between its steps,
    so that :meth:`expire` ends the run early and in good order.

    Parameters
    ----------
    seconds
        Time from now, in seconds. ``None`` is never reached.
    """

    __slots__ = ("_end", "_outer")

    def __init__(
        self, seconds: float | None = None, *, _outer: Deadline | None = None
    ) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds
        self._outer = _outer

    def remaining(self) -> float:
        """Return the seconds left: ``inf`` without a limit, never < 0."""
        left = max(0.0, self._end - time.monotonic())
        if self._outer is not None:
            left = min(left, self._outer.remaining())
        return left

    def passed(self) -> bool:
        """Whether the moment lies behind us."""
        return self.remaining() <= 0.0

    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return math.isfinite(self.remaining())

    def within(self, seconds: float) -> Deadline:
        """Return the earlier of this deadline and ``seconds`` from now.

        It also passes when this one does, whenever that is.
        """
        return Deadline(seconds, _outer=self)

    def expire(self) -> None:
        """Let the moment be now: work that polls this deadline ends."""
        self._end = -math.inf

    def __reduce__(self) -> tuple[type[Deadline], tuple[float | None]]:
        """Pickle the time left: another machine has another clock."""
        left = self.remaining()
        return Deadline, (left if math.isfinite(left) else None,)
