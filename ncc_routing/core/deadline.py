"""The one clock: a point in time by which work has to end."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value

if TYPE_CHECKING:
    from collections.abc import Callable


class Deadline:
    """A moment in the future, asked how far away it is.

    Every stage polls its deadline between steps, so that :meth:`expire` ends
    the run in good order, and measures progress by its clock :meth:`now`.

    Parameters
    ----------
    seconds
        Time from now, in seconds. ``None`` is never reached.
    clock
        Returns seconds. Default ``time.monotonic``; ``time.process_time``
        makes comparisons on a shared machine fair.
    """

    __slots__ = ("_clock", "_end", "_outer")

    def __init__(
        self,
        seconds: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        _outer: Deadline | None = None,
    ) -> None:
        self._clock = clock
        self._end = math.inf if seconds is None else clock() + seconds
        self._outer = _outer

    @classmethod
    def of(cls, given: object) -> Deadline:
        """Return the deadline of a caller; ``None`` is never reached."""
        if given is None:
            return cls()
        if not isinstance(given, Deadline):
            raise ParameterError(
                "deadline must be a Deadline of ncc_routing.core.deadline, "
                f"got {describe_value(given)}; a number of seconds is the "
                "time_limit."
            )
        return given

    def now(self) -> float:
        """Return the time of its clock, in seconds from anywhere."""
        return self._clock()

    def remaining(self) -> float:
        """Return the seconds left: ``inf`` without a limit, never < 0."""
        left = max(0.0, self._end - self._clock())
        if self._outer is not None:
            left = min(left, self._outer.remaining())
        return left

    def passed(self) -> bool:
        """Whether the moment lies behind us."""
        return self.remaining() <= 0.0

    def is_limited(self) -> bool:
        """Whether there is a limit at all."""
        return math.isfinite(self.remaining())

    def within(self, seconds: float | None) -> Deadline:
        """Return the earlier of this deadline and ``seconds`` from now.

        It has the same clock. ``None`` is no further limit.
        """
        return Deadline(seconds, clock=self._clock, _outer=self)

    def expire(self) -> None:
        """Let the moment be now: work that polls this deadline ends."""
        self._end = -math.inf

    def is_called_off(self) -> bool:
        """Whether it has passed because :meth:`expire` was called."""
        if self._outer is not None and self._outer.is_called_off():
            return True
        return self._end == -math.inf

    def __reduce__(self) -> tuple[object, tuple[float | None, object]]:
        """Pickle the time left: another machine has another clock."""
        left = self.remaining()
        return _restored, (left if math.isfinite(left) else None, self._clock)


def _restored(seconds: float | None, clock: Callable[[], float]) -> Deadline:
    return Deadline(seconds, clock=clock)
