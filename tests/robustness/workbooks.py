"""Orders and vehicles as companies write them, whose meaning is known.

Each workbook is written twice: with the names of fields, and with names and
cells of one of five languages. ``outcome_of`` reads the second one as a user
would who pastes what is proposed, and compares it with the first one.

``python -m tests.robustness.workbooks 300`` counts the outcomes.
"""

from __future__ import annotations

import csv
import io
import logging
import random
import re
import shlex
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ncc_routing as nr
from ncc_routing.desk.words import entry_of
from ncc_routing.problems.plain import to_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LANGUAGES: Final = ("en", "de", "fr", "es", "it")

KNOWN, OTHER, NEAR = "known", "other", "near"
"""Titles of the file of words, plausible others, and mistyped known ones."""

OTHERS: Final[dict[str, dict[str, str]]] = {
    # Fields of orders.
    "demand": {
        "en": "order size,total kg,load,parcels,goods weight,cargo",
        "de": "Ladung,Kisten,Sendungsgewicht,Stückzahl,Gesamtmenge",
        "fr": "poids total colis,nombre de colis,charge,kg,marchandise",
        "es": "bultos,carga,peso del pedido,kilos,mercancía",
        "it": "colli,carico,peso ordine,kg,merce",
    },
    "window": {
        "en": "when,delivery times,customer times,arrival,receiving,access "
        "times,ramp times",
        "de": "Zeiten,wann,Lieferzeiten Kunde,Anlieferung,Warenannahme,"
        "Termin,Uhrzeit",
        "fr": "quand,heures,livraison,horaires client,réception,disponibilité",
        "es": "cuando,horario cliente,recepción,entrega,disponibilidad",
        "it": "quando,orari cliente,consegna,ricevimento,disponibilità",
    },
    "open": {
        "en": "from,not earlier,opens at,start,earliest delivery",
        "de": "ab,von,frühestens ab,Beginn,öffnet",
        "fr": "de,à partir de,début,ouverture,pas avant",
        "es": "desde,apertura,a partir de,inicio,no antes de",
        "it": "dalle,apertura,da,inizio,non prima",
    },
    "close": {
        "en": "until,to,deadline,closes at,latest delivery",
        "de": "bis,spätestens bis,Ende,Schluss,schließt",
        "fr": "à,jusqu'à,fin,fermeture,au plus tard à",
        "es": "hasta,cierre,fin,plazo,no después de",
        "it": "alle,fino a,chiusura,entro,fine",
    },
    "service": {
        "en": "minutes on site,unload,duration,stop minutes,dwell",
        "de": "Dauer,Abladen,Aufenthalt,Entladen,Minuten vor Ort",
        "fr": "durée,déchargement,temps sur site,minutes,arrêt",
        "es": "duración,descarga,minutos,parada,tiempo en cliente",
        "it": "durata,scarico,minuti,sosta,tempo dal cliente",
    },
    "setup": {
        "en": "parking minutes,preparation",
        "de": "Parken,Rüsten",
        "fr": "stationnement,préparation",
        "es": "aparcamiento,preparación",
        "it": "parcheggio,preparazione",
    },
    "release": {
        "en": "goods ready,available from,picked by",
        "de": "Ware bereit,verfügbar ab,kommissioniert bis",
        "fr": "marchandise prête,disponible à partir de",
        "es": "mercancía lista,disponible desde",
        "it": "merce pronta,disponibile dalle",
    },
    "pickup": {
        "en": "returned kg,empties,collect,to take back,back load,returns",
        "de": "Leergut,Retouren,Rücknahme,Abholung,Leergut kg",
        "fr": "retours,vides,reprise,ramassage,retour colis",
        "es": "devoluciones,envases vacíos,recogida,retorno",
        "it": "resi,vuoti,ritiro,reso colli",
    },
    "demand_2": {
        "en": "volume,pallets,second load",
        "de": "Volumen,Paletten,Stellplätze",
        "fr": "volume,palettes",
        "es": "volumen,palets",
        "it": "volume,pallet",
    },
    "priority": {
        "en": "prio,importance,priority level",
        "de": "Prio,Wichtigkeit,Priorität",
        "fr": "priorité,importance",
        "es": "prioridad,importancia",
        "it": "priorità,importanza",
    },
    "prize": {
        "en": "revenue,penalty,margin if served",
        "de": "Umsatz,Erlös,Strafe",
        "fr": "chiffre d'affaires,pénalité",
        "es": "ingresos,penalización",
        "it": "ricavo,penale",
    },
    "skills": {
        "en": "equipment,requirement,needs lift or cold",
        "de": "Ausstattung,Bedarf an Technik,braucht",
        "fr": "équipement,besoin",
        "es": "equipo,necesita",
        "it": "attrezzatura,richiede",
    },
    "served_by": {
        "en": "assigned vehicle,assigned to,only van,driver",
        "de": "zugewiesen,Fahrer,nur Wagen",
        "fr": "camion attribué,chauffeur,affecté à",
        "es": "camión asignado,conductor,asignado a",
        "it": "mezzo assegnato,autista,assegnato a",
    },
    "same_route": {
        "en": "together,with,same van as",
        "de": "zusammen,gleiche Tour",
        "fr": "ensemble,même tournée",
        "es": "juntos,misma ruta",
        "it": "insieme,stesso giro",
    },
    "deliver_to": {
        "en": "drop,goes to,destination,consignee order,delivery row",
        "de": "nach,Ziel,Zielauftrag,geht an",
        "fr": "vers,destination,déposer chez",
        "es": "destino,entregar en,va a",
        "it": "destinazione,consegnare a,va a",
    },
    # Fields of vehicles.
    "capacity": {
        "en": "load max,max kg,maximum weight,room",
        "de": "max Gewicht,Ladung max,Tragfähigkeit",
        "fr": "charge max,poids max,contenance",
        "es": "carga max,peso máximo,cabida",
        "it": "carico max,peso massimo,capienza",
    },
    "capacity_2": {
        "en": "volume,pallets,max volume",
        "de": "Volumen,Paletten,max Volumen",
        "fr": "volume,palettes",
        "es": "volumen,palets",
        "it": "volume,pallet",
    },
    "shift": {
        "en": "duty,times,driver hours,on duty",
        "de": "Dienst,Schicht,Dienstplan,Einsatzzeit,Fahrerzeiten",
        "fr": "horaires,poste,service,heures chauffeur",
        "es": "turno,jornada,horario,horas conductor",
        "it": "turno,orario,servizio,orari autista",
    },
    "shift_start": {
        "en": "from,starts,starts at,departure",
        "de": "von,ab,Beginn,Abfahrt",
        "fr": "de,début,départ",
        "es": "desde,inicio,salida",
        "it": "dalle,inizio,partenza",
    },
    "shift_end": {
        "en": "until,to,back by,finishes",
        "de": "bis,Ende,zurück bis,Feierabend",
        "fr": "à,fin,retour avant",
        "es": "hasta,fin,regreso antes de",
        "it": "alle,fine,rientro entro",
    },
    "max_duration": {
        "en": "max hours,longest tour hours,hours max",
        "de": "max Dauer,max Stunden,Tourdauer max",
        "fr": "durée max,heures max,amplitude",
        "es": "duración max,horas max,jornada max",
        "it": "durata max,ore max,ore massime",
    },
    "max_driving_time": {
        "en": "driving hours,max driving hours,max hours at the wheel,"
        "hours behind the wheel,max time on the road",
        "de": "Lenkzeit,max Fahrzeit,Fahrstunden,max Stunden am Steuer,"
        "Lenkstunden max",
        "fr": "temps de conduite,conduite max,heures de volant,"
        "heures max au volant",
        "es": "tiempo de conducción,conducción max,horas al volante,"
        "horas max al volante",
        "it": "tempo di guida,guida max,ore al volante,ore max al volante",
    },
    "max_distance": {
        "en": "range km,km limit,max km",
        "de": "Reichweite km,max km,km Grenze",
        "fr": "autonomie km,max km,limite km",
        "es": "autonomía km,max km,km máximos",
        "it": "autonomia km,max km,km massimi",
    },
    "fixed_cost": {
        "en": "daily rate,rent per day,price of use",
        "de": "Tagessatz,Miete,Pauschale",
        "fr": "forfait,location journalière,prix fixe",
        "es": "alquiler,precio fijo,tarifa diaria",
        "it": "noleggio,prezzo fisso,tariffa giornaliera",
    },
    "cost_per_distance": {
        "en": "eur per km,price per km,rate km",
        "de": "Preis pro km,Euro je km,Kilometerpreis",
        "fr": "prix par km,tarif km,euros par km",
        "es": "precio por km,euros por km,tarifa km",
        "it": "prezzo al km,euro al km,tariffa km",
    },
    "cost_per_time": {
        "en": "wage per hour,hourly rate,eur per hour",
        "de": "Lohn pro Stunde,Stundensatz,Euro je Stunde",
        "fr": "salaire par heure,taux horaire,euros par heure",
        "es": "salario por hora,tarifa horaria,euros por hora",
        "it": "paga oraria,tariffa oraria,euro all'ora",
    },
    "cost_per_driving_time": {
        "en": "price per hour of driving,driving rate per hour",
        "de": "Preis pro Fahrstunde,Satz je Lenkstunde",
        "fr": "prix par heure de conduite",
        "es": "precio por hora de conducción",
        "it": "prezzo per ora di guida",
    },
    "max_stops": {
        "en": "stops,most stops,max visits",
        "de": "Stopps,Stopps max,höchstens Stopps",
        "fr": "arrêts,nombre max d'arrêts",
        "es": "paradas,número máximo de paradas",
        "it": "fermate,numero massimo di fermate",
    },
    "return_to_depot": {
        "en": "comes back,back,back to yard",
        "de": "kommt zurück,Rückkehr Hof,zurück",
        "fr": "rentre,revient au dépôt",
        "es": "vuelve,vuelve al depósito",
        "it": "rientra,torna al deposito",
    },
    "open_route": {
        "en": "ends at last customer,last customer home,ends anywhere",
        "de": "endet beim Kunden,letzter Kunde heim",
        "fr": "finit chez le client,dernier client domicile",
        "es": "termina en el cliente,último cliente casa",
        "it": "finisce dal cliente,ultimo cliente casa",
    },
    "has_skills": {
        "en": "equipment,fitted with,certificate",
        "de": "Ausstattung,Technik,kann",
        "fr": "équipement,équipé de",
        "es": "equipo,equipado con",
        "it": "attrezzatura,dotazione",
    },
    "break": {
        "en": "rest,meal,rest period",
        "de": "Ruhe,Essen,Mittagszeit",
        "fr": "repos,repas,coupure",
        "es": "reposo,comida",
        "it": "riposo,pranzo,sosta",
    },
    "home_depot": {
        "en": "base,garage,home,yard",
        "de": "Standort,Heimatdepot,Hof,Garage",
        "fr": "base,garage,dépôt d'attache",
        "es": "base,garaje,depósito",
        "it": "base,sede,deposito,rimessa",
    },
    "start_depot": {
        "en": "starts at,start place,from depot,start,departure depot",
        "de": "Startort,Start,Abfahrtsort,Startdepot",
        "fr": "départ,lieu de départ,dépôt de départ",
        "es": "lugar de inicio,salida,depósito de salida",
        "it": "partenza,luogo di partenza,deposito di partenza",
    },
    "end_depot": {
        "en": "ends at,end place,to depot,end,final base,finish depot",
        "de": "Zielort,Ende,Endort,Zieldepot,Enddepot,Ziel",
        "fr": "arrivée,lieu d'arrivée,dépôt d'arrivée,dépôt final",
        "es": "llegada,lugar de llegada,depósito de llegada,base final",
        "it": "arrivo,luogo di arrivo,deposito di arrivo,base finale",
    },
}
"""Plausible names that no entry of the file of words has to have."""

