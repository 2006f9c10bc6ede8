"""Columns of a table that the outputs show as given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import Declared, declared, text

if TYPE_CHECKING:
    from collections.abc import Sequence

GivenCell = str | int | float | bool | None
"""A cell as JSON holds it; ``None`` is an empty one."""

TOLD: Final = ("name", "address", "phone", "note")
"""What a column tells a driver, in the order of his list."""

_KINDS: Final = {str, int, float, bool, type(None)}


def _cells(source: str, name: str, given: Any) -> tuple[Any, ...]:
    del source, name  # its own check names the column
    return tuple(given)


@dataclass(frozen=True)
class GivenColumn(Declared):
    """A column as its table has it: an address, a phone number, a remark.

    No search and no check reads it.

    Parameters
    ----------
    title
        Its title, as given.
    cells
        Its cells, as given: texts, numbers, or ``None`` for an empty one.
    says
        What it tells a driver: "name", "address", "phone" or "note". Default:
        nothing.
    """

    title: str = text()
    cells: tuple[GivenCell, ...] = declared(_cells)
    says: str = text("")

    def __post_init__(self) -> None:
        self.read_fields("columns")
        if self.says not in ("", *TOLD):
            rule = f"says must be one of {', '.join(TOLD)}"
            raise InstanceError("columns", self.title, rule, self.says)
        kinds = set(map(type, self.cells))
        for cell in () if kinds <= _KINDS else self.cells:
            if not isinstance(cell, GivenCell):
                rule = "cells must be texts or numbers"
                raise InstanceError("columns", self.title, rule, str(cell))

    def take(self, nodes: Sequence[int]) -> GivenColumn:
        """Return the column of some nodes."""
        return replace(self, cells=tuple(map(self.cells.__getitem__, nodes)))


def check_columns(
    source: str, columns: Sequence[GivenColumn], num_nodes: int
) -> None:
    """Refuse columns without a cell for each node, or with one title."""
    for column in columns:
        if len(column.cells) != num_nodes:
            rule = f"must hold {num_nodes} cells, one for each node"
            field = f"columns, {column.title}"
            raise InstanceError(source, field, rule, len(column.cells))
    titles = [column.title.casefold() for column in columns]
    if len(set(titles)) < len(titles):
        raise InstanceError(source, "columns", "a title must appear once")
