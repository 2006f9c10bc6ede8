"""Routes as in past plans: distances that they avoided count as longer."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from ncc_routing.clustering.scorers import (
    MIN_CHANCE,
    PairScorer,
    near_pairs,
)
from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.core.params import load
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.problems.features import (
    FORBIDDEN_ARCS,
    MATRIX_ONLY,
    MAX_DISTANCES,
)
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.routes.schedules import own_durations

SHIPPED_SCORER: Final = "ncc_routing.paper.scoring.predictor:shipped_predictor"
"""What returns the scorer of the package."""

UNIT: Final = 1.0
"""What a unit of log-probability adds to a distance at weight 1, in mean
distances of near customers. Of four weights 1 is best (commit 9bfe19ed11c7):
2 leaves 28 % of the loss of ``docs/benchmarks/network.md``, 1 leaves 21 %."""


def require_affinity(instance: Instance) -> None:
    """Refuse an instance without coordinates, or one that is too large.

    Limits of the distance would count the longer ones, and vehicles that pay
    for time alone none of them.
    """
    rule = ""
    for feature in instance.features:
        if feature in {MATRIX_ONLY, MAX_DISTANCES, FORBIDDEN_ARCS}:
            rule = rule or f"does not accept {feature}"
    if rule:
        pass
    elif not any(
        vehicle_type.unit_distance_cost
        or not (
            vehicle_type.unit_duration_cost or vehicle_type.unit_driving_cost
        )
        for vehicle_type in instance.vehicle_types
    ):
        rule = "needs vehicles that pay for distances"
    elif len(instance.demands) > LARGEST_MATRIX:
        rule = f"does not accept more than {LARGEST_MATRIX} nodes"
    if rule:
        raise UnsupportedProblemError(instance.name, "affinity", rule)


def with_affinity(
    instance: Instance,
    scorer: PairScorer,
    weight: float,
    expected: PairScorer | None = None,
) -> Instance:
    """Return the instance for the search, with a matrix of each profile.

    A distance grows by log P' - log P times the weight and the mean distance
    of near customers: P is the scorer's chance of a common route, and P' that
    of ``expected``, by default the shipped scorer, which knows no region. So
    places do not count twice. Distances of depots and of pairs unknown to a
    scorer stay, and whole ones stay whole. Durations stay.
    """
    plain = _plain(instance)
    learned, spacing = log_chances(scorer, plain)
    usual, _ = log_chances(expected or load(SHIPPED_SCORER)(), plain)
    extra = np.nan_to_num(np.maximum(usual - learned, 0.0))
    extra *= UNIT * weight * spacing
    if instance.is_integral:
        extra = np.rint(extra)
    num_more = instance.num_depots - 1
    extra = np.pad(extra, (0, num_more))
    nodes = np.arange(len(extra))
    travel = instance.distances(nodes, nodes)
    profiles = tuple(
        Profile(
            each.matrix + extra,
            each.matrix if each.durations is None else each.durations,
        )
        for each in instance.profiles
    )
    durations = own_durations(instance, 0)
    if durations is None and not instance.is_cvrp:
        durations = travel
    try:
        return replace(
            instance,
            matrix=travel + extra,
            durations=durations,
            profiles=profiles,
        )
    except InstanceError:  # sums that are not exact
        rule = f"makes distances too large at weight {weight:g}"
        raise UnsupportedProblemError(
            instance.name, "affinity", rule
        ) from None


def _plain(instance: Instance) -> Instance:
    if not instance.features:
        return instance
    size = instance.num_customers + 1
    capacity = max(1, instance.capacity)
    return Instance(
        name=instance.name,
        demands=np.minimum(instance.demands[:size], capacity),
        capacity=capacity,
        coords=instance.require_coords("affinity")[:size],
        rounding=instance.rounding,
        is_geographic=instance.is_geographic,
        ids=None if instance.ids is None else instance.ids[:size],
    )


def log_chances(
    scorer: PairScorer, instance: Instance
) -> tuple[np.ndarray, float]:
    """Return symmetric log P, (n + 1, n + 1), and the customers' spacing.

    P is the larger of a pair's two answers, NaN for unknown pairs.
    """
    known, chances, spacing = near_pairs(scorer, instance)
    size = len(instance.demands)
    likely = np.full((size, size), np.nan)
    rows = np.arange(1, size)[:, None]
    likely[rows, known] = np.log(np.clip(chances, MIN_CHANCE, 1.0))
    return np.fmax(likely, likely.T), spacing
