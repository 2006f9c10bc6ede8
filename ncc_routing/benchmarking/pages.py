"""Pages of results: the tables of an experiment inside an author's text.

What stands between the marks of an experiment is made from its CSV file;
everything around them belongs to the author and stays.
"""

from __future__ import annotations

import json
import re
from textwrap import fill
from typing import TYPE_CHECKING

from ncc_routing.benchmarking.row_files import read_rows, trace_file
from ncc_routing.benchmarking.tables import format_table
from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ncc_routing.benchmarking.experiment import Experiment, Page
    from ncc_routing.benchmarking.records import Json

BEGIN, END = "<!-- begin {name} -->", "<!-- end {name} -->"
"""Marks around what is made; they do not show."""

COMMAND = "python -m ncc_routing.benchmarking"

_MEASURES = (
    ("time_limit_seconds", "time limit {:g} s"),
    ("polish", "polish {}"),
    ("metric", "metric {}"),
    ("seeds", "seed(s) {}"),
    ("jobs", "{} run(s) at a time"),
    ("jobs_per_run", "{} core(s) each"),
)
"""What of a protocol is told in words, where it is there."""


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
    command = f"```sh\n{COMMAND} {page.name}\n```"
    foot = f"This page and its tables are made by\n\n{command}"
    text = replace_block(text, "command", foot)
    write_text(file, text)
    return file


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
        from ncc_routing.plotting.panels import save_svg

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


def read_protocol(file: Path) -> Json:
    """Return the protocol of the last call, empty where there is none."""
    if not file.is_file():
        return {}
    calls = json.loads(file.read_text(encoding="utf-8"))
    last: Json = calls[-1] if isinstance(calls, list) else calls
    return last


def tell_protocol(protocol: Json) -> str:
    """Return a protocol in words."""
    words = [
        form.format(_words(protocol[name]))
        for name, form in _MEASURES
        if protocol.get(name) is not None
    ]
    text = f"{', '.join(words).capitalize()}. " if words else ""
    if "cpu" in protocol:
        text += (
            f"{protocol['num_cpus']} x {protocol['cpu']}, "
            f"Python {protocol['python']}. "
        )
    if protocol.get("commit") is not None:
        changes = protocol.get("uncommitted_changes")
        added = " with uncommitted changes" if changes else ""
        text += f"Commit {protocol['commit']}{added}, {protocol['date']}."
    elif "recorded_in" in protocol:
        text += (
            f"Recorded in commit {protocol['recorded_in']}; machine and "
            "versions were not noted then."
        )
    else:
        text += "Commit unknown."
    return text


def _words(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list) else value
