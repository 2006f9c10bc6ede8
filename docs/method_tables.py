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
    "improvements": vrp_methods.IMPROVEMENTS,
    "clusterings": ccp_methods.METHODS,
}


def table(methods: Mapping[str, Method[..., object]]) -> str:
    """Return methods as a table: name, what it does, what it accepts.

    What all of them accept is left out, and a list stands there once.
    """
    rows = ["| name | what it does | also accepts |", "| --- | --- | --- |"]
    most, common = most_of(methods), common_to(methods)
    told: dict[str, str] = {}
    for method in methods.values():
        features = listed(method.accepts - common)
        if len(missing := most - method.accepts) < len(method.accepts):
            features = "everything"
            if missing:
                features += f" but {listed(missing)}"
        first = told.setdefault(features, method.name)
        if first != method.name and "," in features:
            features = f"as `{first}`"
        rows.append(f"| `{method.name}` | {method.summary} | {features} |")
    return "\n".join(rows)


def most_of(methods: Mapping[str, Method[..., object]]) -> frozenset[str]:
    """Return all that one of the methods accepts."""
    return max((method.accepts for method in methods.values()), key=len)


def common_to(methods: Mapping[str, Method[..., object]]) -> frozenset[str]:
    """Return what each of the methods accepts."""
    first, *others = (method.accepts for method in methods.values())
    return first.intersection(*others)


def listed(features: frozenset[str]) -> str:
    """Return features as a list in words."""
    return ", ".join(sorted(features)) or "-"


def filled(text: str) -> str:
    """Return the text of the page with today's tables between its marks."""
    for name, methods in TABLES.items():
        begin, end = BEGIN.format(name), END.format(name)
        head, rest = text.split(begin)
        tail = rest.split(end)[1]
        pieces = [begin, table(methods), end]
        if name != "improvements":  # they accept what constructions do
            lists = [f"Everything: {listed(most_of(methods))}."]
            if common := common_to(methods):
                lists.insert(0, f"All accept {listed(common)}.")
            pieces[2:2] = [
                fill(each, 79, break_on_hyphens=False) for each in lists
            ]
        text = head + "\n\n".join(pieces) + tail
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
