"""What a problem has: the kernels leave out the work for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems import features

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ncc_routing._core.fleets import VehicleType
    from ncc_routing.vrp.search.fleets._arcs import Arcs
    from ncc_routing.vrp.search.fleets._records import Visits

SAMPLE_SIZE: Final = 10_000
"""Detours by which distances are judged."""

SAMPLE_QUANTILE: Final = 0.001
"""Share of them that may be short cuts."""

ROUNDING_SLACK: Final = 0.01
"""What they may save, in units of the mean distance."""

_LARGEST_WHOLE: Final = 2.0**53
"""Sums of whole numbers below it are exact."""


class Traits(NamedTuple):
    """What a problem has, as the fields of the compiled ``FleetProblem``."""

    is_metric: bool
    has_short_cuts: bool
    has_forbidden_arcs: bool
    is_symmetric: bool
    is_timed: bool
    counts_duration: bool
    limits_distance: bool
    has_exact_lengths: bool

    @classmethod
    def of(
        cls,
        arcs: Arcs,
        vehicles: Sequence[VehicleType],
        visits: Visits,
        ranks: np.ndarray,
        *,
        is_symmetric: bool,
    ) -> Traits:
        """Return what a problem of these parts has."""
        counts_duration = _counts_duration(vehicles, visits)
        # Longer arcs, which are on no route, save nothing.
        longest = max(vehicle.max_distance for vehicle in vehicles)
        return cls(
            is_metric=all(vehicle.fixed_cost >= 0.0 for vehicle in vehicles)
            and not _has_short_cuts(arcs, ranks, longest),
            has_short_cuts=_has_short_cuts(arcs, ranks, np.inf),
            has_forbidden_arcs=arcs.longest > longest,
            is_symmetric=is_symmetric,
            is_timed=counts_duration or _has_windows(vehicles, visits),
            counts_duration=counts_duration,
            limits_distance=any(
                vehicle.max_distance < np.inf for vehicle in vehicles
            ),
            has_exact_lengths=_has_exact_sums(arcs),
        )

    def timed_by(self, used: Collection[str]) -> Traits:
        """Return the traits with times where some features need them."""
        waits = features.MAX_WAITING in used
        return self._replace(
            is_timed=self.is_timed
            or waits
            or not features.DRIVERS_DAY.isdisjoint(used),
            counts_duration=self.counts_duration or waits,
        )


def _counts_duration(vehicles: Sequence[VehicleType], visits: Visits) -> bool:
    """Whether the time of a route counts, and not only when it ends."""
    return bool(visits.release.any()) or any(
        vehicle.max_duration < np.inf
        or vehicle.duration_cost > 0.0
        or bool(vehicle.time_steps)
        for vehicle in vehicles
    )


def _has_windows(vehicles: Sequence[VehicleType], visits: Visits) -> bool:
    return bool(np.isfinite(visits.late[1:]).any()) or any(
        np.isfinite((vehicle.start_late, vehicle.end_late)).any()
        for vehicle in vehicles
    )


def _has_exact_sums(arcs: Arcs) -> bool:
    """Whether the length of all routes is a whole number in float64."""
    longest = 2.0 * len(arcs.order) * arcs.longest
    return longest < _LARGEST_WHOLE and arcs.are_whole[0]


def _has_short_cuts(arcs: Arcs, ranks: np.ndarray, longest: float) -> bool:
    """Whether a sample breaks the triangle inequality, beside rounding.

    Arcs above the longest one do not count.
    """
    rng = np.random.default_rng(1)
    i, j, k = ranks[rng.integers(len(ranks), size=(3, SAMPLE_SIZE))]
    for measure in arcs.measures:
        longer = []
        for profile in range(arcs.num_profiles):
            direct = measure(profile, i, k)
            more = measure(profile, i, j) + measure(profile, j, k) - direct
            longer.append(np.where(direct > longest, 0.0, more))
        slack = ROUNDING_SLACK * arcs.mean_of(measure)
        if np.quantile(np.array(longer), SAMPLE_QUANTILE) < -slack:
            return True
    return False
