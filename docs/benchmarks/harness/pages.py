"""Pages of results: the tables of an experiment inside an author's text.

What stands between the marks of an experiment is made from its CSV file;
everything around them belongs to the author and stays.
"""

from __future__ import annotations

import re
from textwrap import fill
from typing import TYPE_CHECKING

from benchmarks.harness.runner import trace_file
from ncc_routing.bench.protocol import read_protocol, tell_protocol
from ncc_routing.bench.row_files import read_rows
from ncc_routing.bench.tables import format_table
from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.harness.experiment import Experiment, Page

BEGIN, END = "<!-- begin {name} -->", "<!-- end {name} -->"
"""Marks around what is made; they do not show."""

COMMAND = "PYTHONPATH=docs python -m benchmarks"


def write_page(page: Page, folder: Path) -> Path:
    """Write the page of some experiments from their tables.

    Parameters
    ----------
    page
        The page. A file that exists keeps its text around the marks.
    folder
        Folder of the pages; the tables of ``a/page`` lie in ``a``.

    Returns
    -------
    pathlib.Path
        The page that was written.
    """
    file = folder / f"{page.name}.md"
    if file.is_file():
        text = file.read_text(encoding="utf-8")
    else:
        marks = [
            f"{BEGIN.format(name=e.name)}\n{END.format(name=e.name)}\n"
            for e in page.experiments
        ]
        up = "../" * page.name.count("/")
        more = f"[How results are made]({up}protocol.md), and what they mean."
        question = fill(f"{page.question} {more}", 79, break_long_words=False)
        head = f"# {page.title}\n\n{question}\n\n"
        text = head + "\n".join(marks)
    for experiment in page.experiments:
        block = format_block(experiment, file.parent)
        text = replace_block(text, experiment.name, block)
    text = replace_block(text, "command", _foot(page, text, file.parent))
    write_text(file, text)
    return file


def _foot(page: Page, text: str, folder: Path) -> str:
    """Return how the tables of a page are made, or were."""
    own = [experiment.name for experiment in page.experiments]
    names = re.findall(r"<!-- begin (\w+) -->", text)
    kept = [n for n in names if n not in (*own, "command")]
    parts = []
    if own:
        command = f"```sh\n{COMMAND} {page.name}\n```"
        what = ", ".join(f"`{n}`" for n in own) if kept else "its tables"
        parts.append(
            _filled(f"This page and {what} are made by") + f"\n\n{command}"
        )
    commits: dict[str, None] = {}
    for name in kept:
        protocol = read_protocol(folder / f"{name}.json")
        commit = protocol.get("commit") or protocol.get("recorded_in")
        commits[str(commit or "unknown")] = None
    if kept:
        what = ", ".join(f"`{name}`" for name in kept)
        made = "was" if len(kept) == 1 else "were"
        code = "that commit" if len(commits) == 1 else "those commits"
        word = "commit" if len(commits) == 1 else "commits"
        parts.append(
            _filled(
                f"{what} {made} made at {word} {', '.join(commits)} by code "
                f"of {code}."
            )
        )
    return "\n\n".join(parts)


def _filled(text: str) -> str:
    return fill(text, 79, break_on_hyphens=False, break_long_words=False)


def write_index(pages: Sequence[Page], folder: Path) -> None:
    """Write the table of the pages into ``index.md``."""
    file = folder / "index.md"
    body = [
        [f"[{page.title}]({page.name}.md)", page.question, f"`{page.name}`"]
        for page in pages
    ]
    table = format_table(["page", "what it shows", "name"], body)
    text = file.read_text(encoding="utf-8")
    write_text(file, replace_block(text, "index", table))


def replace_block(text: str, name: str, block: str) -> str:
    """Return a text with something new between the marks of a name."""
    begin, end = BEGIN.format(name=name), END.format(name=name)
    made = f"{begin}\n\n{block}\n\n{end}"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    found, count = pattern.subn(lambda _: made, text)
    return found if count else f"{text.rstrip()}\n\n{made}\n"


def format_block(experiment: Experiment, folder: Path) -> str:
    """Return tables, figure and protocol of an experiment."""
    file = folder / f"{experiment.name}.csv"
    if not file.is_file():
        return "Not recorded yet."
    rows = read_rows(file)
    parts = [view.format(rows) for view in experiment.views if rows]
    if experiment.figure is not None and rows:
        from benchmarks.harness.panels import save_svg

        traces = read_rows(trace_file(file))
        figure = file.with_suffix(".svg")
        save_svg(experiment.figure(rows, traces), figure)
        parts.append(f"![{experiment.name}]({figure.name})")
    files = [file, trace_file(file), file.with_suffix(".json")]
    links = [f"[{f.name}]({f.name})" for f in files if f.is_file()]
    story = tell_protocol(read_protocol(file.with_suffix(".json")))
    parts.append(fill(story, 79, break_on_hyphens=False))
    parts.append(f"Every run: {', '.join(links)}.")
    return "\n\n".join(parts)
