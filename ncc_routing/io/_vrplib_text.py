"""The parts of a VRPLIB text, and what vrplib does not look at in them.

vrplib drops the node numbers, stops at any line that contains "EOF", and
does not count rows. This module splits the text, keeps the numbers, and hands
a cleaned text on: vrplib stays the parser of every value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.numerals import has_foreign_signs, number_of
from ncc_routing.core.printable import shortened
from ncc_routing.problems.values import LARGEST_WHOLE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SPECIFICATION: Final = re.compile(r"([A-Za-z]\w*)\s*:\s*(.*)")
"""A line "KEY : value"."""

_SECTION: Final = re.compile(r"(\w+)_SECTION\s*:?")
"""The first line of a section."""

_FREE_TEXT: Final = ("NAME", "COMMENT", "AUTHOR", "SOURCE")
"""Keys whose value may hold anything."""

_COUNTED: Final = {"DIMENSION": "node", "VEHICLES": "vehicle"}
"""What a key counts."""

_EXCERPT: Final = 40
"""Characters of a value that a message shows."""


@dataclass(frozen=True)
class VrplibText:
    """A VRPLIB file, split into its specifications and sections.

    Parameters
    ----------
    source
        The file, for messages.
    specifications
        Value of each ``KEY : value`` line; keys in upper case.
    sections
        Lines of each section, by its name without ``_SECTION``.
    """

    source: Path
    specifications: dict[str, str]
    sections: dict[str, list[str]]

    def number(self, key: str) -> int:
        """Return a specification that has to be a whole number.

        Parameters
        ----------
        key
            The key, in upper case; it has to be there.

        Raises
        ------
        InstanceError
            If its value is not a whole number.
        """
        text = self.specifications[key]
        value = number_of(text)
        if not (abs(value) <= LARGEST_WHOLE and value.is_integer()):
            rule = "must be a whole number"
            raise InstanceError(self.source, key, rule, excerpt(text))
        return int(value)

    def real(self, key: str) -> float:
        """Return a specification that has to be a finite number.

        Raises
        ------
        InstanceError
            If it is none.
        """
        text = self.specifications[key]
        value = number_of(text)
        if not np.isfinite(value):
            rule = "must be a finite number"
            raise InstanceError(self.source, key, rule, excerpt(text))
        return value

    def rows(
        self, section: str, dimension: int, of: str = "DIMENSION"
    ) -> list[str]:
        """Return the lines of a section that lists every node once.

        Parameters
        ----------
        section
            Name of the section.
        dimension
            How many rows it must have.
        of
            Key that says how many. Default "DIMENSION", which counts nodes;
            "VEHICLES" counts vehicles.

        Raises
        ------
        InstanceError
            If the section is missing or does not have ``dimension`` rows.
        """
        field = f"{section}_SECTION"
        if section not in self.sections:
            raise InstanceError(self.source, field, "is missing")
        lines = self.sections[section]
        if len(lines) != dimension:
            things = _COUNTED[of]
            rule = f"must list {of} = {dimension} {things}s"
            raise InstanceError(self.source, field, rule, len(lines))
        return lines

    def positions(
        self, section: str, dimension: int, of: str = "DIMENSION"
    ) -> np.ndarray | None:
        """Return the row of each node, or ``None`` where rows are in order.

        Rows are put in the order of their node numbers: the number is part
        of the row, so a shuffled but complete list is not ambiguous. The
        parameters are those of ``rows``.

        Raises
        ------
        InstanceError
            If a number is missing, repeated, or outside 1..dimension.
        """
        numbers = [
            line.split(maxsplit=1)[0] for line in self.sections[section]
        ]
        if numbers == [str(node) for node in range(1, dimension + 1)]:
            return None
        field = f"{section}_SECTION"
        row_of = np.full(dimension, -1)
        for row, number in enumerate(numbers):
            place = number_of(number) if number.isdecimal() else 0.0
            if not 1 <= place <= dimension:
                rule = f"{_COUNTED[of]} numbers must be 1..{dimension}"
                raise InstanceError(self.source, field, rule, excerpt(number))
            if row_of[int(place) - 1] >= 0:
                rule = f"a {_COUNTED[of]} number must appear once"
                raise InstanceError(self.source, field, rule, int(place))
            row_of[int(place) - 1] = row
        return row_of

    def require_numerals(self) -> None:
        """Refuse sections that hold anything else than numbers.

        vrplib takes every number that Python does.

        Raises
        ------
        InstanceError
            It shows the row.
        """
        for name, lines in self.sections.items():
            if not has_foreign_signs("\n".join(lines)):
                continue
            row = next(line for line in lines if has_foreign_signs(line))
            field, rule = f"{name}_SECTION", "every value must be a number"
            raise InstanceError(self.source, field, rule, excerpt(row))

    def cleaned(self) -> str:
        """Return the text without the names and comments.

        vrplib would take "EOF" or "_SECTION" inside a name for the real
        thing.
        """
        lines = [
            f"{key}: {value}"
            for key, value in self.specifications.items()
            if key not in _FREE_TEXT
        ]
        for name, rows in self.sections.items():
            lines += [f"{name}_SECTION", *rows]
        return "\n".join([*lines, "EOF"])


def split_text(source: Path, text: str) -> VrplibText:
    """Split a text into specifications and sections.

    Parameters
    ----------
    source
        The file, for messages.
    text
        Its content. Lines that start with # are comments; reading ends at
        a line that says EOF.

    Raises
    ------
    InstanceError
        If a line belongs to neither, or a key or section appears twice.
    """
    specifications: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    rows: list[str] | None = None
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or line.startswith("#"):
            continue
        if rows is not None and (line[0].isdigit() or line[0] == "-"):
            rows.append(line)
        elif line.rstrip(": ") == "EOF":
            break
        elif match := _SECTION.fullmatch(line):
            _refuse_second(source, sections, match[1].upper())
            rows = sections.setdefault(match[1].upper(), [])
        elif match := _SPECIFICATION.fullmatch(line):
            _refuse_second(source, specifications, match[1].upper())
            specifications[match[1].upper()] = match[2]
        elif rows is not None:
            rows.append(line)
        else:
            rule = "must be a 'KEY : value' or belong to a section"
            field = f"line {number}"
            raise InstanceError(source, field, rule, excerpt(line))
    return VrplibText(source, specifications, sections)


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
