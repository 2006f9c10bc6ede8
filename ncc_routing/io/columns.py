"""What the columns of tables may be called."""

from __future__ import annotations

import logging
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.text import shortened
from ncc_routing.io.cells import NO, YES
from ncc_routing.io.column_words import is_harmless, likely_field, may_matter
from ncc_routing.io.fields import (
    CUSTOMER_COLUMNS,
    VEHICLE_COLUMNS,
    Column,
    field_of,
    pieces_of,
)
from ncc_routing.io.tables import (
    Table,
    is_blank,
    text_of,
    title_of,
    with_decimal_commas,
)

logger = logging.getLogger(__name__)

_LONG_TEXT: Final = 12
"""Characters; longer cells in the mean are texts for people."""

_OF_TEXTS: Final = {"start": "start_depot", "end": "end_depot"}
"""Fields that names of times are likely to mean above cells without a digit.
"""

_MOST_ASKED: Final = 30
"""Columns that a message names."""


@dataclass(frozen=True)
class Naming:
    """What a user says about the names of columns.

    ``columns`` gives fields their names, ``ignored`` names columns that do
    not count.
    """

    columns: Mapping[str, str]
    ignored: tuple[str, ...] = ()

    @classmethod
    def of(cls, columns: object, ignored: object) -> Naming:
        """Return what is said; ``ParameterError`` where it is no name."""
        known = {**CUSTOMER_COLUMNS, **VEHICLE_COLUMNS}
        if not isinstance(columns or {}, Mapping):
            raise ParameterError("columns must be a mapping of fields.")
        named = {
            str(field).strip().lower(): title_of(title)
            for field, title in dict(columns or {}).items()  # type: ignore[call-overload]
        }
        for field in named:
            if field not in known:
                raise ParameterError(
                    f"columns: {field} is no field; these are: "
                    f"{', '.join(known)}."
                )
        for fields in (CUSTOMER_COLUMNS, VEHICLE_COLUMNS):
            titles = [named[field] for field in named if field in fields]
            if len(set(titles)) < len(titles):
                raise ParameterError("columns: a column must have one field.")
        if isinstance(ignored, str) or not isinstance(ignored, Sequence):
            raise ParameterError("ignore_columns must be a list of names.")
        return cls(named, tuple(map(title_of, ignored)))

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
                raise ParameterError(f"column {title} is named and ignored.")


NO_NAMING: Final = Naming({})
"""Columns are known by their names alone."""


def name_columns(
    table: Table, fields: Mapping[str, Column], naming: Naming | None = None
) -> Table:
    """Return a table with the columns of some fields, by their fields.

    A name that ``naming`` states wins over a guessed one. ``Table.unused``
    names the other columns, and a log line says them; those that may matter
    are refused.
    """
    said = naming or NO_NAMING
    stated = {
        title: field
        for field, title in said.columns.items()
        if field in fields and title in table.columns
    }
    columns: dict[str, list[object]] = {}
    titles: dict[str, str] = {}
    unused = []
    for title, cells in table.columns.items():
        field = stated.get(title) or field_of(title, fields)
        if title not in stated and field in stated.values():
            field = None
        if field is None or (title in said.ignored and title not in stated):
            unused.append(title)
            continue
        if field in columns:
            both = (titles[field], title)
            rule = f"the columns {' and '.join(both)} name the same field"
            if naming is not None:
                options = (_option_to_take(each, field) for each in both)
                options_named = " or ".join(
                    filter(None, ("columns=", *options))
                )
                rule = f"{rule}: say which counts ({options_named})"
            raise InstanceError(table.source, "columns", rule)
        columns[field], titles[field] = cells, title
    _require_harmless(
        table,
        [title for title in unused if title not in said.ignored],
        fields,
        fields.keys() - columns.keys(),
        naming,
    )
    if unused:
        names = shortened(", ".join(unused))
        logger.warning("%s: columns not used: %s.", table.source, names)
    named = replace(
        table, columns=columns, titles=titles, unused=tuple(unused)
    )
    return with_decimal_commas(
        named, [name for name in columns if not fields[name].is_text]
    )


