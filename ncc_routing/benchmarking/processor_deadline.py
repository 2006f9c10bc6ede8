"""A deadline that other work on the machine does not bring nearer."""

from __future__ import annotations

import time

from ncc_routing.deadline import Deadline


class ProcessorDeadline(Deadline):
    """A deadline in processor time of this process.

    For comparisons on a shared machine; ``within`` counts wall-clock time
    as that of every deadline.

    Parameters
    ----------
    seconds
        Seconds of processor time from now.
    """

    __slots__ = ("_processor_end",)

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._processor_end = time.process_time() + seconds

    def remaining(self) -> float:
        """Return the seconds of processor time that are left."""
        return max(0.0, self._processor_end - time.process_time())
