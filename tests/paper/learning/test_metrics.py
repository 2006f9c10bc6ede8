"""Measures of predicted probabilities."""

import numpy as np
import pytest

from ncc_routing.paper.learning.metrics import measure


def test_measures_by_hand() -> None:
    """Four pairs at logits ln 3, -ln 3: probabilities 3/4 and 1/4."""
    logits = np.log(3.0) * np.array([1, 1, -1, -1])
    found = measure([(logits[None], np.array([[1.0, 0.0, 0.0, 0.0]]))])
    # Three are on the right side, one costs ln 4 instead of ln(4/3).
    assert found.accuracy == 0.75
    assert found.loss == pytest.approx((3 * np.log(4 / 3) + np.log(4)) / 4)
    # The positive ties with one negative and beats two.
    assert found.ranking == pytest.approx(2.5 / 3)
    # Bin of 3/4: one half together; bin of 1/4: none.
    assert found.calibration_error == pytest.approx(0.25)


def test_frequencies_are_calibrated() -> None:
    """A probability of 3/4 for pairs that are together 3 times in 4."""
    logits = np.full(4, np.log(3.0))
    found = measure([(logits[None], np.array([[1.0, 1.0, 1.0, 0.0]]))])
    assert found.calibration_error == pytest.approx(0.0)


def test_extreme_logits_are_finite() -> None:
    """Certainty, right or wrong, has a finite loss and its own bin."""
    table = (np.array([[800.0, -800.0]]), np.array([[1.0, 1.0]]))
    found = measure([table])
    assert found.loss == pytest.approx(400.0)
    assert found.calibration_error == pytest.approx(0.5)
    # Without a negative pair the ranking is that of chance.
    assert measure([(table[1], table[1])]).ranking == 0.5


def test_first_choices_by_hand() -> None:
    """One is right, one half right, one wrong; one has nothing to choose."""
    logits = np.array([[2.0, 1.0], [-3.0, -1.0], [0.0, 4.0], [1.0, 0.0]])
    targets = np.array([[1.0, 0.0], [0.0, 0.5], [1.0, 0.0], [0.0, 0.0]])
    assert measure([(logits, targets)]).first_choice == 0.5
    nothing = (logits, np.zeros((4, 2)))
    assert measure([nothing]).first_choice == 1.0
    both = measure([(logits, targets), (logits[:1, :1], targets[:1, :1])])
    assert both.first_choice == (1.0 + 0.5 + 0.0 + 1.0) / 4
