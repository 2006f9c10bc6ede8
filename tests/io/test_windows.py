"""Windows as people write them, in five languages."""

from __future__ import annotations

import logging
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import pytest

import ncc_routing as nr
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

Windows = list[tuple[float, float | None]]

DASHES: Final = ("-", " - ", "\u2013", " \u2014 ", " to ", " bis ", " until ")
CLOCKS: Final = {
    "{}:00": (8, 12, 14, 18),
    "0{}:00": (8, 9),
    "{}": (8, 12, 14, 18),
    "{}h": (8, 12, 14, 18),
    "{}h00": (8, 12, 14, 18),
    "{} Uhr": (8, 12, 14, 18),
    "{}.00 Uhr": (8, 12, 14, 18),
    "{}.00": (8, 12, 14, 18),
}
"""Forms of full hours."""

AFTER: Final = (
    *("after", "from", "not before", "earliest", ">", ">="),
    *("ab", "nach", "fr\u00fchestens", "nicht vor"),
    *("apr\u00e8s", "\u00e0 partir de", "d\u00e8s", "pas avant"),
    *("desde las", "despu\u00e9s de las", "a partir de las"),
    *("dopo le", "dalle"),
)
BEFORE: Final = (
    *("before", "until", "till", "til", "by", "no later than", "latest", "<"),
    *("bis", "vor", "sp\u00e4testens", "avant", "jusqu'\u00e0"),
    *("hasta las", "antes de las", "prima delle", "entro le", "fino alle"),
)
BETWEEN: Final = {
    "between {} and {}": (9, 17),
    "from {} to {}": (9, 17),
    "zwischen {} und {}": (9, 17),
    "von {} bis {}": (9, 17),
    "entre {} et {}": (9, 17),
    "de {} \u00e0 {}": (9, 17),
    "desde {} hasta {}": (9, 17),
    "dalle {} alle {}": (9, 17),
    "tra {} e {}": (9, 17),
}
PARTS: Final = {
    (8, 12): (
        *("morning", "in the morning", "AM", "forenoon"),
        *("vormittag", "vormittags", "morgens", "fr\u00fch"),
        *("matin", "le matin", "ma\u00f1ana", "por la ma\u00f1ana"),
        *("mattina", "mattino"),
    ),
    (11, 14): (
        *("mittags", "\u00fcber Mittag", "mittag", "am Mittag", "lunchtime"),
        *("midi", "mediod\u00eda", "mezzogiorno"),
    ),
    (12, 18): (
        *("afternoon", "in the afternoon", "PM"),
        *("nachmittag", "nachmittags", "apr\u00e8s-midi"),
        *("tarde", "por la tarde", "pomeriggio"),
    ),
    (18, 22): ("evening", "abends", "soir", "noche", "sera"),
}
WORDED: Final[dict[tuple[float, float], tuple[str, ...]]] = {
    (10, 12): (
        *("ca. 10-12", "ca 10-12 Uhr", "~10-12", "etwa 10 bis 12"),
        *("about 10 - 12", "vers 10h-12h", "environ 10h \u00e0 12h"),
        *("sobre las 10-12", "circa 10-12", "circa alle 10-12"),
    ),
    (8, 16): (
        *("daily 8-16", "8-16 daily", "every day: 8-16", "8-16 every day"),
        *("t\u00e4glich 8-16", "t\u00e4glich: 8-16 Uhr"),
        *("8-16 Uhr t\u00e4glich", "tous les jours 8h-16h"),
        *("todos los d\u00edas 8-16", "diario 8-16"),
        *("tutti i giorni 8-16", "ogni giorno dalle 8 alle 16"),
    ),
    (11.75, 12.25): ("noon", "Noon", "12noon", "at noon"),
}
"""Windows with a word that changes none of their ends, and noon."""

