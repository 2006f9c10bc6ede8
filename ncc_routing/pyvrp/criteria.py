"""What a user may give as ``stop``: our criteria, PyVRP's, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.core.budget import Budget
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.stopping import (
    FirstFeasible,
    FirstOf,
    MaxIterations,
    NoImprovement,
    Stop,
    TimeLimit,
    first_of,
    stop_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def budget_of(
    given: object, seconds: float | None = None, *, per_iteration: int = 1
) -> Budget:
    """Return a criterion and ``seconds`` from now as one budget.

    The criterion is ours, PyVRP's, a function, or a budget. Time limits have
    the clock of the first of them. PyVRP's criteria count what our searches
    do, from their start: an iteration is ``per_iteration`` of ours. Raises
    ``ParameterError`` for what is no criterion, and for a ``TimeLimit`` that
    another run has used up.
    """
    if isinstance(given, Budget):
        return given.within(seconds)
    parts = list(_parts(given, per_iteration))
    limits = [each for each in parts if isinstance(each, TimeLimit)]
    stops = [each for each in parts if not isinstance(each, TimeLimit)]
    for limit in limits:
        limit.begin_run()
    first, *others = limits or [TimeLimit()]
    return Budget(
        first.within(seconds, *others), first_of(*stops) if stops else None
    )


def _parts(given: object, each: int) -> Iterator[Stop]:
    if given is None:
        return
    if isinstance(given, FirstOf):
        for part in given.criteria:
            yield from _parts(part, each)
    elif not is_pyvrp(given):
        yield stop_of(given)
    else:
        yield from _parts_of_pyvrp(given, each)


def _parts_of_pyvrp(given: object, each: int) -> Iterator[Stop]:
    from pyvrp import stop as theirs

    # PyVRP keeps its numbers in private attributes.
    match given:
        case theirs.MultipleCriteria():
            for part in given.criteria:
                yield from _parts(part, each)
        case theirs.MaxRuntime():
            yield TimeLimit(given._max_runtime)  # noqa: SLF001
        case theirs.MaxIterations():
            yield MaxIterations(each * given._max_iters)  # noqa: SLF001
        case theirs.NoImprovement():
            count = given._max_iterations  # noqa: SLF001
            yield NoImprovement(each * count)
        case theirs.FirstFeasible():
            yield FirstFeasible()
        case _:
            yield stop_of(given)
