"""Pages made from tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.harness.experiment import Case, Experiment, Page, Variant
from benchmarks.harness.pages import replace_block, write_page, write_pages
from benchmarks.harness.panels import plot_panels
from benchmarks.harness.views import Summary

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from ncc_routing.bench.tables import Rows


def draw(_rows: Rows, _traces: Rows) -> Figure:
    """Draw a line."""
    return plot_panels({"one": {"a": ([1.0, 2.0], [3.0, 4.0])}})


EXPERIMENT = Experiment(
    "table",
    cases=lambda: [Case("x", lambda: None)],
    variants=(Variant("v", lambda *_: {"cost": 1}),),
    columns="instance cost",
    views=(
        Summary("instance", "cost: cost .1f"),
        Summary("instance", "worst: cost .1f max"),
    ),
    figure=draw,
)
PAGE = Page(
    "sub/name",
    "A title",
    "What it shows.",
    (EXPERIMENT,),
    views=(Summary("experiment", "cost: cost .1f"),),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a table and its protocol."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/table.csv").write_text("instance,cost\nx,2\n")
    protocol = {"commit": "abc", "uncommitted_changes": True, "date": "3T1"}
    (tmp_path / "sub/table.json").write_text(json.dumps(protocol))
    return tmp_path


def test_file_of_a_fresh_run_shows_all(folder: Path) -> None:
    """Tables, figure, protocol and command; a second writing is the same."""
    text = write_page(PAGE, folder).read_text()
    assert text.startswith("# A title\n\nWhat it shows.")
    assert "| x        |  2.0 |" in text
    assert "| x        |   2.0 |" in text
    assert "![table](table.svg)" in text
    figure = (folder / "sub/table.svg").read_bytes()
    assert "Commit abc with uncommitted changes, 3T1." in text
    assert "`python -m benchmarks sub/name`" in text
    assert "[table.csv](table.csv), [table.json](table.json)." in text
    assert write_page(PAGE, folder).read_text() == text
    assert (folder / "sub/table.svg").read_bytes() == figure


def test_marks_of_all_pages_are_filled(folder: Path) -> None:
    """The main page has the first table alone; what an author wrote stays."""
    head, tail = "before\n\n<!-- begin table -->\nold\n", "<!-- end table -->"
    marks = f"{head}{tail}\n\nafter\n"
    for name in ("index", "more"):
        (folder / f"{name}.md").write_text(marks)
    (folder / "other.md").write_text("<!-- begin kept -->\nkept\n")
    files = write_pages([PAGE], folder)
    assert [file.name for file in files] == ["index.md", "more.md"]
    short, long = (file.read_text() for file in files)
    for text in (short, long):
        assert text.startswith("before\n\n<!-- begin table -->\n\n| ")
        assert "old" not in text
        assert text.index("after") > text.index("<!-- end table -->")
    assert "worst" not in short
    assert "![table]" not in short
    assert "worst" in long
    assert "![table](sub/table.svg)" in long
    assert "[table.csv](sub/table.csv) (commit abc, 3)." in short


def test_tables_over_all_experiments_have_marks_too(folder: Path) -> None:
    """Those of the name of the page; its rows tell their experiment."""
    file = folder / "index.md"
    file.write_text("<!-- begin name -->\n<!-- end name -->\n")
    (text,) = (f.read_text() for f in write_pages([PAGE], folder))
    assert "| table      |  2.0 |" in text


def test_block_without_marks_comes_last() -> None:
    """A text that knows nothing of it gets it at its end."""
    text = replace_block("text\n", "name", "new")
    assert text == (
        "text\n\n<!-- begin name -->\n\nnew\n\n<!-- end name -->\n"
    )
