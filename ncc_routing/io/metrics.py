"""How the numbers of a VRPLIB file are measured, by name.

Four names are those of ``pyvrp.read``'s ``round_func``, with its meaning:
lengths, times, limits and fixed costs are multiplied by the scale and then
rounded or cut. Unit costs are not, so that a cost is in one unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.exceptions import InstanceError, ParameterError

if TYPE_CHECKING:
    import numpy as np


class FileMetric(NamedTuple):
    """How the numbers of a file become lengths, times and costs.

    They are multiplied by ``scale``, then cut: "nearest", "down" or "" (not).
    """

    rounding: str
    scale: float = 1.0
    cut: str = ""

    def measure(self, values: np.ndarray) -> np.ndarray:
        """Return lengths, times or fixed costs in this metric."""
        scaled: np.ndarray = self.scale * values
        if self.cut == "nearest":
            return scaled.round()
        if self.cut == "down":
            # Imported here: the command's help reads the names below.
            from numpy import trunc

            cut: np.ndarray = trunc(scaled)
            return cut
        return scaled


PAPER: Final = "paper"

METRICS: Final = {
    "cvrplib": FileMetric("nearest"),
    PAPER: FileMetric("none"),
    "round": FileMetric("nearest", cut="nearest"),
    "trunc": FileMetric("floor", cut="down"),
    "dimacs": FileMetric("dimacs", 10.0, "down"),
    "exact": FileMetric("exact", 1000.0, "nearest"),
    "none": FileMetric("none"),
}
"""Rounded as the file says; the paper's (coordinates / 1000, unrounded); and
those of PyVRP's reader."""

METRIC_NAMES: Final = tuple(METRICS)
"""What ``metric`` may be."""

PAPER_SCALE: Final = 1000.0
"""The paper divides the coordinates of X instances by this number."""


def require_metric(metric: str) -> None:
    """Refuse the name of an unknown metric."""
    if metric not in METRICS:
        names = ", ".join(METRIC_NAMES)
        raise ParameterError(f"metric must be one of {names}, got {metric}.")


def rounding_of(source: object, metric: str, kind: str, rounding: str) -> str:
    """Return the rounding of lengths; ``rounding`` is the file's.

    A metric that scales lengths which the file rounds is refused.
    """
    if kind == "EUC_2D":
        return METRICS[metric].rounding
    if METRICS[metric].scale != 1.0:
        rule = f"must be EUC_2D or EXPLICIT for the metric {metric}"
        raise InstanceError(source, "EDGE_WEIGHT_TYPE", rule, kind)
    return rounding
