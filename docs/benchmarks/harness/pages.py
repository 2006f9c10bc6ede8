"""Pages of results: tables of records inside an author's text.

What stands between the marks of a name is made from CSV files; everything
around it belongs to the author and stays. Blocks that no experiment fills are
records: their code is that of the commit that they name.
"""

from __future__ import annotations

import re
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING

from benchmarks.harness.records import read_calls
from ncc_routing.bench.protocol import tell_protocol
from ncc_routing.core.row_files import read_rows
from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from benchmarks.harness.experiment import Experiment, Joined
    from ncc_routing.bench.records import Json

BEGIN, END = "<!-- begin {name} -->", "<!-- end {name} -->"
"""Marks around what is made; they do not show."""

MARK = re.compile(r"<!-- begin (\w+) -->")

COMMAND = "python -m benchmarks"

MAIN = "index.md"
"""The page that shows the first table of each experiment alone."""

RECORDS = "records"
"""The folder beside the pages with the records of each page."""


def write_pages(
    pages: Mapping[str, Iterable[Experiment]],
    joined: Iterable[Joined],
    folder: Path,
) -> list[Path]:
    """Fill the marks in the pages of a folder that have a record.

    Parameters
    ----------
    pages
        The experiments of each page.
    joined
        What is shown of several records together.
    folder
        The pages, with the records of ``page.md`` in ``records/page``.

    Returns
    -------
    list
        The files that have marks of experiments.
    """
    files = {
        experiment.name: folder / RECORDS / page / f"{experiment.name}.csv"
        for page, experiments in pages.items()
        for experiment in experiments
    }
    blocks: dict[str, Callable[..., str]] = {
        experiment.name: partial(
            format_block, experiment, files[experiment.name], folder
        )
        for experiments in pages.values()
        for experiment in experiments
        if files[experiment.name].is_file()
    }
    for view in joined:
        own = [files[name] for name in view.records if files[name].is_file()]
        blocks[view.name] = partial(_joined, view, own, folder)
    found = []
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        names = [name for name in MARK.findall(text) if name in blocks]
        for name in names:
            block = blocks[name](is_short=page.name == MAIN)
            text = replace_block(text, name, block)
        if names:
            write_text(page, text)
            found.append(page)
    return found


def replace_block(text: str, name: str, block: str) -> str:
    """Return a text with something new between the marks of a name."""
    begin, end = BEGIN.format(name=name), END.format(name=name)
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    return pattern.sub(lambda _: f"{begin}\n\n{block}\n\n{end}", text)


def format_block(
    experiment: Experiment, file: Path, folder: Path, *, is_short: bool = False
) -> str:
    """Return the tables of an experiment, and how they were made.

    Parameters
    ----------
    experiment
        Whose record is summed up.
    file
        That record.
    folder
        Where links go from.
    is_short
        Return the first table and its source alone.
    """
    rows = read_rows(file)
    views = experiment.views[: 1 if is_short else None]
    parts = [view.format(rows) for view in views if rows]
    if is_short:
        return "\n\n".join([*parts, _source([file], folder)])
    *earlier, last = read_calls(file)
    story = tell_protocol(last)
    if others := _commits_of(earlier, but=str(last.get("commit"))):
        story += f" Earlier rows: commit {', '.join(others)}."
    told = fill(story, 79, break_on_hyphens=False, break_long_words=False)
    made = f"Made by `{COMMAND} {experiment.name}`:"
    parts.append(f"{told}\n{made}\n{_link(file, folder)}.")
    return "\n\n".join(parts)


def _joined(
    view: Joined, files: list[Path], folder: Path, *, is_short: bool
) -> str:
    """Return the tables over several records, and their figure."""
    del is_short  # it is the same everywhere
    rows = [
        {**row, "experiment": file.stem}
        for file in files
        for row in read_rows(file)
    ]
    parts = [table.format(rows) for table in view.views]
    if view.figure is not None:
        from benchmarks.harness.panels import save_svg

        drawn = files[0].with_name(f"{view.name}.svg")
        save_svg(view.figure(rows), drawn)
        parts.append(f"!{_link(drawn, folder).replace('.svg', '', 1)}")
    return "\n\n".join([*parts, _source(files, folder)])


def _source(files: list[Path], folder: Path) -> str:
    """Return the command, and the record, commit and day of each file."""
    told = []
    for file in files:
        calls = read_calls(file)
        day = str(calls[-1].get("date", "")).partition("T")[0]
        commits = _commits_of(calls)
        word = "commits" if len(commits) > 1 else "commit"
        words = ", ".join(
            [f"{word} {', '.join(commits)}", *filter(None, [day])]
        )
        told.append(f"{_link(file, folder)} ({words})")
    names = " ".join(file.stem for file in files)
    return f"`{COMMAND} {names}`:\n" + ",\n".join(told) + "."


def _commits_of(calls: list[Json], but: str = "") -> list[str]:
    """Return the commits of some calls, each once."""
    commits = [str(c.get("commit") or c.get("recorded_in")) for c in calls]
    return [each for each in dict.fromkeys(commits) if each != but]


def _link(file: Path, folder: Path) -> str:
    return f"[{file.name}]({file.relative_to(folder).as_posix()})"
