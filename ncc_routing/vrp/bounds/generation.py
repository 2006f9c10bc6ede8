"""Column generation over ng-routes, with rounded capacity inequalities."""

from __future__ import annotations

import math
from itertools import chain, compress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.core.mip import LinearProgram, SparseRows
from ncc_routing.vrp.bounds.packing import least_bins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ncc_routing.core.mip import LinearSolution
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.bounds.relaxed import Relaxation

_FEW: Final = 10
"""Columns of heuristic pricing below which exact pricing follows, and cuts
of capacities below which others do."""

_OLD_SHARE: Final = 0.6
"""Share of the best duals in those that are priced (Wentges 1997)."""

_NEAR: Final = 0.03
"""Share of the gap within which a bound is near the program: cuts follow."""

_SHRUNK: Final = 0.9
"""Share of the gap at the last time when arcs are dropped again."""

_LEAST_VIOLATION: Final = 0.03
"""Vehicles, counted at both crossings, that a violated set lacks."""

_LEAST_USE: Final = 1e-7
"""Use of a column in a solution that is no rounding error."""

_MAX_CUTS: Final = 40
"""Inequalities of a round."""

_LEAST_EXCESS: Final = 0.05
"""Pairs beyond one that a violated set of three rows has."""

_MOST_OF_ROW: Final = 5
"""Sets of three rows of a round that hold a row."""

MAX_LABELS: Final = 3_000_000
"""Labels of one pricing: about 250 MB."""


class Column(NamedTuple):
    """A route of a vehicle type."""

    vehicle_type: int
    customers: tuple[int, ...]


class _Cut(NamedTuple):
    """Customers, bool for each node, and how many vehicles must enter."""

    is_in: np.ndarray
    needed: int


class _SubsetRow(NamedTuple):
    """Customers of three rows, and the nodes that remember them."""

    members: np.ndarray
    memory: np.ndarray


class _Rows(NamedTuple):
    """The rows of the program: customers, limited vehicle types, cuts.

    A route enters a ``_Cut``, and has pairs of a ``_SubsetRow``, of which a
    solution has one at most.
    """

    num_own: int
    limited: tuple[int, ...]
    cuts: list[_Cut | _SubsetRow]

    @property
    def first_cut(self) -> int:
        return self.num_own + len(self.limited)


