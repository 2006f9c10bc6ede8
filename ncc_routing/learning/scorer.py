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
    """A network with what belongs to it.

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
    path: Path,
    scorer: ClusterScorer,
    notes: Mapping[str, str] | None = None,
    *,
    is_half: bool = False,
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
    is_half
        Whether the weights are rounded to half precision, for a file of half
        the size: three digits are left of each. Default ``False``.
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
    network.load_state_dict(
        {name: torch.from_numpy(array) for name, array in tensors.items()}
    )
    network.eval()
    return ClusterScorer(params, network, calibration)
