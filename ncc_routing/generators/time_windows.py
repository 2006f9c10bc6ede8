"""Random problems with time windows, fleets, depots and shipments."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final, Literal, get_args

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.generators.uchoa import (
    generate_uchoa,
    require_sizes,
    require_whole,
)
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.time_windows import TimeWindows

WindowClass = Literal["short", "long"]
"""Days of few visits and small vehicles, or of many visits and large ones."""

FleetClass = Literal["costs", "capacities", "limited"]
"""Types that differ in unit costs, in fixed costs, or in both with few of
each."""

_SIDE: Final = 5000
"""Side of the square, for 1,000 customers: tenths of the usual unit."""

_SERVICE: Final = {"random": 100, "half": 100, "clustered": 900}
"""Service durations by the places of the customers."""

_ROUTE_LENGTH: Final = {"short": 11.0, "long": 50.0}
"""Customers that a full vehicle serves."""

_UNIT: Final = 100
"""Unit cost of a vehicle of mean size; unit costs are whole numbers."""

_SPREAD: Final = 15.0
"""Standard deviation of the places in a cluster of one customer."""

_NUM_DEMANDS: Final = (5, 40)
"""Least and largest demand."""


def generate_time_windows(
    num_customers: int,
    seed: int,
    customers: Literal["random", "clustered", "half"] = "half",
    windows: WindowClass = "short",
    share: float = 0.75,
    name: str | None = None,
) -> Instance:
    """Generate a problem with time windows, after Gehring and Homberger.

    A vehicle that serves a single customer is in time. Windows of clustered
    customers follow a tour.

    Parameters
    ----------
    num_customers
        Number of customers, at least 1.
    seed
        Seed, at least 0.
    customers
        Their places: "random", "clustered", or "half" and half (default).
    windows
        "short" (default) or "long" days.
    share
        Share of the customers with a window, in [0, 1]. Default 0.75.
    name
        Name of the instance. Default: from the arguments.

    Returns
    -------
    Instance
        Distances are rounded to the nearest integer; durations are equal.

    Raises
    ------
    ParameterError
        If an argument lies outside its range.

    References
    ----------
    H. Gehring, J. Homberger (1999). A parallel hybrid evolutionary
    metaheuristic for the vehicle routing problem with time windows.
    Proceedings of EUROGEN99.
    """
    if windows not in get_args(WindowClass) or not 0.0 <= share <= 1.0:
        raise ParameterError(
            "windows must be short or long and share lie in [0, 1], got "
            f"{windows} and {share}."
        )
    require_sizes(num_customers, seed)
    if customers not in _SERVICE:
        raise ParameterError(
            f"customers must be one of {', '.join(_SERVICE)}, got {customers}."
        )
    rng = np.random.default_rng([seed, 1])
    service, stops = _SERVICE[customers], _ROUTE_LENGTH[windows]
    is_clustered = customers == "clustered"
    base = generate_uchoa(num_customers, seed, "central", customers)
    side = _SIDE * math.sqrt(num_customers / 1000.0)
    places = base.require_coords("time windows")
    coords: np.ndarray = np.rint(places * (side / places.max()))
    if is_clustered:
        coords[1:] = _in_clusters(num_customers, side, stops, rng)
    demands = rng.integers(*_NUM_DEMANDS, size=num_customers)
    if is_clustered:
        demands = 10 * rng.integers(1, 5, size=num_customers)
    drawn = _draw_windows(coords, service, stops, share, is_clustered, rng)
    capacity = max(int(demands.max()), math.ceil(stops * demands.mean()))
    return Instance(
        name=name or f"NCC-tw-n{num_customers + 1:04d}-{windows}-s{seed}",
        demands=np.concatenate([[0], demands]),
        capacity=capacity,
        coords=coords,
        windows=drawn,
    )


def generate_shipments(
    num_shipments: int,
    seed: int,
    customers: Literal["random", "clustered", "half"] = "half",
    windows: WindowClass = "short",
    name: str | None = None,
) -> Instance:
    """Generate a problem with pickups and deliveries, after Li and Lim.

    Customers with time windows are joined in pairs: each one is a pickup, in
    the order in which windows close, for the nearest of the others whom a
    vehicle reaches in time from there. Customers without such a partner stay
    as they are.

    Parameters
    ----------
    num_shipments
        Number of pairs of customers, at least 1; a few fewer may be shipments.
    seed, customers, windows, name
        As for :func:`generate_time_windows`.

    Raises
    ------
    ParameterError
        If an argument lies outside its range.

    References
    ----------
    H. Li, A. Lim (2001). A metaheuristic for the pickup and delivery problem
    with time windows. Proceedings of the 13th ICTAI.
    """
    require_whole(num_shipments=num_shipments)
    base = generate_time_windows(2 * num_shipments, seed, customers, windows)
    times = base.windows or TimeWindows.of(len(base.demands))
    nodes = np.arange(len(base.demands))
    travel = base.distances(nodes, nodes)
    begin = np.maximum(travel[0], times.tw_early) + times.service_durations
    reached = begin[:, None] + travel
    is_free = nodes > 0
    demands, shipments = base.demands.copy(), []
    for pickup in np.argsort(times.tw_late, kind="stable").tolist():
        able = is_free & (reached[pickup] <= times.tw_late) & (nodes != pickup)
        if not (is_free[pickup] and able.any()):
            continue
        delivery = int(np.where(able, travel[pickup], np.inf).argmin())
        is_free[[pickup, delivery]] = False
        shipments.append(Shipment(pickup, delivery, (int(demands[pickup]),)))
        demands[[pickup, delivery]] = 0
    return replace(
        base,
        name=name or f"NCC-pd-n{len(nodes):04d}-{windows}-s{seed}",
        demands=demands,
        shipments=tuple(shipments),
    )


def _draw_windows(
    coords: np.ndarray,
    service: float,
    stops: float,
    share: float,
    is_clustered: bool,
    rng: np.random.Generator,
) -> TimeWindows:
    there = np.sqrt(((coords[1:] - coords[0]) ** 2).sum(axis=1))
    horizon = 2.0 * there.max() + stops * (service + 0.25 * there.mean())
    horizon = math.ceil(max(horizon, 2.2 * there.max() + service))
    opens, closes = np.ceil(there), np.floor(horizon - there - service)
    if is_clustered:
        centres = _along_tours(coords[1:], there, service, closes, rng)
    else:
        centres = rng.uniform(opens, closes)
    widths = 0.5 * rng.uniform(0.02, 0.2, size=len(there)) * horizon
    has_window = rng.random(len(there)) < share
    early = np.where(has_window, np.maximum(0.0, centres - widths), 0.0)
    late = np.where(has_window, np.minimum(closes, centres + widths), closes)
    early = np.minimum(early, late)
    return TimeWindows.of(
        len(coords),
        np.floor(np.concatenate([[0.0], early])),
        np.floor(np.concatenate([[horizon], late])),
        np.where(np.arange(len(coords)) > 0, service, 0),
    )


def _in_clusters(
    num_customers: int, side: float, size: float, rng: np.random.Generator
) -> np.ndarray:
    middles = rng.uniform(0.0, side, (math.ceil(num_customers / size), 2))
    middle = middles[np.arange(num_customers) % len(middles)]
    spread = _SPREAD * math.sqrt(size) * rng.standard_normal(middle.shape)
    return np.rint(np.clip(middle + spread, 0.0, side))


def _along_tours(
    places: np.ndarray,
    there: np.ndarray,
    service: float,
    closes: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    left = np.ones(len(places), dtype=bool)
    centres = np.empty(len(places))
    while left.any():
        node = int(rng.choice(np.flatnonzero(left)))
        now = there[node]
        while left[node]:
            centres[node] = min(now, closes[node])
            left[node] = False
            lengths = np.sqrt(((places - places[node]) ** 2).sum(axis=1))
            lengths[~left] = np.inf
            following = int(lengths.argmin())
            now += service + lengths[following]
            if not now <= closes[following]:
                break
            node = following
    return centres


def generate_fleet(
    num_customers: int,
    seed: int,
    fleet: FleetClass = "limited",
    name: str | None = None,
) -> Instance:
    """Generate a problem with vehicles of several types.

    Parameters
    ----------
    num_customers, seed, name
        As for :func:`generate_time_windows`.
    fleet
        Whether types of different capacity have unit "costs" of their own,
        fixed costs ("capacities"), or both and a "limited" number (default).

    Raises
    ------
    ParameterError
        If an argument lies outside its range.
    """
    if fleet not in get_args(FleetClass):
        raise ParameterError(
            f"fleet must be one of {', '.join(get_args(FleetClass))}, got "
            f"{fleet}."
        )
    base = generate_uchoa(num_customers, seed)
    name = name or f"NCC-fleet-n{num_customers + 1:04d}-{fleet}-s{seed}"
    return with_fleet(replace(base, name=name), seed, fleet)


def with_fleet(base: Instance, seed: int, fleet: FleetClass) -> Instance:
    """Return an instance of one depot with vehicles of several types.

    They have from half to twice the capacity of ``base``.
    """
    rng = np.random.default_rng([seed, 2])
    customers = range(1, base.num_customers + 1)
    length = base.distances([0], customers).mean()
    types = []
    total, biggest = int(base.demands.sum()), int(base.demands.max())
    for size in (0.5, 0.75, 1.0, 1.5, 2.0):
        capacity = max(biggest, math.ceil(size * base.capacity))
        drawn = float(rng.uniform(0.9, 1.1))
        most = math.ceil(0.3 * total / capacity)
        unit = 1 if fleet == "capacities" else _UNIT
        fixed = drawn * length * size**0.8 * 2 * unit
        types.append(
            VehicleType(
                capacity=capacity,
                num_available=most if fleet == "limited" else None,
                fixed_cost=0 if fleet == "costs" else math.ceil(fixed),
                unit_distance_cost=1
                if fleet == "capacities"
                else round(unit * drawn * size**0.3),
            )
        )
    return replace(
        base,
        capacity=max(vehicle_type.capacity for vehicle_type in types),
        fleet=Fleet(tuple(types)),
    )


def generate_depots(
    num_customers: int, seed: int, num_depots: int = 4, name: str | None = None
) -> Instance:
    """Generate a problem with several depots, windows and shifts.

    Parameters
    ----------
    num_customers, seed, name
        As for :func:`generate_time_windows`.
    num_depots
        Number of depots, at least 1. Default 4.

    Raises
    ------
    ParameterError
        If an argument lies outside its range.
    """
    if num_depots < 1:
        raise ParameterError(f"num_depots must be at least 1: {num_depots}.")
    base = generate_time_windows(num_customers, seed, "half", "short")
    rng = np.random.default_rng([seed, 3])
    coords = base.require_coords("depots")
    windows = base.windows
    assert windows is not None
    more = rng.uniform(
        coords.min(axis=0), coords.max(axis=0), (num_depots - 1, 2)
    )
    places = np.concatenate([coords, np.rint(more)])
    horizon = int(windows.tw_late[0])
    pad = (0, num_depots - 1)
    types = [
        VehicleType(
            capacity=base.capacity,
            num_available=math.ceil(1.6 * base.min_num_routes / num_depots)
            + 2,
            start_depot=depot,
            end_depot=depot,
            shift_duration=math.ceil(0.8 * horizon),
        )
        for depot in range(num_depots)
    ]
    return Instance(
        name=name or f"NCC-depots-n{num_customers + 1:04d}-s{seed}",
        demands=np.pad(base.demands, pad),
        capacity=base.capacity,
        coords=places,
        num_depots=num_depots,
        fleet=Fleet(tuple(types)),
        windows=TimeWindows.of(
            len(places),
            np.pad(windows.tw_early, pad),
            np.pad(windows.tw_late, pad, constant_values=horizon),
            np.pad(windows.service_durations, pad),
        ),
    )
