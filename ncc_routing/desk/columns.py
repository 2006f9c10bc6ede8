"""What the columns of tables may be called."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import (
    Collection,
    Container,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from difflib import get_close_matches
from os import PathLike
from typing import Final, NamedTuple

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.text import number_of, quoted, shortened
from ncc_routing.desk.amounts import is_amount
from ncc_routing.desk.cells import flags
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.column_words import (
    agrees,
    counts_rows,
    field_mistyped,
    is_delivery,
    is_harmless,
    is_turned,
    likely_fields,
    may_matter,
    no_says_more,
    says_load,
    says_only,
    what_it_tells,
)
from ncc_routing.desk.fields import (
    BREAK,
    CUSTOMER_COLUMNS,
    FLAG,
    LENGTH,
    LOADS,
    MOMENT,
    NUMBER,
    PER_LENGTH,
    PER_TIME,
    PLACE_COLUMNS,
    POINT_COLUMNS,
    SERVICE,
    TEXT,
    TIME,
    VEHICLE_COLUMNS,
    WAY_OUT,
    WINDOW,
    Column,
    field_of,
    pieces_of,
    rank_of,
    without_unit,
)
from ncc_routing.desk.tables import (
    LONGEST_CELL,
    Table,
    is_blank,
    is_too_long,
    read_table,
    text_of,
    title_of,
    with_decimal_commas,
)
from ncc_routing.desk.times import holds_moments, is_time
from ncc_routing.desk.travel import speed_in
from ncc_routing.desk.windows import holds_windows
from ncc_routing.desk.words import words_of
from ncc_routing.io.toml import read_params

logger = logging.getLogger(__name__)

_LONG_TEXT: Final = 12
"""Characters; longer cells in the mean are texts for people."""

_OF_TEXTS: Final = {"start": "start_depot", "end": "end_depot"}
"""Fields that names of times are likely to mean above cells without a digit.
"""

_DEPOTS: Final = ("start_depot", "end_depot", "home_depot")

_OF_CELLS: Final = {
    WINDOW: ("window", "shift", "break"),
    MOMENT: (
        *("open", "close", "release"),
        *("shift_start", "shift_end", "latest_start", "break_from"),
    ),
    FLAG: ("return_to_depot", "open_route"),
    SERVICE: ("service", "setup", "max_duration", "max_driving_time"),
    NUMBER: (
        *("demand", "service", "pickup", "priority", "prize", "demand_2"),
        *("capacity", "max_stops", "fixed_cost", "capacity_2"),
    ),
    TEXT: (
        *("skills", "served_by", "same_route"),
        *("has_skills", "home_depot", "start_depot", "end_depot"),
    ),
}
"""Fields to ask about above cells of a kind, whatever the name."""

_ALSO_OF_CELLS: Final = {
    MOMENT: _OF_CELLS[MOMENT],
    TEXT: ("start_depot", "end_depot"),
}
"""Those to ask about beside what a name may mean, where it says them too."""

_LAST_RANK: Final = 10

_BARE_NUMBER: Final = "nr"
"""The first of the names of ids that may be those of something else."""

_MOST_LIKELY: Final = 3
"""Fields that a question names."""

_COSTS: Final = {
    **dict.fromkeys(
        ("window", "open", "close"),
        "these cells are times: without them no order has a window",
    ),
    **dict.fromkeys(
        ("shift", "shift_start", "shift_end"),
        "these cells are times: without them no vehicle has a shift",
    ),
    "service": "without them services take no time",
    "demand": "without them each row has a demand of 1",
    "deliver_to": "these cells are orders: without them nothing is brought "
    "from one to another",
    "served_by": "without them any vehicle may serve the order",
    "skills": "without them any vehicle may serve the order",
    "priority": "without them all orders count alike; with them the lowest "
    "numbers are left out first",
    "start_depot": "without them routes start and end at the depot",
}
"""What it costs to ignore a column that may be a field."""

_MOST_ASKED: Final = 30
"""Columns that a message names."""


@dataclass(frozen=True)
class Naming:
    """What a user says about the names of columns.

    ``columns`` gives fields their names, ``ignored`` names columns that do
    not count, ``unlikely`` those that no field is proposed for, and ``kept``
    those that need not be there and do not count. Where it ``is_final``,
    nothing more can be said. No log line says that those ``known`` have no
    effect.
    """

    columns: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    unlikely: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    is_final: bool = False
    known: tuple[str, ...] = ()

    def without(self, error: InstanceError) -> Naming | None:
        """Return the naming that does not propose what leads to an error.

        ``None`` is returned where no proposal does.
        """
        parts = [p for p in error.parts if isinstance(p, InstanceError)]
        asked = [line for part in parts for line in part.details]
        wrong = {part.field.rpartition("column ")[2] for part in parts}
        unlikely = [
            title
            for title in sorted(wrong)
            if title not in self.unlikely
            and any(line.startswith(f"  {title} (") for line in asked)
        ]
        if not unlikely:
            return None
        return replace(self, unlikely=(*self.unlikely, *unlikely))

    @classmethod
    def of(cls, columns: object, ignored: object) -> Naming:
        """Return what is said; ``ParameterError`` where it is no name.

        ``columns`` may be a file that ``write_naming`` wrote, or one that
        people did: a table ``columns``, and a list ``ignore`` of names, which
        need not be there.
        """
        known = {**CUSTOMER_COLUMNS, **VEHICLE_COLUMNS}
        kept: Sequence[object] = ()
        if isinstance(columns, str | PathLike):
            columns, kept = _read_kept(columns)
        if not isinstance(columns or {}, Mapping):
            raise ParameterError("columns must be a mapping of fields.")
        named = {
            _field_called(str(field), known): title_of(title)
            for field, title in dict(columns or {}).items()  # type: ignore[call-overload]
        }
        for fields in (CUSTOMER_COLUMNS, VEHICLE_COLUMNS):
            titles = [named[field] for field in named if field in fields]
            if len(set(titles)) < len(titles):
                raise ParameterError(
                    "columns: a column can have one field only."
                )
        if isinstance(ignored, str) or not isinstance(ignored, Sequence):
            raise ParameterError("ignore_columns must be a list of names.")
        return cls(
            named,
            tuple(map(title_of, ignored)),
            (),
            tuple(map(title_of, kept)),
        )

    def require_all(
        self, customers: Table | None, vehicles: Table | None
    ) -> None:
        """Refuse the name of a column that is in none of the tables.

        One table may have the column that is named, the other that ignored.
        """
        tables = [table for table in (customers, vehicles) if table]
        named = [
            (title, customers if field in CUSTOMER_COLUMNS else vehicles)
            for field, title in self.columns.items()
        ]
        wanted = [(title, [table] if table else []) for title, table in named]
        wanted += [(title, tables) for title in self.ignored]
        for title, places in wanted:
            if not any(title in table.columns for table in places):
                source = " and ".join(table.source for table in tables)
                rule = "there is no such column"
                raise InstanceError(source, f"column {title}", rule)
        for title in self.ignored:
            if all(
                (title, table) in named
                for table in tables
                if title in table.columns
            ):
                raise ParameterError(
                    f"columns: {title} has a field and is ignored."
                )


def _field_called(name: str, known: Mapping[str, Column]) -> str:
    """Return the field of its own name, or of one that a column may have."""
    plain = name.strip().lower()
    field = plain if plain in known else None
    for columns in (known, POINT_COLUMNS):
        field = field or field_of(plain, columns)
    if field is not None:
        return field
    words = [*known, *(word for each in known.values() for word in each.names)]
    words = [*dict.fromkeys(words)]
    near = get_close_matches("_".join(pieces_of(name)), words, 3)
    raise ParameterError(
        f"columns: there is no field {name}; "
        f"{'similar' if near else 'the fields'}: {', '.join(near or known)}."
    )


def _read_kept(path: str | PathLike[str]) -> tuple[object, Sequence[object]]:
    content = read_params(path)
    columns, ignored = content.pop("columns", {}), content.pop("ignore", [])
    if content or not isinstance(ignored, list):
        raise ParameterError(
            f"{path}: must have only a table columns and a list ignore."
        )
    return columns, ignored


def written_naming(naming: Naming) -> str:
    """Return what is said about columns as TOML, for ``Naming.of``."""
    ignored = dict.fromkeys((*naming.ignored, *naming.kept))
    given = naming.columns.items()
    return naming_text(
        [
            *({title: Reading(field, STATED)} for field, title in given),
            {title: Reading("", IGNORED) for title in ignored},
        ]
    )


def naming_text(readings: Iterable[Mapping[str, Reading]]) -> str:
    """Return how columns are understood as TOML, for ``Naming.of``.

    What is asked about is as proposed, or in a comment without a proposal.
    """
    columns, ignored, asked = [], [], []
    for title, reading in (each for r in readings for each in r.items()):
        text = json.dumps(title, ensure_ascii=False)
        if reading.field and reading.why != TWICE:
            columns.append(f"{reading.field} = {text}")
        elif reading.why in (ASKED, TWICE):
            asked.append(f"# {text} may be a cost or a constraint")
        else:
            ignored.append(f"    {text},")
    names = ["ignore = [", *dict.fromkeys(ignored), "]"]
    names = names if ignored else ["ignore = []"]
    lines = [*dict.fromkeys(asked), *names, "", "[columns]", *columns, ""]
    return "\n".join(lines)


NO_NAMING: Final = Naming({})
"""Columns are known by their names alone."""


class Reading(NamedTuple):
    """How a column is understood: its field, "" for none, and why."""

    field: str
    why: str
    near: str = ""


class Question(NamedTuple):
    """What a column is that may matter, by cells that say something.

    ``likely`` names fields that it may be, and ``cost`` says what ignoring it
    does. ``taken`` has the columns of the fields that are read.
    """

    source: str
    title: str
    cells: Sequence[object]
    likely: Sequence[str]
    cost: str
    fields: Mapping[str, Column]
    taken: Mapping[str, str]

    def field_of(self, answer: str) -> str:
        """Return the field that an answer names, or numbers among the likely.

        ``ParameterError`` is raised where the cells cannot be read so.
        """
        number = int(answer) if answer.isdecimal() and answer.isascii() else 0
        if 0 < number <= len(self.likely):
            field = self.likely[number - 1]
        else:
            field = _field_called(answer, self.fields)
        if field not in self.fields:
            raise ParameterError(f"{self.source} has no field {field}.")
        if len(field) == 1 and field not in self.likely:
            raise ParameterError(
                f"{field} may be a slip: state a coordinate as "
                f"--columns {field}={self.title}, or answer i to ignore it."
            )
        if field in self.taken and field not in self.likely:
            raise ParameterError(f"{field} is {self.taken[field]} already.")
        column = self.fields[field]
        wrong = [c for c in self.cells if not _fits([c], column, 1.0)]
        if wrong:
            cell = shortened(text_of(wrong[0]), 24)
            meaning = column.meaning.replace("`", "")
            raise ParameterError(f"{field} ({meaning}): not {cell!r}.")
        return field


def questions_in(error: InstanceError) -> list[Question]:
    """Return what an error, or its parts, ask about columns."""
    parts = (error, *error.parts)
    asked = (q for part in parts for q in getattr(part, "questions", ()))
    return [each for each in asked if isinstance(each, Question)]


STATED, NAMED, BY_CELLS, ASKED = "stated", "name", "cells", "asked"
MISTYPED, BY_WORDS = "name, mistyped", "words"
HARMLESS, IGNORED, TWICE = "harmless", "ignored", "asked: two of one field"
"""Why a column is read as it is, or that a user is asked about it."""


def name_columns(
    table: Table,
    fields: Mapping[str, Column],
    naming: Naming | None = None,
    problems: Problems | None = None,
) -> Table:
    """Return a table with the columns of some fields, by their fields.

    A name that ``naming`` states wins over a guessed one. ``Table.unused``
    names the other columns, and a log line says them; those that may matter
    are refused. With ``problems``, the refusals are collected there, and the
    table is the one that what they propose would give.
    """
    collector = Problems() if problems is None else problems
    readings = read_names(table, fields, naming or NO_NAMING)
    is_said = naming is not None and not naming.is_final
    asked = _questions(table, fields, readings) if is_said else ()
    for field in dict.fromkeys(r.field for r in readings.values()):
        with collector.collected():
            _require_one(table, field, readings, asked, is_said=is_said)
    if naming is None:
        # Nothing can be said: a word of a rule must be in a name.
        readings = {
            title: reading
            if reading.why != ASKED or may_matter(title)
            else Reading("", HARMLESS)
            for title, reading in readings.items()
        }
    with collector.collected():
        _require_harmless(table, readings, asked, is_said=is_said)
    if problems is None:
        collector.refuse()
    guessed = [
        f"{title} as {reading.field}"
        for title, reading in readings.items()
        if reading.why in (MISTYPED, BY_WORDS)
    ]
    if guessed and not collector.errors:
        names = shortened(", ".join(guessed))
        logger.warning("%s: columns are read: %s.", table.source, names)
    titles = {
        reading.field: title
        for title, reading in readings.items()
        if reading.field and reading.why != TWICE
    }
    unused = [t for t in table.columns if titles.get(readings[t].field) != t]
    told = [t for t in unused if naming is None or t not in naming.known]
    if fields is CUSTOMER_COLUMNS:  # drivers read the others
        told = [title for title in told if not what_it_tells(title)]
    if told and not collector.errors:
        names = shortened(", ".join(told))
        logger.warning("%s: columns without effect: %s.", table.source, names)
    named = replace(
        table,
        columns={
            field: table.columns[title] for field, title in titles.items()
        },
        titles=titles,
        unused=tuple(unused),
    )
    measured = [name for name in titles if not fields[name].is_text]
    rule = f"must have at most {LONGEST_CELL} characters"
    for name in measured:
        is_long = [is_too_long(cell) for cell in named.columns[name]]
        named.refuse(is_long, name, rule)
    # The points of 8.30 Uhr are no decimal points.
    moments = {name for name in measured if holds_moments(named.columns[name])}
    return with_decimal_commas(named, {*measured} - moments)


def read_names(
    table: Table, fields: Mapping[str, Column], naming: Naming
) -> dict[str, Reading]:
    """Return how each column is understood, in their order.

    What is stated counts, then the name, then whether the cells are windows.
    Those that may matter are asked about, with the field that is likely.
    """
    of_vehicles = "vehicle" in fields
    readings = {
        title: Reading(field, STATED)
        for field, title in naming.columns.items()
        if field in fields and title in table.columns
    }
    taken = {reading.field for reading in readings.values()}
    said = taken | _same_as(taken, fields)
    free = [title for title in table.columns if title not in readings]
    ignored = {*naming.ignored, *naming.kept}
    readings |= {t: Reading("", IGNORED) for t in free if t in ignored}
    free = [title for title in free if title not in readings]
    known: dict[str, list[str]] = {}
    for title in free:
        field = field_of(title, fields)
        if field is not None and field not in said:
            known.setdefault(field, []).append(title)
    for field, titles in known.items():
        first = _that_count(table, titles, fields[field])
        readings |= {title: Reading(field, TWICE) for title in first}
        readings |= {title: Reading(field, NAMED) for title in first[:1]}
        taken |= {field} if first else set()
    rest = [title for title in free if title not in readings]
    for title in rest:
        field = _mistyped(table, title, fields, naming)
        if field and field not in taken | _same_as(taken, fields):
            readings[title] = Reading(field, MISTYPED)
            taken.add(field)
    rest = [title for title in rest if title not in readings]
    asked = [
        title
        for title in rest
        if _may_matter(title, table.columns[title], of_vehicles)
        or (not of_vehicles and _refers(table, title))
    ]
    readings |= {title: Reading("", HARMLESS) for title in rest}
    windows = _windows_among(table, asked, fields, taken)
    readings |= windows
    taken |= {reading.field for reading in windows.values()}
    free_fields = fields.keys() - taken - _same_as(taken, fields)
    likely = {
        title: _likely_field(table, title, fields, free_fields, naming)
        for title in asked
        if title not in windows
    }
    readings |= {
        title: _open_reading(reading, likely.values(), fields, free_fields)
        for title, reading in likely.items()
    }
    return {title: readings[title] for title in table.columns}


def _open_reading(
    reading: Reading,
    likely: Collection[Reading],
    fields: Mapping[str, Column],
    free: Container[str],
) -> Reading:
    """Return a reading without its field where others may have it as well.

    "meal hours" may be those in which nobody is there.
    """
    if not reading.field:
        return reading
    is_window = fields[reading.field].kind == WINDOW and reading.why == ASKED
    alike = {reading.field} | _same_as({reading.field}, fields)
    if not is_window and sum(each.field in alike for each in likely) < 2:
        return reading
    family: Sequence[str] = _OF_CELLS[WINDOW]
    family = family if is_window else _family(reading.field, fields)
    near = " or ".join(each for each in family if each in free)
    return Reading("", ASKED, near)


def describe_columns(
    source: object, purpose: str, naming: Naming = NO_NAMING
) -> list[tuple[list[str], dict[str, Reading]]]:
    """Return a line for each column of a table, and how it is understood.

    A table of vehicles beside it follows.
    """
    table = read_table(source, purpose)
    found = [_described(table, purpose, naming)]
    if purpose == "customers" and (beside := table.beside("vehicles")):
        found.append(_described(beside, "vehicles", naming))
    return found


def _described(
    table: Table, purpose: str, naming: Naming
) -> tuple[list[str], dict[str, Reading]]:
    fields = columns_of_vehicles(table) if purpose == "vehicles" else None
    readings = read_names(table, fields or CUSTOMER_COLUMNS, naming)
    width = max(map(len, readings), default=0)
    lines = [table.source]
    for title, (field, why, near) in readings.items():
        cells = [c for c in table.columns[title] if not is_blank(c)]
        example = shortened(text_of(cells[0]), 24) if cells else "empty"
        guess = f" ({near}?)" if near else ""
        what = f"{field or 'not read'}{guess}"
        lines.append(f"  {title:<{width}}  {what:<20}  {why}, {example}")
    return lines, readings


def columns_of_vehicles(table: Table) -> dict[str, Column]:
    """Return the columns of a table of vehicles.

    Columns start and end with times of day are the shift, else perhaps depots.
    """
    columns = dict(VEHICLE_COLUMNS)
    for end in ("start", "end"):
        shift = columns[f"shift_{end}"]
        if holds_moments(table.columns.get(end, ())):
            columns[f"shift_{end}"] = replace(shift, own_names=(end,))
    return columns


def _same_as(names: Container[str], fields: Mapping[str, Column]) -> set[str]:
    """Return the fields that some fields say too: windows and their ends."""
    same = set()
    for name, column in fields.items():
        if column.kind in (WINDOW, BREAK):
            same |= {*column.target} if name in names else set()
            same |= {name} if any(e in names for e in column.target) else set()
    return same


def _windows_among(
    table: Table,
    titles: Sequence[str],
    fields: Mapping[str, Column],
    taken: Container[str],
) -> dict[str, Reading]:
    """Return the one column with windows, and its field, if it is free."""
    for name, column in fields.items():
        if column.kind != WINDOW or name in taken:
            continue
        if any(end in taken for end in column.target):
            continue
        windows = {
            title: Reading(name, BY_WORDS if is_delivery(title) else BY_CELLS)
            for title in titles
            if _may_be_window(title, name, fields)
            and holds_windows(table.columns[title])
        }
        is_said = (
            each.why == BY_WORDS
            or says_only(title, name, of_vehicles="vehicle" in fields)
            for title, each in windows.items()
        )
        return windows if len(windows) == 1 and all(is_said) else {}
    return {}


def _may_be_window(
    title: str, name: str, fields: Mapping[str, Column]
) -> bool:
    """Whether a name says that a column may be a window, or when one opens.

    Windows under another name may be those in which nobody is there.
    """
    of_vehicles = "vehicle" in fields
    if is_delivery(title) and not of_vehicles:
        return True
    likely = likely_fields(title, of_vehicles=of_vehicles)
    alike = (name, fields[name].target[0], "max_duration")
    return any(each in alike for each in likely or ())


def _that_count(
    table: Table, titles: Sequence[str], column: Column
) -> list[str]:
    """Return those of the titles of a field that count.

    Of spare names it is the first one whose cells differ, else the first. A
    bare number may be that of a house: at most one of its cells is blank.
    """
    ranks = {title: rank_of(title, column) for title in titles}
    counted = [title for title in titles if ranks[title] == 0]
    last = rank_of(_BARE_NUMBER, column) or math.inf
    spare = sorted(titles, key=ranks.__getitem__)
    sure = [title for title in spare if ranks[title] < last]
    cells = {
        t: [c for c in table.columns[t] if t not in sure or not is_blank(c)]
        for t in spare
    }
    differ = [
        t for t in spare if 0 < len(cells[t]) == len({*map(text_of, cells[t])})
    ]
    return counted or (differ or sure)[:1]


def _questions(
    table: Table, fields: Mapping[str, Column], readings: Mapping[str, Reading]
) -> list[Question]:
    """Return what is asked about columns, each with what it may be."""
    taken = {
        r.field: title
        for title, r in readings.items()
        if r.field and r.why not in (ASKED, TWICE)
    }
    found: list[Question] = []
    for title, (field, why, near) in readings.items():
        if why in (ASKED, TWICE):
            given = table.columns[title]
            cells = [cell for cell in given if not _is_nothing(title, cell)]
            likely = [field] if field else [*filter(None, near.split(" or "))]
            cost = _COSTS.get(likely[0], "") if likely else ""
            asked = (table.source, title, cells, likely, cost, fields, taken)
            found.append(Question(*asked))
    return found


def _require_one(
    table: Table,
    field: str,
    readings: Mapping[str, Reading],
    asked: Sequence[Question],
    *,
    is_said: bool,
) -> None:
    """Refuse two columns of one field, or of a window and its end."""
    both = [title for title, r in readings.items() if r.field == field]
    both = [t for t in both if readings[t].why in (NAMED, TWICE)]
    rule = f"the columns {' and '.join(both)} name the same field"
    fields = {**CUSTOMER_COLUMNS, **VEHICLE_COLUMNS}
    ends = {
        name: column.target
        for name, column in fields.items()
        if column.kind in (WINDOW, BREAK)
    }
    if len(both) == 1 and field in ends:
        both += [t for t, r in readings.items() if r.field in ends[field]]
        rule = f"the columns {both[0]} and {both[-1]} mean the same: {WAY_OUT}"
    elif len(both) > 1 and is_said:
        taken = [_option_to_take(each, field) for each in both]
        named = " or ".join(filter(None, ("columns=", *taken)))
        rule = f"{rule}: choose one ({named})"
    if len(both) < 2:
        return
    error = InstanceError(table.source, "columns", rule)
    error.options = (_option_to_take("?", field), _option_to_ignore("?"))
    error.questions = tuple(each for each in asked if each.title in both)
    raise error


def _require_harmless(
    table: Table,
    readings: Mapping[str, Reading],
    questions: Sequence[Question],
    *,
    is_said: bool,
) -> None:
    """Refuse all unread columns that may matter, in one message."""
    asked = [title for title, r in readings.items() if r.why == ASKED]
    if not asked:
        return
    rule = "these may be costs or constraints, and are not read: remove them"
    if is_said:
        rule = (
            "these may be costs or constraints, and are not read: state the "
            "field of each or ignore it, as below; in Python "
            'columns={"FIELD": "NAME"}, ignore_columns=["NAME"]'
        )
    lines: list[str] = []
    options: list[str] = []
    for title in asked:
        cells = [*zip(table.places, table.columns[title], strict=True)]
        place, cell = next(c for c in cells if not _is_nothing(title, c[1]))
        if counts_rows(title):
            cells = [c for c in cells if not _flag_of(c[1])]
            place, cell = cells[0]
        line = (
            f"  {shortened(title, 40)} ({shortened(text_of(cell), 24)} in "
            f"{place})"
        )
        field, _, near = readings[title]
        if near:
            line = f"{line}: did you mean {near}?"
        cost = _COSTS.get(near.partition(" ")[0], "") if is_said else ""
        if cost:
            line = f"{line} {cost[0].upper()}{cost[1:]}."
        if is_said:
            taken = _option_to_take(title, field or "?")
            ignored = _option_to_ignore(title)
            if field and taken:
                ignored = f"{taken} or {ignored}"
            elif counts_rows(title):
                ignored = f"leave out the rows that do not count, or {ignored}"
                taken = ""
            else:
                # Accepting all proposals must not lose a constraint.
                ignored = (
                    f"{'If' if near else 'if'} it does not matter, {ignored}"
                )
            options += filter(None, [taken])
            line = f"{line}{'' if near else ':'} {ignored}"
        lines.append(line)
    if len(lines) > _MOST_ASKED:
        lines[_MOST_ASKED:] = [f"  and {len(asked) - _MOST_ASKED} more"]
    error = UnsupportedProblemError(
        table.source, "columns", rule, details=tuple(lines)
    )
    error.options = tuple(options)
    error.questions = tuple(each for each in questions if each.title in asked)
    raise error


def _may_matter(
    title: str, cells: Sequence[object], of_vehicles: bool
) -> bool:
    """Whether a column may be a cost or a constraint.

    A constant says nothing that sets customers apart; the limit or the cost
    of all vehicles may be one.
    """
    texts = [text_of(cell) for cell in cells if not _is_nothing(title, cell)]
    if not texts or is_harmless(title, of_vehicles=of_vehicles):
        return False
    if counts_rows(title):
        return not all(map(_flag_of, cells))
    if may_matter(title) or no_says_more(title):
        return True
    if len(texts) == len(cells) and len(set(texts)) == 1:
        return holds_windows(texts) or (of_vehicles and _has_digit(texts[0]))
    letters = [sum(map(str.isalpha, text)) for text in texts]
    size = sum(map(len, texts))
    is_text = 2 * sum(letters) > size and all(letters)
    return not is_text or size <= _LONG_TEXT * len(texts)


def _is_nothing(title: str, cell: object) -> bool:
    if _flag_of(cell) is False:
        return not no_says_more(title)
    return is_blank(cell)


def _mistyped(
    table: Table, title: str, fields: Mapping[str, Column], naming: Naming
) -> str:
    """Return the field of the one name that a title misses by few letters."""
    of_vehicles = "vehicle" in fields
    cells = [cell for cell in table.columns[title] if not is_blank(cell)]
    # A "releas date" that is a time of day is no date.
    is_text = is_harmless(title, of_vehicles=of_vehicles)
    if title in naming.unlikely or (is_text and not holds_moments(cells)):
        return ""
    names = {
        name: field
        for field, column in fields.items()
        for name in (*column.names, *column.spare)
    }
    field = field_mistyped(title, names)
    for unit in (LENGTH, LOADS, TIME, PER_LENGTH, PER_TIME):
        some = {name: f for name, f in names.items() if fields[f].unit == unit}
        field = field or field_mistyped(without_unit(title, unit), some)
    is_so = field and cells and _fits(cells, fields[field], 1.0)
    return field if is_so else ""


def _likely_field(
    table: Table,
    title: str,
    fields: Mapping[str, Column],
    free: set[str],
    naming: Naming,
) -> Reading:
    """Return the free field that a column may be, or what else to ask.

    It is read where all words of the name, and all cells, say the one field.
    """
    of_vehicles = "vehicle" in fields
    likely = likely_fields(title, of_vehicles=of_vehicles)
    possible = likely_fields(title, of_vehicles=of_vehicles, says_all=False)
    if likely is None:
        possible = [f for f in ("window", "shift") if agrees(title, f)]
    cells = [
        cell for cell in table.columns[title] if not _is_nothing(title, cell)
    ]
    are_ids = not of_vehicles and _are_ids_of_orders(title, cells)
    if are_ids and _kind_of(cells) == TEXT:
        is_free = "id" in free
        return Reading("id", BY_WORDS) if is_free else Reading("", ASKED)
    if "speed" in free and _are_speeds(title, cells):
        return Reading("speed", BY_WORDS)
    is_place = title in _OF_TEXTS
    if is_place and not any(_has_digit(text_of(c)) for c in cells):
        likely = [_OF_TEXTS[title]]
    is_reference = not of_vehicles and _refers(table, title)
    if is_reference:
        likely = [each for each in likely or () if each == "deliver_to"]
    found = _fitting(cells, likely or (), fields, free)
    names = {name: f for f in fields for name in fields[f].names}
    close = get_close_matches("_".join(pieces_of(title)), names, 1, 0.8)
    near = [names[each] for each in close]
    is_said = len(found) == 1 and (
        _says_content(title, found[0], fields[found[0]], cells)
        and says_only(title, found[0], of_vehicles=of_vehicles)
    )
    # A name whose words are all known is no mistyped one.
    is_other = bool(found and near and not is_said) and (
        near[0] != _family(found[0], fields)[0]
    )
    is_open = len(found) > 1 and fields[found[0]].kind == MOMENT
    is_open |= found[:1] == ["priority"] and _are_ranks(cells)
    if title in naming.unlikely or (is_other and not is_place) or is_open:
        found = []
    # A time without a unit is refused where others have one.
    sure = [
        f
        for f in found
        if fields[f].is_time or _says_unit(title, cells, fields[f])
    ]
    sure = [f for f in sure[:1] if _fits(cells, fields[f], 1.0)]
    if sure:
        column = fields[sure[0]]
        is_read = is_said and _says_unit(title, cells, column)
        return Reading(sure[0], BY_WORDS if is_read else ASKED)
    found = _fitting(cells, near, fields, free)
    for others in (likely, possible):
        found += _fitting(cells, others or (), fields, free)
    if is_reference:
        found = ["deliver_to"] if agrees(title, "deliver_to") else []
    else:
        found += _by_cells(title, cells, fields, is_understood=bool(found))
        found.sort(key=lambda each: not agrees(title, each))
    found = ["id"] * are_ids + found
    found = [each for each in dict.fromkeys(found) if each in free]
    return Reading("", ASKED, " or ".join(found[:_MOST_LIKELY]))


def _by_cells(
    title: str,
    cells: Sequence[object],
    fields: Mapping[str, Column],
    *,
    is_understood: bool,
) -> list[str]:
    """Return the fields of some cells that a name does not speak against.

    They are few where the name may mean something else already.
    """
    kind = _kind_of(cells)
    is_word = kind in (TEXT, FLAG) and may_matter(title)
    is_understood |= is_word or counts_rows(title)
    is_any = not is_understood and (
        kind == MOMENT or (kind == WINDOW and not is_turned(title))
    )
    wanted = (_ALSO_OF_CELLS if is_understood else _OF_CELLS).get(kind, ())
    return [
        field
        for field in wanted
        if field in fields
        and (is_any or agrees(title, field, says_all=is_understood))
        and _fits(cells, fields[field])
    ]


def _says_content(
    title: str, field: str, column: Column, cells: Sequence[object]
) -> bool:
    """Whether a load, or a text, of a field can be no other one.

    Depots that are none are refused, and skills of vehicles have words.
    """
    if column.unit == LOADS:
        of_vehicles = field == "capacity"
        is_first = of_vehicles or field in ("demand", "pickup")
        is_number = is_first and _kind_of(cells) == NUMBER
        return is_number and says_load(title, of_vehicles=of_vehicles)
    if not column.is_text or column.kind == FLAG:
        return field != "prize"  # it makes a customer optional
    if field == "has_skills":
        return not any(
            _has_digit(text_of(cell)) or _flag_of(cell) is not None
            for cell in cells
        )
    return field in _DEPOTS and title not in _OF_TEXTS


def _are_ids_of_orders(title: str, cells: Sequence[object]) -> bool:
    """Whether different cells below a name of orders may be their ids."""
    texts = {*map(text_of, cells)}
    return (
        len(cells) > 1
        and len(texts) == len(cells)
        and _is_one_of(title, "names.orders")
        and sum(map(_has_digit, texts)) >= len(texts) - 1  # but a depot
    )


def _are_speeds(title: str, cells: Sequence[object]) -> bool:
    """Whether cells below a name of speeds all have the unit of one."""
    return (
        len(cells) > 0
        and _is_one_of(title, "names.speeds")
        and all(speed_in(cell) is not None for cell in cells)
    )


def _is_one_of(title: str, key: str) -> bool:
    """Whether a name is one of an entry of words."""
    return pieces_of(title) in map(pieces_of, words_of(key))


def _are_ranks(cells: Sequence[object]) -> bool:
    """Whether numbers may be ranks, of which 1 comes first."""
    return all(number_of(text_of(cell)) <= _LAST_RANK for cell in cells)


def _refers(table: Table, title: str) -> bool:
    """Whether cells are ids of other rows, which are more than numbers."""
    titles = (t for t in table.columns if field_of(t, PLACE_COLUMNS) == "id")
    own = [text_of(cell) for cell in table.columns[next(titles, title)]]
    pairs = zip(own, table.columns[title], strict=True)
    given = [(i, text_of(c)) for i, c in pairs if not is_blank(c)]
    is_id = field_of(title, PLACE_COLUMNS) == "id"
    is_any = any(text != i and not text.isdecimal() for i, text in given)
    return is_any and not is_id and {*own}.issuperset(t for _, t in given)


def _kind_of(cells: Sequence[object]) -> str:
    """Return the kind of columns that cells without a name are likely of."""
    texts = [*map(text_of, cells)]
    if holds_windows(cells, with_hours=True) or all(
        ":" in text and "-" in text for text in texts
    ):
        return WINDOW
    if holds_moments(cells):
        return MOMENT
    if all(_flag_of(cell) is not None for cell in cells):
        return FLAG
    if all(is_amount(cell) and is_time(cell, SERVICE) for cell in cells):
        is_plain = math.isfinite(number_of(texts[0]))
        return NUMBER if is_plain else SERVICE
    return NUMBER if all(map(is_amount, cells)) else TEXT


def _says_unit(title: str, cells: Sequence[object], column: Column) -> bool:
    """Whether a name or the cells have the unit of a length, or of a time."""
    has_numbers = any(math.isfinite(number_of(text_of(c))) for c in cells)
    is_bare = column.unit in (LENGTH, PER_LENGTH, TIME, PER_TIME)
    return not (is_bare and has_numbers) or column.unit_in(title) is not None


def _fitting(
    cells: Sequence[object],
    likely: Iterable[str],
    fields: Mapping[str, Column],
    free: Container[str],
    some: float = 0.5,
) -> list[str]:
    """Return the free fields of some kinds that cells can be read as.

    ``some`` is the least share of cells that each must read.
    """
    found: list[str] = []
    is_flag = all(map(_flag_of, cells))
    for field in likely:
        if is_flag and field.endswith("skills"):
            continue
        whole = {"open": "window"}.get(field, field)
        if field in ("shift_start", "max_duration"):
            whole = "shift"
        family = (*_family(field, fields), whole)
        fitting = (
            f for f in family if f in free and _fits(cells, fields[f], some)
        )
        found += [next(fitting, "")]
    return [*filter(None, found)]


def _family(field: str, fields: Mapping[str, Column]) -> list[str]:
    """Return a field, and of a load those of its further dimensions."""
    first = field.removesuffix("_2").removesuffix("_3")
    is_load = first in fields and fields[first].unit == LOADS
    return (
        [f"{first}{end}" for end in ("", "_2", "_3")] if is_load else [field]
    )


def _fits(cells: Sequence[object], column: Column, some: float = 0.5) -> bool:
    """Whether a share of cells can be read as those of a field."""
    if column.kind == FLAG:
        return all(_flag_of(cell) is not None for cell in cells)
    if column.is_text:
        return True
    if column.kind == BREAK:
        return True
    if column.kind == WINDOW:
        return holds_windows(cells, with_hours=True)
    can_read = [
        is_time(cell, column.kind)
        or math.isfinite(number_of(text_of(cell).replace(",", ".")))
        or (column.unit == LOADS and is_amount(cell))
        for cell in cells
    ]
    return sum(can_read) >= some * len(cells)


def _flag_of(cell: object) -> bool | None:
    """Return whether a cell says yes or no, ``None`` where neither."""
    return flags().get(text_of(cell).lower())


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _option_to_ignore(title: str) -> str:
    return f"--ignore-column {quoted(title)}"


def _option_to_take(title: str, field: str) -> str:
    """Return the option of the shell for a column, "" where there is none."""
    if set(title) & set(",="):
        return ""
    return f"--columns {quoted(f'{field}={title}')}"
