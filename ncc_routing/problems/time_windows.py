"""When each node may be visited, and how long a visit takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems import features
from ncc_routing.problems.declared import Declared, per_node
from ncc_routing.problems.values import (
    NO_LIMIT,
    listed,
    numbers,
    read_only,
    refuse,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


_ARRAYS: Final = (
    *("tw_early", "tw_late", "service_durations", "release_times"),
    "setup_durations",
)
"""Fields with a number for each node."""

_ENDS: Final = ("tw_early", "tw_late")

_COST: Final = (
    "cost of a unit of time by which a visit begins {} the preferred window; "
    "empty: 1"
)


def _times(source: str, field: str, value: object) -> np.ndarray:
    """Return whole times that are not negative."""
    given = numbers(source, field, value)
    times = whole_numbers(source, field, np.minimum(given, NO_LIMIT))
    refuse(times < 0, source, field, "must not be negative (entry {})", times)
    return times


@dataclass(frozen=True, eq=False)
class TimeWindows(Declared):
    """Times of the nodes, each an int64 array with an entry for every node.

    Names and meanings are PyVRP's. A vehicle that arrives before the window
    opens waits; the service begins within the window and may end after it. If
    a node has several windows, it begins within one of them.

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
    windows
        Several windows of nodes: for each node a list of pairs of opening and
        closing, empty if it has one. ``tw_early`` and ``tw_late`` bound them,
        and become the first opening and the last closing. It becomes an int64
        array of shape (nodes, most windows, 2), sorted, with the last window
        repeated if a node has fewer. Default: each node has one.
    setup_durations
        Duration of the set-up of a customer, such as parking: the first part
        of its visit, which begins within the window. It is there unless the
        vehicle is at the place already: the arc from its previous stop or
        depot takes no time. 0 for depots. Default: 0.
    preferred
        Preferred window of each customer: for each node a pair of opening and
        closing, ``None`` (or 0 and ``NO_LIMIT``) for none. A visit that begins
        outside costs its distance to the window. It becomes an int64 array of
        shape (nodes, 2). An instance refuses it beside hours of service and
        more than four breaks of a vehicle type: the cheapest times would
        depend on where drivers rest. Default: none.
    early_costs, late_costs
        Cost of each unit of time by which a visit begins before and after the
        preferred window, 0 or more. They become float64 arrays, 0 where
        nothing can be early or late. Default: 1.

    Raises
    ------
    InstanceError
        If shapes differ, a time is negative or not a whole number, or a window
        closes before it opens.
    """

    tw_early: np.ndarray = per_node(
        _times,
        says="opening of the time window; an early vehicle waits",
        column="open",
        cells="moment",
    )
    tw_late: np.ndarray = per_node(
        _times,
        says="closing of the time window; the service starts by then",
        column="close",
        cells="moment",
        blank=NO_LIMIT,
    )
    service_durations: np.ndarray = per_node(
        _times,
        says="duration of the service",
        column="service",
        cells="service",
        vrplib="SERVICE_TIME time",
    )
    release_times: np.ndarray = per_node(
        _times,
        says="earliest departure of a vehicle with the goods",
        column="release",
        cells="moment",
        vrplib="RELEASE_TIME time",
    )
    windows: np.ndarray | None = per_node(None, None, blank=())
    setup_durations: np.ndarray = per_node(
        _times,
        None,
        says="time at the start of a visit, as for parking, unless the "
        "previous stop is at the same place",
        column="setup",
        cells="service",
    )
    preferred: np.ndarray | None = per_node(None, None, blank=(0, NO_LIMIT))
    early_costs: np.ndarray | None = per_node(
        *(None, None),
        says=_COST.format("before"),
        column="early_cost",
        unit="per time",
        blank=1,
    )
    late_costs: np.ndarray | None = per_node(
        *(None, None),
        says=_COST.format("after"),
        column="late_cost",
        unit="per time",
        blank=1,
    )

    def __post_init__(self) -> None:
        self.read_fields("time windows")
        if self.setup_durations is None:
            self.keep(setup_durations=read_only(np.zeros_like(self.tw_early)))
        for field in _ARRAYS:
            times = getattr(self, field)
            if times.ndim != 1 or len(times) != len(self.tw_early):
                rule = "must hold a number for each node, as tw_early does"
                raise InstanceError("time windows", field, rule, times.shape)
        for node in np.flatnonzero(self.tw_early > self.tw_late)[:1]:
            early, late = int(self.tw_early[node]), int(self.tw_late[node])
            rule = f"must not be before tw_early {early} (entry {node + 1})"
            raise InstanceError("time windows", "tw_late", rule, late)
        if self.windows is not None:
            self._set_windows()
        self._set_preferred()

    def _set_preferred(self) -> None:
        """Take the preferred windows, with the costs of those that have any.

        Where nothing costs, there are none.
        """
        given: Any = self.preferred
        source, names = "time windows", ("early_costs", "late_costs")
        if given is None:
            for name in names:
                if getattr(self, name) is not None:
                    raise InstanceError(source, name, "needs preferred")
            return
        pairs = [
            (0, NO_LIMIT) if pair is None else pair
            for pair in listed(source, "preferred", given, "pairs")
        ]
        windows = _times(source, "preferred", pairs)
        if windows.shape != (self.num_nodes, 2):
            rule = f"must hold {self.num_nodes} pairs, one for each node"
            raise InstanceError(source, "preferred", rule, windows.shape)
        for node in np.flatnonzero(windows[:, 0] > windows[:, 1])[:1]:
            rule = f"must not close before it opens (entry {node + 1})"
            raise InstanceError(
                source, "preferred", rule, windows[node].tolist()
            )
        ends = (windows[:, 0] > 0, windows[:, 1] < NO_LIMIT)
        parts = {"preferred": windows}
        for name, is_end in zip(names, ends, strict=True):
            stated = getattr(self, name)
            costs = numbers(source, name, 1.0 if stated is None else stated)
            if costs.shape not in ((), (self.num_nodes,)):
                rule = f"must hold {self.num_nodes} numbers, one for each node"
                raise InstanceError(source, name, rule, costs.shape)
            costs = np.broadcast_to(costs, self.num_nodes).astype(np.float64)
            rule = "must be finite and not negative (entry {})"
            refuse(
                ~np.isfinite(costs) | (costs < 0), source, name, rule, costs
            )
            parts[name] = np.where(is_end, costs, 0.0)
        has_price = (parts["early_costs"] > 0) | (parts["late_costs"] > 0)
        parts["preferred"] = np.where(
            has_price[:, None], windows, np.array([0, NO_LIMIT])
        )
        for name, array in parts.items():
            found = read_only(array) if has_price.any() else None
            self.keep(**{name: found})

    def _set_windows(self) -> None:
        """Take what of all windows is within ``tw_early`` and ``tw_late``."""
        given: Any = self.windows
        if self._are_set(given):
            return
        given = listed("time windows", "windows", given, "lists of windows")
        if len(given) != self.num_nodes:
            rule = f"must hold {self.num_nodes} lists, one for each node"
            raise InstanceError("time windows", "windows", rule, len(given))
        bounds = np.column_stack([self.tw_early, self.tw_late])
        each = [
            _joined_windows(f"windows, entry {node}", pairs, *ends)
            for node, (pairs, ends) in enumerate(
                zip(given, bounds.tolist(), strict=True), start=1
            )
        ]
        most = max(map(len, each))
        padded = np.array(
            [pairs + pairs[-1:] * (most - len(pairs)) for pairs in each],
            np.int64,
        )
        self.keep(
            tw_early=read_only(padded[:, 0, 0].copy()),
            tw_late=read_only(padded[:, -1, 1].copy()),
            windows=read_only(padded) if most > 1 else None,
        )

    def _are_set(self, given: Any) -> bool:
        """Whether windows are those of these times, written as such."""
        if getattr(given, "dtype", None) != np.int64 or given.ndim != 3:
            return False
        opens, closes = given[:, :, 0], given[:, :, 1]
        follows = (opens[:, 1:] > closes[:, :-1]).all(axis=1)
        is_last = (given[:, 1:] == given[:, :-1]).all(axis=2)
        ordered = (opens[:, 1:] > closes[:, :-1]) | is_last
        return bool(
            len(given) == self.num_nodes
            and follows.any()
            and (opens <= closes).all()
            and ordered.all()
            and (opens[:, 0] == self.tw_early).all()
            and (closes[:, -1] == self.tw_late).all()
        )

    def windows_of(self, node: int) -> list[tuple[int, int]]:
        """Return the windows of a node, one or more, in their order."""
        if self.windows is None:
            return [(int(self.tw_early[node]), int(self.tw_late[node]))]
        pairs = map(tuple, self.windows[node].tolist())
        return list(dict.fromkeys(pairs))

    def list_windows(self) -> list[list[tuple[int, int]]]:
        """Return the windows of each node, an empty list where it has one."""
        if self.windows is None:
            return [[] for _ in range(self.num_nodes)]
        each = [self.windows_of(node) for node in range(self.num_nodes)]
        return [windows if len(windows) > 1 else [] for windows in each]

    @property
    def has_several(self) -> np.ndarray:
        """Whether each node has several windows, bool."""
        if self.windows is None:
            return np.zeros(self.num_nodes, dtype=bool)
        return np.asarray((self.windows[:, 0] != self.windows[:, -1]).any(1))

    def with_times(
        self,
        nodes: Any,
        windows: Sequence[tuple[int, int]] = (),
        /,
        **times: ArrayLike,
    ) -> TimeWindows:
        """Return the times with others of some nodes, by fields.

        Those with another ``tw_early`` or ``tw_late`` have one window, or the
        ``windows`` given.
        """
        changes: dict[str, Any] = {}
        for field, values in times.items():
            changes[field] = getattr(self, field).copy()
            changes[field][nodes] = values
        if not times.keys().isdisjoint(_ENDS):
            each = self.list_windows()
            for node in np.arange(self.num_nodes)[nodes].ravel().tolist():
                each[node] = list(windows)
            changes["windows"] = each
        return replace(self, **changes)

    @classmethod
    def of(  # noqa: PLR0913 - as the class
        cls,
        num_nodes: int,
        tw_early: ArrayLike = 0,
        tw_late: ArrayLike = NO_LIMIT,
        service_durations: ArrayLike = 0,
        release_times: ArrayLike = 0,
        windows: Any = None,
        setup_durations: ArrayLike = 0,
        preferred: Any = None,
        early_costs: Any = None,
        late_costs: Any = None,
        **more: Any,
    ) -> TimeWindows:
        """Build the times of a number of nodes; a single number is for all.

        Parameters
        ----------
        num_nodes
            Number of nodes, depots included.
        tw_early, tw_late, service_durations, release_times, windows
            As for the class. Default: no windows, no time.
        setup_durations, preferred, early_costs, late_costs, more
            As for the class.

        Raises
        ------
        InstanceError
            As for the class, or if an array has another number of nodes.
        """
        given = (
            *(tw_early, tw_late, service_durations, release_times),
            setup_durations,
        )
        columns = []
        for field, value in zip(_ARRAYS, given, strict=True):
            times = numbers("time windows", field, value)
            if times.shape not in ((), (num_nodes,)):
                rule = f"must be a number, or {num_nodes}, one for each node"
                raise InstanceError("time windows", field, rule, times.shape)
            columns.append(np.broadcast_to(times, num_nodes))
        early, late, service, release, setup = columns
        return cls(
            *(early, late, service, release, windows, setup),
            *(preferred, early_costs, late_costs),
            **more,
        )

    @property
    def num_nodes(self) -> int:
        """Number of nodes, depots included."""
        return len(self.tw_early)

    @property
    def is_integral(self) -> bool:
        """Whether every cost is a whole number."""
        return all(
            costs is None or bool((costs == np.rint(costs)).all())
            for costs in (self.early_costs, self.late_costs)
        )

    @property
    def features(self) -> tuple[str, ...]:
        """The features in use, in words."""
        has_windows = bool(
            (self.tw_early > 0).any() or (self.tw_late < NO_LIMIT).any()
        )
        is_used = {
            features.TIME_WINDOWS: has_windows,
            features.SEVERAL_WINDOWS: self.windows is not None,
            features.PREFERRED_WINDOWS: self.preferred is not None,
            features.SERVICE_DURATIONS: bool(self.service_durations.any()),
            features.RELEASE_TIMES: bool(self.release_times.any()),
            features.SETUP_DURATIONS: bool(self.setup_durations.any()),
        }
        return tuple(name for name, is_there in is_used.items() if is_there)


def _joined_windows(
    field: str, given: object, early: int, late: int
) -> list[list[int]]:
    """Return what windows leave between two times, those that meet as one."""
    if given is None or not listed("time windows", field, given, "pairs"):
        return [[early, late]]
    pairs = _times("time windows", field, given)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        rule = "must be pairs of opening and closing"
        raise InstanceError("time windows", field, rule, pairs.shape)
    joined: list[list[int]] = []
    for opens, closes in sorted(pairs.tolist()):
        if opens > closes:
            rule = f"must not be before the opening {opens}"
            raise InstanceError("time windows", field, rule, closes)
        opens, closes = max(opens, early), min(closes, late)
        if joined and opens <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], closes)
        elif opens <= closes:
            joined.append([opens, closes])
    if not joined:
        rule = f"must have a part between {early} and {late}"
        raise InstanceError("time windows", field, rule)
    return joined
