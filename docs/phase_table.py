"""Write the phases by size and time into their pages: ``make tables``."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.ccp import phases as of_clusters
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.vrp.search.phases import Phases, choose_phases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BEGIN, END = "<!-- plan: begin -->", "<!-- plan: end -->"

SIZES = (100, 300, 600, 1000, 3000)
SECONDS = (1, 10, 60, 600)
ROUTE_LENGTH = 10.0
"""Customers on a route of the instances of the table."""

POINTS = {
    "inertia": (1000, 10_000, 100_000),
    "cpmp": (1000, 1_000_000),
}
NUM_CLUSTERS = 50
"""Points by objective, and clusters, of the other table."""

LIMITS = {"no limit": inf, "a time limit": 60.0}


def in_words(plan: Phases) -> str:
    """Return the phases without their ends, and the runs of each."""
    words = (str(phase).partition(" to ")[0] for phase in plan)
    return ", ".join(words)


def route_table() -> str:
    """Return the plan of one core as a table, a row for each size."""
    rows = []
    for size in SIZES:
        instance = generate_uchoa(size, 1, route_length=ROUTE_LENGTH)
        plans = [in_words(choose_phases(instance, each)) for each in SECONDS]
        rows.append([f"{size:,}", *plans])
    return as_table(["customers", *(f"{each} s" for each in SECONDS)], rows)


def cluster_table() -> str:
    """Return the plans of clusterings, a row for each objective and size."""
    rows = []
    for objective, sizes in POINTS.items():
        for size in sizes:
            points = PointSet(np.zeros((size, 2)), np.ones(size), size)
            known = points, NUM_CLUSTERS, objective
            plans = [
                of_clusters.choose_phases(*known, seconds=each)
                for each in LIMITS.values()
            ]
            words = [", ".join(map(str, plan)) for plan in plans]
            rows.append([f"{size:,}", objective, *words])
    return as_table(["points", "objective", *LIMITS], rows)


def as_table(heads: list[str], rows: Iterable[list[str]]) -> str:
    """Return a table in Markdown, its first column of numbers."""
    rule = ["--:", *(["---"] * (len(heads) - 1))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, rule, *rows))


PAGES: Final[dict[Path, Callable[[], str]]] = {
    Path(__file__).parent / "concepts" / "search.md": route_table,
    Path(__file__).parent / "concepts" / "clusters.md": cluster_table,
}
"""The page of each table."""


def filled(text: str, table: str) -> str:
    """Return the text of a page with a table between its marks."""
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}"


if __name__ == "__main__":
    for page, table in PAGES.items():
        text = filled(page.read_text("utf-8"), table())
        page.write_text(text, encoding="utf-8")
