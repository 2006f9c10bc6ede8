"""The network of the paper in numpy: inference without loading torch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import scoring as kernels
from ncc_routing.clustering.scorers import CenterScorer, choose_scorer
from ncc_routing.paper.scoring._layers import gelu, layer_norm, linear
from ncc_routing.paper.scoring.center_features import (
    CenterGeometry,
    center_features,
)
from ncc_routing.paper.scoring.features import require_problem
from ncc_routing.paper.scoring.network_params import (
    NetworkParams,
    tensor_shapes,
)
from ncc_routing.paper.scoring.vocabulary import CVRP, PAPER
from ncc_routing.paper.scoring.weights_file import WEIGHTS, load_network

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ncc_routing.clustering.scorers import Scorer
    from ncc_routing.problems.ccp.points import PointSet
    from ncc_routing.problems.instance import Instance

SECONDS_PER_NODE: Final = 1e-3
"""Time that a network of width 256 takes for a customer or point and its
first round, generously. It cannot be cut short."""

MAX_PAIRS: Final = 100_000_000
"""Customers times centers up to which all distances are computed in each
round: 30,000 customers and 3,000 vehicles."""

_BLOCK: Final = 2048
"""Nodes whose neighbours are in memory at a time."""


@dataclass(frozen=True, eq=False)
class CenterPredictor:
    """A trained network of architecture "paper".

    It answers as ``paper.learning.networks.paper.CenterNetwork`` with the same
    weights. ``tensors`` have the names of that network's state dict.
    """

    params: NetworkParams
    tensors: Mapping[str, np.ndarray]
    calibration: Mapping[str, float]

    def encode(self, instance: Instance | PointSet) -> EncodedInstance:
        """Run the encoder once; the answer scores any centers.

        An instance of another problem raises ``ParameterError``.
        """
        require_problem(instance, self.params.problem)
        shape = self.params
        features = center_features(instance, shape.degree, shape.inputs)
        hidden = linear(self.tensors, "encoder.input", features.nodes)
        for number in range(shape.num_layers):
            near_sum = _gather(hidden, features.neighbours, features.lengths)
            name = f"encoder.layers.{number}"
            new = linear(self.tensors, f"{name}.lin_rel", near_sum)
            new += linear(self.tensors, f"{name}.lin_root", hidden)
            norm = f"encoder.norms.{number}"
            hidden = hidden + layer_norm(self.tensors, norm, gelu(new))
        return EncodedInstance(self, hidden, features.geometry)


class EncodedInstance:
    """Embeddings (m, d) of an instance; of a CVRP node 0 is the depot."""

    def __init__(
        self,
        predictor: CenterPredictor,
        nodes: np.ndarray,
        geometry: CenterGeometry | None = None,
    ) -> None:
        self._params, self._tensors = predictor.params, predictor.tensors
        self._calibration = predictor.calibration
        has_depot = self._params.problem == CVRP
        points = nodes[1:] if has_depot else nodes
        pooled = np.concatenate([points.max(axis=0), points.mean(axis=0)])
        # Graph and depot are the same for every center: their part of the
        # first layer is computed once.
        width = self._params.width
        merge = self._tensors["decoder.merge.weight"]
        graph, node, depot = (
            merge[:, a : a + width] for a in (0, width, 2 * width)
        )
        common = self._tensors["decoder.merge.bias"].copy()
        common += graph @ self._mlp("decoder.graph", pooled)
        if has_depot:
            common += depot @ nodes[0]
        self._merged = points @ node.T + common
        left, right = np.split(self._tensors["decoder.join.weight"], 2, axis=1)
        self._left = left
        self._others = np.ascontiguousarray(points @ right.T)
        self._geometry = geometry
        self._between = np.zeros((0, width), dtype=np.float32)
        if geometry is not None:
            between = self._tensors["decoder.geometry.weight"].T
            self._between = np.ascontiguousarray(between)

    @property
    def distance_weight(self) -> float:
        """Log-odds that a distance costs beside the network; default 1."""
        return self._calibration.get("distance_weight", 1.0)

    def log_odds(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Return how likely points belong to centers, float32 of shape (C, n).

        ``medoids`` (K,) is the point nearest to each center, 0 the first
        customer. ``listed`` (C, n) holds the centers that are asked for, of
        point i in column i.
        """
        centers = self._attend(self._merged[medoids])
        centers = self._mlp("decoder.center", centers)
        joined = centers @ self._left.T + self._tensors["decoder.join.bias"]
        out = np.empty(listed.shape, dtype=np.float32)
        weight = self._tensors["decoder.score.weight"][0]
        seen = np.zeros((0, 0), dtype=np.float32)
        if self._geometry is not None:
            features = self._geometry.features(medoids, listed)
            seen = features.reshape(-1, features.shape[2])
        kernels.decode(
            joined, self._others, self._between, weight, listed, seen, out
        )
        out += self._tensors["decoder.score.bias"]
        return out

    def _mlp(self, name: str, rows: np.ndarray) -> np.ndarray:
        inner = gelu(linear(self._tensors, f"{name}.0", rows))
        inner = layer_norm(self._tensors, f"{name}.2", inner)
        return linear(self._tensors, f"{name}.3", inner)

    def _attend(self, centers: np.ndarray) -> np.ndarray:
        """Return the centers after attention to all centers, (K, d)."""
        name, heads = "decoder.attention", self._params.num_heads
        parts = linear(self._tensors, f"{name}.project", centers)
        parts = parts.reshape(len(centers), 3, heads, -1)
        query, key, value = parts.transpose(1, 2, 0, 3)
        weights = query @ key.transpose(0, 2, 1)
        weights /= np.float32(np.sqrt(query.shape[2]))
        weights = np.exp(weights - weights.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        mixed = (weights @ value).transpose(1, 0, 2).reshape(centers.shape)
        mixed = linear(self._tensors, f"{name}.output", mixed)
        return layer_norm(self._tensors, f"{name}.norm", centers + mixed)


def _gather(
    hidden: np.ndarray, neighbours: np.ndarray, lengths: np.ndarray
) -> np.ndarray:
    near_sum = np.empty_like(hidden)
    for a in range(0, len(hidden), _BLOCK):
        part = slice(a, a + _BLOCK)
        near = hidden[neighbours[part]]
        near_sum[part] = (lengths[part, None] @ near)[:, 0]
    return near_sum


def load_center_predictor(path: Path) -> CenterPredictor:
    """Read a network of the paper, as ``weights_file.load_network`` does."""
    return load_network(path, PAPER, CenterPredictor)


@lru_cache(maxsize=4)
def shipped_center_predictor(name: str) -> CenterPredictor:
    """Return the network of that name that the package ships, loaded once."""
    return load_center_predictor(WEIGHTS / f"{name}.safetensors")


def center_scorer(scorer: Scorer | None, name: str) -> CenterScorer:
    """Return a scorer of centers; ``None`` is the shipped one of a name."""
    shipped = partial(shipped_center_predictor, name)
    return choose_scorer(
        scorer, "encode", PAPER, load_center_predictor, shipped
    )


def blank_predictor(problem: str) -> CenterPredictor:
    """Return a small network of zeros, which has no preference."""
    params = NetworkParams(
        PAPER, width=8, num_layers=1, inputs=PAPER, problem=problem
    )
    tensors = {
        name: np.zeros(shape, dtype=np.float32)
        for name, shape in tensor_shapes(params).items()
    }
    return CenterPredictor(params, tensors, {})
