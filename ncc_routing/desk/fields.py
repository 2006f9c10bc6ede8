"""The columns of tables: what their cells say.

A new column is a row here, and an entry of ``words.toml`` says what it may be
called. Readers, messages and the page "Tables" follow both.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.units import LOADS_OF, METRES_OF, SECONDS_OF
from ncc_routing.desk.words import entry_of, units_in, words_of
from ncc_routing.problems.breaks import Break
from ncc_routing.problems.declared import facts_of, in_files
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.routes.timetable import (
    DELIVERED,
    DEPARTURE,
    DISTANCE,
    KIND,
    LOAD,
    PICKED_UP,
    REASONS,
    ROUTE,
    STOP,
    TIMES,
    VEHICLE,
    VEHICLE_NAME,
    VEHICLE_TYPE,
)
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

TEXT, LABEL, WORDS, FLAG = "text", "label", "words", "flag"
"""Kinds of columns without numbers: one text, which may be an empty word such
as "no"; one that may not; several between marks; yes or no."""

NUMBER, AMOUNT = "number", "amount"
"""Kinds of columns with numbers: any, and whole loads."""

MOMENT, SERVICE, LIMIT, PAST = "moment", "service", "limit", "past"
"""Kinds of columns about time: when, how long in whole units, how long at
most, and when something was, in parts of units too."""

MOMENTS: Final = (MOMENT, PAST)
"""Kinds of columns that say when."""

WINDOW = "window"
"""Kind of a column with two moments in each cell, which becomes two fields."""

BREAK = "break"
"""Kind of a column with breaks in each cell: their length, and when they may
begin. It becomes three fields for each."""

_TIMES: Final = (*MOMENTS, WINDOW, SERVICE, LIMIT)
_TEXTS: Final = (TEXT, LABEL, WORDS, FLAG)

TIME, LENGTH, LOADS = "time", "length", "loads"
PER_TIME, PER_LENGTH = "per time", "per length"
"""What numbers count in, which the name of a column may say."""

_PER: Final = {TIME: PER_TIME, LENGTH: PER_LENGTH}

_SIZES: Final[Mapping[str, Mapping[str, float]]] = {
    **dict.fromkeys((TIME, PER_TIME), SECONDS_OF),
    **dict.fromkeys((LENGTH, PER_LENGTH), METRES_OF),
    LOADS: dict.fromkeys(LOADS_OF, 1.0),
}

_FURTHER_WINDOWS: Final = {2: "a second", 3: "a third", 4: "a fourth"}

WINDOW_ENDS: Final = (
    ("open", "close"),
    *((f"open_{number}", f"close_{number}") for number in _FURTHER_WINDOWS),
)
"""The columns of each window of a customer."""


_FURTHER_BREAKS: Final = ("", "_2", "_3")

BREAK_FIELDS: Final = tuple(
    tuple(f"break_{name}{end}" for name in ("duration", "from", "until"))
    for end in _FURTHER_BREAKS
)
"""The columns of each break of a vehicle."""

STEP_FIELDS: Final = {
    "distance": ("included_distance", "cost_per_extra_distance"),
    "duration": ("included_duration", "cost_per_extra_duration"),
    "driving_time": (
        "included_driving_time",
        "cost_per_extra_driving_time",
    ),
    "stops": ("included_stops", "cost_per_extra_stop"),
    "load": ("included_load", "cost_per_extra_load"),
}
"""The columns of a price step of each amount of a route."""

BALANCE_FIELDS: Final = {
    amount: {
        "max_spread": f"max_{amount}_spread",
        "spread_cost": f"cost_per_{amount}_spread",
        "largest_cost": f"cost_per_largest_{amount}",
    }
    for amount in STEP_FIELDS
}
"""The columns of a balance of each amount, by the fields of ``Balance``."""

PRICES_OF_LOADS: Final = (
    STEP_FIELDS["load"][1],
    *(
        BALANCE_FIELDS["load"][name]
        for name in ("spread_cost", "largest_cost")
    ),
)
"""Columns of prices of a unit of the first dimension."""


@dataclass(frozen=True)
class Column:
    """What a column may be called, in any case, and what its cells say.

    Parameters
    ----------
    meaning
        What it says, for people.
    kind
        How its cells are read. Default: as finite numbers.
    unit
        What its numbers count in. Default: nothing that is known.
    target
        The fields of the problem that it becomes, of a whole window the
        columns. Several columns of one field are its dimensions. Default:
        none.
    blank
        What an empty cell says. Default: it is refused, if a number.
    least, most
        Bounds on its numbers. Default: none.
    travels
        Whether its cells stand in the output as given, beside what follows
        from them. Default: they do.
    words
        The entry of its names in the file of words. Default: none.
    end
        What stands behind each name of the entry. Default: nothing.
    own_names
        Names beside those of the entry. Default: none.
    """

    meaning: str = ""
    kind: str = NUMBER
    unit: str = ""
    target: tuple[str, ...] = ()
    blank: float | None = None
    least: float | None = None
    most: float | None = None
    travels: bool = True
    words: str = ""
    end: str = ""
    own_names: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Its names."""
        words = map(_plain_text, words_of(self.words) if self.words else ())
        return (*(f"{word}{self.end}" for word in words), *self.own_names)

    @cached_property
    def spare(self) -> tuple[str, ...]:
        """Names that count, the first one first, where no other is there."""
        words = words_of(self.words, "spare") if self.words else ()
        return tuple(map(_plain_text, words))

    @property
    def is_time(self) -> bool:
        """Whether its cells are times, or costs of a time."""
        return self.unit in (TIME, PER_TIME)

    @property
    def is_text(self) -> bool:
        """Whether its cells are no numbers."""
        return self.kind in _TEXTS

    def unit_in(self, title: str) -> float | None:
        """Return the seconds or metres of the unit that a name says.

        The hours of "opening hours" are no unit, those of an "hourly rate"
        are one, and so are those of "costPerHour".
        """
        pieces = pieces_of(title)
        whole = "".join(pieces)
        if whole in _hours():
            return None
        known = _plain(self.names)
        if len(pieces) == 1 and whole in known:
            pieces = pieces_of(self.names[known[whole]])
        sizes, units = _SIZES.get(self.unit, {}), _units_of(self.unit)
        at = place_of_unit(pieces, units) if len(pieces) > 1 else None
        if at is not None:
            return sizes[units[pieces[at]]]
        is_price = self.unit in (PER_TIME, PER_LENGTH)
        inside = _units_inside("prices" if is_price else "compounds")
        for unit, pattern in inside.items():
            if unit in sizes and any(map(pattern.search, pieces)):
                return sizes[unit]
        return None


