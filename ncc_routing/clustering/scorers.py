"""Protocols of trained networks, and their checks."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, cast

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text import shortened
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance


MIN_CHANCE: Final = 1e-3
"""Least probability that counts: the logarithm of less is noise."""


class PairScorer(Protocol):
    """Anything that says how likely near customers are to belong together.

    ``predictor.PairPredictor`` does, with numpy alone. A mapping
    ``calibration`` may say how much the answers weigh in a clustering:
    "weight", 1 where there is none.
    """

    def pair_probabilities(
        self, instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return near customers, their probabilities, and the spacing."""


class CenterScores(Protocol):
    """Scores of the points of one instance for centers."""

    @property
    def distance_weight(self) -> float:
        """Log-odds that a distance of one spacing costs beside them.

        The spacing in d dimensions is the longest side of the points over
        the d-th root of their number.
        """

    def log_odds(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Return the log-odds of points for their listed centers, (C, n).

        ``medoids`` stand for the K centers; ``listed`` is int64, (C, n).
        """


class CenterScorer(Protocol):
    """Anything that says how likely customers belong to given centers.

    ``center_predictor.CenterPredictor`` does, with numpy and a kernel.
    """

    def encode(self, instance: Instance | PointSet) -> CenterScores:
        """Return what scores the centers of one instance."""


if TYPE_CHECKING:
    # What ``solve`` and ``cluster`` take: a file of weights, or a scorer.
    Scorer = str | os.PathLike[str] | PairScorer | CenterScorer

KindT = TypeVar("KindT", PairScorer, CenterScorer)


def choose_scorer(
    scorer: Scorer | None,
    answer: str,
    architecture: str,
    load: Callable[[Path], KindT],
    shipped: Callable[[], KindT],
) -> KindT:
    """Return the scorer of a run: the given one, that of a file, or default.

    ``answer`` is the method that the run calls; a scorer without it raises
    ``ParameterError``.
    """
    if scorer is None:
        return shipped()
    if isinstance(scorer, (str, os.PathLike)):
        return load(Path(scorer))
    if not callable(getattr(scorer, answer, None)):
        raise ParameterError(
            f"scorer must be a network of architecture {architecture!r}, or "
            f"have a method {answer}(), got {shortened(repr(scorer))}."
        )
    return cast("KindT", scorer)


def near_pairs(
    scorer: PairScorer, instance: Instance | PointSet
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the checked answer of a scorer of pairs."""
    if isinstance(instance, PointSet):
        first, size = 0, instance.num_points
    else:
        first, size = 1, instance.num_customers
    answer = scorer.pair_probabilities(instance)
    nodes, chances = map(np.asarray, answer[:2])
    spacing = float(answer[2])
    rules = {
        f"{size} rows of near nodes": nodes.ndim == 2 and len(nodes) == size,
        f"nodes from {first} to {first + size - 1}": nodes.dtype.kind in "iu"
        and bool(((nodes >= first) & (nodes < first + size)).all()),
        "a probability of each": chances.shape == nodes.shape
        and bool(((chances >= 0.0) & (chances <= 1.0)).all()),
        "a finite spacing": 0.0 <= spacing < math.inf,
    }
    for rule, is_kept in rules.items():
        if not is_kept:
            name = type(scorer).__name__
            raise ParameterError(
                f"scorer {name}: pair_probabilities() must return {rule} of "
                f"{instance.name}."
            )
    return nodes, chances, spacing
