"""What a preference costs: a curve of plans over its weight."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import changed, checked_number, chosen
from ncc_routing.core.text_files import describe_value, write_text
from ncc_routing.desk.references import read_reference
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.methods import METHODS
from ncc_routing.vrp.params import PREFERENCES, SolveParams
from ncc_routing.vrp.problem import as_instance
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.result import Result

DEFAULT_WEIGHTS: Final = (0.0, 0.5, 1.0, 2.0)
"""Weights of a curve where none are given."""


@dataclass(frozen=True, repr=False)
class TradeOff:
    """Plans for several weights of one preference.

    Parameters
    ----------
    name
        The preference, one of ``vrp.params.PREFERENCES``.
    weights
        Its weights, ascending; the first is 0, the shortest routes.
    results
        The result for each.
    """

    name: str
    weights: tuple[float, ...]
    results: tuple[Result, ...]

    def table(self) -> list[dict[str, float]]:
        """Return one row for each weight.

        Columns: the weight under its name, ``cost``, ``more_percent`` (extra
        cost over weight 0), ``num_routes``, and, if known, the fields of
        ``RouteShapes`` and ``Consistency``.
        """
        base = self.results[0].cost
        size = abs(base) or 1.0
        return [
            {
                self.name: weight,
                "cost": result.cost,
                "more_percent": 100.0 * (result.cost - base) / size,
                "num_routes": result.best.num_routes,
                **measures_of(result),
            }
            for weight, result in zip(self.weights, self.results, strict=True)
        ]

    def summary(self) -> str:
        """Return the table as text."""
        rows = self.table()
        lines = [list(rows[0])]
        lines += [[_shown(value) for value in row.values()] for row in rows]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width)
                for cell, width in zip(line, widths, strict=True)
            )
            for line in lines
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table as CSV; "-" is standard output.

        Raises
        ------
        NccRoutingError
            If the file cannot be written.
        """
        rows = self.table()
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_text(path, text.getvalue())

    def plot(self, **options: Any) -> Figure:
        """Return a figure of each measure over the cost.

        Options: :func:`ncc_routing.plotting.trade_offs.plot_trade_off`.
        """
        from ncc_routing.plotting import plot_trade_off

        return plot_trade_off(self, **options)

    def __repr__(self) -> str:
        """Return one line; ``summary`` says more."""
        last = self.table()[-1]
        return (
            f"TradeOff({self.results[0].instance.name}: {self.name} up to "
            f"{self.weights[-1]:g}, {last['more_percent']:+.2f} % cost)"
        )


def trade_off(  # noqa: PLR0913 - as solve
    problem: Problem,
    name: str = "compactness",
    weights: Sequence[float] = DEFAULT_WEIGHTS,
    stop: AnyStop | None = None,
    *,
    seed: int | None = None,
    time_limit: float | None = None,
    method: str | None = None,
    polish: str | None = None,
    jobs: int | None = None,
    compactness: float | None = None,
    consistency: float | None = None,
    reference: object = None,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
) -> TradeOff:
    """Solve a problem with several weights of one preference.

    Each plan is a separate run with the whole ``time_limit``.

    Parameters
    ----------
    problem
        As for :func:`ncc_routing.solve`.
    name
        "compactness" (default), "consistency", which needs a ``reference``,
        or "affinity", which needs a ``scorer``.
    weights
        Values in the bounds of ``SolveParams``; 0, the shortest routes, is
        always added for comparison.
    stop
        As for :func:`ncc_routing.solve`. Iterations are those of each run, a
        time limit is that of all: after it, or after Ctrl-C, the curve ends
        with the current plan. Default: none.
    seed, time_limit, method, polish, jobs, compactness, consistency, \
reference, params
        Other parameters of the runs, as for :func:`ncc_routing.solve`.
    callbacks
        Called for each run.

    Returns
    -------
    TradeOff
        The plans, each checked.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range, or states another weight of
        the preference.
    UnsupportedProblemError, InfeasibleError
        As for :func:`ncc_routing.solve`.
    """
    require_name("name", name, PREFERENCES)
    given = {
        "seed": seed,
        "time_limit": time_limit,
        "method": method,
        "polish": polish,
        "jobs": jobs,
        "compactness": compactness,
        "consistency": consistency,
        "reference": reference,
    }
    if given.get(name) is not None:
        raise ParameterError(f"{name} must not be given: weights sets it.")
    if not isinstance(weights, Iterable):
        raise ParameterError(
            f"weights must be several numbers, got {describe_value(weights)}."
        )
    checked = [checked_number(SolveParams, name, each) for each in weights]
    ascending = sorted({0.0, *checked})
    said = getattr(params, name, 0.0)
    # A scorer that nothing else reads comes with an affinity.
    if name != "affinity" and said not in ascending:
        raise ParameterError(
            f"params have {name} {said:g}, which is not one of the weights."
        )
    # A wrong parameter is said before the first run, not after it.
    given[name] = ascending[-1]
    params = chosen(SolveParams, params, **given)
    params.require_all_served("trade_off")
    if isinstance(params.reference, str):  # read once: it may be a stream
        params = changed(
            params, {"reference": read_reference(params.reference)}
        )
    runs = [_weighted(params, name, weight) for weight in ascending]
    budget = budget_of(stop)
    instance = as_instance(problem)
    results: list[Result] = []
    for run in runs:
        result = solve(instance, budget, params=run, callbacks=callbacks)
        results.append(result)
        if result.interrupted or budget.time_limit.passed():
            break
    return TradeOff(name, tuple(ascending[: len(results)]), tuple(results))


def _weighted(params: SolveParams, name: str, weight: float) -> SolveParams:
    """Return the parameters of one run, at affinity 0 without idle scorers."""
    changes: dict[str, object] = {name: weight}
    if name == "affinity" and weight == 0.0:
        method = METHODS.get(params.method)
        if method is None or "scorer" not in method.reads:
            changes["scorer"] = None
    return changed(params, changes)


def measures_of(result: Result) -> dict[str, float]:
    """Return every measure of routes that a result has, by name."""
    measures: dict[str, float] = {}
    if result.instance.coords is not None:
        measures |= asdict(result.shapes)
    if result.consistency is not None:
        measures |= asdict(result.consistency)
    return measures


def _shown(value: float) -> str:
    if float(value).is_integer():
        return f"{int(value)}"
    return f"{value:.3f}"
