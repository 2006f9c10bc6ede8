"""Tables of other libraries: polars, and what gives its columns to Arrow."""

from __future__ import annotations

import csv
import datetime as dt
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.plain import to_plain

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ORDERS: dict[str, list[Any]] = {
    "id": ["yard", "ann", "bob", "eve"],
    "x": [0.0, 1000.0, 2500.5, -700.0],
    "y": [0, 500, 0, 300],
    "demand": [None, 2, 1, 3],
    "open": [dt.time(8), dt.time(8, 30), None, dt.time(10)],
    "close": [dt.time(18), dt.time(12), None, dt.time(11, 45)],
    "remarks": ["", None, "ring", "täglich"],
    "order date": [dt.date(2026, 5, 4)] * 4,
}
VANS: dict[str, list[Any]] = {
    "name": ["van", "lorry"],
    "capacity": [4, 9],
    "fixed cost": [10.5, 20.0],
}


def arrow(columns: dict[str, list[Any]]) -> Any:
    """Return a table of pyarrow."""
    return pytest.importorskip("pyarrow").table(columns)


def reader(columns: dict[str, list[Any]]) -> Any:
    """Return a stream of batches of two rows, which is read once."""
    batches = arrow(columns).to_batches(max_chunksize=2)
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.RecordBatchReader.from_batches(batches[0].schema, batches)


def batch(columns: dict[str, list[Any]]) -> Any:
    """Return one batch of rows."""
    return pytest.importorskip("pyarrow").record_batch(columns)


def coded(columns: dict[str, list[Any]]) -> Any:
    """Return a table whose ids and names are in a dictionary."""
    table = arrow(columns)
    place = {"id", "name"}.intersection(columns).pop()
    column = table[place].dictionary_encode()
    at = table.column_names.index(place)
    return table.set_column(at, place, column)


def relation(columns: dict[str, list[Any]]) -> Any:
    """Return a query of duckdb, with decimals for the fractions."""
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    base = duckdb.from_arrow(arrow(columns))
    exact = {"x": "decimal(9, 2)", "fixed cost": "decimal(9, 2)"}
    parts = [
        f'cast("{name}" as {exact[name]}) as "{name}"'
        if name in exact
        else f'"{name}"'
        for name in columns
    ]
    return base.project(", ".join(parts))


def polars(columns: dict[str, list[Any]]) -> Any:
    """Return a DataFrame of polars."""
    return pytest.importorskip("polars").DataFrame(columns)


def exact(columns: dict[str, list[Any]]) -> Any:
    """Return one of polars with decimals and categories."""
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(columns)
    casts = [
        pl.col(name).cast(
            pl.Decimal(12, 2) if dtype.is_float() else pl.Categorical
        )
        for name, dtype in frame.schema.items()
        if dtype.is_float() or name in ("id", "name")
    ]
    return frame.with_columns(casts)


MAKERS = [arrow, reader, batch, coded, relation, polars, exact]


@pytest.mark.parametrize("make", MAKERS)
def test_frames_are_read_as_mappings(make: Callable[..., Any]) -> None:
    """Orders and vehicles: numbers, times, dates, and empty cells."""
    expected = nr.read(ORDERS, VANS, speed="36km/h", name="day")
    found = nr.read(make(ORDERS), make(VANS), speed="36km/h", name="day")
    assert to_plain(found) == to_plain(expected)
    assert found.ids == tuple(ORDERS["id"])
    assert found.windows is not None
    assert found.windows.tw_late.tolist()[1] == 12 * 3600
    assert [k.fixed_cost for k in found.vehicle_types] == [10.5, 20.0]


@pytest.mark.parametrize("make", MAKERS)
def test_frames_are_clustered_as_mappings(make: Callable[..., Any]) -> None:
    """With their weights, which decimals may be."""
    rng = np.random.default_rng(3)
    columns: dict[str, list[Any]] = {
        "id": [f"p{k}" for k in range(12)],
        "x": rng.integers(0, 99, 12).astype(float).tolist(),
        "y": rng.integers(0, 99, 12).tolist(),
        "weight": rng.integers(1, 5, 12).tolist(),
    }
    given: dict[str, Any] = {"seed": 1, "time_limit": 0.05}
    expected = nr.cluster(columns, 3, 15, **given)
    found = nr.cluster(make(columns), 3, 15, **given)
    assert to_plain(found.points) == to_plain(expected.points)
    assert found.loads.sum() == sum(columns["weight"])


