"""What a training makes small."""

import math

import pytest
import torch

from ncc_routing.paper.learning.metrics import choice_loss, loss_of
from tests.oracles.precision import rounding, single

pytestmark = pytest.mark.numeric


def test_choices_by_hand() -> None:
    """Certain, either, half as right, and without any target."""
    logits = torch.tensor([[math.log(3.0), 0.0]])
    for targets, right in (
        ([1.0, 0.0], 3 / 4),
        ([0.0, 1.0], 1 / 4),
        ([0.5, 0.5], 1.0),
        ([1.0, 0.5], 3 / 4 + 1 / 8),
        ([0.0, 0.0], 1.0),
    ):
        found = float(choice_loss(logits, torch.tensor([targets])))
        assert found == pytest.approx(-math.log(right), abs=rounding(2))


def test_a_choice_is_blind_to_what_all_centers_share() -> None:
    """It judges differences within a row, the entropies the values."""
    torch.manual_seed(1)
    logits, targets = torch.randn(4, 3), torch.rand(4, 3)
    moved = logits + torch.randn(4, 1)
    torch.testing.assert_close(
        choice_loss(logits, targets),
        choice_loss(moved, targets),
        **single(logits.numel()),
    )
    plain, count = loss_of([(logits, targets)], 0.0)
    assert count == 12
    assert float(plain) != pytest.approx(
        float(loss_of([(moved, targets)], 0.0)[0])
    )


def test_losses_of_instances_add_up() -> None:
    """A choice among K centers weighs as much as K answers."""
    even = torch.zeros(2, 4)
    targets = torch.eye(4)[:2]
    loss, count = loss_of([(even, targets)], 2.0)
    expected = 8 * math.log(2) + 2.0 * 4 * (2 * math.log(4))
    assert count == 8
    assert float(loss) == pytest.approx(expected, rel=rounding(count))
    twice, count = loss_of([(even, targets), (even, targets)], 2.0)
    assert count == 16
    assert float(twice) == pytest.approx(2 * expected, rel=rounding(count))


def test_rows_without_targets_have_no_gradient() -> None:
    """Nor does a gradient become NaN through them."""
    logits = torch.zeros(2, 3, requires_grad=True)
    targets = torch.tensor([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    torch.autograd.backward(choice_loss(logits, targets))
    assert logits.grad is not None
    assert logits.grad[0].tolist() == [0.0, 0.0, 0.0]
    assert torch.isfinite(logits.grad).all()
