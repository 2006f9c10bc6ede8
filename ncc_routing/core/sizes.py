"""How large a file may be: a larger one is refused before it is parsed."""

from __future__ import annotations

from typing import Final

from ncc_routing.core.exceptions import InstanceError

MOST_BYTES: Final = 2**30
"""Bytes of a file, 1 GiB, uncompressed."""

MOST_CELLS: Final = 10_000_000
"""Cells of a table, and lines of a text."""

MOST_COLUMNS: Final = 16_384
"""Columns of a table, as in Excel."""

MOST_LENGTHS: Final = 100_000_000
"""Cells of a matrix: those of 10,000 places."""


def require_size(
    source: object, size: int, what: str = "bytes", most: int = MOST_BYTES
) -> None:
    """Refuse more bytes, lines or cells of a file than there may be."""
    if size > most:
        rule = f"must have at most {most:,} {what}"
        raise InstanceError(source, "file", rule, size)
