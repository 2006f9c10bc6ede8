"""What the columns of tables may be called."""

from __future__ import annotations

import logging
import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.printable import shortened
from ncc_routing.core.units import METRES_IN, SECONDS_IN
from ncc_routing.io.column_words import (
    is_harmless,
    likely_field,
    may_matter,
)
from ncc_routing.io.stops import NO, YES
from ncc_routing.io.tables import (
    is_blank,
    text_of,
    title_of,
    whole_if_possible,
    with_decimal_commas,
)

if TYPE_CHECKING:
    from ncc_routing.io.tables import Table

logger = logging.getLogger(__name__)

MOMENT, SERVICE, LIMIT, TIME_COST = "moment", "service", "limit", "time cost"
PAST = "past"
"""Kinds of columns about time: when, how long in whole units, how long at
most, what a unit costs, and when something was, in parts of units too."""

LENGTH, LENGTH_COST = "length", "length cost"
"""Kinds of columns about distances."""

_UNITS_OF: Final = {
    **dict.fromkeys((MOMENT, SERVICE, LIMIT, TIME_COST, PAST), SECONDS_IN),
    **dict.fromkeys((LENGTH, LENGTH_COST), METRES_IN),
}


class Field(NamedTuple):
    """What a column may be called, in any case, and what it holds."""

    names: tuple[str, ...]
    kind: str = ""


def _field(names: str, kind: str = "") -> Field:
    return Field(tuple(names.split()), kind)


PLACE_FIELDS: Final = {
    "id": _field("id name customer customer_id node"),
    "x": _field("x x_coord"),
    "y": _field("y y_coord"),
    "lon": _field("lon lng long longitude"),
    "lat": _field("lat latitude"),
    "demand": _field("demand demands weight quantity qty amount"),
}
"""Columns of customers and points. Blanks, hyphens and underscores in a name
do not count, and two columns of one field are refused."""

CUSTOMER_FIELDS: Final = {
    **PLACE_FIELDS,
    "depot": _field("depot is_depot type"),
    "open": _field(
        "open opens opening open_time opening_time ready ready_time early "
        "earliest earliest_time earliest_start earliest_arrival tw_early "
        "tw_earliest tw_open tw_start tw_begin tw_from window_open "
        "window_start window_from time_window_open time_window_start "
        "time_window_from",
        MOMENT,
    ),
    "close": _field(
        "close closes closing close_time closing_time due due_time due_date "
        "late latest latest_time latest_start latest_arrival tw_late "
        "tw_latest tw_close tw_end tw_to tw_until window_close window_end "
        "window_to time_window_close time_window_end time_window_to",
        MOMENT,
    ),
    "window": _field("window time_window opening_hours hours", MOMENT),
    "service": _field(
        "service service_time service_duration service_durations stop_time "
        "stop_duration visit_duration dwell_time handling_time "
        "unloading_time",
        SERVICE,
    ),
    "release": _field("release release_time release_date", MOMENT),
    "demand_2": _field("demand_2 second_demand"),
    "demand_3": _field("demand_3 third_demand"),
    "pickup": _field("pickup pickups pickup_demand pickup_quantity backhaul"),
    "pickup_2": _field("pickup_2 second_pickup"),
    "pickup_3": _field("pickup_3 third_pickup"),
    "deliver_to": _field("deliver_to delivered_to"),
    "prize": _field("prize reward profit"),
    "required": _field("required mandatory is_required"),
    "one_of": _field("one_of client_group exclusive_group"),
    "skills": _field("skills skill required_skills required_skill needs"),
    "served_by": _field(
        "served_by vehicle vehicles vehicle_id vehicle_name vehicle_type"
    ),
    "same_route": _field("same_route same_vehicle"),
    "different_routes": _field(
        "different_routes different_route different_vehicles"
    ),
    "district": _field("district districts"),
}
"""Columns of the customers of a routing problem."""

