"""One run as a flat record: the row of a table, the object of ``--json``."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ncc_routing.problems.routes.checking import check_solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.core.events import TracePoint
    from ncc_routing.vrp.result import Result

Json = dict[str, object]

COLUMNS: Final = (
    *("instance", "num_customers", "size_class", "method", "polish", "seed"),
    *("feasible", "cost", "num_routes", "bks", "gap_percent"),
    *("runtime_seconds", "stages", "progress", "version", "error"),
)
"""Columns of a table of methods x instances."""

LEAST_SECONDS: Final = 0.01
"""Earlier best costs are not told apart."""


@dataclass(frozen=True)
class Record:
    """What one method did on one instance with one seed; ``None`` is unknown.

    ``gap_percent`` is 100 (cost / bks - 1); ``runtime_seconds`` is wall clock
    from reading to the answer; ``progress`` has seconds and best costs, at
    most twenty for each tenfold time.
    """

    instance: str
    num_customers: int
    method: str
    polish: str
    seed: int
    feasible: bool
    cost: float
    num_routes: int
    bks: float | None
    gap_percent: float | None
    runtime_seconds: float
    stages: tuple[tuple[str, float, float | None], ...]
    progress: tuple[tuple[float, float], ...]

    def to_json(self) -> Json:
        """Return the fields in the order of ``--json``, but the progress."""
        # Imported here: a run that prints no record needs no version.
        from importlib.metadata import version

        fields = {
            n: value for n, value in vars(self).items() if n != "progress"
        }
        return {
            **fields,
            "cost": whole(self.cost),
            "bks": whole(self.bks),
            "gap_percent": rounded(self.gap_percent, 4),
            "runtime_seconds": rounded(self.runtime_seconds, 4),
            "stages": [
                {
                    "name": name,
                    "seconds": rounded(seconds, 4),
                    "cost": whole(cost),
                }
                for name, seconds, cost in self.stages
            ],
            "version": version("ncc_routing"),
        }

    def to_row(self) -> Json:
        """Return the cells of ``COLUMNS``; lists are JSON texts."""
        cells = self.to_json()
        cells["size_class"] = size_class(self.num_customers)
        cells["stages"] = json.dumps(cells["stages"])
        progress = [(round(at, 4), whole(cost)) for at, cost in self.progress]
        cells["progress"] = json.dumps(progress)
        return {name: cells.get(name) for name in COLUMNS}


def record_result(
    result: Result, bks: float | None, runtime_seconds: float
) -> Record:
    """Return the record of a finished solve of some seconds."""
    best = result.best
    return Record(
        instance=result.instance.name,
        num_customers=result.instance.num_customers,
        method=result.method,
        polish=result.polish,
        seed=result.seed,
        feasible=not check_solution(result.instance, best),
        cost=best.cost,
        num_routes=best.num_routes,
        bks=bks,
        gap_percent=gap_percent(best.cost, bks),
        runtime_seconds=runtime_seconds,
        stages=tuple((s.name, s.seconds, s.cost) for s in result.stages),
        progress=_thinned(result.trace),
    )


def _thinned(trace: Iterable[TracePoint]) -> tuple[tuple[float, float], ...]:
    """Return the last point of each twentieth of a decade of seconds."""
    points = {
        math.floor(20 * math.log10(max(point.seconds, LEAST_SECONDS))): point
        for point in trace
    }
    return tuple((point.seconds, point.cost) for point in points.values())


def gap_percent(cost: float, bks: float | None) -> float | None:
    """Return 100 (cost / bks - 1), or ``None`` without a positive bks."""
    if bks is None or bks <= 0:
        return None
    return 100.0 * (cost / bks - 1.0)


def size_class(num_customers: int) -> str:
    """Return the size class of the paper, by nodes with the depot."""
    num_nodes = num_customers + 1
    return "N1" if num_nodes < 250 else "N2" if num_nodes < 500 else "N3"


def whole(value: float | None) -> float | int | None:
    """Return a whole number as ``int``, so that 27591.0 reads 27591."""
    if value is None or not float(value).is_integer():
        return value
    return int(value)


def rounded(value: float | None, digits: int) -> float | None:
    """Round to ``digits``; ``None`` stays ``None``."""
    return None if value is None else round(value, digits)
