"""The sections and keys of VRPLIB and of PyVRP's dialect, a row for each.

The rows are what the reader, the writer, the errors of both and TYPE go by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ncc_routing.io._vrplib_weights import FUNCTIONS, LAYOUTS

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
        read; "vehicle"; or "group", of which there may be any number.
    target
        What its columns are called in an instance; the name of one target is
        that of all columns.
    kind
        "number", "whole" (a number without a fraction), "depot" (the number
        of one), "depots" or "nodes" (numbers of any of them). Default
        "number".
    measure
        "cost" (scaled and cut as the metric does with lengths), "time"
        (likewise, whole numbers), or "" (as it is). Default "".
    width
        Number of columns, ``None`` for that of the first row. Default 1.
    form
        "section", "key" (one number for all), or "either". Default "section".
    largest
        Bound on the values. Default ``LARGEST_NUMBER``, of times
        ``LARGEST_TIME``.
    is_signed
        Whether values may be negative, or an instance says it in words of its
        own. Default no.
    shows
        What a file with it is about, in the words of ``TYPES``.
    """

    name: str
    of: str
    target: tuple[str, ...] = ()
    kind: str = "number"
    measure: str = ""
    width: int | None = 1
    form: str = "section"
    largest: float = LARGEST_NUMBER
    is_signed: bool = False
    shows: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.measure == "time":
            object.__setattr__(self, "largest", LARGEST_TIME)

    @property
    def is_list(self) -> bool:
        """Whether a row lists numbers of nodes or depots."""
        return self.kind in ("nodes", "depots")

    @property
    def counted_by(self) -> str:
        """The key that counts its rows."""
        return "VEHICLES" if self.of == "vehicle" else "DIMENSION"

    @property
    def field(self) -> str:
        """Its name in a file, that of the key if it may be one."""
        return f"{self.name}_SECTION" if self.form == "section" else self.name


SECTIONS: Final = (
    Section("EDGE_WEIGHT", "", ("matrix",)),
    Section("NODE_COORD", "node", ("coords",), width=2, is_signed=True),
    Section(
        "DEMAND",
        "node",
        ("delivery",),
        width=None,
        is_signed=True,
        shows=("loads",),
    ),
    Section(
        "BACKHAUL",
        "node",
        ("pickup",),
        width=None,
        is_signed=True,
        shows=("loads", "backhauls"),
    ),
    Section(
        "TIME_WINDOW",
        "node",
        ("tw_early", "tw_late"),
        measure="time",
        width=2,
        shows=("windows",),
    ),
    Section(
        "SERVICE_TIME",
        "customer",
        ("service_durations",),
        measure="time",
        form="either",
    ),
    Section(
        "RELEASE_TIME",
        "customer",
        ("release_times",),
        measure="time",
        form="either",
        shows=("releases",),
    ),
    Section(
        SHIPMENTS,
        "node",
        ("shipments",),
        width=6,
        largest=LARGEST_TIME,
        is_signed=True,
        shows=("loads", "shipments"),
    ),
    Section(
        "PRIZE",
        "node",
        ("prizes",),
        measure="cost",
        is_signed=True,
        shows=("prizes",),
    ),
    Section(
        "MUTUALLY_EXCLUSIVE_GROUP",
        "group",
        ("groups",),
        "nodes",
        shows=("groups",),
    ),
    Section(
        "CAPACITY",
        "vehicle",
        ("capacity",),
        "whole",
        width=None,
        form="either",
        shows=("fleet",),
    ),
    Section("VEHICLES_DEPOT", "vehicle", ("start_depot",), "depot"),
    # CVRPLIB's bound on the length of a route and its service times together.
    Section(
        "DISTANCE",
        "vehicle",
        ("shift_duration",),
        measure="time",
        form="key",
        shows=("limits",),
    ),
    Section(
        "VEHICLES_MAX_DURATION",
        "vehicle",
        ("shift_duration",),
        measure="time",
        form="either",
        shows=("limits", "fleet"),
    ),
    Section(
        "VEHICLES_MAX_DISTANCE",
        "vehicle",
        ("max_distance",),
        measure="time",
        form="either",
        shows=("limits", "fleet"),
    ),
    Section(
        "VEHICLES_FIXED_COST",
        "vehicle",
        ("fixed_cost",),
        measure="cost",
        form="either",
        is_signed=True,
        shows=("fleet",),
    ),
    Section(
        "VEHICLES_UNIT_DISTANCE_COST",
        "vehicle",
        ("unit_distance_cost",),
        form="either",
        shows=("fleet",),
    ),
    Section(
        "VEHICLES_MAX_RELOADS",
        "vehicle",
        ("max_reloads",),
        form="either",
        largest=LARGEST_TIME,
    ),
    Section(
        "VEHICLES_RELOAD_DEPOT",
        "vehicle",
        ("reload_depots",),
        "depots",
        shows=("reloads",),
    ),
    Section(
        "VEHICLES_ALLOWED_CLIENTS",
        "vehicle",
        ("allowed",),
        "nodes",
        shows=("sites",),
    ),
    Section("DEPOT", "", shows=("depots",)),
    Section("DISPLAY_DATA", ""),  # says nothing
)
"""Every section that is read, in the order in which files are written."""

SECTION: Final = {section.name: section for section in SECTIONS}

OTHER_NAMES: Final = {"LINEHAUL": "DEMAND"}
"""Second names of sections in PyVRP's dialect."""

TYPES: Final = {
    "PDPTW": ("shipments",),
    "GVRP": ("groups",),
    "PCVRPTW": ("loads", "prizes", "windows"),
    "PCVRP": ("loads", "prizes"),
    "SDVRPTW": ("sites", "windows"),
    "SDVRP": ("sites",),
    "MTVRPTW": ("reloads", "windows"),
    "MTVRP": ("reloads",),
    "VRPSPD": ("backhauls",),
    "MDVRPTW": ("depots", "windows"),
    "MDVRP": ("depots",),
    "HFVRPTW": ("fleet", "windows"),
    "HFVRP": ("fleet",),
    "VRPTW": ("windows",),
    "CVRP": ("loads",),
    "VRP": (),
    # A file of these is read, and written under a type above.
    "ACVRP": ("loads",),
    "DCVRP": ("loads", "limits"),
    "CVRPTW": ("loads", "windows"),
    "HVRP": ("fleet",),
    "MTVRPTWR": ("reloads", "releases", "windows"),
    "PDVRPTW": ("shipments",),
    "VRPB": ("backhauls",),
    "TSP": (),
    "ATSP": (),
}
"""What a file of each TYPE must be about; without it, it would mean another
problem. The first one whose words a problem has is written."""

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
"""Name in ``rounding.ROUNDINGS`` of each EDGE_WEIGHT_TYPE."""

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