def _units_of(quantity: str) -> dict[str, str]:
    return units_in(quantity.removeprefix("per ")) if quantity else {}


@cache
def _units_inside(names: str) -> dict[str, re.Pattern[str]]:
    """Return units in words of prices ("Stundensatz"), or of compounds."""
    key, form = f"units.{names}", "{}" if names == "prices" else ".(?:{})$"
    return {
        unit: re.compile(form.format("|".join(words_of(f"{key}.{unit}"))))
        for unit in entry_of(key)
    }


@cache
def _hours() -> frozenset[str]:
    """Return the names of columns of whole windows."""
    windows = CUSTOMER_COLUMNS["window"], VEHICLE_COLUMNS["shift"]
    return frozenset(name for each in windows for name in _plain(each.names))


def pieces_of(title: str) -> list[str]:
    """Return the words of a name, without case and accents."""
    text = title.casefold().replace("\N{DEGREE SIGN}", "o")
    return re.findall(r"[^\W_]+", _plain_text(text))


def _plain_text(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if not unicodedata.combining(c))


def place_of_unit(pieces: Sequence[str], units: Container[str]) -> int | None:
    """Return which word of a name is its unit, ``None`` where none is.

    A letter, or a word such as "min" that means more, is one at the end or
    behind "per".
    """
    for at in range(len(pieces) - 1, -1, -1):
        word = pieces[at]
        if word in units and (
            (len(word) > 1 and word not in words_of("units.not_only"))
            or at == len(pieces) - 1
            or (at > 0 and pieces[at - 1] in words_of("units.per"))
        ):
            return at
    return None


