"""A trained network with its settings: built, saved, loaded, evaluated."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import Tensor, nn

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.learning.decoder import CenterDecoder, PairDecoder
from ncc_routing.learning.encoders import GraphEncoder, PairEncoder
from ncc_routing.scoring import features
from ncc_routing.scoring.weights_file import (
    FORMAT,
    WEIGHTS,
    NetworkParams,
    read_weights,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet

_CHUNK: Final = 8192


class PairNetwork(nn.Module):
    """Probability that two near customers share a route, as a logit."""

    def __init__(self, params: NetworkParams) -> None:
        super().__init__()
        self.encoder = PairEncoder(
            features.NUM_NODE_FEATURES,
            features.NUM_PAIR_FEATURES,
            width=params.width,
            pair_width=params.pair_width,
            num_layers=params.num_layers,
            degree=params.degree,
        )
        self.decoder = PairDecoder(
            params.width, features.NUM_PAIR_FEATURES, params.hidden
        )

    def forward(
        self,
        nodes: Tensor,
        pairs: Tensor,
        idx: Tensor,
        columns: Tensor | None = None,
    ) -> Tensor:
        """Return logits of shape (n, k), or (n, len(columns)).

        Parameters
        ----------
        nodes, pairs, idx
            As in ``features.PairFeatures``: (n, F), (n, k, G), (n, k).
        columns
            Columns of the pairs to decode. Default: all.
        """
        hidden = self.encoder(nodes, pairs, idx)
        if columns is not None:
            pairs, idx = pairs[:, columns], idx[:, columns]
        logits: Tensor = self.decoder(hidden, pairs, idx)
        return logits

    def decode_all(self, nodes: Tensor, pairs: Tensor, idx: Tensor) -> Tensor:
        """Return the logits of all pairs, block by block to save memory."""
        hidden = self.encoder(nodes, pairs, idx)
        other = self.decoder.other(hidden)
        blocks = [
            self.decoder.decode(
                hidden[a : a + _CHUNK], other,
                pairs[a : a + _CHUNK], idx[a : a + _CHUNK],
            )
            for a in range(0, len(nodes), _CHUNK)
        ]  # fmt: skip
        return torch.cat(blocks)


class CenterNetwork(nn.Module):
    """Probability that a customer belongs to a center, as a logit."""

    def __init__(self, params: NetworkParams) -> None:
        super().__init__()
        self.encoder = GraphEncoder(3, params.width, params.num_layers)
        self.decoder = CenterDecoder(
            params.width, params.num_heads, has_depot=params.problem == "cvrp"
        )

    def forward(
        self,
        nodes: Tensor,
        idx: Tensor,
        weights: Tensor,
        medoids: Tensor,
        mask: Tensor,
    ) -> Tensor:
        """Return logits of shape (1, K, n).

        Parameters
        ----------
        nodes, idx, weights
            Features (n + 1, 3), neighbours and edge weights (n + 1, k); node
            0 is the depot. In a CCP there is none: n nodes.
        medoids, mask
            Centers and whether they are there, (1, K).
        """
        hidden = self.encoder(nodes, idx, weights)[None]
        logits: Tensor = self.decoder(hidden, medoids, mask)
        return logits


def build_network(params: NetworkParams) -> PairNetwork | CenterNetwork:
    """Return an untrained network, with torch's present random state."""
    if params.architecture == "paper":
        return CenterNetwork(params)
    return PairNetwork(params)


@dataclass(frozen=True, eq=False)
class ClusterScorer:
    """A network for inference.

    Parameters
    ----------
    params
        Its shape.
    network
        The network.
    calibration
        Numbers chosen on validation instances that belong to the weights,
        such as the weight of the score in the clustering.
    """

    params: NetworkParams
    network: PairNetwork | CenterNetwork
    calibration: Mapping[str, float]

    def pair_probabilities(
        self, instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return how likely near customers are to share a route.

        Runs in one thread of torch; the setting of the process is put back.

        Parameters
        ----------
        instance
            The instance; it needs coordinates. Points of a CCP need their
            number of clusters.

        Returns
        -------
        tuple[numpy.ndarray, numpy.ndarray, float]
            Int64 customers (1..n) of shape (n, k), row i for customer i + 1
            (points 0..n - 1, row i for point i, of a CCP); their
            probabilities, float64 of that shape, the mean of both directions
            where both are known; and the spacing of the instance.

        Raises
        ------
        ParameterError
            If the network was trained for another problem.
        """
        if not isinstance(self.network, PairNetwork):
            raise ParameterError("the scorer has no architecture 'pairs'.")
        features.require_problem(instance, self.params.problem)
        found = features.pair_features(instance, self.params.num_pairs)
        with single_thread(), torch.inference_mode():
            logits = self.network.decode_all(
                torch.from_numpy(found.nodes),
                torch.from_numpy(found.pairs),
                torch.from_numpy(found.neighbours),
            )
            chance = torch.sigmoid(logits).numpy().astype(np.float64)
        return found.answers(chance)


@contextmanager
def single_thread() -> Iterator[None]:
    """Let torch run in one thread, and put the setting back.

    With a busy neighbour core, two threads are slower than one.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def save_scorer(
    path: Path, scorer: ClusterScorer, notes: Mapping[str, str] | None = None
) -> None:
    """Write a scorer as safetensors, its settings in the header.

    Parameters
    ----------
    path
        File to write.
    scorer
        The scorer.
    notes
        Further entries of the header, such as data and commit.
    """
    from safetensors.torch import save_file

    header = {
        **(notes or {}),
        "format": FORMAT,
        "params": json.dumps(asdict(scorer.params)),
        "calibration": json.dumps(dict(scorer.calibration)),
    }
    state = {
        name: value.detach().contiguous()
        for name, value in scorer.network.state_dict().items()
    }
    save_file(state, path, header)


def load_scorer(path: Path) -> ClusterScorer:
    """Read a scorer; no code of the file is ever run.

    Parameters
    ----------
    path
        File written by ``save_scorer``.

    Raises
    ------
    InstanceError
        If the file is missing, damaged, or of another kind.
    """
    params, calibration, tensors = read_weights(path)
    network = build_network(params)
    try:
        network.load_state_dict(
            {name: torch.from_numpy(array) for name, array in tensors.items()}
        )
    except RuntimeError as error:
        text = str(error).splitlines()[0]
        rule = f"the tensors do not fit the header: {text}"
        raise InstanceError(path, "weights", rule) from None
    network.eval()
    return ClusterScorer(params, network, calibration)


@lru_cache(maxsize=4)
def shipped_scorer(name: str = "ncc-cvrp") -> ClusterScorer:
    """Return the scorer of that name that the package ships, loaded once."""
    return load_scorer(WEIGHTS / f"{name}.safetensors")
