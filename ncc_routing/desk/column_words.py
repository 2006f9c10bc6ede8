"""What the words in names of columns say, in five languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.desk.fields import pieces_of
from ncc_routing.desk.words import entry_of, units_in, words_in, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return a regular expression of words between underscores.

    A star stands for more letters on both sides, as in compounds.
    """
    parts = (
        word[:-1] if word.endswith("*") else f"_{word}_" for word in words
    )
    return re.compile("|".join(map(re.escape, parts)))


@cache
def _known(*keys: str) -> re.Pattern[str]:
    words = (words_of(f"names.{key}") for key in keys)
    return _pattern([*chain.from_iterable(words)])


@cache
def _words(*keys: str) -> frozenset[str]:
    words = (words_of(f"names.{key}") for key in keys)
    return frozenset(word.rstrip("*") for word in chain.from_iterable(words))


_LOOSE: Final = ("names", "ids")
_MARKS: Final = (*_LOOSE, "people", "marks")
_BESIDE_MARKS: Final = ("neutral", "links")
_BESIDE_TEXTS: Final = (*_BESIDE_MARKS, *_MARKS, "vehicles", "stops")
"""Entries of words that identify a thing, and of those that do not change
what such a word, or a text, is."""


_TOLD: Final = {"phone": "phones", "address": "addresses", "note": "notes"}
"""Entries of texts that tell a driver something."""


class _Topic(NamedTuple):
    """The fields of customers and vehicles that some words may mean."""

    customers: list[str]
    vehicles: list[str]
    pattern: re.Pattern[str]


@cache
def _topics() -> list[_Topic]:
    """Return the words of loads, costs and constraints."""
    return [
        _Topic(
            topic.get("customers", "").split(),
            topic.get("vehicles", "").split(),
            _pattern(words_in(topic)),
        )
        for topic in entry_of("topics")
    ]


@cache
def _senses() -> dict[str, re.Pattern[str]]:
    """Return the words of each sense.

    A field is proposed only for a name that says nothing which the field is
    not.
    """
    return {
        sense: _pattern(words_in(entry))
        for sense, entry in entry_of("senses").items()
    }


class _Meaning(NamedTuple):
    """What a name of a field may say, and what it must say."""

    may: frozenset[str]
    must: frozenset[str]


def _meaning(must: str, may: str = "") -> _Meaning:
    required = frozenset(must.split())
    return _Meaning(required.union(may.split()), required)


_MEANINGS: Final[dict[str, tuple[_Meaning, ...]]] = {
    "cost_per_time": (_meaning("price time"),),
    "cost_per_overtime": (_meaning("price overtime", "time"),),
    "cost_per_driving_time": (_meaning("price driving time"),),
    "cost_per_distance": (_meaning("price length", "part driving"),),
    "fixed_cost": (_meaning("price"),),
    "shift_start": (_meaning("", "time start early shift origin"),),
    "shift_end": (_meaning("", "time end late shift return target"),),
    "shift": (
        _meaning("", "time start shift handling"),
        _meaning("start", "time end shift"),
    ),
    "latest_start": (
        _meaning("late start", "time origin"),
        _meaning("late origin", "time start"),
    ),
    "start_depot": (
        _meaning("start", "origin stops"),
        _meaning("origin", "start stops driving"),
    ),
    "end_depot": (
        _meaning("end", "target stops return"),
        _meaning("target", "stops return"),
    ),
    "max_duration": (
        _meaning("most time", "shift"),
        _meaning("shift", "time most"),
    ),
    "max_overtime": (_meaning("overtime", "most time"),),
    "max_stops": (_meaning("most stops"),),
    "min_stops": (_meaning("least stops"),),
    "min_load": (_meaning("least load"),),
    "max_driving_time": (_meaning("most driving time"),),
    "max_distance": (
        _meaning("most length", "range driving"),
        _meaning("range length", "driving"),
    ),
    "capacity": (_meaning("", "load most"),),
    "return_to_depot": (_meaning("return", "end"),),
    "open_route": (
        _meaning("", "start end stops"),
        _meaning("not return"),
    ),
    "open": (_meaning("", "time start early stops target"),),
    "close": (
        _meaning("", "time end late stops target"),
        _meaning("late start", "time stops"),
    ),
    "window": (
        _meaning("", "time start stops handling target"),
        _meaning("start", "time end stops handling"),
    ),
    "release": (_meaning("", "time start stops early"),),
    "deliver_to": (_meaning("", "end target stops"),),
    "break": (_meaning("", "time not"),),
    "lat": (_meaning("", "size stops"),),
    "lon": (_meaning("", "size stops"),),
    "service": (_meaning("", "time handling stops"),),
    "setup": (_meaning("", "time handling stops"),),
    "demand": (_meaning("", "load stops gross"),),
    "pickup": (_meaning("", "load stops return gross"),),
    "prize": (_meaning("price", "stops"),),
    "different_routes": (_meaning("", "not stops"),),
}
"""The fields that are proposed; others may say what their names say."""

