"""The estimator in the style of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks

from ncc_routing.ccp.estimator import CapacitatedClustering
from ncc_routing.core.exceptions import InfeasibleError

CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]])


@parametrize_with_checks([CapacitatedClustering()])
def test_scikit_learn_accepts_it(estimator: Any, check: Any) -> None:
    """The checks of ``check_estimator``, one by one."""
    check(estimator)


def test_fit_sets_the_documented_attributes() -> None:
    """Two corners, demands 1, 2, 3 each, capacity 6."""
    model = CapacitatedClustering(2, capacity=6, random_state=1)
    labels = model.fit_predict(CORNERS, demand=[1, 2, 3, 1, 2, 3])
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1
    assert model.loads_.tolist() == [6, 6]
    assert model.inertia_ == pytest.approx(8 / 3)
    assert model.cluster_centers_.shape == (2, 2)
    assert set(labels[model.medoid_indices_]) == {0, 1}


def test_predict_with_and_without_the_remaining_capacity() -> None:
    """One place is left in each corner; two newcomers want the first."""
    model = CapacitatedClustering(2, capacity=4, random_state=1).fit(CORNERS)
    new = np.array([[0.0, 0.0], [1.0, 1.0]])
    own, other = model.labels_[0], model.labels_[3]
    assert model.predict(new).tolist() == [own, own]
    within = model.predict(new, within_capacity=True)
    assert within.tolist() == [own, other]
    with pytest.raises(InfeasibleError, match="fits into no cluster"):
        model.predict(np.zeros((3, 2)), within_capacity=True)


def test_default_capacity_leaves_ten_percent() -> None:
    """Six units in two clusters: 1.1 * 3, rounded up."""
    model = CapacitatedClustering(2, random_state=0).fit(CORNERS)
    assert model.capacity_ == 4
