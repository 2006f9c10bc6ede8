"""The estimator in the style of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from ncc_routing import CapacitatedClustering, InfeasibleError
from tests.ccp.points import CORNERS

EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": "a weight is a load"
}


@parametrize_with_checks(
    [CapacitatedClustering()],
    expected_failed_checks=lambda _: EXPECTED_FAILURES,
)
def test_scikit_learn_accepts_it(estimator: Any, check: Any) -> None:
    """The checks of ``check_estimator``, one by one."""
    check(estimator)


def test_fit_sets_the_documented_attributes() -> None:
    """Two corners, weights 1, 2, 3 each, capacity 6."""
    model = CapacitatedClustering(2, capacity=6, random_state=1)
    weights = [1, 2, 3, 1, 2, 3]
    labels = model.fit_predict(CORNERS, sample_weight=weights)
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1
    assert model.loads_.tolist() == [6, 6]
    assert model.inertia_ == pytest.approx(8 / 3)
    assert model.cluster_centers_.shape == (2, 2)
    assert set(labels[model.medoid_indices_]) == {0, 1}


@pytest.mark.parametrize(
    ("options", "weights", "message"),
    [
        ({}, [1] * 5, r"shape \(6,\), got \(5,\)"),
        ({}, [1, 1, 1, 1, 1, -1], r"finite and not negative, got -1\.0"),
        ({}, ["a"] * 6, "sample_weight: must be numbers"),
        ({"n_clusters": 0}, None, "must be >= 1, got 0"),
        ({"n_clusters": "fewest"}, None, "a whole number, got 'fewest'"),
        ({"n_clusters": 2.0}, None, "a whole number, got 2.0"),
        ({"n_clusters": True}, None, "a whole number, got True"),
        ({"time_limit": -1.0}, None, "time_limit must be at least"),
    ],
)
def test_wrong_inputs_are_refused(
    options: dict[str, Any], weights: Any, message: str
) -> None:
    """Weights, the number of clusters and the limit, before any work."""
    model = CapacitatedClustering(**{"n_clusters": 2, **options})
    with pytest.raises(ValueError, match=message):
        model.fit(CORNERS, sample_weight=weights)


def test_weights_of_new_samples_are_not_negative() -> None:
    """A short time is enough to fit; ``predict`` checks its weights too."""
    model = CapacitatedClustering(2, time_limit=0.5, random_state=1)
    assert len(set(model.fit_predict(CORNERS))) == 2
    for weight in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="finite and not negative"):
            model.predict([[0.0, 0.0]], [weight], within_capacity=True)


def test_failed_fit_leaves_the_last_one() -> None:
    """The second call has room for five of six samples."""
    model = CapacitatedClustering(2, capacity=3, random_state=1).fit(CORNERS)
    before = dict(vars(model))
    model.capacity = 2.5
    with pytest.raises(ValueError, match="total weight"):
        model.fit(np.zeros((6, 3)))
    model.capacity = 3
    assert vars(model) == before


def test_predict_with_and_without_the_remaining_capacity() -> None:
    """One place is left in each corner; two newcomers want the first."""
    model = CapacitatedClustering(2, capacity=4, random_state=1).fit(CORNERS)
    new = np.array([[0.0, 0.0], [1.0, 1.0]])
    own, other = model.labels_[0], model.labels_[3]
    assert model.predict(new).tolist() == [own, own]
    within = model.predict(new, within_capacity=True)
    assert within.tolist() == [own, other]
    for size, weights, message in (
        (3, None, "fits into no cluster"),
        (1, [2], "sample 0 of weight 2 fits"),
    ):
        with pytest.raises(InfeasibleError, match=message):
            model.predict(np.zeros((size, 2)), weights, within_capacity=True)


def test_predict_of_fitted_samples_may_exceed_the_capacity() -> None:
    """Four points lie together, and only three of them fit."""
    points = np.array([[0.0], [0], [0], [0], [9], [9]])
    model = CapacitatedClustering(2, capacity=3, random_state=1)
    assert sorted(np.bincount(model.fit_predict(points))) == [3, 3]
    assert sorted(np.bincount(model.predict(points))) == [2, 4]


def test_default_capacity_leaves_ten_percent() -> None:
    """Six units in two clusters: 1.1 * 3, rounded up."""
    model = CapacitatedClustering(2, random_state=0).fit(CORNERS)
    assert model.capacity_ == 4
    model.fit(CORNERS, sample_weight=np.full(6, 0.5))
    assert model.capacity_ == pytest.approx(1.65)


def test_transform_and_score_by_hand() -> None:
    """Centers at 1 and 11; the third point lies 3 away from the first."""
    points = np.array([[0.0], [2.0], [10.0], [12.0]])
    model = CapacitatedClustering(2, random_state=0).fit(points)
    first = model.labels_[0]
    distances = model.transform([[4.0]])
    assert distances[0, first] == pytest.approx(3.0)
    assert distances[0, 1 - first] == pytest.approx(7.0)
    assert model.score(points) == pytest.approx(-4.0)
    assert model.score([[4.0]]) == pytest.approx(-9.0)
    model.set_params(objective="cccp").fit(points)
    assert model.score([[4.0]]) == pytest.approx(-3.0)


def test_grid_search_in_a_pipeline() -> None:
    """More clusters score better; weights reach the estimator."""
    rng = np.random.default_rng(1)
    points = rng.random((60, 2))
    model = CapacitatedClustering(2, random_state=1)
    name = "capacitatedclustering"
    grid = {f"{name}__n_clusters": [2, 6]}
    steps = make_pipeline(StandardScaler(), model)
    search = GridSearchCV(steps, grid, cv=3, error_score="raise")
    weights = rng.integers(1, 5, 60)
    search.fit(points, **{f"{name}__sample_weight": weights})
    assert search.best_params_ == {f"{name}__n_clusters": 6}
    best = search.best_estimator_.named_steps[name]
    assert best.loads_.sum() == weights.sum()


def test_pandas_in_and_out() -> None:
    """Names of columns are kept, and given to the distances."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(CORNERS, columns=["east", "north"])
    model = CapacitatedClustering(2, random_state=1)
    model.set_output(transform="pandas")
    distances = model.fit_transform(frame)
    assert list(model.feature_names_in_) == ["east", "north"]
    names = [f"capacitatedclustering{k}" for k in range(2)]
    assert list(distances.columns) == names
    assert distances.index.equals(frame.index)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"east": "x"}))