class Generation:
    """The master program and its bound.

    Parameters
    ----------
    problem
        What is bounded.
    start
        Routes to begin with.
    duals, of_vehicles
        Duals of the rows to begin with, and that of the number of vehicles.
    bound
        A proven bound, in units.
    upper
        No arcs are needed that only solutions of this cost or more have.
    report
        Is told each better bound, with the shares of the rows in it.
    """

    def __init__(
        self,
        problem: Relaxation,
        start: Sequence[Column],
        duals: np.ndarray,
        of_vehicles: float,
        bound: int,
        upper: float,
        report: Callable[[int, np.ndarray], None],
    ) -> None:
        self._problem, self._report, self._bound = problem, report, bound
        self._upper = problem.worth_of(upper)
        self._gap_at_drop = math.inf
        self._bound_at_removal: int | None = None
        self._columns: list[Column] = []
        self._known: set[Column] = set()
        most = problem.num_nodes - 1
        limited = {
            t: -each.num_available
            for t, each in enumerate(problem.types)
            if each.num_available < most
        }
        num_rows = len(problem.skipped)
        self._rows = _Rows(num_rows, tuple(limited), [])
        everyone = np.arange(problem.num_nodes) > 0
        self._rows.cuts.append(_Cut(everyone, problem.num_vehicles))
        lower = [*np.ones(num_rows), *limited.values(), problem.num_vehicles]
        self._program = LinearProgram(np.array(lower))
        self._num_slacks = self._add_slacks()
        self._add(start)
        self._best = np.zeros(len(lower))
        self._best[:num_rows] = np.maximum(duals, 0.0)
        self._best[-1] = of_vehicles
        self._is_exact = self._is_last = False

    def run(self, deadline: TimeLimit) -> bool:
        """Improve the bound; return whether labels allowed it to the end."""
        while not deadline.passed() and self._bound <= self._upper:
            solved = self._program.solve(deadline)
            if solved is None:
                return True
            columns = self._price(solved, deadline)
            if columns is None:
                return False
            if columns:
                self._add(columns)
            is_near = self._is_converged(solved.objective)
            if not columns or (is_near and not self._is_last):
                # Without more cuts, the last columns count.
                self._is_last = not self._strengthen(solved)
                if self._is_last and not columns:
                    return True
        return True

    def _strengthen(self, solved: LinearSolution) -> bool:
        """Cut off a solution, if that is possible."""
        num_cuts = self._cut(solved)
        if num_cuts >= _FEW:
            return True
        is_other = self._widen(solved) or self._cut_pairs(solved)
        return num_cuts > 0 or is_other

    def _is_converged(self, objective: float) -> bool:
        unit = 2.0**self._problem.exponent
        gap = objective - self._bound / unit
        near = 2e-5 * abs(objective)
        if self._upper < math.inf:
            near = max(near, _NEAR * (self._upper / unit - objective))
        return self._is_exact and gap < near

    def _price(
        self, solved: LinearSolution, deadline: TimeLimit
    ) -> list[Column] | None:
        duals = np.maximum(solved.duals, 0.0)
        old = np.zeros(len(duals))
        old[: len(self._best)] = self._best
        for each in (_OLD_SHARE * old + (1 - _OLD_SHARE) * duals, duals):
            columns = self._price_at(each, deadline)
            if columns is None or columns:
                return columns
        return []

    def _price_at(
        self, duals: np.ndarray, deadline: TimeLimit
    ) -> list[Column] | None:
        """Return the new columns of both pricings, and raise the bound."""
        exact = _Duals(self._problem, duals, self._rows)
        columns: list[Column] = []
        self._is_exact = False
        for is_exact in (False, True):
            ratios, leasts = [], []
            for t, each in enumerate(self._problem.types):
                costs = exact.reduced(t)
                done, least, ratio, _, nodes, starts = each.pricer.price(
                    costs,
                    exact.subset_rows,
                    is_exact,
                    MAX_LABELS,
                    deadline.passed,
                )
                if not done:
                    return None
                ratios.append(ratio)
                leasts.append(least)
                routes = np.split(nodes, starts[1:-1]) if len(nodes) else []
                columns += [Column(t, tuple(r.tolist())) for r in routes]
            columns = [
                c for c in dict.fromkeys(columns) if c not in self._known
            ]
            if not is_exact and len(columns) >= _FEW:
                return columns
        self._is_exact = True
        bound = exact.bound(ratios, leasts)
        self._drop_arcs(exact, self._upper - bound)
        if bound > self._bound:
            self._bound, self._best = bound, duals
            self._report(bound, exact.shares(bound))
        return columns

    def _drop_arcs(self, duals: _Duals, gap: float) -> None:
        """Forget arcs whose use costs more than the gap, once it has shrunk.

        ``duals`` are those of the last pricing.
        """
        if math.isinf(gap) or gap > _SHRUNK * self._gap_at_drop:
            return
        self._gap_at_drop = gap
        for t, each in enumerate(self._problem.types):
            costs = duals.reduced(t)
            each.pricer.drop_arcs(costs, math.floor(gap), each.units)

    def _add_slacks(self) -> int:
        """Add a column that covers each row at a price, and return how many.

        The prize of a customer, or much; the number of vehicles has one too.
        """
        much = 0.0
        for each in self._problem.types:
            finite = each.costs[np.isfinite(each.costs)]
            much = max(much, 10.0 * float(finite.max(initial=1.0)))
        costs = np.append(np.minimum(self._problem.skipped, much), much)
        rows = np.arange(len(costs))
        rows[-1] = self._rows.first_cut
        starts = np.arange(len(costs) + 1)
        matrix = SparseRows(starts, rows, np.ones(len(rows)))
        self._program.add_columns(costs, matrix)
        return len(costs)

    def _add(self, columns: Sequence[Column]) -> None:
        """Add new columns to the program."""
        columns = [c for c in columns if c not in self._known]
        if not columns:
            return
        costs, starts = [], [0]
        indices: list[int] = []
        values: list[float] = []
        crossings = _coefficients(
            columns, self._rows.cuts, self._problem.num_nodes
        )
        for c, (t, customers) in enumerate(columns):
            visits = np.array((0, *customers, 0))
            lengths = self._problem.types[t].costs[visits[:-1], visits[1:]]
            costs.append(float(lengths.sum()))
            rows, counts = np.unique(
                self._problem.rows[visits[1:-1] - 1], return_counts=True
            )
            indices += rows.tolist()
            values += counts.tolist()
            if t in self._rows.limited:
                place = self._rows.limited.index(t)
                indices.append(self._rows.num_own + place)
                values.append(-1.0)
            for k in np.flatnonzero(crossings[:, c]).tolist():
                indices.append(self._rows.first_cut + k)
                values.append(float(crossings[k, c]))
            starts.append(len(indices))
        matrix = SparseRows(
            np.array(starts), np.array(indices), np.array(values)
        )
        self._program.add_columns(np.array(costs), matrix)
        self._columns += columns
        self._known.update(columns)

    def _used(self, solved: LinearSolution) -> Iterator[tuple[Column, float]]:
        """Yield the columns of a solution, and how often each is used."""
        values = solved.values[self._num_slacks :].tolist()
        for column, value in zip(self._columns, values, strict=False):
            if value > _LEAST_USE:
                yield column, value

    def _widen(self, solved: LinearSolution) -> bool:
        """Forbid the cycles of the solution by larger ng sets, if it has any.

        Roberti and Mingozzi (2014), Transportation Science 48(3), 413.
        """
        is_wider = False
        for (t, customers), _ in self._used(solved):
            near = self._problem.types[t].near
            for first, *inside, _ in _cycles(customers):
                lacking = {i for i in inside if first not in near[i]}
                if any(-1 not in near[i] for i in lacking):
                    continue
                for node in lacking:
                    near[node, int((near[node] == -1).argmax())] = first
                    is_wider = True
        if is_wider:
            for each in self._problem.types:
                each.pricer.read_near()
            kept = [self._is_allowed(column) for column in self._columns]
            lost = np.flatnonzero(~np.array(kept))
            self._program.remove_columns(lost + self._num_slacks)
            self._columns = list(compress(self._columns, kept))
        return is_wider

    def _is_allowed(self, column: Column) -> bool:
        """Whether a route is an ng-route."""
        near = self._problem.types[column.vehicle_type].near
        return not any(
            all(first in near[node] for node in inside)
            for first, *inside, _ in _cycles(column.customers)
        )

    def _cut(self, solved: LinearSolution) -> int:
        """Add violated rounded capacity inequalities; return how many."""
        problem, size = self._problem, self._problem.num_nodes
        flow = np.zeros((size, size))
        for (_, customers), value in self._used(solved):
            visits = np.array((0, *customers, 0))
            np.add.at(flow, (visits[:-1], visits[1:]), value)
        flow += flow.T.copy()
        sets = _columns.find_capacity_cuts(
            flow, problem.loads, problem.capacity, _LEAST_VIOLATION
        )
        known = {
            cut.is_in.tobytes()
            for cut in self._rows.cuts
            if isinstance(cut, _Cut)
        }
        violated = []
        for members in sets:
            is_in = np.zeros(size, dtype=bool)
            is_in[members] = True
            needed = least_bins(problem.loads[is_in], problem.capacity)
            crossing = float(flow[is_in][:, ~is_in].sum())
            if is_in.tobytes() not in known:
                violated.append((2 * needed - crossing, _Cut(is_in, needed)))
        violated.sort(key=lambda one: -one[0])
        chosen = [cut for _, cut in violated[:_MAX_CUTS]]
        self._add_cuts(chosen, [cut.needed for cut in chosen])
        return len(chosen)

    def _cut_pairs(self, solved: LinearSolution) -> bool:
        """Add violated subset-row inequalities, if there are any."""
        used = list(self._used(solved))
        row_of = np.append(-1, self._problem.rows)
        lists = [row_of[np.array(column.customers)] for column, _ in used]
        uses = np.array([value for _, value in used])
        num_rows = self._rows.num_own
        found = _columns.find_subset_rows(
            num_rows, *_concatenated(lists), uses, _LEAST_EXCESS
        )
        room = self._room_for_pairs(solved)
        counts = np.zeros(num_rows, dtype=int)
        chosen: list[_SubsetRow] = []
        for rows in found.reshape(-1, 3):
            if len(chosen) == min(room, _MAX_CUTS):
                break
            if (counts[rows] < _MOST_OF_ROW).all():
                counts[rows] += 1
                members = np.flatnonzero(np.isin(row_of, rows))
                chosen.append(_SubsetRow(members, _memory(members, used)))
        self._add_cuts(chosen, [-1] * len(chosen))
        return bool(chosen)

    def _room_for_pairs(self, solved: LinearSolution) -> int:
        """Return how many more subset rows there may be.

        Where there is none, those without a dual are removed, but not twice
        at the same bound.
        """
        cuts, first = self._rows.cuts, self._rows.first_cut
        is_pair = np.array([isinstance(c, _SubsetRow) for c in cuts], bool)
        room = _columns.MAX_SUBSET_ROWS - int(is_pair.sum())
        if room > 0 or self._bound == self._bound_at_removal:
            return room
        self._bound_at_removal = self._bound
        duals = np.zeros(len(cuts))  # the newest have none
        known = solved.duals[first:]
        duals[: len(known)] = known
        slack = np.flatnonzero(is_pair & (duals <= _LEAST_USE))
        self._program.remove_rows(first + slack)
        places = first + slack
        places = places[places < len(self._best)]
        self._best = np.delete(self._best, places)
        for k in slack[::-1].tolist():
            del cuts[k]
        return len(slack)

    def _add_cuts(
        self, cuts: Sequence[_Cut | _SubsetRow], lower: Sequence[int]
    ) -> None:
        if not cuts:
            return
        table = _coefficients(self._columns, cuts, self._problem.num_nodes)
        rows, where = np.nonzero(table)
        self._program.add_rows(
            np.array(lower, dtype=float),
            SparseRows(
                np.searchsorted(rows, np.arange(len(cuts) + 1)),
                where + self._num_slacks,
                table[rows, where].astype(float),
            ),
        )
        self._rows.cuts.extend(cuts)


