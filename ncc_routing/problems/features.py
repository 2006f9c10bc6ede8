"""Names of what a problem can have beyond the plain one, and of objectives."""

from __future__ import annotations

from typing import Final

from ncc_routing.problems.constraints import DURATION, ROUTE_LIMITS

_LIMITS: Final = {each.name: each.feature for each in ROUTE_LIMITS}

MATRIX_ONLY: Final = "distances without coordinates"
"""Feature of an instance of which only a matrix is known."""

LIMITED_FLEET: Final = "a limited number of vehicles"
VEHICLE_TYPES: Final = "several vehicle types"
FIXED_COSTS: Final = "fixed costs of vehicles"
UNIT_DISTANCE_COSTS: Final = "unit distance costs"
UNIT_DURATION_COSTS: Final = "unit duration costs"
SEVERAL_DEPOTS: Final = "several depots"
VEHICLE_WINDOWS: Final = "time windows of vehicles"
SHIFT_DURATIONS: Final = _LIMITS["shift"]
MAX_DISTANCES: Final = _LIMITS["distance"]
PROFILES: Final = "several profiles"
INITIAL_LOADS: Final = "initial loads"
EMPTY_STARTS: Final = "vehicles that start empty"
RELOAD_DEPOTS: Final = "reload depots"
OVERTIME: Final = "overtime"
NEGATIVE_FIXED_COSTS: Final = "negative fixed costs"
UNIT_DRIVING_COSTS: Final = "unit driving costs"
MAX_DRIVING_TIMES: Final = _LIMITS["driving"]
MAX_STOPS: Final = _LIMITS["stops"]
MAX_WAITING: Final = _LIMITS["waiting"]
MIN_STOPS: Final = "minimum numbers of stops"
MIN_LOADS: Final = "minimum loads"
PRICE_STEPS: Final = "price steps"
TIME_STEPS: Final = "price steps of times"
BALANCES: Final = "balanced routes"
TIME_BALANCES: Final = "balanced times of routes"
OPEN_ROUTES: Final = "open routes"
SPEED_FACTORS: Final = "speed factors"
OWN_SERVICES: Final = "service durations of vehicle types"
OWN_SETUPS: Final = "set-up durations of vehicle types"
"""Features of a fleet."""

BEYOND_PYVRP: Final = frozenset(
    {
        *(UNIT_DRIVING_COSTS, MIN_STOPS, MIN_LOADS, EMPTY_STARTS),
        *(PRICE_STEPS, TIME_STEPS, BALANCES, TIME_BALANCES),
        *_LIMITS.values(),
    }
    - {SHIFT_DURATIONS, MAX_DISTANCES}
)
"""Features of a fleet that PyVRP has no field for."""

LOAD_DIMENSIONS: Final = "several load dimensions"
PICKUPS: Final = "pickups"
SHIPMENTS: Final = "shipments"
"""Features of what vehicles carry."""

OPTIONAL_CUSTOMERS: Final = "optional customers"
CLIENT_GROUPS: Final = "client groups"
"""Features of a choice of customers."""

SKILLS: Final = "skills"
PINNED: Final = "customers with assigned vehicles"
SAME_ROUTE: Final = "customers on the same route"
ROUTE_ORDERS: Final = "orders of customers on a route"
DIFFERENT_ROUTES: Final = "customers on different routes"
DISTRICTS: Final = "limits of districts on a route"
IN_PROGRESS_ROUTES: Final = "in-progress routes"
ROUTE_RULES: Final = frozenset(
    {
        SKILLS,
        PINNED,
        SAME_ROUTE,
        ROUTE_ORDERS,
        DIFFERENT_ROUTES,
        DISTRICTS,
        IN_PROGRESS_ROUTES,
    }
)
"""Features of what a route must hold."""

FORBIDDEN_ARCS: Final = "forbidden arcs"
"""Feature of distances or durations, some of which are infinite."""

TIME_WINDOWS: Final = "time windows"
SEVERAL_WINDOWS: Final = "several time windows"
PREFERRED_WINDOWS: Final = "preferred windows"
BREAKS: Final = "breaks"
HOURS_OF_SERVICE: Final = "hours of service"
SERVICE_DURATIONS: Final = "service durations"
RELEASE_TIMES: Final = "release times"
SETUP_DURATIONS: Final = "set-up durations"
DURATIONS: Final = "durations other than the distances"
"""Features of the time that an instance takes."""

DRIVERS_DAY: Final = frozenset(
    {SEVERAL_WINDOWS, BREAKS, HOURS_OF_SERVICE, PREFERRED_WINDOWS}
)
"""Features of times that neither PyVRP nor VRPLIB files have."""

OWN_WORK: Final = frozenset({OWN_SERVICES, OWN_SETUPS, SETUP_DURATIONS})
"""Features of visits whose duration depends on the vehicle and the route."""

TIMED: Final = frozenset(
    {
        *DRIVERS_DAY,
        *OWN_WORK,
        *(TIME_WINDOWS, SERVICE_DURATIONS, RELEASE_TIMES, DURATIONS),
        *(VEHICLE_WINDOWS, OVERTIME, UNIT_DURATION_COSTS, UNIT_DRIVING_COSTS),
        *(TIME_STEPS, TIME_BALANCES),
        *(each.feature for each in ROUTE_LIMITS if each.unit == DURATION),
    }
)
"""Features of a problem that has times."""

RESTRICTIONS: Final = frozenset(
    {
        *(SAME_ROUTE, DIFFERENT_ROUTES, DISTRICTS, SEVERAL_WINDOWS),
        *(MIN_STOPS, MIN_LOADS, HOURS_OF_SERVICE, PREFERRED_WINDOWS),
        *(PRICE_STEPS, TIME_STEPS, BALANCES, TIME_BALANCES, ROUTE_ORDERS),
        *_LIMITS.values(),
    }
)
"""Features that only forbid routes, or have a price of at least 0.

Without the fields of such a feature no solution costs more, so that a lower
bound may ignore them. A feature that allows more or makes something cheaper
is none of these: the duration of a route does not have its unpaid breaks.
"""


MATRIX: Final = "a distance matrix"
POINT_CAPACITIES: Final = "capacities of points"
CLUSTER_CAPACITIES: Final = "capacities of clusters"
OTHER_DIMENSIONS: Final = "one, or more than two, coordinates"
ROUNDED_DOWN: Final = "truncated distances"
MORE_LIMITS: Final = "minimum loads, size limits, tolerances, further weights"
RULES: Final = "links, fixed points and other rules"
CENTER_PLACES: Final = "centers outside the points"
FORBIDDEN_CENTERS: Final = "forbidden centers"
"""Features of a point set; the first two count for the objective "cpmp"."""


OBJECTIVES: Final = ("inertia", "cccp", "cpmp")
"""Objectives of the capacitated clustering problem.

Sum of squared distances to the mean, of distances to the mean, and of
distances to a medoid.
"""