STRANGERS: Final[dict[str, dict[str, str]]] = {
    "orders": {
        "en": "closed hours,driving time,travel minutes,height limit,"
        "night surcharge,not with driver,max wait",
        "de": "geschlossen,Fahrzeit,Anfahrt Minuten,Durchfahrtshöhe,"
        "Nachtzuschlag,nicht mit Fahrer,max Wartezeit",
        "fr": "fermé,temps de trajet,hauteur max,supplément nuit,attente max",
        "es": "cerrado,tiempo de viaje,altura max,recargo noche,espera max",
        "it": "chiuso,tempo di viaggio,altezza max,supplemento notte,"
        "attesa max",
    },
    "vehicles": {
        "en": "driving time so far,average speed,height,axle load,"
        "night rate per hour,tank range reserve",
        "de": "bisherige Fahrzeit,Durchschnittstempo,Höhe,Achslast,"
        "Nachtsatz pro Stunde",
        "fr": "hauteur,charge par essieu,tarif de nuit par heure",
        "es": "altura,carga por eje,tarifa nocturna por hora",
        "it": "altezza,carico per asse,tariffa notturna oraria",
    },
}
"""Names of constraints that no field has: neither read nor ignored unasked."""

_NOISE: Final = {
    "en": "Phone,Address,Remark,Invoice no",
    "de": "Telefon,Anschrift,Bemerkung,Rechnungsnummer",
    "fr": "Téléphone,Adresse,Remarque,Numéro de facture",
    "es": "Teléfono,Dirección,Comentario,Número de factura",
    "it": "Telefono,Indirizzo,Osservazioni,Numero fattura",
}

