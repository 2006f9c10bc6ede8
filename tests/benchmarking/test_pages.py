"""Pages made from tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.harness.experiment import Case, Experiment, Page, Variant
from benchmarks.harness.pages import replace_block, write_page
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
    views=(Summary("instance", "cost: cost .1f"),),
    figure=draw,
)
PAGE = Page("sub/page", "A title", "What it shows.", (EXPERIMENT,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a table and its protocol."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/table.csv").write_text("instance,cost\nx,2\n")
    protocol = {"commit": "abc", "uncommitted_changes": True, "date": "today"}
    (tmp_path / "sub/table.json").write_text(json.dumps(protocol))
    return tmp_path


def test_page_shows_table_figure_protocol_and_command(folder: Path) -> None:
    """All that a reader needs; a second writing changes nothing."""
    text = write_page(PAGE, folder).read_text()
    assert text.startswith("# A title\n\nWhat it shows.")
    assert "| x        |  2.0 |" in text
    assert "![table](table.svg)" in text
    figure = (folder / "sub/table.svg").read_bytes()
    assert "Commit abc with uncommitted changes, today." in text
    assert "PYTHONPATH=docs python -m benchmarks sub/page" in text
    assert "](../protocol.md)" in text
    assert write_page(PAGE, folder).read_text() == text
    assert (folder / "sub/table.svg").read_bytes() == figure


def test_text_of_the_author_stays(folder: Path) -> None:
    """Only what stands between the marks is made."""
    file = folder / "sub/page.md"
    file.write_text(
        "# Mine\n\nbefore\n\n<!-- begin table -->\nold\n<!-- end table -->\n"
        "\nafter\n"
    )
    text = write_page(PAGE, folder).read_text()
    assert text.startswith("# Mine\n\nbefore\n\n<!-- begin table -->\n\n| ")
    assert "old" not in text
    assert text.index("after") > text.index("<!-- end table -->")


def test_block_without_marks_comes_last() -> None:
    """A text that knows nothing of it gets it at its end."""
    text = replace_block("text\n", "name", "new")
    assert text == (
        "text\n\n<!-- begin name -->\n\nnew\n\n<!-- end name -->\n"
    )


def test_foot_names_the_commits_of_what_was_kept(folder: Path) -> None:
    """Blocks without an experiment stay, with the commit that made them."""
    file = folder / "sub/page.md"
    (folder / "sub/old.json").write_text(json.dumps({"commit": "abcd"}))
    for page, has_code in ((PAGE, True), (Page("sub/page", "A", "B."), False)):
        file.write_text("<!-- begin old -->\nkept\n<!-- end old -->\n")
        text = write_page(page, folder).read_text()
        assert "kept" in text
        assert ("This page and `table` are made by" in text) is has_code
        assert ("made by" in text) is has_code
        assert "`old` was made at commit abcd by code of that commit." in text
