"""The columns of tables: what each may be called, and what its cells say.

A new column is a row here. Readers, messages and the page "Tables" follow it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from ncc_routing.core.units import LOADS_IN, METRES_IN, SECONDS_IN
from ncc_routing.problems.selection import MOST_PRIORITY
from ncc_routing.problems.timetable import (
    DELIVERED,
    DEPARTURE,
    DISTANCE,
    KIND,
    LOAD,
    PICKED_UP,
    REASONS,
    ROUTE,
    STOP,
    TIMES,
    VEHICLE,
    VEHICLE_NAME,
    VEHICLE_TYPE,
)
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

TEXT, LABEL, WORDS, FLAG = "text", "label", "words", "flag"
"""Kinds of columns without numbers: one text, which may be an empty word such
as "no"; one that may not; several between marks; yes or no."""

NUMBER, AMOUNT = "number", "amount"
"""Kinds of columns with numbers: any, and whole loads."""

MOMENT, SERVICE, LIMIT, PAST = "moment", "service", "limit", "past"
"""Kinds of columns about time: when, how long in whole units, how long at
most, and when something was, in parts of units too."""

MOMENTS: Final = (MOMENT, PAST)
"""Kinds of columns that say when."""

WINDOW = "window"
"""Kind of a column with two moments in each cell, which becomes two fields."""

BREAK = "break"
"""Kind of a column with breaks in each cell: their length, and when they may
begin. It becomes three fields for each."""

_PER: Final = ("per", "pro", "par", "por", "al", "a", "all")
_NOT_ONLY_UNITS: Final = ("min", "mi", "mn", "second")
"""Words before a unit, and units that mean something else elsewhere."""

_STEMS: Final = {
    "h": re.compile("hour|stund|heure|hora|orari"),
    "min": re.compile("minut"),
    "km": re.compile("kilomet|chilomet"),
}
_COMPOUNDS: Final = {
    "h": re.compile(".stunden?$"),
    "min": re.compile(".minuten?$"),
    "km": re.compile(".kilometer$"),
}
"""Units in words of prices ("Stundensatz"), and in those of limits."""

_TIMES: Final = (*MOMENTS, WINDOW, SERVICE, LIMIT)
_TEXTS: Final = (TEXT, LABEL, WORDS, FLAG)

TIME, LENGTH, LOADS = "time", "length", "loads"
PER_TIME, PER_LENGTH = "per time", "per length"
"""What numbers count in, which the name of a column may say."""

_UNITS: Final[Mapping[str, Mapping[str, float]]] = {
    **dict.fromkeys((TIME, PER_TIME), SECONDS_IN),
    **dict.fromkeys((LENGTH, PER_LENGTH), METRES_IN),
    LOADS: dict.fromkeys(LOADS_IN, 1.0),
}

_HOURS: Final = """
    window time_window opening_hours hours delivery_window
    delivery_time_window delivery_hours business_hours time_slot delivery_slot
    slot zeitfenster lieferzeitfenster lieferfenster offnungszeiten lieferzeit
    lieferzeiten annahmezeit annahmezeiten creneau creneau_horaire
    creneau_de_livraison fenetre_horaire plage_horaire horaires
    horaires_d_ouverture heures_d_ouverture horaires_de_livraison ventana
    ventana_horaria franja_horaria horario horario_de_entrega horario_entrega
    finestra_oraria fascia_oraria orario orari orario_di_consegna
    orario_consegna orari_di_apertura
"""
_SHIFTS: Final = """
    shift shift_hours working_hours work_hours arbeitszeiten schichtzeiten
    horaires_de_travail horario_laboral orario_di_lavoro
