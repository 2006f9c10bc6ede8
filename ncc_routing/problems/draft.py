"""A problem that can be edited."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import blanks_of, in_files, stated
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import WORK, Instance
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.matrices import Profile
from ncc_routing.problems.route_constraints import (
    GROUPS,
    RouteConstraints,
)
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Self

    from ncc_routing.problems.given_columns import GivenColumn


Values = dict[str, Any]
"""What a file says, by fields of the problem."""

_PARTS: Final = {
    each: tuple(field.name for field in fields(each))
    for each in (Loads, TimeWindows, Selection, RouteConstraints, Source)
}
"""Parts of an instance, whose fields a draft has as its own."""

_BLANKS: Final = {
    name: blank for part in _PARTS for name, blank in blanks_of(part).items()
}
"""Columns with an entry for each node, and entries that say nothing."""


@dataclass(frozen=True)
class NewPlace:
    """Where a new customer is.

    Parameters
    ----------
    twin
        A node of the problem at the same place. Default: none.
    distances, durations
        From it to each node and back, shape (2, nodes), new customers before
        it included. Default: those of the twin, of the coordinates, and by
        ``Instance.speed``.
    """

    twin: int | None = None
    distances: np.ndarray | None = None
    durations: np.ndarray | None = None


class Draft:
    """A problem while it is read or changed, in columns.

    Nothing is checked before ``build``.

    Parameters
    ----------
    values
        By fields of ``Instance``, ``Loads``, ``TimeWindows``, ``Selection``,
        ``RouteConstraints`` and ``Source``; columns have an entry for each
        node: the first depot, the customers, further depots. ``delivery`` must
        be there, in place of ``demands``. Both it and ``pickup`` have a column
        for each load dimension. ``capacity`` is that of a ``fleet`` where
        there is one. Without ``required``, customers without a prize and a
        group are mandatory.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)
        pickup = values.get("pickup")
        if pickup is not None and not pickup.any():
            del self._values["pickup"]
        self._built: Instance | None = None

    @classmethod
    def of(cls, instance: Instance) -> Self:
        """Return the draft of an instance."""
        given = {f.name: getattr(instance, f.name) for f in fields(instance)}
        del given["demands"]
        names = ("loads", "windows", "selection", "constraints", "source")
        parts = [given.pop(name) for name in names]
        draft = cls(given | {"delivery": instance.deliveries})
        for part in parts:
            if part is not None:
                draft._take(part)
        draft._built = instance
        return draft

    def build(self) -> Instance:
        """Return the checked instance, the same one until a value changes.

        Raises
        ------
        InstanceError
            If the values are no problem.
        """
        if self._built is None:
            rest = dict(self._values)
            for name in chain(*_PARTS.values()):
                rest.pop(name, None)
            if rest.get("fleet"):
                rest["capacity"] = rest["fleet"].capacity
            rules = RouteConstraints(**self._given(RouteConstraints))
            self._built = Instance(
                demands=self["delivery"][:, 0],
                loads=self._loads(),
                windows=self.windows if self._given(TimeWindows) else None,
                selection=self._selection(),
                constraints=rules if stated(rules) else None,
                source=Source(**self._given(Source)),
                **rest,
            )
        return self._built

    def __getitem__(self, name: str) -> Any:
        """Return what is given of a field, perhaps ``None``."""
        return self._values.get(name)

    def set(self, **values: Any) -> Self:
        """Replace values by fields."""
        if not all(_is_same(v, self[name]) for name, v in values.items()):
            self._values, self._built = self._values | values, None
        return self

    def _take(self, part: Any) -> Self:
        """Replace the values of a part of the instance."""
        names = _PARTS[type(part)]
        return self.set(**{name: getattr(part, name) for name in names})

    def _given(self, part: type[Any]) -> Values:
        names = _PARTS[part]
        given = {name: self._values.get(name) for name in names}
        return {k: value for k, value in given.items() if value is not None}

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self["delivery"])

    @property
    def num_customers(self) -> int:
        """Number of customers."""
        return self.size - len(self.depots)

    @property
    def depots(self) -> tuple[int, ...]:
        """Nodes of the depots."""
        others = (self["num_depots"] or 1) - 1
        return (0, *range(self.size - others, self.size))

    @property
    def ids(self) -> tuple[str, ...]:
        """Id of each node, or its number as a text."""
        return tuple(self["ids"] or map(str, range(self.size)))

    @property
    def vehicle_types(self) -> tuple[VehicleType, ...]:
        """The types of the fleet."""
        fleet: Fleet | None = self["fleet"]
        if fleet is None:
            return (VehicleType(capacity=self["capacity"]),)
        return fleet.types

    def _loads(self) -> Loads | None:
        """Return the loads, ``None`` where the demands say it all."""
        delivery, pickup = self["delivery"], self["pickup"]
        if pickup is None:
            if delivery.shape[1] == 1:
                return None
            pickup = np.zeros_like(delivery)
        return Loads(delivery, pickup)

    @property
    def windows(self) -> TimeWindows:
        """The times of all nodes."""
        return TimeWindows.of(self.size, **self._given(TimeWindows))

    def _selection(self) -> Selection | None:
        choice = self._given(Selection)
        if not any(map(len, choice.values())):
            return None
        choice = {"prizes": np.zeros(self.size), "groups": (), **choice}
        if "required" not in choice:
            choice["required"] = choice["prizes"] == 0
            for group in choice["groups"]:
                choice["required"][list(group.customers)] = False
        found = Selection(**choice)
        return found if stated(found) else None

    def column(self, name: str) -> Any:
        """Return a copy of the entries of all nodes."""
        given, blank = self[name], _BLANKS[name]
        if name == "windows":
            return self.windows.list_windows()
        if name in ("delivery", "pickup") and given is None:
            return np.zeros_like(self["delivery"])
        if isinstance(blank, int):
            blanks = np.full(self.size, blank)
            return blanks if given is None else np.array(given)
        return (
            list(given)
            if given is not None and len(given)
            else ([blank] * self.size)
        )

    def set_entries(self, nodes: Any, **entries: Any) -> Self:
        """Set entries of a node or several, by columns."""
        for name, entry in entries.items():
            column = self.column(name)
            column[nodes] = entry
            self.set(**{name: column})
        return self

    def clear(self, node: int) -> Self:
        """Let the columns say nothing of a node."""
        given = {
            name: blank
            for name, blank in _BLANKS.items()
            if self[name] is not None and len(self[name])
        }
        self._set_work(lambda _, own: (*own[:node], 0, *own[node + 1 :]))
        return self.set_entries(node, **given)

    def set_window(
        self, node: int, windows: Sequence[tuple[int, int]]
    ) -> None:
        """Set the windows of a node, one or more in their order."""
        ends = {"tw_early": windows[0][0], "tw_late": windows[-1][1]}
        self._take(self.windows.with_times(node, windows, **ends))

    def set_times(self, node: int, **times: Any) -> None:
        """Set times of a node, which then has one window if that changes.

        Services and set-ups are those of all vehicle types.
        """
        self._take(self.windows.with_times(node, **times))
        self._set_work(
            lambda name, own: (
                (*own[:node], times[name], *own[node + 1 :])
                if name in times
                else own
            )
        )

    def set_types(self, types: Iterable[VehicleType]) -> None:
        """Replace all vehicle types."""
        fleet: Fleet | None = self["fleet"]
        numbers = None if fleet is None else fleet.vehicles
        self.set(fleet=Fleet(tuple(types), numbers))

    def _set_work(
        self, change: Callable[[str, tuple[int, ...]], Iterable[int]]
    ) -> None:
        """Change services and set-ups of vehicle types, given their names."""
        if self["fleet"] is None:
            return
        types = []
        for one in self.vehicle_types:
            work: Values = {
                name: tuple(change(name, own))
                for name in WORK
                if (own := getattr(one, name))
            }
            types.append(replace(one, **work) if work else one)
        if tuple(types) != self.vehicle_types:
            self.set_types(types)

    def make_optional(self, customers: Iterable[int]) -> Self:
        """Let some customers be left out."""
        customers = list(customers)
        if not customers:
            return self
        instance = self.build()
        is_required = instance.required
        is_required[customers] = False
        for one in instance.shipments:
            if one.delivery not in instance.open_deliveries:
                is_required[one.delivery] = is_required[one.pickup]
        return self.set(
            required=is_required,
            groups=tuple(
                replace(group, required=False)
                if group.customers[0] in customers
                else group
                for group in self["groups"] or ()
            ),
        )

    def keep(self, nodes: Iterable[int]) -> Self:
        """Drop all nodes but some, in their order.

        The first one is a depot, and the last ones are the other depots.
        Groups keep those members, and both stops of a shipment must be there
        or neither. Who was served on the way stays.
        """
        nodes = [*map(int, nodes)]
        if nodes == [*range(self.size)]:
            return self
        place = {node: new for new, node in enumerate(nodes)}

        def kept(customers: Iterable[int]) -> tuple[int, ...]:
            return tuple(place[each] for each in customers if each in place)

        values: Values = {
            **self._groups(kept),
            "shipments": tuple(
                replace(
                    one, pickup=place[one.pickup], delivery=place[one.delivery]
                )
                for one in self["shipments"] or ()
                if one.pickup in place
            ),
            "in_progress": tuple(
                replace(
                    one,
                    customers=kept(one.customers),
                    on_board=kept(one.on_board),
                    cancelled=kept(one.cancelled),
                )
                for one in self["in_progress"] or ()
            ),
            "columns": tuple(one.take(nodes) for one in self["columns"] or ()),
            "profiles": self._profiles(
                lambda one: _of_nodes(one, nodes, nodes)
            ),
        }
        for name in (*_BLANKS, "ids", "coords", "places"):
            values[name] = _of_nodes(self[name], nodes)
        for name in ("matrix", "durations"):
            values[name] = _of_nodes(self[name], nodes, nodes)
        self._set_work(lambda _, own: map(own.__getitem__, nodes))
        return self.set(**values)

    def leave_groups(self, node: int) -> Self:
        """Let a customer be in no group, of any kind."""

        def kept(customers: Iterable[int]) -> tuple[int, ...]:
            return tuple(each for each in customers if each != node)

        return self.set(**self._groups(kept))

    def _groups(
        self, kept: Callable[[Iterable[int]], tuple[int, ...]]
    ) -> Values:
        """Return all groups of customers, those with some members kept."""
        values: Values = {
            name: tuple(filter(None, map(kept, self[name] or ())))
            for name in GROUPS
        }
        values["groups"] = tuple(
            replace(group, customers=members)
            for group in self["groups"] or ()
            if (members := kept(group.customers))
        )
        return values

    def append(self, added: Draft, places: Sequence[NewPlace]) -> Self:
        """Add the customers of another draft behind its own.

        Depots, fleet and rules stay; services and set-ups of vehicle types are
        at new customers those of all. ``places`` has an entry for each new
        customer.
        """
        first, end = self.num_customers + 1, added.num_customers + 1
        both = (self, added)

        def joined(entries: Any, more: Any) -> Any:
            parts = (entries[:first], more[1:end], entries[first:])
            if isinstance(entries, np.ndarray):
                return np.concatenate(parts)
            return tuple(chain.from_iterable(parts))

        values = {
            name: joined(*(each.column(name) for each in both))
            for name in _BLANKS
            if any(each[name] is not None and len(each[name]) for each in both)
        }
        values["shipments"] = (
            *(self["shipments"] or ()),
            *(
                replace(
                    one,
                    pickup=one.pickup + first - 1,
                    delivery=one.delivery + first - 1,
                )
                for one in added["shipments"] or ()
            ),
        )
        grown = _Grown(added.ids[1:end], first, places)
        durations = self["durations"]
        if any(place.durations is not None for place in places):
            durations = self.build().own_durations
        values |= {
            "ids": joined(self.ids, added.ids),
            "coords": grown.coords(self["coords"], added["coords"], joined),
            "places": self._places(places, joined),
            "columns": _joined_columns(both, joined),
            "matrix": grown.matrix(self["matrix"], "distances"),
            "durations": grown.matrix(durations, "durations"),
            "profiles": self._profiles(lambda one: grown.matrix(one, "")),
        }
        work = {name: added.column(name).tolist() for name in WORK}
        self._set_work(lambda name, own: joined(own, work[name]))
        return self.set(**values)

    def _profiles(self, change: Callable[[Any], Any]) -> tuple[Profile, ...]:
        """Return the profiles with other matrices."""
        return tuple(
            Profile(*(change(getattr(one, f.name)) for f in fields(one)))
            for one in self["profiles"] or ()
        )

    def _places(
        self, places: Sequence[NewPlace], joined: Callable[..., Any]
    ) -> np.ndarray | None:
        """Return the numbers of places; that of a twin is its own."""
        known = self["places"]
        if known is None and self["coords"] is not None:
            return None
        if known is None:
            known = np.arange(self.size)
        numbers = known.max() + np.arange(2 + len(places))
        for number, place in enumerate(places, start=1):
            if place.twin is not None:
                numbers[number] = known[place.twin]
        return np.asarray(joined(known, numbers))

    def count_loads_in(self, parts: Sequence[int]) -> list[int]:
        """Count loads in multiples of their own parts; return the factors.

        ``parts`` are those of each load dimension, as ``Source.load_parts``.
        """
        ones = (1,) * self["delivery"].shape[1]
        given, parts = self["load_parts"] or ones, tuple(parts) or ones
        factors = [new // old for new, old in zip(parts, given, strict=True)]
        if parts == given:
            return factors
        fleet: Fleet | None = self["fleet"]
        if fleet is None:
            self.set(capacity=finer([self["capacity"]], factors)[0])
        else:
            self.set(fleet=finer_fleet(fleet, factors))
        self.set(
            load_parts=parts,
            delivery=self["delivery"] * factors,
            shipments=tuple(
                replace(one, amount=finer(one.amount, factors))
                for one in self["shipments"] or ()
            ),
            in_progress=tuple(
                replace(
                    one,
                    undelivered=[finer(x, factors) for x in one.undelivered],
                )
                for one in self["in_progress"] or ()
            ),
        )
        if self["pickup"] is not None:
            self.set(pickup=self["pickup"] * factors)
        return factors


def restrict(instance: Instance, customers: np.ndarray) -> Instance:
    """Return an instance with some of its customers, in that order.

    Groups keep those members, of shipments both stops must be listed, and
    depots stay. Its nodes lose their ids, and the fleet its single vehicles.
    Of route constraints there may be skills and pins alone.
    """
    draft = Draft.of(instance)
    fleet = instance.fleet and replace(instance.fleet, vehicles=None)
    draft.keep([0, *customers, *instance.depots[1:]])
    if fleet is not None:
        draft.set(fleet=replace(draft["fleet"], vehicles=None))
    return draft.set(ids=None).build()


def finer(loads: Sequence[int], factors: Sequence[int]) -> tuple[int, ...]:
    """Return loads that count in smaller parts; no limit stays none."""
    pairs = zip(loads, factors, strict=False)
    return tuple(
        load if load >= NO_LIMIT else load * factor for load, factor in pairs
    )


def finer_fleet(fleet: Fleet, factors: Sequence[int]) -> Fleet:
    """Return a fleet whose loads count in smaller parts."""
    types = [
        replace(
            one,
            **_finer_loads(one, factors),
            other_capacities=finer(one.other_capacities, factors[1:]),
            breaks=tuple(
                replace(each, **_finer_loads(each, factors))
                for each in one.breaks
            ),
            price_steps=tuple(
                each.in_parts(factors[0]) for each in one.price_steps
            ),
            balances=tuple(each.in_parts(factors[0]) for each in one.balances),
        )
        for one in fleet.types
    ]
    return replace(fleet, types=tuple(types))


def _finer_loads(part: Any, factors: Sequence[int]) -> Values:
    """Return the fields that are loads; a number is one of the first kind."""
    given = {
        field.name: getattr(part, field.name)
        for field, files in in_files(type(part))
        if files.unit == "loads"
    }
    return {
        name: finer(loads, factors)
        if isinstance(loads, tuple)
        else finer([loads], factors)[0]
        for name, loads in given.items()
        if loads is not None
    }


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal; ``None`` is nothing, as ``()``."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if other is None:
        return one is None or one == ()
    return one is other or (type(one) is type(other) and bool(one == other))


def _of_nodes(given: Any, *nodes: list[int]) -> Any:
    """Return the entries of some nodes; ``None`` stays, and none at all."""
    if isinstance(given, np.ndarray):
        return given[np.ix_(*nodes)]
    return given and tuple(map(given.__getitem__, *nodes))


def _joined_columns(
    both: tuple[Draft, Draft], joined: Callable[..., Any]
) -> tuple[GivenColumn, ...]:
    """Return the columns of both by their titles, empty where one has none."""
    given, added = (
        {one.title.casefold(): one for one in each["columns"] or ()}
        for each in both
    )
    return tuple(
        replace(
            given.get(key) or added[key],
            cells=joined(
                *(
                    own[key].cells if key in own else (None,) * each.size
                    for own, each in zip((given, added), both, strict=True)
                )
            ),
        )
        for key in given | added
    )


@dataclass(frozen=True)
class _Grown:
    """Places with an entry, a row and a column for each new customer."""

    names: Sequence[str]
    first: int
    places: Sequence[NewPlace]

    def coords(
        self, coords: Any, more: Any, joined: Callable[..., Any]
    ) -> np.ndarray | None:
        """Return coordinates; those of a twin are its own."""
        if coords is None:
            return None
        rows = np.zeros((1 + len(self.places), 2))
        for number, place in enumerate(self.places, start=1):
            if place.twin is not None:
                rows[number] = coords[place.twin]
            elif more is not None:
                rows[number] = more[number]
            else:
                rule = "needs coordinates, or a place"
                raise InstanceError(self.names[number - 1], "order", rule)
        return np.asarray(joined(coords, rows))

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
