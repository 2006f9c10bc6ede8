"""What a training makes small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    # Logits and targets of an instance, (n, K): a row for each customer, in
    # it the centers, or the other customers, that it may belong to.
    Table = tuple[Tensor, Tensor]


def loss_of(
    tables: Sequence[Table], choice_weight: float
) -> tuple[Tensor, int]:
    """Return the summed loss of some instances, and the number of answers.

    Parameters
    ----------
    tables
        Answers of the network.
    choice_weight
        Weight of the choice of each customer (``choice_loss``) beside the
        cross entropy of each answer, which is the loss of the paper.
    """
    logits = torch.cat([own.flatten() for own, _ in tables])
    targets = torch.cat([own.flatten() for _, own in tables])
    loss = nn.functional.binary_cross_entropy_with_logits(
        logits, targets, reduction="sum"
    )
    if choice_weight > 0.0:
        for own, wanted in tables:
            # Once for each answer, as the entropies are.
            weight = choice_weight * own.shape[1]
            loss = loss + weight * choice_loss(own, wanted)
    return loss, len(logits)


def choice_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return how unlikely the right choices of the customers are, summed.

    A clustering asks which center of all is the best of a customer, and not
    how likely each of them is. A customer chooses by the softmax of its row;
    its loss is -log of the probability of a right center, where those that
    are right half as often as the best one count half. Rows without any
    target have no choice.

    Parameters
    ----------
    logits, targets
        A ``Table``.
    """
    best = targets.amax(dim=1, keepdim=True)
    known = best[:, 0] > 0.0
    own, shares = logits[known], targets[known] / best[known]
    right = torch.logsumexp(own + shares.log(), dim=1)
    return (torch.logsumexp(own, dim=1) - right).sum()
