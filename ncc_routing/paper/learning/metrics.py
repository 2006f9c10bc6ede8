"""How good predicted probabilities are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Sequence

    # Logits and targets of an instance, (n, K): a row for each customer, in
    # it the centers, or the other customers, that it may belong to.
    Table = tuple[Tensor, Tensor]

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
    first_choice
        Mean frequency of what a customer finds likeliest, over the customers
        that belong to anything: how often the first choice is right.
    """

    loss: float
    accuracy: float
    ranking: float
    calibration_error: float
    first_choice: float


def measure(tables: Sequence[tuple[np.ndarray, np.ndarray]]) -> Metrics:
    """Compare log-odds, a row for each customer, with targets in [0, 1]."""
    logits, targets = (
        np.concatenate([np.ravel(values) for values in part]).astype(
            np.float64
        )
        for part in zip(*tables, strict=True)
    )
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
        _first_choice(tables),
    )


def _first_choice(tables: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return how often the likeliest of a row is right; 1 without any."""
    choices = []
    for logits, targets in tables:
        known = targets.max(axis=1) > 0
        best = logits[known].argmax(axis=1)
        choices.append(targets[known][np.arange(len(best)), best])
    chosen = np.concatenate(choices)
    return float(chosen.mean(dtype=np.float64)) if len(chosen) else 1.0


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


def loss_of(
    tables: Sequence[Table], choice_weight: float
) -> tuple[Tensor, int]:
    """Return the summed loss of some instances, and the number of answers.

    The loss of the paper is the cross entropy; ``choice_weight`` adds
    ``choice_loss``.
    """
    logits = torch.cat([predicted.flatten() for predicted, _ in tables])
    targets = torch.cat([predicted.flatten() for _, predicted in tables])
    loss = nn.functional.binary_cross_entropy_with_logits(
        logits, targets, reduction="sum"
    )
    if choice_weight > 0.0:
        for predicted, wanted in tables:
            # Once for each answer, as the entropies are.
            weight = choice_weight * predicted.shape[1]
            loss = loss + weight * choice_loss(predicted, wanted)
    return loss, len(logits)


def choice_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return -log of the probability of the right choices, summed.

    A clustering asks only which center is best. A customer chooses by the
    softmax of its row; centers that are right half as often as the best one
    count half. Rows without any target have no choice.
    """
    best = targets.amax(dim=1, keepdim=True)
    known = best[:, 0] > 0.0
    predicted, shares = logits[known], targets[known] / best[known]
    right = torch.logsumexp(predicted + shares.log(), dim=1)
    return (torch.logsumexp(predicted, dim=1) - right).sum()
