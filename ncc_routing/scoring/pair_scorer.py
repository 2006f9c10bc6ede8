"""What the clustering asks of a trained network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet


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