ANY: Final = (
    *("any time", "anytime", "all day", "flexible", "always", "24/7", "24h"),
    *("ganztags", "ganzt\u00e4gig", "jederzeit", "egal", "flexibel"),
    *("toute la journ\u00e9e", "toujours", "todo el d\u00eda", "siempre"),
    *("tutto il giorno", "sempre", "-", "n/a", ""),
)
ALSO: Final = (
    *(", ", "; ", "/", " & ", " + ", "\n", " and ", " or ", " und "),
    *(" oder ", " u. ", " et ", " ou ", " y ", " e ", " "),
)
OTHERS: Final[dict[str, Windows]] = {
    "9-5": [(9, 17)],
    "9 to 5": [(9, 17)],
    "10-2": [(10, 14)],
    "12-4": [(12, 16)],
    "8-12, 1-5": [(8, 12), (13, 17)],
    "8-10; 10-12; 1-3": [(8, 12), (13, 15)],
    "10-12, 7-8": [(7, 8), (10, 12)],
    "9-5pm": [(9, 17)],
    "1-5pm": [(13, 17)],
    "11-1pm": [(11, 13)],
    "9a-5p": [(9, 17)],
    "9am-5pm": [(9, 17)],
    "9 a.m. - 5 p.m.": [(9, 17)],
    "9:30am - 12pm": [(9.5, 12)],
    "8am til noon": [(8, 12)],
    "before noon": [(0, 12)],
    "bis Mittag": [(0, 12)],
    "avant midi": [(0, 12)],
    "22-6": [(22, 30)],
    "22:00-06:00": [(22, 30)],
    "8:30-12": [(8.5, 12)],
    "8-12:30": [(8, 12.5)],
    "8.30-12": [(8.5, 12)],
    "7.30 - 16.00": [(7.5, 16)],
    "0730-1600": [(7.5, 16)],
    "8h30-12h": [(8.5, 12)],
    "10 Uhr": [(9.75, 10.25)],
    "10:00": [(9.75, 10.25)],
    "10 am": [(9.75, 10.25)],
    "um 10": [(9.75, 10.25)],
    "at 10": [(9.75, 10.25)],
    "\u00e0 10h": [(9.75, 10.25)],
    "a las 10": [(9.75, 10.25)],
    "alle 10": [(9.75, 10.25)],
    "ca. 10 Uhr": [(9.5, 10.5)],
    "around 10": [(9.5, 10.5)],
    "gegen 10 Uhr": [(9.5, 10.5)],
    "vers 10h": [(9.5, 10.5)],
    "10:00 +/- 20": [(9 + 2 / 3, 10 + 1 / 3)],
    "10:00 \u00b1 30 min": [(9.5, 10.5)],
    "0:05 +/- 10": [(0, 0.25)],
    "nur vormittags": [(8, 12)],
    "only 8-12": [(8, 12)],
    "8-12 u. 14-16": [(8, 12), (14, 16)],
    "vormittags und 14-16": [(8, 12), (14, 16)],
    "after 8 and before 12": [(8, 12)],
    "ab 8, bis 12 Uhr": [(8, 12)],
    "dès 9h et jusqu'à 12h": [(9, 12)],
    ">=8 & <=12": [(8, 12)],
    "avant 8h ou après 16h": [(0, 8), (16, None)],
    "24 h": [],
    "2026-05-04 08:00-12:00": [(8, 12)],
    "04.05.2026 8-12": [(8, 12)],
    "4.5.2026: 8-12 Uhr": [(8, 12)],
    "25/05/2026 8-12": [(8, 12)],
    "2026-05-04 08:00 - 2026-05-04 12:00": [(8, 12)],
}


def forms() -> Iterator[tuple[str, Windows]]:
    """Yield cells and their windows in hours."""
    for clock, hours in CLOCKS.items():
        if len(hours) == 4:
            first, last = (clock.format(hour) for hour in hours[:2])
            for dash in DASHES:
                yield f"{first}{dash}{last}", [(8, 12)]
            windows = [
                f"{clock.format(a)}-{clock.format(b)}"
                for a, b in (hours[:2], hours[2:])
            ]
            for also in ALSO:
                yield also.join(windows), [(8, 12), (14, 18)]
        for word in AFTER:
            yield f"{word} {clock.format(9)}", [(9, None)]
            yield f"{word.upper()} {clock.format(9)}", [(9, None)]
        for word in BEFORE:
            yield f"{word} {clock.format(9)}", [(0, 9)]
        for text, ends in BETWEEN.items():
            if not clock.startswith("0"):
                yield text.format(*map(clock.format, ends)), [(9, 17)]
    for window, words in PARTS.items():
        for word in words:
            yield word, [window]
            yield word.capitalize(), [window]
    for word in ANY:
        yield word, []
    yield from OTHERS.items()


FORMS: Final[dict[str, Windows]] = {
    **dict(forms()),
    **{cell: [ends] for ends, cells in WORDED.items() for cell in cells},
}


