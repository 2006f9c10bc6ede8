"""Tables of refusals in the text of a test: a line for each input."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _pytest.mark import ParameterSet


def rows(text: str) -> list[ParameterSet]:
    r"""Return the cells between bars of each line, which names the case.

    Lines that begin with ``#`` are comments; ``\n`` and other escapes mean
    what they do in Python. Cells that are missing, up to four, are empty.
    """
    lines = [line.strip() for line in text.strip().splitlines()]
    found = [
        [cell.strip() for cell in line.split("|")]
        for line in lines
        if not line.startswith("#")
    ]
    width = max(4, *map(len, found))
    return [
        pytest.param(*map(unescaped, cells + [""] * (width - len(cells))))
        for cells in found
    ]


def unescaped(cell: str) -> str:
    """Return a cell with its escapes resolved."""
    return cell.encode("ascii", "backslashreplace").decode("unicode_escape")


@contextmanager
def refused(
    field: str,
    rule: str,
    value: str = "",
    source: object = None,
    error: type[Exception] = nr.InstanceError,
) -> Iterator[None]:
    """Require an error of just this class that names all of these.

    Parameters
    ----------
    field
        Its field, with the line or row.
    rule
        Part of its rule.
    value
        How its value begins as text. Default: any.
    source
        The file or object that it names. Default: any.
    error
        Its class. Default: ``InstanceError``.
    """
    with pytest.raises(nr.NccRoutingError) as caught:
        yield
    found: Any = caught.value
    assert type(found) is error, found
    assert rule in str(found)
    if isinstance(found, nr.InstanceError):
        assert found.field == field, found
        assert str(found.value).startswith(value), found
        assert source is None or str(source) == str(found.source), found
        assert str(found).count("\n") == len(found.details)


def written(folder: Path, text: str, name: str = "a.csv") -> Path:
    """Return a file with that text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def edited(text: str, changes: str) -> str:
    r"""Return a text of VRPLIB with changes, between ampersands.

    ``old -> new`` replaces; ``-NAME`` leaves out a line, or a section with
    its rows; ``NAME_SECTION\n1 2`` adds a section before that of the depots;
    ``NAME : 3`` adds a key.
    """
    for change in changes.split(" & "):
        old, arrow, new = change.partition("->")
        if arrow:
            old, new = old.strip(" "), new.strip(" ")
        elif change.startswith("-"):
            old, new = _part(text, change[1:]), ""
        elif "_SECTION" in change:
            old, new = "\nDEPOT_SECTION", f"\n{change}\nDEPOT_SECTION"
        else:
            old, new = text, f"{change}\n{text}"
        assert old in text, change
        text = text.replace(old, new, 1)
    return text


def _part(text: str, name: str) -> str:
    """Return a line, or a section with its rows."""
    lines = text[text.index(f"\n{name}") + 1 :].splitlines(keepends=True)
    size = 1
    while "_SECTION" in name and lines[size][0] in "-0123456789":
        size += 1
    return "".join(lines[:size])