"""
"""What a column of whole windows is called."""


_FURTHER_WINDOWS: Final = {2: "a second", 3: "a third", 4: "a fourth"}

WINDOW_ENDS: Final = (
    ("open", "close"),
    *((f"open_{number}", f"close_{number}") for number in _FURTHER_WINDOWS),
)
"""The columns of each window of a customer."""


_FURTHER_BREAKS: Final = ("", "_2", "_3")

BREAK_FIELDS: Final = tuple(
    tuple(f"break_{name}{end}" for name in ("duration", "from", "until"))
    for end in _FURTHER_BREAKS
)
"""The columns of each break of a vehicle."""


@dataclass(frozen=True)
class Column:
    """What a column may be called, in any case, and what its cells say.

    Parameters
    ----------
    names
        Its names.
    meaning
        What it says, for people.
    kind
        How its cells are read. Default: as finite numbers.
    unit
        What its numbers count in. Default: nothing that is known.
    target
        The fields of the problem that it becomes, of a whole window the
        columns. Several columns of one field are its dimensions. Default:
        none.
    blank
        What an empty cell says. Default: it is refused, if a number.
    least, most
        Bounds on its numbers. Default: none.
    travels
        Whether its cells stand in the output as given, beside what follows
        from them. Default: they do.
    spare
        Names that count, the first one first, where no column has one of
        ``names``. Default: none.
    """

    names: tuple[str, ...]
    meaning: str = ""
    kind: str = NUMBER
    unit: str = ""
    target: tuple[str, ...] = ()
    blank: float | None = None
    least: float | None = None
    most: float | None = None
    travels: bool = True
    spare: tuple[str, ...] = ()

    @property
    def is_time(self) -> bool:
        """Whether its cells are times, or costs of a time."""
        return self.unit in (TIME, PER_TIME)

    @property
    def is_text(self) -> bool:
        """Whether its cells are no numbers."""
        return self.kind in _TEXTS

    def unit_in(self, title: str) -> float | None:
        """Return the seconds or metres of the unit that a name says.

        The hours of "opening hours" are no unit, those of an "hourly rate"
        are one, and so are those of "costPerHour".
        """
        pieces = pieces_of(title)
        whole = "".join(pieces)
        if whole in _plain((*_HOURS.split(), *_SHIFTS.split())):
            return None
        known = _plain(self.names)
        if len(pieces) == 1 and whole in known:
            pieces = pieces_of(self.names[known[whole]])
        units = _UNITS.get(self.unit, {})
        at = place_of_unit(pieces, units) if len(pieces) > 1 else None
        if at is not None:
            return units[pieces[at]]
        inside = _STEMS if self.unit in (PER_TIME, PER_LENGTH) else _COMPOUNDS
        for unit, words in inside.items():
            if unit in units and any(map(words.search, pieces)):
                return units[unit]
        return None


def pieces_of(title: str) -> list[str]:
    """Return the words of a name, without case and accents."""
    text = title.casefold().replace("\N{DEGREE SIGN}", "o")
    apart = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", plain)


def place_of_unit(pieces: Sequence[str], units: Container[str]) -> int | None:
    """Return which word of a name is its unit, ``None`` where none is.

    A letter, or a word such as "min" that means more, is one at the end or
    behind "per".
    """
    for at in range(len(pieces) - 1, -1, -1):
        word = pieces[at]
        is_sure = len(word) > 1 and word not in _NOT_ONLY_UNITS
        is_last = at == len(pieces) - 1 or (at and pieces[at - 1] in _PER)
        if word in units and (is_sure or is_last):
            return at
    return None


@cache
def _plain(names: tuple[str, ...]) -> dict[str, int]:
    """Return the places of names, without what parts their words."""
    return {"".join(pieces_of(name)): at for at, name in enumerate(names)}


def field_of(title: str, columns: Mapping[str, Column]) -> str | None:
    """Return the field that a name stands for, ``None`` where for none.

    Blanks, hyphens and underscores do not count; a unit may stand in it.
    """
    pieces = pieces_of(title)
    if not pieces:
        return None
    known = _fields_by_name(_Key(columns))
    whole = "".join(pieces)
    for fields in known.values():
        if whole in fields:
            return fields[whole]
    for unit, fields in known.items():
        at = place_of_unit(pieces, _UNITS.get(unit, {}))
        if at is not None:
            rest = "".join(pieces[:at] + pieces[at + 1 :])
            if rest in fields:
                return fields[rest]
    return _coordinate_of(pieces, columns)


class _Key:
    """Columns, which equal themselves alone, as a key."""

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self.columns = columns

    def __hash__(self) -> int:
        return id(self.columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.columns is other.columns


@lru_cache(maxsize=16)
def _fields_by_name(key: _Key) -> dict[str, dict[str, str]]:
    """Return the field of each name, for each unit that fields count in."""
    known: dict[str, dict[str, str]] = {}
    for field, column in key.columns.items():
        names = known.setdefault(column.unit, {})
        for name in _plain(column.names + column.spare):
            names.setdefault(name, field)
    return known


def _coordinate_of(
    pieces: Sequence[str], columns: Mapping[str, Column]
) -> str | None:
    """Return the coordinate that a name of several words stands for.

    It is one of "location.lat", and of the places of vehicles.
    """
    words = [word for word in pieces if word not in _OF_PLACES]
    axes = [axis for axis, names in _AXES.items() if {*words} & names]
    if len(axes) != 1:
        return None
    rest = [word for word in words if word not in _AXES[axes[0]]]
    ends = {_VISITED.get(word, "") for word in rest}
    if not ends and axes[0] in columns:
        return axes[0]
    end = ends.pop() if len(ends) == 1 else "" if ends else "home"
    field = f"{end}_{axes[0]}"
    return field if field in columns else None


def rank_of(title: str, column: Column) -> int:
    """Return 0 for a name that counts, else the place of a spare one."""
    places = _plain(column.spare)
    return 1 + places.get("".join(pieces_of(title)), -1)


def _column(
    names: str,
    meaning: str = "",
    kind: str = NUMBER,
    *,
    unit: str = "",
    target: str = "",
    spare: str = "",
    **facts: object,
) -> Column:
    """Return a column; an empty amount or time is 0 unless it says more."""
    if kind in (AMOUNT, *_TIMES):
        facts = {"blank": 0, **facts}
    if kind == AMOUNT:
        facts |= {"least": 0, "most": NO_LIMIT}
    if not unit:
        unit = {AMOUNT: LOADS}.get(kind, TIME if kind in _TIMES else "")
    called, becomes = tuple(names.split()), tuple(target.split())
    facts["spare"] = tuple(spare.split())
    return Column(called, meaning, kind, unit, becomes, **facts)  # type: ignore[arg-type]


PLACE_COLUMNS: Final = {
    "id": _column(
        "id customer_id node",
        "id, kept in the output",
        TEXT,
        target="ids",
        spare="order_no order_nr order_number order_id order_ref "
        "auftragsnummer auftragsnr auftrags_nr auftrag_nr bestellnummer "
        "bestellnr "
        "bestell_nr numero_de_commande numero_commande no_de_commande "
        "no_commande n_de_commande n_commande numero_de_pedido numero_pedido "
        "n_pedido no_pedido numero_d_ordine numero_ordine n_ordine no_ordine "
        "customer name kundennummer kundennr kunden_nr client_id "
        "customer_no customer_number numero_client no_client code_client "
        "codigo_cliente numero_cliente codice_cliente kunde kundenname client "
        "nom_client nom_du_client cliente nome_cliente nombre_cliente",
        travels=False,
    ),
    "x": _column(
        "x x_coord", "coordinate in a plane", target="coords", travels=False
    ),
    "y": _column(
        "y y_coord", "coordinate in a plane", target="coords", travels=False
    ),
    "lon": _column(
        "lon lng long longitude geo_lon geo_lng gps_lon laengengrad "
        "langengrad longitud longitudine",
        "longitude in degrees",
        least=-180,
        most=180,
        target="coords",
        travels=False,
    ),
    "lat": _column(
        "lat latitude geo_lat gps_lat breitengrad latitud latitudine",
        "latitude in degrees",
        least=-90,
        most=90,
        target="coords",
        travels=False,
    ),
    "demand": _column(
        "demand demands weight quantity qty amount order_weight "
        "delivery_weight total_weight delivery_quantity gewicht liefergewicht "
        "menge liefermenge bestellmenge bedarf poids poids_total quantite "
        "demande peso peso_total cantidad demanda peso_totale quantita "
        "domanda",
        "demand or weight, 1 without the column",
        AMOUNT,
        blank=None,
        target="delivery",
    ),
}
"""Columns of customers and points; two columns of one field are refused."""

_AROUND: Final = """
    location position geo gps coordinates coordinate coords coord point place
    address geometry geocode wgs84 standort adresse ubicacion posicion
    direccion coordenada coordenadas coordonnee coordonnees lieu posizione
    luogo indirizzo coordinata coordinate koordinate koordinaten
