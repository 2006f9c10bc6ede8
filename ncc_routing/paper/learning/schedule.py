"""How networks are trained: the schedule of the paper, and a small one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.methods import require_name
from ncc_routing.core.params import MAX_EFFORT, MAX_SEED, bounded, check_bounds
from ncc_routing.paper.scored_params import MEDOIDS, MEMBERS
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.vocabulary import CENTERS, MIXED

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class TrainingParams:
    """How a network is trained; the defaults are those of the paper.

    Parameters
    ----------
    num_epochs
        Passes over the data. Default 200.
    batch_size
        Instances in a step, over all ranks. Default 128.
    chunk_size
        Instances that are computed at once; the gradients of a step add up.
        It bounds the memory. Default 16.
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
    centers
        Centers of the network of the paper: "labels", the means of the
        labelled routes alone, as in the paper, or "mixed" (default) with
        others that a clustering meets.
    medoids
        Which customer stands for a labelled route: "members" (default), of
        its own the one nearest to their mean, or "nearest", the nearest of
        all, as in the paper.
    num_listed
        The nearest centers of a customer that count, those that a
        clustering asks about. Default 24; the paper counts all.
    choice_weight
        Weight of the choice of the best center beside the paper's loss.
        Default 0, the paper's.
    distance_weight
        Log-odds that the network of the paper takes off for a distance of
        one spacing between customer and center, before it has learned
        anything; the spacing is the longer side of the customers divided by
        the root of their number. Default 0, the paper's.
    patience
        Epochs without a better ``figure_of`` the validation after which the
        training ends. Default: those of ``num_epochs``.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    num_epochs: int = bounded(200, 1, MAX_EFFORT)
    batch_size: int = bounded(128, 1, 1_000_000)
    chunk_size: int = bounded(16, 1, 1_000_000)
    learning_rate: float = bounded(1e-3, 1e-12, 10.0)
    decay: float = bounded(0.55, 1e-6, 1.0)
    decay_epochs: int = bounded(40, 1, MAX_EFFORT)
    max_norm: float = bounded(0.5, 1e-6, 1e6)
    seed: int = bounded(1234, 0, MAX_SEED)
    num_threads: int = bounded(1, 1, 4096)
    centers: str = MIXED
    medoids: str = MEMBERS
    num_listed: int = bounded(24, 1, 1_000_000)
    choice_weight: float = bounded(0.0, 0.0, 1e6)
    distance_weight: float = bounded(0.0, 0.0, 1e6)
    patience: int | None = bounded(None, 1, MAX_EFFORT)

    def __post_init__(self) -> None:
        check_bounds(self)
        require_name("centers", self.centers, CENTERS)
        require_name("medoids", self.medoids, MEDOIDS)

    def is_same_training(self, other: TrainingParams) -> bool:
        """Return whether both differ at most in when they end."""
        ending: dict[str, Any] = {"num_epochs": 1, "patience": None}
        return replace(self, **ending) == replace(other, **ending)

    def figure_of(self, validation: Mapping[str, float]) -> float:
        """Return what the best epoch minimises, of the fields of ``Metrics``.

        It is the loss; where choices are trained, the share of wrong ones.
        """
        if self.choice_weight > 0.0:
            return 1.0 - validation["first_choice"]
        return validation["loss"]

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
