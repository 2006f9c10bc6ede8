"""Training: the schedule of the paper, resumable, on one or more ranks."""

from __future__ import annotations

import json
import logging
import os
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn
from torch_geometric.loader import DataLoader

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.learning.checkpoint import (
    read_checkpoint,
    restore,
    write_checkpoint,
    write_curve,
)
from ncc_routing.learning.metrics import Metrics, measure
from ncc_routing.learning.scorer import (
    ClusterScorer,
    build_network,
    save_scorer,
)
from ncc_routing.learning.tasks import TrainingTask, task_of
from ncc_routing.scoring.features import require_problem
from ncc_routing.scoring.weights_file import NetworkParams

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from torch_geometric.data import Batch, Data

    from ncc_routing.learning.labels import LabelledInstance

CURVE: Final = "learning_curve.csv"
BEST: Final = "best.safetensors"
"""Files in the folder of a training, beside its checkpoint."""

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

    After each epoch the folder holds ``checkpoint.safetensors``, from which
    an interrupted call goes on, ``best.safetensors`` (least validation loss)
    and ``learning_curve.csv``. Each is replaced when it is whole. Under
    ``torchrun`` every rank takes its share of each batch, and rank 0 writes.
    No file is pickled.

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
        graphs = [trainer.task.prepare(entry) for entry in train_set]
        held_out = [trainer.task.prepare(entry) for entry in valid_set]
        while trainer.epoch < params.num_epochs:
            yield trainer.run_epoch(graphs, held_out)


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
        self.task: TrainingTask = task_of(shape)
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
        self.curve: list[dict[str, float]] = []
        self.model: nn.Module = self.network
        if num_ranks > 1:
            self.model = nn.parallel.DistributedDataParallel(self.network)

    def run_epoch(
        self, graphs: Sequence[Data], held_out: Sequence[Data]
    ) -> EpochReport:
        """Run the next epoch, measure it and write the checkpoint."""
        start = time.monotonic()
        rate = self.params.rate(self.epoch)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loader = DataLoader(graphs, batch_sampler=self._batches(len(graphs)))
        self.model.train()
        losses = []
        for number, batch in enumerate(loader):
            key = [self.params.seed, self.epoch, number, self.rank]
            losses.append(self._step(batch, np.random.default_rng(key)))
        self.epoch += 1
        validation = self.validate(held_out)
        seconds = time.monotonic() - start
        report = EpochReport(
            self.epoch, seconds, rate, float(np.mean(losses)), validation
        )
        if self.rank == 0:
            self._write(report)
        if self.num_ranks > 1:
            torch.distributed.barrier()
        return report

    def _batches(self, count: int) -> list[list[int]]:
        """Return this rank's share of each batch, as places in the data.

        The order depends on the seed and the epoch alone, so that a resumed
        training sees what an uninterrupted one would have seen.
        """
        rng = np.random.default_rng([self.params.seed, self.epoch])
        order = rng.permutation(count).tolist()
        size = min(self.params.batch_size, count)
        # Every rank has to take part in every step.
        return [
            order[a : a + size][self.rank :: self.num_ranks] or order[:1]
            for a in range(0, count - size + 1, size)
        ]

    def _step(self, batch: Batch, rng: np.random.Generator) -> float:
        logits, targets = self.task.predict(self.model, batch, rng)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, targets)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(
            self.network.parameters(), self.params.max_norm
        )
        self.optimizer.step()
        return float(loss.detach())

    def validate(self, held_out: Sequence[Data]) -> Metrics:
        """Return the measures on the validation graphs."""
        self.network.eval()
        with torch.inference_mode():
            found = [
                self.task.predict(self.network, graph, None)
                for graph in DataLoader(held_out)
            ]
        logits, targets = (
            torch.cat(part) for part in zip(*found, strict=True)
        )
        return measure(logits.cpu().numpy(), targets.cpu().numpy())

    def _write(self, report: EpochReport) -> None:
        """Write checkpoint, curve and, where it is the best, the network."""
        if report.validation.loss < self.best:
            self.best = report.validation.loss
            notes = {
                "training": json.dumps(asdict(self.params)),
                "validation": json.dumps(asdict(report.validation)),
                "epoch": str(report.epoch),
            }
            scorer = ClusterScorer(self.shape, self.network, {})
            save_scorer(self.folder / BEST, scorer, notes)
        self.curve.append(report.to_row())
        state = {
            "epoch": self.epoch,
            "best": self.best,
            "network": asdict(self.shape),
            "training": asdict(self.params),
            "curve": self.curve,
        }
        write_checkpoint(self.folder, state, self.network, self.optimizer)
        # After a crash here the next call writes it, from the checkpoint.
        write_curve(self.folder / CURVE, self.curve)

    def resume(self) -> None:
        """Go on from the checkpoint of the folder, if there is one."""
        found = read_checkpoint(self.folder)
        if found is None:
            return
        state, tensors = found
        own = asdict(self.params) | {"num_epochs": 0}
        if (
            # What an older checkpoint does not name has its default.
            NetworkParams(**state["network"]) != self.shape
            or (state["training"] | {"num_epochs": 0}) != own
        ):
            raise ParameterError(
                f"{self.folder} holds a training with other settings: "
                "choose another folder."
            )
        restore(tensors, self.network, self.optimizer)
        self.epoch, self.best = int(state["epoch"]), float(state["best"])
        self.curve = list(state["curve"])
        if self.rank == 0:
            write_curve(self.folder / CURVE, self.curve)
        _logger.info("resuming after epoch %d", self.epoch)
