"""Inference of the paper's network in numpy gives what torch gives."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from ncc_routing import Instance, ParameterError, PointSet
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.paper.learning.networks.paper import CenterNetwork, Centers
from ncc_routing.paper.learning.scorer import ClusterScorer, save_scorer
from ncc_routing.paper.learning.tasks import center_graph
from ncc_routing.paper.scoring import center_predictor as module
from ncc_routing.paper.scoring.center_predictor import (
    CenterPredictor,
    load_center_predictor,
)
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.vocabulary import INPUTS, PROBLEMS
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from tests.oracles.precision import single

LARGE = pytest.param(150, marks=pytest.mark.numeric)


def problem_of_size(problem: str, size: int) -> Instance | PointSet:
    """Return an instance of either problem."""
    if problem == "cvrp":
        return generate_uchoa(size, 5)
    rng = np.random.default_rng(size)
    weights = rng.integers(1, 9, size)
    return PointSet(rng.random((size, 2)), weights, 10 * size)


@pytest.mark.parametrize("size", [1, 2, 30, LARGE])
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("inputs", INPUTS)
def test_numpy_and_torch_agree(
    inputs: str,
    problem: str,
    size: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For all centers and for those that are listed."""
    torch.manual_seed(size)
    shape = NetworkParams(
        "paper", width=64, degree=9, inputs=inputs, problem=problem
    )
    network = CenterNetwork(shape).eval()
    path = tmp_path / "weights.safetensors"
    save_scorer(path, ClusterScorer(shape, network, {}))
    instance = problem_of_size(problem, size)
    medoids = np.random.default_rng(1).integers(0, size, max(1, size // 7))
    count = len(medoids)
    every = np.repeat(np.arange(count)[:, None], size, axis=1)
    with torch.inference_mode():
        graph = center_graph(instance, shape.degree, inputs)
        asked = asked_of(graph, medoids, None)
        nodes = network.encoder(graph)
        [expected] = network.decoder([nodes], [asked])
        one = asked_of(graph, medoids, every[-1:])
        [last] = network.decoder([nodes], [one])
    monkeypatch.setattr(module, "_BLOCK", 7)
    encoded = load_center_predictor(path).encode(instance)
    found = encoded.log_odds(medoids, every)
    precision = single((shape.num_layers + 2) * 4 * shape.width)
    np.testing.assert_allclose(found, expected, **precision)
    found = encoded.log_odds(medoids, every[-1:])
    np.testing.assert_allclose(found, last, **precision)


def asked_of(
    graph: Data, medoids: np.ndarray, listed: np.ndarray | None
) -> Centers:
    """Return centers as the network of torch takes them."""
    size = graph.num_nodes - graph.first_node
    every = np.repeat(np.arange(len(medoids))[:, None], size, axis=1)
    seen = None
    if "geometry" in graph:
        asked = every if listed is None else listed
        seen = torch.from_numpy(graph.geometry.features(medoids, asked))
    return Centers(
        torch.from_numpy(medoids + graph.first_node),
        None if listed is None else torch.from_numpy(listed),
        seen,
    )


def test_weight_of_the_distance_belongs_to_the_weights(
    center_predictor: CenterPredictor, small_instance: Instance
) -> None:
    """1 where nobody calibrated it."""
    assert center_predictor.encode(small_instance).distance_weight == 1.0
    other = replace(center_predictor, calibration={"distance_weight": 0.25})
    assert other.encode(small_instance).distance_weight == 0.25


def test_network_of_pairs_is_refused() -> None:
    """The shipped network knows no centers."""
    with pytest.raises(ParameterError, match="architecture 'paper'"):
        load_center_predictor(WEIGHTS / "ncc-cvrp.safetensors")