def test_decimals_are_exact() -> None:
    """A tenth is one, and no sum of binary fractions."""
    table = arrow({"x": [0, 1], "y": [0, 1], "demand": [None, Decimal("0.1")]})
    assert nr.read(table, capacity=1).demands.tolist() == [0, 1]


def test_what_is_no_table_yet_is_refused() -> None:
    """A query that has not been made, and columns that have one name."""
    lazy = pytest.importorskip("polars").LazyFrame(ORDERS)
    with pytest.raises(nr.ParameterError, match=r"give customers.collect\(\)"):
        nr.read(lazy, capacity=9)
    with pytest.raises(nr.ParameterError, match=r"give points.collect\(\)"):
        nr.cluster(lazy, 2, 9)
    twice = arrow(ORDERS).rename_columns([*"abcdefg", "a"])
    with pytest.raises(nr.InstanceError, match="Arrow table: columns: a name"):
        nr.read(twice, capacity=9)
    spent = reader(ORDERS)
    nr.read(spent, capacity=9, speed="36km/h")
    with pytest.raises(nr.InstanceError, match="has no customers"):
        nr.read(spent, capacity=9)
    with pytest.raises(nr.ParameterError, match="problems must be a list"):
        list(nr.solve_many(reader(ORDERS)))


@pytest.mark.parametrize("make", MAKERS)
def test_matrices_have_ids_or_count(make: Callable[..., Any]) -> None:
    """By the names of their columns, in whatever order."""
    orders = {"id": ["yard", "ann"], "demand": [0, 1]}
    tables: list[dict[str, list[Any]]] = [
        {"ann": [0.0, 5.0], "yard": [7.0, 0.0]},
        {"column_0": [None, 7.0], "column_1": [5.0, 0.0]},
    ]
    for columns in tables:
        if make is not coded:  # it has no texts
            found = nr.read(orders, capacity=1, matrix=make(columns))
            assert found.matrix is not None
            assert found.matrix.tolist() == [[0, 5], [7, 0]]


def test_the_extra_of_streams_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Frames of pandas and polars need it not."""

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object = None) -> None:
            """Give the columns."""

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(nr.NccRoutingError, match=r'"ncc_routing\[arrow\]"'):
        nr.read(Stream(), capacity=9)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"x": [0, 1], "y": [0, 1], "demand": [0, 1]})
    assert nr.read(frame, capacity=9).num_customers == 1
    result = nr.solve(frame_of_two(), time_limit=0.05)
    with pytest.raises(nr.NccRoutingError, match=r'"ncc_routing\[arrow\]"'):
        result.to_arrow()


def frame_of_two() -> nr.Instance:
    """Return a small problem with times."""
    return nr.read(ORDERS, VANS, speed="36km/h")


@pytest.mark.parametrize("has_unserved", [False, True])
def test_results_become_arrow(has_unserved: bool, tmp_path: Path) -> None:
    """Cell by cell what the file of CSV has, and numbers where it has some."""
    arrow(ORDERS)
    vans = {**VANS, "shift": ["08:00-18:00", "08:00-18:00"]}
    orders = {**ORDERS, "demand": [0, 2, 1, 99 if has_unserved else 3]}
    plan = nr.read(orders, vans, speed="36km/h")
    result = nr.solve(plan, time_limit=0.1, allow_unserved=True)
    assert bool(result.unserved) == has_unserved
    table = result.to_arrow()
    result.write(tmp_path / "plan.csv")
    with (tmp_path / "plan.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert table.num_rows == len(rows) > 3
    assert table.column_names == list(rows[0])
    kinds = {name: str(table.schema.field(name).type) for name in rows[0]}
    for name, kind in kinds.items():
        read = str if kind == "string" else float
        cells = [row[name] for row in rows]
        wanted = [read(cell) if cell else None for cell in cells]
        assert table[name].to_pylist() == wanted
    assert (kinds["stop"], kinds["arrival"]) == ("int64", "string")
    assert kinds["distance_km"] == "double"