_SHORT: Final = 5
_LONG: Final = 8
"""Letters of the shortest name that may be mistyped, and of one by which two
may be wrong."""

_LONGEST: Final = 40
"""Letters of a word that is taken apart."""


def is_harmless(title: str, *, of_vehicles: bool = False) -> bool:
    """Whether a name is that of a text, a date, or an identification.

    "delivery address" and "Rechnungsnummer" are; "visit day" is not.
    """
    pieces = [piece for piece in map(_bare, pieces_of(title)) if piece]
    if pieces[:1] == ["no"] and "stops" in _senses_of("_".join(pieces[1:2])):
        return False  # "no delivery", unlike "no de commande"
    matter = [piece for piece in pieces if _topics_of([piece])]
    runs: list[Sequence[str]] = [*pairwise(pieces)]
    if of_vehicles:
        runs += [pieces[at : at + 3] for at in range(len(pieces) - 2)]
    joined = [
        "_".join(run)
        for run in runs
        if _topics_of(run) and not any(_topics_of([each]) for each in run)
    ]
    matter += joined
    if any(_is_text(piece) for piece in pieces):
        return _words(*_BESIDE_TEXTS).issuperset(
            piece for piece in matter if not _is_text(piece)
        )
    # A "docket number" is one; a "number of widgets" is a count.
    is_loose = len(pieces) > 1 and pieces[-1] in ("no", "number")
    is_loose |= any(_known(*_LOOSE).search(f"_{piece}_") for piece in pieces)
    if is_loose and not matter:
        return True
    neutral = _words(*_BESIDE_MARKS, *["vehicles"] * of_vehicles)
    others = [piece for piece in pieces if not _is_mark(piece, neutral)]
    is_known = len(others) < len(pieces) and neutral.issuperset(others)
    return is_known and not joined


def counts_rows(title: str) -> bool:
    """Whether a name says which rows count: "active", "im Einsatz"."""
    beside = _words(*_BESIDE_MARKS, "vehicles", "beside_counted")
    pieces = [each for each in pieces_of(title) if each not in beside]
    return _words("counted").issuperset(pieces) and bool(pieces)


def is_delivery(title: str) -> bool:
    """Whether a name says what customers are there for, and nothing else."""
    others = set(pieces_of(title)) - _words("links")
    return bool(others) and others <= _words("deliveries")


def may_matter(title: str) -> bool:
    """Whether a name has a word of a cost, a load or a constraint.

    What a name denies or sets apart may be one too.
    """
    return bool(_topics_of(pieces_of(title))) or is_turned(title)


def is_turned(title: str) -> bool:
    """Whether a name denies something, or sets it apart."""
    return not _senses_of(title).isdisjoint(("not", "special"))


