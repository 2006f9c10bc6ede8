"""Columns that nothing reads: harmless by name or content, or asked about."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.columns import BY_WORDS, MISTYPED, describe_columns
from ncc_routing.desk.fields import (
    CUSTOMER_COLUMNS,
    VEHICLE_COLUMNS,
    field_of,
)

NAMES = Path(__file__).parent / "data" / "column_names.csv"
"""Words of the trade, and harmless names, in five languages."""

CUSTOMERS = {"id": [*"dabc"], "x": [0, 3, 0, 5], "y": [0, 4, 2, 1]}
VEHICLES = {"name": [*"pqrs"], "capacity": [9, 8, 7, 9]}


def names_of(kind: str) -> list[str]:
    """Return the names of a kind in the list."""
    with NAMES.open(encoding="utf-8", newline="") as file:
        return [
            row["name"] for row in csv.DictReader(file) if row["kind"] == kind
        ]


def read(kind: str, title: str, cells: list[Any], **options: Any) -> Any:
    """Read a table of a kind with one more column."""
    if kind == "vehicle":
        return nr.read(CUSTOMERS, {**VEHICLES, title: cells}, **options)
    return nr.read({**CUSTOMERS, title: cells}, capacity=9, **options)


def refusal(kind: str, title: str, cells: list[Any]) -> str:
    """Return the message about a column, or nothing."""
    try:
        read(kind, title, cells)
    except nr.UnsupportedProblemError as error:
        return str(error)
    return ""


def is_dropped(kind: str, title: str) -> bool:
    """Whether a column, which is no field, is left out in silence.

    What is asked about, or read for sure, is not.
    """
    fields = VEHICLE_COLUMNS if kind == "vehicle" else CUSTOMER_COLUMNS
    if field_of(title, fields) is not None:
        return False
    return not all(
        is_read(kind, title, cells)
        or f"\n  {title.lower()} (" in refusal(kind, title, cells)
        for cells in ([3, 1, 4, 1], ["a4", "b", "c1", "b"])
    )


def is_read(kind: str, title: str, cells: list[Any]) -> bool:
    """Whether the words of a name, and all cells, say one field."""
    return bool(field_read(kind, title, cells))


def field_read(kind: str, title: str, cells: list[Any]) -> str:
    """Return the field that words and cells say without doubt, or nothing."""
    table = VEHICLES if kind == "vehicle" else CUSTOMERS
    table = {name: table[name] for name in table if name != "capacity"}
    [(_, readings)] = describe_columns({**table, title: cells}, f"{kind}s")
    reading = readings[title.lower()]
    return reading.field if reading.why in (BY_WORDS, MISTYPED) else ""


@pytest.mark.parametrize("kind", ["vehicle", "customer"])
def test_no_word_of_the_trade_is_dropped(kind: str) -> None:
    """150 names of costs, loads and constraints, with short cells."""
    names = names_of(kind)
    assert len(set(names)) == 150
    assert [name for name in names if is_dropped(kind, name)] == []


@pytest.mark.parametrize(("kind", "most"), [("vehicle", 1), ("customer", 6)])
def test_few_harmless_names_are_asked_about(kind: str, most: int) -> None:
    """Of 200: regions, and names of drivers beside customers."""
    names = names_of("harmless")
    assert len(set(names)) == 200
    asked = [name for name in names if refusal(kind, name, [3, 1, 4, 1])]
    assert len(asked) == most


def test_hours_of_a_shift_are_read_as_such() -> None:
    """7.00 may be a number, so that the cells alone do not tell.

    Numbers without a unit are hours, or something else.
    """
    for title in ("Schicht", "Turno"):
        for cells in (["7.00-17.00"] * 4, ["7-17", "8-16", "8-16", "9-13"]):
            assert field_read("vehicle", title, cells) == "shift"
    asked = refusal("vehicle", "Turno", [8, 9, 8, 9])
    assert "--columns max_duration=turno or" in asked


def test_services_and_ends_are_read_in_every_language() -> None:
    """They are proposed where a word is not known."""
    for title in ("servicio min", "servizio min", "unload min", "abladen min"):
        cells: list[Any] = [10, 5, 10, 20]
        assert field_read("customer", title, cells) == "service"
        title = title.replace(" ", " qx ")
        asked = refusal("customer", title, cells)
        assert f'--columns "service={title}" or' in asked
    for title, field in (("Dalle", "open"), ("alle", "close")):
        cells = ["08:00", "9:00", "8:30", "9:10"]
        assert field_read("customer", title, cells) == field


@pytest.mark.parametrize(
    ("kind", "field", "titles", "cells"),
    [
        (
            "customer",
            "demand",
            "total kg,kg,parcels,Kisten,Kartons,number of boxes,colis,bultos,"
            "peso del pedido,colli,Liefrmenge",
            [3, 1, 4, 2],
        ),
        ("customer", "pickup", "Leergut kg,reso colli", [3, 1, 4, 2]),
        ("vehicle", "capacity", "max kg,load max,max pallets", [3, 1, 4, 2]),
        (
            "vehicle",
            "cost_per_driving_time",
            "price per hour of driving,Satz je Lenkstunde",
            [30, 20, 25, 20],
        ),
        ("vehicle", "fixed_cost", "flat rate,Pauschale,forfait", [3, 1, 4, 2]),
        ("vehicle", "has_skills", "equipment,Ausstattung", ["lift", *"abc"]),
        (
            "vehicle",
            "end_depot",
            "Zieldepot,d\u00e9p\u00f4t d'arriv\u00e9e,end place",
            [*"abab"],
        ),
        ("vehicle", "max_distance", "Maximum distnce km", [300, 200] * 2),
        ("customer", "setup", "preparaci\u00f3n", ["1 min", "2 min"] * 2),
        ("customer", "open", "\u00e0 partir de", ["7:00", "8:00"] * 2),
        ("customer", "close", "zetfenster_bis", ["17:00", "18:00"] * 2),
    ],
)
def test_what_says_one_field_is_read(
    kind: str, field: str, titles: str, cells: list[Any]
) -> None:
    """Each word, the unit and all cells say it, and nothing else."""
    for title in titles.split(","):
        assert field_read(kind, title, cells) == field, title


@pytest.mark.parametrize(
    ("kind", "title", "cells", "fields"),
    [
        ("customer", "access hours", ["8-12", "9-13"], "window"),
        ("customer", "Essenszeiten", ["8-12", "9-13"], "window"),
        ("vehicle", "meal hours", ["12-13", "12-14"], "shift or break"),
        ("vehicle", "repos", ["30 min 11:30-13:30"] * 2, "break"),
        (
            "vehicle",
            "d\u00e9part",
            ["6h30", "7h"],
            "shift_start or latest_start",
        ),
        ("vehicle", "arrivo", ["Nord", "Sud"], "end_depot"),
        ("vehicle", "salida", ["Norte", "Sur"], "start_depot"),
        (
            "vehicle",
            "endepot",
            ["North", "South"],
            "home_depot or end_depot or start_depot",
        ),
        ("vehicle", "finisce dal cliente", ["si", "si"], ""),
        ("customer", "Zielauftrag", ["a", ""], "deliver_to"),
    ],
)
def test_what_a_name_and_cells_may_mean_is_asked(
    kind: str, title: str, cells: list[str], fields: str
) -> None:
    """A half known word does not say whose hours they are."""
    given = ["", "", *cells] if kind == "customer" else [*cells, *cells]
    asked = refusal(kind, title, given)
    hint = f"did you mean {fields}?" if fields else "if it does not matter"
    assert f"): {hint}" in asked
    assert "--columns" not in asked


def test_a_mistyped_name_above_times_is_no_date() -> None:
    """Nor is that of a price per hour another one."""
    assert field_read("customer", "relase date", ["", *["7:30"] * 3]) == (
        "release"
    )
    price = field_read("vehicle", "driing cost per h", [20, 25, 20, 25])
    assert price == "cost_per_driving_time"


@pytest.mark.parametrize(
    ("kind", "titles", "cells"),
    [
        # To take along, another unit, what a place holds, a part, a price.
        (
            "customer",
            "load,carga,carico kg,volume,payload,kg per box,returned,size",
            [3, 1, 4, 2],
        ),
        ("customer", "kg,parcels", ["8 h", "7 h", "6 h", "5 h"]),
        # The weight of the vehicle, or of its trailer; a least load.
        (
            "vehicle",
            "kg,weight,max weight,peso m\u00e1ximo,max trailer kg,max volume,"
            "max axle kg,min kg,per hour,max pallets empty",
            [3, 1, 4, 2],
        ),
        ("vehicle", "equipment", ["lift", "no", "2", "yes"]),
        ("customer", "equipment", ["lift", *"abc"]),
        ("vehicle", "salida,start", ["North"] * 4),
        ("vehicle", "max_stps_x", [3, 1, 4, 2]),
        # Texts for people, and hours without goods.
        (
            "customer",
            "delivery stop,no delivery,delivery ban",
            ["8:00-12:00"] * 3 + [""],
        ),
    ],
)
def test_what_may_be_something_else_is_asked(
    kind: str, titles: str, cells: list[Any]
) -> None:
    """Its other meaning would lose a constraint, or invert one."""
    for title in titles.split(","):
        assert not field_read(kind, title, cells), title
        assert f"\n  {title} (" in refusal(kind, title, cells)


@pytest.mark.parametrize(
    "title", ["Lieferung", "receiving", "entrega", "availability"]
)
def test_windows_of_deliveries_are_read(title: str) -> None:
    """Where goods come, or people are there."""
    cells = ["", "8:00-12:00", "9:00-12:00", "14:00-16:00"]
    assert field_read("customer", title, cells) == "window"


def test_depots_by_words_must_be_depots() -> None:
    """The message names the column that was taken for one."""
    with pytest.raises(nr.InstanceError, match="column garage: must be the"):
        nr.read(CUSTOMERS, {**VEHICLES, "garage": [*"pqrs"]}, speed="1m/s")


VEHICLE_WORDS = (
    "per hour,per km,eur/km,wage,toll,range km,radius,seats,min km,"
    "priority,adr,max km,cold,speed"
)
CUSTOMER_WORDS = (
    "must visit,visit day,not with,sequence,revenue,zone,size,"
    "territory,driver,readyTime5,time_window_2"
)


@pytest.mark.parametrize("title", VEHICLE_WORDS.split(","))
def test_what_all_vehicles_share_is_asked_about(title: str) -> None:
    """A limit or a cost matters where it is the same for all, or for one."""
    for cells in ([300] * 4, [3, 1, 4, 1]):
        if not is_read("vehicle", title, cells):
            assert f"\n  {title} (" in refusal("vehicle", title, cells)
    # Zero, no and nothing are no limit.
    for cell in (0, "no", "-", None, "N/A"):
        assert not refusal("vehicle", title, [cell] * 4)


@pytest.mark.parametrize("title", CUSTOMER_WORDS.split(","))
def test_words_of_rules_are_asked_about(title: str) -> None:
    """In long texts too, and where all customers have the same cell."""
    for cells in ([3, 1, 4, 1], [7] * 4, ["until half past nine"] * 4):
        assert f"\n  {title.lower()} (" in refusal("customer", title, cells)


@pytest.mark.parametrize(
    ("kind", "cells", "is_asked"),
    [
        ("customer", ["k", "m", "k", "k"], True),
        ("customer", ["k", "", "k", "k"], True),
        ("customer", ["k", "k", "k", "k"], False),
        ("customer", [5, 5, 5, 5], False),
        ("vehicle", [5, 5, 5, 5], True),
        ("vehicle", ["5 t"] * 4, True),
        ("vehicle", ["Ford"] * 4, False),
        # 12 letters in the mean, and 13.
        ("customer", ["abcdefabcdef", "bcdefabcdefa"] * 2, True),
        ("customer", ["abcdefabcdefg", "bcdefabcdefga"] * 2, False),
        (
            "customer",
            ["ring twice", "the blue gate on the left", "", ""],
            False,
        ),
        # Long, and no texts.
        ("customer", ["2026-05-04T08:30", "2026-05-04T09:30"] * 2, True),
        ("customer", ["8:00-12:00 or 14-18", "8:00-12:00"] * 2, True),
    ],
)
def test_content_that_is_harmless(
    kind: str, cells: list[Any], is_asked: bool
) -> None:
    """Under an unknown name: the same in all rows, or texts for people."""
    assert bool(refusal(kind, "foo", cells)) == is_asked


@pytest.mark.parametrize(
    ("title", "is_asked"),
    [
        ("delivery address", False),
        ("Lieferadresse", False),
        ("pickup note", False),
        ("driver phone", False),
        ("Address 2", False),
        ("customerName", False),
        ("n\u00b0 de commande", False),
        ("max street width", True),
        ("city zone", True),
        ("nombre de places", True),
        ("number of drops", True),
        ("date limite", True),
        ("order", True),
        ("#", True),
        ("UN number", True),
        ("UN-Nr.", True),
        ("nicht mit Kundennummer", True),
        ("nicht mit Adresse", True),
        ("door number", False),
        ("sales rep", False),
        ("Sprache", False),
        ("position", True),
    ],
)
def test_names_of_several_words(title: str, is_asked: bool) -> None:
    """A text, or a mark among neutral words, without a word of a rule."""
    assert bool(refusal("customer", title, [3, 1, 4, 1])) == is_asked


def test_one_message_has_all_columns_and_what_to_do(tmp_path: Path) -> None:
    """With an example and its row; the options take or ignore each column."""
    file = tmp_path / "a.csv"
    file.write_text(
        "id,x,y,demand,phone,wieght,visit day,volume,no,pick\n"
        "yard,0,0,0,,,,,,\n"
        "ann,3,4,1,5,8,Mo,2,1,4\n"
        "bob,0,5,2,6,9,Tu,3,2,4\n"
    )
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(file, capacity=9)
    first, *lines = str(caught.value).split("\n")
    assert first.startswith(f"{file}: columns: these may be costs or constr")
    assert lines == [
        "  wieght (8 in line 3): did you mean demand_2? If it does not "
        "matter, --ignore-column wieght",
        "  visit day (Mo in line 3): if it does not matter, --ignore-column "
        '"visit day"',
        "  volume (2 in line 3): --columns demand_2=volume or "
        "--ignore-column volume",
        "  pick (4 in line 3): --columns pickup=pick or --ignore-column pick",
    ]
    found = nr.read(
        file,
        capacity=9,
        columns={"pickup": "pick"},
        ignore_columns=["visit day", "wieght", "volume"],
    )
    assert found.source.unused_columns == (
        *("phone", "wieght", "visit day", "volume", "no"),
    )


def test_hours_without_a_clock_are_a_likely_window() -> None:
    """They may be something else, so that a word of the name is needed."""
    cells = ["", "8-12", "9-12", "9-17"]
    assert field_read("customer", "when", cells) == "window"
    rows = {**CUSTOMERS, "gate": cells}
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(rows, capacity=9)
    assert "window=" not in str(caught.value)


def test_hints_for_vehicles() -> None:
    """Which of two loads is the second one is a question.

    What is said without doubt is read: prices and ranges with their units.
    """
    rows = {
        **VEHICLES,
        "per hour": [25] * 4,
        "eur/km": [1, 2, 1, 2],
        "range km": [300] * 4,
        "volume": [2, 3, 4, 5],
        "seats": [1, 2, 3, 4],
        "adr": ["yes", "no", "", "x"],
        'a "b"': [1, 2, 3, 4],
        "=ls": [1, 2, 3, 4],  # a command for zsh
    }
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(CUSTOMERS, rows, speed="1m/s")
    lines = [line.partition("): ")[2] for line in caught.value.details]
    assert lines == [
        '--columns "cost_per_time=per hour" or --ignore-column "per hour"',
        f"did you mean {LOADS}? If it does not matter, --ignore-column volume",
        f"did you mean {LOADS}? If it does not matter, --ignore-column seats",
        "if it does not matter, --ignore-column adr",
        f"did you mean {OTHER}? If it does not matter, --ignore-column "
        "'a \"b\"'",
        f'did you mean {OTHER}? If it does not matter, --ignore-column "=ls"',
    ]


LOADS = "capacity_2 or capacity_3"
OTHER = "capacity_2 or max_stops or fixed_cost"
"""The fields that loads, and other numbers of vehicles, may be."""


@pytest.mark.parametrize(
    ("title", "field", "each"),
    [
        ("hourly rate", "cost_per_time", 3_600),
        ("co\u00fbt horaire", "cost_per_time", 3_600),
        ("costo orario", "cost_per_time", 3_600),
        ("tarifa horaria", "cost_per_time", 3_600),
        ("Stundensatz", "cost_per_time", 3_600),
        ("Minutenpreis", "cost_per_time", 60),
        ("\u00dcberstundensatz", "cost_per_overtime", 3_600),
        ("tarif kilom\u00e9trique", "cost_per_distance", 1_000),
        ("costo chilometrico", "cost_per_distance", 1_000),
        ("Kilometerpauschale", "cost_per_distance", 1_000),
    ],
)
def test_rates_say_their_unit(title: str, field: str, each: int) -> None:
    """In one word, beside times in seconds and lengths in metres."""
    vehicles = {**VEHICLES, title: [each, 2 * each, 0, 0], "max h": [8] * 4}
    found = nr.read(CUSTOMERS, vehicles, speed="1m/s")
    columns = {field: title, "max_duration": "max h"}
    stated = nr.read(CUSTOMERS, vehicles, speed="1m/s", columns=columns)
    assert stated.vehicle_types == found.vehicle_types
    target = VEHICLE_COLUMNS[field].target[0]
    first, second, *_ = found.vehicle_types
    assert (getattr(first, target), getattr(second, target)) == (1, 2)
    assert first.shift_duration == 28_800


def test_known_names_without_blanks_say_their_unit() -> None:
    """As with blanks: costPerHour, costPerKm; or behind the name."""
    for hour, km in (
        ("costPerHour", "costPerKm"),
        ("duration cost per h", "unit distance cost per km"),
    ):
        rows = {**VEHICLES, hour: [3_600] * 4, km: [1_000] * 4}
        kind, *_ = nr.read(CUSTOMERS, rows, speed="1m/s").vehicle_types
        assert (kind.unit_duration_cost, kind.unit_distance_cost) == (1, 1)


def test_what_is_accepted_loses_no_constraint() -> None:
    """Words of rules without a field stay questions, with what they may be."""
    rows = {
        **VEHICLES,
        "horaires": [8, 9, 8, 9],
        "wage": [20, 21, 20, 21],
        "toll": [3, 1, 4, 1],
        "foo": [3, 1, 4, 1],
    }
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(CUSTOMERS, rows, speed="1m/s")
    asked = ("horaires", "wage", "toll", "foo")
    options = tuple(f'--columns "?={title}"' for title in asked)
    assert caught.value.options == options
    lines = [line.partition("): ")[2] for line in caught.value.details]
    end = "f it does not matter, --ignore-column"
    assert lines == [
        f"did you mean cost_per_time or max_duration? I{end} horaires",
        f"did you mean cost_per_time? I{end} wage",
        f"did you mean fixed_cost? I{end} toll",
        f"did you mean {OTHER}? I{end} foo",
    ]


@pytest.mark.parametrize("kind", ["vehicle", "customer"])
@pytest.mark.parametrize(
    "title",
    ["active", "Is active", "Im Einsatz", "actif", "activo", "attivo"],
)
def test_rows_that_count_are_taken(kind: str, title: str) -> None:
    """Those that do not count are asked about, and not taken by accepting."""
    assert not refusal(kind, title, ["yes", 1, "x", "TRUE"])
    for cells in (["yes", "no", "yes", "yes"], ["yes", "", "x", 1], [0] * 4):
        with pytest.raises(nr.UnsupportedProblemError) as caught:
            read(kind, title, cells)
        (asked,) = caught.value.details
        row = 1 if cells[0] == 0 else 2
        assert asked.startswith(f"  {title.lower()} ({cells[1]} in row {row})")
        assert ": leave out the rows that do not count, or --ign" in asked
        assert caught.value.options == ()


def test_last_customer_home_is_an_open_route_of_vehicles() -> None:
    """It is proposed, where a cell says so; of customers it is nothing."""
    title = "last customer home"
    assert not refusal("vehicle", title, ["no"] * 4)
    asked = refusal("vehicle", title, ["yes", "no", "no", "no"])
    assert not asked
    cells = ["yes", "no", "no", "no"]
    assert field_read("vehicle", title, cells) == "open_route"
    assert not refusal("customer", title, ["yes"] * 4)
    asked = refusal("vehicle", "finit chez le client", ["oui", *["non"] * 3])
    assert '"open_route=finit chez le client"' in asked


def test_both_tables_may_have_a_column_of_one_name() -> None:
    """Each has its field, or one has it, and the other is ignored."""
    customers = {**CUSTOMERS, "volume": [0, 2, 3, 4], "rate": [0, 1, 2, 3]}
    vehicles = {"capacity": [9, 8], "volume": [7, 6], "rate": [1, 2]}
    columns = {"demand_2": "volume", "capacity_2": "volume"}
    found = nr.read(
        customers,
        vehicles,
        columns={**columns, "cost_per_distance": "rate"},
        ignore_columns=["Rate"],
    )
    assert found.deliveries[:, 1].tolist() == [0, 2, 3, 4]
    kinds = found.vehicle_types
    assert [kind.other_capacities for kind in kinds] == [(7,), (6,)]
    assert [kind.unit_distance_cost for kind in kinds] == [1, 2]
    assert found.source.unused_columns == ("rate",)
    columns |= {"cost_per_distance": "rate", "prize": "rate"}
    with pytest.raises(
        nr.ParameterError, match="rate has a field and is ignored"
    ):
        nr.read(customers, vehicles, columns=columns, ignore_columns=["rate"])
    with pytest.raises(nr.ParameterError, match="has a field and is ignored"):
        nr.read_points(
            customers, 9, columns={"demand": "rate"}, ignore_columns=["rate"]
        )


def test_two_columns_of_one_field_are_told_apart_by_options() -> None:
    """Each of them may be taken, and a name is harmless then."""
    rows = {**CUSTOMERS, "Client Node": [5, 6, 7, 8], "node": [1, 2, 3, 4]}
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(rows, capacity=9, columns={"x": "x"})
    assert str(caught.value).endswith(
        ": columns: the columns id and node name the same field: choose one "
        "(columns= or --columns id=id or --columns id=node)."
    )
    for title in ("id", "node", "client node"):
        found = nr.read(rows, capacity=9, columns={"id": title})
        assert len(found.source.unused_columns) == 2
        assert title not in found.source.unused_columns


def test_numbers_are_not_hinted_at_above_words() -> None:
    """What a message says to paste must be read."""
    rows = {**CUSTOMERS, "volume": ["low", "high", "", "low"]}
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(rows, capacity=9)
    assert caught.value.details == (
        "  volume (low in row 1): if it does not matter, --ignore-column "
        "volume",
    )


def test_spare_blanks_in_names_do_not_count(tmp_path: Path) -> None:
    """A line break of Excel in a name, and a blank that breaks no line."""
    file = tmp_path / "a.csv"
    file.write_text('id,x,y,demand,"visit\nday",max\u00a0 wait\n0,0,0,0,1,2\n')
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(file, capacity=9)
    lines = [line.partition("): ")[2] for line in caught.value.details]
    names = ["visit day", "max wait"]
    assert lines == [
        f'if it does not matter, --ignore-column "{name}"' for name in names
    ]
    ignored = ["Visit  day ", "max wait"]
    found = nr.read_points(file, 9, ignore_columns=ignored)
    assert found.num_points == 1


def test_a_message_names_thirty_columns() -> None:
    """And says how many more there are."""
    more = {f"k{number}": [number, 1, 2, 3] for number in range(31)}
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read({**CUSTOMERS, **more}, capacity=9)
    assert len(caught.value.details) == 31
    assert str(caught.value).endswith("\n  and 1 more")


def test_a_message_shows_the_begin_of_a_long_name() -> None:
    """Of each line, whatever is in it."""
    more = {"price " + "1" * 20_000: [1, 2, 3, 4]}
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read({**CUSTOMERS, **more}, capacity=9)
    first, second = str(caught.value).split("\n")
    assert len(first) <= 1_000
    assert len(second) <= 1_010


def test_points_ask_too() -> None:
    """The same rule, and the same way out."""
    rows = {**CUSTOMERS, "phone": [1, 2, 3, 4], "foo": [1, 2, 3, 4]}
    with pytest.raises(nr.UnsupportedProblemError, match="\n  foo "):
        nr.read_points(rows, 9)
    assert nr.read_points(rows, 9, ignore_columns=["foo"]).num_points == 4
    found = nr.read_points(rows, 9, columns={"demand": "foo"})
    assert found.weights.tolist() == [1, 2, 3, 4]
    with pytest.raises(nr.InstanceError, match="no such column"):
        nr.read_points(rows, 9, ignore_columns=["bar"])


def test_unused_columns_stand_in_the_instance() -> None:
    """In their order; an empty column of a constraint is one of them."""
    rows = {"phone": ["", "7"], "x": [0, 3], "y": [0, 4], "fuel": ["", 0]}
    assert nr.read(rows, capacity=2).source.unused_columns == ("phone", "fuel")


def test_a_stated_name_wins_over_a_guessed_one() -> None:
    """The other column is harmless by its name, or asked about."""
    rows = {**CUSTOMERS, "order no": [*"wxyz"]}
    rows["customer"] = rows.pop("id")
    found = nr.read(rows, capacity=9, columns={"id": "order no"})
    assert found.ids == (*"wxyz",)
    assert found.source.unused_columns == ("customer",)
    rows |= {"ready": [1, 2, 3, 4], "from": [0, 0, 0, 5]}
    with pytest.raises(nr.UnsupportedProblemError, match="\n  ready"):
        nr.read(rows, capacity=9, columns={"open": "from"})


SIZES = [
    {"nr": "d", "x": 0, "y": 0, "size": 0},
    {"nr": "a", "x": 1, "y": 0, "size": 2},
]


@pytest.mark.parametrize(
    ("columns", "ignored", "message"),
    [
        (5, (), "columns must be a mapping of fields"),
        ({}, 5, "ignore_columns must be a list of names"),
        ({}, "size", "ignore_columns must be a list of names"),
        ({"demand": "size", "id": "size"}, (), "can have one field only"),
        ({"capacity": "room"}, ["room"], "room has a field and is ignored"),
        ({"demand": "sise"}, (), "column sise: there is no such column"),
        ({"demand": "room"}, (), "column room: there is no such column"),
        ({}, ["sise"], "column sise: there is no such column"),
        ({"wieght": "size"}, (), "there is no field wieght; similar: weight"),
        ("other = 1", (), "must have only a table columns and a list ignore"),
        ("ignore = 'size'", (), "only a table columns and a list ignore"),
    ],
)
def test_what_cannot_be_said_of_columns(
    columns: Any, ignored: Any, message: str, tmp_path: Path
) -> None:
    """Each is told by its name; a column of vehicles is none of customers."""
    if isinstance(columns, str):
        file = tmp_path / "columns.toml"
        file.write_text(columns)
        columns = file
    vans = [{"capacity": 5, "room": 6}]
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.read(SIZES, vans, columns=columns, ignore_columns=ignored)


def test_what_can_be_said_of_columns(tmp_path: Path) -> None:
    """A field by another of its names; a name that only one table ignores."""
    columns = {"Order No": "NR", "weight": "size"}
    read = nr.read(SIZES, [{"capacity": 5}], columns=columns)
    assert (read.node_ids, read.demands.tolist()) == (("d", "a"), [0, 2])
    read = nr.read(
        *(SIZES, [{"size": 7}]),
        columns={"id": "nr", "capacity": "size"},
        ignore_columns=["size"],
    )
    assert (read.capacity, read.demands.tolist()) == (7, [0, 1])
    assert read.source.unused_columns == ("size",)
    file: Any = tmp_path / "columns.toml"
    file.write_text("ignore = ['size', 'none']\n[columns]\nid = 'nr'\n")
    read = nr.read(SIZES, [{"capacity": 5}], columns=file)
    assert (read.node_ids, read.demands.tolist()) == (("d", "a"), [0, 1])


HOURS = ["", "08:00-12:00", "09:00-10:00"]


@pytest.mark.parametrize(
    ("more", "stated", "asked"),
    [
        ({"Wunsch": HOURS}, {}, ()),
        ({"Slot": HOURS}, {"window": "Slot"}, ()),
        ({"Wunsch": HOURS, "Wunsch B": HOURS}, {}, ("wunsch", "wunsch b")),
        ({"Wunsch": HOURS, "open": ["", "7:00", ""]}, {}, ("wunsch",)),
        ({"Wunsch": HOURS, "close": ["", "17:00", ""]}, {}, ("wunsch",)),
        ({"Wunsch": HOURS, "window": HOURS}, {}, ("wunsch",)),
        (
            {"Slot": HOURS, "open": ["", "7:00", ""]},
            *({"window": "Slot"}, ("open",)),
        ),
        (
            {"Slot": ["", "7:00", ""], "window": HOURS},
            *({"open": "Slot"}, ("window",)),
        ),
    ],
)
def test_one_column_with_windows_is_the_window(
    more: dict[str, Any], stated: dict[str, str], asked: tuple[str, ...]
) -> None:
    """Where nothing else says when a customer is there; else it is asked."""
    table = {**{k: v[:3] for k, v in CUSTOMERS.items()}, **more}
    options: dict[str, Any] = {"capacity": 9, "speed": "36km/h"}
    if not asked:
        read = nr.read(table, columns=stated, **options)
        assert read.windows is not None
        assert read.windows.tw_early.tolist() == [0, 8 * 3600, 9 * 3600]
        return
    with pytest.raises(nr.UnsupportedProblemError) as refused:
        nr.read(table, columns=stated, **options)
    told = str(refused.value)
    assert [t for t in (*map(str.lower, more),) if f"  {t} (" in told] == [
        *asked
    ]


@pytest.mark.parametrize(
    "customers", [["d", "a", "a"], ["d", "a", "c"], ["", "", ""]]
)
@pytest.mark.parametrize("is_first", [True, False])
def test_ids_are_those_of_orders(customers: list[str], is_first: bool) -> None:
    """Numbers of customers are none beside them, in any order."""
    columns = {"Customer No": customers, "Order No": ["d", "a", "b"]}
    titles = sorted(columns, reverse=not is_first)
    places = {name: CUSTOMERS[name][:3] for name in "xy"}
    table = {**places, **{title: columns[title] for title in titles}}
    read = nr.read(table, capacity=9)
    assert read.node_ids == ("d", "a", "b")
    assert read.source.unused_columns == ("customer no",)


def test_ranks_are_asked_about() -> None:
    """The best has the number 1, or the largest one: "prio" says neither."""
    levels = [0, 1, 10, 2]
    table = {**CUSTOMERS, "Prio": levels}
    with pytest.raises(nr.UnsupportedProblemError) as refused:
        nr.read(table, capacity=9)
    assert "with them the lowest numbers are left out" in str(refused.value)
    assert not any("priority" in each for each in refused.value.options)
    table["Prio"] = [0, 1, 11, 2]
    assert nr.read(table, capacity=9).selection is not None


@pytest.mark.parametrize(
    ("numbers", "ids"),
    [
        ([9, 3, 2, 1], ("9", "3", "2", "1")),
        (["", 3, 2, 1], ("depot", "3", "2", "1")),
        (["", "", 2, 1], ("0", "1", "2", "3")),
        (["", 2, 2, 1], ("0", "1", "2", "3")),
    ],
)
def test_a_number_is_the_id_of_orders_without_another(
    numbers: list[Any], ids: tuple[str, ...]
) -> None:
    """Else order 3 would be that of row 3; houses have numbers as well."""
    places = {"x": CUSTOMERS["x"], "y": CUSTOMERS["y"], "Nr.": numbers}
    assert nr.read(places, capacity=9).node_ids == ids
    named = {**places, "Auftrag": [*"dabc"]}
    assert nr.read(named, capacity=9).node_ids == ("d", "a", "b", "c")


@pytest.mark.parametrize(
    "title",
    ["Order", "Shipment", "Bestellung", "Sendung", "Env\u00edo", "Spedizione"],
)
def test_numbers_of_orders_below_their_name_are_ids(title: str) -> None:
    """Where all are different texts with digits, beside one of a depot.

    Numbers may be loads, and equal ones belong together.
    """
    places = {"x": CUSTOMERS["x"], "y": CUSTOMERS["y"]}
    names = ["yard", "A-1", "A-2", "B-1"]
    found = nr.read({**places, title: names}, capacity=9)
    assert found.node_ids == tuple(names)
    for cells, words in (
        (["", "3 kg", "2 kg", 1], "did you mean id or demand"),
        (["", "4711", "4712", "4720"], "did you mean id"),
        (["yard", "A-1", "A-1", "B-1"], "did you mean skills"),
    ):
        with pytest.raises(nr.UnsupportedProblemError, match=words):
            nr.read({**places, title: cells}, capacity=9)
    with pytest.raises(nr.UnsupportedProblemError) as refused:
        read("customer", title, names)  # which has an id
    assert "did you mean" not in str(refused.value)
