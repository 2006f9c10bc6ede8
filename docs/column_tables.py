"""Write the names of columns into their page: ``make tables``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ncc_routing.desk.fields import CUSTOMER_COLUMNS, VEHICLE_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.desk.fields import Column

PAGE = Path(__file__).parent / "reference" / "tables.md"
ENDS = ("begin", "end")
TABLES = {"customers": CUSTOMER_COLUMNS, "vehicles": VEHICLE_COLUMNS}


def meanings(fields: Mapping[str, Column]) -> str:
    """Return the fields as a table: name and meaning."""
    rows = ["| field | meaning |", "| --- | --- |"]
    rows += [f"| `{name}` | {fields[name].meaning} |" for name in fields]
    return "\n".join(rows)


def synonyms(fields: Mapping[str, Column]) -> str:
    """Return the fields as a table: name and the names of columns."""
    rows = ["| field | names |", "| --- | --- |"]
    for field, column in fields.items():
        words = ", ".join(
            name.replace("_", " ") for name in column.names + column.spare
        )
        rows.append(f"| `{field}` | {words} |")
    return "\n".join(rows)


def filled(text: str) -> str:
    """Return the text of the page with today's columns between its marks."""
    for part, table in (("columns", meanings), ("names", synonyms)):
        for name, fields in TABLES.items():
            begin, end = (f"<!-- {part} of {name}: {at} -->" for at in ENDS)
            head, rest = text.split(begin)
            tail = rest.split(end)[1]
            text = f"{head}{begin}\n\n{table(fields)}\n\n{end}{tail}"
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
