"""Scores for the centers of the paper's method, and how good they are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.scored_params import MEMBERS
from ncc_routing.scoring.center_predictor import (
    blank_predictor,
    shipped_center_predictor,
)
from ncc_routing.scoring.vocabulary import CVRP

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.scorers import CenterScorer


DISTANCE, NETWORK = "distance", "network"
"""Distances alone decide, or the shipped network of the paper."""


@cache
def center_scorer_of(scores: str, problem: str = CVRP) -> CenterScorer:
    """Return ``DISTANCE`` or ``NETWORK`` as a scorer, read once."""
    if scores == DISTANCE:
        return blank_predictor(problem)
    return shipped_center_predictor(f"ncc-paper-{problem}")


def center_accuracy(
    instance: Instance,
    routes: np.ndarray,
    scorer: CenterScorer,
    medoids: str = MEMBERS,
) -> dict[str, float]:
    """Measure scores for the centers of a label.

    Parameters
    ----------
    instance
        The instance.
    routes
        Route of each customer in the label, shape (n,).
    scorer
        Who scores.
    medoids
        For a center the scores are asked about its nearest member
        ("members", the default), or the nearest of all customers
        ("nearest").

    Returns
    -------
    dict[str, float]
        ``right_center`` is the share of the customers whose own center has
        the highest priority of all, ``auc`` the probability that an own
        center is scored above another one, over all pairs.
    """
    coords = np.asarray(instance.coords)[1:]
    count = int(routes.max()) + 1
    sizes = np.bincount(routes, minlength=count)
    means = np.stack(
        [np.bincount(routes, axis, count) / sizes for axis in coords.T], axis=1
    )
    gaps = coords[None] - means[:, None]
    lengths = np.sqrt((gaps**2).sum(axis=2))
    gaps = lengths.copy()
    if medoids == MEMBERS:
        gaps[np.arange(count)[:, None] != routes] = np.inf
    every = np.repeat(np.arange(count)[:, None], len(coords), axis=1)
    found = scorer.encode(instance)
    values = found.log_odds(gaps.argmin(axis=1), every).astype(float)
    spacing = np.ptp(coords, axis=0).max() / np.sqrt(len(coords))
    values -= found.distance_weight * lengths / spacing
    own = every == routes
    ranks = np.argsort(np.argsort(values, axis=None)).reshape(values.shape)
    above = ranks[own].sum() - own.sum() * (own.sum() - 1) / 2
    return {
        "right_center": float((values.argmax(axis=0) == routes).mean()),
        "auc": float(above / (own.sum() * (~own).sum())),
    }
