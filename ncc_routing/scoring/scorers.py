"""What the clustering asks of a trained network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

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
