"""An example of orders and vehicles, to fill in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value
from ncc_routing.desk.words import LANGUAGES, entry_of, words_of
from ncc_routing.desk.workbooks import Sheet, write_workbook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ORDERS: Final = (
    "places.id",
    *("name", "address", "phone", "note"),
    *("places.lat", "places.lon", "places.demand"),
    *("customers.window", "customers.service"),
)
"""Entries of the columns of orders: those without a table are no fields."""

_PEOPLE: Final = (
    ("D", "Depot", "Lager 1", None, None),
    (1001, "Café Rosa", "Ring 5", "0221 1001", None),
    (1002, "Hotel Post", "Domplatz 1", "0221 1002", None),
    (1003, "Studio 5", "Aachener Str. 30", "0221 1003", None),
    (1004, "Bistro Nord", "Neusser Str. 8", "0221 1004", None),
    (1005, "Villa Sol", "Kerpener Str. 6", "0221 1005", None),
)
_GOODS: Final = (
    (50.9637, 7.0053, 0, None, None),
    (50.9384, 6.9570, 120, "8:00-12:00", 10),
    (50.9412, 6.9603, 80, "9:00-11:00; 14:00-16:00", 15),
    (50.9361, 6.8972, 60, None, 10),
    (50.9573, 6.9551, 40, "10:00-15:00", 5),
    (50.9252, 6.9183, 200, None, 20),
)
"""The first columns of orders, and the others."""

_VEHICLES: Final = (
    *("vehicles.vehicle", "vehicles.plate", "vehicles.capacity"),
    *("vehicles.shift", "vehicles.break", "vehicles.speed"),
)
_FLEET: Final = (
    ("Anna", "K-AN 12", 400, "7:00-16:00", "30 min 11:30-13:30", 40),
    ("Ben", "K-BE 34", 400, "8:00-17:00", "30 min 12:00-13:30", 40),
)


def write_example(file: Path, language: str = "en") -> None:
    """Write a workbook of orders and vehicles that ``read`` reads.

    Parameters
    ----------
    file
        The workbook; an existing one is replaced.
    language
        Of its headings and hints: "en", "de", "fr", "es" or "it". Default
        "en".

    Raises
    ------
    ParameterError
        If the language is none of these.
    """
    if language not in LANGUAGES:
        raise ParameterError(
            f"language must be one of {', '.join(LANGUAGES)}, got "
            f"{describe_value(language)}."
        )
    pairs = zip(_PEOPLE, _GOODS, strict=True)
    rows = [(*who, *what) for who, what in pairs]
    orders = _sheet("orders", _ORDERS, rows, language)
    vehicles = _sheet("vehicles", _VEHICLES, _FLEET, language)
    write_workbook(file, [orders, vehicles])


def _sheet(
    title: str,
    entries: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    language: str,
) -> Sheet:
    headings = [_heading(entry, language) for entry in entries]
    hints = entry_of("example.hints")
    fields = [entry.rpartition(".")[2] for entry in entries]
    return Sheet(
        _word_of(f"sheets.{title}", language),
        dict(zip(headings, zip(*rows, strict=True), strict=True)),
        hints={
            heading: hints[field][language]
            for heading, field in zip(headings, fields, strict=True)
            if field in hints
        },
    )


def _heading(entry: str, language: str) -> str:
    if "." not in entry:
        return str(entry_of(f"example.headings.{entry}")[language])
    unit = " (min)" if entry == "customers.service" else ""
    return _word_of(entry, language) + unit


def _word_of(key: str, language: str) -> str:
    """Return the first word of a language, else the first of all."""
    entry = entry_of(key)
    given = [each.get(language) for each in (entry, *entry.get("spare", ()))]
    words = [word for text in given if text for word in text.split()]
    word = (words or words_of(key))[0].replace("_", " ")
    return word[:1].upper() + word[1:]
