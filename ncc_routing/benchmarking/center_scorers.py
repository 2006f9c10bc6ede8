"""Who scores the centers of the paper's method in an experiment."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ncc_routing.scoring.center_predictor import (
    blank_predictor,
    shipped_center_predictor,
)
from ncc_routing.scoring.vocabulary import CVRP

if TYPE_CHECKING:
    from ncc_routing.scoring.scorers import CenterScorer

DISTANCE, NETWORK = "distance", "network"
"""Nobody, so that distances alone decide, or the shipped network of the
paper."""


@cache
def center_scorer_of(scores: str, problem: str = CVRP) -> CenterScorer:
    """Return ``DISTANCE`` or ``NETWORK`` at work, read once."""
    if scores == DISTANCE:
        return blank_predictor(problem)
    return shipped_center_predictor(f"ncc-paper-{problem}")
