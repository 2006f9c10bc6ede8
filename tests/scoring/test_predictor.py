"""Inference in numpy gives what torch gives."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.learning.scorer import (
    ClusterScorer,
    build_network,
    save_scorer,
    shipped_scorer,
)
from ncc_routing.scoring import predictor as module
from ncc_routing.scoring.predictor import load_predictor, shipped_predictor
from ncc_routing.scoring.weights_file import NetworkParams


@pytest.mark.parametrize("num_customers", [1, 2, 30, 150])
def test_shipped_network_is_the_same(num_customers, monkeypatch):
    """Numpy, also in small blocks, and torch agree to 1e-5."""
    instance = generate_uchoa(num_customers, 5)
    expected = shipped_scorer().pair_probabilities(instance)
    found = shipped_predictor().pair_probabilities(instance)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_allclose(found[1], expected[1], atol=1e-5)
    assert found[2] == expected[2]
    monkeypatch.setattr(module, "_BLOCK", 7)
    blocks = shipped_predictor().pair_probabilities(instance)
    np.testing.assert_allclose(blocks[1], expected[1], atol=1e-5)


def test_calibration_is_the_same():
    """Both read it from the same header."""
    assert shipped_predictor().calibration == shipped_scorer().calibration
    assert shipped_predictor() is shipped_predictor()


def test_other_architecture_and_wrong_tensors_are_refused(
    tiny_shape, tmp_path
):
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
    from safetensors import safe_open

    with safe_open(path, framework="np") as file:
        header = file.metadata()
    state = load_file(path)
    state.pop("decoder.own.weight")
    save_file(state, path, header)
    with pytest.raises(InstanceError, match="do not fit"):
        load_predictor(path)


def test_method_ncc_loads_no_torch():
    """Solving by ``ncc`` needs neither torch nor torch-geometric."""
    code = (
        "import sys\n"
        "from ncc_routing.core.deadline import Deadline\n"
        "from ncc_routing.generators.uchoa import generate_uchoa\n"
        "from ncc_routing.vrp.methods import CLUSTERERS\n"
        "CLUSTERERS['ncc'](generate_uchoa(20, 1), 1, Deadline())\n"
        "print([m for m in sys.modules if m.startswith('torch')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
