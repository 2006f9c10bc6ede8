"""Which customers must be served, and what the others are worth."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import (
    Declared,
    blanks_of,
    flag,
    parts,
    per_node,
    text,
    wholes,
)
from ncc_routing.problems.values import (
    numbers,
    read_only,
    refuse,
    require_sum,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

MOST_PRIORITY: Final = 100
"""The largest priority, as in VROOM."""


@dataclass(frozen=True)
class Group(Declared):
    """Customers of which at most one is served.

    Parameters
    ----------
    customers
        Their nodes, at least one.
    required
        Whether exactly one is served. Default ``True``.
    name
        Name of the group. Default: empty.

    Raises
    ------
    InstanceError
        If there is no customer, or one occurs twice.
    """

    customers: tuple[int, ...] = wholes(MISSING)
    required: bool = flag(True)
    name: str = text("")

    def __post_init__(self) -> None:
        self.read_fields("group")
        given = self.customers
        if not given or len(set(given)) < len(given):
            rule = "must be one or more different customers"
            raise InstanceError("group", "customers", rule, given)


def _of_nodes(source: str, name: str, given: object) -> np.ndarray:
    values = numbers(source, name, given)
    if values.ndim != 1:
        rule = "must be a number for each node"
        raise InstanceError(source, name, rule, values.shape)
    return values


def _prizes(source: str, name: str, given: object, least: int) -> np.ndarray:
    prizes = _of_nodes(source, name, given)
    is_wrong = ~((prizes >= least) & (prizes < np.inf))
    rule = "must be a number that is not negative (entry {})"
    refuse(is_wrong, source, name, rule, prizes)
    require_sum(source, name, float(prizes.sum()))
    return read_only(prizes)


def _required(source: str, name: str, given: object) -> np.ndarray:
    return read_only(_of_nodes(source, name, given) != 0)


def _wholes(
    source: str, name: str, given: object, least: int, most: int
) -> np.ndarray:
    values = _of_nodes(source, name, given)
    is_wrong = ~((values >= least) & (values <= most))
    is_wrong |= values != np.rint(values)
    rule = f"must be a whole number from {least} to {most} (entry {{}})"
    refuse(is_wrong, source, name, rule, values)
    return read_only(values.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Selection(Declared):
    """Required customers, and the prizes lost with unserved ones.

    For a shipment, the node of the pickup matters: the delivery has the prize
    0, and is required if the pickup is. On board an in-progress route, the
    delivery has its own.

    Parameters
    ----------
    prizes
        Prize of each node, >= 0, an entry for every node; 0 for depots.
    required
        Whether each node must be served, an entry for every node. Members of
        groups are not required themselves. Entries of depots have no effect.
    groups
        Customers of which at most one is served. They are disjoint. Default:
        none.
    priorities
        Priority of each node, a whole number from 0 to 100: if not all
        required customers can be served, those of low priority are left out
        first. For a shipment the node of the pickup matters, and for a group
        its highest priority. Default: 0 for all.

    Raises
    ------
    InstanceError
        If shapes differ, a prize is negative or not a number, a priority is no
        whole number from 0 to 100, a customer is in two groups, or a member of
        a group is required.
    """

    prizes: np.ndarray = per_node(
        _prizes,
        least=0,
        says="cost if the customer is not served; 0: the customer is "
        "mandatory",
        column="prize",
    )
    required: np.ndarray = per_node(_required, blank=True)
    groups: tuple[Group, ...] = parts(Group)
    priorities: np.ndarray | None = per_node(
        _wholes,
        None,
        least=0,
        most=MOST_PRIORITY,
        says="0 to 100: customers of low priority are left out first; "
        "empty: 0",
        column="priority",
        vrplib="PRIORITY amount",
    )

    def __post_init__(self) -> None:
        self.read_fields("selection")
        for name in blanks_of(type(self)):
            values = getattr(self, name)
            if values is not None and values.shape != self.prizes.shape:
                rule = "must be as many as prizes, one for each node"
                raise InstanceError("selection", name, rule, values.shape)

    @property
    def is_integral(self) -> bool:
        """Whether every prize is a whole number."""
        return bool((self.prizes == np.rint(self.prizes)).all())

    def lost_prizes(self, served: Collection[int]) -> float:
        """Return the prizes of all nodes but those that are served."""
        left_out = np.ones(len(self.prizes), dtype=bool)
        left_out[list(served)] = False
        return float(self.prizes[left_out].sum())

    def check(
        self,
        source: str,
        depots: tuple[int, ...],
        describe: Callable[[int], str],
    ) -> None:
        """Refuse what does not suit an instance with these depots.

        ``describe`` returns a node in words.
        """
        for depot in depots:
            if self.prizes[depot] != 0:
                rule = "the prize of a depot must be 0"
                value = float(self.prizes[depot])
                raise InstanceError(source, "prizes", rule, value)
        grouped: set[int] = set()
        for number, group in enumerate(self.groups, start=1):
            for node in group.customers:
                rule = ""
                if node in depots or node >= len(self.prizes):
                    rule = "must be customers"
                elif node in grouped:
                    rule = f"{describe(node)} must be in no other group"
                elif self.required[node]:
                    rule = f"{describe(node)} must not be required itself"
                if rule:
                    place = f"group {number}, customers"
                    raise InstanceError(source, place, rule, node)
                grouped.add(node)
