"""The parts of a VRPLIB text, and what vrplib does not check in them.

vrplib drops the node numbers, stops at any line that contains "EOF", and
does not count rows. This module splits the text, checks these, and hands a
cleaned text on: vrplib stays the parser of every value.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.core.numerals import has_foreign_signs, number_of
from ncc_routing.core.printable import shortened
from ncc_routing.problems.values import LARGEST_WHOLE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LARGEST_NUMBER: Final = 1e9
"""Bound on coordinates, weights, demands and capacities of a file.

Sums of a million of them are still exact in float64.
"""

_SPECIFICATION: Final = re.compile(r"([A-Za-z]\w*)\s*:\s*(.*)")
"""A line "KEY : value"."""

_SECTION: Final = re.compile(r"(\w+)_SECTION\s*:?")
"""The first line of a section."""

FREE_TEXT: Final = (
    *("NAME", "COMMENT", "AUTHOR", "SOURCE", "CONTRIBUTOR", "REFERENCE"),
    *("URL", "DATE", "VERSION", "LICENSE"),
    *("BEST_KNOWN", "BEST_KNOWN_SOLUTION", "BEST_KNOWN_VALUE", "BKS"),
    *("OPTIMAL_VALUE", "OPTIMAL_COST", "OPTIMUM"),
)
"""Keys whose value says nothing about the problem, and may hold anything."""

_REPEATED: Final = ("COMMENT", "AUTHOR", "SOURCE")
"""Those that may come again."""

_COUNTED: Final = {"DIMENSION": "node", "VEHICLES": "vehicle"}
"""What a key counts."""

_UNREAD: Final = {
    "FIXED_EDGES": (
        "edges that a tour must contain (TSPLIB's FIXED_EDGES_SECTION) are "
        "not supported"
    ),
    "VEHICLE_KINDS": (
        "is of Pessoa's HFVRP format, which is not read: take VRPLIB's "
        "CAPACITY_SECTION, VEHICLES_FIXED_COST_SECTION and "
        "VEHICLES_UNIT_DISTANCE_COST_SECTION, or a table of vehicles"
    ),
}
"""What is known, and not read."""

_CORDEAU_TYPES: Final = (
    *("VRP", "PVRP", "MDVRP", "SDVRP"),
    *("VRPTW", "PVRPTW", "MDVRPTW", "SDVRPTW"),
)
"""Types of Cordeau's text format, by their numbers from 0."""

_EXCERPT: Final = 40
"""Characters of a value that a message shows."""


