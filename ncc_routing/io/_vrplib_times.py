"""The times of the nodes in a VRPLIB file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io._vrplib_rules import node_values
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.io.metrics import FileMetric

LARGEST_TIME: Final = 2.0**63
"""Bound on times and limits of a file: many write a huge number for none."""

_REMEDY: Final = (
    "times must be whole numbers: take the metric 'exact', which multiplies "
    "lengths and times by 1000, or 'dimacs' (by 10)"
)


def read_windows(
    text: VrplibText,
    values: dict[str, object],
    metric: FileMetric,
    order: np.ndarray,
    num_depots: int,
) -> TimeWindows | None:
    """Return the times of the nodes, or ``None`` where the file has none.

    Those of TIME_WINDOW_SECTION, SERVICE_TIME and RELEASE_TIME, the last two
    as a section or as one number for all customers.

    Parameters
    ----------
    text, values
        The split file, and what vrplib read from it.
    metric
        How numbers are measured.
    order
        Row of each node.
    num_depots
        Number of depots; they have neither service nor release.

    Raises
    ------
    InstanceError
        If a section is incomplete, or a time is no whole number.
    """
    size = len(order)
    given: dict[str, np.ndarray] = {}
    if "TIME_WINDOW" in text.sections:
        field = "TIME_WINDOW_SECTION"
        rows = node_values(
            text, values, "TIME_WINDOW", size, 2, largest=LARGEST_TIME
        )
        times = measured_times(text, field, rows, metric)
        given["tw_early"], given["tw_late"] = times.T
    for name, attribute in (
        ("SERVICE_TIME", "service_durations"),
        ("RELEASE_TIME", "release_times"),
    ):
        field = name
        if name in text.sections:
            field = f"{name}_SECTION"
            rows = node_values(
                text, values, name, size, 1, largest=LARGEST_TIME
            )[:, 0].copy()
        elif name in text.specifications:
            rows = np.full(size, text.real(name))
        else:
            continue
        rows[:num_depots] = 0
        given[attribute] = measured_times(text, field, rows, metric)
    if not given:
        return None
    try:
        return TimeWindows.of(
            size, **{name: times[order] for name, times in given.items()}
        )
    except InstanceError as error:
        field = "TIME_WINDOW_SECTION"
        if error.field in ("service_durations", "release_times"):
            field = error.field.upper().rstrip("S").replace("DURATION", "TIME")
        raise InstanceError(
            text.source, field, error.rule, error.value
        ) from None


def measured_times(
    text: VrplibText, field: str, values: np.ndarray, metric: FileMetric
) -> np.ndarray:
    """Return times or limits in a metric, as whole numbers.

    Raises
    ------
    InstanceError
        If one is negative or no whole number.
    """
    for value in values[values < 0][:1]:
        rule = "must not be negative"
        raise InstanceError(text.source, field, rule, float(value))
    times: np.ndarray = np.minimum(metric.measure(values), NO_LIMIT)
    for value in times[times != np.rint(times)][:1]:
        raise InstanceError(text.source, field, _REMEDY, float(value))
    return times
