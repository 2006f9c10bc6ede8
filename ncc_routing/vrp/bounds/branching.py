"""Branch and bound over the master program, the weakest bound first."""

from __future__ import annotations

import heapq
import math
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import columns as _columns
from ncc_routing.vrp.bounds.generation import (
    CLEAR_PART,
    Generation,
    part_of,
    vehicles_of,
)
from ncc_routing.vrp.bounds.rows import Cut, coefficients

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.vrp.bounds.generation import Master
    from ncc_routing.vrp.bounds.relaxed import Relaxation
    from ncc_routing.vrp.bounds.rows import Column

    _Report = Callable[[int, np.ndarray | None], None]

_NUM_TRIED: Final = 12
"""Branchings whose programs are solved before one is chosen."""

_INTEGRAL: Final = 1e-4
"""Use of an arc, or distance from a whole number, that is none."""


class _Ban(NamedTuple):
    """Vehicle types that do not serve a customer."""

    customer: int
    vehicle_types: frozenset[int]

    def coefficients(self, columns: Sequence[Column]) -> np.ndarray:
        """Return its row, whose lower bound is 0."""
        return np.array([-float(self.forbids(column)) for column in columns])

    def forbids(self, column: Column) -> bool:
        """Whether a route is one of these vehicles to the customer."""
        return (
            column.vehicle_type in self.vehicle_types
            and self.customer in column.customers
        )


class _Branching(NamedTuple):
    """Two rules of which each solution keeps one; ``part`` is fractional."""

    rules: tuple[Cut | _Ban, Cut | _Ban]
    part: float


def search_tree(
    problem: Relaxation,
    root: Master,
    upper: Callable[[], float],
    deadline: TimeLimit,
    prove: bool,
    report: _Report,
    found: Callable[[Sequence[Column]], float],
) -> None:
    """Raise the bound until a deadline, by branching if it has to be proven.

    Each pair of customers has one way into it or two (Lysgaard, Letchford and
    Eglese 2004), and each customer one vehicle type. The arguments are those
    of ``Generation``; ``upper`` returns the cost of the best known solution,
    and the report has shares of the rows only in bounds of the root. Nothing
    branches while no solution is known.
    """
    order = count()
    open_nodes = [(root.bound, next(order), root)]
    stuck: list[int] = []
    while open_nodes and not deadline.passed():
        if stuck and open_nodes[0][0] >= min(stuck):
            return  # the bound can rise no more
        bound, number, master = heapq.heappop(open_nodes)
        others = [*stuck, *(each for each, *_ in open_nodes[:1])]
        report(min([bound, *others]), None)

        note = _reporting(report, others, is_root=number == 0)
        can_end = prove and upper() < math.inf
        node = Generation(problem, master, upper(), note, found, can_end)
        node.run(deadline)
        if node.is_closed:
            continue
        # Where labels are too many at the root, they are in all nodes.
        can_end &= node.is_converged or number > 0
        children = _children(node, problem, deadline) if can_end else []
        if not children:
            stuck.append(node.bound)
        for child in children:
            heapq.heappush(open_nodes, (child.bound, next(order), child))
    if not open_nodes and not stuck:
        report(math.floor(problem.worth_of(upper())) + 1, None)


def _reporting(
    report: _Report, others: Sequence[int], *, is_root: bool
) -> _Report:
    """Return a report of the weakest bound: that of a node or of others."""

    def note(bound: int, shares: np.ndarray | None) -> None:
        report(min([bound, *others]), shares if is_root else None)

    return note


def _children(
    node: Generation, problem: Relaxation, deadline: TimeLimit
) -> list[Master]:
    """Return both parts of what is left of a node."""
    branchings = _branchings(node.used, problem)
    best, chosen = -math.inf, None
    for each in branchings[:_NUM_TRIED]:
        if deadline.passed():
            return []
        gains = [
            node.gain_of(*_row(rule, node.columns)) for rule in each.rules
        ]
        score = math.prod(max(gain, 1e-6) for gain in gains)
        if score > best:
            best, chosen = score, each
    if chosen is None:
        return []
    return [_with_rule(node.master, rule) for rule in chosen.rules]


def _row(
    rule: Cut | _Ban, columns: Sequence[Column]
) -> tuple[float, np.ndarray]:
    if isinstance(rule, _Ban):
        return 0.0, rule.coefficients(columns)
    size = len(rule.is_in)
    return float(rule.lower), coefficients(columns, [rule], size)[0]


def _with_rule(master: Master, rule: Cut | _Ban) -> Master:
    if isinstance(rule, Cut):
        return master._replace(
            cuts=[*master.cuts, rule], duals=np.append(master.duals, 0.0)
        )
    units = [each.copy() for each in master.units]
    for t in rule.vehicle_types:
        units[t][:, rule.customer] = _columns.NO_ARC
    columns = [each for each in master.columns if not rule.forbids(each)]
    return master._replace(units=units, columns=columns)


def _branchings(
    used: Sequence[tuple[Column, float]], problem: Relaxation
) -> list[_Branching]:
    """Return all branchings of a solution, the least decided first."""
    size, num_types = problem.num_nodes, len(problem.types)
    flow = np.zeros((size, size))
    by_type = np.zeros((num_types, size))
    for (t, customers), value in used:
        visits = np.array((0, *customers, 0))
        np.add.at(flow, (visits[:-1], visits[1:]), value)
        np.add.at(by_type[t], visits[1:-1], value)
    everyone = np.arange(size) > 0
    found = [
        _by_ways(everyone, total, t)
        for t, total in vehicles_of(used, num_types).items()
        if part_of(total) > _INTEGRAL
    ]
    if any(each.part >= CLEAR_PART for each in found):
        return found
    visits_of = by_type.sum(axis=0)
    enters = visits_of[:, None] + visits_of - flow - flow.T
    parts = np.abs(enters - np.rint(enters))
    is_used = flow + flow.T > _INTEGRAL
    for i, j in np.argwhere(np.triu((parts > _INTEGRAL) & is_used, 1)):
        if i > 0:
            is_in = np.zeros(size, dtype=bool)
            is_in[[i, j]] = True
            found.append(_by_ways(is_in, float(enters[i, j])))
    if num_types > 1:
        shares = np.abs(by_type - np.rint(by_type))
        for t, customer in zip(*np.nonzero(shares > _INTEGRAL), strict=True):
            one = frozenset([int(t)])
            rest = frozenset(range(num_types)) - one
            rules = (_Ban(int(customer), one), _Ban(int(customer), rest))
            found.append(_Branching(rules, float(shares[t, customer])))
    found.sort(key=lambda each: -each.part)
    return found


def _by_ways(
    is_in: np.ndarray, ways: float, vehicle_type: int | None = None
) -> _Branching:
    few = math.floor(ways)
    rules = (
        Cut(is_in, few, True, True, vehicle_type),
        Cut(is_in, few + 1, False, True, vehicle_type),
    )
    return _Branching(rules, part_of(ways))
