"""Training: the schedule of the paper, resumable, on one or more ranks."""

from __future__ import annotations

import json
import logging
import os
import time
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn
from torch_geometric.data import Batch, Data

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.paper.learning.checkpoint import (
    CHECKPOINT,
    read_checkpoint,
    restore,
    write_checkpoint,
    write_curve,
)
from ncc_routing.paper.learning.graph_store import GraphStore
from ncc_routing.paper.learning.metrics import Metrics, loss_of, measure
from ncc_routing.paper.learning.schedule import TrainingParams
from ncc_routing.paper.learning.scorer import (
    ClusterScorer,
    build_network,
    save_scorer,
)
from ncc_routing.paper.learning.tasks import TrainingTask, task_of
from ncc_routing.paper.scoring.features import require_problem
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.vocabulary import PAPER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ncc_routing.paper.learning.label_files import (
        LabelFiles,
        LabelledInstance,
    )

CURVE: Final = "learning_curve.csv"
BEST: Final = "best.safetensors"
"""Files in the folder of a training, beside its checkpoint."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class EpochReport:
    """Losses and times of an epoch, which counts from 1.

    ``cpu_seconds`` are those of this process, ``train_loss`` is the mean over
    the steps, ``validation`` the measures on the validation instances.
    """

    epoch: int
    seconds: float
    cpu_seconds: float
    learning_rate: float
    train_loss: float
    validation: Metrics

    def to_row(self) -> dict[str, float]:
        """Return the row of the learning curve."""
        values = asdict(self)
        measures: dict[str, float] = values.pop("validation")
        return values | measures


def train(
    train_set: LabelFiles | Sequence[LabelledInstance],
    valid_set: LabelFiles | Sequence[LabelledInstance],
    folder: Path,
    *,
    network: NetworkParams | None = None,
    params: TrainingParams | None = None,
) -> Iterator[EpochReport]:
    """Train a network, one report for each epoch.

    After each epoch the folder holds ``checkpoint.safetensors``, from which
    an interrupted call goes on, ``best.safetensors`` (the epoch with the
    best ``TrainingParams.figure_of``) and ``learning_curve.csv``. Each is
    replaced when it is whole. Under ``torchrun`` every rank takes its share
    of each batch, and rank 0 writes.
    No file is pickled.

    Parameters
    ----------
    train_set, valid_set
        Labelled instances; or files of them, of which no more are in memory
        than there is room for.
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
    task = task_of(network, params)

    def prepare(entry: LabelledInstance) -> Data:
        require_problem(entry.instance, network.problem)
        return task.prepare(entry)

    with _ranks(params) as (rank, num_ranks):
        trainer = _Trainer(network, params, folder, rank, num_ranks)
        trainer.resume()
        graphs = GraphStore(train_set, prepare)
        held_out = GraphStore(valid_set, prepare)
        trainer.require_labels([graphs.digest, held_out.digest])
        while not trainer.is_over():
            yield trainer.run_epoch(graphs, held_out)