_MAIN: Final = ("id", "lat", "lon")
_NAMES: Final = ("v1", "v2", "v3")


def _number(
    low: int, high: int, step: int = 1
) -> Callable[[random.Random], str]:
    return lambda rng: str(rng.randrange(low, high, step))


def _drawn(*cells: str) -> Callable[[random.Random], str]:
    return lambda rng: rng.choice(cells)


def _clock(low: int, high: int) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.randint(low, high)}:{rng.choice(['00', '30'])}"


def _span(
    low: int, high: int, least: int, most: int
) -> Callable[[random.Random], str]:
    def drawn(rng: random.Random) -> str:
        begin = rng.randint(low, high)
        return f"{begin:02d}:00-{begin + rng.randint(least, most):02d}:00"

    return drawn


def _minutes(*numbers: int) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.choice(numbers)} min"


def _hours(*numbers: int) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.choice(numbers)} h"


CELLS: Final[dict[str, Callable[[random.Random], str]]] = {
    "demand": _number(2, 40),
    "window": _span(7, 10, 3, 8),
    "open": _clock(7, 10),
    "close": _clock(13, 19),
    "service": _minutes(5, 10, 15, 20),
    "setup": _minutes(1, 2, 3),
    "release": _clock(5, 6),
    "pickup": _number(1, 9),
    "demand_2": _number(1, 7),
    "priority": _number(0, 100, 10),
    "prize": _number(20, 900),
    "skills": _drawn("lift", "cold", ""),
    "served_by": _drawn("v1", "v2", "", ""),
    "same_route": _drawn("g1", "g2", ""),
    "deliver_to": lambda rng: "",
    "capacity": _number(400, 900, 50),
    "capacity_2": _number(60, 90),
    "shift": _span(5, 6, 12, 15),
    "shift_start": _clock(5, 6),
    "shift_end": _clock(18, 21),
    "max_duration": _hours(9, 10, 12),
    "max_driving_time": _hours(6, 7, 8),
    "max_distance": _number(200, 500, 10),
    "fixed_cost": _number(50, 150),
    "cost_per_distance": _number(1, 4),
    "cost_per_time": _number(15, 40),
    "cost_per_driving_time": _number(15, 40),
    "max_stops": _number(5, 30),
    "return_to_depot": _drawn("yes", "no"),
    "open_route": _drawn("yes", "no"),
    "has_skills": _drawn("lift", "cold", "lift;cold"),
    "break": lambda rng: "30 min 11:30-13:30",
    "home_depot": _drawn("Depot", "North"),
    "start_depot": _drawn("Depot", "North"),
    "end_depot": _drawn("Depot", "North"),
}
"""How a cell of each field is drawn, as English has it."""

