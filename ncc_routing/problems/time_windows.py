"""When each node may be visited, and how long a visit takes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems import features
from ncc_routing.problems.values import (
    NO_LIMIT,
    ReadOnlyArrays,
    numbers,
    refuse,
    whole_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False)
class TimeWindows(ReadOnlyArrays):
    """Times of the nodes, each an int64 array with an entry for every node.

    Names and meanings are PyVRP's. A vehicle that arrives before the window
    opens waits; the service begins within the window and may end after it.

    Parameters
    ----------
    tw_early, tw_late
        Opening and closing of the window; 0 and ``problems.values.NO_LIMIT``
        (2**60) for no window.
        Those of a depot apply to the starts and ends of its routes, and to
        reloads.
    service_durations
        Duration of the service. That of a depot applies at the start of its
        routes, and of each trip after a reload there.
    release_times
        A trip does not start before the release time of each of its
        customers. 0 for depots.

    Raises
    ------
    InstanceError
        If shapes differ, a time is negative or not a whole number, or a window
        closes before it opens.
    """

    tw_early: np.ndarray
    tw_late: np.ndarray
    service_durations: np.ndarray
    release_times: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            given = numbers(
                "time windows", field.name, getattr(self, field.name)
            )
            times = whole_numbers(
                "time windows", field.name, np.minimum(given, NO_LIMIT)
            )
            if times.ndim != 1 or len(times) != len(self.tw_early):
                rule = "must hold a number for each node, as tw_early does"
                raise InstanceError(
                    "time windows", field.name, rule, times.shape
                )
            rule = "must not be negative (entry {})"
            refuse(times < 0, "time windows", field.name, rule, times)
            object.__setattr__(self, field.name, times)
        for node in np.flatnonzero(self.tw_early > self.tw_late)[:1]:
            early, late = int(self.tw_early[node]), int(self.tw_late[node])
            rule = f"must not be before tw_early {early} (entry {node + 1})"
            raise InstanceError("time windows", "tw_late", rule, late)

    @classmethod
    def of(
        cls,
        num_nodes: int,
        tw_early: ArrayLike = 0,
        tw_late: ArrayLike = NO_LIMIT,
        service_durations: ArrayLike = 0,
        release_times: ArrayLike = 0,
    ) -> TimeWindows:
        """Build the times of a number of nodes; a single number is for all.

        Parameters
        ----------
        num_nodes
            Number of nodes, depots included.
        tw_early, tw_late, service_durations, release_times
            As for the class. Default: no windows, no time.

        Raises
        ------
        InstanceError
            As for the class, or if an array has another number of nodes.
        """
        given = (tw_early, tw_late, service_durations, release_times)
        columns = []
        for field, value in zip(fields(cls), given, strict=True):
            times = numbers("time windows", field.name, value)
            if times.shape not in ((), (num_nodes,)):
                rule = f"must be a number, or {num_nodes}, one for each node"
                raise InstanceError(
                    "time windows", field.name, rule, times.shape
                )
            columns.append(np.broadcast_to(times, num_nodes))
        return cls(*columns)

    @property
    def num_nodes(self) -> int:
        """Number of nodes, depots included."""
        return len(self.tw_early)

    @property
    def features(self) -> tuple[str, ...]:
        """The features in use, in words."""
        has_windows = bool(
            (self.tw_early > 0).any() or (self.tw_late < NO_LIMIT).any()
        )
        is_used = {
            features.TIME_WINDOWS: has_windows,
            features.SERVICE_DURATIONS: bool(self.service_durations.any()),
            features.RELEASE_TIMES: bool(self.release_times.any()),
        }
        return tuple(name for name, is_there in is_used.items() if is_there)
