"""Write the figures of README from the recorded runs: ``make tables``."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Final

from ncc_routing.bench.row_files import read_rows

PAGE: Final = Path(__file__).parents[1] / "README.md"
RECORDS: Final = Path(__file__).parent / "benchmarks"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"

SOLVERS = ("ncc_routing", "AILS-II", "FILO2", "HGS-CVRP", "PyVRP")
"""In the order of the figures; XL is run by the first three."""


def gap(table: str, **wanted: str) -> str:
    """Return the mean gap of the rows that have some values."""
    rows = read_rows(RECORDS / f"{table}.csv")
    gaps = [
        float(row["gap_percent"])
        for row in rows
        if all(row[name] == value for name, value in wanted.items())
        and row["gap_percent"]
    ]
    return f"{mean(gaps):.2f}"


def beside_others(
    table: str, seconds: str, solvers: tuple[str, ...] = SOLVERS
) -> str:
    """Return the gaps of some solvers."""
    gaps = (gap(table, solver=s, seconds=seconds) for s in solvers)
    return f"{' / '.join(gaps)} %"


def warm_and_cold(table: str, seconds: str) -> str:
    """Return the gaps of PyVRP without a start and with one."""
    cold, warm = (
        gap(table, budget=seconds, start=start) for start in ("cold", "warm")
    )
    return f"{cold} % becomes {warm} %"


def of_the_largest(table: str) -> str:
    """Return time and memory of the largest first routes."""
    rows = [r for r in read_rows(RECORDS / table) if r["run"] == "first"]
    row = max(rows, key=lambda row: int(row["num_customers"]))
    seconds, size = float(row["process_seconds"]), float(row["peak_mib"])
    return f"{seconds:.0f} s, {size:.0f} MiB"


def figures() -> list[tuple[str, str, str]]:
    """Return what was run, how good it was, and the page of it."""
    others = ", ".join(SOLVERS)
    return [
        (
            "100 instances of X, one core, 1 s and 10 s",
            f"{gap('x_1s')} and {gap('x_10s')} % above the best known",
            "routes",
        ),
        (
            "25 of them, 60 s and 240 s",
            f"{gap('x_60s')} and {gap('x_240s')} %",
            "routes",
        ),
        (
            f"25 of them, 10 s: {others}",
            beside_others("peers_x", "10.0"),
            "routes",
        ),
        (
            "25 instances of XL, 1,420 to 9,362 customers, 60 s: "
            f"{', '.join(SOLVERS[:3])}",
            beside_others("peers_xl", "60.0", SOLVERS[:3]),
            "routes",
        ),
        (
            "PyVRP with our start, 15 instances of X, 5 s in all",
            warm_and_cold("warm_start_x", "5.0"),
            "warm_starts",
        ),
        (
            "PyVRP with our start, 12 instances with 1,000 customers and "
            "windows, 10 s in all",
            warm_and_cold("warm_start_vrptw_10s", "10.0"),
            "warm_starts",
        ),
        (
            "First routes for 200,000 customers, the whole process",
            of_the_largest("large.csv"),
            "size",
        ),
        (
            "56 capacitated p-median instances",
            f"{gap('ccp/cpmp', method='ckm')} %",
            "clusters",
        ),
    ]


def filled(text: str) -> str:
    """Return the text of README with today's figures between its marks."""
    rows = ["| what | gap or size | record |", "| --- | --- | --- |"]
    rows += [
        f"| {what} | {figure} | [{page.replace('_', ' ')}]"
        f"(docs/benchmarks/{page}.md) |"
        for what, figure, page in figures()
    ]
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    table = "\n".join(rows)
    return f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
