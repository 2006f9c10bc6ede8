"""Column generation over ng-routes, with rounded capacity inequalities."""

from __future__ import annotations

import math
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.core.mip import LinearProgram, SparseRows
from ncc_routing.vrp.bounds.packing import least_bins
from ncc_routing.vrp.bounds.rows import (
    Column,
    Cut,
    Duals,
    Rows,
    SubsetRow,
    coefficients,
    concatenated,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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

_LISTING_SHARE: Final = 0.5
_LAST_LISTING_SHARE: Final = 1.0
"""Share of the time until then that listing may take, while there are cuts
and when there are no more."""

_SHARE_OF_REST: Final = 0.3
_MOST_SECONDS: Final = 30.0
"""Share of the time that is left which it may take as well, and how many
seconds of it."""

_NARROW: Final = 0.01
"""Share of the bound within which the gap must be where there are no more
cuts."""

_LABELLING_SHARE: Final = 0.25
_LEAST_SECONDS: Final = 2.0
"""Share of the time until then that whole labels may take, and the seconds
that they may take in any case."""

_LEAST_VIOLATION: Final = 0.03
"""Vehicles, counted at both crossings, that a violated set lacks."""

_LEAST_USE: Final = 1e-7
"""Use of a column in a solution that is no rounding error."""

_MAX_CUTS: Final = 40
"""Inequalities of a round."""

CLEAR_PART: Final = 0.1
"""Part of a vehicle that is divided before others."""

_LEAST_EXCESS: Final = 0.05
"""Pairs beyond one that a violated set of three rows has."""

_MOST_OF_ROW: Final = 5
"""Sets of three rows of a round that hold a row."""

_MAX_LABELS: Final = 3_000_000
"""Labels of one pricing: about 250 MB."""

_MOST_LISTED: Final = 10_000_000
"""Paths while routes are listed: about 1 GB."""

_LISTED_A_SECOND: Final = 300_000
"""About how many of them are found."""


def part_of(value: float) -> float:
    """Return the distance from the next whole number."""
    return abs(value - round(value))


def vehicles_of(
    used: Iterable[tuple[Column, float]], num_types: int
) -> dict[int | None, float]:
    """Return the vehicles of all types, and of each where there are more."""
    totals = [0.0] * num_types
    for column, value in used:
        totals[column.vehicle_type] += value
    of_types = enumerate(totals if num_types > 1 else ())
    return {None: sum(totals), **dict(of_types)}


class Master(NamedTuple):
    """What a program begins with.

    ``duals`` are those of the rows, the limited types and the cuts, which
    prove ``bound``, in units. ``units`` is the cost of each arc by vehicle
    type, ``NO_ARC`` where no route needs it. ``pools`` has all routes by
    vehicle type, ``None`` where these are found by labels.
    """

    columns: Sequence[Column]
    cuts: Sequence[Cut | SubsetRow]
    duals: np.ndarray
    bound: int
    units: Sequence[np.ndarray]
    pools: Sequence[_columns.Pool] | None = None


class Generation:
    """The master program and its bound.

    Parameters
    ----------
    problem
        What is bounded.
    master
        What it begins with.
    upper
        No arcs or routes are needed that only solutions of this cost or more
        have.
    report
        Is told each better bound, with the shares of the rows in it if these
        are known.
    found
        Is told each solution, and returns the cost of the best one known.
    branches
        Whether a part of a vehicle ends the run, as it is soon divided.
    """

    def __init__(
        self,
        problem: Relaxation,
        master: Master,
        upper: float,
        report: Callable[[int, np.ndarray | None], None],
        found: Callable[[Sequence[Column]], float],
        branches: bool = False,
    ) -> None:
        self._branches = branches
        self._problem, self._report, self._found = problem, report, found
        self._upper = problem.worth_of(upper)
        self._bound, self._best = master.bound, master.duals
        self._units = [units.copy() for units in master.units]
        self._pools = master.pools
        self._gap_at_drop = self._size_at_labels = math.inf
        self._began = 0.0
        self._bound_at_removal: int | None = None
        most = problem.num_nodes - 1
        self._limits = {
            t: -each.num_available
            for t, each in enumerate(problem.types)
            if each.num_available < most
        }
        self._build(master.columns, master.cuts)
        self._solved: LinearSolution | None = None
        self._is_exact = self._is_last = self._is_converged = False

    def _build(
        self, columns: Sequence[Column], cuts: Sequence[Cut | SubsetRow]
    ) -> None:
        """Make the program from its columns and cuts."""
        num_rows = len(self._problem.skipped)
        self._rows = Rows(num_rows, tuple(self._limits), [*cuts])
        own = np.ones(num_rows)
        lower = [*own, *self._limits.values(), *(cut.lower for cut in cuts)]
        self._program = LinearProgram(np.array(lower, dtype=float))
        if self._pools is not None:
            self._program.limit_rows(own)
        self._columns: list[Column] = []
        self._known: set[Column] = set()
        self._num_slacks = self._add_slacks()
        self._add(columns)

    @property
    def bound(self) -> int:
        """The best bound, in units."""
        return self._bound

    @property
    def is_closed(self) -> bool:
        """Whether no better solution is left."""
        return self._bound > self._upper

    @property
    def is_converged(self) -> bool:
        """Whether the last run ended without too many labels."""
        return self._is_converged

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the program."""
        return self._columns

    @property
    def used(self) -> list[tuple[Column, float]]:
        """Columns of the last solution, and how often each is used."""
        return [] if self._solved is None else list(self._used(self._solved))

    def gain_of(self, lower: float, values: np.ndarray) -> float:
        """Return by how much the program costs more with one more row.

        ``values`` are those of the columns, at least ``lower`` in sum.
        """
        if self._solved is None:
            return 0.0
        where = np.flatnonzero(values)
        row = SparseRows(
            np.array([0, len(where)]),
            where + self._num_slacks,
            values[where].astype(float),
        )
        return self._program.cost_with(lower, row) - self._solved.objective

    @property
    def master(self) -> Master:
        """What has been reached, without cuts that have no dual."""
        duals = self._padded(self._best)
        num_others = self._rows.first_cut
        is_kept = duals > 0.0
        is_kept[: num_others + 1] = True
        for k, cut in enumerate(self._rows.cuts):
            is_kept[num_others + k] |= isinstance(cut, Cut) and cut.is_rule
        return Master(
            self._columns,
            list(compress(self._rows.cuts, is_kept[num_others:])),
            duals[is_kept],
            self._bound,
            self._units,
            self._pools,
        )

    def run(self, deadline: TimeLimit) -> None:
        """Improve the bound, until a deadline or too many labels at most."""
        self._began = deadline.now()
        while not deadline.passed() and not self.is_closed:
            self._solved = solved = self._program.solve(deadline)
            if solved is None:
                return
            columns = self._price(solved, deadline)
            self._is_converged = columns is not None
            if columns is None:
                return
            if columns:
                self._add(columns)
            elif self._pools is not None:
                self._solved = solved = self._without_dear(solved)
            is_near = self._is_near(solved.objective)
            if not columns or (is_near and not self._is_last):
                if self._label_wholly(_LISTING_SHARE, deadline):
                    continue
                # Without more cuts, the last columns count.
                self._is_last = not self._strengthen(solved)
                if self._is_last and not columns:
                    is_narrow = self._upper < (1.0 + _NARROW) * self._bound
                    if is_narrow and self._label_wholly(
                        _LAST_LISTING_SHARE, deadline
                    ):
                        continue
                    self._note_solution(solved)
                    return

    def _without_dear(self, solved: LinearSolution) -> LinearSolution:
        """Remove the columns that cost more than the gap to a solution."""
        unit = 2.0**self._problem.exponent
        most = self._upper / unit - solved.objective
        margin = _LEAST_USE * abs(solved.objective)
        is_dear = solved.reduced_costs > most + margin
        is_dear[: self._num_slacks] = False
        self._program.remove_columns(np.flatnonzero(is_dear))
        is_kept = ~is_dear[self._num_slacks :]
        self._known -= set(compress(self._columns, ~is_kept))
        self._columns = list(compress(self._columns, is_kept))
        return solved._replace(
            values=solved.values[~is_dear],
            reduced_costs=solved.reduced_costs[~is_dear],
        )

    def _padded(self, duals: np.ndarray) -> np.ndarray:
        """Return duals with those of the newest rows, which are 0."""
        num_rows = self._rows.first_cut + len(self._rows.cuts)
        return np.append(duals, np.zeros(num_rows - len(duals)))

    def _label_wholly(self, share: float, deadline: TimeLimit) -> bool:
        """Drop arcs by whole labels, and list all routes if they are few.

        Returns whether they are listed. That may take a share of the time
        until now, or some of what is left.
        """
        gap = self._upper - self._bound
        if self._pools is not None or math.isinf(gap):
            return False
        # With more time, the same gap counts as a smaller one.
        size = gap / share
        if size > _SHRUNK * self._size_at_labels:
            return False
        self._size_at_labels = size
        duals = Duals(self._problem, self._padded(self._best), self._rows)
        rows, limit = duals.subset_rows, math.floor(gap)
        elapsed = deadline.now() - self._began
        seconds = max(_LEAST_SECONDS, _LABELLING_SHARE * elapsed)
        is_over = _over_after(seconds, deadline)
        for t, (each, units) in enumerate(
            zip(self._problem.types, self._units, strict=True)
        ):
            costs = duals.reduced(t, units)
            pricer = each.pricer
            if not pricer.label_wholly(
                costs, rows, limit, _MAX_LABELS, is_over
            ):
                return False
            pricer.drop_arcs_by_labels(rows, limit, units, is_over)
        if self._problem.num_nodes > _columns.MOST_ENUMERATED:
            return False
        rest = min(_MOST_SECONDS, _SHARE_OF_REST * deadline.remaining())
        seconds = max(rest, share * elapsed)
        # Once they seem to be few enough, they have twice the time.
        is_over = _over_after(2.0 * seconds, deadline)
        most = int(min(_MOST_LISTED, seconds * _LISTED_A_SECOND))
        pools = list(self._listed(duals, limit, most, is_over))
        if len(pools) < len(self._problem.types):
            return False
        self._price_from(pools)
        return True

    def _listed(
        self,
        duals: Duals,
        limit: int,
        most: int,
        is_over: Callable[[], bool],
    ) -> Iterator[_columns.Pool]:
        """Yield the routes of each type, until they are too many."""
        row_of = np.append(0, self._problem.rows).astype(np.int32)
        rows = duals.subset_rows
        for t, each in enumerate(self._problem.types):
            costs, units = duals.reduced(t, self._units[t]), self._units[t]
            pool = each.pricer.enumerate(
                costs, units, row_of, rows, limit, most, is_over
            )
            if pool is None:
                return
            yield pool

    def _price_from(self, pools: Sequence[_columns.Pool]) -> None:
        """Go on with listed routes alone."""
        self._pools = pools
        everywhere = np.arange(self._problem.num_nodes, dtype=np.int32)
        cuts = [
            SubsetRow(cut.members, everywhere)
            if isinstance(cut, SubsetRow)
            else cut
            for cut in self._rows.cuts
        ]
        self._best = self._padded(self._best)
        row_of = np.append(0, self._problem.rows)
        columns = [
            column
            for column in self._columns
            if len(np.unique(row_of[[*column.customers]]))
            == len(column.customers)
        ]
        self._build(columns, cuts)

    def _note_solution(self, solved: LinearSolution) -> None:
        """Report a solution that is integral and serves each row once."""
        used = list(self._used(solved))
        if any(value < 1.0 - _LEAST_USE for _, value in used):
            return
        rows = self._problem.rows
        visits = np.zeros(self._rows.num_own, dtype=int)
        for column, _ in used:
            np.add.at(visits, rows[np.array(column.customers) - 1], 1)
        is_skipped = (visits == 0) & np.isfinite(self._problem.skipped)
        if ((visits == 1) | is_skipped).all():
            cost = self._found([column for column, _ in used])
            self._upper = min(self._upper, self._problem.worth_of(cost))

    def _strengthen(self, solved: LinearSolution) -> bool:
        """Cut off a solution, if that is possible."""
        num_cuts = self._cut(solved)
        if num_cuts >= _FEW:
            return True
        if self._pools is None and self._branches and self._has_part(solved):
            return num_cuts > 0
        is_other = self._pools is None and self._widen(solved)
        is_other |= self._cut_pairs(solved)
        return num_cuts > 0 or is_other

    def _has_part(self, solved: LinearSolution) -> bool:
        """Whether a solution has clearly a part of a vehicle of a type."""
        totals = vehicles_of(self._used(solved), len(self._problem.types))
        return any(part_of(one) >= CLEAR_PART for one in totals.values())

    def _is_near(self, objective: float) -> bool:
        unit = 2.0**self._problem.exponent
        gap = objective - self._bound / unit
        near = 2e-5 * abs(objective)
        if self._upper < math.inf:
            near = max(near, _NEAR * (self._upper / unit - objective))
        return self._is_exact and gap < near

    def _price(
        self, solved: LinearSolution, deadline: TimeLimit
    ) -> list[Column] | None:
        first = 0 if self._pools is None else self._rows.num_own
        duals = solved.duals.copy()  # those of equations have any sign
        duals[first:] = np.maximum(duals[first:], 0.0)
        old = self._padded(self._best)
        for each in (_OLD_SHARE * old + (1 - _OLD_SHARE) * duals, duals):
            columns = self._price_at(each, deadline)
            if columns is None or columns:
                return columns
        return []

    def _price_at(
        self, duals: np.ndarray, deadline: TimeLimit
    ) -> list[Column] | None:
        """Return the new columns of both pricings, and raise the bound."""
        exact = Duals(self._problem, duals, self._rows)
        columns: list[Column] = []
        self._is_exact = False
        for is_exact in (False, True) if self._pools is None else (True,):
            ratios, leasts = [], []
            for t in range(len(self._problem.types)):
                done, least, ratio, _, nodes, starts = self._price_type(
                    t, exact, is_exact, deadline
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
        self._drop(exact, self._upper - bound)
        if bound > self._bound:
            self._bound, self._best = bound, duals
            # Duals of a part of all routes mean nothing.
            is_part = self._pools is not None or self.is_closed
            shares = None if is_part else exact.shares(bound)
            self._report(bound, shares)
        return columns

    def _price_type(
        self, t: int, duals: Duals, is_exact: bool, deadline: TimeLimit
    ) -> tuple[bool, int, int, np.ndarray, np.ndarray, np.ndarray]:
        costs = duals.reduced(t, self._units[t])
        if self._pools is not None:
            return self._pools[t].price(costs, *duals.of_pairs)
        return self._problem.types[t].pricer.price(
            *(costs, duals.subset_rows, is_exact),
            *(_MAX_LABELS, deadline.passed),
        )

    def _drop(self, duals: Duals, gap: float) -> None:
        """Forget what costs more than the gap, once it has shrunk.

        ``duals`` are those of the last pricing.
        """
        if math.isinf(gap) or gap > _SHRUNK * self._gap_at_drop:
            return
        self._gap_at_drop = gap
        limit = math.floor(gap)
        costs = [duals.reduced(t, u) for t, u in enumerate(self._units)]
        if self._pools is not None:
            self._pools = [
                pool.within(of_type, *duals.of_pairs, limit)
                for pool, of_type in zip(self._pools, costs, strict=True)
            ]
            return
        for each, of_type, units in zip(
            self._problem.types, costs, self._units, strict=True
        ):
            each.pricer.drop_arcs(of_type, limit, units)

    def _add_slacks(self) -> int:
        """Add a column that covers each row at a price, and return how many.

        The prize of a customer, or much; the last one is that of all sets.
        """
        skipped = self._problem.skipped
        much = 0.0
        for each in self._problem.types:
            finite = each.costs[np.isfinite(each.costs)]
            much = max(much, 10.0 * float(finite.max(initial=1.0)))
        # Whom a vehicle must serve may cost it the prizes of others.
        much += float(skipped[np.isfinite(skipped)].sum())
        num_own = self._rows.num_own
        costs = np.append(np.minimum(skipped, much), much * num_own)
        sets = self._rows.first_cut + np.flatnonzero(
            [isinstance(cut, Cut) for cut in self._rows.cuts]
        )
        rows = np.append(np.arange(num_own), sets)
        starts = np.append(np.arange(num_own + 1), len(rows))
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
        crossings = coefficients(
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
            if isinstance(cut, Cut)
        }
        violated = []
        for members in sets:
            is_in = np.zeros(size, dtype=bool)
            is_in[members] = True
            needed = least_bins(problem.loads[is_in], problem.capacity)
            crossing = float(flow[is_in][:, ~is_in].sum())
            if is_in.tobytes() not in known:
                violated.append((2 * needed - crossing, Cut(is_in, needed)))
        violated.sort(key=lambda one: -one[0])
        chosen = [cut for _, cut in violated[:_MAX_CUTS]]
        self._add_cuts(chosen)
        return len(chosen)

    def _cut_pairs(self, solved: LinearSolution) -> bool:
        """Add violated subset-row inequalities, if there are any."""
        used = list(self._used(solved))
        row_of = np.append(-1, self._problem.rows)
        lists = [row_of[np.array(column.customers)] for column, _ in used]
        uses = np.array([value for _, value in used])
        num_rows = self._rows.num_own
        found = _columns.find_subset_rows(
            num_rows, *concatenated(lists), uses, _LEAST_EXCESS
        )
        room = self._room_for_pairs(solved)
        counts = np.zeros(num_rows, dtype=int)
        everywhere = np.arange(self._problem.num_nodes, dtype=np.int32)
        chosen: list[SubsetRow] = []
        for rows in found.reshape(-1, 3):
            if len(chosen) == min(room, _MAX_CUTS):
                break
            if (counts[rows] < _MOST_OF_ROW).all():
                counts[rows] += 1
                members = np.flatnonzero(np.isin(row_of, rows))
                memory = everywhere
                if self._pools is None:
                    memory = _memory(members, used)
                chosen.append(SubsetRow(members, memory))
        self._add_cuts(chosen)
        return bool(chosen)

    def _room_for_pairs(self, solved: LinearSolution) -> int:
        """Return how many more subset rows there may be.

        Where there is none, those without a dual are removed, but not twice
        at the same bound.
        """
        cuts, first = self._rows.cuts, self._rows.first_cut
        is_pair = np.array([isinstance(c, SubsetRow) for c in cuts], bool)
        room = _columns.MAX_SUBSET_ROWS - int(is_pair.sum())
        if self._pools is not None:
            return _MAX_CUTS
        if room > 0 or self._bound == self._bound_at_removal:
            return room
        self._bound_at_removal = self._bound
        duals = np.zeros(len(cuts))  # the newest have none
        known = solved.duals[first:]
        duals[: len(known)] = known
        # The best duals have to prove the bound without them as well.
        is_free = self._padded(self._best)[first:] == 0.0
        slack = np.flatnonzero(is_pair & (duals <= _LEAST_USE) & is_free)
        self._program.remove_rows(first + slack)
        places = first + slack
        places = places[places < len(self._best)]
        self._best = np.delete(self._best, places)
        for k in slack[::-1].tolist():
            del cuts[k]
        return len(slack)

    def _add_cuts(self, cuts: Sequence[Cut | SubsetRow]) -> None:
        if not cuts:
            return
        size = self._problem.num_nodes
        slacks = np.zeros((len(cuts), self._num_slacks), dtype=np.int32)
        slacks[:, -1] = [isinstance(cut, Cut) for cut in cuts]
        table = np.hstack([slacks, coefficients(self._columns, cuts, size)])
        rows, where = np.nonzero(table)
        self._program.add_rows(
            np.array([cut.lower for cut in cuts], dtype=float),
            SparseRows(
                np.searchsorted(rows, np.arange(len(cuts) + 1)),
                where,
                table[rows, where].astype(float),
            ),
        )
        self._rows.cuts.extend(cuts)


def _over_after(seconds: float, deadline: TimeLimit) -> Callable[[], bool]:
    """Return whether so many seconds or all have passed."""
    end = deadline.now() + seconds
    return lambda: deadline.passed() or deadline.now() > end


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
