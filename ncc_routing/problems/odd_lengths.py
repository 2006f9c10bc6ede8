"""Lengths that hardly mean what they say: rounded away, or far too long."""

from __future__ import annotations

import logging
import weakref
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.distances import UNROUNDED
from ncc_routing.problems.values import longest_finite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_MOST: Final = 1000
"""Times the median from which a length may mark a forbidden arc."""

_SAMPLE: Final = 200
"""Nodes whose distances are looked at."""


class LongArcs(NamedTuple):
    """The arcs of a matrix that are more than 1,000 times the median."""

    name: str
    num_arcs: int
    tail: int
    head: int
    length: float
    median: float

    def describe(self, instance: Instance) -> str:
        """Return them in words, with the first of the longest."""
        example = instance.describe_node(self.tail)
        example += f" to {instance.describe_node(self.head)}"
        return (
            f"{self.name} above {_MOST} times the median of "
            f"{self.median:.12g} count as lengths, and inf would forbid the "
            f"arcs: {self.num_arcs} in all, the longest {self.length:.12g} "
            f"from {example}"
        )


def find_long_arcs(instance: Instance) -> Iterator[LongArcs]:
    """Yield the long arcs of each matrix that is given."""
    matrices = [
        ("distances", instance.matrix),
        ("durations", instance.durations),
    ]
    for number, profile in enumerate(instance.profiles, start=1):
        matrices += [
            (f"distances of profile {number}", profile.matrix),
            (f"durations of profile {number}", profile.durations),
        ]
    for name, matrix in matrices:
        if matrix is None:
            continue
        median, longest = _median(matrix), longest_finite(matrix)
        if not 0.0 < _MOST * median < longest:
            continue
        is_long = (matrix > _MOST * median) & np.isfinite(matrix)
        tail, head = np.argwhere(matrix == longest)[0].tolist()
        yield LongArcs(name, int(is_long.sum()), tail, head, longest, median)


def warn_of_long_arcs(instance: Instance) -> None:
    """Log the long arcs of an instance."""
    for arcs in find_long_arcs(instance):
        logger.warning("%s: %s.", instance.name, arcs.describe(instance))


def _sample(size: int) -> np.ndarray:
    return np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(int))


def _median(matrix: np.ndarray) -> float:
    """Return the median over places of the median arc from there, 0 for none.

    Of an even number it is the lower one: of two arcs one may be forbidden.
    """
    size = len(matrix)
    nodes = _sample(size)
    lengths = np.sort(matrix[np.ix_(nodes, nodes)], axis=1)
    is_open = (lengths > 0.0) & np.isfinite(lengths)
    counts = is_open.sum(axis=1)
    first = is_open.argmax(axis=1)
    medians = lengths[
        np.arange(len(lengths)), first + np.maximum(counts - 1, 0) // 2
    ]
    medians = np.sort(medians[counts > 0])
    return float(medians[(len(medians) - 1) // 2]) if len(medians) > 0 else 0.0


_MOST_ZEROS, _MOST_LOSS = 0.25, 0.25
"""Share of zeros among the distances between different places, and mean change
of these, from which together an answer means nothing: of many places in one
house the distances are 0, and the arcs to the house are kept."""

_FAIR_LOSS: Final = 0.05
"""Mean change of a distance by rounding from which it is said."""

_SEEN: weakref.WeakSet[Instance] = weakref.WeakSet()
"""The instances in use that were looked at: a reader says it in its words."""


def require_distances(
    instance: Instance, remedy: str = "", rounding: str = ""
) -> None:
    """Refuse an instance whose rounded distances say nothing.

    Coordinates in a unit square, and degrees that are taken for coordinates in
    a plane, lose their lengths when rounded to whole numbers. A sample of 200
    nodes is looked at: ``InstanceError``, with the ``remedy``, if at least a
    quarter of the distances between different places are 0, and a quarter of
    the total is lost; a warning for a smaller loss. A matrix is taken as it
    is, and so are whole metres between longitudes and latitudes. ``rounding``
    is what the user calls the rounding. Lengths of a matrix that may stand for
    no arc are named in a warning.
    """
    if instance not in _SEEN:
        _require_kept(instance, remedy, rounding)
        warn_of_long_arcs(instance)
        _SEEN.add(instance)


def _require_kept(instance: Instance, remedy: str, rounding: str) -> None:
    rule = instance.length_rule
    if instance.matrix is not None or instance.coords is None:
        return
    if rule.kind == UNROUNDED or instance.is_geographic:
        return
    size = len(instance.demands)
    nodes = _sample(size)
    places = instance.coords[nodes]
    gaps = places[:, None] - places[None]
    lengths = rule.scale * np.hypot(*np.moveaxis(gaps, -1, 0))
    remedy = remedy or _remedy(instance)
    rounding = rounding or repr(instance.rounding)
    is_apart = lengths > 0.0
    if not is_apart.any():
        return
    rounded = instance.distances(nodes, nodes)[is_apart]
    zeros = float((rounded == 0.0).mean())
    exact = lengths[is_apart]
    loss = float(np.abs(rounded - exact).sum() / exact.sum())
    if zeros >= _MOST_ZEROS and loss >= _MOST_LOSS:
        raise InstanceError(
            instance.name,
            "rounding",
            f"{rounding} makes {100 * zeros:.0f} % of the distances between "
            f"different places 0; {remedy}",
        )
    if loss > _FAIR_LOSS:
        logger.warning(
            "%s: rounding %s changes distances by %.0f %% on average; %s.",
            instance.name,
            rounding,
            100.0 * loss,
            remedy,
        )


def _remedy(instance: Instance) -> str:
    text = "take rounding='none' or coordinates in a smaller unit"
    extent = np.abs(instance.require_coords("distances")).max(axis=0)
    if (extent <= (180.0, 90.0)).all():
        text += ", or for longitude and latitude is_geographic=True"
    return text
