"""Who scores the centers of the paper's method in an experiment."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ncc_routing.benchmarking.cases import label_folder
from ncc_routing.scoring.center_predictor import (
    blank_predictor,
    load_center_predictor,
)
from ncc_routing.scoring.vocabulary import CVRP, SHIPPED
from ncc_routing.scoring.weights_file import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ncc_routing.scoring.scorers import CenterScorer

DISTANCE, NETWORK = "distance", "network"
"""Nobody, so that distances alone decide, or the network of the paper."""


def weights(problem: str) -> Path:
    """Return the file of the network: the shipped one, or that in training."""
    name = f"ncc-paper-{problem}"
    if name in SHIPPED:
        return WEIGHTS / f"{name}.safetensors"
    return label_folder(name) / "best.safetensors"


def why_absent(scores: str, problem: str = CVRP) -> Callable[[], str | None]:
    """Return what says why somebody cannot score, or ``None``."""

    def reason() -> str | None:
        file = weights(problem)
        if scores != NETWORK or file.is_file():
            return None
        return f"{file} does not exist"

    return reason


@cache
def center_scorer_of(scores: str, problem: str = CVRP) -> CenterScorer:
    """Return ``DISTANCE`` or ``NETWORK`` at work, read once."""
    if scores == DISTANCE:
        return blank_predictor(problem)
    return load_center_predictor(weights(problem))