def _require_harmless(
    table: Table,
    titles: Sequence[str],
    fields: Mapping[str, Column],
    free: set[str],
    naming: Naming | None,
) -> None:
    """Refuse all unread columns that may matter, in one message.

    ``free`` are the fields that no column has. Without a naming nothing can be
    said about a column, and a word of a rule must be in its name.
    """
    of_vehicles = "vehicle" in fields
    asked = [
        title
        for title in titles
        if _may_matter(title, table.columns[title], of_vehicles)
        and (naming is not None or may_matter(title))
    ]
    if not asked:
        return
    rule = "these may be costs or constraints, and are not read: remove them"
    if naming is not None:
        rule = (
            "these may be costs or constraints, and are not read: state the "
            "field of each or ignore it, as below; in Python "
            'columns={"FIELD": "NAME"}, ignore_columns=["NAME"]'
        )
    lines = []
    for title in asked[:_MOST_ASKED]:
        cells = zip(table.places, table.columns[title], strict=True)
        place, cell = next(each for each in cells if not _is_nothing(each[1]))
        line = (
            f"  {shortened(title, 40)} ({shortened(text_of(cell), 24)} in "
            f"{place})"
        )
        if naming is not None:
            field = _likely_field(table, title, fields, free)
            line = f"{line}: {_options_for(title, field)}"
            free -= {field}
        lines.append(line)
    if len(asked) > _MOST_ASKED:
        lines.append(f"  and {len(asked) - _MOST_ASKED} more")
    raise UnsupportedProblemError(
        table.source, "columns", rule, details=tuple(lines)
    )


def _may_matter(
    title: str, cells: Sequence[object], of_vehicles: bool
) -> bool:
    """Whether a column may be a cost or a constraint.

    A constant says nothing that sets customers apart; the limit or the cost
    of all vehicles may be one.
    """
    texts = [text_of(cell) for cell in cells if not _is_nothing(cell)]
    if not texts or is_harmless(title, of_vehicles=of_vehicles):
        return False
    if may_matter(title):
        return True
    if len(texts) == len(cells) and len(set(texts)) == 1:
        return of_vehicles and _has_digit(texts[0])
    letters = [sum(map(str.isalpha, text)) for text in texts]
    size = sum(map(len, texts))
    is_text = 2 * sum(letters) > size and all(letters)
    return not is_text or size <= _LONG_TEXT * len(texts)


def _is_nothing(cell: object) -> bool:
    return is_blank(cell) or text_of(cell).lower() in NO


def _likely_field(
    table: Table, title: str, fields: Mapping[str, Column], free: set[str]
) -> str:
    """Return the free field that a column may be, "" where none is likely."""
    likely = likely_field(title, of_vehicles="vehicle" in fields)
    if likely is None:
        known = {
            name: field
            for field, column in fields.items()
            for name in column.names
        }
        near = get_close_matches("_".join(pieces_of(title)), known, 1, 0.8)
        likely = known[near[0]] if near else ""
    texts = [
        text_of(cell) for cell in table.columns[title] if not _is_nothing(cell)
    ]
    is_text = likely in fields and fields[likely].is_text
    if not is_text and not any(map(_has_digit, texts)):
        likely = _OF_TEXTS.get(title, "")
    is_flag = all(text.lower() in YES for text in texts)
    if is_flag and likely.endswith("skills"):
        return ""
    family = (f"{likely}{end}" for end in ("", "_2", "_3"))
    return next((name for name in family if name in free), "")


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _options_for(title: str, field: str) -> str:
    ignored = f"--ignore-column {_quoted(title)}"
    taken = _option_to_take(title, field)
    return f"{taken} or {ignored}" if field and taken else ignored


def _option_to_take(title: str, field: str) -> str:
    """Return the option of the shell for a column, "" where there is none."""
    if set(title) & set(",="):
        return ""
    return f"--columns {_quoted(f'{field}={title}')}"


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w.-][\w.=-]*", text):
        return text
    return shlex.quote(text) if set(text) & set('"$`\\!') else f'"{text}"'