def likely_fields(
    title: str, *, of_vehicles: bool = False, says_all: bool = True
) -> list[str] | None:
    """Return the fields that a name may mean, ``None`` without a known word.

    Unless it ``says_all``, what a field must say may be missing.
    """
    pieces = pieces_of(title)
    if _known("breaks").search("_".join(("", *pieces, ""))):
        return []
    topics = _topics_of(pieces)
    likely = [
        field
        for topic in topics
        for field in (topic.vehicles if of_vehicles else topic.customers)
        if agrees(title, field, says_all=says_all)
    ]
    return [*dict.fromkeys(likely)] if topics else None


def agrees(title: str, field: str, *, says_all: bool = True) -> bool:
    """Whether a name says nothing that a field is not, and what it must."""
    said = _senses_of(title)
    meanings = _MEANINGS.get(field) or (
        _Meaning(_senses_of(field) | {"stops"}, frozenset()),
    )
    return any(
        (each.must <= said or not says_all) and said <= each.may
        for each in meanings
    )


def says_only(title: str, field: str, *, of_vehicles: bool) -> bool:
    """Whether each word of a name is one of a field, or changes nothing."""
    links = _words("links")
    beside = {*_words(*_BESIDE_MARKS, "stops", "vehicles", "sums")}
    beside |= {*words_of("units.per"), *units_in("time")}
    beside |= units_in("loads").keys() | units_in("length").keys()
    patterns = [_senses()[each] for each in _senses_of(title)]
    patterns += [
        topic.pattern
        for topic in _topics()
        if field in (topic.vehicles if of_vehicles else topic.customers)
    ]
    pieces = pieces_of(title)
    said = {at for at, piece in enumerate(pieces) if piece in beside}
    for at, end in combinations(range(len(pieces) + 1), 2):
        run = "_".join(("", *pieces[at:end], ""))
        found = [
            each.search(run) if end - at == 1 else each.fullmatch(run)
            for each in patterns
        ]
        # Of "Essenszeiten" the end is known alone.
        before = {run[1 : match.start()] for match in found if match}
        if any(not each or _is_compound(each, beside) for each in before):
            said |= {*range(at, end)}
    # Unlike "per hour".
    says_what = not {*pieces[:1]} & ({*words_of("units.per")} - links)
    return bool(pieces) and len(said) == len(pieces) and says_what


def says_load(title: str, *, of_vehicles: bool) -> bool:
    """Whether a name says what orders have, or what vehicles hold at most.

    "load" may be what is loaded at a customer, and "weight" that of a vehicle.
    """
    unclear = _known("unclear_loads" + "_of_vehicles" * of_vehicles)
    said = [p for p in pieces_of(title) if "load" in _senses_of(p)]
    is_clear = not any(unclear.search(f"_{p}_") for p in pieces_of(title))
    return (
        bool(said)
        and is_clear
        and (not of_vehicles or "most" in _senses_of(title))
    )


def field_mistyped(title: str, names: Mapping[str, str]) -> str:
    """Return the field of the only name that differs by one or two letters.

    Short words have one wrong letter at most, and known words have none: one
    letter of a long word that begins, or ends, as a known one may be wrong.
    """
    pieces, said = pieces_of(title), _senses_of(title)
    text, found = "".join(pieces), set[str]()
    most = 1 + (len(text) > _LONG)
    for name, field in names.items() if len(text) >= _SHORT else ():
        plain = name.replace("_", "")
        if abs(len(text) - len(plain)) > most:
            continue
        if len({*text} ^ {*plain}) > 2 * most:
            continue  # most names, at little cost
        if _digits_of(text) != _digits_of(plain):
            continue
        others = {*pieces}.difference(name.split("_"))
        misses = _misses(text, plain)
        is_whole = misses < most
        if misses <= most and not any(
            _is_known(each, is_whole=is_whole) for each in others
        ):
            found |= {field} if said <= _senses_of(name) else set()
    return found.pop() if len(found) == 1 else ""


