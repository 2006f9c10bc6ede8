"""Write the phases by size and time into their page: ``make tables``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.vrp.search.plan import Plan, Step, plan_search

PAGE = Path(__file__).parent / "explanation" / "search.md"
BEGIN, END = "<!-- plan: begin -->", "<!-- plan: end -->"

SIZES = (100, 300, 600, 1000, 3000)
SECONDS = (1, 10, 60, 600)
ROUTE_LENGTH = 10.0
"""Customers on a route of the instances of the table."""


def in_words(plan: Plan) -> str:
    """Return how often each step comes, and where the evolution begins."""
    counts = Counter(phase.step for phase in plan)
    words = [
        f"{number} x {step}" if number > 1 else str(step)
        for step, number in counts.items()
        if step is not Step.EVOLVE
    ]
    if Step.EVOLVE in counts:
        words.append(f"{Step.EVOLVE} from {100.0 * plan[-2].end:.0f} %")
    return ", ".join(words)


def table() -> str:
    """Return the plan of one core as a table, a row for each size."""
    heads = ["customers", *(f"{seconds} s" for seconds in SECONDS)]
    rows = [
        f"| {' | '.join(heads)} |",
        "| --: " + "| --- " * len(SECONDS) + "|",
    ]
    for size in SIZES:
        instance = generate_uchoa(size, 1, route_length=ROUTE_LENGTH)
        plans = [in_words(plan_search(instance, each)) for each in SECONDS]
        rows.append(f"| {' | '.join([f'{size:,}', *plans])} |")
    return "\n".join(rows)


def filled(text: str) -> str:
    """Return the text of the page with today's table between its marks."""
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n\n{table()}\n\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
