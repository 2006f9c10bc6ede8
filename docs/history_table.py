"""Write the gap of each record of X at ten seconds: ``make tables``.

Git has the record of each commit, from the first one by the automatic polish.
A new record is in the table once it is committed.
"""

from __future__ import annotations

import csv
import io
import subprocess
from pathlib import Path
from statistics import mean
from typing import Final

from ncc_routing.bench.row_files import read_rows

PAGE: Final = Path(__file__).parent / "benchmarks" / "index.md"
TABLE: Final = PAGE.with_name("history.csv")
RECORD: Final = "docs/benchmarks/x_10s.csv"
BEGIN, END = "<!-- history: begin -->", "<!-- history: end -->"

HASH_LENGTH: Final = 7


def call_git(*words: str) -> str:
    """Return what git says in this repository.

    Raises
    ------
    subprocess.CalledProcessError, FileNotFoundError
        If this is no clone, or git is not installed.
    """
    command = ["git", "-C", str(PAGE.parents[2]), *words]
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode("utf-8")


def read_history() -> list[dict[str, str]]:
    """Return commit, day, subject and mean gap of each record, in order."""
    form = "--format=%H%x09%cs%x09%s"
    lines = call_git("log", "--reverse", form, "--", RECORD).splitlines()
    rows = []
    for line in lines:
        commit, day, subject = line.split("\t", 2)
        table = call_git("show", f"{commit}:{RECORD}")
        runs = csv.DictReader(io.StringIO(table))
        gaps = [
            float(run["gap_percent"])
            for run in runs
            if run["method"] == run["polish"] == "auto"
        ]
        if gaps:
            rows.append(
                {
                    "commit": commit[:HASH_LENGTH],
                    "date": day,
                    "record": subject,
                    "gap_percent": f"{mean(gaps):.2f}",
                }
            )
    return rows


def filled(text: str) -> str:
    """Return the text of the page with the table between its marks."""
    lines = ["| commit | day | record | gap % |", "| --- | --- | --- | ---: |"]
    lines += [f"| {' | '.join(row.values())} |" for row in read_rows(TABLE)]
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    table = "\n".join(lines)
    return f"{head}{BEGIN}\n\n{table}\n\n{END}{tail}"


if __name__ == "__main__":
    history = read_history()
    if len(history) >= len(read_rows(TABLE)):  # a shallow clone has fewer
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, history[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(history)
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
