"""The text of a VRPLIB file: its keys and sections, there and back."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np
from vrplib.parse.parse_vrplib import parse_section

from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.core.text import has_foreign_signs, number_of, shortened
from ncc_routing.io.sections import (
    FREE_TEXT,
    LARGEST_NUMBER,
    REPEATED,
    SECTION,
    SECTIONS,
    UNREAD,
    Section,
)
from ncc_routing.problems.values import LARGEST_WHOLE

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path


_KEY: Final = re.compile(r"([A-Za-z]\w*)\s*:\s*(.*)")
"""A line "KEY : value"."""

_SECTION: Final = re.compile(r"(\w+)_SECTION\s*:?")
"""The first line of a section."""

_ROWS_OF: Final = {"DIMENSION": "node", "VEHICLES": "vehicle"}
"""What a key counts."""

_UNNUMBERED: Final = ("DEPOT", "EDGE_WEIGHT")
"""Sections whose rows have no number."""

_EXCERPT: Final = 40
"""Characters of a value that a message shows."""


def refuse(
    source: object,
    field: str,
    rule: str,
    value: object = None,
    error: type[InstanceError] = InstanceError,
) -> NoReturn:
    if isinstance(value, str):
        value = shortened(value, _EXCERPT)
    raise error(source, field, rule, value)


def numbers_in(
    source: object, field: str, rows: list[list[str]]
) -> np.ndarray:
    """Return the numbers that cells spell, all of them finite."""
    numbers = np.array([[number_of(cell) for cell in row] for row in rows])
    for row, column in np.argwhere(~np.isfinite(numbers))[:1].tolist():
        rule = "every value must be a number"
        refuse(source, field, rule, rows[row][column])
    return numbers


@dataclass(frozen=True)
class VrplibFields:
    """What a file says: its keys, and the rows of its sections.

    Keys and names of sections are in upper case, the latter without
    ``_SECTION``. A section holds lines of a text, or the values themselves
    by the numbers of their rows: an array, or lists of whole numbers.
    """

    source: Path
    keys: dict[str, str]
    sections: dict[str, Any]
    first_row: int = 1
    """What the file calls the first row of a section."""

    def refuse(
        self,
        field: str,
        rule: str,
        value: object = None,
        error: type[InstanceError] = InstanceError,
    ) -> NoReturn:
        refuse(self.source, field, rule, value, error)

    def refuse_first(
        self, field: str, rule: str, values: np.ndarray, is_wrong: np.ndarray
    ) -> None:
        for value in values[is_wrong][:1].tolist():
            self.refuse(field, rule, value)

    def has(self, name: str) -> bool:
        return name in self.sections or name in self.keys

    def field(self, name: str) -> str:
        """Return what the file calls a field that it has."""
        return f"{name}_SECTION" if name in self.sections else name

    def shown(self) -> set[str]:
        """Return what the file has, in the words of ``TYPES``."""
        return {
            word
            for section in SECTIONS
            for word in (section.name, *section.shows.split())
            if section.name in self.sections
            or (section.name in self.keys and word != "fleet")
        }

    def row(self, name: str, number: int) -> str:
        """Return what the file calls a row of a section."""
        number_of_row = f"row {number}"
        return (
            number_of_row
            if self.first_row == 0
            else f"{name}_SECTION, {number_of_row}"
        )

    def whole(self, key: str) -> int:
        value = number_of(self.keys[key])
        if not (abs(value) <= LARGEST_WHOLE and value.is_integer()):
            rule = "must be a whole number"
            if value.is_integer():
                rule += f" of at most {LARGEST_WHOLE} in size"
            self.refuse(key, rule, self.keys[key])
        return int(value)

    def real(self, key: str) -> float:
        value = number_of(self.keys[key])
        if not np.isfinite(value):
            self.refuse(key, "must be a finite number", self.keys[key])
        return value

    def require_rows(self, section: Section, size: int) -> None:
        key, field = section.counted_by, f"{section.name}_SECTION"
        rows = self.sections.get(section.name)
        if rows is None:
            self.refuse(field, "is missing")
        if len(rows) != size:
            rule = f"must list {key} = {size} {_ROWS_OF[key]}s"
            self.refuse(field, rule, len(rows))

    def require_numerals(self) -> None:
        """Refuse other cells than numbers: vrplib takes all of Python's."""
        for name, rows in self.sections.items():
            is_text = name in SECTION and SECTION[name].kind == "text"
            if isinstance(rows, np.ndarray) or name == "DEPOT" or is_text:
                continue
            lines = [row for row in rows if isinstance(row, str)]
            if has_foreign_signs("\n".join(lines)):
                row = next(line for line in lines if has_foreign_signs(line))
                rule = "every value must be a number"
                self.refuse(f"{name}_SECTION", rule, row)

    def values(self, section: Section) -> np.ndarray:
        """Return the values of a section, all finite, in order of its rows.

        A float64 array with a column for each value of a row.
        """
        given, field = self.sections[section.name], f"{section.name}_SECTION"
        if isinstance(given, np.ndarray):
            return self.finite(field, given, section.largest)
        order = self._order(section, given)
        rows = _without_numbers(section, given)
        width = section.width or max(1, len(rows[0]))
        if not (isinstance(rows, np.ndarray) and rows.shape[1] == width):
            pairs = zip(given, rows, strict=True)
            wrong = next(line for line, row in pairs if len(row) != width)
            rule = f"a row must hold a node number and {width} value(s)"
            self.refuse(field, rule, wrong)
        return self.finite(field, rows, section.largest)[order]

    def lists(self, section: Section, largest: int) -> list[list[int]]:
        """Return the numbers 1..largest in each row, in order of the rows."""
        given, field = self.sections[section.name], f"{section.name}_SECTION"
        if not (given and isinstance(given[0], str)):
            return [list(row) for row in given]
        rows = _without_numbers(section, given)
        rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
        for number in itertools.chain.from_iterable(rows):
            if not (isinstance(number, int) and 1 <= number <= largest):
                rule = f"must be whole numbers 1..{largest}"
                self.refuse(field, rule, number)
        return [rows[idx] for idx in self._order(section, given)]

    def texts(self, section: Section) -> list[str]:
        """Return the text of each row, in order of the rows."""
        given = self.sections[section.name]
        if not (given and isinstance(given[0], str)):
            return [text for (text,) in given]
        texts = [" ".join(line.split(maxsplit=1)[1:]) for line in given]
        return [texts[idx] for idx in self._order(section, given)]

    def num_weights(self) -> int:
        given = self.sections["EDGE_WEIGHT"]
        if isinstance(given, np.ndarray):
            return given.size
        return sum(len(line.split()) for line in given)

    def weights(self) -> np.ndarray:
        """Return the weights of all lines, which may break anywhere."""
        given = self.sections["EDGE_WEIGHT"]
        if not isinstance(given, np.ndarray):
            given = " ".join(given).split()
        return self.finite("EDGE_WEIGHT_SECTION", given).ravel()

    def finite(
        self, field: str, values: object, largest: float = LARGEST_NUMBER
    ) -> np.ndarray:
        """Return values as float64, refusing all that are not finite."""
        try:
            array = np.array(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            reason = shortened(str(error), _EXCERPT)
            self.refuse(field, f"every value must be a number ({reason})")
        rule = f"every value must be finite and at most {largest:g}"
        self.refuse_first(field, rule, array, ~(np.abs(array) <= largest))
        return array

    def _order(self, section: Section, lines: list[str]) -> list[int]:
        """Return the line of each row 1, 2, ..., which must all be there."""
        numbers = [line.split(maxsplit=1)[0] for line in lines]
        field, size = f"{section.name}_SECTION", len(numbers)
        what = "row" if section.is_list else _ROWS_OF[section.counted_by]
        if numbers == list(map(str, range(1, size + 1))):
            return list(range(size))
        line_of: dict[int, int] = {}
        for line, number in enumerate(numbers):
            row = number_of(number) if number.isdecimal() else 0.0
            if not 1 <= row <= size:
                rule = f"{what} numbers must be 1..{size}"
                self.refuse(field, rule, number)
            if row in line_of:
                rule = f"a {what} number must appear once"
                self.refuse(field, rule, int(row))
            line_of[int(row)] = line
        return [line_of[row] for row in range(1, size + 1)]


def _without_numbers(section: Section, lines: list[str]) -> Any:
    """Return the values of each line that vrplib reads, but its number.

    An array, or a list where lines differ in length. vrplib counts no rows,
    drops their numbers unread, and a single column loses its axis.
    """
    _, values = parse_section([section.name, *lines], {})
    is_array = isinstance(values, np.ndarray)
    return values.reshape(len(lines), -1) if is_array else values


def split_text(source: Path, text: str) -> VrplibFields:
    """Split a text into keys and sections, up to a line EOF.

    Behind it there may be remarks.
    """
    fields = VrplibFields(source, {}, {})
    rows: list[str] | None = None
    has_ended = False
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith("#"):
            continue
        if has_ended:
            _refuse_content(fields, number, line)
        elif rows is not None and (line[0].isdigit() or line[0] == "-"):
            rows.append(line)
        elif line.rstrip(": ") == "EOF":
            has_ended = True
        elif (word := _first_word(line)) in UNREAD:
            fields.refuse(word, UNREAD[word], None, UnsupportedProblemError)
        elif match := _SECTION.fullmatch(line):
            name = match[1].upper()
            _refuse_second(fields, fields.sections, name)
            rows = fields.sections.setdefault(name, [])
        elif match := _KEY.fullmatch(line):
            key = match[1].upper()
            if key not in REPEATED:
                _refuse_second(fields, fields.keys, key)
            fields.keys[key] = match[2]
        elif rows is not None:
            rows.append(line)
        else:
            rule = "must be a 'KEY : value' or belong to a section"
            fields.refuse(f"line {number}", rule, line)
    return fields


def _first_word(line: str) -> str:
    word = re.match(r"\w*", line)
    return word[0].upper().removesuffix("_SECTION") if word else ""


def _refuse_content(fields: VrplibFields, number: int, line: str) -> None:
    """Refuse a line behind EOF that would have been read before it."""
    key = _KEY.fullmatch(line)
    if (
        (key is not None and key[1].upper() not in FREE_TEXT)
        or _SECTION.fullmatch(line)
        or np.isfinite(number_of(line.split()[0]))
    ):
        fields.refuse(f"line {number}", "must come before EOF", line)


def _refuse_second(
    fields: VrplibFields, known: Container[str], name: str
) -> None:
    if name in known:
        fields.refuse(name, "must appear once")


def text_of(fields: VrplibFields) -> str:
    """Return the text of a file; ``split_text`` is the way back."""
    lines = [f"{key}: {value}" for key, value in fields.keys.items()]
    for name, rows in fields.sections.items():
        lines.append(f"{name}_SECTION")
        values = rows.tolist() if isinstance(rows, np.ndarray) else rows
        for number, row in enumerate(values, start=1):
            begin = "" if name in _UNNUMBERED else f"{number}\t"
            cells = [row] if isinstance(row, str) else map(plain, row)
            lines.append(begin + "\t".join(map(str, cells)))
    return "\n".join([*lines, "EOF", ""])


def plain(number: float | str) -> int | float | str:
    """Return a whole number as an int, so that it prints without ".0"."""
    if isinstance(number, str):
        return number
    return int(number) if float(number).is_integer() else float(number)


def looks_like_vrplib(text: str) -> bool:
    """Whether a text begins as a VRPLIB file: with a ``KEY : value``."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith("#"):
            return bool(_KEY.fullmatch(line) or _SECTION.fullmatch(line))
    return False


def leading_numbers(text: str, num_lines: int) -> list[list[float]]:
    """Return the numbers of the first lines, nan for what is none."""
    lines = (line.split() for line in text.splitlines() if line.strip())
    return [
        [number_of(cell) for cell in line]
        for line in itertools.islice(lines, num_lines)
    ]
