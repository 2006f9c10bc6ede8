"""Words in the names of columns that may stand for a constraint."""

from __future__ import annotations

import re
from typing import Final

_NOT_UNDERSTOOD: Final = "may be a constraint that is not understood"
_SECOND_LOAD: Final = "may be another load, such as demand_2"
_NOT_SUPPORTED: Final = "may be a constraint that no method here respects"

_TIMES_AND_VEHICLES: Final = """
    ready release released due deadline early earliest late latest
    time times tw window windows slot slots appointment appointments
    open opens opened opening close closes closed closing hours
    start starts begin begins end ends finish from until till before after by
    arrival arrive arrived departure depart departed
    available availability unavailable
    service services servicing duration durations minutes mins seconds
    dwell handling loading unload unloading setup wait waiting break breaks
    shift shifts max maximum limit limits
    vehicle vehicles truck trucks van vans trailer trailers fleet
    driver drivers crew technician technicians
    capacity capacities depot depots fixed locked assigned assignment
"""
_LOADS: Final = """
    demand demands weight weights quantity quantities qty amount amounts
    load loads volume volumes vol m3 cbm pallet pallets crate crates
    box boxes parcel parcels package packages piece pieces
    carton cartons container containers tote totes item items unit units
    kg kgs kilos lb lbs ton tons tonne tonnes liter liters litre litres
"""
_OTHERS: Final = """
    skill skills qualification qualifications requirement requirements
    require requires required mandatory optional compulsory
    compatible incompatible compatibility incompatibility
    allowed forbidden permitted prohibited restricted restriction
    restrictions excluded
    prize prizes reward rewards profit profits penalty penalties
    pick pickup pickups deliver delivery deliveries drop dropoff
    backhaul backhauls linehaul collect collection return returns
    precedence predecessor predecessors successor successors
    group groups frequency visits days weekday weekdays
    battery charging recharging fuel
    lunch pause pauses
"""

_RULE_OF: Final = {
    word: rule
    for rule, words in (
        (_NOT_UNDERSTOOD, _TIMES_AND_VEHICLES),
        (_SECOND_LOAD, _LOADS),
        (_NOT_SUPPORTED, _OTHERS),
    )
    for word in words.split()
}

_ALONE: Final = {"to": _NOT_UNDERSTOOD, "q": _SECOND_LOAD}
"""Words that say something where they are the whole name."""

_TEXTS: Final = """
    note notes comment comments remark remarks description
    instruction instructions text address street city town zip postcode postal
    phone email contact url country zone timezone created updated modified
    timestamp
"""
"""A name with one of them is that of a text about the place."""

_GLUED: Final = re.compile(
    f"(?:{'|'.join(sorted(_RULE_OF, key=len, reverse=True))}|date|of|in)+"
)
"""Words without anything between them: "readytime", "duedate"."""

_LONGEST: Final = 40
"""Letters of a word that is taken apart."""


def rule_against(name: str) -> str | None:
    """Return why an unread column cannot be left out, or ``None``.

    "tw_open", "Due-Date" and "time window 1" may name a constraint; "delivery
    address" and "note" do not.
    """
    pieces = re.findall(r"[^\W_]+", name.lower())
    words = [word for piece in pieces for word in (piece, _bare(piece))]
    if not set(words).isdisjoint(_TEXTS.split()):
        return None
    if len(pieces) == 1 and pieces[0] in _ALONE:
        return _ALONE[pieces[0]]
    for word in words:
        if word in _RULE_OF:
            return _RULE_OF[word]
        if len(word) <= _LONGEST and _GLUED.fullmatch(word):
            for part, rule in _RULE_OF.items():
                if part in word:
                    return rule
    return None


def _bare(word: str) -> str:
    """Return a word without the number at its end: "tw1" is "tw"."""
    return word.rstrip("0123456789")