@contextmanager
def _ranks(params: TrainingParams) -> Iterator[tuple[int, int]]:
    """Join the other ranks that ``torchrun`` has started, if it has."""
    num_ranks = int(os.environ.get("WORLD_SIZE", "1"))
    before = torch.get_num_threads(), torch.get_float32_matmul_precision()
    torch.set_num_threads(params.num_threads)
    # Products by oneDNN, which are twice as fast as those of MKL on
    # processors with AVX-512 that are not Intel's.
    torch.set_float32_matmul_precision("medium")
    if num_ranks > 1:
        has_device = torch.cuda.is_available()
        torch.distributed.init_process_group("nccl" if has_device else "gloo")
    try:
        rank = torch.distributed.get_rank() if num_ranks > 1 else 0
        yield rank, num_ranks
    finally:
        torch.set_num_threads(before[0])
        torch.set_float32_matmul_precision(before[1])
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
        self.task: TrainingTask = task_of(shape, params)
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
        self.labels: list[str] = []
        self.model: nn.Module = self.network
        if num_ranks > 1:
            self.model = nn.parallel.DistributedDataParallel(self.network)

    def is_over(self) -> bool:
        patience = self.params.patience or self.params.num_epochs
        figures = [self.params.figure_of(row) for row in self.curve]
        stale = len(figures) - 1 - int(np.argmin(figures)) if figures else 0
        return self.epoch >= self.params.num_epochs or stale >= patience

    def run_epoch(
        self, graphs: GraphStore, held_out: GraphStore
    ) -> EpochReport:
        start, cpu_start = time.monotonic(), time.process_time()
        rate = self.params.rate(self.epoch)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        # The order depends on the seed and the epoch alone, so that a resumed
        # training sees what an uninterrupted one would have seen.
        order = np.random.default_rng([self.params.seed, self.epoch])
        self.model.train()
        losses = []
        for number, batch in enumerate(
            graphs.batches(self.params.batch_size, order)
        ):
            key = [self.params.seed, self.epoch, number, self.rank]
            # Every rank has to take part in every step.
            share = batch[self.rank :: self.num_ranks] or batch[:1]
            losses.append(self._step(share, np.random.default_rng(key)))
        self.epoch += 1
        validation = self.validate(held_out)
        report = EpochReport(
            epoch=self.epoch,
            seconds=time.monotonic() - start,
            cpu_seconds=time.process_time() - cpu_start,
            learning_rate=rate,
            train_loss=float(np.mean(losses)),
            validation=validation,
        )
        if self.rank == 0:
            self._write(report)
        if self.num_ranks > 1:
            torch.distributed.barrier()
        return report

    def _step(self, graphs: list[Data], rng: np.random.Generator) -> float:
        """Make one step of the optimizer; return the mean loss before it.

        The gradients of the chunks add up, and are divided by the number of
        answers.
        """
        self.optimizer.zero_grad(set_to_none=True)
        size = self.params.chunk_size
        sums = torch.zeros(2, dtype=torch.float64, device=self.device)
        for a in range(0, len(graphs), size):
            chunk = Batch.from_data_list(graphs[a : a + size])
            with self._gradients_shared(is_last=a + size >= len(graphs)):
                tables = self.task.predict(self.model, chunk, rng)
                loss, count = loss_of(tables, self.params.choice_weight)
                torch.autograd.backward(loss)
            sums[0] += loss.detach()
            sums[1] += count
        if self.num_ranks > 1:  # the gradients are means over the ranks
            torch.distributed.all_reduce(sums)
            sums /= self.num_ranks
        total, answers = sums.tolist()
        for weights in self.network.parameters():
            if weights.grad is not None:
                weights.grad /= answers
        nn.utils.clip_grad_norm_(
            self.network.parameters(), self.params.max_norm
        )
        self.optimizer.step()
        return float(total / answers)

    def _gradients_shared(
        self, *, is_last: bool
    ) -> AbstractContextManager[None]:
        """Let the ranks share their gradients in the last chunk alone."""
        if is_last or not isinstance(
            self.model, nn.parallel.DistributedDataParallel
        ):
            return nullcontext()
        return self.model.no_sync()

    def validate(self, held_out: GraphStore) -> Metrics:
        self.network.eval()
        with torch.inference_mode():
            measures = [
                table
                for graph in held_out
                for table in self.task.predict(
                    self.network, Batch.from_data_list([graph]), None
                )
            ]
        return measure(
            [(a.cpu().numpy(), b.cpu().numpy()) for a, b in measures]
        )

    def _write(self, report: EpochReport) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        figure = self.params.figure_of(asdict(report.validation))
        if figure < self.best:
            self.best = figure
            notes = {
                "training": json.dumps(asdict(self.params)),
                "validation": json.dumps(asdict(report.validation)),
                "epoch": str(report.epoch),
            }
            calibration = {}
            if self.shape.architecture == PAPER:
                calibration = {"distance_weight": self.params.distance_weight}
            scorer = ClusterScorer(self.shape, self.network, calibration)
            save_scorer(self.folder / BEST, scorer, notes)
        self.curve.append(report.to_row())
        state = {
            "epoch": self.epoch,
            "best": self.best,
            "network": asdict(self.shape),
            "training": asdict(self.params),
            "curve": self.curve,
            "labels": self.labels,
        }
        write_checkpoint(self.folder, state, self.network, self.optimizer)
        # After a crash here the next call writes it, from the checkpoint.
        write_curve(self.folder / CURVE, self.curve)

    def require_labels(self, digests: list[str]) -> None:
        if self.labels not in ([], digests):
            raise ParameterError(
                f"{self.folder} holds a training with other labels: choose "
                "another folder."
            )
        self.labels = digests

    def resume(self) -> None:
        checkpoint = read_checkpoint(self.folder)
        if checkpoint is None:
            return
        state, tensors = checkpoint
        try:
            # What an older checkpoint does not name has its default.
            shape = NetworkParams(**state["network"])
            params = TrainingParams(**state["training"])
            self.epoch, self.best = int(state["epoch"]), float(state["best"])
            self.curve = [dict(row) for row in state["curve"]]
            self.labels = list(state.get("labels", ()))
        except (KeyError, TypeError, ValueError) as error:
            rule = f"damaged, or of another version: {error}"
            raise InstanceError(
                self.folder / CHECKPOINT, "state", rule
            ) from None
        if shape != self.shape or not params.is_same_training(self.params):
            raise ParameterError(
                f"{self.folder} holds a training with other settings: "
                "choose another folder."
            )
        restore(tensors, self.network, self.optimizer)
        if self.rank == 0:
            write_curve(self.folder / CURVE, self.curve)
        _logger.info("resuming after epoch %d", self.epoch)
