"""Names of columns from a grammar: none is turned round, none is dropped.

A name has a direction, a quantity and perhaps a unit, in five languages, or
is a price of a quantity. A reader may ask about it, or propose the field that
it means; nothing else.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import pytest

import ncc_routing as nr
from ncc_routing.desk.columns import ASKED, Reading, describe_columns
from tests.robustness.support import IS_LARGE

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS: Final = {
    "en": {
        "least": "min,minimum,least,shortest",
        "most": "max,maximum,most,longest",
        "distance": "distance,mileage,kilometers",
        "duration": "duration,time,route time,hours",
        "driving": "driving time,travel time",
        "waiting": "waiting time,wait",
        "overtime": "overtime",
        "load": "load,weight,pallets,volume",
        "stops": "stops,deliveries",
        "speed": "speed",
        "price": "cost,rate,fee,price",
        "per": "per",
        "hourly": "hourly",
        "not": "not,except",
        "between": "between stops,per leg",
    },
    "de": {
        "least": "mindest,min,minimale",
        "most": "max,maximale,höchste",
        "distance": "distanz,strecke,kilometer",
        "duration": "dauer,zeit,tourdauer,stunden",
        "driving": "fahrzeit,lenkzeit",
        "waiting": "wartezeit",
        "overtime": "überstunden",
        "load": "ladung,gewicht,paletten,volumen",
        "stops": "stopps,besuche",
        "speed": "geschwindigkeit",
        "price": "kosten,preis,gebühr",
        "per": "pro",
        "hourly": "stündlich,stunden",
        "not": "nicht,ausser",
        "between": "zwischen stopps,je etappe",
    },
    "fr": {
        "least": "min,minimum,minimale",
        "most": "max,maximum,maximale",
        "distance": "distance,kilométrage",
        "duration": "durée,temps,heures",
        "driving": "temps de conduite,temps de trajet",
        "waiting": "attente,temps d'attente",
        "overtime": "heures supplémentaires",
        "load": "poids,charge,palettes,volume",
        "stops": "arrêts,visites",
        "speed": "vitesse",
        "price": "coût,prix,tarif",
        "per": "par",
        "hourly": "horaire",
        "not": "sans,sauf",
        "between": "entre arrêts,par étape",
    },
    "es": {
        "least": "min,mínimo,mínima",
        "most": "max,máximo,máxima",
        "distance": "distancia,kilometraje",
        "duration": "duración,tiempo,horas",
        "driving": "tiempo de conducción,tiempo de viaje",
        "waiting": "espera,tiempo de espera",
        "overtime": "horas extra",
        "load": "carga,peso,palets,volumen",
        "stops": "paradas,visitas",
        "speed": "velocidad",
        "price": "coste,precio,tarifa",
        "per": "por",
        "hourly": "horario,horaria",
        "not": "sin,excepto",
        "between": "entre paradas,por tramo",
    },
    "it": {
        "least": "min,minimo,minima",
        "most": "max,massimo,massima",
        "distance": "distanza,chilometraggio",
        "duration": "durata,tempo,ore",
        "driving": "tempo di guida,tempo di viaggio",
        "waiting": "attesa,tempo di attesa",
        "overtime": "straordinari",
        "load": "carico,peso,pallet,volume",
        "stops": "fermate,visite",
        "speed": "velocità",
        "price": "costo,prezzo,tariffa",
        "per": "per",
        "hourly": "orario,oraria",
        "not": "senza,eccetto",
        "between": "tra fermate,per tratta",
    },
}
UNITS: Final = {
    "distance": ("", "km", "miles", "(km)"),
    "duration": ("", "h", "hours", "min", "(min)"),
    "driving": ("", "h", "min"),
    "waiting": ("", "h", "min"),
    "overtime": ("", "h", "min"),
    "load": ("", "kg", "t"),
    "stops": ("",),
    "speed": ("", "km/h"),
}
RATES: Final = {
    **dict.fromkeys(("km", "mile"), "distance"),
    **dict.fromkeys(("h", "hour", "min"), "duration"),
}

LIMITS: Final = {
    ("most", "distance"): "max_distance",
    ("most", "duration"): "max_duration",
    ("most", "driving"): "max_driving_time",
    ("most", "overtime"): "max_overtime",
    ("most", "waiting"): "max_waiting",
    ("most", "load"): "capacity",
    ("", "load"): "capacity",
    ("most", "stops"): "max_stops",
    ("least", "stops"): "min_stops",
    ("least", "load"): "min_load",
    ("", "overtime"): "max_overtime",
    ("", "speed"): "speed",
}
PRICES: Final = {
    ("", "distance"): "cost_per_distance",
    ("driving", "distance"): "cost_per_distance",
    ("", "duration"): "cost_per_time",
    ("driving", "duration"): "cost_per_driving_time",
    ("overtime", "duration"): "cost_per_overtime",
    ("overtime", ""): "cost_per_overtime",
    ("driving", ""): "cost_per_driving_time",
}
OF_CUSTOMERS: Final = {("", "load"): "demand", ("", "duration"): "service"}
"""The fields that the meanings of names are."""


def drawn(
    rng: random.Random, *, of_vehicles: bool
) -> tuple[str, frozenset[str]]:
    """Return a name, and the fields that it may be proposed for."""
    words = WORDS[rng.choice([*WORDS])]

    def one(kind: str) -> str:
        return rng.choice(words[kind].split(","))

    twist = rng.choice(["", "", "", "not", "between"])
    if rng.random() < 0.4:
        of = rng.choice(["", "", "overtime", "driving", "waiting"])
        rate = rng.choice([*RATES, ""])
        parts = [one("price"), *([one(of)] if of else [])]
        rng.shuffle(parts)
        if rate == "h" and not of:
            parts.insert(rng.choice([0, 1]), one("hourly"))
        elif rate:
            parts += [one("per"), rate]
        field = PRICES.get((of, RATES.get(rate, "")), "")
        if not (of or rate):
            field = "fixed_cost"
        found = {field} if of_vehicles else {"prize"} - {*of, *rate}
        if not of_vehicles and (of or rate):
            found = set()
    else:
        direction = rng.choice(["", "least", "most"])
        quantity = rng.choice([*UNITS])
        parts = [one(quantity)]
        if direction:
            parts.insert(rng.choice([0, 1]), one(direction))
        # At the end "min" is the unit.
        unit = rng.choice(UNITS[quantity])
        if "min" in parts[-1:] and not unit:
            parts = parts[::-1]
        parts += [unit] if unit else []
        table = LIMITS if of_vehicles else OF_CUSTOMERS
        found = {table.get((direction, quantity), "")}
        if quantity == "duration" and not direction and not of_vehicles:
            found |= {"window"}
    if twist:
        parts.append(one(twist))
        found = set()
    name = rng.choice([" ", "_", "-"]).join(" ".join(parts).split())
    name = rng.choice([name, name.title(), name.upper()])
    return name, frozenset(found) - {""}


def family(field: str) -> str:
    """Return a field without the number of its dimension."""
    return field.removesuffix("_2").removesuffix("_3")


@pytest.mark.parametrize("of_vehicles", [False, True])
def test_no_name_is_turned_round_or_dropped(of_vehicles: bool) -> None:
    """2,000 names in the large profile: each is asked about or understood."""
    rng = random.Random(1)
    wrong, proposed, likely = [], 0, 0
    names = {
        name.lower(): (name, fields)
        for name, fields in (
            drawn(rng, of_vehicles=of_vehicles)
            for _ in range(1_300 if IS_LARGE else 400)
        )
    }
    purpose = "vehicles" if of_vehicles else "customers"
    for name, fields in names.values():
        table = {name: [3, 1, 4]}
        [(_, readings)] = describe_columns(table, purpose)
        (reading,) = readings.values()
        is_dropped = not reading.field and reading.why != ASKED
        if is_dropped or family(reading.field) not in {"", *fields}:
            wrong.append((name, reading.field, reading.why))
        proposed += bool(fields and reading.field)
        likely += bool(fields)
    assert wrong == [], wrong[:9]
    assert 3 * proposed >= likely  # most of the rest say no unit


@pytest.mark.parametrize(
    "name",
    [
        "closed hours",
        "not between",
        "geschlossen",
        "fermé de midi",
        "cerrado",
        "optional",
    ],
)
def test_opposites_are_no_proposals(name: str) -> None:
    """A time at which nobody is there is no window; it is asked about."""
    rows = {"x": [0, 1, 2], "y": [0, 1, 2], name: ["", "8-9", "10:00-11:00"]}
    with pytest.raises(nr.UnsupportedProblemError) as caught:
        nr.read(rows, capacity=9)
    assert "--columns" not in caught.value.details[0]


CLOSED: Final = {
    "en": "closed,no delivery,blackout,quiet hours,unavailable,off duty,"
    "peak hours,blocked,maintenance",
    "de": "geschlossen,gesperrt,keine Lieferung,Ruhezeit,nicht verfügbar,frei,"
    "Stoßzeiten",
    "fr": "fermé,fermée,pas de livraison,indisponible,horaires de fermeture,"
    "heures de pointe",
    "es": "cerrado,cerrada,bloqueado,sin entrega,no entrega,no disponible,"
    "hora punta",
    "it": "chiuso,chiusura,senza consegna,no consegna,non disponibile,riposo,"
    "orari da evitare",
}
OPEN: Final = {
    "en": "times,when,delivery times,opening times",
    "de": "Zeiten,wann,Öffnung,Lieferzeiten Kunde",
    "fr": "horaires client,quand,ouverture,temps",
    "es": "horario cliente,cuando,apertura",
    "it": "orari cliente,quando,apertura",
}
"""Names above windows in which nobody is there, or somebody is."""


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("of_vehicles", [False, True])
def test_windows_need_a_word_of_time(language: str, of_vehicles: bool) -> None:
    """Cells alone make no window: it may be one in which nobody is there."""
    cells = ["12:00-13:00", "12:30-14:00"]
    names = [*CLOSED[language].split(","), "zqx"]
    for name in [*names, *OPEN[language].split(",")]:
        reading, options = understood(name, cells, of_vehicles=of_vehicles)
        if name in names:
            assert (reading.field, reading.why) == ("", ASKED), name
            assert options == (), name
            # The same hours for all are hours too.
            equal, _ = understood(name, cells[:1] * 2, of_vehicles=of_vehicles)
            assert equal.why == ASKED, name
        elif not of_vehicles:
            assert reading.field == "window", name


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        # Another direction, or no return at all.
        (
            "skip return,takes returns,accepts returns,Retouren,retours,"
            "ne rentre pas,no vuelve,non rientra,fährt nicht zurück",
            ["yes", "no"],
        ),
        # Rates of some hours, or of what is above a limit.
        (
            "night rate per hour,weekend hourly rate,Nachtstundensatz,"
            "tarif horaire de nuit,tarifa hora nocturna,"
            "tariffa oraria notturna,cost per km over 100,Mehrkilometer Preis,"
            "surcharge per km,Zuschlag pro km,recargo por km",
            [3, 1],
        ),
        (
            "max radius km,rayon max km,radio max km,raggio max km,"
            "max hours per week,max Wochenstunden,heures max par semaine,"
            "horas max semanales,ore max settimanali,towing capacity",
            [3, 1],
        ),
        # What is out of service.
        (
            "disabled,out of order,storniert,ausser Betrieb,außer Betrieb,"
            "en panne,hors service,fuera de servicio,guasto,fuori servizio",
            ["yes", ""],
        ),
        ("status,Statut,estado,stato", ["active", "inactive"]),
        ("endet beim Kunden,only mornings,nur vormittags", ["yes", ""]),
    ],
)
def test_nothing_is_proposed_that_vehicles_do_not_say(
    names: str, cells: Sequence[object]
) -> None:
    """Names with a word that turns or limits another are asked about."""
    for name in names.split(","):
        reading, options = understood(name, cells, of_vehicles=True)
        assert (reading.field, reading.why) == ("", ASKED), name
        assert options == (), name


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        (
            "excluded vehicles,camions exclus,vehiculos excluidos,"
            "veicoli esclusi,ausgeschlossene Fahrzeuge,incompatible vehicles,"
            "camions incompatibles,preferred driver,chauffeur préféré,"
            "Wunschfahrer,conductor preferido,autista preferito,"
            "same driver as",
            ["v", "w"],
        ),
        (
            "nicht vor,nicht nach,pas après,pas avant,no antes de,"
            "no despues de,non prima di,non dopo",
            ["8:00", "9:00"],
        ),
        ("same day,mismo dia,meme jour,stesso giorno,with lift", ["yes", ""]),
        (
            "no order,no delivery,disabled,storniert,annulé,hors service,"
            "nur vormittags,matin seulement,solo mañana,solo mattina,express",
            ["yes", ""],
        ),
        (
            "kg per box,kg pro Kiste,kg par colis,kg por caja,kg per collo,"
            "shelf life hours,minutes per parcel,urgency",
            [3, 1],
        ),
    ],
)
def test_nothing_is_proposed_that_customers_do_not_say(
    names: str, cells: Sequence[object]
) -> None:
    """Accepting all proposals neither turns nor ignores such a column."""
    for name in names.split(","):
        reading, options = understood(name, cells, of_vehicles=False)
        assert (reading.field, reading.why) == ("", ASKED), name
        assert options == (), name


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ("ab,erst ab,à partir de,après,despues de,dopo", "open"),
        ("vor,avant,antes de,prima di", "close"),
    ],
)
def test_ends_of_windows_are_proposed(names: str, field: str) -> None:
    """Before and after a time of day, in five languages."""
    for name in names.split(","):
        reading, _ = understood(name, ["8:00", "9:00"], of_vehicles=False)
        assert reading.field == field, name


@pytest.mark.parametrize(
    "name", ["vuelve al deposito", "rentre au dépôt", "rientra in deposito"]
)
def test_returns_are_no_places(name: str) -> None:
    """A yes or no of a return, though the name has the word of a depot."""
    reading, _ = understood(name, ["yes", "no"], of_vehicles=True)
    assert reading.field == "return_to_depot"


def understood(
    name: str, cells: Sequence[object], *, of_vehicles: bool
) -> tuple[Reading, tuple[str, ...]]:
    """Return how a column is read, and the options that accept proposals."""
    title = name.lower()
    customers = {"id": [1, 2, 3], "x": [0, 1, 2], "y": [0, 3, 1]}
    vehicles = {"name": ["v", "w"], "capacity": [9, 9]}
    table = (
        {**vehicles, title: cells}
        if of_vehicles
        else {**customers, title: ["", *cells]}
    )
    purpose = "vehicles" if of_vehicles else "customers"
    [(_, readings)] = describe_columns(table, purpose)
    options: tuple[str, ...] = ()
    try:
        if of_vehicles:
            nr.read(customers, table, speed="1m/s")
        else:
            nr.read(table, vehicles)
    except nr.InstanceError as error:
        # A question is answered by nobody who accepts all proposals.
        options = tuple(each for each in error.options if "?=" not in each)
    return readings[title], options
