"""Changes of a day as a table, and new orders as a draft."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import number_of
from ncc_routing.core.text_files import (
    describe_value,
    read_text,
    require_path,
)
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.desk.amounts import LoadForm
from ncc_routing.desk.cells import FLAG_RULE, flags
from ncc_routing.desk.collecting import Place, Problems
from ncc_routing.desk.columns import Naming, name_columns
from ncc_routing.desk.customers import draft_of_table
from ncc_routing.desk.fields import (
    CHANGE_COLUMNS,
    CUSTOMER_COLUMNS,
    VEHICLE_COLUMNS,
    field_of,
    pieces_of,
    rank_of,
)
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.desk.tables import (
    is_blank,
    parse_json,
    read_table,
    text_of,
)
from ncc_routing.desk.vehicles import RowForm, vehicles_of
from ncc_routing.desk.words import words_of
from ncc_routing.problems.changes import (
    AddOrder,
    AddVehicle,
    Cancel,
    Change,
    Late,
    OutOfService,
    Window,
)
from ncc_routing.problems.draft import NewPlace
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.table_form import TableForm
from ncc_routing.problems.time_form import DATES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from os import PathLike

    from ncc_routing.desk.fields import Column
    from ncc_routing.desk.tables import Table
    from ncc_routing.problems.draft import Draft
    from ncc_routing.problems.time_form import TimeForm

_KINDS: Final[dict[str, type[Any]]] = {
    "add order": AddOrder,
    "cancel": Cancel,
    "out of service": OutOfService,
    "late": Late,
    "window": Window,
    "add vehicle": AddVehicle,
}
"""What the column ``change`` says, or a word of another language for it."""

_LOADS: Final = [
    name
    for name, column in CUSTOMER_COLUMNS.items()
    if column.target == ("delivery",)
]
"""Columns of the dimensions of a load."""

_LABELS: Final = ("same_route", "different_routes", "one_of", "district")
"""Columns whose labels an instance does not keep."""


def read_changes(
    source: object, form: TableForm | None = None
) -> list[Change]:
    """Read changes from a table with a row for each.

    Parameters
    ----------
    source
        A list of :data:`~ncc_routing.problems.changes.Change` and mappings, or
        a table in any form that :func:`ncc_routing.read` takes. Its column
        ``change`` says "add order", "cancel", "out of service", "late",
        "window" or "add vehicle"; other columns are the fields of these
        (``id``, ``vehicle``, ``by``, ``window``, ``transfer``, ``place``), and
        those of a new order or vehicle as in their tables. Words may be
        English, German, French, Spanish or Italian.
    form
        Names of the columns of the first table, ``Source.table_form``.
        Default: none is unusual.

    Raises
    ------
    InstanceError
        If a row has an unknown change, lacks a field of it, or has another
        one: all such rows are told together.
    ParameterError
        If it is none of these.
    """
    problems = Problems()
    changes = [change for _, change in placed_changes(source, form, problems)]
    problems.refuse()
    return changes


def placed_changes(
    source: object, form: TableForm | None, problems: Problems
) -> list[tuple[Place | None, Change]]:
    """Return the changes of ``read_changes``, each with its row if it has one.

    Problems of rows are collected.
    """
    if not isinstance(source, (list, tuple)):
        return _changes_of(read_table(source, "changes"), form, problems)
    changes: list[tuple[Place | None, Change]] = []
    for number, one in enumerate(source, start=1):
        if isinstance(one, Change):
            changes.append((None, one))
        elif isinstance(one, Mapping):
            table = replace(
                read_table([one], "changes"),
                source="changes",
                places=[f"change {number}"],
            )
            changes += _changes_of(table, form, problems)
        else:
            raise ParameterError(
                "changes must be changes of ncc_routing or mappings, got "
                f"{describe_value(one)}."
            )
    return changes


def _changes_of(
    table: Table, form: TableForm | None, problems: Problems
) -> list[tuple[Place | None, Change]]:
    stated = {title: field for field, title in form.titles} if form else {}
    named = [title for title in table.columns if _names(title, "change", {})]
    column = table.require(named or ("change",))
    kinds = [_kind_of(text) for text in table.texts(column)]
    with problems.collected():
        rule = f"must be one of {', '.join(_KINDS)}"
        table.refuse([kind is None for kind in kinds], column, rule)
    changes: list[tuple[Place | None, Change]] = []
    for row, kind in enumerate(kinds):
        with problems.collected():
            if kind is not None:
                place = Place(table.source, table.where(row))
                change = _change_of(table, row, kind, column, stated)
                changes.append((place, change))
    return changes


def _kind_of(text: str) -> type[Any] | None:
    """Return the kind of change that a text names, in any language."""
    plain = "_".join(pieces_of(text))
    for name, kind in _KINDS.items():
        if plain in words_of(f"changes.kinds.{name.replace(' ', '_')}"):
            return kind
    return None


def _change_of(
    table: Table,
    row: int,
    kind: type[Any],
    column: str,
    stated: Mapping[str, str],
) -> Change:
    given = {
        name: cells[row]
        for name, cells in table.columns.items()
        if name != column and not is_blank(cells[row])
    }
    values: dict[str, Any] = {}
    rest = next((f.name for f in fields(kind) if _is_row(kind, f.name)), None)
    cells = dict(given)
    for field in fields(kind):
        titles = [name for name in cells if _names(name, field.name, stated)]
        if field.name == rest or not titles:
            continue
        title = min(titles, key=partial(_rank, field.name))
        values[field.name] = _value_of(table, row, field.name, title)
        del cells[title]
        if field.name == "id":  # the name of a customer says no more
            cells = {k: v for k, v in cells.items() if k not in titles}
    if rest is not None:
        values[rest] = {
            table.given.get(name, name): cells[name] for name in cells
        }
        if kind is AddOrder:
            values[rest] = _with_id(values[rest], stated)
    elif cells:
        name = min(cells)
        rule = f"must be empty for {table.texts(column)[row]}"
        raise table.error(row, name, rule)
    try:
        return kind(**values)  # type: ignore[no-any-return]
    except TypeError:
        missing = [
            field.name for field in fields(kind) if field.name not in values
        ]
        rule = f"needs {missing[0]}"
        raise table.error(row, column, rule) from None


def _names(title: str, field: str, stated: Mapping[str, str]) -> bool:
    """Whether a title stands for a field of a change, as in its table."""
    usual = field_of(title, CUSTOMER_COLUMNS)
    own = field_of(title, CHANGE_COLUMNS)
    return field in (title, stated.get(title, usual), own)


def _value_of(table: Table, row: int, field: str, title: str) -> Any:
    """Return what a cell says of a field of a change."""
    cell = table.columns[title][row]
    if field == "transfer":
        text = text_of(cell).lower()
        if text not in flags():
            raise table.error(row, title, FLAG_RULE)
        return flags()[text]
    if field in ("id", "place", "vehicle"):
        return text_of(cell)
    return _with_unit(title, cell) if field == "by" else cell


def _with_id(
    row: Mapping[str, Any], stated: Mapping[str, str]
) -> Mapping[str, Any]:
    """Return a new order whose id has the name that tables of orders have."""
    if any(
        "id" in (stated.get(title.lower()), field_of(title, CUSTOMER_COLUMNS))
        for title in row
    ):
        return row
    new = {t: "id" for t in row if field_of(t, CHANGE_COLUMNS) == "id"}
    return {new.get(title, title): cell for title, cell in row.items()}


def _rank(field: str, title: str) -> int:
    """Return which of several titles of a field counts: the least one."""
    known = CUSTOMER_COLUMNS.get(field)
    return 0 if known is None else rank_of(title, known)


def _with_unit(title: str, cell: Any) -> Any:
    """Return a delay, with the unit that its title says for a number."""
    seconds = CHANGE_COLUMNS["by"].unit_in(title)
    number = number_of(text_of(cell).replace(",", "."))
    if seconds is None or not math.isfinite(number):
        return cell
    return f"{number * seconds:.12g} s"


def _is_row(kind: type[Any], field: str) -> bool:
    return (kind, field) in ((AddOrder, "order"), (AddVehicle, "vehicle"))


def read_order(file: str | PathLike[str]) -> dict[str, Any]:
    """Read the only row of a table of orders; in JSON it may be an object.

    Raises
    ------
    InstanceError
        If the file is no table, or has more rows.
    """
    path, table = require_path(file, "an order"), None
    if path.suffix.lower() == ".json":
        content = parse_json(str(path), read_text(path))
        is_row = isinstance(content, Mapping) and not any(
            isinstance(cell, list | Mapping) for cell in content.values()
        )
        if is_row:
            table = replace(read_table([content], "order"), source=str(path))
    table = table or read_table(path, "order")
    if table.num_rows != 1:
        raise InstanceError(str(path), "rows", "must be one", table.num_rows)
    return {
        table.given.get(name, name): cells[0]
        for name, cells in table.columns.items()
        if not is_blank(cells[0])
    }


def read_orders(
    draft: Draft,
    rows: Sequence[Mapping[str, Any]],
    *,
    in_words: bool = True,
) -> Draft:
    """Return new orders as the customers of a draft of their own.

    Its fleet has the names and skills of the given one, its times and loads
    are those of the given one, and its arcs are nothing. Columns may have the
    names of the given table ``in_words``.
    """
    form = draft["table_form"] if in_words else TableForm()
    table = replace(
        read_table(list(map(dict, rows)), "orders"), source="order"
    )
    stated = dict(_present(form, table, CUSTOMER_COLUMNS))
    known = {column.title.casefold() for column in draft["columns"]}
    naming = Naming(
        stated,
        kept=(
            *form.ignored,
            *(
                title
                for title in table.columns
                if title in known and not field_of(title, CUSTOMER_COLUMNS)
            ),
        ),
        is_final=True,
        known=tuple(known),
    )
    # Beside an empty row no column is the same in all rows.
    blank: dict[str, Any] = dict.fromkeys(chain.from_iterable(rows))
    padded = read_table([*map(dict, rows), blank], "orders")
    named = name_columns(
        replace(padded, source="order"),
        CUSTOMER_COLUMNS,
        replace(naming, known=tuple(table.columns)),  # they are said below
    )
    for name in _LABELS:
        if name in named.columns:
            rule = "is not a column of the other orders"
            raise InstanceError("order", named.called(name), rule)
    if "id" not in named.columns:
        raise InstanceError("order", "id", "must be given")
    columns = {
        table.given.get(name, name): cells
        for name, cells in table.columns.items()
    }
    for name in _LOADS[1 : draft["delivery"].shape[1]]:
        if name not in named.columns:
            columns[name] = [0] * table.num_rows
    has_places = not {"x", "lon"}.isdisjoint(named.columns)
    if not has_places:
        columns |= {axis: [0] * table.num_rows for axis in ("x", "y")}
    options = TableOptions(
        # Any will do: place and durations are left out.
        depot=(0.0, 0.0),
        vehicles=Fleet(draft.vehicle_types),
        speed="1m/s" if draft["time_form"].kind else None,
        time_unit=_time_unit_of(draft),
        day=draft["table_form"].day or None,
        load_form=_loads_of(draft),
        name="order",
        naming=naming,
    )
    table = replace(read_table(columns, "orders"), source="order")
    orders = draft_of_table(table, options)
    if not has_places:
        orders.set(coords=None)
    elif orders["is_geographic"] != draft["is_geographic"]:
        axes = "lon and lat" if draft["is_geographic"] else "x and y"
        rule = f"must be {axes}, as for the other orders"
        raise InstanceError("order", "coordinates", rule)
    _count_from(orders, draft["time_form"], draft["name"])
    return orders


def add_order(draft: Draft, change: AddOrder) -> list[int]:
    """Append a new order; return what loads are multiplied by."""
    added = read_orders(draft, [change.order])
    factors = draft.count_loads_in(added["load_parts"] or ())
    twin = None
    if change.place is not None:
        if change.place not in draft.ids:
            rule = "must be the id of a customer or a depot"
            raise InstanceError("order", "place", rule, change.place)
        twin = draft.ids.index(change.place)
    arcs = (
        _both_ways(field, getattr(change, field))
        for field in ("distances", "durations")
    )
    draft.append(added, [NewPlace(twin, *arcs)])
    return factors


def _both_ways(field: str, rows: Any) -> np.ndarray | None:
    """Return lengths to all nodes and back, given for both ways or as two."""
    if rows is None:
        return None
    try:
        array = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise InstanceError("order", field, "must be numbers") from None
    return np.array([array, array]) if array.ndim == 1 else array


def windows_of(
    draft: Draft, window: str | Sequence[float | str]
) -> list[tuple[int, int]]:
    """Return the windows of a text, or the one of a pair of times."""
    row: dict[str, Any] = {"id": "window", "window": window}
    if not isinstance(window, str):
        try:
            opening, closing = window
        except (TypeError, ValueError):
            rule = "must be a text or a pair of times"
            raise InstanceError("order", "window", rule, window) from None
        row = {"id": "window", "open": opening, "close": closing}
    return read_orders(draft, [row], in_words=False).windows.windows_of(1)


def _present(
    form: TableForm, table: Table, fields: Mapping[str, Column]
) -> list[tuple[str, str]]:
    """Return the fields and names of the columns that a table has."""
    return [
        (field, title)
        for field, title in form.titles
        if field in fields and title in table.columns
    ]


def _loads_of(draft: Draft) -> LoadForm:
    return LoadForm(draft["load_parts"], draft["table_form"].load_units)


def _time_unit_of(draft: Draft) -> str | None:
    """Return the unit of numbers without one."""
    kind = draft["time_form"].kind
    stated = draft["table_form"].time_unit
    return stated or (kind if kind in SECONDS_OF else None)


def _count_from(orders: Draft, form: TimeForm, name: str) -> None:
    """Let times count from the midnight of a problem's."""
    own, windows = orders["time_form"], orders.windows
    if not windows.features or own == form:
        return
    if own.is_clock and not form.is_clock:
        rule = f"must be numbers, like the times of {name}"
        raise InstanceError("order", "times", rule)
    dates = [one for one in (own, form) if one.kind == DATES]
    if len(dates) == 1:
        rule = f"must be written like the times of {name}"
        raise InstanceError("order", "times", rule)
    if not dates:
        return
    from datetime import datetime as moment

    days: list[datetime] = [
        moment.fromisoformat(one.midnight) for one in dates
    ]
    shift = int((days[0] - days[1]).total_seconds())
    orders.set(
        tw_early=np.maximum(windows.tw_early + shift, 0),
        tw_late=windows.tw_late + shift,
        windows=windows.windows
        if windows.windows is None
        else np.maximum(windows.windows + shift, 0),
        preferred=windows.preferred
        if windows.preferred is None
        else np.maximum(windows.preferred + shift, 0),
    )


def read_new_vehicles(
    draft: Draft, rows: Sequence[Mapping[str, Any]]
) -> tuple[VehicleType, ...]:
    """Return new vehicles in the terms of a problem."""
    form = draft["table_form"]
    table = read_table(list(map(dict, rows)), "vehicles")
    naming = Naming(
        dict(_present(form, table, VEHICLE_COLUMNS)),
        ignored=form.ignored,
        is_final=True,
    )
    depots = [draft.ids[node] for node in draft.depots]
    like = RowForm(
        *(_loads_of(draft), _time_unit_of(draft), form.day or None),
        in_seconds=draft["time_form"].is_clock,
    )
    return vehicles_of(table, naming, None, depots, like).types
