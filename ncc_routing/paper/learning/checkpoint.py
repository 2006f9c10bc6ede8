"""What a training leaves in its folder, so that it can go on from there."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import write_bytes, write_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from torch import Tensor, nn, optim

CHECKPOINT: Final = "checkpoint.safetensors"
"""One file with tensors, settings and progress; nothing is pickled."""

_STATE: Final = "state"
"""Entry of its header that holds settings and progress."""

_NETWORK, _ADAM = "network", "adam"
"""First part of the names of tensors: of weights, and of their moments."""


def write_checkpoint(
    folder: Path,
    state: Mapping[str, Any],
    network: nn.Module,
    optimizer: optim.Optimizer,
) -> None:
    """Write settings, progress and tensors into a folder, as one file."""
    from safetensors.torch import save

    tensors = {
        f"{_NETWORK}.{name}": value.detach().cpu().contiguous()
        for name, value in network.state_dict().items()
    }
    for slot, entries in optimizer.state_dict()["state"].items():
        for name, value in entries.items():
            tensors[f"{_ADAM}.{slot}.{name}"] = value.detach().cpu()
    header = {_STATE: json.dumps(state)}
    write_bytes(folder / CHECKPOINT, save(tensors, header))


def read_checkpoint(
    folder: Path,
) -> tuple[dict[str, Any], dict[str, Tensor]] | None:
    """Return state and tensors of a folder; ``None`` where none are.

    A damaged file raises ``InstanceError``.
    """
    from safetensors import SafetensorError, safe_open

    place = folder / CHECKPOINT
    if not place.exists():
        return None
    try:
        with safe_open(place, "pt", device="cpu") as file:
            names = list(file.keys())
            tensors = {name: file.get_tensor(name) for name in names}
            header = file.metadata() or {}
        state = json.loads(header.get(_STATE, "null"))
    except (OSError, ValueError, SafetensorError) as error:
        rule = f"damaged: {error}"
        raise InstanceError(place, "checkpoint", rule) from None
    if not isinstance(state, dict):
        rule = "the header must hold the state of a training"
        raise InstanceError(place, "checkpoint", rule)
    return state, tensors


def restore(
    tensors: Mapping[str, Tensor],
    network: nn.Module,
    optimizer: optim.Optimizer,
) -> None:
    """Put the tensors of a checkpoint back where they were."""
    weights: dict[str, Tensor] = {}
    moments: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        kind, _, rest = name.partition(".")
        if kind == _NETWORK:
            weights[rest] = value
        else:
            slot, _, moment = rest.partition(".")
            moments.setdefault(int(slot), {})[moment] = value
    try:
        network.load_state_dict(weights)
        optimizer.load_state_dict(optimizer.state_dict() | {"state": moments})
    except (RuntimeError, KeyError, ValueError) as error:
        reason = str(error).splitlines()[0]
        rule = f"damaged, or of another version: {reason}"
        raise InstanceError(CHECKPOINT, "tensors", rule) from None


def write_curve(path: Path, rows: Sequence[Mapping[str, float]]) -> None:
    """Write the learning curve, a table in CSV with a row for each epoch."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: round(value, 6) for name, value in row.items()})
    write_text(path, text.getvalue())
