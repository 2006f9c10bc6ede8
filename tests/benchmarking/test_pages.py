"""Pages made from tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ncc_routing.benchmarking.experiment import Case, Experiment, Page, Variant
from ncc_routing.benchmarking.pages import (
    read_protocol,
    replace_block,
    tell_protocol,
    write_page,
)
from ncc_routing.benchmarking.protocol import append_protocol
from ncc_routing.benchmarking.tables import Summary
from ncc_routing.plotting.panels import plot_panels

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from ncc_routing.benchmarking.tables import Rows


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
    """All that a reader needs to judge the figures and to repeat them."""
    text = write_page(PAGE, folder).read_text()
    assert text.startswith("# A title\n\nWhat it shows.")
    assert "| x        |  2.0 |" in text
    assert "![table](table.svg)" in text
    assert (folder / "sub/table.svg").is_file()
    assert "Commit abc with uncommitted changes, today." in text
    assert "python -m ncc_routing.benchmarking sub/page" in text
    assert "](../protocol.md)" in text


def test_second_writing_changes_nothing(folder: Path) -> None:
    """Neither the page nor its figure."""
    file = write_page(PAGE, folder)
    text = file.read_text(), (folder / "sub/table.svg").read_bytes()
    write_page(PAGE, folder)
    assert text == (file.read_text(), (folder / "sub/table.svg").read_bytes())


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


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        ({}, "Commit unknown."),
        (
            {"recorded_in": "abc"},
            "Recorded in commit abc; machine and versions were not noted "
            "then.",
        ),
        ({"commit": "abc", "date": "d"}, "Commit abc, d."),
        (
            {
                "commit": "abc",
                "date": "d",
                "seeds": [1, 2],
                "jobs": 2,
                "cpu": "C",
                "num_cpus": 4,
                "python": "3",
            },
            "Seed(s) 1, 2, 2 run(s) at a time. 4 x C, Python 3. "
            "Commit abc, d.",
        ),
    ],
)
def test_protocol_in_words(protocol: dict[str, object], expected: str) -> None:
    """What is not known is not told."""
    assert tell_protocol(protocol) == expected


def test_calls_are_kept_and_the_last_one_is_told(tmp_path: Path) -> None:
    """A table that several calls made has all of their protocols."""
    file = tmp_path / "table.json"
    assert read_protocol(file) == {}
    append_protocol(file, EXPERIMENT, 1)
    append_protocol(file, EXPERIMENT, 3)
    assert len(json.loads(file.read_text())) == 2
    assert read_protocol(file)["jobs"] == 3
