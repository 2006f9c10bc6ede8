"""Cheapest insertion, for fleets, depots and time windows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.run import Run
from ncc_routing.problems.schedules import schedule_route
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.tolerances import exceeds
from ncc_routing.vrp.search.fleets.search import RichSearch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

_MOST_NAMED: Final = 3
"""Customers that a message names."""


def insert_customers(instance: Instance, run: Run = Run()) -> Solution:
    """Insert all customers, one by one where they cost least.

    The orders are by window, demand, distance and at random; only the first
    ignores the deadline. Customers without a vehicle get one beyond the fleet,
    which ``search.fleets.limits.keep_to_fleet`` takes away. Raises
    ``InfeasibleError`` naming the first customer that no vehicle can serve,
    and the limits that it breaks.
    """
    search = require_servable(instance, run)
    search.insert_all(run.budget.deadline)
    return search.with_more_vehicles()


def require_servable(instance: Instance, run: Run) -> RichSearch:
    """Return a search, unless there are customers that no vehicle can serve.

    Raises ``InfeasibleError`` as ``insert_customers``.
    """
    search = RichSearch(instance, run.seed, kept=run.kept)
    unserved = search.unservable()
    if unserved:
        raise InfeasibleError(_describe_unserved(instance, unserved))
    return search


def _describe_unserved(instance: Instance, customers: Sequence[int]) -> str:
    """Return which customers no vehicle can serve, and why."""
    reasons = [
        f"{instance.describe_node(customer)}, {_reason(instance, customer)}"
        for customer in customers[:_MOST_NAMED]
    ]
    what = "no vehicle can serve"
    if len(customers) > 1:
        what += f" {len(customers)} of {instance.num_customers} customers:"
    end = "; ..." if len(customers) > _MOST_NAMED else "."
    return f"{instance.name}: {what} {'; '.join(reasons)}{end}"


def _reason(instance: Instance, customer: int) -> str:
    """Return the first limit broken, of the type nearest to keeping all."""
    broken = []
    for idx, kind in enumerate(instance.vehicle_types):
        if instance.demands[customer] > kind.capacity:
            continue
        for value, limit, text in _limits(instance, customer, idx):
            if exceeds(value, limit):
                if len(instance.vehicle_types) > 1:
                    text += f" (vehicle type {idx})"
                broken.append((value - limit, text))
                break
    return min(broken)[1]


def _limits(
    instance: Instance, customer: int, idx: int
) -> Iterator[tuple[float, float, str]]:
    """Yield what a route of one customer takes, the limits, and words."""
    kind = instance.vehicle_types[idx]
    schedule = schedule_route(instance, [customer], idx)
    # Where a visit comes too late, it begins at the end of its window.
    _, closes, end = schedule.begins
    start, there, back = np.add(schedule.begins, schedule.lateness).tolist()
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    opens = int(windows.tw_early[customer])
    release = int(windows.release_times[customer])
    depot = schedule.visits[0]
    last = min(kind.start_late, int(windows.tw_late[depot]))
    at = instance.time_form.text
    text = f"whose goods are released at {at(release)}, after the latest "
    yield release, last, f"{text}start at {at(last)}"
    text = "as its vehicle cannot start while the depot is open"
    yield start, schedule.begins[0], text
    text = f"reached at {at(there)} at the earliest, after its window from "
    yield there, closes, f"{text}{at(opens)} to {at(closes)}"
    text = f"from whom a vehicle is back at {at(back)} at the earliest, "
    yield back, end, f"{text}after its end at {at(end)}"
    took, longest = schedule.duration, kind.shift_duration
    lasting = partial(at, is_duration=True)
    text = f"whose route alone takes {lasting(took)}, with shifts of at most "
    yield took, longest, f"{text}{lasting(longest)}"
    length, longest = schedule.distance, kind.max_distance
    text = f"whose route alone is {length:.12g} long, with a maximum "
    text += f"distance of {longest:.12g}"
    if length > 2.0 * longest:  # perhaps the length of a forbidden arc
        text = "whose route alone is too long or takes a forbidden arc"
    yield length, longest, text