VEHICLE_FIELDS: Final = {
    "vehicle": _field("name id vehicle vehicle_id vehicle_name vehicle_type"),
    "number": _field(
        "number num num_vehicles num_available available count quantity"
    ),
    "capacity": _field("capacity vehicle_capacity max_load payload"),
    "capacity_2": _field("capacity_2 second_capacity"),
    "capacity_3": _field("capacity_3 third_capacity"),
    "initial_load": _field("initial_load"),
    "shift_start": _field(
        "shift_start start_time work_start tw_early tw_start open ready "
        "ready_time earliest earliest_start",
        MOMENT,
    ),
    "shift_end": _field(
        "shift_end end_time work_end tw_late tw_end close due due_date "
        "latest latest_end latest_return",
        MOMENT,
    ),
    "latest_start": _field("latest_start start_late", MOMENT),
    "fixed_cost": _field("fixed_cost fixed_costs fixed"),
    "cost_per_distance": _field(
        "cost_per_distance unit_distance_cost distance_cost cost_per_m "
        "cost_per_km cost_per_mile",
        LENGTH_COST,
    ),
    "cost_per_time": _field(
        "cost_per_time unit_duration_cost duration_cost time_cost "
        "cost_per_second cost_per_min cost_per_minute cost_per_h "
        "cost_per_hour",
        TIME_COST,
    ),
    "home_depot": _field("depot home_depot"),
    "start_depot": _field("start_depot start_location"),
    "end_depot": _field("end_depot end_location"),
    "max_distance": _field(
        "max_distance maximum_distance distance_limit max_length", LENGTH
    ),
    "max_duration": _field(
        "max_duration maximum_duration duration_limit shift_duration", LIMIT
    ),
    "max_overtime": _field("max_overtime overtime", LIMIT),
    "cost_per_overtime": _field(
        "cost_per_overtime unit_overtime_cost overtime_cost", TIME_COST
    ),
    "reload_depots": _field("reload_depots reload_depot reload"),
    "max_reloads": _field("max_reloads maximum_reloads reloads"),
    "has_skills": _field("has_skills skills skill vehicle_skills"),
}
"""Columns of vehicles."""

_TEXTS: Final = frozenset(
    {"id", "depot", "deliver_to", "required", "one_of", "skills", "served_by"}
    | {"same_route", "different_routes", "district", "vehicle", "home_depot"}
    | {"start_depot", "end_depot", "reload_depots", "has_skills"}
    | {"route", "kind", "vehicle_name"}
)
"""Fields that hold no numbers."""

ID_NAMES: Final = PLACE_FIELDS["id"].names
"""What the ids of customers are called in tables of routes."""

WAY_OUT: Final = (
    "say what it is (columns=, --columns FIELD=NAME) or that it does not "
    "count (ignore_columns=, --ignore-column NAME)"
)
"""What a user can do about a column of a routing problem."""


_LONG_TEXT: Final = 12
"""Characters; longer cells in the mean are texts for people."""

_OF_TEXTS: Final = {"start": "start_depot", "end": "end_depot"}
"""Fields that names of times are likely to mean above cells without a digit.
"""

_MOST_ASKED: Final = 30
"""Columns that a message names."""


@dataclass(frozen=True)
class Naming:
    """What a user says about the names of columns.

    ``columns`` gives fields their names, ``ignored`` names columns that do
    not count.
    """

    columns: Mapping[str, str]
    ignored: tuple[str, ...] = ()

    @classmethod
    def of(cls, columns: object, ignored: object) -> Naming:
        """Return what is said; ``ParameterError`` where it is no name."""
        known = {**CUSTOMER_FIELDS, **VEHICLE_FIELDS}
        if not isinstance(columns or {}, Mapping):
            raise ParameterError("columns must be a mapping of fields.")
        named = {
            str(field).strip().lower(): title_of(title)
            for field, title in dict(columns or {}).items()  # type: ignore[call-overload]
        }
        for field in named:
            if field not in known:
                raise ParameterError(
                    f"columns: {field} is no field; these are: "
                    f"{', '.join(known)}."
                )
        for fields in (CUSTOMER_FIELDS, VEHICLE_FIELDS):
            titles = [named[field] for field in named if field in fields]
            if len(set(titles)) < len(titles):
                raise ParameterError("columns: a column must have one field.")
        if isinstance(ignored, str) or not isinstance(ignored, Sequence):
            raise ParameterError("ignore_columns must be a list of names.")
        return cls(named, tuple(map(title_of, ignored)))

    def require_all(
        self, customers: Table | None, vehicles: Table | None
    ) -> None:
        """Refuse the name of a column that is in none of the tables.

        One table may have the column that is named, the other that ignored.
        """
        tables = [table for table in (customers, vehicles) if table]
        named = [
            (title, customers if field in CUSTOMER_FIELDS else vehicles)
            for field, title in self.columns.items()
        ]
        wanted = [(title, [table] if table else []) for title, table in named]
        wanted += [(title, tables) for title in self.ignored]
        for title, places in wanted:
            if not any(title in table.columns for table in places):
                source = " and ".join(table.source for table in tables)
                rule = "there is no such column"
                raise InstanceError(source, f"column {title}", rule)
        for title in self.ignored:
            if all(
                (title, table) in named
                for table in tables
                if title in table.columns
            ):
                raise ParameterError(f"column {title} is named and ignored.")


NO_NAMING: Final = Naming({})
"""Columns are known by their names alone."""


