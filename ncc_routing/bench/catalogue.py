"""The instances that can be named without a path."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.core.text import number_of
from ncc_routing.io.names import data_folders

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEADER_BYTES = 4096
"""Start of a file that is read for its head."""
_FIELD = re.compile(r"^[ \t]*(DIMENSION|CAPACITY)\s*:\s*(\d+)", re.MULTILINE)
_COST = re.compile(r"^[ \t]*cost[\s:]*([0-9.]+)", re.MULTILINE | re.IGNORECASE)
"""What the head of an instance and a solution file state."""


@dataclass(frozen=True)
class CatalogueEntry:
    """A known instance, from the head of its file and its ``.sol`` file."""

    name: str
    num_customers: int | None
    capacity: int | None
    bks: float | None
    path: Path


def list_instances(
    folders: Iterable[Path] | None = None,
) -> list[CatalogueEntry]:
    """Return the instances below some folders, the smallest first.

    Only the head of each file is read, and nothing is checked.
    """
    searched = data_folders() if folders is None else folders
    entries: dict[str, CatalogueEntry] = {}
    for folder in searched:
        for path in sorted(filter(Path.is_file, folder.rglob("*.vrp"))):
            # The first of two files of one name is the one that read() takes.
            entries.setdefault(path.stem, _entry(path))
    return sorted(
        entries.values(), key=lambda e: (e.num_customers or 0, e.name)
    )


def _entry(path: Path) -> CatalogueEntry:
    with path.open("rb") as file:
        head = file.read(_HEADER_BYTES).decode("latin-1")
    numbers = {key: int(value) for key, value in _FIELD.findall(head)}
    dimension = numbers.get("DIMENSION")
    return CatalogueEntry(
        name=path.stem,
        num_customers=None if dimension is None else dimension - 1,
        capacity=numbers.get("CAPACITY"),
        bks=_stated_cost(path.with_suffix(".sol")),
        path=path,
    )


def _stated_cost(path: Path) -> float | None:
    if not path.is_file():
        return None
    match = _COST.search(path.read_text(encoding="latin-1"))
    cost = number_of(match[1]) if match else math.nan
    return cost if math.isfinite(cost) else None