TITLES: Final = {
    "max_distance": "max_distance_km",
    "cost_per_distance": "cost_per_km",
    "cost_per_time": "cost_per_hour",
    "cost_per_driving_time": "cost_per_driving_hour",
}
"""Fields whose plain name says the unit of their numbers."""

_UNITS: Final = {
    "max_distance": " km",
    "cost_per_distance": " per km",
    "cost_per_time": " per h",
    "cost_per_driving_time": " per h",
}
_PLACES: Final = {"home_depot", "start_depot", "end_depot"}
_ALONE: Final = (
    {"window", "open", "close"},
    {"shift", "shift_start", "shift_end"},
    {"return_to_depot", "open_route", *_PLACES},
    {"home_depot", "start_depot"},
    {"home_depot", "end_depot"},
    {"deliver_to", "pickup"},
    {"deliver_to", "demand_2"},
    {"deliver_to", "prize"},
    {"deliver_to", "release"},
)
"""Fields that do not go together in one workbook."""

_YES: Final = {"de": "ja nein", "fr": "oui non", "es": "sí no", "it": "sì no"}


@dataclass
class Workbook:
    """Orders and vehicles, plainly and in a language.

    ``truth`` has the field of each title, "" of a constraint without one.
    """

    language: str
    plain: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    given: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    truth: dict[str, str] = field(default_factory=dict)


