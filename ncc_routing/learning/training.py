"""Training: the schedule of the paper, resumable, on one or more ranks."""

from __future__ import annotations

import csv
import json
import logging
import os
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import nn

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.learning.metrics import Metrics, measure
from ncc_routing.learning.scorer import (
    ClusterScorer,
    build_network,
    save_scorer,
)
from ncc_routing.learning.tasks import task_of
from ncc_routing.scoring.features import require_problem
from ncc_routing.scoring.weights_file import NetworkParams

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ncc_routing.learning.labels import LabelledInstance

CHECKPOINT: Final = "checkpoint.safetensors"
STATE: Final = "checkpoint.json"
CURVE: Final = "learning_curve.csv"
BEST: Final = "best.safetensors"

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TrainingParams:
    """How a network is trained; the defaults are those of the paper.

    Parameters
    ----------
    num_epochs
        Passes over the data. Default 200.
    batch_size
        Instances in a step, over all ranks. Default 128.
    learning_rate
        Of Adam, at the start. Default 1e-3.
    decay, decay_epochs
        Factor on the learning rate every so many epochs. Default 0.55 every
        40.
    max_norm
        Limit on the norm of the gradient. Default 0.5.
    seed
        Seed of the weights, the order and the augmentation. Default 1234.
    num_threads
        Threads of torch in each rank. Default 1.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    num_epochs: int = 200
    batch_size: int = 128
    learning_rate: float = 1e-3
    decay: float = 0.55
    decay_epochs: int = 40
    max_norm: float = 0.5
    seed: int = 1234
    num_threads: int = 1

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least = 0 if name == "seed" else 1e-12
            if not value >= least:
                raise ParameterError(
                    f"{name} must be positive, got {value!r}."
                )
        if self.decay > 1:
            raise ParameterError("decay must not exceed 1.")

    def rate(self, epoch: int) -> float:
        """Return the learning rate of an epoch, counted from 0."""
        steps = epoch // self.decay_epochs
        return float(self.learning_rate * self.decay**steps)


CPU_NETWORK: Final = NetworkParams(
    width=64, num_layers=4, degree=16, pair_width=32, hidden=64
)
CPU_TRAINING: Final = TrainingParams(
    num_epochs=18, batch_size=8, learning_rate=2e-3, decay_epochs=3
)
"""The small schedule, for one core: 0.13 million parameters."""


@dataclass(frozen=True)
class EpochReport:
    """What an epoch came to.

    Parameters
    ----------
    epoch
        Number of the epoch, from 1.
    seconds
        Time it took.
    learning_rate
        Of this epoch.
    train_loss
        Mean loss over the steps.
    validation
        Measures on the validation instances.
    """

    epoch: int
    seconds: float
    learning_rate: float
    train_loss: float
    validation: Metrics

    def to_row(self) -> dict[str, float]:
        """Return the row of the learning curve."""
        own = asdict(self)
        measures: dict[str, float] = own.pop("validation")
        return own | measures


def train(
    train_set: Sequence[LabelledInstance],
    valid_set: Sequence[LabelledInstance],
    folder: Path,
    *,
    network: NetworkParams | None = None,
    params: TrainingParams | None = None,
) -> Iterator[EpochReport]:
    """Train a network, one report for each epoch.

    After each epoch the folder holds ``checkpoint.*``, from which an
    interrupted call goes on, ``best.safetensors`` (least validation loss)
    and ``learning_curve.csv``. Under ``torchrun`` every rank takes its share
    of each batch, and rank 0 writes. No file is pickled.

    Parameters
    ----------
    train_set, valid_set
        Labelled instances.
    folder
        Folder of the results, made where it is missing.
    network
        Shape. Default ``NetworkParams()``.
    params
        Schedule. Default ``TrainingParams()``.

    Yields
    ------
    EpochReport
        The epochs of this call.

    Raises
    ------
    ParameterError
        If a set is empty or holds another problem than that of the
        network, or the folder holds another training.
    """
    network = network or NetworkParams()
    params = params or TrainingParams()
    if not train_set or not valid_set:
        raise ParameterError("training and validation need instances.")
    for entry in (*train_set, *valid_set):
        require_problem(entry.instance, network.problem)
    folder.mkdir(parents=True, exist_ok=True)
    with _ranks(params) as (rank, num_ranks):
        trainer = _Trainer(network, params, folder, rank, num_ranks)
        trainer.resume()
        examples = [trainer.task.prepare(entry) for entry in train_set]
        held_out = [trainer.task.prepare(entry) for entry in valid_set]
        while trainer.epoch < params.num_epochs:
            yield trainer.run_epoch(examples, held_out)


@contextmanager
def _ranks(params: TrainingParams) -> Iterator[tuple[int, int]]:
    """Join the other ranks that ``torchrun`` has started, if it has."""
    num_ranks = int(os.environ.get("WORLD_SIZE", "1"))
    before = torch.get_num_threads()
    torch.set_num_threads(params.num_threads)
    if num_ranks > 1:
        has_device = torch.cuda.is_available()
        torch.distributed.init_process_group("nccl" if has_device else "gloo")
    try:
        rank = torch.distributed.get_rank() if num_ranks > 1 else 0
        yield rank, num_ranks
    finally:
        torch.set_num_threads(before)
        if num_ranks > 1:
            torch.distributed.destroy_process_group()


class _Trainer:
    """The network, its optimizer, and how far they have come."""

    def __init__(
        self,
        shape: NetworkParams,
        params: TrainingParams,
        folder: Path,
        rank: int,
        num_ranks: int,
    ) -> None:
        self.shape, self.params, self.folder = shape, params, folder
        self.rank, self.num_ranks = rank, num_ranks
        # The two kinds of task share a protocol, each with its own examples.
        self.task: Any = task_of(shape)
        torch.manual_seed(params.seed)
        self.device = torch.device("cpu")
        if torch.cuda.is_available():
            local = int(os.environ.get("LOCAL_RANK", "0"))
            self.device = torch.device("cuda", local)
        self.network = build_network(shape).to(self.device)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=params.learning_rate
        )
        self.epoch = 0
        self.best = float("inf")
        self.model: nn.Module = self.network
        if num_ranks > 1:
            self.model = nn.parallel.DistributedDataParallel(self.network)

    def run_epoch(
        self, examples: Sequence[Any], held_out: Sequence[Any]
    ) -> EpochReport:
        """Run the next epoch, measure it and write the checkpoint."""
        start = time.monotonic()
        rate = self.params.rate(self.epoch)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        losses = [
            self._step(batch, np.random.default_rng(key))
            for key, batch in self._batches(examples)
        ]
        self.epoch += 1
        validation = self.validate(held_out)
        report = EpochReport(
            self.epoch,
            time.monotonic() - start,
            rate,
            float(np.mean(losses)),
            validation,
        )
        if self.rank == 0:
            self._write(report)
        if self.num_ranks > 1:
            torch.distributed.barrier()
        return report

    def _batches(
        self, examples: Sequence[Any]
    ) -> Iterator[tuple[list[int], list[Any]]]:
        """Yield this rank's share of each batch, with a seed of its own.

        The order depends on the seed and the epoch alone, so that a resumed
        training sees what an uninterrupted one would have seen.
        """
        key = [self.params.seed, self.epoch]
        order = np.random.default_rng(key).permutation(len(examples))
        size = min(self.params.batch_size, len(order))
        for number, a in enumerate(range(0, len(order) - size + 1, size)):
            own = order[a : a + size][self.rank :: self.num_ranks]
            # Every rank has to take part in every step.
            own = own if len(own) else order[:1]
            yield [*key, number, self.rank], [examples[i] for i in own]

    def _step(self, batch: list[Any], rng: np.random.Generator) -> float:
        self.model.train()
        logits, targets = self.task.predict(self.model, batch, rng)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, targets)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(
            self.network.parameters(), self.params.max_norm
        )
        self.optimizer.step()
        return float(loss.detach())

    def validate(self, held_out: Sequence[Any]) -> Metrics:
        """Return the measures on the validation examples."""
        self.network.eval()
        logits, targets = [], []
        with torch.inference_mode():
            for example in held_out:
                found = self.task.predict(self.network, [example], None)
                logits.append(found[0].cpu().numpy())
                targets.append(found[1].cpu().numpy())
        return measure(np.concatenate(logits), np.concatenate(targets))

    def _write(self, report: EpochReport) -> None:
        """Write checkpoint, curve and, where it is the best, the network."""
        from safetensors.torch import save_file

        if report.validation.loss < self.best:
            self.best = report.validation.loss
            notes = {
                "training": json.dumps(asdict(self.params)),
                "validation": json.dumps(asdict(report.validation)),
                "epoch": str(report.epoch),
            }
            scorer = ClusterScorer(self.shape, self.network, {})
            save_scorer(self.folder / BEST, scorer, notes)
        tensors = {
            f"network.{name}": value.detach().cpu().contiguous()
            for name, value in self.network.state_dict().items()
        }
        moments = self.optimizer.state_dict()["state"]
        for place, entries in moments.items():
            for name, value in entries.items():
                tensors[f"adam.{place}.{name}"] = value.detach().cpu()
        state = {
            "epoch": self.epoch,
            "best": self.best,
            "network": asdict(self.shape),
            "training": asdict(self.params),
        }
        # The tensors carry their epoch: a crash between the two files shows.
        header = {"epoch": str(self.epoch)}
        partial = self.folder / f".{CHECKPOINT}.partial"
        save_file(tensors, partial, header)
        partial.replace(self.folder / CHECKPOINT)
        text = self.folder / f".{STATE}.partial"
        text.write_text(json.dumps(state, indent=1), encoding="utf-8")
        text.replace(self.folder / STATE)
        _append_row(self.folder / CURVE, report)

    def resume(self) -> None:
        """Go on from the checkpoint of the folder, if there is one."""
        from safetensors import SafetensorError, safe_open

        place = self.folder / STATE
        if not place.exists():
            return
        try:
            state = json.loads(place.read_text(encoding="utf-8"))
            path = self.folder / CHECKPOINT
            with safe_open(path, framework="pt", device="cpu") as file:
                names = list(file.keys())
                tensors = {name: file.get_tensor(name) for name in names}
                tag = (file.metadata() or {}).get("epoch")
        except (OSError, ValueError, SafetensorError) as error:
            rule = f"damaged: {error}"
            raise InstanceError(place, "checkpoint", rule) from None
        own = asdict(self.params) | {"num_epochs": 0}
        if (
            # What an older checkpoint does not name has its default.
            NetworkParams(**state["network"]) != self.shape
            or (state["training"] | {"num_epochs": 0}) != own
            or tag != str(state["epoch"])
        ):
            raise ParameterError(
                f"{self.folder} holds a training with other settings: "
                "choose another folder."
            )
        self._restore(tensors)
        self.epoch, self.best = int(state["epoch"]), float(state["best"])
        _logger.info("resuming after epoch %d", self.epoch)

    def _restore(self, tensors: dict[str, torch.Tensor]) -> None:
        moments: dict[int, dict[str, torch.Tensor]] = {}
        weights = {}
        for name, value in tensors.items():
            kind, _, rest = name.partition(".")
            if kind == "network":
                weights[rest] = value
            else:
                slot, _, moment = rest.partition(".")
                moments.setdefault(int(slot), {})[moment] = value
        self.network.load_state_dict(weights)
        own = self.optimizer.state_dict()
        own["state"] = moments
        self.optimizer.load_state_dict(own)


def _append_row(path: Path, report: EpochReport) -> None:
    """Add a row to the learning curve."""
    row = report.to_row()
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow({name: round(value, 6) for name, value in row.items()})
