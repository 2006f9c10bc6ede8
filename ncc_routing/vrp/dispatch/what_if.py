"""What changes to a plan would cost, and who would move."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.params import build_params
from ncc_routing.problems.constraints import LARGEST, say
from ncc_routing.problems.routes.comparison import moves
from ncc_routing.vrp.dispatch.replan import kept_objective, replan
from ncc_routing.vrp.methods import AUTOMATIC
from ncc_routing.vrp.params import SolveParams

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Unpack

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.changes import Change
    from ncc_routing.problems.routes.summary import Summary
    from ncc_routing.problems.routes.unserved import Unserved
    from ncc_routing.vrp.params import SolveOptions
    from ncc_routing.vrp.result import Result

SECONDS: Final = 1.0
"""Time of a search where the caller sets no limit."""

_TEMPERATURE: Final = 80.0
_LOWEST, _HIGHEST = 0.06, 1.3
"""Start temperature by the seconds for each order, and its bounds. A high one
makes a good plan worse where time is short."""

_MOST_NAMED: Final = 10
_WIDTH: Final = 10


@dataclass(frozen=True)
class Comparison:
    """A plan after changes beside the one before.

    Parameters
    ----------
    result
        The plan after the changes.
    before, after
        What both take.
    cost_before, cost_after
        What both cost.
    moved
        Who has another vehicle, by id, with the routes before and after.
        Vehicles whose types have the same name are alike.
    newly_served
        Ids of orders on a route that were on none.
    newly_unserved
        Required orders on no route that were on one, or are new.
    largest_before
        Largest amount of a route before, where that is the objective after
        the changes (``Result.largest``). Default: it is not.
    """

    result: Result = field(repr=False)
    before: Summary = field(repr=False)
    after: Summary = field(repr=False)
    cost_before: float
    cost_after: float
    moved: Mapping[str, tuple[str, str]]
    newly_served: tuple[str, ...] = ()
    newly_unserved: tuple[Unserved, ...] = ()
    largest_before: float | None = None

    @property
    def largest_after(self) -> float | None:
        """The same after the changes."""
        return self.result.largest

    @property
    def cost(self) -> float:
        """How much more the plan costs."""
        return self.cost_after - self.cost_before

    @property
    def distance(self) -> float:
        """How much longer the routes are, in the unit of the summaries."""
        return (self.after.distance or 0.0) - (self.before.distance or 0.0)

    @property
    def duration(self) -> float:
        """How much longer the routes take, in the unit of the summaries.

        0 where the plan before has no times.
        """
        before, after = self.before.duration, self.after.duration
        return 0.0 if before is None else (after or 0.0) - before

    def to_json(self) -> dict[str, Any]:
        """Return everything but the result as plain values."""
        return {
            "cost": self.cost,
            "distance": self.distance,
            "duration": self.duration,
            "cost_before": self.cost_before,
            "cost_after": self.cost_after,
            "largest_before": self.largest_before,
            "largest_after": self.largest_after,
            "moved": dict(self.moved),
            "newly_served": self.newly_served,
            "newly_unserved": [
                {"id": one.id, "reasons": one.why}
                for one in self.newly_unserved
            ],
            "before": self.before.to_json(),
            "after": self.after.to_json(),
        }

    def __str__(self) -> str:
        """Return some lines of text, orders before costs."""
        lines = [f"{name:<{_WIDTH}}{text}" for name, text in self._entries()]
        return "\n".join(lines)

    def _entries(self) -> Iterator[tuple[str, str]]:
        before, after = self.before, self.after
        yield "orders", f"{before.served:,} -> {after.served:,}"
        if self.newly_served:
            yield "served", _some(self.newly_served)
        for one in self.newly_unserved:
            why = f" ({one.why})" if one.why else ""
            yield "unserved", f"{one.id}{why}"
        limit = self.result.min_max
        if limit is not None:
            each = self.largest_before, self.largest_after
            said = self.result.instance, limit.name, LARGEST
            yield LARGEST, " -> ".join(say(*said, value=v) for v in each)
        length, hours = before.distance_unit, before.time_unit
        rows: list[tuple[str, str, float | None, float | None]] = [
            ("cost", "", self.cost_before, self.cost_after),
            ("distance", length, before.distance, after.distance),
            (
                *("hours" if hours else "duration", hours),
                *(before.duration, after.duration),
            ),
            ("vehicles", "", _num_vehicles(before), _num_vehicles(after)),
        ]
        for name, unit, old, new in rows:
            new = new or 0.0
            if old is not None and (old or new):
                form = ",.1f" if unit else ",.10g"
                text = f"{old:{form}} -> {new:{form}} {unit}".rstrip()
                yield name, f"{text} ({new - old:+{form}})"
        changes = [
            f"{key} from {old} to {new}"
            for key, (old, new) in self.moved.items()
        ]
        yield "moved", _some(changes) or "nobody"


def _some(texts: Sequence[str]) -> str:
    more = len(texts) - _MOST_NAMED
    named = ", ".join(texts[:_MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named


def _num_vehicles(totals: Summary) -> int | None:
    return sum(totals.vehicles.values()) or None


def what_if(
    result: Result,
    changes: Sequence[Change] | object = (),
    stop: AnyStop | None = None,
    *,
    now: float | str | None = None,
    actual: object = None,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
    **options: Unpack[SolveOptions],
) -> Comparison:
    """Compare a plan before and after changes.

    The search starts from the routes of the plan.

    Parameters
    ----------
    result
        The plan.
    changes
        As for :func:`ncc_routing.replan`. Default: nothing changes, and the
        plan is improved.
    now
        Time from which the plan may change. Default: the plan has not begun.
    params
        As for :func:`ncc_routing.solve`. Default: the objective of the plan,
        and a start temperature that falls with the orders a second.
    stop, actual, callbacks, **options
        As for :func:`ncc_routing.replan`. ``time_limit`` is 1 by default,
        without ``stop`` and ``params``.

    Returns
    -------
    Comparison
        Costs, kilometres and hours of both plans, and the orders that move,
        with a text by ``str``. Its ``result`` is the plan after the changes.

    Raises
    ------
    NccRoutingError
        As ``replan``.
    """
    if stop is None and params is None and options.get("time_limit") is None:
        options["time_limit"] = SECONDS
    if params is None and options.get("polish") in (None, AUTOMATIC):
        warm = warm_params(result, options.get("time_limit"))
        params = build_params(SolveParams, warm, "params")
    after = replan(
        result,
        changes,
        stop,
        now=now,
        actual=actual,
        params=params,
        callbacks=callbacks,
        **options,
    )
    ids = [_served(one) for one in (result, after)]
    limit = after.min_max
    largest = limit and result.best.largest(result.instance, limit)
    absent = {one.id for one in result.unserved}
    return Comparison(
        result=after,
        before=result.totals,
        after=after.totals,
        cost_before=result.cost,
        cost_after=after.cost,
        moved=moves(
            (result.instance, result.best), (after.instance, after.best)
        ),
        newly_served=tuple(key for key in ids[1] if key not in ids[0]),
        newly_unserved=tuple(
            one for one in after.unserved if one.id not in absent
        ),
        largest_before=largest,
    )


def warm_params(
    result: Result, seconds: float | None = None
) -> dict[str, object]:
    """Return parameters of a search that starts from a good plan."""
    share = (seconds or SECONDS) / result.instance.num_customers
    start = min(max(_TEMPERATURE * share, _LOWEST), _HIGHEST)
    annealing = {"start_temperature": start}
    return {"ruin_recreate": annealing, **kept_objective(result)}


def _served(result: Result) -> dict[str, None]:
    ids, depots = result.instance.node_ids, set(result.instance.depots)
    return {
        ids[node]: None
        for route in result.routes
        for node in route
        if node not in depots
    }
