"""Records and their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.harness.experiment import Case, Experiment, Joined, Variant
from benchmarks.harness.pages import replace_block, write_pages
from benchmarks.harness.panels import plot_curves
from benchmarks.harness.records import add_call, read_calls
from benchmarks.harness.views import Summary
from ncc_routing.core.row_files import Table, read_rows

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from ncc_routing.bench.tables import Rows


def draw(_rows: Rows) -> Figure:
    """Draw a line."""
    return plot_curves("one", {"a": ([1.0, 2.0], [3.0, 4.0])}, ("", ""))


EXPERIMENT = Experiment(
    "table",
    cases=lambda: [Case("x", lambda: None)],
    variants=(Variant("v", lambda *_: {"cost": 1}),),
    columns="instance cost",
    views=(
        Summary("instance", "cost: cost .1f"),
        Summary("instance", "worst: cost .1f max"),
    ),
)
BOTH = Joined(
    "both", ("table",), (Summary("experiment", "cost: cost .1f"),), draw
)
EARLIER = {"commit": "def", "date": "2T1"}
CALL = {"commit": "abc", "uncommitted_changes": True, "date": "3T1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a record of two calls."""
    file = tmp_path / "records/more/table.csv"
    file.parent.mkdir(parents=True)
    file.write_text("instance,cost\nx,2\n")
    add_call(file, (), EARLIER)
    add_call(file, (), CALL)
    return tmp_path


def fill(folder: Path) -> list[Path]:
    """Fill the pages of a folder."""
    return write_pages({"more": (EXPERIMENT,)}, (BOTH,), folder)


def test_head_of_a_record(tmp_path: Path) -> None:
    """Values come back as they were; rows before and after stay."""
    file = tmp_path / "table.csv"
    first = {
        "commit": "71e856855487",
        "seeds": [1, 2],
        "cpu": "A: B",
        "x": 0.1,
    }
    second = {"commit": None, "versions": {"numpy": "2.0"}, "part": "true"}
    add_call(file, ("a", "b"), first)
    with Table(file, ("a", "b"), ("a",)) as table:
        table.append([{"a": 1, "b": 2}])
    add_call(file, (), second)
    assert read_calls(file) == [first, second]
    assert file.read_text().startswith('# commit: "71e856855487"\n# seeds: [')
    assert "# cpu: A: B\n" in file.read_text()
    with Table(file, ("a", "b"), ("a",)) as table:
        table.append([{"a": 0, "b": 3}])
        table.rewrite(key=lambda row: row["a"])
    assert [row["b"] for row in read_rows(file)] == ["3", "2"]
    assert read_calls(file) == [first, second]


def test_record_without_a_head(tmp_path: Path) -> None:
    """Nothing is known of it."""
    file = tmp_path / "table.csv"
    file.write_text("a\n#1\n")
    assert read_calls(file) == [{}]
    assert read_rows(file) == [{"a": "#1"}]


def test_marks_of_all_pages_are_filled(folder: Path) -> None:
    """The main page has the first table alone; what an author wrote stays."""
    head, tail = "before\n\n<!-- begin table -->\nold\n", "<!-- end table -->"
    marks = f"{head}{tail}\n\nafter\n"
    for name in ("index", "more"):
        (folder / f"{name}.md").write_text(marks)
    (folder / "other.md").write_text("<!-- begin kept -->\nkept\n")
    files = fill(folder)
    assert [file.name for file in files] == ["index.md", "more.md"]
    short, long = (file.read_text() for file in files)
    for text in (short, long):
        assert text.startswith("before\n\n<!-- begin table -->\n\n| ")
        assert "| x        |  2.0 |" in text
        assert "`python -m benchmarks table`:\n" in text
        assert "old" not in text
        assert text.index("after") > text.index("<!-- end table -->")
    link = "[table.csv](records/more/table.csv)"
    assert "worst" not in short
    assert f"{link} (commits def, abc, 3)." in short
    assert "| x        |   2.0 |" in long
    assert "Commit abc with uncommitted changes, 3T1." in long
    assert "Earlier rows: commit def." in long.replace("\n", " ")
    assert f"{link}.\n" in long
    fill(folder)
    assert [file.read_text() for file in files] == [short, long]


def test_tables_over_several_records_have_marks_too(folder: Path) -> None:
    """Their rows tell their record; the figure lies beside the first."""
    (folder / "index.md").write_text(
        "<!-- begin both -->\n<!-- end both -->\n"
    )
    (text,) = (file.read_text() for file in fill(folder))
    assert "| table      |  2.0 |" in text
    assert "![both](records/more/both.svg)" in text
    assert (folder / "records/more/both.svg").is_file()


def test_text_without_marks_stays() -> None:
    """A text that knows nothing of it."""
    assert replace_block("text\n", "name", "new") == "text\n"
