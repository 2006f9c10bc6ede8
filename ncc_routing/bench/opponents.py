"""What a benchmark runs beside the methods of the package: PyVRP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.vrp.methods import METHOD_NAMES, NO_IMPROVEMENT

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.result import Result

PYVRP: Final = "pyvrp"
"""PyVRP from its own start."""

WARM_PYVRP: Final = "pyvrp-warm"
"""PyVRP from our solution, which has 80 % of the time."""

BENCH_METHODS: Final = (*METHOD_NAMES, PYVRP, WARM_PYVRP)
"""What a benchmark can run."""


def solve_by_pyvrp(
    instance: Instance, seed: int, seconds: float | None
) -> Result:
    """Solve an instance by PyVRP within a time limit, its set-up included."""
    # Imported here: the command reads only the names.
    from ncc_routing.pyvrp.search import solve_alone
    from ncc_routing.vrp.result import Result, Stage

    if seconds is None:
        raise ParameterError(f"{PYVRP} needs a time limit.")
    best, trace = solve_alone(instance, seed, seconds)
    taken = trace[-1].seconds if trace else seconds
    return Result(
        instance=instance,
        best=best,
        method=PYVRP,
        polish=NO_IMPROVEMENT,
        seed=seed,
        stages=(Stage(PYVRP, taken, best.cost),),
        runtime=taken,
        trace=trace,
    )