def name_columns(
    table: Table, fields: Mapping[str, Field], naming: Naming | None = None
) -> Table:
    """Return a table with the columns of some fields, by their fields.

    A name that ``naming`` states wins over a guessed one. ``Table.unused``
    names the other columns, and a log line says them; those that may matter
    are refused.
    """
    said = naming or NO_NAMING
    stated = {
        title: field
        for field, title in said.columns.items()
        if field in fields and title in table.columns
    }
    columns: dict[str, list[object]] = {}
    titles: dict[str, str] = {}
    unused = []
    for title, cells in table.columns.items():
        field = stated.get(title) or _field_of(title, fields)
        if title not in stated and field in stated.values():
            field = None
        if field is None or (title in said.ignored and title not in stated):
            unused.append(title)
            continue
        if field in columns:
            both = (titles[field], title)
            rule = f"the columns {' and '.join(both)} name the same field"
            if naming is not None:
                options = (_option_to_take(each, field) for each in both)
                ways = " or ".join(filter(None, ("columns=", *options)))
                rule = f"{rule}: say which counts ({ways})"
            raise InstanceError(table.source, "columns", rule)
        columns[field], titles[field] = cells, title
    _require_harmless(
        table,
        [title for title in unused if title not in said.ignored],
        fields,
        fields.keys() - columns.keys(),
        naming,
    )
    if unused:
        names = shortened(", ".join(unused))
        logger.warning("%s: columns not used: %s.", table.source, names)
    named = replace(
        table, columns=columns, titles=titles, unused=tuple(unused)
    )
    return with_decimal_commas(named, columns.keys() - _TEXTS)


def unit_of(table: Table, column: str, kind: str) -> float | None:
    """Return the seconds or metres of the unit in a name, if there is one.

    The hours of "opening hours" are no unit.
    """
    pieces = _pieces(table.titles[column])
    if "_".join(pieces) in CUSTOMER_FIELDS["window"].names:
        return None
    return _UNITS_OF[kind].get(pieces[-1]) if len(pieces) > 1 else None


def lengths_of(
    table: Table, column: str, kind: str, blank: float
) -> list[float]:
    """Return lengths, or costs of a length, in metres where a name says so."""
    unit = unit_of(table, column, kind) or 1.0
    factor = 1.0 / unit if kind == LENGTH_COST else unit
    values = table.numbers(column, math.nan)
    found = np.where(np.isnan(values), blank, factor * values)
    return list(map(float, found))


def _pieces(title: str) -> list[str]:
    return re.findall(r"[^\W_]+", title.lower())


def _field_of(title: str, fields: Mapping[str, Field]) -> str | None:
    """Return the field that a name stands for, ``None`` where for none."""
    pieces = _pieces(title)
    whole = "".join(pieces)
    known = {
        name: {"".join(_pieces(each)) for each in field.names}
        for name, field in fields.items()
    }
    for name, words in known.items():
        if whole in words:
            return name
    for name, words in known.items():
        units = _UNITS_OF.get(fields[name].kind, {})
        if pieces and pieces[-1] in units and "".join(pieces[:-1]) in words:
            return name
    return None


def _require_harmless(
    table: Table,
    titles: Sequence[str],
    fields: Mapping[str, Field],
    free: set[str],
    naming: Naming | None,
) -> None:
    """Refuse all unread columns that may matter, in one message.

    ``free`` are the fields that no column has. Without a naming nothing can be
    said about a column, and a word of a rule must be in its name.
    """
    of_vehicles = "vehicle" in fields
    asked = [
        title
        for title in titles
        if _may_matter(title, table.columns[title], of_vehicles)
        and (naming is not None or may_matter(title))
    ]
    if not asked:
        return
    rule = "these may be costs or constraints, and are not read: remove them"
    if naming is not None:
        rule = (
            "these may be costs or constraints, and are not read: state the "
            "field of each or ignore it, as below; in Python "
            'columns={"FIELD": "NAME"}, ignore_columns=["NAME"]'
        )
    lines = []
    for title in asked[:_MOST_ASKED]:
        cells = zip(table.places, table.columns[title], strict=True)
        place, cell = next(each for each in cells if not _is_nothing(each[1]))
        line = (
            f"  {shortened(title, 40)} ({shortened(text_of(cell), 24)} in "
            f"{place})"
        )
        if naming is not None:
            field = _likely_field(table, title, fields, free)
            line = f"{line}: {_options_for(title, field)}"
            free -= {field}
        lines.append(line)
    if len(asked) > _MOST_ASKED:
        lines.append(f"  and {len(asked) - _MOST_ASKED} more")
    raise UnsupportedProblemError(
        table.source, "columns", rule, details=tuple(lines)
    )


