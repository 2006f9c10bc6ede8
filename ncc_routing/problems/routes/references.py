"""Past routes or districts that routes are compared with, and what is kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.text_files import describe_value

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

FREE: Final = -1
"""District of a customer that belongs to none, as a new one."""

_BLOCK: Final = 256
"""Customers whose distances to all others are looked up at once."""


@dataclass(frozen=True)
class PastRoutes:
    """Routes of another instance, such as the day before.

    Parameters
    ----------
    instance
        The instance that the routes are of.
    routes
        Its customers 1..n, one sequence for each route.
    """

    instance: Instance
    routes: Sequence[Sequence[int]]


def reference_labels(instance: Instance, reference: object) -> np.ndarray:
    """Return the district that each customer belongs to.

    Parameters
    ----------
    instance
        The instance of today.
    reference
        A solution, or anything else with ``routes``: each route is a district.
        Its customers are those of the instance by their numbers, unless it
        has an ``instance`` of its own, as ``PastRoutes`` and results do:
        then customers are the same who have the same id, or, where one of
        the instances has no ids, the same place. Or districts: a mapping
        from ids (of an instance without ids, numbers) to names of districts,
        or an array of shape (n + 1,) with a number for each node, negative
        for none.

    Returns
    -------
    numpy.ndarray
        Int32 array of shape (n + 1,): districts 0, 1, ... in the order of
        their first customers, ``FREE`` for the others. Nodes that are no
        customers have none.

    Raises
    ------
    ParameterError
        If it is nothing of that kind, a route has a customer that is not in
        its instance or is there twice, or no customer has a district.
    """
    routes: Any = getattr(reference, "routes", None)
    if routes is not None:
        past = getattr(reference, "instance", None)
        names = _districts_of_routes(past or instance, routes)
        if past is not None and past is not instance:
            names = _carried_over(past, instance, names)
    elif isinstance(reference, Mapping):
        names = _districts_of_ids(instance, reference)
    else:
        names = _districts_of_nodes(instance, reference)
    labels = np.full(len(instance.demands), FREE, dtype=np.int32)
    numbers: dict[Hashable, int] = {}
    for customer in range(1, instance.num_customers + 1):
        district = names[customer]
        if district is not None:
            labels[customer] = numbers.setdefault(district, len(numbers))
    if not numbers:
        raise ParameterError(
            f"reference: no customer of {instance.name} is in it."
        )
    return labels


def identities(instances: Sequence[Instance]) -> list[Sequence[Hashable]]:
    """Return by what the nodes of instances are told apart, for each.

    Ids where all have them, else places, else numbers.
    """
    if all(one.ids is not None for one in instances):
        return [one.node_ids for one in instances]
    places = [one.coords for one in instances]
    if all(each is not None for each in places):
        return [
            list(map(tuple, each.tolist()))
            for each in places
            if each is not None
        ]
    return [one.node_ids for one in instances]


def nearest_districts(instance: Instance, labels: np.ndarray) -> np.ndarray:
    """Return the district of each node, else of the nearest customer."""
    homes = labels.copy()
    known, free = np.flatnonzero(labels >= 0), np.flatnonzero(labels < 0)
    if instance.coords is not None:
        places = instance.plane_coords("consistency")
        _, nearest = nearest_points(places[known])(places[free], 1)
        homes[free] = labels[known[nearest[:, 0]]]
        return homes
    for low in range(0, len(free), _BLOCK):
        block = free[low : low + _BLOCK]
        gaps = instance.distances(block, known)
        homes[block] = labels[known[gaps.argmin(axis=1)]]
    return homes


def _districts_of_routes(
    instance: Instance, routes: Iterable[Iterable[int]]
) -> list[Hashable]:
    """Return the number of the route of each node, ``None`` for none."""
    districts: list[Hashable] = [None] * len(instance.demands)
    reloads = {
        instance.depots[depot]
        for vehicle_type in instance.vehicle_types
        if vehicle_type.can_reload
        for depot in vehicle_type.reload_depots
    }
    for number, route in enumerate(routes):
        for customer in route:
            if customer in reloads:
                continue
            if not 1 <= customer <= instance.num_customers:
                raise ParameterError(
                    f"reference: customer {customer} is not in "
                    f"{instance.name}, which has {instance.num_customers}."
                )
            if districts[customer] is not None:
                raise ParameterError(
                    f"reference: {instance.describe_node(customer)} is there "
                    "twice."
                )
            districts[customer] = number
    return districts


def _carried_over(
    past: Instance, instance: Instance, districts: Sequence[Hashable]
) -> list[Hashable]:
    """Return the districts of the nodes of another instance.

    Of several customers at one place the k-th stays the k-th.
    """
    waiting: dict[Hashable, list[Hashable]] = {}
    old, new = identities([past, instance])
    for key, district in zip(old[1:], districts[1:], strict=True):
        waiting.setdefault(key, []).append(district)
    for entries in waiting.values():
        entries.reverse()
    carried: list[Hashable] = [None]
    for key in new[1:]:
        entries = waiting.get(key, [])
        carried.append(entries.pop() if entries else None)
    return carried


def _districts_of_ids(
    instance: Instance, districts: Mapping[Any, Hashable]
) -> list[Hashable]:
    named = {str(name): district for name, district in districts.items()}
    return [named.get(name) for name in instance.node_ids]


def _districts_of_nodes(instance: Instance, labels: object) -> list[Hashable]:
    if (
        isinstance(labels, (str, bytes))
        or not isinstance(labels, (Sequence, np.ndarray))
        or getattr(labels, "ndim", 1) != 1
    ):
        raise ParameterError(
            "reference must be a solution, a result, PastRoutes, a mapping "
            "from ids to districts, or an array of labels, got "
            f"{describe_value(labels)}."
        )
    size = len(instance.demands)
    is_whole = all(isinstance(value, Integral) for value in labels)
    if len(labels) != size or not is_whole:
        raise ParameterError(
            f"reference: labels must be {size} whole numbers, one for each "
            f"node of {instance.name}, got {describe_value(labels)}; routes "
            "are a Solution."
        )
    return [None if district < 0 else int(district) for district in labels]


@dataclass(frozen=True)
class Consistency:
    """Measures of what routes keep of a reference.

    Customers without a district, such as new ones, or without a route do not
    count.

    Parameters
    ----------
    kept_pairs
        Share of the pairs of customers of one district that share a route. 1
        where no district has two customers on routes.
    moved
        Share of the customers that are on a route of another district. A route
        is of the district from which most of its customers are.
    """

    kept_pairs: float
    moved: float


def measure_consistency(
    labels: Sequence[int] | np.ndarray, routes: Sequence[Sequence[int]]
) -> Consistency:
    """Return what routes keep of a reference.

    ``labels`` are those of ``references.reference_labels``, with at least one
    district.
    """
    owners = np.repeat(np.arange(len(routes)), list(map(len, routes)))
    districts = np.asarray(labels)[
        [node for route in routes for node in route]
    ]
    sizes = np.bincount(districts[districts >= 0])
    groups = district_groups(districts, owners)
    num_pairs = float((sizes * (sizes - 1)).sum())
    num_kept = float((groups.sizes * (groups.sizes - 1)).sum())
    stayed = np.zeros(len(routes), dtype=np.int64)
    np.maximum.at(stayed, groups.routes, groups.sizes)
    num_known = int(sizes.sum())
    return Consistency(
        kept_pairs=num_kept / num_pairs if num_pairs > 0.0 else 1.0,
        moved=1.0 - int(stayed.sum()) / num_known if num_known > 0 else 0.0,
    )


class DistrictGroups(NamedTuple):
    """Groups of customers of one district on one route, and their sizes."""

    routes: np.ndarray
    districts: np.ndarray
    sizes: np.ndarray


def district_groups(
    districts: np.ndarray, owners: np.ndarray
) -> DistrictGroups:
    """Count the customers of each district (negative: none) on each route."""
    is_known = districts >= 0
    width = max(1, int(districts.max(initial=0)) + 1)
    keys = owners[is_known].astype(np.int64) * width + districts[is_known]
    groups, sizes = np.unique(keys, return_counts=True)
    return DistrictGroups(groups // width, groups % width, sizes)
