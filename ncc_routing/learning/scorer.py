"""A network with its settings: built, saved, loaded."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import torch

from ncc_routing.core.text_files import write_bytes
from ncc_routing.learning.networks.pairs import PairNetwork
from ncc_routing.learning.networks.paper import CenterNetwork
from ncc_routing.scoring.vocabulary import PAPER
from ncc_routing.scoring.weights_file import FORMAT, read_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ncc_routing.scoring.network_params import NetworkParams


def build_network(params: NetworkParams) -> PairNetwork | CenterNetwork:
    """Return an untrained network, with torch's present random state."""
    if params.architecture == PAPER:
        return CenterNetwork(params)
    return PairNetwork(params)


@dataclass(frozen=True, eq=False)
class ClusterScorer:
    """A network, its shape, and numbers calibrated on validation instances."""

    params: NetworkParams
    network: PairNetwork | CenterNetwork
    calibration: Mapping[str, float]


@contextmanager
def single_thread() -> Iterator[None]:
    """Let torch run in one thread: beside a busy core, two are slower."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def save_scorer(
    path: Path,
    scorer: ClusterScorer,
    notes: Mapping[str, str] | None = None,
    *,
    is_half: bool = False,
) -> None:
    """Write a scorer as safetensors, its settings and notes in the header.

    ``is_half`` rounds the weights to half precision: half the size, three
    digits.
    """
    from safetensors.torch import save

    header = {
        **(notes or {}),
        "format": FORMAT,
        "params": json.dumps(asdict(scorer.params)),
        "calibration": json.dumps(dict(scorer.calibration)),
    }
    state = {
        name: (value.half() if is_half else value).detach().contiguous()
        for name, value in scorer.network.state_dict().items()
    }
    write_bytes(path, save(state, header))


def load_scorer(path: Path) -> ClusterScorer:
    """Read a file of ``save_scorer``; no code of the file is ever run.

    A missing or damaged file, or one of another kind, raises
    ``InstanceError``.
    """
    params, calibration, tensors = read_weights(path)
    network = build_network(params)
    network.load_state_dict(
        {name: torch.from_numpy(array) for name, array in tensors.items()}
    )
    network.eval()
    return ClusterScorer(params, network, calibration)
