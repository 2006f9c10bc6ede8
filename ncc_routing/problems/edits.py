"""Instances with more customers."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.given_columns import GivenColumn
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.route_constraints import BLANKS, RouteConstraints
from ncc_routing.problems.schedules import own_durations
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.fleet import Fleet
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
    join = _Join(instance, added)
    first, names = instance.num_customers + 1, added.node_ids[1 : join.end]
    shipments = [
        replace(
            one,
            pickup=one.pickup + first - 1,
            delivery=one.delivery + first - 1,
        )
        for one in added.shipments
    ]
    grown = _Grown(names, first, places)
    durations = instance.durations
    if any(place.durations is not None for place in places):
        durations = own_durations(instance, 0)
    return replace(
        instance,
        fleet=_fleet(join),
        demands=join.entries(instance.demands, added.demands),
        coords=_coords(join, names, places),
        ids=join.entries(instance.node_ids, added.node_ids),
        places=_places(join, places),
        windows=join.part(
            "windows",
            lambda one: TimeWindows.of(len(one.demands)),
            windows=_windows(join),
            preferred=_preferred(join),
        ),
        loads=join.part("loads", _deliveries),
        selection=join.part("selection", _all_required),
        shipments=(*instance.shipments, *shipments),
        columns=_columns(join),
        constraints=_constraints(join),
        matrix=grown.matrix(instance.matrix, "distances"),
        durations=grown.matrix(durations, "durations"),
        profiles=tuple(
            Profile(
                grown.matrix(one.matrix, ""), grown.matrix(one.durations, "")
            )
            for one in instance.profiles
        ),
    )


def with_load_parts(instance: Instance, parts: Sequence[int]) -> Instance:
    """Return an instance whose loads count in multiples of its own parts.

    ``parts`` are those of each load dimension, as ``Instance.load_parts``.
    """
    ones = (1,) * instance.num_load_dimensions
    given, parts = instance.load_parts or ones, tuple(parts) or ones
    if parts == given:
        return instance
    factors = [new // old for new, old in zip(parts, given, strict=True)]

    def finer(loads: Sequence[int]) -> tuple[int, ...]:
        pairs = zip(loads, factors, strict=False)
        return tuple(
            load if load >= NO_LIMIT else load * factor
            for load, factor in pairs
        )

    fleet, loads = instance.fleet, instance.loads
    if fleet is not None:
        types = (
            replace(
                one,
                capacity=finer(one.capacities)[0],
                other_capacities=finer(one.capacities)[1:],
                initial_load=finer(one.initial_load),
                min_load=finer([one.min_load])[0],
                breaks=tuple(
                    replace(
                        each, max_load=each.max_load and finer(each.max_load)
                    )
                    for each in one.breaks
                ),
            )
            for one in fleet.types
        )
        fleet = replace(fleet, types=tuple(types))
    if loads is not None:
        loads = replace(
            loads,
            delivery=loads.delivery * factors,
            pickup=loads.pickup * factors,
        )
    shipments = (
        replace(one, amount=finer(one.amount)) for one in instance.shipments
    )
    constraints = instance.constraints
    if constraints is not None:
        begun = (
            replace(one, undelivered=tuple(map(finer, one.undelivered)))
            for one in constraints.in_progress
        )
        constraints = replace(constraints, in_progress=tuple(begun))
    return replace(
        instance,
        demands=instance.demands * factors[0],
        capacity=fleet.capacity if fleet else finer([instance.capacity])[0],
        loads=loads,
        fleet=fleet,
        shipments=tuple(shipments),
        constraints=constraints,
        load_parts=parts,
    )


class _Join(NamedTuple):
    """An instance and one whose customers come behind its own."""

    instance: Instance
    added: Instance

    @property
    def end(self) -> int:
        """The node behind the new customers, in their own instance."""
        return self.added.num_customers + 1

    @property
    def sizes(self) -> list[int]:
        """The numbers of nodes of both."""
        return [len(one.demands) for one in self]

    def entries(self, entries: Any, more: Any) -> Any:
        """Return entries of nodes with those of the new customers."""
        first = self.instance.num_customers + 1
        parts = (entries[:first], more[1 : self.end], entries[first:])
        if isinstance(entries, np.ndarray):
            return np.concatenate(parts)
        return tuple(chain.from_iterable(parts))

    def part(self, field: str, nothing: Any, **changes: Any) -> Any:
        """Return a part with arrays of nodes; ``None`` says nothing."""
        parts = [getattr(one, field) for one in self]
        if parts == [None, None]:
            return None
        part, more = (
            nothing(one) if part is None else part
            for part, one in zip(parts, self, strict=True)
        )
        for each in fields(part):
            if each.name in changes:
                continue
            pair = [getattr(one, each.name) for one in (part, more)]
            given = [array for array in pair if isinstance(array, np.ndarray)]
            if len(given) == 1:  # what the other one does not say is 0
                pair = [
                    np.zeros(size, given[0].dtype) if array is None else array
                    for array, size in zip(pair, self.sizes, strict=True)
                ]
            if given:
                changes[each.name] = self.entries(*pair)
        return replace(part, **changes)


def _coords(
    join: _Join, names: Sequence[str], places: Sequence[NewPlace]
) -> np.ndarray | None:
    """Return coordinates; those of a twin are its own."""
    coords, more = join.instance.coords, join.added.coords
    if coords is None:
        return None
    rows = np.zeros((join.end, 2))
    for number, place in enumerate(places, start=1):
        if place.twin is not None:
            rows[number] = coords[place.twin]
        elif more is not None:
            rows[number] = more[number]
        else:
            rule = "needs coordinates, or a place"
            raise InstanceError(names[number - 1], "order", rule)
    return np.asarray(join.entries(coords, rows))


def _places(join: _Join, places: Sequence[NewPlace]) -> np.ndarray | None:
    """Return the numbers of places; that of a twin is its own."""
    known, twins = join.instance.places, [place.twin for place in places]
    if known is None and join.instance.coords is not None:
        return None
    if known is None:
        known = np.arange(len(join.instance.demands))
    numbers = known.max() + np.arange(1 + join.end)
    for number, twin in enumerate(twins, start=1):
        if twin is not None:
            numbers[number] = known[twin]
    return np.asarray(join.entries(known, numbers))


def _fleet(join: _Join) -> Fleet | None:
    """Return the fleet, whose work at new customers is that of all types."""
    fleet, added = join.instance.fleet, join.added
    if fleet is None:
        return None
    times = added.windows or TimeWindows.of(len(added.demands))
    types = []
    for one in fleet.types:
        work = {
            name: join.entries(own, getattr(times, name).tolist())
            for name in ("service_durations", "setup_durations")
            if (own := getattr(one, name))
        }
        types.append(replace(one, **work) if work else one)
    return replace(fleet, types=tuple(types))


def _columns(join: _Join) -> tuple[GivenColumn, ...]:
    """Return the columns of both by their titles, empty where one has none."""
    cells: list[dict[str, Any]] = [
        {column.title.casefold(): column.cells for column in one.columns}
        for one in join
    ]
    both = (*join.added.columns, *join.instance.columns)
    titles = {column.title.casefold(): column.title for column in both}
    return tuple(
        GivenColumn(
            titles[key],
            join.entries(
                *(
                    given.get(key, (None,) * size)
                    for given, size in zip(cells, join.sizes, strict=True)
                )
            ),
        )
        for key in cells[0] | cells[1]
    )


def _windows(join: _Join) -> Any:
    """Return the lists of windows of all nodes, if one has several."""
    each = [one.windows for one in join]
    if all(one is None or one.windows is None for one in each):
        return None
    pairs = zip(each, join.sizes, strict=True)
    return join.entries(
        *((one or TimeWindows.of(n)).list_windows() for one, n in pairs)
    )


def _preferred(join: _Join) -> Any:
    """Return the preferred windows of all nodes, if one has any."""
    each = [one.windows and one.windows.preferred for one in join]
    if all(own is None for own in each):
        return None
    pairs = zip(each, join.sizes, strict=True)
    return join.entries(
        *(
            np.tile([0, NO_LIMIT], (size, 1)) if own is None else own
            for own, size in pairs
        )
    )


def _deliveries(instance: Instance) -> Loads:
    demands = instance.demands[:, None]
    return Loads(demands, np.zeros_like(demands))


def _all_required(instance: Instance) -> Selection:
    size = len(instance.demands)
    return Selection(np.zeros(size), np.ones(size, dtype=bool))


def _constraints(join: _Join) -> RouteConstraints | None:
    given = [one.constraints for one in join]
    if given == [None, None]:
        return None
    rules = [one or RouteConstraints() for one in given]
    changes: dict[str, Any] = {}
    for field, nothing in BLANKS.items():
        if any(getattr(one, field) for one in rules):
            changes[field] = join.entries(
                *(
                    getattr(one, field) or (nothing,) * size
                    for one, size in zip(rules, join.sizes, strict=True)
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