@dataclass(frozen=True)
class VrplibText:
    """A VRPLIB file, split into its specifications and sections.

    The keys of specifications are in upper case; the names of sections lack
    ``_SECTION``. ``parsed`` is what vrplib reads from ``cleaned()``.
    """

    source: Path
    specifications: dict[str, str]
    sections: dict[str, list[str]]
    parsed: Mapping[str, object] = field(default_factory=dict)

    def number(self, key: str) -> int:
        """Return a specification, refusing what is no whole number."""
        text = self.specifications[key]
        value = number_of(text)
        if not (abs(value) <= LARGEST_WHOLE and value.is_integer()):
            rule = "must be a whole number"
            if value.is_integer():
                rule += f" of at most {LARGEST_WHOLE} in size"
            raise InstanceError(self.source, key, rule, excerpt(text))
        return int(value)

    def real(self, key: str) -> float:
        """Return a specification, refusing what is no finite number."""
        text = self.specifications[key]
        value = number_of(text)
        if not np.isfinite(value):
            rule = "must be a finite number"
            raise InstanceError(self.source, key, rule, excerpt(text))
        return value

    def rows(self, section: str, size: int, of: str) -> list[str]:
        """Return the ``size`` lines of a section; the key ``of`` counts."""
        field = f"{section}_SECTION"
        if section not in self.sections:
            raise InstanceError(self.source, field, "is missing")
        lines = self.sections[section]
        if len(lines) != size:
            rule = f"must list {of} = {size} {_COUNTED[of]}s"
            raise InstanceError(self.source, field, rule, len(lines))
        return lines

    def values(
        self,
        section: str,
        size: int,
        width: int | None = 1,
        *,
        of: str = "DIMENSION",
        largest: float = LARGEST_NUMBER,
    ) -> np.ndarray:
        """Return the values of a section in the order of its row numbers.

        A float64 array of shape (size, width); the key ``of`` counts the rows.
        ``None`` stands for the width of the first row.
        """
        field = f"{section}_SECTION"
        lines = self.rows(section, size, of)
        rows = [line.split() for line in lines]
        order = self._order(field, [row[0] for row in rows], _COUNTED[of])
        width = width or max(1, len(rows[0]) - 1)
        for line, row in zip(lines, rows, strict=True):
            if len(row) != width + 1:
                rule = f"a row must hold a node number and {width} value(s)"
                raise InstanceError(self.source, field, rule, excerpt(line))
        values = self.finite(section, largest)
        return values.reshape(size, width)[order]

    def lists(
        self, section: str, size: int | None, largest: int, *, of: str
    ) -> list[list[int]]:
        """Return the numbers 1..largest of each row, in order of the rows.

        The key ``of`` counts the rows; ``None``: there may be any number.
        """
        field = f"{section}_SECTION"
        lines = self.sections[section]
        if size is not None:
            lines = self.rows(section, size, of)
        rows = [line.split() for line in lines]
        for number in itertools.chain.from_iterable(row[1:] for row in rows):
            value = number_of(number) if number.isdecimal() else 0.0
            if not 1 <= value <= largest:
                rule = f"must be whole numbers 1..{largest}"
                raise InstanceError(self.source, field, rule, excerpt(number))
        found = [list(map(int, row[1:])) for row in rows]
        order = self._order(field, [row[0] for row in rows], "row")
        if isinstance(order, slice):
            return found
        return [found[idx] for idx in order.tolist()]

    def _order(
        self, field: str, numbers: list[str], what: str
    ) -> np.ndarray | slice:
        """Return the row of each number; each of 1, 2, ... must be there."""
        size = len(numbers)
        if numbers == [str(number) for number in range(1, size + 1)]:
            return slice(None)
        row_of = np.full(size, -1)
        for row, number in enumerate(numbers):
            place = number_of(number) if number.isdecimal() else 0.0
            if not 1 <= place <= size:
                rule = f"{what} numbers must be 1..{size}"
                raise InstanceError(self.source, field, rule, excerpt(number))
            if row_of[int(place) - 1] >= 0:
                rule = f"a {what} number must appear once"
                raise InstanceError(self.source, field, rule, int(place))
            row_of[int(place) - 1] = row
        return row_of

    def column(
        self,
        name: str,
        size: int,
        *,
        of: str = "DIMENSION",
        largest: float = LARGEST_NUMBER,
    ) -> tuple[str, np.ndarray] | None:
        """Return name and values of a section, or of one number for all.

        ``None`` where the file has neither.
        """
        if name in self.sections:
            values = self.values(name, size, of=of, largest=largest)
            return f"{name}_SECTION", values[:, 0]
        if name in self.specifications:
            return name, np.full(size, self.real(name))
        return None

    def finite(
        self, section: str, largest: float = LARGEST_NUMBER
    ) -> np.ndarray:
        """Return what vrplib reads of a section, all finite, as float64."""
        return self._finite(section, self.parsed[section.lower()], largest)

    def weights(self) -> np.ndarray:
        """Return the weights of all lines, all finite, as float64."""
        given = " ".join(self.sections["EDGE_WEIGHT"]).split()
        return self._finite("EDGE_WEIGHT", given, LARGEST_NUMBER)

    def _finite(
        self, section: str, values: object, largest: float
    ) -> np.ndarray:
        field = f"{section}_SECTION"
        try:
            array = np.array(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            rule = f"every value must be a number ({excerpt(str(error))})"
            raise InstanceError(self.source, field, rule) from None
        for value in array[~(np.abs(array) <= largest)][:1]:
            rule = f"every value must be finite and at most {largest:g}"
            raise InstanceError(self.source, field, rule, float(value))
        return array

    def require_numerals(self) -> None:
        """Refuse other cells than numbers: vrplib takes all of Python's."""
        for name, lines in self.sections.items():
            if has_foreign_signs("\n".join(lines)):
                row = next(line for line in lines if has_foreign_signs(line))
                field, rule = f"{name}_SECTION", "every value must be a number"
                raise InstanceError(self.source, field, rule, excerpt(row))

    def cleaned(self) -> str:
        """Return the text for vrplib, without free texts and weights.

        vrplib would take "EOF" in a name for the end, and knows few layouts
        of weights.
        """
        lines = [
            f"{key}: {value}"
            for key, value in self.specifications.items()
            if key not in FREE_TEXT
        ]
        for name, rows in self.sections.items():
            if name != "EDGE_WEIGHT":
                lines += [f"{name}_SECTION", *rows]
        return "\n".join([*lines, "EOF"])


def split_text(source: Path, text: str) -> VrplibText:
    """Split a text into specifications and sections, up to a line EOF.

    Behind it there may be remarks.
    """
    specifications: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    rows: list[str] | None = None
    has_ended = False
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith("#"):
            continue
        if has_ended:
            _refuse_content(source, number, line)
        elif rows is not None and (line[0].isdigit() or line[0] == "-"):
            rows.append(line)
        elif line.rstrip(": ") == "EOF":
            has_ended = True
        elif (word := _first_word(line)) in _UNREAD:
            raise UnsupportedProblemError(source, word, _UNREAD[word])
        elif match := _SECTION.fullmatch(line):
            _refuse_second(source, sections, match[1].upper())
            rows = sections.setdefault(match[1].upper(), [])
        elif match := _SPECIFICATION.fullmatch(line):
            if match[1].upper() not in _REPEATED:
                _refuse_second(source, specifications, match[1].upper())
            specifications[match[1].upper()] = match[2]
        elif rows is not None:
            rows.append(line)
        else:
            rule = "must be a 'KEY : value' or belong to a section"
            field = f"line {number}"
            raise InstanceError(source, field, rule, excerpt(line))
    return VrplibText(source, specifications, sections)


def _first_word(line: str) -> str:
    """Return the key or the name of a section that a line begins with."""
    word = re.match(r"\w*", line)
    return word[0].upper().removesuffix("_SECTION") if word else ""


def _refuse_content(source: Path, number: int, line: str) -> None:
    """Refuse a line behind EOF that would have been read before it."""
    key = _SPECIFICATION.fullmatch(line)
    if (
        (key is not None and key[1].upper() not in FREE_TEXT)
        or _SECTION.fullmatch(line)
        or np.isfinite(number_of(line.split()[0]))
    ):
        rule = "must come before EOF"
        raise InstanceError(source, f"line {number}", rule, excerpt(line))


def _refuse_second(
    source: Path, found: Mapping[str, object], key: str
) -> None:
    if key in found:
        raise InstanceError(source, key, "must appear once")


def excerpt(text: str) -> str:
    """Return the text, cut where it would not fit into a message."""
    return shortened(text, _EXCERPT)


def looks_like_vrplib(text: str) -> bool:
    """Whether a text begins as a VRPLIB file: with a ``KEY : value``."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith("#"):
            return bool(
                _SPECIFICATION.fullmatch(line) or _SECTION.fullmatch(line)
            )
    return False


def leading_numbers(text: str, num_lines: int) -> list[list[float]]:
    """Return the numbers of the first lines, nan for what is none."""
    lines = (line.split() for line in text.splitlines() if line.strip())
    return [
        [number_of(cell) for cell in line]
        for line in itertools.islice(lines, num_lines)
    ]


def cordeau_type(text: str) -> str | None:
    """Return the type of a problem in Cordeau's text format, else ``None``.

    A line with type, vehicles, customers and days or depots; lines with a
    longest duration and a capacity; the customers.
    """
    head = leading_numbers(text, 3)
    if [len(line) for line in head[:2]] != [4, 2] or len(head[-1]) < 2:
        return None
    numbers = list(itertools.chain.from_iterable(head))
    if not all(map(float.is_integer, head[0])) or np.isnan(numbers).any():
        return None
    kind = int(head[0][0])
    known = range(len(_CORDEAU_TYPES))
    return _CORDEAU_TYPES[kind] if kind in known else None
