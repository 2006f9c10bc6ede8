"""The sections and keys of VRPLIB and of PyVRP's dialect, a row for each.

The rows are what the reader, the writer, the errors of both and TYPE go by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.io._vrplib_weights import FUNCTIONS, LAYOUTS
from ncc_routing.problems.declared import in_files
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_NUMBER: Final = 1e9
"""Bound on coordinates, weights, demands and capacities of a file.

Sums of a million of them are still exact in float64.
"""

LARGEST_TIME: Final = 2.0**63
"""Bound on times and limits of a file: many write a huge number for none."""


SHIPMENTS: Final = "PICKUP_AND_DELIVERY"
"""Li and Lim's columns: amount, window, service, and the numbers of the pickup
of a delivery and of the delivery of a pickup."""


@dataclass(frozen=True)
class Section:
    """A field of VRPLIB that says something of nodes, vehicles or groups.

    Parameters
    ----------
    name
        Its name, without ``_SECTION``.
    of
        What has a row: "node"; "customer", with rows for depots that are not
        read; "vehicle"; "group", of which there may be any number; or "",
        where rows have no numbers.
    target
        What its columns are called in an instance, with blanks between; one
        name may be that of several columns. Default: it says nothing.
    kind
        "amount" (also a place: as it is); "cost" (scaled and cut as the metric
        does with lengths); "time" (likewise, whole numbers, not negative);
        "count"; "depot" (the number of one); "depots" or "nodes" (the numbers
        of any); "text". Times and counts are at most ``LARGEST_TIME``, others
        ``LARGEST_NUMBER``. Default "amount".
    form
        "section", "key" (one number for all), or "either". Default "section".
    width
        Number of columns, ``None`` for that of the first row. Default 1.
    shows
        What a file with it has, beside itself: "loads"; "limits" of routes;
        or "fleet", if it is a section; several with blanks between. Default:
        nothing.
    """

    name: str
    of: str
    target: str = ""
    kind: str = "amount"
    form: str = "section"
    width: int | None = 1
    shows: str = ""

    @property
    def targets(self) -> list[str]:
        """What its columns are called in an instance."""
        return self.target.split()

    @property
    def largest(self) -> float:
        """Bound on its values."""
        is_time = self.kind in ("time", "count")
        return LARGEST_TIME if is_time else LARGEST_NUMBER

    @property
    def counted_by(self) -> str:
        """The key that counts its rows."""
        return "VEHICLES" if self.of == "vehicle" else "DIMENSION"

    @property
    def field(self) -> str:
        """Its name in a file, that of the key if it may be one."""
        return f"{self.name}_SECTION" if self.form == "section" else self.name

    @property
    def is_list(self) -> bool:
        """Whether a row lists numbers of nodes or depots."""
        return self.kind in ("nodes", "depots")


def _declared(
    kind: type[Any], of: str, form: str = "either"
) -> Iterator[Section]:
    """Yield the sections of the declared fields of a class."""
    for field, files in in_files(kind):
        if files.vrplib:
            name, what, *shows = files.vrplib.split()
            is_key = what not in ("depot", "depots", "text")
            facts = (what, form if is_key else "section", 1, " ".join(shows))
            yield Section(name, of, field.name, *facts)


SECTIONS: Final = (
    Section("EDGE_WEIGHT", "", "matrix"),
    Section("NODE_COORD", "node", "coords", width=2),
    Section("DEMAND", "node", "delivery", width=None, shows="loads"),
    Section("BACKHAUL", "node", "pickup", width=None, shows="loads"),
    Section("TIME_WINDOW", "node", "tw_early tw_late", "time", width=2),
    *_declared(TimeWindows, "customer"),
    Section(SHIPMENTS, "node", "shipments", "count", width=6, shows="loads"),
    Section("PRIZE", "node", "prizes", "cost"),  # that of a depot is read
    *_declared(Selection, "customer", "section"),
    *_declared(RouteConstraints, "customer", "section"),
    Section("MUTUALLY_EXCLUSIVE_GROUP", "group", "groups", "nodes"),
    # CVRPLIB's bound on the length of a route and its service times together.
    Section(
        "DISTANCE", "vehicle", "shift_duration", "time", "key", 1, "limits"
    ),
    Section(
        "CAPACITY", "vehicle", "capacity", "amount", "either", None, "fleet"
    ),
    *_declared(VehicleType, "vehicle"),
    Section("VEHICLES_ALLOWED_CLIENTS", "vehicle", "allowed", "nodes"),
    Section("DEPOT", ""),
    Section("DISPLAY_DATA", ""),  # says nothing
)
"""Every field of nodes, vehicles or groups, in the order of written files."""

SECTION: Final = {section.name: section for section in SECTIONS}

OTHER_NAMES: Final = {"LINEHAUL": "DEMAND"}
"""Second names of sections in PyVRP's dialect."""

