"""Names of columns from a grammar: none is turned round, none is dropped.

A name has a direction, a quantity and perhaps a unit, in five languages, or
is a price of a quantity. A reader may ask about it, or propose the field that
it means; nothing else.
"""

from __future__ import annotations

import random
from typing import Final

import pytest

import ncc_routing as nr
from ncc_routing.io.columns import ASKED, describe_columns
from tests.robustness.support import IS_LARGE

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
    ("most", "load"): "capacity",
    ("", "load"): "capacity",
    ("most", "stops"): "max_stops",
    ("least", "stops"): "min_stops",
    ("least", "load"): "min_load",
    ("", "overtime"): "max_overtime",
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
        _, readings = describe_columns(table, purpose)
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
