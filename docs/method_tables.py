"""Write the tables of methods into their page: ``make tables``."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from ncc_routing.ccp import methods as ccp_methods
from ncc_routing.vrp import methods as vrp_methods

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.core.methods import Method

PAGE = Path(__file__).parent / "reference" / "methods.md"
BEGIN, END = "<!-- {}: begin -->", "<!-- {}: end -->"

TABLES: dict[str, Mapping[str, Method[..., object]]] = {
    "constructions": vrp_methods.METHODS,
    "polishes": vrp_methods.POLISHES,
    "clusterings": ccp_methods.METHODS,
}


def table(methods: Mapping[str, Method[..., object]]) -> str:
    """Return methods as a table: name, what it does, what it accepts.

    What some of them accept together is listed once, below the table.
    """
    rows = ["| name | what it does | accepts also |", "| --- | --- | --- |"]
    most = max((m.accepts for m in methods.values()), key=len)
    for method in methods.values():
        features = ", ".join(sorted(method.accepts)) or "-"
        if method.accepts == most:
            features = "everything"
        rows.append(f"| `{method.name}` | {method.summary} | {features} |")
    listed = f"Everything: {', '.join(sorted(most))}."
    told = fill(listed, 79, break_on_hyphens=False)
    return "\n".join([*rows, "", told])


def filled(text: str) -> str:
    """Return the text of the page with today's tables between its marks."""
    for name, methods in TABLES.items():
        begin, end = BEGIN.format(name), END.format(name)
        head, rest = text.split(begin)
        tail = rest.split(end)[1]
        text = f"{head}{begin}\n\n{table(methods)}\n\n{end}{tail}"
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
