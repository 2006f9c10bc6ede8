"""Scorers: files, and what is wrong with a file."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from ncc_routing import InstanceError, ParameterError
from ncc_routing.paper.learning.scorer import (
    ClusterScorer,
    build_network,
    load_scorer,
    save_scorer,
    single_thread,
)
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.vocabulary import ARCHITECTURES
from ncc_routing.paper.scoring.weights_file import FORMAT, read_weights


@pytest.fixture
def tiny_scorer(tiny_shape: NetworkParams) -> ClusterScorer:
    """Return an untrained scorer of each architecture."""
    torch.manual_seed(1)
    network = build_network(tiny_shape).eval()
    return ClusterScorer(tiny_shape, network, {"weight": 0.5})


@pytest.fixture
def pair_scorer() -> ClusterScorer:
    """Return an untrained scorer of architecture "pairs"."""
    torch.manual_seed(1)
    shape = NetworkParams(width=8, num_layers=1, degree=5, num_pairs=10)
    return ClusterScorer(shape, build_network(shape).eval(), {})


def test_threads_are_put_back() -> None:
    """The number of threads of the process survives an error."""
    before = torch.get_num_threads()
    inside = []

    def fail() -> None:
        with single_thread():
            inside.append(torch.get_num_threads())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert inside == [1]
    assert torch.get_num_threads() == before


def test_file_holds_the_scorer(
    tiny_scorer: ClusterScorer, tmp_path: Path
) -> None:
    """Shape, weights and calibration come back."""
    path = tmp_path / "tiny.safetensors"
    save_scorer(path, tiny_scorer, {"data": "none"})
    found = load_scorer(path)
    assert found.params == tiny_scorer.params
    assert found.calibration == {"weight": 0.5}
    torch.testing.assert_close(
        found.network.state_dict(), tiny_scorer.network.state_dict()
    )


def test_half_the_size(tiny_scorer: ClusterScorer, tmp_path: Path) -> None:
    """Weights come back to three digits, and are float32 again."""
    whole, half = tmp_path / "a.safetensors", tmp_path / "b.safetensors"
    save_scorer(whole, tiny_scorer)
    save_scorer(half, tiny_scorer, bits=16)
    tensors = load_file(half).values()
    assert {tensor.dtype for tensor in tensors} == {torch.float16}
    count = sum(tensor.numel() for tensor in tensors)
    assert whole.stat().st_size - half.stat().st_size >= 2 * count
    _, _, read = read_weights(half)
    assert {str(array.dtype) for array in read.values()} == {"float32"}
    found = load_scorer(half).network.state_dict()
    expected = tiny_scorer.network.state_dict()
    torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_byte_for_each_weight(architecture: str, tmp_path: Path) -> None:
    """Large matrices come back to half a step of their rows, also zeros."""
    torch.manual_seed(1)
    shape = NetworkParams(architecture, width=64, num_layers=1, pair_width=8)
    network = build_network(shape).eval()
    expected = network.state_dict()
    names = {n for n in expected if min(expected[n].shape, default=0) >= 64}
    names = {name for name in names if expected[name].ndim == 2}
    expected[min(names)][3] = 0.0
    path = tmp_path / "a.safetensors"
    save_scorer(path, ClusterScorer(shape, network, {}), bits=8)
    kinds = {name: array.dtype for name, array in load_file(path).items()}
    assert {n for n in kinds if kinds[n] == torch.int8} == names
    assert {n for n in kinds if n.endswith(".scale")} == {
        f"{name}.scale" for name in names
    }
    found = load_scorer(path).network.state_dict()
    for name, value in expected.items():
        step = 2e-3 * value.abs()
        if name in names:
            step = value.abs().amax(dim=1, keepdim=True) / 253.0
        assert ((found[name] - value).abs() <= step + 1e-7).all()


def test_precision_is_one_of_three(
    tiny_scorer: ClusterScorer, tmp_path: Path
) -> None:
    """Others are refused."""
    with pytest.raises(ParameterError, match=r"bits must be .* got 4"):
        save_scorer(tmp_path / "a.safetensors", tiny_scorer, bits=4)


@pytest.mark.parametrize(
    "content", [b"", b"rubbish" * 100, pickle.dumps({"weights": [1.0]})]
)
def test_rubbish_is_refused(content: bytes, tmp_path: Path) -> None:
    """An empty file, noise and a pickle are all named and refused."""
    path = tmp_path / "bad.safetensors"
    path.write_bytes(content)
    with pytest.raises(InstanceError, match=r"bad\.safetensors"):
        load_scorer(path)
    with pytest.raises(InstanceError, match="absent"):
        load_scorer(tmp_path / "absent.safetensors")


def header(shape: NetworkParams, **changes: str) -> dict[str, str]:
    """Return a good header with some entries changed."""
    plain = {"format": FORMAT, "params": json.dumps(vars(shape))}
    return {**plain, "calibration": "{}", **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "format"),
        ({"params": "{"}, "damaged"),
        ({"params": '{"width": 5, "wings": 2}'}, "damaged"),
        ({"params": '{"width": "wide"}'}, "width"),
        ({"params": '{"architecture": "pairs", "width": 12}'}, "do not fit"),
        ({"calibration": '{"weight": "x"}'}, "damaged"),
        ({"calibration": "[1]"}, "damaged"),
        ({"calibration": '{"weight": NaN}'}, "finite"),
    ],
)
def test_wrong_headers_are_refused(
    pair_scorer: ClusterScorer,
    tmp_path: Path,
    changes: dict[str, Any],
    message: str,
) -> None:
    """Each defect of the header is one clear error."""
    path = tmp_path / "head.safetensors"
    state = pair_scorer.network.state_dict()
    save_file(state, path, header(pair_scorer.params, **changes))
    with pytest.raises(InstanceError, match=message):
        load_scorer(path)


def test_wrong_tensors_are_refused(
    pair_scorer: ClusterScorer, tmp_path: Path
) -> None:
    """A cut file, a missing tensor and a NaN are found."""
    path = tmp_path / "head.safetensors"
    save_scorer(path, pair_scorer)
    state = load_file(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InstanceError, match="not readable"):
        load_scorer(path)
    name = next(iter(state))
    state[name] = state[name].clone().fill_(torch.nan)
    save_file(state, path, header(pair_scorer.params))
    with pytest.raises(InstanceError, match="must be finite"):
        load_scorer(path)
    del state[name]
    save_file(state, path, header(pair_scorer.params))
    with pytest.raises(InstanceError, match="do not fit"):
        load_scorer(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"architecture": "none"},
        {"width": 0},
        {"degree": 2.5},
        {"num_heads": 3},
    ],
)
def test_bad_shapes_are_refused(changes: dict[str, Any]) -> None:
    """Values out of range name themselves."""
    with pytest.raises(ParameterError, match=next(iter(changes))):
        NetworkParams(**changes)
