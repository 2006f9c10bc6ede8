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
    "id": "what the user calls it, kept to the output",
    "x": "place in a plane",
    "y": "place in a plane",
    "lon": "place on the Earth, in degrees",
    "lat": "place on the Earth, in degrees",
    "demand": "demand or weight, 1 where there is none",
    "depot": "marks depots: 1, true, yes, x, or the word depot",
    "open": "when the time window opens; the vehicle waits until then",
    "close": "when the time window closes: the service begins by then",
    "window": "both in one cell: 08:00-12:00; not beside them",
    "service": "how long the service takes",
    "release": "no vehicle leaves with the goods before",
    "demand_2": "demand in a second kind of load",
    "demand_3": "demand in a third one",
    "pickup": "what the vehicle takes along to the end of its trip",
    "pickup_2": "the same in a second kind of load",
    "pickup_3": "the same in a third one",
    "deliver_to": "id of the customer who gets the demand of this one",
    "prize": "lost where the customer is left out; 0 where it must be served",
    "required": "whether it must be served, whatever its prize; 1 where empty",
    "one_of": "one of the customers with this word is served",
    "skills": "what its vehicle must have: lift;cold",
    "served_by": "names of the vehicles that may come, all where empty",
    "same_route": "customers with a word in common share a route",
    "different_routes": "customers with a word in common do not",
    "district": "where it is, for a limit of districts on a route",
    "vehicle": "name of the vehicles of the row",
    "number": "how many there are, 1 without the column",
    "capacity": "largest load; needed, here or beside the table",
    "capacity_2": "largest load of the second kind",
    "capacity_3": "largest load of the third kind",
    "initial_load": "what is on board at the start, 0 where empty",
    "shift_start": "earliest start of a route",
    "shift_end": "latest end of a route",
    "latest_start": "latest start of a route",
    "fixed_cost": "cost of each vehicle that is used, 0 where empty",
    "cost_per_distance": "cost of a unit of distance, 1 where empty",
    "cost_per_time": "cost of a unit of time on the way, 0 where empty",
    "home_depot": "id of the depot where routes start and end",
    "start_depot": "id of the depot where routes start",
    "end_depot": "id of the depot where routes end",
    "max_distance": "longest distance of a route",
    "max_duration": "longest duration of a route",
    "max_overtime": "time by which it may be longer, 0 where empty",
    "cost_per_overtime": "cost of a unit of that time, beside others",
    "reload_depots": "ids of depots between bars, or yes: to load anew",
    "max_reloads": "how often, where it may",
    "has_skills": "what they have of the skills of customers",
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
