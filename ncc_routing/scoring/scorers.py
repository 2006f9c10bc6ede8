"""What the clustering asks of a trained network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Protocol,
    TypeVar,
    cast,
    runtime_checkable,
)

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from ncc_routing.clustering.scored_kmeans import CenterScores
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet


@runtime_checkable
class PairScorer(Protocol):
    """Anything that says how likely near customers are to belong together.

    ``predictor.PairPredictor`` does, with numpy alone.
    """

    @property
    def calibration(self) -> Mapping[str, float]:
        """Numbers that belong to the weights, "weight" among them."""

    def pair_probabilities(
        self, instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return near customers, their probabilities, and the spacing."""


@runtime_checkable
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
    kind: Any,
    architecture: str,
    load: Callable[[Path], KindT],
    shipped: Callable[[], KindT],
) -> KindT:
    """Return what a run means by its scorer.

    Parameters
    ----------
    scorer
        A scorer, a file of weights, or ``None``.
    kind, architecture
        The protocol that the run asks for, and the networks that keep it.
    load, shipped
        Reads a file of such a network; returns that which ``None`` stands
        for.

    Raises
    ------
    ParameterError
        If the scorer is of another kind.
    """
    if scorer is None:
        return shipped()
    if isinstance(scorer, (str, os.PathLike)):
        return load(Path(scorer))
    if not isinstance(scorer, kind):
        rule = f"has no architecture {architecture!r}"
        raise ParameterError(f"scorer {scorer!r} {rule}.")
    return cast("KindT", scorer)
