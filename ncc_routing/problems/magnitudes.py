"""How large and how small the numbers of a problem may be.

Checked once where a problem is made: compiled code relies on it. Squares of
lengths and sums of them must neither be infinite nor vanish, and sums of
whole numbers must be exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.geography import EARTH_RADIUS
from ncc_routing.problems.rounding import FLOORED
from ncc_routing.problems.values import LARGEST_WHOLE

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

LARGEST_SIZE: Final = 1e100
"""Bound on coordinates, lengths and real weights; the largest one is at least
one over it, unless all are 0."""

LARGEST_SUM: Final = LARGEST_WHOLE // 4
"""Bound on the sum of all demands, weights, times, and costs of one kind:
2**51. A few such sums together are whole numbers in float64 as well."""


def require_size(source: str, field: str, values: np.ndarray) -> None:
    """Refuse finite numbers of an extreme size.

    Parameters
    ----------
    source, field
        For the message.
    values
        Float or int array; lengths, weights, or coordinates by columns.

    Raises
    ------
    InstanceError
        If one is larger than ``LARGEST_SIZE``, or the largest, of
        coordinates the longest side of the box about them, is smaller than
        one over it and not 0.
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST_SIZE:
        rule = f"must be at most {LARGEST_SIZE:g} in size"
        raise InstanceError(source, field, rule, largest)
    if field == "coords":
        largest = float(np.ptp(values, axis=0).max(initial=0.0))
    if 0.0 < largest < 1.0 / LARGEST_SIZE:
        what = "be 0 or" if field != "coords" else "be equal or span"
        rule = f"must {what} at least {1.0 / LARGEST_SIZE:g}"
        raise InstanceError(source, field, rule, largest)


def longest_finite(matrix: np.ndarray) -> float:
    """Return the largest finite entry of a matrix, 0 where there is none."""
    return float(np.max(matrix, where=np.isfinite(matrix), initial=0.0))


def require_sum(source: str, field: str, total: float) -> None:
    """Refuse whole numbers whose sum is too large to be exact.

    Parameters
    ----------
    source, field
        For the message.
    total
        Their sum, or a bound on it, as a float: it may not overflow.

    Raises
    ------
    InstanceError
        If it is above ``LARGEST_SUM``.
    """
    if total > LARGEST_SUM:
        rule = f"must add up to at most {LARGEST_SUM} (2**51), as whole "
        rule += "numbers are added exactly; take a larger unit"
        raise InstanceError(source, field, rule, f"{total:.4g}")


def check_sums(instance: Instance) -> None:
    """Refuse an instance some of whose sums could not be exact.

    Demands and times are whole numbers always; distances, durations and
    costs count where all of them are. Bounds are those of a route for each
    customer, of the longest way there and back.

    Raises
    ------
    InstanceError
        It names the field.
    """
    source, count = instance.name, instance.num_customers
    require_sum(source, "demands", float(instance.demands.sum(dtype=float)))
    windows = instance.windows
    times = 0.0
    if windows is not None:
        times = windows.service_durations.sum(dtype=float)
        require_sum(source, "service_durations", float(times))
        for field in ("tw_early", "release_times"):
            latest = float(getattr(windows, field).max())
            require_sum(source, field, latest)
            times += latest
    distances, durations = _longest_ways(instance)
    require_sum(source, "distances", distances)
    require_sum(source, "durations", times + durations)
    for kind in instance.vehicle_types:
        for field, amount in (
            ("fixed_cost", count),
            ("unit_distance_cost", max(1.0, distances)),
            ("unit_duration_cost", max(1.0, times + durations)),
        ):
            require_sum(source, field, getattr(kind, field) * amount)


def _longest_ways(instance: Instance) -> tuple[float, float]:
    """Return bounds on all distances and durations, 0 for unrounded ones."""
    if not instance.is_integral:
        return 0.0, 0.0
    ways = 2.0 * instance.num_customers
    distances = ways * _longest(instance)
    durations = distances
    matrices = [instance.durations]
    for profile in instance.profiles:
        distances = max(distances, ways * longest_finite(profile.matrix))
        matrices += [profile.matrix, profile.durations]
    for matrix in matrices:
        if matrix is not None:
            durations = max(durations, ways * longest_finite(matrix))
    return distances, durations


def _longest(instance: Instance) -> float:
    """Return a bound on the distances of an instance."""
    if instance.matrix is not None:
        return longest_finite(instance.matrix)
    if instance.is_geographic:
        return np.pi * EARTH_RADIUS
    sides = np.ptp(instance.require_coords("distances"), axis=0)
    rule = instance.length_rule
    scale = rule.scale if rule.kind == FLOORED else 1.0
    return scale * float(np.hypot(*sides)) + 1.0
