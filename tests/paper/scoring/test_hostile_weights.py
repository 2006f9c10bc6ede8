"""Files of weights whose header does not tell the truth."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from ncc_routing import InstanceError
from ncc_routing.paper.learning.scorer import build_network, load_scorer
from ncc_routing.paper.scoring.network_params import (
    NetworkParams,
    tensor_shapes,
)
from ncc_routing.paper.scoring.predictor import load_predictor
from ncc_routing.paper.scoring.weights_file import (
    FORMAT,
    WEIGHTS,
    read_weights,
)

SHAPES = [
    NetworkParams(width=12, num_layers=3, pair_width=8, hidden=20),
    NetworkParams("paper", width=12, num_layers=2, num_heads=3),
    NetworkParams("paper", width=8, num_layers=1, problem="ccp"),
]


def save(
    path: Path, params: NetworkParams, tensors: dict[str, np.ndarray]
) -> Path:
    """Write tensors under a header of that shape."""
    header = {"format": FORMAT, "calibration": "{}"}
    header["params"] = json.dumps(vars(params))
    save_file(tensors, path, header)
    return path


def zeros(params: NetworkParams) -> dict[str, np.ndarray]:
    """Return the tensors of a network."""
    shapes = tensor_shapes(params)
    return {name: np.zeros(shapes[name], np.float32) for name in shapes}


@pytest.mark.parametrize("params", SHAPES)
def test_shapes_are_those_of_the_networks(params: NetworkParams) -> None:
    """The table says what torch builds."""
    state = build_network(params).state_dict()
    built = {name: tuple(value.shape) for name, value in state.items()}
    assert built == tensor_shapes(params)


def test_shipped_weights_are_read() -> None:
    """Their tensors are those that their headers announce."""
    for path in WEIGHTS.glob("*.safetensors"):
        params, _, tensors = read_weights(path)
        assert tensors.keys() == tensor_shapes(params).keys()


@pytest.mark.parametrize("architecture", ["pairs", "paper"])
def test_a_small_file_that_announces_gigabytes(
    tmp_path: Path, architecture: str
) -> None:
    """Nothing is built: it took 4 GB, and did not end."""
    params = NetworkParams(architecture, width=4096, num_layers=4096)
    path = save(tmp_path / "big.safetensors", params, {})
    begun = time.process_time()
    for load in (load_scorer, load_predictor, read_weights):
        with pytest.raises(InstanceError, match="do not fit the header"):
            load(path)
    assert time.process_time() - begun < 5.0


@pytest.mark.parametrize("params", SHAPES)
def test_tensors_are_compared_one_by_one(
    params: NetworkParams, tmp_path: Path
) -> None:
    """Missing, of another shape or kind, unknown, not finite."""
    path, good = tmp_path / "a.safetensors", zeros(params)
    name = sorted(good)[0]
    rows = len(good[name])
    assert read_weights(save(path, params, good))[0] == params
    half = {key: array.astype(np.float16) for key, array in good.items()}
    assert read_weights(save(path, params, half))[0] == params
    for wrong, message in (
        ({"extra": good[name]}, "extra is unknown"),
        ({name: np.zeros(rows + 1, np.float32)}, f"{name} must have F32"),
        ({name: good[name].astype(np.float64)}, f"{name} must have F32"),
        ({name: good[name].astype(np.int32)}, f"{name} must have F32"),
        ({name: good[name] + np.float32(np.inf)}, f"{name}: must be finite"),
    ):
        with pytest.raises(InstanceError, match=message):
            read_weights(save(path, params, {**good, **wrong}))
    good.pop(name)
    with pytest.raises(InstanceError, match=f"{name} is missing"):
        read_weights(save(path, params, good))


@pytest.mark.parametrize("params", SHAPES)
def test_scales_are_compared_too(
    params: NetworkParams, tmp_path: Path
) -> None:
    """Whole numbers have finite scales, one a row, and matrices alone."""
    path, good = tmp_path / "a.safetensors", zeros(params)
    name = min(name for name in good if good[name].ndim == 2)
    vector = min(name for name in good if good[name].ndim == 1)
    rows = len(good[name])
    scale = f"{name}.scale"
    steps = np.linspace(0.5, 2.0, rows, dtype=np.float32)
    whole = np.full(good[name].shape, -100, np.int8)
    good |= {name: whole, scale: steps}
    _, _, read = read_weights(save(path, params, good))
    assert read.keys() == tensor_shapes(params).keys()
    np.testing.assert_array_equal(read[name], whole * steps[:, None])
    half = {**good, scale: steps.astype(np.float16)}
    assert read_weights(save(path, params, half))[2][name].dtype == "float32"
    endless, large = steps.copy(), np.full(rows, 1e38, np.float32)
    endless[-1] = np.inf
    for wrong, message in (
        ({scale: steps[:-1]}, f"{scale} must have F32 or F16 and shape"),
        ({scale: whole[:, 0]}, f"{scale} must have F32 or F16 and shape"),
        ({scale: steps[:, None]}, f"{scale} must have F32 or F16 and shape"),
        ({scale: endless}, f"{scale}: must be finite"),
        ({scale: np.nan * steps}, f"{scale}: must be finite"),
        ({scale: large}, f"{name}: must be finite"),
        ({name: whole.astype(np.uint8)}, f"{name} must have F32 or F16 or I8"),
        ({name: whole.astype(np.float16)}, f"{scale} is unknown"),
        ({f"{scale}.scale": steps}, f"{scale}.scale is unknown"),
        ({vector: good[vector].astype(np.int8)}, f"{vector} must have F32"),
    ):
        with pytest.raises(InstanceError, match=message) as caught:
            read_weights(save(path, params, {**good, **wrong}))
        assert "\n" not in str(caught.value)
    good.pop(scale)
    with pytest.raises(InstanceError, match=f"{scale} is missing"):
        read_weights(save(path, params, good))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("params", "[" * 100_000),
        ("params", '{"width": 1e999}'),
        ("params", '{"architecture": ["pairs"]}'),
        ("calibration", '{"weight": 1' + "0" * 400 + "}"),
        ("calibration", '{"weight": ' + "9" * 5000 + "}"),
        ("calibration", "{" * 100_000),
    ],
)
def test_headers_that_break_a_parser(
    tmp_path: Path, key: str, text: str
) -> None:
    """Too deep, too long, or of another type: one line."""
    header = {"format": FORMAT, "params": "{}", "calibration": "{}"}
    path = tmp_path / "a.safetensors"
    save_file({}, path, {**header, key: text})
    with pytest.raises(InstanceError, match=r"a\.safetensors: ") as caught:
        read_weights(path)
    assert "\n" not in str(caught.value)
