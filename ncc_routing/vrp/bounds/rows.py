"""The rows of the master program, and what their duals prove."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.vrp.bounds.relaxed import Relaxation


class Column(NamedTuple):
    """A route of a vehicle type."""

    vehicle_type: int
    customers: tuple[int, ...]


class Cut(NamedTuple):
    """Customers, bool for each node, and how many vehicles enter at least.

    At most where ``is_most``; only those of a vehicle type where one is given.
    All solutions keep it but for a rule, which is that of a part of them.
    """

    is_in: np.ndarray
    needed: int
    is_most: bool = False
    is_rule: bool = False
    vehicle_type: int | None = None

    @property
    def sign(self) -> int:
        """Sign of its row, which has a lower bound."""
        return -1 if self.is_most else 1

    @property
    def lower(self) -> int:
        """Lower bound of its row."""
        return self.sign * self.needed


class SubsetRow(NamedTuple):
    """Customers of three rows, and the nodes that remember them."""

    members: np.ndarray
    memory: np.ndarray

    @property
    def sign(self) -> int:
        """As for a ``Cut``: at most."""
        return -1

    @property
    def lower(self) -> int:
        """As for a ``Cut``: one pair."""
        return -1


class Rows(NamedTuple):
    """The rows of the program: customers, limited vehicle types, cuts.

    A route enters a ``Cut``, and has pairs of a ``SubsetRow``, of which a
    solution has one at most.
    """

    num_own: int
    limited: tuple[int, ...]
    cuts: list[Cut | SubsetRow]

    @property
    def first_cut(self) -> int:
        """Place of the first cut among the rows."""
        return self.num_own + len(self.limited)


def concatenated(
    lists: Sequence[Sequence[int] | np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Return lists one after another, int32, and where each begins."""
    nodes = np.fromiter(chain.from_iterable(lists), dtype=np.int32)
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int32)
    return nodes, starts


def coefficients(
    columns: Sequence[Column],
    cuts: Sequence[Cut | SubsetRow],
    num_nodes: int,
) -> np.ndarray:
    """Return the coefficient of each column (axis 1) in each cut."""
    table = np.zeros((len(cuts), len(columns)), dtype=np.int32)
    if not table.size:
        return table
    lists = [(*column.customers, 0) for column in columns]
    visits, starts = concatenated(lists)
    types = np.array([column.vehicle_type for column in columns])
    pairs: list[int] = []
    subset_rows: list[SubsetRow] = []
    for k, cut in enumerate(cuts):
        if isinstance(cut, Cut):
            # A route begins at the depot, which ends the one before.
            inside = cut.is_in[visits]
            enters = inside & ~np.append(False, inside[:-1])
            counts = np.add.reduceat(enters.astype(np.int32), starts[:-1])
            if cut.vehicle_type is not None:
                counts[types != cut.vehicle_type] = 0
            table[k] = cut.sign * counts
        else:
            pairs.append(k)
            subset_rows.append(cut)
    most = _columns.MAX_SUBSET_ROWS
    for first in range(0, len(pairs), most):
        part = subset_rows[first : first + most]
        prices = np.ones(len(part), np.int64)
        counts = np.zeros((len(columns), most), dtype=np.int32)
        _subset_rows(part, prices, num_nodes).count(visits, starts, counts)
        table[pairs[first : first + most]] = -counts[:, : len(part)].T
    return table


def _subset_rows(
    cuts: Sequence[SubsetRow], prices: np.ndarray, num_nodes: int
) -> _columns.SubsetRows:
    return _columns.SubsetRows(
        num_nodes,
        *concatenated([cut.members for cut in cuts]),
        *concatenated([cut.memory for cut in cuts]),
        prices,
    )


class Duals:
    """Duals in even units, and what they prove.

    Rounded down, but up where they add to the cost of a route: no route of the
    program then costs less than before.
    """

    def __init__(
        self, problem: Relaxation, duals: np.ndarray, rows: Rows
    ) -> None:
        self._problem = problem
        half = 2.0 ** (problem.exponent - 1)
        adds = [False] * rows.num_own + [True] * len(rows.limited)
        adds += [cut.sign < 0 for cut in rows.cuts]
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
            (cut, cut.sign * dual)
            for cut, dual in zip(rows.cuts, cuts.tolist(), strict=True)
            if dual and isinstance(cut, Cut)
        ]
        pairs = [
            (cut, dual)
            for cut, dual in zip(rows.cuts, cuts.tolist(), strict=True)
            if dual and isinstance(cut, SubsetRow)
        ]
        self._used = np.array([dual for _, dual in capacity], dtype=np.int64)
        self._needed = [cut.needed for cut, _ in capacity]
        self._types = [cut.vehicle_type for cut, _ in capacity]
        self._members, self._starts = concatenated(
            [np.flatnonzero(cut.is_in) for cut, _ in capacity]
        )
        prices = np.array([dual for _, dual in pairs], dtype=np.int64)
        self._pairs = [cut for cut, _ in pairs]
        self._prices = prices

    @property
    def subset_rows(self) -> _columns.SubsetRows:
        """The subset rows and their prices, for labels."""
        return _subset_rows(self._pairs, self._prices, self._problem.num_nodes)

    @property
    def of_pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same for routes: members, where each begins, prices."""
        members = [cut.members for cut in self._pairs]
        return *concatenated(members), self._prices

    def reduced(self, vehicle_type: int, units: np.ndarray) -> np.ndarray:
        """Return the reduced cost of each arc of a vehicle type."""
        # A vehicle leaves the depot once and comes back once.
        depot = -self._vehicles.get(vehicle_type, 0)
        nodes = np.append(depot, self._rows[self._problem.rows])
        is_own = [each in (None, vehicle_type) for each in self._types]
        out = np.empty_like(units)
        _columns.reduce_costs(
            units,
            nodes,
            self._members,
            self._starts,
            self._used * np.array(is_own, dtype=np.int64),
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
        total -= int(self._prices.sum())
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
