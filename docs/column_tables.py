"""Write the names of columns into their page: ``make tables``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.io.columns import CUSTOMER_FIELDS, VEHICLE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.io.columns import Field

PAGE = Path(__file__).parent / "reference" / "tables.md"
BEGIN, END = "<!-- columns of {}: begin -->", "<!-- columns of {}: end -->"
TABLES = {"customers": CUSTOMER_FIELDS, "vehicles": VEHICLE_FIELDS}

MEANINGS = {
    "id": "id, kept in the output",
    "x": "coordinate in a plane",
    "y": "coordinate in a plane",
    "lon": "longitude in degrees",
    "lat": "latitude in degrees",
    "demand": "demand or weight, 1 without the column",
    "depot": "marks depots: 1, true, yes, x, or the word depot; in `type` "
    "only depot and customer",
    "open": "opening of the time window; an early vehicle waits",
    "close": "closing of the time window; the service starts by then",
    "window": "`open` and `close` in one cell: 08:00-12:00",
    "service": "duration of the service",
    "release": "earliest departure of a vehicle with the goods",
    "demand_2": "demand in the second load dimension",
    "demand_3": "demand in the third load dimension",
    "pickup": "amount that stays on board until the end of the trip",
    "pickup_2": "the same in the second load dimension",
    "pickup_3": "the same in the third load dimension",
    "deliver_to": "id of the row where the demand of this row is delivered",
    "prize": "lost if the customer is not served; 0: a mandatory one",
    "required": "whether service is mandatory despite a prize; empty: 1, or "
    "as the other row of a shipment",
    "one_of": "exactly one of the customers with this label is served, or "
    "at most one if `required` is 0",
    "skills": "skills that the vehicle needs: tail lift;cold",
    "served_by": "names of the vehicles that may come; empty: all",
    "same_route": "customers with a common label share a route",
    "different_routes": "no two customers with a common label share one",
    "district": "district, for a limit of districts on a route",
    "vehicle": "name of the vehicle type",
    "number": "number of vehicles, 1 without the column",
    "capacity": "largest load; needed here or as an argument",
    "capacity_2": "largest load in the second dimension",
    "capacity_3": "largest load in the third dimension",
    "initial_load": "load on board at the start; empty: 0",
    "shift_start": "earliest start of a route; also `start`, with times of "
    "day",
    "shift_end": "latest end of a route; also `end`, with times of day",
    "latest_start": "latest start of a route",
    "fixed_cost": "cost of each vehicle used; empty: 0",
    "cost_per_distance": "cost of a unit of distance; empty: 1",
    "cost_per_time": "cost of a unit of route duration; empty: 0",
    "home_depot": "id of the depot where routes start and end",
    "start_depot": "id of the depot where routes start",
    "end_depot": "id of the depot where routes end",
    "max_distance": "longest distance of a route",
    "max_duration": "longest duration of a route",
    "max_overtime": "overtime beyond `max_duration`; empty: 0",
    "cost_per_overtime": "extra cost of a unit of overtime",
    "reload_depots": "depots for reloading: ids separated by bars, or yes",
    "max_reloads": "largest number of reloads of a route",
    "has_skills": "skills of the vehicles",
}


def table(fields: Mapping[str, Field]) -> str:
    """Return the fields as a table: name, meaning, other names."""
    rows = ["| field | meaning | names |", "| --- | --- | --- |"]
    for field, (names, _) in fields.items():
        words = ", ".join(name.replace("_", " ") for name in names)
        rows.append(f"| `{field}` | {MEANINGS[field]} | {words} |")
    return "\n".join(rows)


def filled(text: str) -> str:
    """Return the text of the page with today's names between its marks."""
    for name, fields in TABLES.items():
        begin, end = BEGIN.format(name), END.format(name)
        head, rest = text.split(begin)
        tail = rest.split(end)[1]
        text = f"{head}{begin}\n\n{table(fields)}\n\n{end}{tail}"
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
