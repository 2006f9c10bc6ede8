"""CSV files and summaries of records."""

from __future__ import annotations

import pytest

from ncc_routing.benchmarking.records import Record
from ncc_routing.benchmarking.tables import (
    RecordWriter,
    format_markdown,
    read_records,
    sort_records,
    summarise,
    write_records,
)


def run_of(name, size, method, cost, seed=1, bks=100.0):
    """Return the record of a feasible run with two routes in a second."""
    return Record(
        instance=name,
        num_customers=size,
        method=method,
        polish="none",
        seed=seed,
        feasible=True,
        cost=cost,
        num_routes=2,
        bks=bks,
        gap_percent=None if bks is None else cost - 100.0,
        runtime_seconds=1.0,
        version="0",
    )


RECORDS = [
    run_of("big", 600, "ckm", 130.0),
    run_of("small", 100, "ckm", 110.0),
    run_of("small", 100, "ckm", 120.0, seed=2),
    run_of("small", 100, "sweep", 150.0, bks=None),
    Record("bad", None, "ckm", "none", 1, error="broken, file"),
]


def test_csv_and_back(tmp_path):
    """What is written is read, sorted by size, name, method and seed."""
    path = tmp_path / "runs.csv"
    write_records(path, RECORDS)
    assert read_records(path) == sort_records(RECORDS)
    names = [record.instance for record in read_records(path)]
    assert names == ["bad", "small", "small", "small", "big"]


def test_rows_are_there_while_the_work_goes_on(tmp_path):
    """An interrupted benchmark keeps its rows, a finished one is sorted."""
    path = tmp_path / "runs.csv"

    def interrupt():
        with RecordWriter(path) as writer:
            writer.write(RECORDS[0])
            writer.write(RECORDS[1])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert read_records(path) == RECORDS[:2]
    with RecordWriter(path) as writer:
        writer.write(RECORDS[0])
        writer.write(RECORDS[1])
    assert read_records(path) == [RECORDS[1], RECORDS[0]]


def test_summary_by_method_and_class():
    """Means over the feasible runs; failed ones are counted."""
    rows = {(row.method, row.size_class): row for row in summarise(RECORDS)}
    assert list(rows) == [
        ("ckm", "?"),
        ("ckm", "N1"),
        ("ckm", "N3"),
        ("ckm", "all"),
        ("sweep", "N1"),
    ]
    small = rows["ckm", "N1"]
    assert (small.num_runs, small.num_failed) == (2, 0)
    assert small.gap_percent == pytest.approx(15.0)
    assert small.cost == pytest.approx(115.0)
    every = rows["ckm", "all"]
    assert (every.num_runs, every.num_failed) == (4, 1)
    assert every.gap_percent == pytest.approx(20.0)
    assert every.runtime_seconds == pytest.approx(1.0)
    assert rows["sweep", "N1"].gap_percent is None
    assert rows["ckm", "?"].cost is None


def test_markdown_columns_are_aligned():
    """Every line has the same length; unknown means are a dash."""
    lines = format_markdown(summarise(RECORDS)).splitlines()
    assert len({len(line) for line in lines}) == 1
    cells = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert cells[:5] == ["method", "class", "runs", "failed", "gap %"]
    assert cells[5:] == ["cost", "routes", "seconds"]
    assert lines[3].split("|")[5].strip() == "15.00"
    assert lines[-1].split("|")[5].strip() == "-"