def without_unit(title: str, quantity: str) -> str:
    """Return the other words of a name with a unit, "" of one without."""
    pieces = pieces_of(title)
    at = place_of_unit(pieces, _units_of(quantity))
    if at is None:
        return ""
    is_price = at > 0 and quantity in (PER_TIME, PER_LENGTH)
    is_per = is_price and pieces[at - 1] in words_of("units.per")
    return "_".join(pieces[: at - is_per] + pieces[at + 1 :])


@cache
def _plain(names: tuple[str, ...]) -> dict[str, int]:
    """Return the places of names, without what parts their words."""
    return {"".join(pieces_of(name)): at for at, name in enumerate(names)}


def field_of(title: str, columns: Mapping[str, Column]) -> str | None:
    """Return the field that a name stands for, ``None`` where for none.

    Blanks, hyphens and underscores do not count; a unit may stand in it.
    """
    pieces = pieces_of(title)
    if not pieces:
        return None
    known = _fields_by_name(_Key(columns))
    whole = "".join(pieces)
    for fields in known.values():
        if whole in fields:
            return fields[whole]
    for unit, fields in known.items():
        at = place_of_unit(pieces, _units_of(unit))
        if at is not None:
            is_said = at > 0 and unit in (PER_TIME, PER_LENGTH)
            is_per = is_said and pieces[at - 1] in words_of("units.per")
            for first in (at, at - is_per):
                rest = "".join(pieces[:first] + pieces[at + 1 :])
                if rest in fields:
                    return fields[rest]
    return _coordinate_of(pieces, columns)


