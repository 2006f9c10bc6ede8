"""What a training leaves in its folder, so that it can go on from there."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import InstanceError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torch import Tensor, nn, optim

CHECKPOINT: Final = "checkpoint.safetensors"
STATE: Final = "checkpoint.json"
"""Files of tensors and of settings; neither is pickled."""

_NETWORK, _ADAM = "network", "adam"
"""First part of the names of tensors: of weights, and of their moments."""


def write_checkpoint(
    folder: Path,
    state: Mapping[str, Any],
    network: nn.Module,
    optimizer: optim.Optimizer,
) -> None:
    """Write settings, "epoch" among them, and tensors into a folder.

    Each file gets another name first, so that it is whole or not there.
    """
    from safetensors.torch import save_file

    tensors = {
        f"{_NETWORK}.{name}": value.detach().cpu().contiguous()
        for name, value in network.state_dict().items()
    }
    for slot, entries in optimizer.state_dict()["state"].items():
        for name, value in entries.items():
            tensors[f"{_ADAM}.{slot}.{name}"] = value.detach().cpu()
    partial = folder / f".{CHECKPOINT}.partial"
    # The tensors carry their epoch: a crash between the two files shows.
    save_file(tensors, partial, {"epoch": str(state["epoch"])})
    partial.replace(folder / CHECKPOINT)
    partial = folder / f".{STATE}.partial"
    partial.write_text(json.dumps(state, indent=1), encoding="utf-8")
    partial.replace(folder / STATE)


def read_checkpoint(
    folder: Path,
) -> tuple[dict[str, Any], dict[str, Tensor]] | None:
    """Return settings and tensors of a folder; ``None`` where none are.

    Raises
    ------
    InstanceError
        If the files are damaged, or of different epochs.
    """
    from safetensors import SafetensorError, safe_open

    place = folder / STATE
    if not place.exists():
        return None
    try:
        state = json.loads(place.read_text(encoding="utf-8"))
        with safe_open(folder / CHECKPOINT, "pt", device="cpu") as file:
            names = list(file.keys())
            tensors = {name: file.get_tensor(name) for name in names}
            tag = (file.metadata() or {}).get("epoch")
        if tag != str(state["epoch"]):
            raise ValueError(f"the tensors are of epoch {tag}")
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        rule = f"damaged: {error}"
        raise InstanceError(place, "checkpoint", rule) from None
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
    network.load_state_dict(weights)
    optimizer.load_state_dict(optimizer.state_dict() | {"state": moments})


def append_row(path: Path, row: Mapping[str, float]) -> None:
    """Add a row to a table of CSV; the first one writes the names."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow({name: round(value, 6) for name, value in row.items()})