def _digits_of(text: str) -> list[str]:
    return [*filter(str.isdigit, text)]


def _is_known(piece: str, *, is_whole: bool) -> bool:
    """Whether a word, or a number, is one that a name may have.

    A part of it is not enough where it ``is_whole``.
    """
    if piece.isdigit() or piece in _words(
        *_BESIDE_TEXTS, "counted", "so_unless_no"
    ):
        return True
    patterns = [*_senses().values(), _known("texts")]
    patterns += [topic.pattern for topic in _topics()]
    text = f"_{piece}_"
    return any(
        each.fullmatch(text) or each.fullmatch(piece)
        if is_whole
        else each.search(text)
        for each in patterns
    )


@lru_cache(maxsize=4096)
def _misses(text: str, name: str) -> int:
    """Return how many letters are missing, added, wrong or exchanged."""
    rows: list[list[int]] = [[*range(len(name) + 1)]]
    for i, letter in enumerate(text, start=1):
        row = [i]
        for j, other in enumerate(name, start=1):
            cost = min(
                rows[-1][j] + 1,
                row[-1] + 1,
                rows[-1][j - 1] + (letter != other),
            )
            if i > 1 < j and text[i - 2 : i] == name[j - 1] + name[j - 2]:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]


def no_says_more(title: str) -> bool:
    """Whether "no" in the cells of a column says more than an empty cell."""
    words = _text_of(pieces_of(title))
    is_so = _known("so_unless_no").search(words) is not None
    return is_so or counts_rows(title)


@lru_cache(maxsize=1024)
def _senses_of(title: str) -> frozenset[str]:
    pieces = pieces_of(title)
    if len(pieces) > 1 and pieces[-1] == "min":
        pieces = [*pieces[:-1], "minutes"]
    text = _text_of(pieces)
    return frozenset(
        sense for sense, words in _senses().items() if words.search(text)
    )


def _text_of(pieces: Sequence[str]) -> str:
    return "_".join(("", *pieces, *map(_bare, pieces), ""))


def _bare(word: str) -> str:
    """Return a word without the number at its end: "tw1" is "tw"."""
    return word.rstrip("0123456789")


def _is_text(piece: str) -> bool:
    return _known(*_TOLD.values(), "texts").search(f"_{piece}_") is not None


def what_it_tells(title: str) -> str:
    """Return what a column tells a driver, of ``TOLD``; else an empty text.

    "Customer no" is no name.
    """
    pieces = pieces_of(title)
    for says, key in _TOLD.items():
        if any(_known(key).search(f"_{piece}_") for piece in pieces):
            return says
    known = _known("names", "people")
    others = [piece for piece in pieces if not known.search(f"_{piece}_")]
    is_name = len(others) < len(pieces)
    return "name" if is_name and _words(*_BESIDE_MARKS) >= {*others} else ""


def _is_mark(piece: str, neutral: frozenset[str]) -> bool:
    """Whether a word is a mark, or ends with one: "kundennummer"."""
    if piece in _words(*_MARKS):
        return True
    return any(
        _is_compound(piece[: -len(end)], neutral)
        for end in words_of("names.ends_of_marks")
        if piece.endswith(end) and len(piece) <= _LONGEST
    )


def _is_compound(piece: str, neutral: AbstractSet[str]) -> bool:
    """Whether a word is made of neutral ones, with an "s" or "n" after it."""
    rests = {
        piece[len(word) :]
        for word in neutral | _words(*_MARKS)
        if len(word) > 2 and piece.startswith(word)
    }
    return any(
        rest in ("", "s", "n") or _is_compound(rest, neutral) for rest in rests
    )


def _topics_of(pieces: Sequence[str]) -> list[_Topic]:
    """Return the topics of some words."""
    text = _text_of(pieces)
    return [topic for topic in _topics() if topic.pattern.search(text)]
