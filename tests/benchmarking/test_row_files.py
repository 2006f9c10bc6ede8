"""The CSV files of experiments, after all that can happen to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing.benchmarking.experiment import Case, Experiment, Variant
from ncc_routing.benchmarking.row_files import Table, append_rows, read_rows
from ncc_routing.core.exceptions import InstanceError, NccRoutingError
from tests.full_disk import small_files

if TYPE_CHECKING:
    from pathlib import Path

EXPERIMENT = Experiment(
    "e",
    lambda: [Case("a", int), Case("b", int)],
    (Variant("v", lambda *_: {}),),
    "instance seed cost",
)
ROW = {"instance": "a", "seed": 1, "cost": 12.5}


def test_a_full_disk_leaves_whole_rows(tmp_path: Path) -> None:
    """All cells of a row, or none; what was there stays readable."""
    file = tmp_path / "e.csv"
    with Table(EXPERIMENT, file) as table:
        table.append([ROW])
        size = file.stat().st_size
        with small_files(size + 3), pytest.raises(NccRoutingError) as caught:
            table.append([{**ROW, "instance": "b"}])
        assert str(caught.value).startswith(f"{file}: the file cannot be")
        assert file.stat().st_size == size
        assert len(table.rows) == 1
        with (
            small_files(10),
            pytest.raises(NccRoutingError, match="written"),
        ):
            table.rewrite(str)
    assert read_rows(file) == table.rows


def test_a_row_that_was_cut_off_is_run_again(tmp_path: Path) -> None:
    """As a killed process may leave it."""
    file = tmp_path / "e.csv"
    file.write_text("instance,seed,cost\na,1,3\nb,1,1")
    with Table(EXPERIMENT, file) as table:
        missing = table.missing(EXPERIMENT.tasks())
        assert [task.case.name for task in missing] == ["b"]
        table.append([{**ROW, "instance": "b"}])
    assert [row["cost"] for row in read_rows(file)] == ["3", "12.5"]


def test_one_process_writes_a_table(tmp_path: Path) -> None:
    """The second one is told so, and may have it afterwards."""
    file = tmp_path / "e.csv"
    with Table(EXPERIMENT, file) as table:
        table.append(())
        with pytest.raises(NccRoutingError, match="another process"):
            Table(EXPERIMENT, file)
    with Table(EXPERIMENT, file) as again:
        again.append([ROW])
    assert len(read_rows(file)) == 1


def test_rows_of_another_table_are_refused(tmp_path: Path) -> None:
    """By the column that is missing, or the line that does not fit."""
    file = tmp_path / "e.csv"
    append_rows(file, ["instance", "cost"], [{"instance": "a", "cost": 1}])
    with pytest.raises(InstanceError, match="column seed"):
        Table(EXPERIMENT, file)
    file.write_text("instance,seed,cost\na,1\n")
    with pytest.raises(InstanceError, match="line 2: must have as many"):
        read_rows(file)
