"""The capacitated vehicle routing problem as read-only data."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from inspect import signature
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted, printable, with_id
from ncc_routing.core.units import METRES_A_SECOND
from ncc_routing.problems.constraints import FINDING, say
from ncc_routing.problems.declared import (
    Declared,
    declared,
    flag,
    number,
    part,
    parts,
    whole,
)
from ncc_routing.problems.distances import (
    ARC_UNROUNDED,
    EARTH_RADIUS,
    UNROUNDED,
    LengthRule,
    Metric,
    great_circle,
    length_rule,
    local_map,
    place_numbers,
    require_degrees,
    round_lengths,
)
from ncc_routing.problems.features import (
    BREAKS,
    CLIENT_GROUPS,
    DURATIONS,
    FORBIDDEN_ARCS,
    HOURS_OF_SERVICE,
    LIMITED_FLEET,
    LOAD_DIMENSIONS,
    MATRIX_ONLY,
    OPTIONAL_CUSTOMERS,
    PICKUPS,
    PREFERRED_WINDOWS,
    PROFILES,
    SEVERAL_DEPOTS,
    SEVERAL_WINDOWS,
    SHIPMENTS,
)
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.given_columns import check_columns
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.matrices import Profile, checked_matrix
from ncc_routing.problems.route_constraints import (
    InProgressRoute,
    RouteConstraints,
)
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.shipments import (
    Shipment,
    check_selected,
    check_shipments,
)
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import (
    NO_LIMIT,
    finite_numbers,
    longest_finite,
    one_number,
    require_kind,
    require_size,
    require_sum,
    unique_texts,
    whole_numbers,
    widened,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self


_ENDS: Final = ("pickup", "delivery")

WORK: Final = ("service_durations", "setup_durations")
"""Fields of vehicle types with an entry for each node."""

_MOST_BREAKS: Final = 4
"""Of a vehicle type beside preferred windows, where all sets of them count."""

_UNSTATED: Final[Any] = None
"""Default of what has to be given, or follows from another field."""


@dataclass(frozen=True, eq=False, repr=False)
class Instance(Declared):
    """A vehicle routing problem: a CVRP, or a problem with more features.

    Node 0 is the depot; customers are 1..n, as in VRPLIB files. Further
    depots are the nodes n + 1, n + 2, ... The two stops of a shipment are
    customers as well. Arrays are made read-only. The constructor checks what
    every method relies on.

    Without the parameters from ``num_depots`` on it is a plain CVRP: any
    number of identical vehicles, and no times. The cost of a solution is
    PyVRP's: fixed costs, unit costs times distances and durations, and the
    prizes of unserved customers.

    Parameters
    ----------
    name
        Name used in messages and output files. Control characters become
        escapes. Default "problem".
    demands
        Integer demand of each node, shape (n + 1,), or (n + num_depots,) with
        several depots, as in all other arrays; depots have 0.
    capacity
        Capacity of each vehicle, in the integer unit of the demands. Default:
        the largest one of the fleet. Required without a fleet.
    coords
        Coordinates of shape (n + 1, 2), or ``None`` if only a matrix is known.
        Clustering methods need them.
    rounding
        Rounding of the distances: "nearest" (default, as CVRPLIB), "ceil",
        "floor", "exact" (1000 times, nearest), "dimacs" (10 times, floor) or
        "none". For longitude and latitude "nearest" (whole metres) or "none".
    matrix
        Explicit distances of shape (n + 1, n + 1), in place of those of the
        coordinates. It may be asymmetric. ``inf`` is a forbidden arc; nan and
        the largest numbers of common types (``matrices.MARKS``) become
        one, with a warning. The diagonal counts as 0.
    is_geographic
        Whether the coordinates are longitude and latitude, in degrees.
        Distances are then great circles in metres. Default ``False``.
    ids
        Ids of the nodes, n + 1 different texts, the depot first. Default:
        nodes have only their numbers.
    num_depots
        Number of depots. Default 1. Several need a ``fleet``.
    fleet
        Vehicle types. Default: any number of vehicles of the capacity.
    windows
        Time windows, service durations and release times. Default: none.
    durations
        Durations between all nodes, in the form of ``matrix``. Default: equal
        to the distances, or by ``speed``.
    profiles
        Distances and durations of the vehicle types with ``profile`` 1, 2,
        ... Default: none.
    loads
        Deliveries and pickups, in several dimensions; the first deliveries are
        the demands. Default: the demands are delivered.
    selection
        Required customers, prizes of the others, and groups of which one
        customer is served. Default: all customers are required.
    shipments
        Goods from one customer to another. Default: none.
    constraints
        Constraints on the customers of a route and its vehicle, and
        in-progress routes. Default: none.
    speed
        Distance per unit of time. Durations that are not given are distances
        divided by it, rounded to whole numbers. Default: durations equal the
        distances.
    is_metric
        Whether the distances of a matrix are in metres. Those of longitude and
        latitude are. Default: not known.
    detour
        Factor by which distances are longer than the straight lines between
        coordinates, before they are rounded. Default: 1.
    has_nowhere
        Whether the last depot is no place: distances of coordinates from and
        to it are 0. Default ``False``.
    places
        Number of the place of each node: who comes from the same place needs
        no set-up. Default: longitudes and latitudes within a metre and other
        coordinates that are equal are one place; without coordinates each node
        is a place of its own.
    source
        How the input says it: forms of times and loads, columns that outputs
        show. Default: as arrays do.

    Raises
    ------
    InstanceError
        If shapes do not agree, a value is not a number, a sum of values is too
        large (``problems.values``), a demand is negative or not a whole
        number, a depot has a demand,
        the capacity is not positive, an id is not unique, the rounding is
        unknown, or both coordinates and a matrix are missing.
    """

    name: str = "problem"
    demands: np.ndarray = declared(whole_numbers, None, may_be_none=False)
    capacity: int = _UNSTATED
    coords: np.ndarray | None = None
    rounding: str = "nearest"
    matrix: np.ndarray | None = None
    is_geographic: bool = flag(False)
    ids: tuple[str, ...] | None = None
    num_depots: int = whole(1, least=1)
    fleet: Fleet | None = part(Fleet)
    windows: TimeWindows | None = part(TimeWindows)
    durations: np.ndarray | None = None
    profiles: tuple[Profile, ...] = parts(Profile)
    loads: Loads | None = part(Loads)
    selection: Selection | None = part(Selection)
    shipments: tuple[Shipment, ...] = parts(Shipment)
    constraints: RouteConstraints | None = part(RouteConstraints)
    speed: float | None = number(None)
    is_metric: bool = flag(False)
    detour: float | None = number(None, least=1)
    has_nowhere: bool = flag(False)
    places: np.ndarray | None = declared(whole_numbers, None)
    source: Source = part(Source, Source())

    if not TYPE_CHECKING:

        def __new__(cls, *given: Any, **values: Any) -> Self:
            """Name the new form of fields that are those of the source."""
            moved = values.keys() & vars(Source()).keys()
            for name in sorted(moved):
                raise TypeError(
                    f"Instance: {name} is a field of its source: "
                    f"source=ncc_routing.problems.source.Source({name}=...)."
                )
            return super().__new__(cls)

        def __getattr__(self, name: str) -> Any:
            is_moved = name in vars(Source())
            place = f": it is source.{name}" if is_moved else ""
            raise AttributeError(f"Instance has no attribute {name}{place}.")

    def __post_init__(self) -> None:
        require_kind("instance", "name", self.name, str)
        self.keep(name=printable(self.name))
        self.read_fields(self.name)
        stated, size = self.capacity, self.demands.size
        if stated is None and self.fleet is not None:
            stated = self.fleet.capacity
        self.keep(
            capacity=one_number(self.name, "capacity", stated),
            ids=unique_texts(self.name, self.ids, size),
        )
        _check_demands(self)
        if self.coords is not None:
            array = finite_numbers(self.name, "coords", self.coords, (size, 2))
            require_size(self.name, "coords", array)
            self.keep(coords=array)
        if self.places is not None and self.places.shape != (size,):
            rule = f"must hold {size} entries, one for each node"
            raise InstanceError(self.name, "places", rule, self.places.shape)
        for name in ("matrix", "durations"):
            if (given := getattr(self, name)) is not None:
                array = checked_matrix(self.name, name, given, size)
                self.keep(**{name: array})
        if self.coords is None and self.matrix is None:
            raise InstanceError(
                self.name, "coords", "coordinates or a matrix must be given"
            )
        load_parts = self.source.load_parts
        if load_parts and (
            len(load_parts) != self.num_load_dimensions or min(load_parts) < 1
        ):
            rule = "must be positive, one for each load dimension"
            raise InstanceError(self.name, "load_parts", rule, load_parts)
        if self.speed is not None:
            if self.speed == 0:
                raise InstanceError(self.name, "speed", "must be positive", 0)
            self.keep(speed=float(self.speed))
        length_rule(self.name, self.rounding, self.is_geographic)
        if self.is_geographic:
            require_degrees(self.name, self.require_coords("is_geographic"))
        check_columns(self.name, self.source.columns, size)
        _check_parts(self)
        _check_sums(self)

    @property
    def num_customers(self) -> int:
        """Number of customers, depots not counted."""
        return len(self.demands) - self.num_depots

    @property
    def depots(self) -> tuple[int, ...]:
        """Node of each depot: 0, then those behind the customers."""
        size = len(self.demands)
        return (0, *range(size - self.num_depots + 1, size))

    @cached_property
    def vehicle_types(self) -> tuple[VehicleType, ...]:
        """The types of the fleet; without one, vehicles of the capacity."""
        if self.fleet is None:
            return (VehicleType(capacity=self.capacity),)
        return self.fleet.types

    def derived(self, **changes: Any) -> Instance:
        """Return another form of it, whose values follow from checked ones.

        They are not checked again.
        """
        form = object.__new__(Instance)
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        form.__setstate__(given | changes)
        return form

    def with_types(self, types: Iterable[VehicleType]) -> Instance:
        """Return a form of it with other vehicle types."""
        own = tuple(types)
        return self.derived(fleet=replace(self.fleet or Fleet(own), types=own))

    def work_of(
        self, vehicle_type: VehicleType
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return services and set-ups of all nodes by vehicles of a type."""
        windows = self.windows
        none = np.zeros(len(self.demands), dtype=np.int64)
        service = setup = none
        if windows is not None:
            service, setup = windows.service_durations, windows.setup_durations
        if vehicle_type.service_durations:
            service = np.array(vehicle_type.service_durations)
        if vehicle_type.setup_durations:
            setup = np.array(vehicle_type.setup_durations)
        return service, setup

    def ends_of(self, vehicle_type: VehicleType) -> tuple[int, int]:
        """Return the nodes where the routes of a type, not open, are at."""
        start, end = vehicle_type.start_depot, vehicle_type.end_depot
        return self.depots[cast("int", start)], self.depots[cast("int", end)]

    @property
    def num_load_dimensions(self) -> int:
        """Number of load dimensions; 1 without ``loads``."""
        return 1 if self.loads is None else self.loads.num_dimensions

    @property
    def capacities(self) -> tuple[int, ...]:
        """Largest capacity of a vehicle in each load dimension."""
        if self.fleet is None:
            return (self.capacity,)
        return self.fleet.capacities

    @cached_property
    def deliveries(self) -> np.ndarray:
        """Amount on board for each node from the start of its trip.

        int64, a column for each load dimension.
        """
        if self.loads is None:
            return self.demands[:, None]
        return self.loads.delivery

    @cached_property
    def load_changes(self) -> np.ndarray:
        """Change of the load on board by a visit, as ``deliveries``."""
        changes = -self.deliveries
        if self.loads is not None:
            changes += self.loads.pickup
        for shipment in self.shipments:
            changes[shipment.pickup] = shipment.amount
            changes[shipment.delivery] = np.negative(shipment.amount)
        return changes

    @cached_property
    def handled(self) -> np.ndarray:
        """What each node adds to the load of a route, int64.

        Each customer's delivery and pickup in the first dimension; the amount
        of a shipment at its pickup.
        """
        amounts = self.deliveries[:, 0].copy()
        if self.loads is not None:
            amounts += self.loads.pickup[:, 0]
        for shipment in self.shipments:
            amounts[shipment.pickup] += shipment.amount[0]
        return amounts

    def stated_load(self, load: int, dimension: int = 0) -> float:
        """Return a load as the table states it, an int if it is whole."""
        part = (*self.source.load_parts, *[1] * (dimension + 1))[dimension]
        return load // part if load % part == 0 else load / part

    @property
    def in_progress(self) -> tuple[InProgressRoute, ...]:
        """The routes that have begun."""
        return self.constraints.in_progress if self.constraints else ()

    @cached_property
    def passed_by(self) -> frozenset[int]:
        """The customers whom in-progress routes pass by: they cancelled."""
        return frozenset().union(*(one.cancelled for one in self.in_progress))

    @cached_property
    def open_deliveries(self) -> dict[int, int]:
        """The ends of shipments that in-progress routes have on board.

        They are the keys; the values are the numbers of these routes, from 0.
        """
        route_of = {
            node: number
            for number, one in enumerate(self.in_progress)
            for node in one.customers
        }
        return {
            each.delivery: route_of[each.pickup]
            for each in self.shipments
            if each.pickup in route_of and each.delivery not in route_of
        }

    def begun(
        self, route: Sequence[int], vehicle_type: int
    ) -> InProgressRoute | None:
        """Return the in-progress route that a route goes on with."""
        each = (vehicle_type, self.depots)
        begun = (one for one in self.in_progress if one.begins(route, *each))
        return next(begun, None)

    def allowed_types(self) -> np.ndarray | None:
        """Return which vehicle types may serve each node; ``None``: all may.

        bool, shape (types, nodes), by skills and pins of ``constraints``.
        """
        if self.constraints is None:
            return None
        return self.constraints.allowed_types(
            self.vehicle_types, len(self.demands)
        )

    @property
    def required(self) -> np.ndarray:
        """Whether each node must be served; depots need not be."""
        is_required = np.ones(len(self.demands), dtype=bool)
        if self.selection is not None:
            is_required = self.selection.required.copy()
        is_required[list(self.depots)] = False
        return is_required

    @cached_property
    def oversized(self) -> dict[int, str]:
        """Required customers whose goods no vehicle can hold, and why."""
        reasons: dict[int, str] = {}
        for _, name, amounts in _amounts(self):
            for dim, capacity in enumerate(self.capacities):
                place = f" in dimension {dim + 1}" * (len(self.capacities) > 1)
                is_over = self.required & (amounts[:, dim] > capacity)
                for node in np.flatnonzero(is_over).tolist():
                    load, most = (
                        self.stated_load(int(each), dim)
                        for each in (amounts[node, dim], capacity)
                    )
                    values = {"value": load, "limit": most, "place": place}
                    text = say(self, "capacity", FINDING, what=name, **values)
                    reasons.setdefault(node, text)
        return reasons

    def unserved(self, routes: Sequence[Sequence[int]]) -> list[int]:
        """Return the required customers that are on no route.

        A required group is represented by its first customer. Deliveries of
        shipments that are picked up are required, but for those on board an
        in-progress route that have a prize.
        """
        served = set(chain.from_iterable(routes))
        needed = np.flatnonzero(self.required).tolist()
        missing = [node for node in needed if node not in served]
        groups = () if self.selection is None else self.selection.groups
        missing += [
            group.customers[0]
            for group in groups
            if group.required and served.isdisjoint(group.customers)
        ]
        priced: set[int] = set()
        if self.selection is not None:
            priced.update(np.flatnonzero(self.selection.prizes).tolist())
            priced.intersection_update(self.open_deliveries)
        missing += [
            each.delivery
            for each in self.shipments
            if each.pickup in served and each.delivery not in served | priced
        ]
        return sorted(set(missing))

    @property
    def min_num_routes(self) -> int:
        """Lower bound on the number of routes: ceil(sum q / Q)."""
        total, capacity = int(self.demands.sum()), max(1, self.capacity)
        return max(1, -(-total // capacity))

    @property
    def is_integral(self) -> bool:
        """Whether every distance, duration and cost is a whole number."""
        if self.matrix is None and self.length_rule.kind in (
            UNROUNDED,
            ARC_UNROUNDED,
        ):
            return False
        return all(
            (matrix == np.rint(matrix)).all() for matrix in self._matrices()
        ) and all(
            part is None or part.is_integral
            for part in (self.fleet, self.selection, self.windows)
        )

    @property
    def has_durations(self) -> bool:
        """Whether durations differ from the distances."""
        return self.durations is not None or self.speed is not None

    @cached_property
    def place_of(self) -> np.ndarray:
        """Number of the place of each node, see ``places``."""
        if self.places is not None:
            return self.places
        if self.coords is None:
            return np.arange(len(self.demands))
        if self.is_geographic:
            return place_numbers(self.coords)
        _, numbers = np.unique(self.coords, axis=0, return_inverse=True)
        return np.ravel(numbers)

    @property
    def has_metres(self) -> bool:
        """Whether its distances are metres."""
        return self.is_metric or (self.is_geographic and self.matrix is None)

    @property
    def straight_lines(self) -> str:
        """What its lengths are, where they are none of roads; else ""."""
        if not self.is_geographic or self.matrix is not None:
            return ""
        text = f"straight lines times {self.detour or 1.0:g}"
        if self.speed is None:
            return text
        return f"{text} at {self.speed / METRES_A_SECOND['km/h']:.3g} km/h"

    @cached_property
    def length_rule(self) -> LengthRule:
        """Rule that converts a length between coordinates to a distance."""
        rule = length_rule(self.name, self.rounding, self.is_geographic)
        return rule._replace(scale=rule.scale * (self.detour or 1.0))

    @property
    def node_ids(self) -> tuple[str, ...]:
        """Id of each node, or its number as a text."""
        if self.ids is not None:
            return self.ids
        return tuple(map(str, range(len(self.demands))))

    def describe_size(self) -> str:
        """Return its size in words: "1,000 customers, capacity 50"."""
        text = f"{counted(self.num_customers, 'customer')}"
        if self.capacity < NO_LIMIT:
            text += f", capacity {self.stated_load(self.capacity):,}"
        return text

    def __repr__(self) -> str:
        """Return one line: name, size and features."""
        parts = [self.describe_size(), *self.features]
        return f"Instance({self.name}: {', '.join(parts)})"

    def describe_type(self, idx: int) -> str:
        """Return a vehicle type in words: "vehicle type 1 (name Truck)"."""
        name = self.vehicle_types[idx].name
        text = f"vehicle type {idx}"
        return with_id(text, name, "name") if name else text

    def describe_node(self, node: int) -> str:
        """Return a node in words: "customer 5 (id Main St)", "the depot"."""
        first = 0 if self.source.names_clients else 1
        name = f"customer {node}"
        if node in self.depots:
            if self.num_depots == 1:
                return "the depot"
            name = f"depot {self.depots.index(node) + first}"
        elif self.source.names_clients:
            num_clients = self.num_customers - 2 * len(self.shipments)
            shipment, end = divmod(node - num_clients - 1, 2)
            name = f"the {_ENDS[end]} of shipment {shipment}"
            if node <= num_clients:
                name = f"client {node - 1}"
        return name if self.ids is None else with_id(name, self.ids[node])

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Features beyond the plain CVRP in the plane, in words.

        A method accepts them or is refused (``core.methods.Method.accepts``).
        """
        used = [MATRIX_ONLY] if self.coords is None else []
        if self.num_depots > 1:
            used.append(SEVERAL_DEPOTS)
        if self.fleet is not None:
            used += self.fleet.features
        if self.windows is not None:
            used += self.windows.features
        if self.has_durations:
            used.append(DURATIONS)
        if self.profiles:
            used.append(PROFILES)
        used += self._load_features()
        if self.selection is not None and self.selection.groups:
            used.append(CLIENT_GROUPS)
        if self.constraints is not None:
            used += self.constraints.features
        if self._num_optional() > 0:
            used.append(OPTIONAL_CUSTOMERS)
        if self.has_forbidden_arcs:
            used.append(FORBIDDEN_ARCS)
        return tuple(dict.fromkeys(used))

    def _load_features(self) -> Iterator[str]:
        if self.num_load_dimensions > 1:
            yield LOAD_DIMENSIONS
        if self.loads is not None and self.loads.has_pickups:
            yield PICKUPS
        if self.shipments:
            yield SHIPMENTS

    def _num_optional(self) -> int:
        if self.selection is None:
            return 0
        is_optional = ~self.required
        is_optional[list(self.depots)] = False
        for group in self.selection.groups:
            is_optional[list(group.customers)] = False
        return int(is_optional.sum())

    @property
    def is_cvrp(self) -> bool:
        """Whether only capacity and the number of vehicles limit routes.

        The cost of a route is its length then.
        """
        return set(self.features) <= {MATRIX_ONLY, LIMITED_FLEET}

    @property
    def is_unlimited_cvrp(self) -> bool:
        """Whether it is a CVRP with enough vehicles for any plan."""
        return set(self.features) <= {MATRIX_ONLY}

    @cached_property
    def has_forbidden_arcs(self) -> bool:
        """Whether the distance or the duration of an arc is infinite."""
        return any(np.isinf(matrix).any() for matrix in self._matrices())

    @cached_property
    def has_backhauls(self) -> bool:
        """Whether all customers get goods or give some, and these come last.

        The arcs from one who gives to one who gets are infinite, or longer
        than any route may be. No instance by coordinates alone has such arcs.
        """
        if self.matrix is None or self.loads is None or self.shipments:
            return False
        loads = self.loads
        gets, gives = loads.delivery.any(axis=1), loads.pickup.any(axis=1)
        # By way of one who does neither they may come in any order.
        does_neither = ~(gets | gives)
        does_neither = np.delete(does_neither, self.depots)
        longest = max(one.max_distance for one in self.vehicle_types)
        matrices = [self.matrix, *(one.matrix for one in self.profiles)]
        back = np.array([each[np.ix_(gives, gets)] for each in matrices])
        is_forbidden = np.isinf(back) | (back > widened(np.array(longest)))
        return bool(
            gives.any() and not does_neither.any() and is_forbidden.all()
        )

    @property
    def is_symmetric(self) -> bool:
        """Whether the distance from i to j is that from j to i."""
        return self.matrix is None or bool(
            (self.matrix == self.matrix.T).all()
        )

    def require_coords(self, purpose: str) -> np.ndarray:
        """Return the coordinates; ``InstanceError`` says who needs them."""
        if self.coords is None:
            rule = f"node coordinates are needed by {purpose}"
            raise InstanceError(self.name, "coords", rule)
        return self.coords

    def plane_coords(self, purpose: str) -> np.ndarray:
        """Return places in a plane, for angles, centers and regions.

        They are the coordinates or, of longitudes and latitudes, a local map
        in metres about the depot. Costs never come from them. ``purpose`` is
        in the ``InstanceError`` of an instance that has only a matrix.
        """
        coords = self.require_coords(purpose)
        return self._map if self.is_geographic else coords

    @cached_property
    def _map(self) -> np.ndarray:
        return local_map(self.require_coords("a map"))

    def distances(
        self,
        rows: Sequence[int] | np.ndarray,
        cols: Sequence[int] | np.ndarray,
    ) -> np.ndarray:
        """Return the block of distances from ``rows`` to ``cols``, float64.

        Parameters
        ----------
        rows, cols
            Node indices, 0 being the depot.
        """
        rows, cols = np.asarray(rows, int), np.asarray(cols, int)
        return self.lengths(rows[:, None], cols[None, :])

    def route_cost(self, route: Sequence[int]) -> float:
        """Return the length of depot -> route -> depot; route has no depot."""
        return float(self.route_costs([route])[0])

    def route_costs(self, routes: Sequence[Sequence[int]]) -> np.ndarray:
        """Return the length of depot -> route -> depot for each route."""
        if len(routes) == 0:
            return np.zeros(0)
        sizes = np.fromiter(map(len, routes), dtype=np.int64)
        ends = np.cumsum(sizes + 1)
        # All routes after one another, a visit to the depot before each
        # route and after the last one.
        is_customer = np.ones(ends[-1] + 1, dtype=bool)
        is_customer[0] = False
        is_customer[ends] = False
        visits = np.zeros(len(is_customer), dtype=np.int64)
        visits[is_customer] = np.fromiter(
            chain.from_iterable(routes), dtype=np.int64
        )
        lengths = self.lengths(visits[:-1], visits[1:])
        return np.asarray(np.add.reduceat(lengths, ends - sizes - 1))

    def lengths(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the distance from each tail to its head; shapes broadcast."""
        if self.matrix is not None:
            return np.asarray(self.matrix[tails, heads])
        coords = self.require_coords("distances")
        if self.is_geographic:
            lengths = great_circle(coords[tails], coords[heads])
        else:
            # Axis by axis: a sum over an axis of two is several times slower.
            dx, dy = (axis[heads] - axis[tails] for axis in coords.T)
            lengths = np.sqrt(dx * dx + dy * dy)
        lengths = round_lengths(self.length_rule, lengths)
        if not self.has_nowhere:
            return lengths
        nowhere = len(self.demands) - 1
        is_way = np.not_equal(tails, nowhere) & np.not_equal(heads, nowhere)
        return np.where(is_way, lengths, 0.0)

    def travel_times(self, tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """Return the duration from each tail to its head; shapes broadcast."""
        if self.durations is not None:
            return np.asarray(self.durations[tails, heads])
        lengths = self.lengths(tails, heads)
        return lengths if self.speed is None else np.rint(lengths / self.speed)

    @property
    def own_durations(self) -> np.ndarray | None:
        """All durations; ``None``: those of the distances."""
        if self.durations is None and self.has_durations:
            nodes = np.arange(len(self.demands))
            return self.travel_times(nodes[:, None], nodes)
        return self.durations

    @cached_property
    def metric(self) -> Metric:
        """The distances in the form that compiled code takes."""
        size = len(self.demands)
        coords = np.zeros((size, 2)) if self.coords is None else self.coords
        matrix = np.zeros((0, 0)) if self.matrix is None else self.matrix
        return Metric(np.array(coords), np.array(matrix), self.length_rule)

    def _matrices(self) -> Iterator[np.ndarray]:
        given = [self.matrix, self.durations]
        for profile in self.profiles:
            given += [profile.matrix, profile.durations]
        return (matrix for matrix in given if matrix is not None)


# That of ``__new__`` would hide the fields.
_made = signature(Instance.__init__)
Instance.__signature__ = _made.replace(  # type: ignore[attr-defined]
    parameters=[*_made.parameters.values()][1:]
)


def _check_demands(instance: Instance) -> None:
    source, demands = instance.name, instance.demands
    capacity = instance.capacity
    if demands.ndim != 1 or len(demands) <= instance.num_depots:
        rule = "a depot and a customer are needed"
        raise InstanceError(source, "demands", rule)
    if capacity <= 0 and instance.fleet is None:
        raise InstanceError(source, "capacity", "must be positive", capacity)
    for depot in instance.depots:
        if demands[depot] != 0:
            rule = "the demand of the depot must be 0"
            value = int(demands[depot])
            raise InstanceError(source, "demands", rule, value)
    for idx in np.flatnonzero(demands < 0)[:1].tolist():
        node = instance.describe_node(idx)
        text = f"the demand of {node} must not be negative"
        raise InstanceError(source, "demands", text, int(demands[idx]))


def _check_parts(instance: Instance) -> None:  # noqa: C901
    source, size = instance.name, len(instance.demands)
    windows, fleet = instance.windows, instance.fleet
    _check_choice(instance)
    if windows is not None:
        if windows.num_nodes != size:
            rule = f"must hold {size} entries, one for each node"
            raise InstanceError(source, "windows", rule, windows.num_nodes)
        for depot in instance.depots:
            release = windows.release_times[depot]
            if release != 0:
                where = f"release_times, node {depot}"
                rule = "must be 0 for a depot"
                raise InstanceError(source, where, rule, release)
            if windows.has_several[depot]:
                where = f"windows, node {depot}"
                raise InstanceError(source, where, "a depot has one window")
    check_shipments(
        source,
        instance.shipments,
        instance.demands[:, None]
        if instance.loads is None
        else instance.loads.delivery + instance.loads.pickup,
        windows,
        instance.selection,
        instance.describe_node,
        range(1, instance.num_customers + 1),
    )
    if instance.selection is not None:
        check_selected(
            *(source, instance.shipments, instance.selection),
            on_board=instance.open_deliveries,
        )
    if instance.constraints is not None:
        instance.constraints.check(
            source,
            len(instance.vehicle_types),
            size,
            range(1, instance.num_customers + 1),
            instance.describe_node,
        )
    for vehicle_type in instance.vehicle_types:
        for name in WORK:
            given = len(getattr(vehicle_type, name))
            if given not in (0, size):
                rule = f"must hold {size} entries, one for each node"
                raise InstanceError(source, name, rule, given)
        _, setups = instance.work_of(vehicle_type)
        if setups[list(instance.depots)].any():
            rule = "must be 0 for depots"
            raise InstanceError(source, "setup_durations", rule)
        _check_hours(instance, vehicle_type)
    _check_day(instance)
    for profile in instance.profiles:
        if len(profile.matrix) != size:
            rule = f"must have {size} rows, one for each node"
            raise InstanceError(source, "profiles", rule, len(profile.matrix))
    if fleet is None:
        if instance.num_depots > 1:
            rule = "must say which vehicles belong to which depot"
            raise InstanceError(source, "fleet", rule)
        _check_dimensions(instance)
        return
    fleet.check(source, instance.num_depots, 1 + len(instance.profiles))
    if fleet.capacity != instance.capacity:
        rule = f"must be {fleet.capacity}, the largest of the fleet"
        raise InstanceError(source, "capacity", rule, instance.capacity)
    _check_dimensions(instance)


def _check_hours(instance: Instance, vehicle_type: VehicleType) -> None:
    hours = vehicle_type.hours
    if hours is None:
        return
    rule = ""
    if hours.in_seconds and not instance.source.time_form.kind:
        rule = "needs times of a known unit: time_form (time_unit of tables)"
        rule += ", or hours in numbers"
    if rule:
        raise InstanceError(instance.name, "hours_of_service", rule)


def _check_day(instance: Instance) -> None:
    """Refuse what a driver's day cannot be."""
    _check_breaks_taken(instance)
    _check_cancelled(instance)
    _check_preferred(instance)
    _check_waiting(instance)


def _check_breaks_taken(instance: Instance) -> None:
    field = "constraints, in_progress, breaks_taken"
    for one in instance.in_progress:
        vehicle_type = instance.vehicle_types[one.vehicle_type]
        numbers = [number for number, *_ in one.breaks_taken]
        if max(numbers, default=-1) >= len(vehicle_type.breaks):
            rule = f"must be of {counted(len(vehicle_type.breaks), 'break')}"
            raise InstanceError(instance.name, field, rule, max(numbers))
        if -1 in numbers and vehicle_type.hours is None:
            rule = "rests (-1) need hours of service"
            raise InstanceError(instance.name, field, rule)


def _check_cancelled(instance: Instance) -> None:
    """Refuse goods of orders that are cancelled: nobody gets them."""
    ends = {
        node
        for one in instance.shipments
        for node in (one.pickup, one.delivery)
    }
    for place, one in enumerate(instance.in_progress, start=1):
        for node in one.cancelled:
            if node in ends or any(
                amounts[node].any() for *_, amounts in _amounts(instance)
            ):
                where = f"constraints, in_progress {place}, cancelled"
                rule = f"{instance.describe_node(node)} must have no goods"
                raise InstanceError(instance.name, where, rule)


def _check_preferred(instance: Instance) -> None:
    """Refuse preferred windows of depots, and beside what they do not suit."""
    windows = instance.windows
    if windows is None or windows.preferred is None:
        return
    is_depot = [*instance.depots]
    if (windows.preferred[is_depot] != (0, NO_LIMIT)).any():
        rule = "must not be given for depots"
        raise InstanceError(instance.name, "preferred", rule)
    most = max(len(each.breaks) for each in instance.vehicle_types)
    if most > _MOST_BREAKS:
        rule = f"must not be given beside more than {_MOST_BREAKS} breaks"
        raise InstanceError(instance.name, "preferred", rule, most)
    if HOURS_OF_SERVICE in instance.features:
        rule = f"must not be given beside {HOURS_OF_SERVICE}"
        raise InstanceError(instance.name, "preferred", rule)


def _check_waiting(instance: Instance) -> None:
    """Refuse limits of waiting where a route may have other waits as well."""
    used, own = set(instance.features), (PREFERRED_WINDOWS, HOURS_OF_SERVICE)
    for name, others in (
        ("max_waiting", own),
        ("max_wait", (*own, BREAKS, SEVERAL_WINDOWS)),
    ):
        beside = [feature for feature in others if feature in used]
        limits = [getattr(each, name) for each in instance.vehicle_types]
        if beside and min(limits) < NO_LIMIT:
            rule = f"must not be given beside {beside[0]}"
            raise InstanceError(instance.name, name, rule, min(limits))


def _check_choice(instance: Instance) -> None:
    source, loads, selection = (
        instance.name,
        instance.loads,
        instance.selection,
    )
    if loads is not None:
        loads.check(source, instance.demands, instance.depots)
    if selection is not None:
        size = len(instance.demands)
        if len(selection.prizes) != size:
            rule = f"must hold {size} prizes, one for each node"
            given = len(selection.prizes)
            raise InstanceError(source, "selection", rule, given)
        selection.check(source, instance.depots, instance.describe_node)


def _check_dimensions(instance: Instance) -> None:
    wanted = instance.num_load_dimensions
    for name, amounts in (
        ("capacity", instance.capacities),
        *(
            ("constraints, in_progress, undelivered", trip)
            for one in instance.in_progress
            for trip in one.undelivered
        ),
    ):
        if len(amounts) != wanted:
            rule = f"must hold {counted(wanted, 'number')}, "
            rule += "one a load dimension"
            raise InstanceError(instance.name, name, rule, len(amounts))


def _amounts(instance: Instance) -> Iterator[tuple[str, str, np.ndarray]]:
    if instance.loads is None:
        yield "demands", "demand", instance.demands[:, None]
    else:
        yield "loads", "delivery", instance.loads.delivery
        yield "loads", "pickup", instance.loads.pickup
    if instance.shipments:
        shape = (len(instance.demands), instance.num_load_dimensions)
        amounts = np.zeros(shape, dtype=np.int64)
        for shipment in instance.shipments:
            amounts[shipment.pickup] = shipment.amount
        yield "shipments", "shipment", amounts


def _check_sums(instance: Instance) -> None:
    """Refuse an instance some of whose sums could not be exact.

    Demands and times are whole; distances, durations and costs count where all
    are. The bounds are of one route per customer along the longest arc.
    """
    source, count = instance.name, instance.num_customers
    for name, _, amounts in _amounts(instance):
        most = float(amounts.sum(axis=0, dtype=float).max())
        require_sum(source, name, most)
    windows = instance.windows
    times = 0.0
    if windows is not None:
        times = windows.service_durations.sum(dtype=float)
        times += windows.setup_durations.sum(dtype=float)
        require_sum(source, "service_durations", float(times))
        for field in ("tw_early", "release_times"):
            latest = float(getattr(windows, field).max())
            require_sum(source, field, latest)
            times += latest
    distances, durations = _longest_tours(instance)
    require_sum(source, "distances", distances)
    require_sum(source, "durations", times + durations)
    for field in ("early_costs", "late_costs"):
        costs: Any = getattr(windows, field, None)
        if costs is not None:
            most = max(1.0, times + durations) * float(costs.sum())
            require_sum(source, field, most)
    largest = {
        "distance": distances,
        "duration": times + durations,
        "driving_time": durations,
        "stops": count,
        "load": float(instance.handled.sum(dtype=float)),
    }
    for vehicle_type in instance.vehicle_types:
        for field, amount in (
            ("fixed_cost", count),
            ("unit_distance_cost", max(1.0, distances)),
            ("unit_duration_cost", max(1.0, times + durations)),
            ("unit_overtime_cost", max(1.0, times + durations)),
            ("unit_driving_cost", max(1.0, durations)),
        ):
            require_sum(
                source, field, abs(getattr(vehicle_type, field)) * amount
            )
        for step in vehicle_type.price_steps:
            most = step.unit_cost * max(1.0, largest[step.amount])
            require_sum(source, "price_steps", most)
        for one in vehicle_type.balances:
            amount = max(1.0, largest[one.amount])
            most = (one.largest_cost + one.spread_cost) * amount
            require_sum(source, "balances", most)


def _longest_tours(instance: Instance) -> tuple[float, float]:
    """Return bounds on all distances and durations, 0 for unrounded ones."""
    if not instance.is_integral:
        return 0.0, 0.0
    arcs = 2.0 * instance.num_customers
    distances = arcs * _longest(instance)
    durations = distances
    matrices = [instance.durations]
    if instance.speed is not None:
        durations = distances / instance.speed + arcs
    for profile in instance.profiles:
        distances = max(distances, arcs * longest_finite(profile.matrix))
        matrices += [profile.matrix, profile.durations]
    for matrix in matrices:
        if matrix is not None:
            durations = max(durations, arcs * longest_finite(matrix))
    return distances, durations


def _longest(instance: Instance) -> float:
    if instance.matrix is not None:
        return longest_finite(instance.matrix)
    if instance.is_geographic:
        return instance.length_rule.scale * np.pi * EARTH_RADIUS
    sides = np.ptp(instance.require_coords("distances"), axis=0)
    rule = instance.length_rule
    return rule.scale * float(np.hypot(*sides)) + 1.0
