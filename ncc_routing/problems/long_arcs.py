"""Lengths of a matrix that may stand for no way, and are lengths."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.values import longest_finite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_MOST: Final = 1000
"""Times the median from which a length may stand for no way."""

_SAMPLE: Final = 200
"""Nodes between which the median is taken."""


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
    for found in find_long_arcs(instance):
        logger.warning("%s: %s.", instance.name, found.describe(instance))


def _median(matrix: np.ndarray) -> float:
    """Return the median over places of the median way from there, 0 for none.

    Of an even number it is the lower one: of two ways one may be none.
    """
    size = len(matrix)
    nodes = np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(int))
    ways = np.sort(matrix[np.ix_(nodes, nodes)], axis=1)
    is_way = (ways > 0.0) & np.isfinite(ways)
    counts = is_way.sum(axis=1)
    first = is_way.argmax(axis=1)
    own = ways[np.arange(len(ways)), first + np.maximum(counts - 1, 0) // 2]
    own = np.sort(own[counts > 0])
    return float(own[(len(own) - 1) // 2]) if len(own) > 0 else 0.0