def windows_of(cell: str, day: str | None = None) -> Windows:
    """Return the windows of a cell, in hours, beside times of a clock."""
    rows = {"x": [0, 9, 9], "y": [0, 0, 0], "window": ["", "", cell]}
    rows |= {"demand": [0, 1, 1], "service": ["", "5 min", "5 min"]}
    instance = nr.read(rows, capacity=9, speed="1m/s", day=day)
    windows = instance.windows
    assert windows is not None
    found = windows.windows_of(2)
    return [
        (opens / 3600, None if closes == NO_LIMIT else closes / 3600)
        for opens, closes in found
        if (opens, closes) != (0, NO_LIMIT)
    ]


def test_windows_are_read() -> None:
    """Whatever is between the ends, before them and behind them."""
    assert len(FORMS) > 500
    wrong = {}
    for cell, windows in FORMS.items():
        try:
            found: object = windows_of(cell)
        except nr.NccRoutingError as error:
            found = str(error)
        if found != windows:
            wrong[cell] = found
    assert wrong == {}


@pytest.mark.parametrize(
    "cell",
    [
        *("asap", "EOD", "business hours", "lunch", "8", "8-9-10", "today"),
        *("5/4/2026 8-12", "04.05. 8-12", "31.02.2026 8-12", "closed", "Mo"),
        *("10:00 +/- x", "8-12; 14:00", "8-12 14", "49 Uhr"),
        *("nachmittags 2-4", "vormittags, 8-10", "morning, before 10"),
        *("8 Uhr / 12 Uhr", "ab 8 14-16", "8am/12pm", "WE 9-12"),
    ],
)
def test_what_may_mean_several_things_is_refused(cell: str) -> None:
    """By one message."""
    rule = "must be a window such as 08:00-12:00, got"
    with pytest.raises(nr.InstanceError, match=rule):
        windows_of(cell)


WEEK: Final = {
    "Mo-Fr 8-16": ("monday", [(8, 16)]),
    "Mon-Fri 8-16, Sat 9-12": ("samstag", [(9, 12)]),
    "Mo, Mi 8-12; Di 14-16": ("Wednesday", [(8, 12)]),
    "Mo, Mi: 8-12, 14-16": ("mercredi", [(8, 12), (14, 16)]),
    "lun. 8h-12h": ("2026-05-04", [(8, 12)]),
    "Sa-Mo vormittags": ("sunday", [(8, 12)]),
    "Montag bis Freitag 8-16 Uhr": ("jueves", [(8, 16)]),
    "8-12": ("friday", [(8, 12)]),
    "werktags 8-12": ("monday", [(8, 12)]),
    "werktags: 8-12, 14-16 Uhr": ("friday", [(8, 12), (14, 16)]),
    "weekdays 8-12; Sat 9-10": ("saturday", [(9, 10)]),
    "en semaine 8h-12h": ("mardi", [(8, 12)]),
    "d\u00edas laborables 8-12": ("jueves", [(8, 12)]),
    "giorni feriali 8-12": ("wednesday", [(8, 12)]),
    "an Werktagen vormittags": ("tuesday", [(8, 12)]),
    "Mo ganztags, Di 8-12": ("monday", []),
    "Mo-Fr vormittags, Sa-So ganztags": ("sunday", []),
    "2026-05-04 8-12, 2026-05-05 9-10": ("monday", [(8, 12)]),
}


@pytest.mark.parametrize("cell", WEEK)
def test_the_day_chooses_among_weekdays(cell: str) -> None:
    """Windows without a day hold on all."""
    assert windows_of(cell, WEEK[cell][0]) == WEEK[cell][1]


@pytest.mark.parametrize(
    ("title", "cells", "is_known"),
    [
        ("window", ["di 8-12", "Mo 9-12"], True),
        ("window", ["di 8-12", "do 8-12"], True),
        ("window", ["di 8-12 Uhr", "sa 9-12"], True),
        ("Liefer-Zeitfenster", ["di 8-12", ""], True),
        ("window", ["di 8-12", ""], False),
        ("Orari", ["di 8-12", "lun 9-12"], False),
        ("window", ["di 8-12", "sa 9-12"], False),
        ("window", ["lun 8-12, di 9-12", "mar 8-9"], False),
        ("window", ["do 8-12", "lunes 9-12"], False),
    ],
)
def test_short_weekdays_have_the_language_of_their_column(
    title: str, cells: list[str], is_known: bool
) -> None:
    """Di is Dienstag or dimanche, do Donnerstag or domingo."""
    rows = {"x": [0, 9, 9], "y": [0, 0, 0], title: ["", *cells]}
    with pytest.raises(nr.InstanceError) as refused:
        nr.read({**rows, "demand": [0, 1, 1]}, capacity=9, day="wednesday")
    assert ("must have its weekday in full" in str(refused.value)) != is_known


