"""The one annealing: a temperature that falls exponentially, look by look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ncc_routing.core.stopping import Pace

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

    def between(self, begin: float, end: float) -> Cooling:
        """Return the fall from one progress to another."""
        return Cooling(self.at(begin), self.at(end))


class Stretch(NamedTuple):
    """Iterations between two looks at a criterion.

    It leads from ``progress`` to ``reached``, as far as that can be foretold;
    ``factor`` is what an iteration multiplies the temperature by.
    """

    num_iterations: int
    temperature: float
    factor: float
    progress: float
    reached: float


def cool_down(
    pace: Pace, cooling: Cooling, best_cost: Callable[[], float]
) -> Iterator[Stretch]:
    """Yield the stretches of an annealing, until its criterion is met.

    The caller does the iterations of each before it asks for the next.
    """
    while pace.progress < 1.0:
        progress = pace.progress
        size, reached = pace.next_batch()
        yield Stretch(
            size,
            cooling.at(progress),
            cooling.factor((reached - progress) / size),
            progress,
            reached,
        )
        pace.advance(size, best_cost())


def require_cooling(
    start: float, end: float, name: str = "start_temperature"
) -> None:
    """Refuse temperatures of a user unless 0 < end <= start."""
    if not 0.0 < end <= start:
        raise ParameterError(
            f"0 < end_temperature <= {name} must hold, got {end} and {start}."
        )