def _concatenated(
    lists: Sequence[Sequence[int] | np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Return lists one after another, int32, and where each begins."""
    nodes = np.fromiter(chain.from_iterable(lists), dtype=np.int32)
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int32)
    return nodes, starts


def _coefficients(
    columns: Sequence[Column],
    cuts: Sequence[_Cut | _SubsetRow],
    num_nodes: int,
) -> np.ndarray:
    """Return the coefficient of each column (axis 1) in each cut."""
    table = np.zeros((len(cuts), len(columns)), dtype=np.int32)
    if not table.size:
        return table
    lists = [(*column.customers, 0) for column in columns]
    visits, starts = _concatenated(lists)
    pairs: list[int] = []
    subset_rows: list[_SubsetRow] = []
    for k, cut in enumerate(cuts):
        if isinstance(cut, _Cut):
            # A route begins at the depot, which ends the one before.
            inside = cut.is_in[visits]
            enters = inside & ~np.append(False, inside[:-1])
            table[k] = np.add.reduceat(enters.astype(np.int32), starts[:-1])
        else:
            pairs.append(k)
            subset_rows.append(cut)
    if pairs:
        rows = _subset_rows(
            subset_rows, np.ones(len(pairs), np.int64), num_nodes
        )
        counts = np.zeros(
            (len(columns), _columns.MAX_SUBSET_ROWS), dtype=np.int32
        )
        rows.count(visits, starts, counts)
        table[pairs] = -counts[:, : len(pairs)].T
    return table


def _subset_rows(
    cuts: Sequence[_SubsetRow], prices: np.ndarray, num_nodes: int
) -> _columns.SubsetRows:
    return _columns.SubsetRows(
        num_nodes,
        *_concatenated([cut.members for cut in cuts]),
        *_concatenated([cut.memory for cut in cuts]),
        prices,
    )


def _memory(
    members: np.ndarray, used: Sequence[tuple[Column, float]]
) -> np.ndarray:
    """Return the nodes that must remember the pairs of the used routes."""
    inside = set(members.tolist())
    memory = set(inside)
    for column, _ in used:
        first = -1
        for place, node in enumerate(column.customers):
            if node not in inside:
                continue
            if first >= 0:
                memory.update(column.customers[first:place])
                first = -1
            else:
                first = place
    return np.array(sorted(memory), dtype=np.int32)


def _cycles(customers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield each part of a route from a customer to its next visit."""
    if len(set(customers)) == len(customers):
        return
    last: dict[int, int] = {}
    for place, node in enumerate(customers):
        if node in last:
            yield customers[last[node] : place + 1]
        last[node] = place


class _Duals:
    """Duals in even units, and what they prove.

    Rounded down, but up where they add to the cost of a route: no route of the
    program then costs less than before.
    """

    def __init__(
        self, problem: Relaxation, duals: np.ndarray, rows: _Rows
    ) -> None:
        self._problem = problem
        half = 2.0 ** (problem.exponent - 1)
        adds = [False] * rows.num_own + [True] * len(rows.limited)
        adds += [isinstance(cut, _SubsetRow) for cut in rows.cuts]
        halves = duals * half
        rounded = np.where(adds, np.ceil(halves), np.floor(halves))
        units = 2 * rounded.astype(np.int64)
        most = np.minimum(np.floor(problem.skipped * half), 2.0**60)
        self._rows, vehicles, cuts = np.split(
            units, [rows.num_own, rows.first_cut]
        )
        self._rows = np.minimum(self._rows, 2 * most.astype(np.int64))
        self._vehicles = dict(
            zip(rows.limited, vehicles.tolist(), strict=True)
        )
        capacity = [
            (cut, dual)
            for cut, dual in zip(rows.cuts, cuts.tolist(), strict=True)
            if dual and isinstance(cut, _Cut)
        ]
        pairs = [
            (cut, dual)
            for cut, dual in zip(rows.cuts, cuts.tolist(), strict=True)
            if dual and isinstance(cut, _SubsetRow)
        ]
        self._used = np.array([dual for _, dual in capacity], dtype=np.int64)
        self._needed = [cut.needed for cut, _ in capacity]
        self._members, self._starts = _concatenated(
            [np.flatnonzero(cut.is_in) for cut, _ in capacity]
        )
        prices = np.array([dual for _, dual in pairs], dtype=np.int64)
        self._of_pairs = int(prices.sum())
        self.subset_rows = _subset_rows(
            [cut for cut, _ in pairs], prices, problem.num_nodes
        )

    def reduced(self, vehicle_type: int) -> np.ndarray:
        """Return the reduced cost of each arc of a vehicle type."""
        each = self._problem.types[vehicle_type]
        # A vehicle leaves the depot once and comes back once.
        depot = -self._vehicles.get(vehicle_type, 0)
        nodes = np.append(depot, self._rows[self._problem.rows])
        out = np.empty_like(each.units)
        _columns.reduce_costs(
            each.units,
            nodes,
            self._members,
            self._starts,
            self._used,
            out,
        )
        return out

    def bound(self, ratios: Sequence[int], leasts: Sequence[int]) -> int:
        """Return the bound, given the least cost of routes of each type."""
        problem = self._problem
        total = problem.constant + sum(self._rows.tolist())
        total += sum(
            n * int(y) for n, y in zip(self._needed, self._used, strict=True)
        )
        total -= self._of_pairs
        total -= sum(
            problem.types[t].num_available * dual
            for t, dual in self._vehicles.items()
        )
        weight = int(problem.weights[1:].sum())
        by_weight = weight * min(0, *ratios) // _columns.RATIO_UNIT
        by_vehicles = sum(
            each.num_available * min(0, least)
            for each, least in zip(problem.types, leasts, strict=True)
        )
        return int(total) + max(by_weight, by_vehicles)

    def shares(self, bound: int) -> np.ndarray:
        """Return the part of each row in a bound, float64.

        That is its dual, and by load its part of the duals of the sets that
        hold it. The rest is that of vehicles and subset rows, by weight.
        """
        problem = self._problem
        shares = self._rows.astype(float)
        sets = np.split(self._members, self._starts[1:-1])
        for members, needed, dual in zip(
            sets, self._needed, self._used.tolist(), strict=False
        ):
            loads = problem.loads[members]
            rows = problem.rows[members - 1]
            part = needed * dual * loads / max(1, loads.sum())
            np.add.at(shares, rows, part)
        shares += problem.by_weight(bound - problem.constant - shares.sum())
        return shares / 2.0**problem.exponent