def _may_matter(
    title: str, cells: Sequence[object], of_vehicles: bool
) -> bool:
    """Whether a column may be a cost or a constraint.

    A constant says nothing that sets customers apart; the limit or the cost
    of all vehicles may be one.
    """
    texts = [text_of(cell) for cell in cells if not _is_nothing(cell)]
    if not texts or is_harmless(title, of_vehicles=of_vehicles):
        return False
    if may_matter(title):
        return True
    if len(texts) == len(cells) and len(set(texts)) == 1:
        return of_vehicles and _has_digit(texts[0])
    letters = [sum(map(str.isalpha, text)) for text in texts]
    size = sum(map(len, texts))
    is_text = 2 * sum(letters) > size and all(letters)
    return not is_text or size <= _LONG_TEXT * len(texts)


def _is_nothing(cell: object) -> bool:
    """Whether a cell is empty, zero or no."""
    return is_blank(cell) or text_of(cell).lower() in NO


def _likely_field(
    table: Table, title: str, fields: Mapping[str, Field], free: set[str]
) -> str:
    """Return the free field that a column may be, "" where none is likely."""
    found = likely_field(title, of_vehicles="vehicle" in fields)
    if found is None:
        known = {
            name: field
            for field, (names, _) in fields.items()
            for name in names
        }
        near = get_close_matches("_".join(_pieces(title)), known, 1, 0.8)
        found = known[near[0]] if near else ""
    texts = [
        text_of(cell) for cell in table.columns[title] if not _is_nothing(cell)
    ]
    if found not in _TEXTS and not any(map(_has_digit, texts)):
        found = _OF_TEXTS.get(title, "")
    is_flag = all(text.lower() in YES for text in texts)
    if is_flag and found.endswith("skills"):
        return ""
    family = (f"{found}{end}" for end in ("", "_2", "_3"))
    return next((name for name in family if name in free), "")


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _options_for(title: str, field: str) -> str:
    """Return the options of the shell that take or ignore a column."""
    ignored = f"--ignore-column {_quoted(title)}"
    taken = _option_to_take(title, field)
    return f"{taken} or {ignored}" if field and taken else ignored


def _option_to_take(title: str, field: str) -> str:
    """Return the option of the shell for a column, "" where there is none."""
    if set(title) & set(",="):
        return ""
    return f"--columns {_quoted(f'{field}={title}')}"


def _quoted(text: str) -> str:
    """Return a text as a word of a shell."""
    if re.fullmatch(r"[\w.-][\w.=-]*", text):
        return text
    return shlex.quote(text) if set(text) & set('"$`\\!') else f'"{text}"'


@dataclass(frozen=True, eq=False)
class Places:
    """The columns of a table that every problem has; ``None`` where missing.

    ``coords`` of shape (num_rows, 2) is x and y, or longitude and latitude.
    """

    ids: tuple[str, ...] | None
    coords: np.ndarray | None
    is_geographic: bool
    weights: np.ndarray | None


def read_places(table: Table, blank_weight: bool = False) -> Places:
    """Return what the columns of ``name_columns`` say.

    An empty weight stands for 0 only with ``blank_weight``.
    """
    coords, is_geographic = _coords_of(table)
    ids = tuple(table.texts("id")) if "id" in table.columns else None
    weights = None
    if "demand" in table.columns:
        blank = 0.0 if blank_weight else None
        weights = whole_if_possible(table.numbers("demand", blank))
    if ids is None and coords is None and weights is None:
        rule = "none is known: name them id, x and y (or lon and lat), demand"
        found = ", ".join((*table.titles.values(), *table.unused))
        raise InstanceError(table.source, "columns", rule, found)
    return Places(ids, coords, is_geographic, weights)


def _coords_of(table: Table) -> tuple[np.ndarray | None, bool]:
    """Return the coordinates, and whether they are geographic."""
    pairs = (("x", "y"), ("lon", "lat"))
    given = [[axis in table.columns for axis in pair] for pair in pairs]
    if all(map(any, given)):
        rule = "must be either x and y or longitude and latitude"
        raise InstanceError(table.source, "columns", rule)
    if not any(map(any, given)):
        return None, False
    is_geographic = any(given[1])
    pair = pairs[is_geographic]
    for axis, is_there in zip(pair, given[is_geographic], strict=True):
        if not is_there:
            rule = f"column {axis} is missing"
            raise InstanceError(table.source, "columns", rule)
    coords = np.column_stack([table.numbers(axis) for axis in pair])
    limits = (("lon", 180.0), ("lat", 90.0)) if is_geographic else ()
    for idx, (axis, limit) in enumerate(limits):
        for row in np.flatnonzero(np.abs(coords[:, idx]) > limit)[:1]:
            rule = f"must lie in {-limit:g}..{limit:g}"
            raise table.error(int(row), axis, rule)
    return coords, is_geographic