def test_whole_weights_may_be_floats() -> None:
    """The default capacity is that of the same integers."""
    samples = np.random.default_rng(0).normal(size=(16, 2))
    model = CapacitatedClustering(3, random_state=0)
    alone = model.fit_predict(samples).tolist()
    for weights in (np.ones(16), np.ones(16, dtype=int)):
        assert model.fit_predict(samples, None, weights).tolist() == alone


def test_limits_hold_under_both_names() -> None:
    """Six points in two corners, of which one is to have four."""
    for names in (("min_size", "max_size"), ("size_min", "size_max")):
        limits: Any = {name: [2, 4] for name in names}
        model = CapacitatedClustering(2, random_state=1, **limits)
        labels = model.fit_predict(CORNERS)
        assert np.bincount(labels).tolist() == [2, 4]
    with pytest.raises(ValueError, match="are the same: give only one"):
        CapacitatedClustering(2, min_size=1, size_min=1).fit(CORNERS)
    with pytest.raises(InfeasibleError, match="max_size cannot hold"):
        CapacitatedClustering(2, max_size=2).fit(CORNERS)


def test_new_samples_keep_every_largest_limit() -> None:
    """One place is left by number, and none by the second weight."""
    model = CapacitatedClustering(2, max_size=[3, 4], random_state=1)
    model.fit(CORNERS)
    assert model.predict([[0, 0]], within_capacity=True).tolist() == [1]
    weights = np.column_stack([np.ones(6), np.arange(6)])
    model = CapacitatedClustering(2, capacity=[9, 12], random_state=1)
    model.fit(CORNERS, sample_weight=weights)
    with pytest.raises(InfeasibleError, match="fits into no cluster"):
        model.predict([[0, 0]], [[1, 13]], within_capacity=True)
