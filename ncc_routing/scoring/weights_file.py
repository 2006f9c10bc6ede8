"""Files of weights and the shape of a network; nothing here needs torch."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import bounded, check_bounds
from ncc_routing.scoring.features import NUM_NEIGHBOURS, NUM_NODE_FEATURES
from ncc_routing.scoring.places import NUM_PLACE_FEATURES, Region
from ncc_routing.scoring.tensor_shapes import tensor_shapes
from ncc_routing.scoring.vocabulary import (
    ARCHITECTURES,
    CVRP,
    INPUTS,
    PAIRS,
    PAPER,
    PROBLEMS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

N = TypeVar("N")

WEIGHTS: Final = Path(__file__).parent / "weights"
"""Folder of the weights that the package ships."""
_KINDS: Final = ("F32", "F16")
"""Kinds of the numbers of a tensor; those of half precision are widened."""
FORMAT: Final = "ncc_routing-scorer-1"
"""What the header of a file of weights says under "format"."""
SIZES: Final = (1, 4096)
"""Bounds of every number that is a part of a shape."""


@dataclass(frozen=True)
class NetworkParams:
    """Shape of a network.

    Parameters
    ----------
    architecture
        "pairs" (default): how likely two near customers share a route; run
        once for each instance. "paper": how likely a customer belongs to a
        center given all centers, after the equations of the paper.
    width
        Size d of the embeddings. Default 256.
    num_layers
        Number of graph layers L. Default 4.
    degree
        Neighbours in the graph. Default 25.
    pair_width
        Size of the embedding of a pair ("pairs"). Default 48.
    hidden
        Width of the pair decoder ("pairs"). Default 64.
    num_pairs
        Customers with whom each is paired ("pairs"). Default 48.
    num_heads
        Heads of the attention over the centers ("paper"). Default 4.
    inputs
        What a network of "paper" sees: "paper" (default), the coordinates
        and demands of the nodes; or "geometry", also what the network of
        pairs sees of a customer, and beside each center its distance,
        direction, detours and load (``center_geometry``).
    problem
        What it is trained for: "cvrp" (default) or "ccp", points without a
        depot.
    region
        The region whose places it may know ("pairs"). Default: none, so
        that it serves any.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    architecture: str = PAIRS
    width: int = bounded(256, *SIZES)
    num_layers: int = bounded(4, *SIZES)
    degree: int = bounded(25, *SIZES)
    pair_width: int = bounded(48, *SIZES)
    hidden: int = bounded(64, *SIZES)
    num_pairs: int = bounded(NUM_NEIGHBOURS, *SIZES)
    num_heads: int = bounded(4, *SIZES)
    inputs: str = PAPER
    problem: str = CVRP
    region: Region | None = None

    @property
    def num_node_features(self) -> int:
        """Columns of the features of a customer ("pairs")."""
        places = 0 if self.region is None else NUM_PLACE_FEATURES
        return NUM_NODE_FEATURES + places

    def __post_init__(self) -> None:
        names = {
            "architecture": ARCHITECTURES,
            "inputs": INPUTS,
            "problem": PROBLEMS,
        }
        if self.region is not None:
            object.__setattr__(self, "region", _checked_region(self.region))
        check_bounds(self)
        for name, known in names.items():
            require_name(name, getattr(self, name), known)
        if self.region is not None and self.architecture != PAIRS:
            raise ParameterError("only a network of pairs knows a region.")
        if self.inputs != PAPER and self.architecture != PAPER:
            raise ParameterError("inputs belong to architecture 'paper'.")
        if self.width % self.num_heads:
            raise ParameterError("num_heads must divide width.")


def _checked_region(value: Sequence[float]) -> Region:
    """Return three numbers, of a header maybe, as a region."""
    try:
        region = Region(*map(float, value))
    except (TypeError, ValueError):
        region = Region(0.0, 0.0, 0.0)
    if not (all(map(math.isfinite, region)) and region.half > 0.0):
        raise ParameterError(
            "region must be three finite numbers, the last one positive, got "
            f"{value!r}."
        )
    return region


def read_weights(
    path: Path,
) -> tuple[NetworkParams, Mapping[str, float], dict[str, np.ndarray]]:
    """Read a file of weights; no code of the file is ever run.

    Parameters
    ----------
    path
        A safetensors file with the settings in its header.

    Returns
    -------
    tuple[NetworkParams, Mapping[str, float], dict[str, numpy.ndarray]]
        Shape, calibration and finite float32 tensors by name, those that a
        network of that shape has.

    Raises
    ------
    InstanceError
        If the file is missing, damaged, or of another kind.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            header = file.metadata() or {}
            params, calibration = _read_header(path, header)
            slices = {name: file.get_slice(name) for name in list(file.keys())}
            found = {
                name: (part.get_dtype(), *part.get_shape())
                for name, part in slices.items()
            }
            # Before anything of that size is read, or built.
            _require_shapes(path, found, tensor_shapes(params))
            tensors = {
                name: file.get_tensor(name).astype(np.float32, copy=False)
                for name in found
            }
    except (OSError, SafetensorError) as error:
        rule = f"not readable: {error}"
        raise InstanceError(path, "weights", rule) from None
    for name, array in tensors.items():
        if not np.isfinite(array).all():
            raise InstanceError(path, name, "must be finite")
    return params, calibration, tensors


def load_network(
    path: Path,
    architecture: str,
    kind: Callable[
        [NetworkParams, Mapping[str, np.ndarray], Mapping[str, float]], N
    ],
) -> N:
    """Read a network of one architecture.

    Parameters
    ----------
    path
        File written by ``learning.scorer.save_scorer``.
    architecture
        The one that it has to have.
    kind
        What is made of shape, tensors and calibration.

    Raises
    ------
    InstanceError
        If the file is missing, damaged, or of another kind.
    ParameterError
        If it holds another architecture.
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
    found: Mapping[str, tuple[str | int, ...]],
    wanted: Mapping[str, tuple[int, ...]],
) -> None:
    """Refuse tensors that are not those of the header."""
    rule = "the tensors do not fit the header"
    for name, shape in wanted.items():
        if name not in found:
            raise InstanceError(path, "weights", f"{rule}: {name} is missing")
        kind, *own = found[name]
        if kind not in _KINDS or tuple(own) != shape:
            kinds = " or ".join(_KINDS)
            text = f"{rule}: {name} must have {kinds} and shape {shape}"
            raise InstanceError(path, "weights", text, found[name])
    for name in found:
        if name not in wanted:
            raise InstanceError(path, "weights", f"{rule}: {name} is unknown")
