"""Tables of changes: words of five languages, and all errors at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.changes import (
    AddOrder,
    AddVehicle,
    Cancel,
    Late,
    OutOfService,
    Window,
)
from ncc_routing.desk.changes import read_changes

if TYPE_CHECKING:
    from pathlib import Path

TABLES = {
    "en": """Change;Order No;Driver;Delay (min);Time window;Transfer
        new order;7;;;9-12;
        Cancelled;8;;;;
        breakdown;;van 1;;;yes
        delayed;;van 2;20;;
        new window;9;;;8-10;
        """,
    "de": """Änderung;Auftragsnr;Fahrzeug;Verspätung (min);Zeitfenster;Umladen
        Neuer Auftrag;7;;;9-12;
        storniert;8;;;;
        Ausfall;;van 1;;;ja
        Verspätung;;van 2;20;;
        Neues Zeitfenster;9;;;8-10;
        """,
    "fr": """Changement;N° de commande;Chauffeur;Retard (min);Créneau;Transfert
        Nouvelle commande;7;;;9-12;
        annulée;8;;;;
        Hors service;;van 1;;;oui
        en retard;;van 2;20;;
        Nouveau créneau;9;;;8-10;
        """,
    "es": """Cambio;Número pedido;Conductor;Retraso (min);Ventana;Transferencia
        Nuevo pedido;7;;;9-12;
        anulado;8;;;;
        Averiado;;van 1;;;sí
        Retraso;;van 2;20;;
        nueva ventana;9;;;8-10;
        """,
    "it": """Modifica;Numero ordine;Autista;Ritardo (min);Orario;Trasferimento
        Nuovo ordine;7;;;9-12;
        annullato;8;;;;
        guasto;;van 1;;;sì
        in ritardo;;van 2;20;;
        Nuova finestra;9;;;8-10;
        """,
}


@pytest.mark.parametrize("language", TABLES)
def test_words_of_five_languages(language: str, tmp_path: Path) -> None:
    """A new order keeps its titles, which the table of orders may have."""
    file = tmp_path / "changes.csv"
    file.write_text(TABLES[language].replace("  ", ""), "utf-8")
    new, *others = read_changes(file)
    titles = TABLES[language].split("\n")[0].split(";")
    assert isinstance(new, AddOrder)
    assert new.order == {titles[1]: "7", titles[4]: "9-12"}
    assert others == [
        Cancel("8"),
        OutOfService("van 1", transfer=True),
        Late("van 2", "1200 s"),
        Window("9", "8-10"),
    ]


def test_numbers_and_further_names() -> None:
    """Excel has 7.0 for 7; a name beside the number of an order is no more.

    A new vehicle has all of its row; a delay may say its unit itself.
    """
    rows = [
        {"Änderung": "Storno", "Auftragsnr": 7.0},
        {"Change": "late", "Fahrzeug": 2.0, "um": "0:20"},
        {"Modifica": "nuovo veicolo", "veicolo": "w2", "capacità": 3},
    ]
    assert read_changes(rows) == [
        Cancel("7"),
        Late("2", "0:20"),
        AddVehicle({"veicolo": "w2", "capacità": 3}),
    ]


def test_all_wrong_rows_are_told_at_once(tmp_path: Path) -> None:
    """Each by its line and rule, whether it is read or applied."""
    rows = [
        {"id": "yard", "x": 0, "y": 0},
        {"id": "a", "x": 5, "y": 0},
    ]
    vans = [{"name": "van", "capacity": 9, "number": 1}]
    instance = nr.read(rows, vans)
    best = nr.Solution.from_routes(instance, [[1]])
    plan = nr.Result(instance, best, "given", "none", 1, (), 0.0)
    file = tmp_path / "changes.csv"
    file.write_text(
        "Änderung,id,Fahrzeug,um,x,y,fuel\n"
        "singt,,,,,,\n"
        "Storno,b,,,,,\n"
        "Storno,,,,,,\n"
        "Verspätung,,7,3,,,\n"
        "Storno,a,,3,,,\n"
        "neu,a,,,1,1,\n"
        "neu,c,,,1,,\n"
        "neu,d,,,1,1,7\n"
    )
    with pytest.raises(nr.InstanceError) as refused:
        nr.replan(plan, file, now=5)
    first, *lines = str(refused.value).splitlines()
    assert first.endswith("changes.csv: table: has 9 problems.")
    told = [line for line in lines if line.startswith("- ")]
    for begin, rule in (
        ("- line 2, column änderung: must be one of add order, ", "'singt'"),
        ("- line 4, column änderung: needs id", "'Storno'"),
        ("- line 6", "column um: must be empty for Storno, got '3'"),
        ("- line 3", "cancel: there is no order b"),
        ("- line 5", "vehicle 7: the plan has 1 route"),
        ("- line 7", "ids: must not repeat"),
        ("- line 8, columns", "column y is missing"),
        ("- line 9", "these may be costs or constraints"),
    ):
        [line] = [line for line in told if line.startswith(begin)]
        assert rule in line
    assert "  fuel (7 in line 9)" in lines


@pytest.mark.parametrize("day", ["Mo", "2026-05-04", None])
def test_windows_of_weekdays_are_those_of_the_day(day: str | None) -> None:
    """The day of the first tables counts for orders and vehicles that come.

    A result in JSON has it; a Monday was not asked for without it.
    """
    window = "Mo 8-12; Di-Fr 14-16" if day else "8-12"
    rows = [{"id": "yard", "x": 0, "y": 0}, {"id": "a", "x": 5, "y": 0}]
    table = [rows[0], {**rows[1], "window": window}]
    vans = [{"name": "van", "capacity": 9, "number": 1}]
    instance = nr.read(table, vans, day=day, speed="36km/h")
    best = nr.Solution.from_routes(instance, [[1]])
    plan = nr.Result(instance, best, "given", "none", 1, (), 0.0)
    plan = nr.Result.from_json(plan.to_json())
    new = {"change": "new", "id": "b", "x": 1, "y": 0, "window": "mo-mi 9-10"}
    more = {"change": "add vehicle", "name": "w", "capacity": 1}
    changes = [
        new,
        {"change": "window", "id": "a", "window": "Di 7-9; Montag 10-11"},
        {**more, "shift": "Mo-Fr 6-14; Sa 8-9"},
    ]
    stop = nr.stop.MaxIterations(1)
    if day is None:
        with pytest.raises(nr.InstanceError, match="state the day that is"):
            nr.replan(plan, changes, stop, now="6:00")
        return
    after = nr.replan(plan, changes, stop, now="6:00").instance
    assert after.windows is not None
    hours = [(0, 0), (10, 11), (9, 10)]
    for node in (1, 2):
        found = after.windows.tw_early[node], after.windows.tw_late[node]
        assert found == tuple(3600 * hour for hour in hours[node])
    assert after.vehicle_types[-1].tw_late == 14 * 3600
