"""How good predicted probabilities are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NUM_BINS = 10
"""Bins of the calibration error."""


@dataclass(frozen=True)
class Metrics:
    """Measures of predicted probabilities against frequencies.

    Parameters
    ----------
    loss
        Mean binary cross entropy.
    accuracy
        Share of pairs where probability and frequency lie on the same side
        of one half; a frequency of one half counts as together.
    ranking
        Probability that a pair that is together is ranked above one that is
        not (area under the ROC curve).
    calibration_error
        Mean gap between probability and frequency over ten bins of equal
        width, weighted by the number of pairs in each.
    """

    loss: float
    accuracy: float
    ranking: float
    calibration_error: float


def measure(logits: np.ndarray, targets: np.ndarray) -> Metrics:
    """Compare predictions with targets.

    Parameters
    ----------
    logits
        Log-odds, any shape.
    targets
        Frequencies in [0, 1] of the same shape.
    """
    logits = np.asarray(logits, dtype=np.float64).ravel()
    targets = np.asarray(targets, dtype=np.float64).ravel()
    loss = np.logaddexp(0.0, logits) - targets * logits
    is_together = targets >= 0.5
    chance = 0.5 * (1.0 + np.tanh(0.5 * logits))
    bins = np.minimum((chance * NUM_BINS).astype(int), NUM_BINS - 1)
    gaps = np.bincount(bins, chance - targets, NUM_BINS)
    return Metrics(
        float(loss.mean()),
        float(((logits >= 0) == is_together).mean()),
        _ranking(logits, is_together),
        float(np.abs(gaps).sum() / len(logits)),
    )


def _ranking(values: np.ndarray, is_positive: np.ndarray) -> float:
    """Return the area under the ROC curve; one half if a class is empty."""
    num_positive = int(is_positive.sum())
    num_negative = len(values) - num_positive
    if num_positive == 0 or num_negative == 0:
        return 0.5
    _, spots, counts = np.unique(
        values, return_inverse=True, return_counts=True
    )
    # Equal values share the mean of their ranks.
    ranks = np.cumsum(counts) - 0.5 * (counts - 1)
    total = ranks[spots][is_positive].sum()
    below = num_positive * (num_positive + 1) / 2
    return float((total - below) / (num_positive * num_negative))
