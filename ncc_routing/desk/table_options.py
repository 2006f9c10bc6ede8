"""What is said about a problem beside its table of customers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import bounded, shell_option
from ncc_routing.core.units import TIME_UNITS

if TYPE_CHECKING:
    import os
    from collections.abc import Collection

    from ncc_routing.desk.amounts import LoadForm
    from ncc_routing.desk.columns import Naming


@dataclass(frozen=True)
class TableOptions:
    """What is said about a problem beside its table of customers.

    The fields are arguments of :func:`ncc_routing.read`, and options of the
    shell.
    """

    capacity: float | None = field(
        default=None,
        metadata=shell_option(
            "Capacity of each vehicle of a table.",
            "Q",
            shown="that of the file",
        ),
    )
    depot: object = field(
        default=None,
        metadata=shell_option(
            "Depot of a table: the id of a row, or coordinates.",
            "ID|X,Y",
            shown="the marked rows, else a first row without demand",
        ),
    )
    vehicles: object = field(
        default=None,
        metadata=shell_option(
            "Table of vehicles (.csv, .json, .xlsx).", "FILE"
        ),
    )
    matrix: object = field(
        default=None,
        metadata=shell_option(
            "Distances between the rows of a table: .npz, .npy, CSV, Excel, "
            "or JSON of a routing engine with durations.",
            "FILE",
        ),
    )
    durations: object = field(
        default=None,
        metadata=shell_option(
            "Durations between the rows; formats of --matrix.", "FILE"
        ),
    )
    speed: str | None = field(
        default=None,
        metadata=shell_option(
            "Speed that converts distances to durations: 40km/h, 25mph.",
            "SPEED",
        ),
    )
    detour: float | None = field(
        default=None,
        metadata=shell_option(
            "Factor for straight lines, since roads are longer: 1.3.",
            "FACTOR",
            shown="straight lines",
        ),
    )
    osrm: str | None = field(
        default=None,
        metadata=shell_option(
            "OSRM server to ask for distances and durations: "
            "http://localhost:5000.",
            "URL",
            shown="straight lines",
        ),
    )
    time_unit: str | None = field(
        default=None,
        metadata=shell_option(
            "Unit of times and durations without one: s, min or h.",
            "NAME",
            TIME_UNITS,
            "that of the durations",
        ),
    )
    day: str | None = field(
        default=None,
        metadata=shell_option(
            "Day that is planned, where windows are of weekdays: monday, or "
            "2026-05-04.",
            "DAY",
        ),
    )
    max_districts: int | None = bounded(
        None,
        1,
        math.inf,
        metadata=shell_option(
            "Largest number of districts on a route, for a table with a "
            "column district."
        ),
    )
    lenient: bool = field(
        default=False,
        metadata=shell_option(
            "Keep keys of VROOM's JSON that are not known, and give them "
            "back, or refuse them."
        ),
    )
    in_progress: object = field(
        default=None,
        metadata=shell_option(
            "In-progress routes in a format of solve (.sol, .csv, .xlsx, "
            ".json); their customers stay first on their routes. A table may "
            "have a column departure with the actual times.",
            "FILE",
        ),
    )
    rounding: str | None = None
    naming: Naming | None = None
    load_form: LoadForm | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        # Imported where it is needed: a file of VRPLIB needs no table.
        if self.vehicles is not None:
            self._make_fleet()
        if self.time_unit is not None:
            from ncc_routing.desk.times import seconds_in

            seconds_in(self.time_unit)
        if self.day is not None:
            from ncc_routing.desk.windows import day_of

            day_of(self.day)
        if self.speed is not None:
            from ncc_routing.desk.travel import metres_a_second

            metres_a_second(self.speed)
        if self.osrm is None:
            return
        from ncc_routing.desk.osrm import checked_address

        object.__setattr__(self, "osrm", checked_address(self.osrm))
        for name in ("matrix", "durations", "speed", "detour"):
            if getattr(self, name) is not None:
                raise ParameterError(f"osrm and {name} exclude each other.")

    def _make_fleet(self) -> None:
        from ncc_routing.problems.fleet import Fleet, VehicleType

        given = self.vehicles
        if isinstance(given, VehicleType):
            given = [given]
        if isinstance(given, (list, tuple)) and all(
            isinstance(each, VehicleType) for each in given
        ):
            object.__setattr__(self, "vehicles", Fleet(tuple(given)))

    def require_none(
        self,
        path: str | os.PathLike[str],
        form: str = "a VRPLIB file",
        but: Collection[str] = (),
    ) -> None:
        """Refuse options, except ``but``, beside a file that says all."""
        for option in fields(self):
            is_given = getattr(self, option.name) not in (None, False)
            if is_given and option.name not in but:
                name = {"naming": "columns"}.get(option.name, option.name)
                raise ParameterError(
                    f"{name} goes with a table of customers; {path} is "
                    f"{form}, which states it."
                )
