"""Pages of results: tables of experiments inside an author's text.

What stands between the marks of a name is made from CSV files; everything
around it belongs to the author and stays. Blocks that no experiment fills are
records: their code is that of the commit that they name.
"""

from __future__ import annotations

import re
from textwrap import fill
from typing import TYPE_CHECKING

from benchmarks.harness.runner import trace_file
from ncc_routing.bench.protocol import read_protocol, tell_protocol
from ncc_routing.bench.row_files import read_rows
from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from benchmarks.harness.experiment import Experiment, Page
    from ncc_routing.bench.tables import Rows

BEGIN, END = "<!-- begin {name} -->", "<!-- end {name} -->"
"""Marks around what is made; they do not show."""

MARK = re.compile(r"<!-- begin (\w+) -->")

COMMAND = "python -m benchmarks"

MAIN = "index.md"
"""The page that shows the first table of each experiment alone."""


def write_pages(pages: Sequence[Page], folder: Path) -> list[Path]:
    """Fill the marks in the pages of a folder that have a record.

    Parameters
    ----------
    pages
        Whose experiments fill the marks of their names.
    folder
        The pages, with the tables of ``a/page`` in ``a``.

    Returns
    -------
    list
        The files that have marks of experiments.
    """
    found = []
    made = {  # the first page that has an experiment runs it
        experiment.name: (page, experiment)
        for page in reversed(pages)
        for experiment in page.experiments
    }
    joined = {
        page.name.rpartition("/")[2]: page
        for page in pages
        if page.views or page.figure
    }
    for file in sorted(folder.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        names = set(MARK.findall(text))
        for name in names & made.keys():
            page, experiment = made[name]
            table = _table_of(page, experiment, folder)
            if table.is_file():
                block = format_block(
                    page, experiment, table, folder, file.name == MAIN
                )
                text = replace_block(text, name, block)
        for name in names & joined.keys():
            text = replace_block(text, name, _joined(joined[name], folder))
        if names & (made.keys() | joined.keys()):
            write_text(file, text)
            found.append(file)
    return found


def write_page(page: Page, folder: Path) -> Path:
    """Write the tables of a page into a file of its own, for a fresh run."""
    file = folder / f"{page.name}.md"
    question = fill(page.question, 79, break_long_words=False)
    text = f"# {page.title}\n\n{question}\n"
    for experiment in page.experiments:
        table = _table_of(page, experiment, folder)
        block = format_block(page, experiment, table, file.parent)
        text = replace_block(text, experiment.name, block)
    write_text(file, text)
    return file


def replace_block(text: str, name: str, block: str) -> str:
    """Return a text with something new between the marks of a name."""
    begin, end = BEGIN.format(name=name), END.format(name=name)
    made = f"{begin}\n\n{block}\n\n{end}"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    found, count = pattern.subn(lambda _: made, text)
    return found if count else f"{text.rstrip()}\n\n{made}\n"


def format_block(
    page: Page,
    experiment: Experiment,
    file: Path,
    folder: Path,
    is_short: bool = False,
) -> str:
    """Return the tables, the figure and the protocol of an experiment.

    Parameters
    ----------
    page
        The page that the experiment belongs to.
    experiment
        Whose table is summed up.
    file
        That table.
    folder
        Where links go from.
    is_short
        Return the first table and its source alone.
    """
    if not file.is_file():
        return "Not recorded yet."
    rows = read_rows(file)
    views = experiment.views[: 1 if is_short else None]
    parts = [view.format(rows) for view in views if rows]
    if is_short:
        return "\n\n".join([*parts, _source(page, [file], folder)])
    if experiment.figure is not None and rows:
        traces = read_rows(trace_file(file))
        figure = file.with_suffix(".svg")
        parts.append(_drawn(experiment.figure, rows, traces, figure, folder))
    files = [file, trace_file(file), file.with_suffix(".json")]
    links = [_link(f, folder) for f in files if f.is_file()]
    story = tell_protocol(read_protocol(file.with_suffix(".json")))
    told = fill(story, 79, break_on_hyphens=False, break_long_words=False)
    made = f"Made by `{COMMAND} {page.name}`:"
    parts.append("\n".join([told, made, f"{', '.join(links)}."]))
    return "\n\n".join(parts)


def _joined(page: Page, folder: Path) -> str:
    """Return the tables over all experiments of a page, and its figure."""
    files = [
        file
        for experiment in page.experiments
        if (file := _table_of(page, experiment, folder)).is_file()
    ]
    rows = [
        {**row, "experiment": file.stem}
        for file in files
        for row in read_rows(file)
    ]
    parts = [view.format(rows) for view in page.views]
    if page.figure is not None:
        file = folder / f"{page.name}.svg"
        parts.append(_drawn(page.figure, rows, [], file, folder))
    return "\n\n".join([*parts, _source(page, files, folder)])


def _drawn(
    draw: Callable[[Rows, Rows], Figure],
    rows: Rows,
    traces: Rows,
    file: Path,
    folder: Path,
) -> str:
    """Save a figure beside its table; return what shows it."""
    from benchmarks.harness.panels import save_svg

    save_svg(draw(rows, traces), file)
    return f"!{_link(file, folder).replace(file.suffix, '', 1)}"


def _source(page: Page, files: list[Path], folder: Path) -> str:
    """Return the command, and the table, commit and day of each file."""
    told = []
    for file in files:
        protocol = read_protocol(file.with_suffix(".json"))
        commit = protocol.get("commit") or protocol.get("recorded_in")
        day = str(protocol.get("date", "")).partition("T")[0]
        words = ", ".join(w for w in (f"commit {commit}", day) if w)
        told.append(f"{_link(file, folder)} ({words})")
    return f"`{COMMAND} {page.name}`:\n" + ",\n".join(told) + "."


def _table_of(page: Page, experiment: Experiment, folder: Path) -> Path:
    return (folder / page.name).with_name(f"{experiment.name}.csv")


def _link(file: Path, folder: Path) -> str:
    return f"[{file.name}]({file.relative_to(folder).as_posix()})"