"""
_OF_PLACES: Final = frozenset(_AROUND.split())
"""Words around a coordinate that say nothing about it."""

_AXES: Final = {
    axis: frozenset(
        piece
        for name in PLACE_COLUMNS[axis].names
        for piece in name.split("_")
        if piece not in _OF_PLACES
    )
    for axis in ("x", "y", "lon", "lat")
}
"""What each coordinate is called."""

_VISITED: Final = {
    word: end
    for end, words in (
        ("start", "start starting begin origin depart debut inicio origen"),
        ("start", "salida partenza inizio abfahrt startort"),
        ("end", "end ending finish destination dest ende ziel zielort"),
        ("end", "arrivee fin llegada destino arrivo fine destinazione"),
        ("home", "home depot garage base yard hub parking domicile domicilio"),
        ("home", "sede deposito dep vehicle van truck heimat depots"),
    )
    for word in words.split()
}
"""Words for the places where routes start and end, and for one of both."""

CUSTOMER_COLUMNS: Final = {
    **PLACE_COLUMNS,
    "depot": _column(
        "depot is_depot type",
        "marks depots: 1, true, yes, x, or the word depot; in `type` "
        "only depot and customer",
        FLAG,
        travels=False,
    ),
    "open": _column(
        "open opens opening open_time opening_time ready ready_time "
        "early earliest earliest_time earliest_start earliest_arrival "
        "tw_early tw_earliest tw_open tw_start tw_begin tw_from "
        "window_open window_start window_from time_window_open "
        "time_window_start time_window_from deliver_after delivery_from "
        "not_before fruhestens zeitfenster_von zeitfenster_beginn "
        "zeitfenster_start lieferung_ab lieferung_von anlieferung_ab "
        "fenster_von geoffnet_ab au_plus_tot heure_d_ouverture "
        "heure_ouverture debut_creneau debut_du_creneau heure_debut "
        "heure_de_debut creneau_debut hora_apertura hora_de_apertura "
        "hora_inicio hora_de_inicio hora_desde inicio_ventana ora_apertura "
        "orario_apertura ora_inizio ora_di_inizio inizio_finestra",
        "opening of the time window; an early vehicle waits",
        MOMENT,
        target="tw_early",
    ),
    "close": _column(
        "close closes closing close_time closing_time due due_time "
        "due_date late latest latest_time latest_start latest_arrival "
        "tw_late tw_latest tw_close tw_end tw_to tw_until window_close "
        "window_end window_to time_window_close time_window_end "
        "time_window_to deliver_before delivery_until deliver_by "
        "spatestens zeitfenster_bis zeitfenster_ende lieferung_bis "
        "anlieferung_bis fenster_bis geoffnet_bis au_plus_tard "
        "heure_de_fermeture heure_fermeture fin_creneau fin_du_creneau "
        "heure_fin heure_de_fin creneau_fin hora_cierre hora_de_cierre "
        "hora_fin hora_de_fin hora_hasta fin_ventana ora_chiusura "
        "orario_chiusura ora_fine ora_di_fine fine_finestra",
        "closing of the time window; the service starts by then",
        MOMENT,
        blank=NO_LIMIT,
        target="tw_late",
    ),
    "window": _column(
        _HOURS,
        "`open` and `close` in one cell: 08:00-12:00, 8-12, after 10:00; "
        "several separated by `;`",
        WINDOW,
        target=" ".join(map(" ".join, WINDOW_ENDS)),
    ),
    **{
        f"{end}_{number}": _column(
            f"{end}_{number} {names}",
            f"{what} of {rank} time window",
            MOMENT,
            blank=-1,
        )
        for number, rank in _FURTHER_WINDOWS.items()
        for end, what, names in (
            (
                "open",
                "opening",
                f"tw_early_{number} tw_start_{number} window_start_{number} "
                f"tw_open_{number} window_open_{number} opening_{number} "
                f"ready_time_{number} earliest_{number} "
                f"time_window_start_{number} zeitfenster_von_{number}",
            ),
            (
                "close",
                "closing",
                f"tw_late_{number} tw_end_{number} window_end_{number} "
                f"tw_close_{number} window_close_{number} closing_{number} "
                f"due_time_{number} latest_{number} "
                f"time_window_end_{number} zeitfenster_bis_{number}",
            ),
        )
    },
    "preferred": _column(
        "preferred preferred_window preferred_time preferred_hours "
        "preferred_slot preferred_delivery_window preferred_delivery_time "
        "wunschzeit wunschzeitfenster wunschlieferzeit creneau_prefere "
        "horaire_prefere horario_preferido franja_preferida "
        "orario_preferito fascia_preferita",
        "window outside which a visit costs `early_cost` or `late_cost`, as "
        "`window`",
        WINDOW,
        target="preferred_from preferred_until",
    ),
    "preferred_from": _column(
        "preferred_from preferred_after preferred_start preferred_open "
        "preferred_opening preferred_earliest wunschzeit_von wunschzeit_ab",
        "opening of the preferred window",
        MOMENT,
    ),
    "preferred_until": _column(
        "preferred_until preferred_to preferred_before preferred_end "
        "preferred_close preferred_closing preferred_latest wunschzeit_bis",
        "closing of the preferred window",
        MOMENT,
        blank=NO_LIMIT,
    ),
    **{
        f"{when}_cost": _column(
            f"{when}_cost cost_{when} cost_per_{when}_time {names} "
            + " ".join(
                f"{when}_cost_per_{unit}"
                for unit in ("second", "min", "minute", "h", "hour")
            ),
            f"cost of a unit of time by which a visit begins {what} the "
            "preferred window; empty: 1",
            unit=PER_TIME,
            target=f"{when}_costs",
            blank=1,
            least=0,
        )
        for when, what, names in (
            ("early", "before", "earliness_cost early_penalty"),
            ("late", "after", "lateness_cost late_penalty tardiness_cost"),
        )
    },
    "service": _column(
        "service service_time service_duration service_durations "
        "stop_time stop_duration visit_duration dwell_time "
        "handling_time unloading_time unload_time on_site_time "
        "time_on_site servicezeit servicedauer standzeit standdauer "
        "aufenthaltsdauer entladezeit entladedauer abladezeit haltezeit "
        "haltedauer temps_de_service temps_service duree_de_service "
        "duree_service duree_arret duree_d_arret temps_d_arret "
        "temps_de_dechargement duree_de_dechargement temps_sur_place "
        "tiempo_de_servicio tiempo_servicio duracion_del_servicio "
        "duracion_servicio tiempo_de_descarga tiempo_de_parada "
        "tempo_di_servizio tempo_servizio durata_servizio "
        "durata_del_servizio tempo_di_scarico durata_sosta",
        "duration of the service",
        SERVICE,
        target="service_durations",
    ),
    "setup": _column(
        "setup setup_time setup_duration set_up_time parking_time ruestzeit "
        "parkzeit temps_de_preparation temps_de_stationnement",
        "time at the start of a visit, as for parking, unless the previous "
        "stop is at the same place",
        SERVICE,
        target="setup_durations",
    ),
    "release": _column(
        "release release_time release_date",
        "earliest departure of a vehicle with the goods",
        MOMENT,
        target="release_times",
    ),
    "demand_2": _column(
        "demand_2 second_demand",
        "demand in the second load dimension",
        AMOUNT,
        target="delivery",
    ),
    "demand_3": _column(
        "demand_3 third_demand",
        "demand in the third load dimension",
        AMOUNT,
        target="delivery",
    ),
    "pickup": _column(
        "pickup pickups pickup_demand pickup_quantity backhaul",
        "amount that stays on board until the end of the trip",
        AMOUNT,
        target="pickup",
    ),
    "pickup_2": _column(
        "pickup_2 second_pickup",
        "the same in the second load dimension",
        AMOUNT,
        target="pickup",
    ),
    "pickup_3": _column(
        "pickup_3 third_pickup",
        "the same in the third load dimension",
        AMOUNT,
        target="pickup",
    ),
    "deliver_to": _column(
        "deliver_to delivered_to",
        "id of the row where the demand of this row is delivered",
        TEXT,
    ),
    "prize": _column(
        "prize reward profit",
        "cost if the customer is not served; 0: the customer is mandatory",
        target="prizes",
        blank=0,
        least=0,
        most=NO_LIMIT,
    ),
    "priority": _column(
        "priority",
        "0 to 100: customers of low priority are left out first; empty: 0",
        target="priorities",
        blank=0,
        least=0,
        most=MOST_PRIORITY,
    ),
    "required": _column(
        "required mandatory is_required",
        "whether the customer is mandatory despite a prize; empty: 1, or as "
        "the other row of a shipment",
        FLAG,
    ),
    "one_of": _column(
        "one_of client_group exclusive_group",
        "exactly one of the customers with this label is served, or at "
        "most one if `required` is 0",
        LABEL,
    ),
    "skills": _column(
        "skills skill required_skills required_skill needs "
        "skills_required skills_needed required_equipment fahigkeiten "
        "benotigte_fahigkeiten anforderungen competences "
        "competences_requises exigences habilidades requisitos competencias "
        "competenze requisiti",
        "skills that the vehicle needs: tail lift;cold",
        WORDS,
        target="skills",
    ),
    "served_by": _column(
        "served_by vehicle vehicles vehicle_id vehicle_name vehicle_type "
        "fahrzeug fahrzeuge vehicule vehicules vehiculo vehiculos veicolo "
        "veicoli",
        "names of the vehicles that may serve the customer; empty: all",
        WORDS,
    ),
    "same_route": _column(
        "same_route same_vehicle",
        "customers with a common label share a route",
        WORDS,
    ),
    "different_routes": _column(
        "different_routes different_route different_vehicles",
        "customers with a common label are on different routes",
        WORDS,
    ),
    "district": _column(
        "district districts",
        "district of the customer, for `max_districts`",
        WORDS,
    ),
}
"""Columns of the customers of a routing problem."""

VEHICLE_COLUMNS: Final = {
    "vehicle": _column(
        "name id vehicle vehicle_id vehicle_name vehicle_type",
        "name of the vehicle type",
        TEXT,
        target="name",
        spare="van truck fahrzeug fahrzeugname lkw wagen vehicule camion "
        "vehiculo furgoneta veicolo mezzo furgone driver driver_name fahrer "
        "chauffeur conducteur conductor autista plate registration "
        "kennzeichen immatriculation matricula targa",
    ),
    "number": _column(
        "number num num_vehicles num_available available count quantity "
        "anzahl anzahl_fahrzeuge nombre_de_vehicules numero_de_vehiculos "
        "cantidad numero_di_veicoli quantita",
        "number of vehicles, 1 without the column",
        target="num_available",
    ),
    "capacity": _column(
        "capacity vehicle_capacity max_load payload load_capacity "
        "kapazitat ladekapazitat nutzlast zuladung capacite charge_utile "
        "charge_maximale capacidad carga_util carga_maxima "
        "capacidad_de_carga capacita portata carico_utile carico_massimo",
        "largest load; needed here or as an argument",
        unit=LOADS,
    ),
    "capacity_2": _column(
        "capacity_2 second_capacity",
        "largest load in the second dimension",
        unit=LOADS,
        target="other_capacities",
    ),
    "capacity_3": _column(
        "capacity_3 third_capacity",
        "largest load in the third dimension",
        unit=LOADS,
        target="other_capacities",
    ),
    "initial_load": _column(
        "initial_load",
        "load on board at the start; empty: 0",
        unit=LOADS,
        blank=0,
    ),
    "shift_start": _column(
        "shift_start start_time work_start tw_early tw_start open ready "
        "ready_time earliest earliest_start shift_begin shift_from "
        "schichtbeginn schichtstart arbeitsbeginn dienstbeginn "
        "debut_de_service debut_service debut_de_poste heure_de_debut "
        "heure_debut inicio_turno inicio_de_turno inicio_jornada hora_inicio "
        "hora_de_inicio inizio_turno ora_inizio ora_di_inizio",
        "earliest start of a route; also `start`, with times of day",
        MOMENT,
        target="tw_early",
    ),
    "shift_end": _column(
        "shift_end end_time work_end tw_late tw_end close due due_date "
        "latest latest_end latest_return shift_until shift_to schichtende "
        "arbeitsende dienstende fin_de_service fin_service fin_de_poste "
        "heure_de_fin heure_fin fin_turno fin_de_turno fin_jornada hora_fin "
        "hora_de_fin fine_turno ora_fine ora_di_fine",
        "latest end of a route; also `end`, with times of day",
        MOMENT,
        target="tw_late",
        blank=NO_LIMIT,
    ),
    "shift": _column(
        _SHIFTS,
        "`shift_start` and `shift_end` in one cell: 07:00-16:00",
        WINDOW,
        target="shift_start shift_end",
    ),
    "latest_start": _column(
        "latest_start start_late",
        "latest start of a route",
        MOMENT,
        target="start_late",
        blank=NO_LIMIT,
    ),
    "fixed_cost": _column(
        "fixed_cost fixed_costs fixed fixkosten cout_fixe coste_fijo "
        "costo_fisso",
        "cost of each vehicle used; empty: 0",
        blank=0,
    ),
    "cost_per_distance": _column(
        "cost_per_distance unit_distance_cost distance_cost cost_per_m "
        "cost_per_km cost_per_mile kosten_pro_km cout_par_km coste_por_km "
        "costo_al_km costo_per_km",
        "cost of a unit of distance; empty: 1",
        unit=PER_LENGTH,
        target="unit_distance_cost",
        blank=1,
    ),
    "cost_per_time": _column(
        "cost_per_time unit_duration_cost duration_cost time_cost "
        "cost_per_second cost_per_min cost_per_minute cost_per_h "
        "cost_per_hour kosten_pro_stunde cout_par_heure coste_por_hora "
        "costo_per_ora",
        "cost of a unit of route duration; empty: 0",
        unit=PER_TIME,
        target="unit_duration_cost",
        blank=0,
    ),
    "home_depot": _column(
        "depot home_depot",
        "id of the depot where routes start and end",
        TEXT,
        target="start_depot end_depot",
    ),
    "start_depot": _column(
        "start_depot start_location",
        "id of the depot where routes start; none: at the first customer",
        TEXT,
    ),
    "end_depot": _column(
        "end_depot end_location",
        "id of the depot where routes end; none: at the last customer",
        TEXT,
    ),
    **{
        f"{end}_{axis}": _column(
            f"{end}_{axis} {' '.join(f'{end}_{name}' for name in more)}",
            f"{what} of the place, other than a depot, where routes {where}",
        )
        for end, where in (
            ("start", "start"),
            ("end", "end"),
            ("home", "start and end"),
        )
        for axis, what, more in (
            ("x", "coordinate in a plane", ["x_coord"]),
            ("y", "coordinate in a plane", ["y_coord"]),
            ("lon", "longitude", ["lng", "longitude"]),
            ("lat", "latitude", ["latitude"]),
        )
    },
    "return_to_depot": _column(
        "return_to_depot returns_to_depot returns return round_trip "
        "roundtrip back_to_depot back_to_base return_to_base ruckkehr "
        "ruckfahrt ruckkehr_zum_depot zuruck_zum_depot rundtour retour "
        "retour_au_depot retour_depot aller_retour regreso regreso_al_deposito"
        " vuelta_al_deposito ida_y_vuelta ritorno ritorno_al_deposito "
        "rientro rientro_al_deposito andata_e_ritorno",
        "whether routes end at the depot; no: at the last customer; empty: "
        "yes",
        FLAG,
        blank=1,
    ),
    "open_route": _column(
        "open_route open_routes open_tour open_end one_way oneway no_return "
        "offene_tour offene_route einweg ohne_ruckkehr aller_simple "
        "tournee_ouverte sans_retour ruta_abierta solo_ida sin_regreso "
        "giro_aperto percorso_aperto solo_andata sola_andata senza_ritorno",
        "whether routes end at the last customer; empty: no",
        FLAG,
    ),
    "speed_factor": _column(
        "speed_factor speed_coefficient geschwindigkeitsfaktor "
        "facteur_de_vitesse factor_de_velocidad fattore_di_velocita",
        "divisor of travel times: 0.8 for a slower vehicle; empty: 1",
        blank=1,
    ),
    "service_factor": _column(
        "service_factor service_coefficient servicefaktor facteur_de_service "
        "factor_de_servicio fattore_di_servizio",
        "factor of the service of customers: 0.8 for a quicker crew; empty: 1",
        blank=1,
    ),
    "max_distance": _column(
        "max_distance maximum_distance distance_limit max_length "
        "distance_maximale distancia_maxima distanza_massima",
        "longest distance of a route",
        unit=LENGTH,
        blank=NO_LIMIT,
    ),
    "max_duration": _column(
        "max_duration maximum_duration duration_limit shift_duration "
        "maximale_dauer duree_maximale duracion_maxima durata_massima",
        "longest duration of a route",
        LIMIT,
        target="shift_duration",
        blank=NO_LIMIT,
    ),
    "break": _column(
        "break breaks lunch lunch_break lunch_time driver_break driver_breaks "
        "pause pausen mittag mittagspause pauses pause_midi pause_dejeuner "
        "descanso descansos almuerzo pausa_comida pausa pause_pranzo "
        "pausa_pranzo",
        "breaks of the driver, and when they may begin: 30 min 11:30-13:30; "
        "12:00-12:30 is the half hour from 12:00; several separated by `;`",
        BREAK,
        target=" ".join(map(" ".join, BREAK_FIELDS)),
    ),
    **{
        f"break_{name}{end}": _column(
            " ".join(f"{each}{end}" for each in names.split()),
            meaning,
            kind,
            blank=blank,
        )
        for end in _FURTHER_BREAKS
        for name, names, meaning, kind, blank in (
            (
                "duration",
                "break_duration break_length break_minutes lunch_duration "
                "pausendauer duree_pause duracion_pausa duracion_descanso "
                "durata_pausa",
                "duration of a break; empty: none",
                SERVICE,
                -1,
            ),
            (
                "from",
                "break_from break_start break_earliest lunch_start pause_von "
                "pause_ab pausenbeginn debut_pause inicio_pausa "
                "inicio_descanso inizio_pausa",
                "earliest start of the break",
                MOMENT,
                0,
            ),
            (
                "until",
                "break_until break_end break_to break_latest lunch_end "
                "pause_bis pausenende fin_pause fin_pausa fin_descanso "
                "fine_pausa",
                "latest start of the break; without a duration, its end",
                MOMENT,
                NO_LIMIT,
            ),
        )
    },
    "break_paid": _column(
        "break_paid paid_break",
        "whether breaks cost `cost_per_time`; empty: yes",
        FLAG,
    ),
    "break_max_load": _column(
        "break_max_load",
        "largest load on board during a break; empty: any",
        unit=LOADS,
        blank=NO_LIMIT,
    ),
    "hours_of_service": _column(
        "hours_of_service driving_hours_rules lenkzeiten lenk_und_ruhezeiten "
        "temps_de_conduite_et_de_repos tiempos_de_conduccion_y_descanso "
        "tempi_di_guida_e_di_riposo",
        "rules on driving and rests: EU or US, also with other limits: "
        "EU, 10 h driving, 15 h span; empty: none",
        TEXT,
    ),
    "max_overtime": _column(
        "max_overtime overtime",
        "overtime beyond `max_duration`; empty: 0",
        LIMIT,
    ),
    "cost_per_overtime": _column(
        "cost_per_overtime unit_overtime_cost overtime_cost",
        "extra cost of a unit of overtime",
        unit=PER_TIME,
        target="unit_overtime_cost",
        blank=0,
    ),
    "cost_per_driving_time": _column(
        "cost_per_driving_time unit_driving_cost driving_cost "
        "cost_per_driving_second cost_per_driving_min "
        "cost_per_driving_minute cost_per_driving_h cost_per_driving_hour "
        "cost_per_travel_time travel_cost kosten_pro_fahrstunde "
        "cout_par_heure_de_conduite coste_por_hora_de_conduccion "
        "costo_per_ora_di_guida",
        "cost of a unit of driving time, without service and waiting; "
        "empty: 0",
        unit=PER_TIME,
        target="unit_driving_cost",
        blank=0,
    ),
    "max_driving_time": _column(
        "max_driving_time maximum_driving_time driving_time_limit "
        "max_travel_time maximum_travel_time maximale_fahrzeit fahrzeit_max "
        "temps_de_conduite_maximal tiempo_maximo_de_conduccion "
        "tempo_massimo_di_guida",
        "longest driving time of a route, without service and waiting",
        LIMIT,
        blank=NO_LIMIT,
    ),
    "max_waiting": _column(
        "max_waiting maximum_waiting max_waiting_time maximum_waiting_time "
        "max_total_waiting maximale_wartezeit wartezeit_max "
        "attente_maximale espera_maxima attesa_massima",
        "longest waiting time of a route in all",
        LIMIT,
        blank=NO_LIMIT,
    ),
    "max_wait": _column(
        "max_wait maximum_wait longest_wait max_wait_per_stop "
        "max_waiting_per_stop max_waiting_at_stop wartezeit_je_stopp_max",
        "longest wait of a route before one customer or reload",
        LIMIT,
        blank=NO_LIMIT,
    ),
    "max_stops": _column(
        "max_stops maximum_stops stop_limit max_tasks max_customers "
        "max_orders max_deliveries maximale_stopps max_stopps "
        "arrets_maximum max_arrets paradas_maximas max_paradas "
        "fermate_massime max_fermate",
        "largest number of customers on a route",
        blank=NO_LIMIT,
    ),
    "min_stops": _column(
        "min_stops minimum_stops min_customers min_orders min_deliveries "
        "mindeststopps min_stopps min_arrets min_paradas min_fermate",
        "least number of customers on a route; empty: 0",
        blank=0,
    ),
    "min_load": _column(
        "min_load minimum_load mindestladung mindestlast charge_minimale "
        "carga_minima carico_minimo",
        "least load of all customers of a route together; empty: 0",
        AMOUNT,
    ),
    "reload_depots": _column(
        "reload_depots reload_depot reload",
        "depots for reloading: ids separated by bars, or yes",
        TEXT,
    ),
    "max_reloads": _column(
        "max_reloads maximum_reloads reloads",
        "largest number of reloads on a route",
        blank=NO_LIMIT,
    ),
    "has_skills": _column(
        "has_skills skills skill vehicle_skills fahigkeiten competences "
        "habilidades competencias competenze",
        "skills of the vehicles",
        WORDS,
        target="skills",
    ),
}
"""Columns of vehicles."""

OWN_PLACES: Final = tuple(
    f"{end}_{axis}"
    for end in ("start", "end", "home")
    for axis in ("x", "y", "lon", "lat")
)
"""Columns of the places of vehicles, which become depots."""

POINT_COLUMNS: Final = {
    **PLACE_COLUMNS,
    "demand": replace(PLACE_COLUMNS["demand"], kind=NUMBER, blank=None),
    "demand_2": _column("weight_2 demand_2 second_weight second_demand"),
    "demand_3": _column("weight_3 demand_3 third_weight third_demand"),
    "capacity": _column("capacity"),
}
"""Columns of the points of a clustering problem."""

STOP_COLUMNS: Final = {
    **{
        name: _column(name)
        for name in (
            *(STOP, VEHICLE, VEHICLE_TYPE, DELIVERED, PICKED_UP, LOAD),
            *("demand", "x", "y", "lon", "lat"),
        )
    },
    **{name: _column(name, unit=TIME) for name in TIMES},
    DISTANCE: _column(DISTANCE, unit=LENGTH),
    **{
        name: _column(name, kind=TEXT)
        for name in (KIND, VEHICLE_NAME, REASONS)
    },
    ROUTE: _column(
        ROUTE,
        kind=TEXT,
        spare="driver tour trip fahrer chauffeur conducteur tournee conductor "
        "ruta autista giro",
    ),
    "id": PLACE_COLUMNS["id"],
    DEPARTURE: _column(
        DEPARTURE, kind=PAST, spare="abfahrt depart salida partenza"
    ),
}
"""Columns of a timetable, some of which follow from the routes."""

DISTRICT_NAMES: Final = ("route", "cluster", "district", "zone", "territory")
"""What a column may be called that says where a customer belongs."""

ID_NAMES: Final = ("id", "name", "customer", "customer_id", "node")
"""What the ids of customers are called in tables of routes."""

WAY_OUT: Final = (
    "assign it to a field (columns=, --columns FIELD=NAME) or ignore it "
    "(ignore_columns=, --ignore-column NAME)"
)
"""What a user can do about a column of a routing problem."""