ODD: Final = (0, 0, 0, 0, 0, 0, 1, 1, 1, 2)
"""How many names of a usual workbook are plausible others, or mistyped."""


def made(seed: int, *, is_odd: bool = False) -> Workbook:
    """Return a workbook; its meaning may be one that no reader takes.

    Of one that ``is_odd`` each name may be unusual.
    """
    rng = random.Random(seed)
    book = Workbook(LANGUAGES[seed % 5], ({}, {}), ({}, {}))
    orders, vans = _fields(rng)
    odd = {*rng.sample([*orders, *vans], rng.choice(ODD))}
    if is_odd:
        odd = {name for name in (*orders, *vans) if rng.random() < 0.3}
    ids = ["Depot", *(f"A{n}" for n in range(1, rng.randint(7, 11)))]
    if {*vans} & _PLACES:
        ids[-1] = "North"
    size = len(ids), rng.randint(2, 3)
    for at, fields in enumerate((["id", *orders], ["vehicle", *vans])):
        for name in fields:
            cells = _cells(rng, name, size[at], ids, [orders, vans][at])
            book.plain[at][TITLES.get(name, name)] = cells
            title = _title(rng, book, at, name, is_odd=name in odd)
            lang = book.language
            book.given[at][title] = _written(rng, lang, name, cells)
    _add_places(rng, book, ids)
    for noise in rng.sample(_NOISE[book.language].split(","), 2):
        book.given[0][noise] = [f"{noise} {row}" for row in range(size[0])]
    if rng.random() < (0.25 if is_odd else 0.08):
        _add_stranger(rng, book, size)
    for table in book.given:
        items = rng.sample([*table.items()], len(table))
        table.clear()
        table.update(items)
    return book


