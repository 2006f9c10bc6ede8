"""The one annealing: a temperature that falls exponentially, look by look."""

from __future__ import annotations

from typing import Final, NamedTuple

from ncc_routing.core.exceptions import ParameterError

TEMPERATURES: Final = (1e-6, 1e6)
"""Bounds of the temperatures that a user sets, in the unit of a method."""


class Cooling(NamedTuple):
    """An exponential fall of the temperature; both ends may be 0."""

    start_temperature: float
    end_temperature: float

    def at(self, progress: float) -> float:
        """Return the temperature at a progress in [0, 1]."""
        return self.start_temperature * self.factor(progress)

    def factor(self, share: float) -> float:
        """Return what a progress multiplies the start temperature by."""
        if self.start_temperature <= 0.0:
            return 1.0
        ratio = self.end_temperature / self.start_temperature
        return float(ratio**share)

    def during(
        self, num_iterations: int, begin: float, end: float
    ) -> tuple[float, float]:
        """Return the first temperature of some iterations, and its factor.

        The factor multiplies it after each; the progress ends at ``end``.
        """
        factor = self.factor((end - begin) / num_iterations)
        return self.at(begin), factor

    def between(self, begin: float, end: float) -> Cooling:
        """Return the fall from one progress to another."""
        return Cooling(self.at(begin), self.at(end))


def require_cooling(
    start: float, end: float, name: str = "start_temperature"
) -> None:
    """Refuse temperatures of a user unless 0 < end <= start."""
    if not 0.0 < end <= start:
        raise ParameterError(
            f"0 < end_temperature <= {name} must hold, got {end} and {start}."
        )