def test_weekdays_need_a_day() -> None:
    """The message says how to state it; another day is a mistake."""
    with pytest.raises(nr.InstanceError, match="--day monday or 2026-05-04"):
        windows_of("Mo-Fr 8-16")
    for cell in ("Mo-Fr 8-16", "Mo-Fr any", "Mo-Fr ganztags"):
        with pytest.raises(nr.InstanceError, match="state the day"):
            windows_of(cell)
        with pytest.raises(nr.InstanceError, match="on the day that is plan"):
            windows_of(cell, "sunday")
    for cell in ("werktags 8-12", "weekdays 8-12"):
        with pytest.raises(nr.InstanceError, match="state the day"):
            windows_of(cell)
        with pytest.raises(nr.InstanceError, match="on the day that is plan"):
            windows_of(cell, "saturday")
    with pytest.raises(nr.InstanceError, match="on the day that is planned"):
        windows_of("2026-05-05 8-12", "2026-05-04")
    with pytest.raises(nr.InstanceError, match="of a weekday together"):
        windows_of("Mo-Fr 8-12; Mi 9-11", "wednesday")
    with pytest.raises(nr.ParameterError, match="day must be a weekday or"):
        windows_of("8-12", "tomorrow")


@pytest.mark.parametrize(
    ("day", "is_known"), [(date(2026, 5, 4), True), (1, False)]
)
def test_a_day_may_be_a_date(day: Any, is_known: bool) -> None:
    """Other objects are refused by the message that texts have."""
    if is_known:
        assert windows_of("Mo-Fr 8-16", day) == [(8, 16)]
        return
    with pytest.raises(nr.ParameterError, match="day must be a weekday or"):
        windows_of("Mo-Fr 8-16", day)


def test_a_stated_unit_makes_numbers() -> None:
    """Of 8.25 and 9.50, which are 8:25 and 9:50 without one."""
    for title, unit, opens in (
        ("window_h", None, 29700),
        ("window", "h", 29700),
        ("window", None, 30300),
    ):
        rows = {"x": [0, 9], "y": [0, 0], title: ["", "8.25-9.50"]}
        windows = nr.read(
            rows, capacity=1, speed="1m/s", time_unit=unit
        ).windows
        assert windows is not None
        assert windows.tw_early[1] == opens


@pytest.mark.parametrize("cell", ["10:00", "10 Uhr", "morning"])
def test_a_moment_is_no_shift(cell: str) -> None:
    """Nobody says when it ends."""
    rows = {"x": [0, 9], "y": [0, 0], "demand": [0, 1]}
    vans = {"capacity": [5, 5], "shift": ["8-17", cell]}
    with pytest.raises(nr.InstanceError, match="must be a window such as"):
        nr.read(rows, vehicles=vans, speed="1m/s")


def test_readings_are_told(caplog: pytest.LogCaptureFixture) -> None:
    """Parts of a day, moments, and hours of an afternoon."""
    caplog.set_level(logging.WARNING)
    for cell in ("vormittags", "10 Uhr", "9-5", "8-12, 2-5", "ca. 10-12"):
        windows_of(cell)
    windows_of("werktags 8-12", "monday")
    told = [record.getMessage() for record in caplog.records]
    assert [text.partition("read ")[2] for text in told] == [
        "'vormittags' as 8:00-12:00.",
        "'10 Uhr' as 9:45-10:15.",
        "'9-5' as 9:00-17:00.",
        "'2-5' as 14:00-17:00.",
        "'ca. 10-12' as 10-12.",
        "'werktags' as Monday to Friday.",
    ]


def test_second_windows_need_no_column_of_first_openings() -> None:
    """An opening that no column says is 0."""
    rows = {
        **{"id": ["d", "a", "b"], "x": [0, 1, 2], "y": [0, 1, 2]},
        **{
            "close": [9, 9, 3],
            "open_2": ["", 11, ""],
            "close_2": ["", 14, ""],
        },
    }
    windows = nr.read(rows, capacity=9).windows
    assert windows is not None
    assert windows.tw_early.tolist() == [0, 0, 0]
    assert windows.tw_late.tolist() == [9, 14, 3]