def _fields(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return fields of orders and of vehicles that go together."""
    first = ["window"] if rng.random() < 0.6 else ["open", "close"]
    shift = rng.choice([["shift"], ["shift_start", "shift_end"]])
    orders = ["demand", *first, *_some(rng, _OF_ORDERS, 3)]
    vans = ["capacity", *shift, *_some(rng, _OF_VEHICLES, 3)]
    if ("demand_2" in orders) != ("capacity_2" in vans):
        orders = [each for each in orders if each != "demand_2"]
        vans = [each for each in vans if each != "capacity_2"]
    if {"start_depot", "end_depot"} & {*vans}:
        vans = [*dict.fromkeys([*vans, "start_depot", "end_depot"])]
    if "skills" in orders and "has_skills" not in vans:
        vans.append("has_skills")
    return orders, vans


def _cells(
    rng: random.Random,
    name: str,
    size: int,
    ids: Sequence[str],
    fields: Sequence[str],
) -> list[str]:
    """Return plain cells of a field; depots have nothing."""
    if name in ("id", "vehicle"):
        return [*(ids if name == "id" else _NAMES)][:size]
    cells = [CELLS[name](rng) for _ in range(size)]
    if name == "has_skills":
        return ["lift", "lift;cold", *cells[2:]]
    if size == len(ids) and name not in _OF_VEHICLES:
        empty = "0" if name in ("demand", "pickup", "demand_2") else ""
        depots = {"Depot", "North"}
        pairs = zip(ids, cells, strict=True)
        cells = [empty if each in depots else cell for each, cell in pairs]
    if name == "deliver_to":
        cells[1], cells[3] = ids[2], ids[4]
    if name == "demand" and "deliver_to" in fields:
        cells[2] = cells[4] = "0"
    return cells


def _add_places(
    rng: random.Random, book: Workbook, ids: Sequence[str]
) -> None:
    for name, base in (("lat", 48.8), ("lon", 2.3)):
        cells = [f"{base + rng.random() / 10:.4f}" for _ in ids]
        book.plain[0][name] = cells
        title = rng.choice(_known_names("places", name, book.language))
        mark = "." if book.language == "en" else ","
        book.given[0][title] = [cell.replace(".", mark) for cell in cells]
    if "North" in ids:
        marks = ["1", *[""] * (len(ids) - 2), "1"]
        book.plain[0]["depot"] = book.given[0]["depot"] = marks


def _add_stranger(
    rng: random.Random, book: Workbook, size: tuple[int, int]
) -> None:
    """Add a constraint that no field has."""
    at = rng.randrange(2)
    names = STRANGERS[("orders", "vehicles")[at]][book.language]
    title = rng.choice(names.split(","))
    if _plain(title) in {*book.truth, *map(_plain, book.given[at])}:
        return
    book.truth[_plain(title)] = ""
    cells = [str(rng.randint(1, 9)) for _ in range(size[at])]
    if _closed(title):
        cells = ["", *["12:00-13:00", "13:00-14:00"] * size[at]]
    book.given[at][title] = cells[: size[at]]


def _closed(title: str) -> bool:
    return title.lower().startswith(
        ("closed", "geschl", "ferm", "cerr", "chius")
    )


_OF_ORDERS: Final = [
    "service",
    "service",
    "setup",
    "release",
    "pickup",
    "pickup",
    "demand_2",
    "priority",
    "prize",
    "skills",
    "served_by",
    "same_route",
    "deliver_to",
]
_OF_VEHICLES: Final = [
    "capacity_2",
    "max_duration",
    "max_driving_time",
    "max_driving_time",
    "max_distance",
    "fixed_cost",
    "cost_per_distance",
    "cost_per_time",
    "cost_per_driving_time",
    "max_stops",
    "return_to_depot",
    "open_route",
    "has_skills",
    "break",
    "home_depot",
    "start_depot",
    "end_depot",
    "end_depot",
]


def _some(rng: random.Random, fields: Sequence[str], most: int) -> list[str]:
    """Return a few fields that go together."""
    chosen = list(dict.fromkeys(rng.sample(fields, rng.randint(1, most))))
    for alone in _ALONE:
        both = [each for each in chosen if each in alone]
        if {*alone} >= _PLACES:
            is_place = [each in _PLACES for each in both]
            both = both if not all(is_place) else both[:1]
        chosen = [each for each in chosen if each not in both[1:]]
    return chosen


def _plain(title: str) -> str:
    return " ".join(title.lower().split())


def _known_names(table: str, name: str, language: str) -> list[str]:
    entry = entry_of(table).get(name, {"en": name})
    text = entry.get(language) or entry.get("en", name)
    units = {"mile", "min", "minute", "minutes", "second", "m"}
    return [each for each in text.split() if not units & {*each.split("_")}]


def _title(
    rng: random.Random, book: Workbook, at: int, name: str, *, is_odd: bool
) -> str:
    """Return a free title of a field; some are mistyped or unusual."""
    table = ("customers", "vehicles")[at]
    for attempt in range(99):
        kind = rng.choices([OTHER, NEAR], [3, 1])[0] if is_odd else KNOWN
        place = "places" if name in ("id", "demand") else table
        language = book.language if attempt < 50 else "en"
        known = _known_names(place, name, language)
        title = rng.choice(known).replace("_", rng.choice(" _"))
        if kind == OTHER:
            title = rng.choice(OTHERS[name][book.language].split(","))
        elif kind == NEAR and len(title) > 6:
            cut = rng.randrange(2, len(title) - 1)
            title = title[:cut] + title[cut + 1 :]
        if name in _UNITS and not re.search(
            r"km|hour|stund|heure|hora|ora\b|kilom", title.lower()
        ):
            title += _UNITS[name]
        title = rng.choice([title, title.title()])
        taken = {*map(_plain, book.given[at])} | {*book.truth}
        if _plain(title) not in taken:
            book.truth[_plain(title)] = name
            return title
    raise AssertionError(name)


def _written(
    rng: random.Random, language: str, name: str, cells: list[str]
) -> list[str]:
    """Return cells in the habits of a language."""
    if name in ("window", "shift"):
        form = rng.choice(["{}:00-{}:00", "{} - {}"])
        form = {"de": "{}-{} Uhr", "fr": "{}h00-{}h00"}.get(language, form)
        ends = [re.findall(r"(\d+):00", cell) for cell in cells]
        return [form.format(*map(int, each)) if each else "" for each in ends]
    if name in ("open", "close", "shift_start", "shift_end", "release"):
        mark = {"fr": "h", "de": "."}.get(language, ":")
        behind = " Uhr" if language == "de" else ""
        return [c.replace(":", mark) + behind if c else "" for c in cells]
    if name in ("return_to_depot", "open_route"):
        yes, no = _YES.get(language, "yes no").split()
        return [{"yes": yes, "no": no}[cell] for cell in cells]
    if name in ("max_duration", "max_driving_time") and rng.random() < 0.5:
        return [f"{cell.split()[0]}:00" for cell in cells]
    return cells


def text_of(table: dict[str, list[str]], mark: str) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    rows = zip(*table.values(), strict=True)
    csv.writer(text, delimiter=mark).writerows([[*table], *rows])
    return text.getvalue()


def read(
    tables: tuple[dict[str, list[str]], dict[str, list[str]]],
    folder: Path,
    mark: str,
    **said: Any,
) -> nr.Instance:
    """Read tables that are files, as a command would."""
    files = folder / "orders.csv", folder / "vans.csv"
    for file, table in zip(files, tables, strict=True):
        file.write_text(text_of(table, mark))
    return nr.read(files[0], files[1], speed="40km/h", **said)


def meaning_of(instance: nr.Instance) -> dict[str, Any]:
    """Return what an instance says, without how its tables said it."""
    content = to_plain(instance)
    return {k: v for k, v in content.items() if k not in ("source", "name")}


class Lost(AssertionError):
    """What is read, or the line to paste, loses or inverts a meaning."""


QUESTIONLESS, ONE_ROUND, MORE, REFUSED = "none", "one round", "more", "refused"


def outcome_of(book: Workbook, folder: Path) -> str:
    """Return how many rounds a workbook needs; ``Lost`` where one loses.

    A line to paste is taken as it is; "?" is filled in where the right answer
    is among those that are listed. Constraints without a field are ignored by
    a user who knows it. A second round takes the truth for all questions.
    """
    wanted = meaning_of(read(book.plain, folder, ","))
    said: dict[str, Any] = {"columns": {}, "ignore_columns": []}
    for rounds in range(5):
        try:
            found = meaning_of(read(book.given, folder, ";", **said))
        except nr.NccRoutingError as error:
            before = repr(said)
            _answer(book, error, said, is_first=rounds == 0)
            if repr(said) == before and rounds:
                return REFUSED
            continue
        if found != wanted:
            keys = [k for k in wanted if wanted[k] != found.get(k)]
            raise Lost(f"{book.truth} read as {said}: {keys}")
        return (QUESTIONLESS, ONE_ROUND, *[MORE] * 4)[rounds]
    return REFUSED


def _answer(
    book: Workbook,
    error: nr.NccRoutingError,
    said: dict[str, Any],
    *,
    is_first: bool,
) -> None:
    """Take the line to paste into what is said; fill in each "?"."""
    details = getattr(error, "details", ())
    columns, ignored = said["columns"], said["ignore_columns"]
    for option in getattr(error, "options", ()):
        kind, text = shlex.split(option)
        name, _, title = text.rpartition("=")
        truth = book.truth.get(title, "")
        if title == "?":
            if name:
                columns[name] = next(
                    title for title, f in book.truth.items() if f == name
                )
        elif kind == "--ignore-column":
            if title in book.truth:
                raise Lost(f"{title} is {truth or 'a constraint'}: {option}")
            ignored.append(title)
        elif name != "?":
            if truth != name:
                raise Lost(f"{title} is {truth or 'a constraint'}: {option}")
            columns[name] = title
        elif not truth:
            ignored.append(title)
        else:
            line = next(each for each in details if f"  {title} (" in each)
            if re.search(rf"\b{truth}\b", line) or not is_first:
                columns[truth] = title


def readable(number: int, folder: Path, *, is_odd: bool) -> Iterator[Workbook]:
    """Yield some workbooks whose plain form can be read."""
    seed = 0
    while number:
        book = made(seed, is_odd=is_odd)
        seed += 1
        try:
            read(book.plain, folder, ",")
        except nr.NccRoutingError:
            continue
        number -= 1
        yield book


def _main() -> None:
    """Count the outcomes of some workbooks, and print what is lost."""
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as name:
        for is_odd in (False, True):
            counts: Counter[str] = Counter()
            for book in readable(int(sys.argv[1]), Path(name), is_odd=is_odd):
                try:
                    result = outcome_of(book, Path(name))
                except Lost as lost:
                    result = "lost"
                    print(lost)
                counts[result] += 1
                if result in (MORE, REFUSED):
                    print(result, book.truth)
            print("odd" if is_odd else "usual", dict(counts))


if __name__ == "__main__":
    _main()
