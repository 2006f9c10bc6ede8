"""Routes of many solutions, and the best solution made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.mip import solve_set_covering
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.recombination.lagrangian import Columns, price_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.core.deadline import Deadline
    from ncc_routing.problems.instance import Instance

    Price = Callable[[Sequence[Sequence[int]]], np.ndarray]

DEFAULT_MAX_ROUTES: Final = 20_000
"""Routes in a pool: the later cores of its covering are hard already."""

_NUM_STEPS: Final = 400
"""Steps of the Lagrangian bound at most."""

_CORE_SIZES: Final = (2.0, 4.0, 8.0, 16.0, 32.0, np.inf)
"""Sizes of the cores, in columns per route of the incumbent. The quick core of
2 often improves most; HiGHS finds nothing in a large one."""

_CORE_SHARE: Final = 0.3
"""Share of the time left that a core but the last one gets."""


class RoutePool:
    """At most ``max_routes`` routes, the best known order of each set.

    The rank of a route is the cost of the best solution it was part of: routes
    of good solutions recombine to good ones. A full pool drops the worst ranks
    and then ignores solutions above them.
    """

    def __init__(self, max_routes: int = DEFAULT_MAX_ROUTES) -> None:
        if max_routes < 1:
            raise ParameterError(
                f"max_routes must be at least 1, got {max_routes}."
            )
        self._max_routes = max_routes
        self._entries: dict[bytes, tuple[float, float, np.ndarray]] = {}
        self._worst_rank = np.inf

    def __len__(self) -> int:
        """Return the number of routes."""
        self._trim(self._max_routes)
        return len(self._entries)

    def add(
        self, members: np.ndarray, offsets: np.ndarray, costs: np.ndarray
    ) -> None:
        """Add the routes ``members[offsets[r]:offsets[r + 1]]`` of a solution.

        The sum of their ``costs`` ranks them.
        """
        rank = float(costs.sum())
        if rank > self._worst_rank:
            return
        orders = np.array(members, dtype=np.int32)
        bounds = offsets.tolist()
        entries = self._entries
        for low, high, cost in zip(
            bounds, bounds[1:], costs.tolist(), strict=False
        ):
            if low == high:
                continue
            order = orders[low:high]
            key = np.sort(order).tobytes()
            entry = entries.get(key)
            if entry is None:
                entries[key] = (rank, cost, order)
            elif cost < entry[1]:
                entries[key] = (min(rank, entry[0]), cost, order)
            elif rank < entry[0]:
                entries[key] = (rank, *entry[1:])
        # Sorting out only now and then keeps it cheap.
        if len(entries) > 2 * self._max_routes:
            self._trim(self._max_routes)

    def add_routes(
        self, routes: Sequence[Sequence[int]], costs: np.ndarray
    ) -> None:
        """Add the routes of one solution, given as sequences; see ``add``."""
        sizes = [len(route) for route in routes]
        self.add(
            np.array([c for route in routes for c in route]),
            np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
            costs,
        )

    def arrays(self) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the int32 orders and the costs of routes, best rank first."""
        self._trim(self._max_routes)
        entries = sorted(self._entries.values(), key=lambda entry: entry[0])
        costs = np.array([cost for _, cost, _ in entries], dtype=np.float64)
        return [order for _, _, order in entries], costs

    def _trim(self, size: int) -> None:
        """Keep the ``size`` best ranks; the older one where they tie."""
        if len(self._entries) <= size:
            return
        ranked = sorted(self._entries.items(), key=lambda item: item[1][0])
        self._worst_rank = ranked[size - 1][1][0]
        self._entries = dict(ranked[:size])


def select_routes(
    instance: Instance,
    routes: Sequence[Sequence[int] | np.ndarray],
    costs: np.ndarray,
    incumbent: Solution,
    deadline: Deadline,
    price: Price | None = None,
) -> Solution:
    """Return the best solution found among combinations of feasible routes.

    Set covering on growing cores of the columns with the least reduced costs;
    a Lagrangian bound drops useless columns. ``price`` replaces the lengths as
    costs; the result never costs more than ``incumbent``. The deadline is kept
    to about 0.3 s.

    Sources: Foster and Ryan (1976), An integer programming approach to the
    vehicle scheduling problem; Rochat and Taillard (1995), Probabilistic
    diversification and intensification in local search for vehicle routing.
    """
    if len(routes) == 0 or deadline.passed():
        return incumbent
    price = price or instance.route_costs
    orders, prices, chosen = _merge(routes, costs, incumbent, price)
    sizes = [len(order) for order in orders]
    columns = Columns(
        prices,
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
        np.concatenate(orders) - 1,
        instance.num_customers,
    )
    covering = _cover(columns, chosen, deadline)
    picked = [orders[idx].tolist() for idx in np.flatnonzero(covering)]
    found = Solution.from_routes(instance, drop_duplicates(instance, picked))
    least = sum(price(incumbent.routes).tolist())
    return found if sum(price(found.routes).tolist()) < least else incumbent


