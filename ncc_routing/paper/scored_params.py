"""How points are clustered by scores: names and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ncc_routing.core.methods import require_name
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds

SCALINGS: Final = ("log-odds", "paper")
"""What makes priorities of scores."""

ASSIGNMENTS: Final = ("regret", "cyclic")
"""How points are assigned by priority."""

MEMBERS: Final = "members"
MEDOIDS: Final = (MEMBERS, "nearest")
"""Which points stand for the centers."""

_NAMES: Final = {
    "scaling": SCALINGS,
    "assignment": ASSIGNMENTS,
    "medoids": MEDOIDS,
}


@dataclass(frozen=True)
class ScoredKMeansParams:
    """How points are clustered by scores.

    Parameters
    ----------
    scaling
        "log-odds" (default): the priority of a point for a center is its
        log-odds, less ``distance_weight`` for each spacing of the points
        between them. "paper": the log-odds, shifted so that the least is 0,
        times q / d(i, c), plus the distance to the depot where there is one.
    distance_weight
        Log-odds that a distance of one spacing costs. Default: that which
        the scores name.
    assignment
        "regret" (default): points in the order of what they lose without
        their best center. "cyclic": the centers take turns, and the last
        points go to the nearest center with room (the paper).
    medoids
        "members" (default): the member of a center nearest to the mean, so
        that two clusters that overlap differ. "nearest": the nearest of all
        points (the paper).
    last_fraction
        Share alpha of the points that are left to the completion; by
        regret, the most doubtful ones that are sampled. Default 0.2.
    num_samples
        Orders of the last points that are tried with sampling. Default 16.
    sample_heat
        By regret, scale of the noise on the regrets, in log-odds. Default 1.
    num_starts
        Independent starts. Default 8.
    has_wider_starts
        Whether every second start has 2 % more clusters than are needed, one
        at least, where their number is free: very full vehicles make longer
        tours. Default ``True``.
    max_rounds
        Rounds of each start. Default 40.
    tolerance
        A start ends when its centers move less than this share of the
        extent of the points. Default 1e-3.
    num_listed
        By regret, the nearest centers that a point may join. Default 24.
    max_passes
        By regret, passes in which members make room for points that fit
        nowhere, move and change places, while the sum of the priorities
        rises. Default 10; 0 for the plain assignment.
    spare_share
        Least share of the capacity that stays free, where the number of
        clusters is free. Default 0.
    has_depot_in_mean
        Whether a depot counts in the mean of every cluster (the paper).
        Default ``False``.

    Raises
    ------
    ParameterError
        If a name is unknown or a number out of range.
    """

    scaling: str = SCALINGS[0]
    distance_weight: float | None = bounded(None, 0.0, 1e6)
    assignment: str = ASSIGNMENTS[0]
    medoids: str = MEMBERS
    last_fraction: float = bounded(0.2, 0.0, 1.0)
    num_samples: int = bounded(16, 1, 10_000)
    sample_heat: float = bounded(1.0, 0.0, 1e6)
    num_starts: int = bounded(8, 1, MAX_EFFORT)
    has_wider_starts: bool = True
    max_rounds: int = bounded(40, 1, MAX_EFFORT)
    tolerance: float = bounded(1e-3, 0.0, 1.0)
    num_listed: int = bounded(24, 1, 10_000)
    max_passes: int = bounded(10, 0, MAX_EFFORT)
    spare_share: float = bounded(0.0, 0.0, 0.99)
    has_depot_in_mean: bool = False

    def __post_init__(self) -> None:
        check_bounds(self)
        for field, known in _NAMES.items():
            require_name(field, getattr(self, field), known)
