"""Files of weights; torch is not needed."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.paper.scoring.network_params import (
    NetworkParams,
    tensor_shapes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

N = TypeVar("N")

WEIGHTS: Final = Path(__file__).parent / "weights"
"""Folder of the weights that the package ships.

:meta hide-value:
"""
_FLOATS: Final = ("F32", "F16")
_WHOLE: Final = "I8"
"""Kinds of the numbers of a tensor. A matrix may hold whole numbers, which are
multiplied by a scale of each row."""
SCALE: Final = ".scale"
"""The name of such a matrix and this are the name of its scales."""
FORMAT: Final = "ncc_routing-scorer-1"
"""What the header of a file of weights says under "format"."""


def read_weights(
    path: Path,
) -> tuple[NetworkParams, Mapping[str, float], dict[str, np.ndarray]]:
    """Read shape, calibration and finite float32 tensors of a network.

    They are stored as by ``paper.learning.scorer.save_scorer``. No code of the
    file is ever run. A file that is missing, damaged or of another kind
    raises ``InstanceError``.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            header = file.metadata() or {}
            params, calibration = _read_header(path, header)
            slices = {name: file.get_slice(name) for name in list(file.keys())}
            shapes = {
                name: (part.get_dtype(), *part.get_shape())
                for name, part in slices.items()
            }
            # Before anything of that size is read, or built.
            _require_shapes(path, shapes, tensor_shapes(params))
            tensors = {
                name: file.get_tensor(name).astype(np.float32, copy=False)
                for name in shapes
            }
    except (OSError, SafetensorError) as error:
        rule = f"not readable: {error}"
        raise InstanceError(path, "weights", rule) from None
    _require_finite(path, tensors)
    with np.errstate(over="ignore"):  # what comes of it is refused below
        for name, (kind, *_) in shapes.items():
            if kind == _WHOLE:
                tensors[name] *= tensors.pop(name + SCALE)[:, None]
    _require_finite(path, tensors)
    return params, calibration, tensors


def load_network(
    path: Path,
    architecture: str,
    kind: Callable[
        [NetworkParams, Mapping[str, np.ndarray], Mapping[str, float]], N
    ],
) -> N:
    """Read a network of one architecture from a file of ``save_scorer``.

    ``kind`` is called with shape, tensors and calibration. Another
    architecture raises ``ParameterError``.
    """
    params, calibration, tensors = read_weights(path)
    if params.architecture != architecture:
        raise ParameterError(f"{path} has no architecture {architecture!r}.")
    return kind(params, tensors, calibration)


def _read_header(
    path: Path, header: Mapping[str, str]
) -> tuple[NetworkParams, dict[str, float]]:
    """Return the shape and the calibration that a header states."""
    if header.get("format") != FORMAT:
        rule = f"the header must say {FORMAT}"
        raise InstanceError(path, "format", rule, header.get("format"))
    try:
        params = NetworkParams(**json.loads(header["params"]))
        calibration = {
            str(name): float(value)
            for name, value in json.loads(header["calibration"]).items()
        }
    except (
        *(KeyError, TypeError, ValueError, AttributeError),
        *(OverflowError, RecursionError),
    ) as error:
        raise InstanceError(path, "header", f"damaged: {error}") from None
    if not all(map(math.isfinite, calibration.values())):
        raise InstanceError(path, "calibration", "must be finite")
    return params, calibration


def _require_shapes(
    path: Path,
    shapes: Mapping[str, tuple[str | int, ...]],
    wanted: Mapping[str, tuple[int, ...]],
) -> None:
    rule = "the tensors do not fit the header"
    scales = {
        name + SCALE: shape[:1]
        for name, shape in wanted.items()
        if shapes.get(name, ("",))[0] == _WHOLE
    }
    wanted = {**wanted, **scales}
    for name, shape in wanted.items():
        if name not in shapes:
            raise InstanceError(path, "weights", f"{rule}: {name} is missing")
        kind, *stored = shapes[name]
        known = (*_FLOATS, _WHOLE) if len(shape) == 2 else _FLOATS
        if kind not in known or tuple(stored) != shape:
            kinds = " or ".join(known)
            text = f"{rule}: {name} must have {kinds} and shape {shape}"
            raise InstanceError(path, "weights", text, shapes[name])
    for name in shapes:
        if name not in wanted:
            raise InstanceError(path, "weights", f"{rule}: {name} is unknown")


def _require_finite(path: Path, tensors: Mapping[str, np.ndarray]) -> None:
    for name, array in tensors.items():
        if not np.isfinite(array).all():
            raise InstanceError(path, name, "must be finite")
