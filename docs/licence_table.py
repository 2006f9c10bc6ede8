"""Write the licences of the dependencies into their page: ``make tables``.

What a package says of itself in its metadata, for the version that is
installed. The row of a package that is not installed stays as it is.
"""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

PAGE = Path(__file__).parent / "reference" / "licences.md"
PROJECT = Path(__file__).parents[1] / "pyproject.toml"
BEGIN, END = "<!-- licences: begin -->", "<!-- licences: end -->"

# What the developers need, and nobody else.
LEFT_OUT = frozenset({"dev", "docs"})

LONGEST = 60
"""A licence field with more letters is the text of a licence, not a name."""

# What a name of a licence does not say.
REMARKS = {"elkai": "academic and non-commercial use only"}


def dependencies() -> dict[str, str]:
    """Return, for each package, the extras that bring it, or "always"."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    groups = {"always": project["dependencies"]}
    groups |= project["optional-dependencies"]
    found: dict[str, list[str]] = {}
    for group, requirements in groups.items():
        for requirement in requirements:
            name = re.split(r"[^\w.-]", requirement)[0]
            if group not in LEFT_OUT and name != project["name"]:
                found.setdefault(name, []).append(group)
    return {name: ", ".join(found[name]) for name in sorted(found)}


def row(name: str, brought_by: str) -> str | None:
    """Return the row of a package, or ``None`` where it is not installed."""
    try:
        found = metadata(name)
    except PackageNotFoundError:
        return None
    plain = found.json  # a lookup of what is missing may raise
    expression = str(plain.get("license_expression", ""))
    stated = expression or str(plain.get("license", ""))
    if not 0 < len(stated) <= LONGEST and not expression:
        named = [
            classifier.rpartition(" :: ")[2]
            for classifier in found.get_all("Classifier") or []
            if classifier.startswith("License ::")
        ]
        stated = ", ".join(named)
    if name in REMARKS:
        stated = f"{stated}: **{REMARKS[name]}**"
    return f"| {name} | {found['Version']} | {stated} | {brought_by} |"


def rows_of(text: str) -> dict[str, str]:
    """Return the rows of the page by package."""
    table = text.partition(BEGIN)[2].partition(END)[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][2:]
    return {line.split()[1]: line for line in lines}


def filled(text: str) -> str:
    """Return the text of the page with today's table between its marks."""
    known = rows_of(text)
    rows = [
        row(name, group) or known[name]
        for name, group in dependencies().items()
    ]
    head = "| package | version | licence | extra |\n| --- | --- | --- | --- |"
    begun = text.partition(BEGIN)[0] + BEGIN
    rest = END + text.partition(END)[2]
    return "\n\n".join([begun, "\n".join([head, *rows]), rest])


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), encoding="utf-8")
