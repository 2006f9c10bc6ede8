"""Inference in numpy gives what torch gives."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from ncc_routing import Instance, InstanceError, ParameterError, PointSet
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.paper.learning.scorer import (
    ClusterScorer,
    build_network,
    load_scorer,
    save_scorer,
)
from ncc_routing.paper.learning.tasks import pair_graph
from ncc_routing.paper.scoring import predictor as module
from ncc_routing.paper.scoring.features import pair_features
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.predictor import (
    load_predictor,
    shipped_predictor,
)
from ncc_routing.paper.scoring.vocabulary import PROBLEMS
from ncc_routing.paper.scoring.weights_file import WEIGHTS
from tests.oracles.precision import single

LARGE = pytest.param(150, marks=pytest.mark.numeric)


def answers_of_torch(
    name: str, problem: Instance | PointSet
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the answers of the shipped network by torch-geometric."""
    scorer = load_scorer(WEIGHTS / f"{name}.safetensors")
    found = pair_features(problem, scorer.params.num_pairs)
    with torch.inference_mode():
        logits = scorer.network(pair_graph(found))
    chances = torch.sigmoid(logits.double()).numpy()
    return found.answers(chances.reshape(found.neighbours.shape))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("factor", [1e15, 1e30])
def test_answers_that_are_no_numbers_are_refused(factor: float) -> None:
    """Finite weights may be so large that what they give is not."""
    whole = shipped_predictor("ncc-cvrp")
    tensors = {n: (factor * a).astype("f4") for n, a in whole.tensors.items()}
    large = replace(whole, tensors=tensors)
    with pytest.raises(InstanceError, match="weights: values: are too large"):
        large.pair_probabilities(generate_uchoa(20, 5))


@pytest.mark.parametrize("size", [1, 2, 30, LARGE])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_numpy_and_torch_agree(
    problem: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in small blocks and with fewer than 48 neighbours."""
    instance: Instance | PointSet = generate_uchoa(size, 5)
    if problem == "ccp":
        rng = np.random.default_rng(size)
        points, weights = rng.random((size, 2)), rng.integers(1, 9, size)
        instance = PointSet(
            points, weights, 10 * size, num_clusters=min(2, size)
        )
    expected = answers_of_torch(f"ncc-{problem}", instance)
    predictor = shipped_predictor(f"ncc-{problem}")
    found = predictor.pair_probabilities(instance)
    np.testing.assert_array_equal(found[0], expected[0])
    shape = predictor.params
    precision = single((shape.num_layers + 1) * 3 * shape.width)
    np.testing.assert_allclose(found[1], expected[1], **precision)
    assert found[2] == expected[2]
    monkeypatch.setattr(module, "_BLOCK", 7)
    blocks = predictor.pair_probabilities(instance)
    np.testing.assert_allclose(blocks[1], expected[1], **precision)


@pytest.mark.numeric
def test_probabilities_are_symmetric(small_instance: Instance) -> None:
    """One probability in (0, 1), by the network that is loaded once."""
    predictor = shipped_predictor()
    assert shipped_predictor() is predictor
    assert predictor.calibration["weight"] > 0
    idx, chances, spacing = predictor.pair_probabilities(small_instance)
    assert idx.shape == chances.shape == (40, 39)
    assert (idx.min(), idx.max()) == (1, 40)
    assert spacing > 0
    assert ((chances > 0) & (chances < 1)).all()
    table = np.zeros((41, 41))
    table[np.arange(1, 41)[:, None], idx] = chances
    np.testing.assert_array_equal(table, table.T)


def test_other_architecture_and_wrong_tensors_are_refused(
    tiny_shape: NetworkParams, tmp_path: Path
) -> None:
    """The paper's network has no pairs; a missing tensor is found."""
    torch.manual_seed(1)
    path = tmp_path / "tiny.safetensors"
    save_scorer(path, ClusterScorer(tiny_shape, build_network(tiny_shape), {}))
    if tiny_shape.architecture == "paper":
        with pytest.raises(ParameterError, match="pairs"):
            load_predictor(path)
        return
    found = load_predictor(path)
    assert found.params == NetworkParams(**vars(tiny_shape))
    with safe_open(path, framework="np") as file:
        header = file.metadata()
    state = load_file(path)
    state.pop("decoder.own.weight")
    save_file(state, path, header)
    with pytest.raises(InstanceError, match="do not fit"):
        load_predictor(path)


def test_method_ncc_loads_no_torch() -> None:
    """Solving by ``ncc`` needs neither torch nor torch-geometric."""
    code = (
        "import sys\n"
        "from ncc_routing.generators.uchoa import generate_uchoa\n"
        "from ncc_routing.vrp.solve import solve\n"
        "solve(generate_uchoa(20, 1), method='ncc')\n"
        "print([m for m in sys.modules if m.startswith('torch')])\n"
    )
    found = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert found.strip() == "[]"