def _merge(
    routes: Sequence[Sequence[int] | np.ndarray],
    costs: np.ndarray,
    incumbent: Solution,
    price: Price,
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Return distinct routes, their costs, and which the incumbent uses."""
    best: dict[bytes, tuple[float, np.ndarray]] = {}
    used: set[bytes] = set()
    known = price(incumbent.routes).tolist()
    own = list(zip(incumbent.routes, known, strict=True))
    pooled = zip(routes, np.asarray(costs).tolist(), strict=True)
    for number, (route, cost) in enumerate([*own, *pooled]):
        order = np.asarray(route, dtype=np.int64)
        if len(order) == 0:
            continue
        key = np.sort(order).tobytes()
        if number < len(own):
            used.add(key)
        if key not in best or cost < best[key][0]:
            best[key] = (cost, order)
    chosen = np.array([key in used for key in best])
    prices = np.array([cost for cost, _ in best.values()])
    return [order for _, order in best.values()], prices, chosen


def _cover(
    columns: Columns, chosen: np.ndarray, deadline: Deadline
) -> np.ndarray:
    """Return the best covering found from ``chosen``, as a mask of columns."""
    upper = float(columns.costs[chosen].sum())
    slack = deadline.within(0.2 * deadline.remaining())
    reduced, bound = price_columns(columns, upper, _NUM_STEPS, slack)
    order = np.argsort(reduced, kind="stable")
    num_routes = int(chosen.sum())
    is_integral = bool((columns.costs == np.rint(columns.costs)).all())
    # The least improvement that counts. A rounding error must not drop a
    # column of the best covering.
    least = (0.999 if is_integral else 0.0) - 1e-6 * upper
    previous = 0
    for core_size in _CORE_SIZES:
        useful = reduced[order] < upper - bound - least
        candidates = order[useful]
        size = int(min(core_size * num_routes, len(candidates)))
        if size <= previous or deadline.passed():
            break
        previous = size
        is_last = size == len(candidates)
        core = np.union1d(candidates[:size], np.flatnonzero(chosen))
        limit = deadline
        if deadline.is_limited() and not is_last:
            limit = deadline.within(_CORE_SHARE * deadline.remaining())
        parts = [
            columns.indices[columns.starts[j] : columns.starts[j + 1]]
            for j in core
        ]
        result = solve_set_covering(
            columns.costs[core], parts, columns.num_rows, limit, chosen[core]
        )
        if result.values is not None and result.objective < upper:
            upper = result.objective
            chosen = np.zeros_like(chosen)
            chosen[core[result.values]] = True
    return chosen


def drop_duplicates(
    instance: Instance, routes: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Visit every customer once, removing visits where that saves most.

    A removal can cost something without the triangle inequality. Empty routes
    are dropped; no route may repeat a customer.
    """
    kept = [list(route) for route in routes]
    where: dict[int, list[int]] = {}
    for number, route in enumerate(kept):
        for customer in route:
            where.setdefault(customer, []).append(number)
    repeated = {c: found for c, found in where.items() if len(found) > 1}
    while repeated:
        # A removal changes the savings of its neighbours: start anew.
        customer, number = max(
            ((c, r) for c, found in repeated.items() for r in found),
            key=lambda visit: _saving(instance, kept[visit[1]], visit[0]),
        )
        kept[number].remove(customer)
        repeated[customer].remove(number)
        if len(repeated[customer]) == 1:
            del repeated[customer]
    return [route for route in kept if route]


def _saving(instance: Instance, route: list[int], customer: int) -> float:
    """Return what a route gets shorter by without one of its customers."""
    at = route.index(customer)
    before = route[at - 1] if at > 0 else 0
    after = route[at + 1] if at + 1 < len(route) else 0
    with_it = instance.distances([before, customer], [customer, after])
    without = instance.distances([before], [after])[0, 0]
    return float(with_it[0, 0] + with_it[1, 1] - without)
