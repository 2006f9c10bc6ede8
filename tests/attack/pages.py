"""The page of the last attack: a row for each part, from its last run."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.harness.pages import replace_block
from ncc_routing.bench.protocol import ask_git
from ncc_routing.core.text_files import write_text
from tests.attack.parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.attack.runner import Report

PAGE: Final = Path(__file__).parents[2] / "docs" / "dev" / "reliability.md"
BLOCK: Final = "attack"
"""Page of the counts, and the name of the block in it."""

HEAD: Final = (
    "| part | what | counts | found | run |",
    "| --- | --- | --- | ---: | --- |",
)


def format_row(report: Report, run: str) -> str:
    """Return the row of a part in the table, in Markdown.

    Parameters
    ----------
    report
        What the part did and found.
    run
        Words on the run.
    """
    counts = ", ".join(
        f"{number:,} {name}" for name, number in report.counts.items()
    )
    part = report.part
    cells = (part.name, part.what, counts, str(len(report.findings)), run)
    return f"| {' | '.join(cells)} |"


def describe_commit() -> str:
    """Return commit and day of what is run now."""
    commit = ask_git("rev-parse", "--short", "HEAD") or "unknown"
    # The page itself changes from part to part.
    others = ("--", ":/", f":(exclude,top)docs/dev/{PAGE.name}")
    if ask_git("status", "--porcelain", *others):
        commit += " with changes"
    day = datetime.now(UTC).date()
    return f"{commit}, {day}"


def write_page(rows: Iterable[str], page: Path = PAGE) -> None:
    """Replace the rows of some parts in the page; the others stay.

    Parameters
    ----------
    rows
        Rows of parts, see ``format_row``.
    page
        The page. Default: that of the documentation.
    """
    text = page.read_text(encoding="utf-8")
    known = [*text.splitlines(), *rows]
    last = {row.split("|")[1].strip(): row for row in known if "|" in row}
    lines = [*HEAD, *(last[part.name] for part in PARTS if part.name in last)]
    lines += ["", f"Python {platform.python_version()}, {platform.system()}."]
    block = "\n".join(lines)
    write_text(page, replace_block(text, BLOCK, block))
