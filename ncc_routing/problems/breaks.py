"""Breaks of drivers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import (
    Declared,
    declared,
    flag,
    text,
    whole,
)
from ncc_routing.problems.values import NO_LIMIT, whole_tuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.problems.time_form import TimeForm


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
        Its length, at least 1.
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

    duration: int = whole(least=1)
    windows: tuple[tuple[int, int], ...] = declared(_windows, ((0, NO_LIMIT),))
    paid: bool = flag(True)
    max_load: tuple[int, ...] | None = declared(_loads, None)
    name: str = text("")

    def __post_init__(self) -> None:
        self.read_fields("break")


def describe_breaks(breaks: Iterable[Break], form: TimeForm) -> str:
    """Return them in words: "the break of 0:30 between 11:30 and 13:30"."""
    return " and ".join(_described(one, form) for one in breaks)


def _described(one: Break, form: TimeForm) -> str:
    if len(one.windows) == 1 and one.windows[0][0] == one.windows[0][1]:
        early, end = one.windows[0][0], one.windows[0][0] + one.duration
        return f"the break from {form.text(early)} to {form.text(end)}"
    text = f"the break of {form.text(one.duration, is_duration=True)}"
    spans = []
    for early, late in one.windows:
        if late < NO_LIMIT:
            spans.append(f"between {form.text(early)} and {form.text(late)}")
        elif early > 0:
            spans.append(f"after {form.text(early)}")
    return f"{text} {' or '.join(spans)}".strip()
