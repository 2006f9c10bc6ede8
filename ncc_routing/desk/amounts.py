"""Loads in the cells of tables, which become whole numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.text import number_of
from ncc_routing.core.units import LOADS_OF
from ncc_routing.desk.fields import (
    CUSTOMER_COLUMNS,
    LOADS,
    PRICES_OF_LOADS,
    VEHICLE_COLUMNS,
    pieces_of,
    place_of_unit,
)
from ncc_routing.desk.tables import THOUSANDS, decimal_point, is_blank
from ncc_routing.desk.words import units_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ncc_routing.desk.collecting import Problems
    from ncc_routing.desk.tables import Table

_AMOUNT: Final = re.compile(r"([+-]?[\d.,]+)\s*([^\W\d_][^\d]*\d?)?")
_MOST_DECIMALS: Final = 6

_PLAIN: Final = ("", "1")
_DIMENSIONS: Final = ("", "_2", "_3")
_COLUMNS: Final = tuple(
    [
        (which, name)
        for which, columns in enumerate((CUSTOMER_COLUMNS, VEHICLE_COLUMNS))
        for name, column in columns.items()
        if column.unit == LOADS
        and end == (name[-2:] if name[-2:] in _DIMENSIONS else "")
    ]
    for end in _DIMENSIONS
)
"""Columns of loads by dimensions: of customers 0, of vehicles 1, and names."""


class LoadForm(NamedTuple):
    """How loads of tables count, for each dimension.

    ``parts`` says how many of the units of an instance are one in the tables,
    and ``units`` what these are: ("kg", "1000") for tonnes.
    """

    parts: tuple[int, ...] = ()
    units: tuple[tuple[str, str], ...] = ()


class _Amount(NamedTuple):
    """The number of a cell, and what it counts in: kg, litres, pallets."""

    number: Decimal
    unit: str = ""
    factor: Decimal = Decimal(1)


def is_amount(cell: object) -> bool:
    """Whether a cell is a number, perhaps with a word such as kg."""
    return any(
        _amount_of(cell, decimal_comma=comma) is not None
        for comma in (True, False)
    )


def with_whole_loads(
    customers: Table, vehicles: Table | None, capacity: Any, problems: Problems
) -> tuple[Table, Table | None, Any, LoadForm]:
    """Return tables and a capacity with whole loads without units.

    If a load of a dimension has decimals, all of that dimension, and the
    capacities, count in tenths, hundredths and so on. Other tables stay as
    they are, and a load in a unit that is refused is 0.
    """
    factors: list[int] = []
    units: list[tuple[str, str]] = []
    changed: dict[int, dict[str, list[Any]]] = {0: {}, 1: {}}
    for place, names in enumerate(_COLUMNS):
        columns = {
            (which, name): [
                _amount_in(table, name, cell) for cell in table.columns[name]
            ]
            for which, name in names
            if (table := (customers, vehicles)[which]) is not None
            and name in table.columns
        }
        beside = None if place else _amount_of(capacity)
        tables = (customers, vehicles)
        refuse = partial(_refuse, tables, columns, problems)
        odd, rule = _odd_units(columns)
        is_wrong = refuse(rule, partial(_is_of, odd))
        is_wrong |= refuse("must not be negative", lambda a: a.number < 0)
        given = [a for each in columns.values() for a in each if a is not None]
        sizes = {amount.factor for amount in given if amount.unit}
        least = min(sizes, default=Decimal(1))
        if len(sizes) > 1 and least.normalize().as_tuple().digits != (1,):
            least = Decimal(1)  # pounds beside kilograms
        unit = next((amount.unit for amount in given if amount.unit), "")
        rule = f"must be a whole number, or have {_MOST_DECIMALS} decimals"
        rule += f" in {unit}" * bool(unit)
        is_wrong |= refuse(rule, partial(_is_long, least))
        given = [a for each in columns.values() for a in each if a is not None]
        everything = given if beside is None else [*given, beside]
        wholes = [_whole(amount, least) for amount in everything]
        decimals = max(map(_decimals_of, wholes), default=0)
        factor = 10**decimals if decimals <= _MOST_DECIMALS else 1
        factors.append(factor)
        units.append((unit, str(least)))
        has_unit = any(amount.unit for amount in given)
        if not is_wrong and factor == 1 and not has_unit:
            continue
        for (which, name), amounts in columns.items():
            cells = tables[which].columns[name]  # type: ignore[union-attr]
            changed[which][name] = [
                cell
                if amount is None
                else _number(_whole(amount, least) * factor)
                for cell, amount in zip(cells, amounts, strict=True)
            ]
        if beside is not None:
            capacity = _number(beside.number * factor)
    customers = replace(customers, columns=customers.columns | changed[0])
    if vehicles is not None:
        vehicles = replace(vehicles, columns=vehicles.columns | changed[1])
        vehicles = _priced_in_parts(vehicles, factors[0])
    form = LoadForm(tuple(factors), tuple(units))
    return customers, vehicles, capacity, form


def finer_form(table: Table, form: LoadForm) -> LoadForm:
    """Return a form in which loads of customers with more decimals are whole.

    It has a power of ten of the parts, or the same ones if no form has.
    """
    parts = []
    for place, names in enumerate(_COLUMNS):
        part, _, one = _of_dimension(form, place)
        loads = [
            _whole(amount, one) * part
            for _, name in names
            for cell in table.columns.get(name, ())
            if (amount := _amount_in(table, name, cell)) is not None
        ]
        more = 10 ** max(map(_decimals_of, loads), default=0)
        is_long = part * more > 10**_MOST_DECIMALS
        parts.append(part if is_long else part * more)
    return form._replace(parts=tuple(parts))


def _of_dimension(form: LoadForm, place: int) -> tuple[int, str, Decimal]:
    """Return the parts, the unit and its factor of a load dimension."""
    part = (*form.parts, *[1] * (place + 1))[place]
    unit, one = (*form.units, *[_PLAIN] * (place + 1))[place]
    return part, unit, Decimal(one)


def in_form(table: Table, form: LoadForm, problems: Problems) -> Table:
    """Return a table whose loads are whole numbers, in the form of others.

    One that is refused is 0.
    """
    columns = dict(table.columns)
    for place, names in enumerate(_COLUMNS):
        part, unit, one = _of_dimension(form, place)
        wanted = f"in {unit}" if unit else "a plain number"
        least = f"{one / part:f} {unit}".rstrip()
        rules = (
            f"must be {wanted}, like the other loads",
            f"must be a multiple of {least}",
        )
        for _, name in names:
            if name not in columns:
                continue
            cells = columns[name]
            amounts = [_amount_in(table, name, cell) for cell in cells]
            loads = [
                0 if a is None else _number(_whole(a, one) * part)
                for a in amounts
            ]
            is_other = [
                a is not None and a.unit not in ("", unit) for a in amounts
            ]
            is_split = [isinstance(load, float) for load in loads]
            for is_wrong, rule in zip(
                (is_other, is_split), rules, strict=True
            ):
                with problems.collected():
                    table.refuse(is_wrong, name, rule)
            columns[name] = [
                cell if amount is None else 0 if other or split else load
                for cell, amount, load, other, split in zip(
                    cells, amounts, loads, is_other, is_split, strict=True
                )
            ]
    table = replace(table, columns=columns)
    return _priced_in_parts(table, _of_dimension(form, 0)[0])


def _priced_in_parts(table: Table, part: int) -> Table:
    """Return a table whose prices of loads are of parts of their units."""
    columns = {
        name: [
            cell
            if (amount := _amount_in(table, name, cell)) is None
            or amount.number < 0  # to be refused as it stands
            else float(amount.number / part)
            for cell in table.columns[name]
        ]
        for name in PRICES_OF_LOADS
        if part > 1 and name in table.columns
    }
    return replace(table, columns=table.columns | columns)


def _amount_in(table: Table, name: str, cell: Any) -> _Amount | None:
    """Return the amount of a cell; its column may say what it counts in."""
    amount = _amount_of(cell, decimal_comma=table.has_decimal_commas)
    if amount is None or amount.unit:
        return amount
    pieces = pieces_of(table.titles.get(name, name))
    at = place_of_unit(pieces, units_in("loads"))
    if at is None:
        return amount
    unit, factor = LOADS_OF[units_in("loads")[pieces[at]]]
    return amount._replace(unit=unit, factor=Decimal(factor))


def _amount_of(cell: Any, *, decimal_comma: bool = False) -> _Amount | None:
    if isinstance(cell, bool | np.bool_) or is_blank(cell):
        return None
    if isinstance(cell, int | float | np.number):
        # Excel has 15 digits; 0.1 + 0.2 has more.
        number = Decimal(f"{cell:.15g}")
        return _Amount(number) if number.is_finite() else None
    match = _AMOUNT.fullmatch(str(cell).strip())
    if match is None:
        return None
    text = match[1]
    if decimal_comma and ("," in text or THOUSANDS.fullmatch(text)):
        text = decimal_point(text)
    if not np.isfinite(number_of(text)):
        return None
    word = " ".join(pieces_of(match[2] or ""))
    known = units_in("loads").get(word, "")
    unit, factor = LOADS_OF.get(known, (word.rstrip("sen"), "1"))
    return _Amount(Decimal(text), unit, Decimal(factor))


def _odd_units(
    columns: Mapping[tuple[int, str], Sequence[_Amount | None]],
) -> tuple[set[str], str]:
    """Return the units that do not go with others, "" for none, and why."""
    units: dict[str, set[Decimal]] = {}
    for amounts in columns.values():
        for amount in filter(None, amounts):
            units.setdefault(amount.unit, set()).add(amount.factor)
    unit = next(filter(None, units), "")
    others = units.keys() - {unit, ""}
    if others:
        return others, f"must be in {unit}, like other loads of its dimension"
    if len(units.get(unit, ())) > 1:
        return {""}, "must have a unit, because the others have several"
    return set(), ""


def _refuse(
    tables: Sequence[Table | None],
    columns: Mapping[tuple[int, str], list[_Amount | None]],
    problems: Problems,
    rule: str,
    is_wrong: Callable[[_Amount], bool],
) -> bool:
    """Refuse some amounts, which are 0 then; return whether there are any."""
    is_any = False
    for (which, name), amounts in columns.items():
        wrong = [amount is not None and is_wrong(amount) for amount in amounts]
        with problems.collected():
            tables[which].refuse(wrong, name, rule)  # type: ignore[union-attr]
        for row in np.flatnonzero(wrong).tolist():
            amounts[row], is_any = _Amount(Decimal(0)), True
    return is_any


def _whole(amount: _Amount, least: Decimal) -> Decimal:
    return amount.number * (amount.factor if amount.unit else least) / least


def _is_of(units: set[str], amount: _Amount) -> bool:
    return amount.unit in units


def _is_long(least: Decimal, amount: _Amount) -> bool:
    return _decimals_of(_whole(amount, least)) > _MOST_DECIMALS


def _decimals_of(number: Decimal) -> int:
    return max(0, -int(number.normalize().as_tuple().exponent))


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)
