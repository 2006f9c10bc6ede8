"""Places in a region: by hand, through files, and in the network."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from ncc_routing import Instance, ParameterError, PointSet
from ncc_routing.paper.learning.scorer import (
    ClusterScorer,
    build_network,
    save_scorer,
)
from ncc_routing.paper.learning.tasks import pair_graph
from ncc_routing.paper.scoring.features import (
    NUM_NODE_FEATURES,
    pair_features,
    region_of,
)
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.places import (
    NUM_PLACE_FEATURES,
    Region,
    place_features,
)
from ncc_routing.paper.scoring.predictor import load_predictor
from tests.oracles.precision import rounding, single

pytestmark = pytest.mark.numeric

SMALL = NetworkParams(
    width=16, num_layers=1, degree=8, pair_width=8, hidden=8, num_pairs=10
)


def test_a_region_is_the_least_square() -> None:
    """Around all places; one place has a square as well."""
    coords = np.array([[0.0, 10.0], [4.0, 12.0]])
    assert Region.around([coords]) == (2.0, 11.0, 2.0)
    assert Region.around([coords, coords + 10.0]) == (7.0, 16.0, 7.0)
    assert Region.around([coords[:1]]) == (0.0, 10.0, 1.0)


def test_the_region_of_instances(small_instance: Instance) -> None:
    """Around their customers; points are shifted by nothing."""
    coords = small_instance.require_coords("the test")[1:]
    assert region_of([small_instance]) == Region.around([coords])
    points = PointSet(coords, np.ones(len(coords)), 9.0, num_clusters=5)
    assert region_of([small_instance, points]) == Region.around([coords])


def test_features_of_places_by_hand() -> None:
    """Half extents, then waves; what is far off is cut."""
    region = Region(10.0, 20.0, 4.0)
    coords = np.array([[10.0, 20.0], [12.0, 16.0], [99.0, 20.0]])
    found = place_features(region, coords)
    assert found.shape == (3, NUM_PLACE_FEATURES)
    assert found[0].tolist() == [0, 0] + [0, 0, 1, 1] * 4
    assert found[1, :6] == pytest.approx(
        [0.5, -1, 1, 0, 0, -1], abs=rounding(2)
    )
    assert found[2, :2].tolist() == [1.5, 0.0]


def test_features_follow_those_without_places(
    small_instance: Instance,
) -> None:
    """A region adds columns and changes none; a shift is seen by it."""
    coords = small_instance.require_coords("the test")
    region = Region.around([coords])
    plain = pair_features(small_instance, 10)
    placed = pair_features(small_instance, 10, region)
    assert placed.nodes.shape[1] == NUM_NODE_FEATURES + NUM_PLACE_FEATURES
    assert (placed.nodes[:, :NUM_NODE_FEATURES] == plain.nodes).all()
    assert (placed.pairs == plain.pairs).all()
    shifted = replace(small_instance, coords=coords + 7.0)
    moved = pair_features(shifted, 10, region).nodes[:, NUM_NODE_FEATURES:]
    assert (moved != placed.nodes[:, NUM_NODE_FEATURES:]).any()


def test_a_network_keeps_its_region(
    small_instance: Instance, tmp_path: Path
) -> None:
    """Numpy answers as torch does, after a file as before."""
    coords = small_instance.require_coords("the test")
    params = replace(SMALL, region=Region.around([coords]))
    torch.manual_seed(1)
    network = build_network(params).eval()
    path = tmp_path / "placed.safetensors"
    save_scorer(path, ClusterScorer(params, network, {}))
    predictor = load_predictor(path)
    assert predictor.params == params
    found = pair_features(small_instance, 10, params.region)
    with torch.inference_mode():
        logits = network(pair_graph(found)).double()
    chances = torch.sigmoid(logits).numpy().reshape(found.neighbours.shape)
    expected = found.answers(chances)
    answers = predictor.pair_probabilities(small_instance)
    precision = single(3 * SMALL.width)
    np.testing.assert_allclose(answers[1], expected[1], **precision)


def test_a_region_survives_json() -> None:
    """A header holds it as a list of three numbers."""
    params = replace(SMALL, region=Region(1.0, 2.0, 3.0))
    assert NetworkParams(**json.loads(json.dumps(asdict(params)))) == params
    assert SMALL.region is None


@pytest.mark.parametrize(
    "value", [(1.0, 2.0), (1.0, 2.0, 0.0), (1.0, float("nan"), 1.0), "abc", 5]
)
def test_a_wrong_region_is_refused(value: Any) -> None:
    """Three finite numbers, the last one positive, and of pairs alone."""
    with pytest.raises(ParameterError, match="region must be three"):
        replace(SMALL, region=value)
    with pytest.raises(ParameterError, match="pairs"):
        NetworkParams(architecture="paper", region=Region(0.0, 0.0, 1.0))