TYPES: Final = {
    "PDPTW": "PICKUP_AND_DELIVERY",
    "GVRP": "MUTUALLY_EXCLUSIVE_GROUP",
    "PCVRPTW": "loads PRIZE TIME_WINDOW",
    "PCVRP": "loads PRIZE",
    "SDVRPTW": "VEHICLES_ALLOWED_CLIENTS TIME_WINDOW",
    "SDVRP": "VEHICLES_ALLOWED_CLIENTS",
    "MTVRPTW": "VEHICLES_RELOAD_DEPOT TIME_WINDOW",
    "MTVRP": "VEHICLES_RELOAD_DEPOT",
    "VRPSPD": "BACKHAUL",
    "MDVRPTW": "DEPOT TIME_WINDOW",
    "MDVRP": "DEPOT",
    "HFVRPTW": "fleet TIME_WINDOW",
    "HFVRP": "fleet",
    "VRPTW": "TIME_WINDOW",
    "CVRP": "loads",
    "VRP": "",
    # A file of these is read, and written under a type above.
    "ACVRP": "loads",
    "DCVRP": "loads limits",
    "CVRPTW": "loads TIME_WINDOW",
    "HVRP": "fleet",
    "MTVRPTWR": "VEHICLES_RELOAD_DEPOT RELEASE_TIME TIME_WINDOW",
    "PDVRPTW": "PICKUP_AND_DELIVERY",
    "VRPB": "BACKHAUL",
    "TSP": "",
    "ATSP": "",
}
"""What a file of each TYPE must have, in names of sections and in what they
show: without it, it would mean another problem. The first one of which a
problem has all is written."""

TOURS: Final = ("TSP", "ATSP")
"""Types with one vehicle, where VEHICLES does not say more."""

WITH_DEPOTS: Final = ("CVRP", "ACVRP", "VRP", "DCVRP")
"""Types whose files name their depot; without it others begin with one."""

ROUNDING_OF_TYPE: Final = {
    "EUC_2D": "nearest",
    "CEIL_2D": "ceil",
    "FLOOR_2D": "floor",
    "EXACT_2D": "exact",
    "EXPLICIT": "none",
}
"""Name in ``distances.ROUNDINGS`` of each EDGE_WEIGHT_TYPE."""

FREE_TEXT: Final = (
    *("NAME", "COMMENT", "AUTHOR", "SOURCE", "CONTRIBUTOR", "REFERENCE"),
    *("URL", "DATE", "VERSION", "LICENSE"),
    *("BEST_KNOWN", "BEST_KNOWN_SOLUTION", "BEST_KNOWN_VALUE", "BKS"),
    *("OPTIMAL_VALUE", "OPTIMAL_COST", "OPTIMUM"),
)
"""Keys whose value says nothing about the problem, and may hold anything."""

REPEATED: Final = ("COMMENT", "AUTHOR", "SOURCE")
"""Those that may come again."""

KEYS: Final = {
    "TYPE": tuple(TYPES),
    "EDGE_WEIGHT_TYPE": (*ROUNDING_OF_TYPE, *FUNCTIONS),
    "EDGE_WEIGHT_FORMAT": (*LAYOUTS, "FUNCTION"),
    "NODE_COORD_TYPE": ("TWOD_COORDS", "NO_COORDS"),
    **dict.fromkeys(("DIMENSION", "VEHICLES", "DISPLAY_DATA_TYPE"), ()),
    **dict.fromkeys(FREE_TEXT, ()),
}
"""Keys beside those of ``SECTIONS``, and what they may say; none: anything."""

UNREAD: Final = {
    "FIXED_EDGES": (
        "edges that a tour must contain (TSPLIB's FIXED_EDGES_SECTION) are "
        "not supported"
    ),
    "VEHICLE_KINDS": (
        "is of Pessoa's HFVRP format, which is not read: take VRPLIB's "
        "CAPACITY_SECTION, VEHICLES_FIXED_COST_SECTION and "
        "VEHICLES_UNIT_DISTANCE_COST_SECTION, or a table of vehicles"
    ),
}
"""What is known, and not read."""
