"""Breaks of drivers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import (
    Declared,
    declared,
    flag,
    text,
    whole,
)
from ncc_routing.problems.values import NO_LIMIT, whole_tuple


def _windows(
    source: str, name: str, given: Any
) -> tuple[tuple[int, int], ...]:
    if not isinstance(given, list | tuple) or not given:
        rule = "must be pairs of the earliest and the latest begin"
        raise InstanceError(source, name, rule)
    pairs = given if isinstance(given[0], list | tuple) else [given]
    windows = []
    for pair in pairs:
        ends = whole_tuple(source, name, pair, is_limit=True)
        if len(ends) != 2 or ends[0] > ends[1]:
            rule = "must be pairs of an earliest and a later latest begin"
            raise InstanceError(source, name, rule, ends)
        windows.append((ends[0], min(ends[1], NO_LIMIT)))
    return tuple(sorted(windows))


def _loads(source: str, name: str, given: Any) -> tuple[int, ...]:
    loads = given if hasattr(given, "__len__") else (given,)
    return whole_tuple(source, name, loads, is_limit=True)


@dataclass(frozen=True)
class Break(Declared):
    """A break that each route of a vehicle type has once.

    It lies between the work at the first depot and the end of the route: on an
    arc, which it may interrupt, at a stop before or after its service, or
    during waiting. It counts in the duration of the route.

    Parameters
    ----------
    duration
        Its length, at least 0.
    windows
        When it may begin: pairs of the earliest and the latest time. Default:
        at any time.
    paid
        Whether ``unit_duration_cost`` is paid for it. Default ``True``.
    max_load
        Largest load on board during the break, in the unit of the demands; a
        sequence has one for each load dimension. Default: any.
    name
        Its name. Default: empty.

    Raises
    ------
    InstanceError
        If a time or a load is no whole number, or a window closes before it
        opens.
    """

    duration: int = whole(least=0)
    windows: tuple[tuple[int, int], ...] = declared(_windows, ((0, NO_LIMIT),))
    paid: bool = flag(
        True,
        says="whether breaks cost `cost_per_time`; empty: yes",
        column="break_paid",
    )
    max_load: tuple[int, ...] | None = declared(
        _loads,
        None,
        says="largest load on board during a break; empty: any",
        column="break_max_load",
        unit="loads",
        blank=NO_LIMIT,
    )
    name: str = text("")

    def __post_init__(self) -> None:
        self.read_fields("break")
