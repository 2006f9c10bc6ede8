"""The network of pairs in numpy: inference without loading torch.

Importing torch takes longer than clustering a small instance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.scorers import PairScorer, choose_scorer
from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.paper.scoring._layers import gelu, layer_norm, linear
from ncc_routing.paper.scoring.features import pair_features, require_problem
from ncc_routing.paper.scoring.vocabulary import CVRP, PAIRS
from ncc_routing.paper.scoring.weights_file import WEIGHTS, load_network

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ncc_routing.clustering.scorers import Scorer
    from ncc_routing.paper.scoring.network_params import NetworkParams
    from ncc_routing.problems.ccp.points import PointSet
    from ncc_routing.problems.instance import Instance

_BLOCK: Final = 2048
"""Customers whose messages are in memory at a time."""

SECONDS_PER_NODE: Final = 2.5e-4
"""Time that the shipped scorers take for a customer or point, generously. It
cannot be cut short."""


@dataclass(frozen=True, eq=False)
class PairPredictor:
    """A trained network of architecture "pairs".

    It answers as ``paper.learning.networks.pairs.PairNetwork`` with the same
    weights. ``tensors`` have the names of that network's state dict.
    """

    params: NetworkParams
    tensors: Mapping[str, np.ndarray]
    calibration: Mapping[str, float]

    def pair_probabilities(
        self, instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return how likely near customers are to share a route.

        Returns
        -------
        tuple[numpy.ndarray, numpy.ndarray, float]
            Int64 neighbours (n, k), row i for customer i + 1, or point i of a
            CCP; their probabilities, float64 of that shape, the mean of both
            directions where both are known; and the spacing of the instance.

        Raises
        ------
        ParameterError
            If the network was trained for another problem.
        InstanceError
            If there are no coordinates, or the answers are no numbers.
        """
        require_problem(instance, self.params.problem)
        params = self.params
        features = pair_features(instance, params.num_pairs, params.region)
        # Damaged weights may be of any size; only the answers count.
        with np.errstate(over="ignore", invalid="ignore"):
            logits = self.logits(
                features.nodes, features.pairs, features.neighbours
            )
        if not np.isfinite(logits).all():
            rule = "are too large: the network does not return finite numbers"
            raise InstanceError("weights", "values", rule)
        chance = 0.5 * (1.0 + np.tanh(0.5 * logits.astype(np.float64)))
        return features.answers(chance)

    def logits(
        self, nodes: np.ndarray, pairs: np.ndarray, idx: np.ndarray
    ) -> np.ndarray:
        """Return the logits of the pairs of ``PairFeatures``, (n, k)."""
        return self._decode(self._encode(nodes, pairs, idx), pairs, idx)

    def _pair_of_layers(self, name: str, rows: np.ndarray) -> np.ndarray:
        inner = gelu(linear(self.tensors, f"{name}.0", rows))
        return linear(self.tensors, f"{name}.2", inner)

    def _encode(
        self, nodes: np.ndarray, pairs: np.ndarray, idx: np.ndarray
    ) -> np.ndarray:
        """Return the embeddings of the customers, (n, d)."""
        degree = self.params.degree
        hidden = self._pair_of_layers("encoder.node_input", nodes)
        near = self._pair_of_layers("encoder.pair_input", pairs[:, :degree])
        for number in range(self.params.num_layers):
            name = f"encoder.layers.{number}"
            inner = layer_norm(self.tensors, f"{name}.norm", hidden)
            node = linear(self.tensors, f"{name}.own", inner)
            other = linear(self.tensors, f"{name}.other", inner)
            pooled = np.empty((len(nodes), 3 * inner.shape[1]), np.float32)
            for a in range(0, len(nodes), _BLOCK):
                part = slice(a, a + _BLOCK)
                messages = linear(self.tensors, f"{name}.pair", near[part])
                messages += other[idx[part, :degree]]
                messages += node[part, None]
                np.maximum(messages, 0.0, out=messages)
                pooled[part] = np.concatenate(
                    [inner[part], messages.mean(1), messages.max(1)], axis=1
                )
            hidden = hidden + self._pair_of_layers(f"{name}.update", pooled)
        return layer_norm(self.tensors, "encoder.norm", hidden)

    def _decode(
        self, hidden: np.ndarray, pairs: np.ndarray, idx: np.ndarray
    ) -> np.ndarray:
        """Return the logits of the pairs, (n, k)."""
        node = linear(self.tensors, "decoder.own", hidden)
        other = linear(self.tensors, "decoder.other", hidden)
        logits = np.empty(idx.shape, dtype=np.float32)
        for a in range(0, len(idx), _BLOCK):
            part = slice(a, a + _BLOCK)
            inner = linear(self.tensors, "decoder.pair", pairs[part])
            inner += other[idx[part]]
            inner += node[part, None]
            np.maximum(inner, 0.0, out=inner)
            inner = linear(self.tensors, "decoder.head.1", inner)
            np.maximum(inner, 0.0, out=inner)
            logits[part] = linear(self.tensors, "decoder.head.3", inner)[
                ..., 0
            ]
        return logits


def load_predictor(path: Path) -> PairPredictor:
    """Read a network of pairs, as ``weights_file.load_network`` does."""
    return load_network(path, PAIRS, PairPredictor)


@lru_cache(maxsize=4)
def shipped_predictor(name: str = "ncc-cvrp") -> PairPredictor:
    """Return the network of that name that the package ships, loaded once."""
    return load_predictor(WEIGHTS / f"{name}.safetensors")


def affinity_scorer(scorer: Scorer | None) -> PairScorer:
    """Return a scorer of customers; networks of points are refused."""
    found = pair_scorer(scorer, "ncc-cvrp")
    if isinstance(found, PairPredictor) and found.params.problem != CVRP:
        raise ParameterError(
            f"scorer {scorer} was trained for the "
            f"{found.params.problem.upper()}, not for routes."
        )
    return found


def pair_scorer(scorer: Scorer | None, name: str) -> PairScorer:
    """Return a scorer of pairs; ``None`` is the shipped one of a name."""
    shipped = partial(shipped_predictor, name)
    return choose_scorer(
        scorer, "pair_probabilities", PAIRS, load_predictor, shipped
    )
