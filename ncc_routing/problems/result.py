"""What a solve returns: the best solution and how it came about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


@dataclass(frozen=True)
class Stage:
    """One step of a solve.

    Parameters
    ----------
    name
        "cluster", "route", "polish", or the name of a method that does not
        separate them.
    seconds
        Wall-clock time of the step.
    cost
        Cost of the solution after it, or ``None`` where there is none yet.
    """

    name: str
    seconds: float
    cost: float | None


@dataclass(frozen=True)
class Result:
    """The outcome of :func:`ncc_routing.solve`.

    Parameters
    ----------
    instance
        The instance that was solved.
    best
        The best solution; it has passed ``check_solution``.
    method, polish
        What produced it. Where the method that was asked for could not run,
        this is the one that ran; ``params`` keeps the other.
    seed
        Seed of the run.
    stages
        The steps in order, with their time and the cost after each.
    runtime
        Wall-clock seconds from the call of ``solve`` to its return.
    params
        All parameters that the run was given, as a plain mapping. Default:
        none are known.
    """

    instance: Instance
    best: Solution
    method: str
    polish: str
    seed: int
    stages: tuple[Stage, ...]
    runtime: float
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def cost(self) -> float:
        """Cost of the best solution."""
        return self.best.cost
