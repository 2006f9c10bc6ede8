"""The CSV files of runs, after all that can happen to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing import InstanceError, NccRoutingError
from ncc_routing.core.row_files import Table, append_rows, read_rows
from tests.oracles.system import small_files

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS, KEY = ("instance", "seed", "cost"), ("instance", "seed")
ROW = {"instance": "a", "seed": 1, "cost": 12.5}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where a table is written."""
    return tmp_path / "e.csv"


def test_a_full_disk_leaves_whole_rows(file: Path) -> None:
    """All cells of a row, or none; what was there stays readable."""
    with Table(file, COLUMNS, KEY) as table:
        table.append([ROW])
        size = file.stat().st_size
        with small_files(size + 3), pytest.raises(NccRoutingError) as caught:
            table.append([{**ROW, "instance": "b"}])
        assert str(caught.value).startswith(f"{file}: the file cannot be")
        assert file.stat().st_size == size
        assert len(table.rows) == 1
        with small_files(10), pytest.raises(NccRoutingError, match="written"):
            table.rewrite(str)
    assert read_rows(file) == table.rows


def test_a_row_that_was_cut_off_is_run_again(file: Path) -> None:
    """As a killed process may leave it; the file keeps its columns."""
    file.write_text("seed,instance,cost\n1,a,3\n1,b,1")
    runs = [{"instance": name, "seed": 1} for name in "ab"]
    with Table(file, (*COLUMNS, "more"), KEY) as table:
        assert table.missing(runs, dict) == runs[1:]
        table.append([{**ROW, "instance": "b", "more": 1}])
    assert [row["cost"] for row in read_rows(file)] == ["3", "12.5"]
    assert list(read_rows(file)[1]) == ["seed", "instance", "cost"]


def test_one_process_writes_a_table(file: Path) -> None:
    """The second one is told so, and may have it afterwards."""
    with Table(file, COLUMNS, KEY) as table:
        table.append(())
        with pytest.raises(NccRoutingError, match="another process"):
            Table(file, COLUMNS, KEY)
    with Table(file, COLUMNS, KEY) as again:
        again.append([ROW])
    assert len(read_rows(file)) == 1


def test_rows_of_another_table_are_refused(file: Path) -> None:
    """By the column that is missing, or the line that does not fit."""
    append_rows(file, ["instance", "cost"], [{"instance": "a", "cost": 1}])
    with pytest.raises(InstanceError, match="column seed"):
        Table(file, COLUMNS, KEY)
    file.write_text("instance,seed,cost\na,1\n")
    with pytest.raises(InstanceError, match="line 2: must have as many"):
        read_rows(file)


def test_a_row_of_another_table_stays(tmp_path: Path) -> None:
    """Also where its last line has no end."""
    file = tmp_path / "customers.csv"
    text = "id,x,y\n1,2,3\n2,3,4"
    file.write_text(text)
    with pytest.raises(InstanceError, match="rows of another table"):
        Table(file, ("run", "cost"), ("run",))
    assert file.read_text() == text
    file.write_text("run,co")
    with Table(file, ("run", "cost"), ("run",)) as table:
        assert table.rows == []


def test_comments_before_the_header_stay(tmp_path: Path) -> None:
    """They count as lines where a row is damaged, and a cell is no comment."""
    file = tmp_path / "table.csv"
    file.write_text("# made: by hand\n#\na,b\n2,#\n")
    with Table(file, ("a", "b"), ("a",)) as table:
        assert table.rows == [{"a": "2", "b": "#"}]
        table.append([{"a": 1, "b": 3}])
        table.rewrite(key=lambda row: row["a"])
    assert file.read_text() == "# made: by hand\n#\na,b\n1,3\n2,#\n"
    with file.open("a") as text:
        text.write("4\n")
    with pytest.raises(InstanceError, match="line 6: must have as many"):
        read_rows(file)
