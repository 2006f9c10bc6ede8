"""What a user may give as ``stop``: our criteria, PyVRP's, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.stopping import (
    FirstFeasible,
    MaxIterations,
    NoImprovement,
    first_of,
    stop_of,
)

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop


class Limits(NamedTuple):
    """Seconds from the start of the run, and a criterion; ``None`` is none."""

    seconds: float | None
    stop: Stop | None


def limits_of(given: object) -> Limits:
    """Return what a criterion of ours or of PyVRP, or a function, stands for.

    PyVRP's count what our searches do, from their start: an iteration is one
    of ours. Raises ``ParameterError`` for what is no criterion.
    """
    if given is None:
        return Limits(None, None)
    if not is_pyvrp(given):
        return Limits(None, stop_of(given))
    from pyvrp import stop as theirs

    # PyVRP keeps its numbers in private attributes.
    if isinstance(given, theirs.MaxRuntime):
        return Limits(given._max_runtime, None)  # noqa: SLF001
    if isinstance(given, theirs.MultipleCriteria):
        parts = [limits_of(part) for part in given.criteria]
        seconds = [part.seconds for part in parts if part.seconds is not None]
        stops = [part.stop for part in parts if part.stop is not None]
        return Limits(
            min(seconds, default=None), first_of(*stops) if stops else None
        )
    if isinstance(given, theirs.MaxIterations):
        return Limits(None, MaxIterations(given._max_iters))  # noqa: SLF001
    if isinstance(given, theirs.NoImprovement):
        count = given._max_iterations  # noqa: SLF001
        return Limits(None, NoImprovement(count))
    if isinstance(given, theirs.FirstFeasible):
        return Limits(None, FirstFeasible())
    return Limits(None, stop_of(given))
