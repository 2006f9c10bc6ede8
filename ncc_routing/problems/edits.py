"""Instances with more customers."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.given_columns import GivenColumn
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.schedules import own_durations
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True)
class NewPlace:
    """Where a new customer is.

    Parameters
    ----------
    twin
        A node of the instance at the same place. Default: none.
    distances, durations
        From it to each node and back, shape (2, nodes), new customers before
        it included. Default: those of the twin, of the coordinates, and by
        ``Instance.speed``.
    """

    twin: int | None = None
    distances: np.ndarray | None = None
    durations: np.ndarray | None = None


def with_customers(
    instance: Instance, added: Instance, places: Sequence[NewPlace]
) -> Instance:
    """Return an instance with the customers of another one behind its own.

    Depots, fleet and rules are those of the first one; services and set-ups of
    vehicle types are at new customers those of all. ``places`` has an entry
    for each new customer.
    """
    first, count = instance.num_customers + 1, added.num_customers
    names = added.node_ids[1 : count + 1]

    def put(entries: Any, more: Any) -> Any:
        """Return entries of nodes with those of the new customers."""
        parts = (entries[:first], more[1 : count + 1], entries[first:])
        if isinstance(entries, np.ndarray):
            return np.concatenate(parts)
        return tuple(entry for part in parts for entry in part)

    def put_part(field: str, nothing: Any, **changes: Any) -> Any:
        """Return a part with arrays of nodes; ``None`` says nothing."""
        parts = [getattr(one, field) for one in (instance, added)]
        if parts == [None, None]:
            return None
        part, more = (
            nothing(one) if part is None else part
            for part, one in zip(parts, (instance, added), strict=True)
        )
        for each in fields(part):
            if each.name in changes:
                continue
            pair = [getattr(one, each.name) for one in (part, more)]
            given = [array for array in pair if isinstance(array, np.ndarray)]
            if len(given) == 1:  # what the other one does not say is 0
                sizes = (len(one.demands) for one in (instance, added))
                pair = [
                    np.zeros(size, given[0].dtype) if array is None else array
                    for array, size in zip(pair, sizes, strict=True)
                ]
            if given:
                changes[each.name] = put(*pair)
        return replace(part, **changes)

    def moved(group: Sequence[int]) -> tuple[int, ...]:
        return tuple(node + first - 1 for node in group)

    coords = instance.coords
    if coords is not None:
        rows = np.zeros((count + 1, 2))
        for number, place in enumerate(places, start=1):
            if place.twin is None and added.coords is None:
                rule = "needs coordinates, or a place"
                raise InstanceError(names[number - 1], "order", rule)
            known = coords if added.coords is None else added.coords
            node = number if place.twin is None else place.twin
            rows[number] = (known if place.twin is None else coords)[node]
        coords = put(coords, rows)
    shipments = [
        replace(
            one,
            pickup=moved([one.pickup])[0],
            delivery=moved([one.delivery])[0],
        )
        for one in added.shipments
    ]
    grown = _Grown(names, first, places)
    durations = instance.durations
    if any(place.durations is not None for place in places):
        durations = own_durations(instance, 0)
    times = added.windows or TimeWindows.of(len(added.demands))
    work = "service_durations", "setup_durations"
    fleet = instance.fleet
    if fleet is not None:
        types = (
            replace(
                one,
                **{
                    name: put(own, getattr(times, name).tolist())
                    for name in work
                    if (own := getattr(one, name))
                },
            )
            for one in fleet.types
        )
        fleet = replace(fleet, types=tuple(types))
    return replace(
        instance,
        fleet=fleet,
        demands=put(instance.demands, added.demands),
        coords=coords,
        ids=put(instance.node_ids, added.node_ids),
        windows=put_part(
            "windows",
            lambda one: TimeWindows.of(len(one.demands)),
            windows=put(*map(_windows_of, (instance, added))),
        ),
        loads=put_part("loads", _deliveries),
        selection=put_part("selection", _all_required),
        shipments=(*instance.shipments, *shipments),
        columns=_columns(instance, added, put),
        constraints=_constraints(instance, added, put),
        matrix=grown.matrix(instance.matrix, "distances"),
        durations=grown.matrix(durations, "durations"),
        profiles=tuple(
            Profile(
                grown.matrix(one.matrix, ""), grown.matrix(one.durations, "")
            )
            for one in instance.profiles
        ),
    )


def _columns(
    instance: Instance, added: Instance, put: Any
) -> tuple[GivenColumn, ...]:
    """Return the columns of both by their titles, empty where one has none."""
    cells: list[dict[str, Any]] = [
        {column.title.casefold(): column.cells for column in one.columns}
        for one in (instance, added)
    ]
    both = (*added.columns, *instance.columns)
    titles = {column.title.casefold(): column.title for column in both}
    sizes = [len(one.demands) for one in (instance, added)]
    return tuple(
        GivenColumn(
            titles[key],
            put(
                *(
                    given.get(key, (None,) * size)
                    for given, size in zip(cells, sizes, strict=True)
                )
            ),
        )
        for key in cells[0] | cells[1]
    )


def _windows_of(instance: Instance) -> list[list[tuple[int, int]]]:
    if instance.windows is None:
        return [[] for _ in instance.demands]
    return instance.windows.list_windows()


def _deliveries(instance: Instance) -> Loads:
    demands = instance.demands[:, None]
    return Loads(demands, np.zeros_like(demands))


def _all_required(instance: Instance) -> Selection:
    size = len(instance.demands)
    return Selection(np.zeros(size), np.ones(size, dtype=bool))


def _constraints(
    instance: Instance, added: Instance, put: Any
) -> RouteConstraints | None:
    if instance.constraints is None and added.constraints is None:
        return None
    rules = [
        one.constraints or RouteConstraints() for one in (instance, added)
    ]
    changes: dict[str, Any] = {}
    for field, nothing in (
        ("skills", ()),
        ("vehicles", None),
        ("districts", -1),
    ):
        if any(getattr(one, field) for one in rules):
            sizes = (len(one.demands) for one in (instance, added))
            changes[field] = put(
                *(
                    getattr(one, field) or (nothing,) * size
                    for one, size in zip(rules, sizes, strict=True)
                )
            )
    return replace(rules[0], **changes)


@dataclass(frozen=True)
class _Grown:
    """Matrices with a row and a column for each new customer."""

    names: Sequence[str]
    first: int
    places: Sequence[NewPlace]

    def matrix(self, matrix: Any, field: str) -> Any:
        """Return a matrix with the rows of a field; ``None`` stays."""
        if matrix is None:
            return None
        for number, place in enumerate(self.places):
            size, at = len(matrix), self.first + number
            rows = getattr(place, field, None)
            if rows is None and place.twin is not None:
                twin = place.twin + number * (place.twin >= self.first)
                rows = np.array([matrix[twin], matrix[:, twin]])
            if rows is None or rows.shape != (2, size):
                rule = f"needs {field or 'a place'}"
                if field:
                    rule += f" to each of {size} nodes and back, or a place"
                raise InstanceError(self.names[number], "order", rule)
            grown = np.zeros((size + 1, size + 1))
            parts = (
                (slice(at), slice(at)),
                (slice(at, size), slice(at + 1, None)),
            )
            for old, new in parts:
                grown[at, new], grown[new, at] = rows[:, old]
                for other, there in parts:
                    grown[new, there] = matrix[old, other]
            matrix = grown
        return matrix
