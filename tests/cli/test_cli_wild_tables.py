"""Tables as companies write them: none loses a constraint."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from tests.cli.conftest import Run

NAMES = {
    "en": "Order No,Customer,Street,lat,lng,Weight (kg),Delivery Window,"
    "Service,Skills,Notes",
    "de": "Auftragsnummer,Kunde,Stra\u00dfe,Breitengrad,L\u00e4ngengrad,"
    "Gewicht,Zeitfenster,Servicezeit,F\u00e4higkeiten,Bemerkung",
    "fr": "N\u00b0 de commande,Client,Rue,latitude,longitude,Poids (kg),"
    "Cr\u00e9neau horaire,Dur\u00e9e de service,Comp\u00e9tences,Remarque",
    "es": "N\u00famero de pedido,Cliente,Calle,latitud,longitud,Peso,"
    "Horario de entrega,Tiempo de servicio,Habilidades,Observaciones",
    "it": "Numero ordine,Cliente,Indirizzo,latitudine,longitudine,Peso (kg),"
    "Fascia oraria,Tempo di servizio,Competenze,Note",
}
VANS = {
    "en": "Van,Capacity,Shift,Skills",
    "de": "Fahrzeug,Nutzlast (kg),Schicht,F\u00e4higkeiten",
    "fr": "V\u00e9hicule,Capacit\u00e9,Horaires de travail,Comp\u00e9tences",
    "es": "Veh\u00edculo,Capacidad,Turno,Habilidades",
    "it": "Veicolo,Portata,Orario di lavoro,Competenze",
}
"""Names of the columns of orders and of vehicles, by language."""

WINDOWS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("8-12", "08:00-12:00", "0800-1200"), (480, 720)),
    **dict.fromkeys(("08h00-12h00", "8 to 12", "8-12 Uhr"), (480, 720)),
    **dict.fromkeys(("after 10:00", "10:00-", "ab 10 Uhr"), (600, NO_LIMIT)),
    **dict.fromkeys(("before 16:00", "avant 16h00"), (0, 960)),
    **dict.fromkeys(("any time", "-", "n/a", ""), (0, NO_LIMIT)),
    "22:00-06:00": (1320, 1800),
}
SERVICES = {"5 min": 300, "0:10": 600, "1h": 3600, "": 0, "90 s": 90}

CHANGES = {
    **dict.fromkeys(("none", "title", "total", "priority"), ""),
    "title total": "",
    "typo": "",
    "two": "--ignore-column",
}
"""What is odd about a table, and the option that it needs."""

ORDER = [*CHANGES, *["none", "title", "total", "priority"] * 2]
"""Of 40 tables, at least 30 need no option."""

WORKBOOK = "title total priority"
"""A table of 60 orders, beside vehicles with a lunch break."""


@dataclass
class Wild:
    """A table of orders and one of vehicles, and what they say."""

    orders: list[list[str]]
    vans: list[list[str]]
    truth: dict[str, Any]
    change: str


def made(rng: random.Random, language: str, change: str) -> Wild:
    """Return tables in a language; the depot comes first."""
    comma = language != "en"
    size = 61 if change == WORKBOOK else rng.randint(5, 12)
    head = NAMES[language].split(",")
    rows = [["", "Depot", "Hof 1", "48.85", "2.35", "", "", "", "", ""]]
    truth: dict[str, Any] = {}
    unit = rng.choice(["", " kg"])
    for number in range(1, size):
        weight = rng.randint(1, 400) / 10
        window, service = rng.choice([*WINDOWS]), rng.choice([*SERVICES])
        place = [f"{x + rng.uniform(-0.05, 0.05):.5f}" for x in (48.85, 2.35)]
        skill = rng.choice(["", "lift"])
        rows.append(
            [
                *(f"A{number}", "M\u00fcller", f"Rue {number}", *place),
                *(f"{weight}{unit}", window, service, skill, "ring the bell"),
            ]
        )
        ends = [
            end if end == NO_LIMIT else end * 60 for end in WINDOWS[window]
        ]
        truth[f"A{number}"] = (weight, *ends, SERVICES[service], skill)
    order = rng.sample(range(len(head)), len(head))
    if change == "typo":
        head[5] = {"en": "Weigth", "de": "Gewiht"}.get(language, "Pesso")
    rows = [head, *rows]
    for row in rows if "priority" in change or change == "two" else []:
        row.append("Quantity" if change == "two" else "Priority")
        row[-1] = row[-1] if row is head else f"{len(row[3]) % 4 + 1}"
    order += range(len(order), len(head))
    rows = [[row[at] for at in order] for row in rows]
    if "total" in change:
        total = f"{sum(each[0] for each in truth.values()):.1f}"
        at = {order.index(1): "Total", order.index(5): total}
        rows.append([at.get(place, "") for place in range(len(head))])
    if comma:
        rows[1:] = [[_comma(cell) for cell in row] for row in rows[1:]]
    if "title" in change:
        rows = [["Deliveries Monday, 4 May"], [], *rows]
    shift = "06:00-22:00" if "22:00-06:00" not in str(rows) else "6:00-31:00"
    vans = [VANS[language].split(","), ["v1", "900", shift, "lift"]]
    vans.append(["v2", "900", shift, "lift"])
    if change == WORKBOOK:
        vans = [
            [*row, "Lunch break" if row is vans[0] else "30 min 12-13"]
            for row in vans
        ]
    return Wild(rows, vans, truth, change)


def _weight(wild: Wild) -> str:
    """Return the name of the column of weights."""
    names = {each.split(",")[5] for each in NAMES.values()}
    return next(name for row in wild.orders for name in row if name in names)


def _comma(cell: str) -> str:
    is_number = cell.replace(" kg", "").replace(".", "", 1).isdecimal()
    return cell.replace(".", ",") if is_number else cell


def written(file: Path, rng: random.Random, rows: list[list[str]]) -> Path:
    """Write a table as CSV in some encoding, or as a sheet of Excel."""
    kind = rng.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16", "xlsx"])
    if kind == "xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(file.with_suffix(".xlsx"))
        return file.with_suffix(".xlsx")
    mark = rng.choice(";\t")
    text = "\n".join(mark.join(row) for row in rows)
    file.write_bytes(text.encode(kind))
    return file


@pytest.mark.parametrize("seed", range(41))
def test_wild_tables(
    seed: int, tmp_path: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """At once, or by the command that the one message proposes."""
    rng = random.Random(seed)
    change = WORKBOOK if seed == 40 else ORDER[seed % len(ORDER)]
    wild = made(rng, rng.choice([*NAMES]), change)
    orders = written(tmp_path / "orders.csv", rng, wild.orders)
    vans = written(tmp_path / "vans.csv", rng, wild.vans)
    output = tmp_path / "plan.json"
    line = ["solve", str(orders), "--vehicles", str(vans)]
    line += ["--speed", "40km/h", "--time-limit", "0.1", "-o", str(output)]
    code, _, said = run(*line)
    option = "" if change == WORKBOOK else CHANGES[change]
    assert (code == 1) == bool(option), said
    if option:
        proposed = said.rpartition("\n  ncc-route ")[2]
        assert option in proposed
        for mark, name in (("=?", f"={_weight(wild)}"), ("?", "quantity")):
            proposed = proposed.replace(f'{mark}"', f'{name}"')
        code, _, said = run(*map(Path, shlex.split(proposed)))
    assert code in (None, 0, 3), said
    assert ("is a total" in caplog.text) == ("total" in wild.change)
    instance = nr.Result.from_json(output.read_text()).instance
    scale = {900: 1, 9000: 10}[instance.vehicle_types[0].capacity]
    skills = instance.constraints.skills if instance.constraints else None
    windows = instance.windows
    assert instance.ids is not None
    for node, name in enumerate(instance.ids[1:], start=1):
        read: tuple[Any, ...] = (0, NO_LIMIT, 0)
        if windows is not None:
            read = (
                int(windows.tw_early[node]),
                int(windows.tw_late[node]),
                int(windows.service_durations[node]),
            )
        needs = "".join(skills[node]) if skills else ""
        demand = instance.demands[node] / scale
        assert (demand, *read, needs) == wild.truth.pop(name)
    assert not wild.truth