class _Key:
    """Columns, which equal themselves alone, as a key."""

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self.columns = columns

    def __hash__(self) -> int:
        return id(self.columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.columns is other.columns


@lru_cache(maxsize=16)
def _fields_by_name(key: _Key) -> dict[str, dict[str, str]]:
    """Return the field of each name, for each unit that fields count in."""
    known: dict[str, dict[str, str]] = {}
    for field, column in key.columns.items():
        names = known.setdefault(column.unit, {})
        for name in _plain(column.names + column.spare):
            names.setdefault(name, field)
    return known


def _coordinate_of(
    pieces: Sequence[str], columns: Mapping[str, Column]
) -> str | None:
    """Return the coordinate that a name of several words stands for.

    It is one of "location.lat", and of the places of vehicles.
    """
    words = [w for w in pieces if w not in words_of("names.around_places")]
    axes = [axis for axis, names in _axes().items() if {*words} & names]
    if len(axes) != 1:
        return None
    rest = [word for word in words if word not in _axes()[axes[0]]]
    ends = {_ends_of_routes().get(word, "") for word in rest}
    if not ends and axes[0] in columns:
        return axes[0]
    end = ends.pop() if len(ends) == 1 else "" if ends else "home"
    field = f"{end}_{axes[0]}"
    return field if field in columns else None


@cache
def _axes() -> dict[str, set[str]]:
    """Return what each coordinate is called."""
    return {
        axis: {
            piece
            for name in PLACE_COLUMNS[axis].names
            for piece in name.split("_")
        }.difference(words_of("names.around_places"))
        for axis in ("x", "y", "lon", "lat")
    }


@cache
def _ends_of_routes() -> dict[str, str]:
    """Return which end of a route, or both, each word for a place says."""
    return {
        word: end
        for end in ("start", "end", "home")
        for word in words_of(f"names.{end}")
    }


def rank_of(title: str, column: Column) -> int:
    """Return 0 for a name that counts, else the place of a spare one."""
    places = _plain(column.spare)
    return 1 + places.get("".join(pieces_of(title)), -1)


def _column(
    meaning: str = "",
    kind: str = NUMBER,
    *,
    unit: str = "",
    target: str = "",
    **facts: object,
) -> Column:
    """Return a column; an empty amount or time is 0 unless it says more."""
    if kind in (AMOUNT, *_TIMES):
        facts = {"blank": 0, **facts}
    if kind == AMOUNT:
        facts |= {"least": 0, "most": NO_LIMIT}
    if not unit:
        unit = {AMOUNT: LOADS}.get(kind, TIME if kind in _TIMES else "")
    becomes = tuple(target.split())
    return Column(meaning, kind, unit, becomes, **facts)  # type: ignore[arg-type]


def _columns(table: str, columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns whose names stand under their fields, if not said.

    Where there is no such entry of words, the field is the name.
    """
    return {
        field: replace(column, words=column.words or f"{table}.{field}")
        for field, column in columns.items()
    }


_KINDS: Final = {"str": TEXT, "tuple[str, ...]": WORDS, "bool": FLAG}
"""Kinds of columns by the type of their field, of others numbers."""


def _declared_columns(kind: type[Any]) -> Iterator[tuple[str, Column]]:
    """Yield the columns of the declared fields of a class."""
    for field, files in in_files(kind):
        if not files.says:
            continue
        cells = files.cells or _KINDS.get(str(field.type), NUMBER)
        facts: dict[str, object] = {}
        if not (cells in _TEXTS or files.needed):
            blank = field.default if files.blank is None else files.blank
            facts = {"blank": blank}
        if files.column or files.per_node:
            facts["target"] = field.name
        bounds = facts_of(field) if files.per_node else {}
        if "least" in bounds:
            facts |= {"least": bounds["least"]}
            facts |= {"most": bounds.get("most", NO_LIMIT)}
        column = _column(files.says, cells, unit=files.unit, **facts)  # type: ignore[arg-type]
        yield files.column or field.name, column


_PLACES: Final = {
    "id": _column("id, kept in the output", TEXT, target="ids", travels=False),
    "x": _column("coordinate in a plane", target="coords", travels=False),
    "y": _column("coordinate in a plane", target="coords", travels=False),
    "lon": _column(
        "longitude in degrees",
        least=-180,
        most=180,
        target="coords",
        travels=False,
    ),
    "lat": _column(
        "latitude in degrees",
        least=-90,
        most=90,
        target="coords",
        travels=False,
    ),
    "demand": _column(
        "demand or weight, 1 without the column",
        AMOUNT,
        blank=None,
        target="delivery",
    ),
}
PLACE_COLUMNS: Final = _columns("places", _PLACES)
"""Columns of customers and points; two columns of one field are refused.

None is a field of a class alone: points have them too, and two are a place.
"""

_CUSTOMERS: Final = {
    "depot": _column(
        "marks depots: 1, true, yes, x, or the word depot; in `type` "
        "only depot and customer",
        FLAG,
        travels=False,
    ),
    **dict(_declared_columns(TimeWindows)),
    "window": _column(
        "`open` and `close` in one cell: 08:00-12:00, 8-12, after 10:00; "
        "several separated by `;`",
        WINDOW,
        target=" ".join(map(" ".join, WINDOW_ENDS)),
    ),
    **{
        f"{end}_{number}": _column(
            f"{what} of {rank} time window",
            MOMENT,
            blank=-1,
            words=f"customers.further_{end}",
            end=f"_{number}",
        )
        for number, rank in _FURTHER_WINDOWS.items()
        for end, what in (("open", "opening"), ("close", "closing"))
    },
    "preferred": _column(
        "window outside which a visit costs `early_cost` or `late_cost`, "
        "as `window`",
        WINDOW,
        target="preferred_from preferred_until",
    ),
    "preferred_from": _column("opening of the preferred window", MOMENT),
    "preferred_until": _column(
        "closing of the preferred window", MOMENT, blank=NO_LIMIT
    ),
    "demand_2": _column(
        "demand in the second load dimension", AMOUNT, target="delivery"
    ),
    "demand_3": _column(
        "demand in the third load dimension", AMOUNT, target="delivery"
    ),
    "pickup": _column(
        "amount that stays on board until the end of the trip",
        AMOUNT,
        target="pickup",
    ),
    "pickup_2": _column(
        "the same in the second load dimension", AMOUNT, target="pickup"
    ),
    "pickup_3": _column(
        "the same in the third load dimension", AMOUNT, target="pickup"
    ),
    "deliver_to": _column(
        "id of the row where the demand of this row is delivered", TEXT
    ),
    "comes_after": _column(
        "id of the customer who comes before this one, on the same route",
        TEXT,
    ),
    "directly_after": _column(
        "the same, with no other customer between them", TEXT
    ),
    **dict(_declared_columns(Selection)),
    "required": _column(
        "whether the customer is mandatory despite a prize; empty: 1, or "
        "as the other row of a shipment",
        FLAG,
    ),
    "one_of": _column(
        "exactly one of the customers with this label is served, or at "
        "most one if `required` is 0",
        LABEL,
    ),
    **dict(_declared_columns(RouteConstraints)),
    "served_by": _column(
        "names of the vehicles that may serve the customer; empty: all", WORDS
    ),
    "same_route": _column(
        "customers with a common label share a route", WORDS
    ),
    "different_routes": _column(
        "customers with a common label are on different routes", WORDS
    ),
    "district": _column(
        "district of the customer, for `max_districts`", WORDS
    ),
}
"""Beside declared fields: two ends in one cell, further windows, a column for
each load dimension, labels and names, and what rows mean together."""

CUSTOMER_COLUMNS: Final = PLACE_COLUMNS | _columns("customers", _CUSTOMERS)
"""Columns of the customers of a routing problem."""

_VEHICLES: Final = {
    "plate": _column(
        "licence plate, for the sheet of the driver; the name of the vehicle "
        "where it has no other",
        TEXT,
    ),
    "capacity_2": _column(
        "largest load in the second dimension",
        unit=LOADS,
        target="other_capacities",
    ),
    "capacity_3": _column(
        "largest load in the third dimension",
        unit=LOADS,
        target="other_capacities",
    ),
    "shift": _column(
        "`shift_start` and `shift_end` in one cell: 07:00-16:00",
        WINDOW,
        target="shift_start shift_end",
    ),
    "home_depot": _column(
        "id of the depot where routes start and end",
        TEXT,
        target="start_depot end_depot",
    ),
    **{
        f"{end}_{axis}": _column(
            f"{what} of the place, other than a depot, where routes {where}"
        )
        for end, where in (
            ("start", "start"),
            ("end", "end"),
            ("home", "start and end"),
        )
        for axis, what in (
            ("x", "coordinate in a plane"),
            ("y", "coordinate in a plane"),
            ("lon", "longitude"),
            ("lat", "latitude"),
        )
    },
    "return_to_depot": _column(
        "whether routes end at the depot; no: at the last customer; "
        "empty: yes",
        FLAG,
        blank=1,
    ),
    "open_route": _column(
        "whether routes end at the last customer; empty: no", FLAG
    ),
    "speed": _column(
        "average speed in km/h, with the unit in the name, or in the cells: "
        "40 km/h; durations follow from it where no matrix gives them; empty: "
        "`speed=`"
    ),
    "service_factor": _column(
        "factor of the service of customers: 0.8 for a quicker crew; empty: 1",
        blank=1,
    ),
    "break": _column(
        "breaks of the driver, and when they may begin: 30 min "
        "11:30-13:30; 12:00-12:30 is the half hour from 12:00; several "
        "separated by `;`",
        BREAK,
        target=" ".join(map(" ".join, BREAK_FIELDS)),
    ),
    **{
        f"break_{name}{end}": _column(
            meaning, kind, blank=blank, words=f"vehicles.break_{name}", end=end
        )
        for end in _FURTHER_BREAKS
        for name, meaning, kind, blank in (
            ("duration", "duration of a break; empty: none", SERVICE, -1),
            ("from", "earliest start of the break", MOMENT, 0),
            (
                "until",
                "latest start of the break; without a duration, its end",
                MOMENT,
                NO_LIMIT,
            ),
        )
    },
    **{
        name: _column(
            meaning,
            LIMIT if unit == TIME else NUMBER,
            unit=unit,
            blank=0,
            target="price_steps",
        )
        for amount, what, of, unit in (
            ("distance", "distance", "a unit of distance", LENGTH),
            ("duration", "time from start to end", "a unit of time", TIME),
            ("driving_time", "driving time", "a unit of time", TIME),
            ("stops", "number of customers", "each customer", ""),
            ("load", "load", "a unit of load", LOADS),
        )
        for name, meaning, unit in zip(
            STEP_FIELDS[amount],
            (
                f"{what} of a route without the extra cost; empty: 0",
                f"extra cost of {of} beyond that; empty: 0",
            ),
            (unit, _PER.get(unit, "")),
            strict=True,
        )
    },
    **{
        fields[field]: _column(
            f"{meaning} {what} of routes; empty: {'any' if limit else 0}",
            LIMIT if unit == TIME and limit else NUMBER,
            unit=unit if limit else _PER.get(unit, ""),
            blank=limit,
            target="balances",
        )
        for (amount, fields), (what, unit) in zip(
            BALANCE_FIELDS.items(),
            (
                ("distances", LENGTH),
                ("durations", TIME),
                ("driving times", TIME),
                ("numbers of customers", ""),
                ("loads", LOADS),
            ),
            strict=True,
        )
        for field, meaning, limit in (
            ("max_spread", "largest difference of the", NO_LIMIT),
            ("spread_cost", "cost of each unit of the difference of", 0),
            ("largest_cost", "cost of each unit of the largest of the", 0),
        )
    },
}
"""Columns that are no field of ``VehicleType`` as they are: load dimensions,
ends in one cell, places that become depots, factors, breaks by numbers, and
the first step of each price, and a balance of each amount."""

VEHICLE_COLUMNS: Final = _columns(
    "vehicles",
    {
        **dict(_declared_columns(VehicleType)),
        **_VEHICLES,
        **dict(_declared_columns(Break)),
    },
)
"""Columns of vehicles."""

OWN_PLACES: Final = tuple(
    f"{end}_{axis}"
    for end in ("start", "end", "home")
    for axis in ("x", "y", "lon", "lat")
)
"""Columns of the places of vehicles, which become depots."""

POINT_COLUMNS: Final = {
    **PLACE_COLUMNS,
    "demand": replace(PLACE_COLUMNS["demand"], kind=NUMBER, blank=None),
    **_columns(
        "points",
        dict.fromkeys(("demand_2", "demand_3", "capacity"), _column()),
    ),
}
"""Columns of the points of a clustering problem."""

STOP_COLUMNS: Final = {
    **{
        name: _column(own_names=(name,))
        for name in (
            *(STOP, VEHICLE, VEHICLE_TYPE, DELIVERED, PICKED_UP, LOAD),
            *("demand", "x", "y", "lon", "lat"),
        )
    },
    **{name: _column(unit=TIME, own_names=(name,)) for name in TIMES},
    DISTANCE: _column(unit=LENGTH, own_names=(DISTANCE,)),
    **{
        name: _column(kind=TEXT, own_names=(name,))
        for name in (KIND, VEHICLE_NAME, REASONS)
    },
    ROUTE: _column(kind=TEXT, words="stops.route", own_names=(ROUTE,)),
    "id": PLACE_COLUMNS["id"],
    DEPARTURE: _column(
        kind=PAST, words="stops.departure", own_names=(DEPARTURE,)
    ),
}
"""Columns of a timetable, some of which follow from the routes."""

CHANGE_COLUMNS: Final = {
    **{
        name: _column(kind=TEXT, words=f"changes.columns.{name}")
        for name in ("change", "transfer", "place")
    },
    "by": _column(unit=TIME, words="changes.columns.by"),
    "vehicle": _column(kind=TEXT, words="lists.driver"),
    "id": _column(kind=TEXT, words="lists.stop"),
}
"""Columns of changes of a day beside those of orders and vehicles."""

GROUP_NAMES: Final = words_of("lists.group")
"""What a column may be called that says where a customer belongs."""

STOP_NAMES: Final = words_of("lists.stop")
"""What they may be called where no column is called so."""

DRIVER_NAMES: Final = words_of("lists.driver")
"""What else does, where no column is called so."""

ID_NAMES: Final = words_of("lists.order")
"""What the ids of customers are called in lists of routes."""

WAY_OUT: Final = (
    "assign it to a field (columns=, --columns FIELD=NAME) or ignore it "
    "(ignore_columns=, --ignore-column NAME)"
)
"""What a user can do about a column of a routing problem."""
