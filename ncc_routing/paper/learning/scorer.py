"""A network with its settings: built, saved, loaded."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import torch

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import write_bytes
from ncc_routing.paper.learning.networks.pairs import PairNetwork
from ncc_routing.paper.learning.networks.paper import CenterNetwork
from ncc_routing.paper.scoring.vocabulary import PAPER
from ncc_routing.paper.scoring.weights_file import FORMAT, SCALE, read_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from torch import Tensor

    from ncc_routing.paper.scoring.network_params import NetworkParams

BITS: Final = (32, 16, 8)
"""Precisions of the weights in a file."""

_LARGE: Final = 64
"""Rows and columns from which a matrix is stored by whole numbers: smaller
ones are a small part of a file."""


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
    bits: int = 32,
) -> None:
    """Write a scorer as safetensors, its settings and notes in the header.

    Parameters
    ----------
    path
        File to write.
    scorer
        The scorer.
    notes
        Further entries of the header.
    bits
        Bits of a weight. 32 (default): as trained. 16: half precision, three
        digits. 8: whole numbers from -127 to 127 and a scale for each row of
        the large matrices, half precision for all others.

    Raises
    ------
    ParameterError
        If ``bits`` is none of these.
    """
    from safetensors.torch import save

    if bits not in BITS:
        raise ParameterError(f"bits must be one of {BITS}, got {bits!r}.")
    header = {
        **(notes or {}),
        "format": FORMAT,
        "params": json.dumps(asdict(scorer.params)),
        "calibration": json.dumps(dict(scorer.calibration)),
    }
    state: dict[str, Tensor] = {}
    for name, value in scorer.network.state_dict().items():
        state |= _rounded(name, value.detach(), bits)
    write_bytes(path, save(state, header))


def _rounded(name: str, value: Tensor, bits: int) -> dict[str, Tensor]:
    """Return a tensor as it is stored, by name, with scales if it has some."""
    if bits == 32:
        return {name: value.contiguous()}
    if bits == 16 or value.ndim != 2 or min(value.shape) < _LARGE:
        return {name: value.half().contiguous()}
    scale = value.abs().amax(dim=1) / 127.0
    # A row of zeros has a scale, too.
    scale = scale.clamp(min=torch.finfo(value.dtype).tiny)
    whole = (value / scale[:, None]).round().to(torch.int8)
    return {name: whole.contiguous(), name + SCALE: scale}


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
