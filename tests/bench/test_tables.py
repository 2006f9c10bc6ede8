"""Means of rows as tables."""

from __future__ import annotations

import pytest

from ncc_routing.bench.tables import (
    class_means,
    format_class_means,
    format_instances,
    format_number,
    format_table,
    numbers,
)


def row_of(method: str, size: str, cost: str, **more: str) -> dict[str, str]:
    """Return a row of a class."""
    row = {"method": method, "size_class": size, "cost": cost}
    return {"instance": "i", "feasible": "True", **row, **more}


def test_means_by_method_and_class() -> None:
    """Methods as they appear, classes sorted, "all" where there are two."""
    rows = [
        row_of("b", "N2", "10"),
        row_of("b", "N1", "20"),
        row_of("a", "N1", "30", gap_percent="2.5"),
        row_of("a", "N1", "99", feasible="False"),
    ]
    means = class_means(rows)
    places = [(each["method"], each["size_class"]) for each in means]
    assert places == [("b", "N1"), ("b", "N2"), ("b", "all"), ("a", "N1")]
    assert means[2]["cost"] == 15.0
    counts = {
        "method": "a",
        "size_class": "N1",
        "num_runs": 2,
        "num_failed": 1,
    }
    gaps = {"gap_percent": 2.5, "best_gap_percent": 2.5, "deviation": None}
    unknown = {"num_routes": None, "runtime_seconds": None}
    assert means[3] == {**counts, **gaps, "cost": 30.0, **unknown}
    last = format_class_means(means).splitlines()[-1]
    cells = [cell.strip() for cell in last.strip("|").split("|")]
    assert cells == [
        "a",
        "N1",
        "2",
        "1",
        "2.50",
        "2.50",
        "-",
        "30.00",
        "-",
        "-",
    ]


def test_seeds_of_an_instance() -> None:
    """The mean of the least gaps, 1 and 4, and of the deviations."""
    rows = [
        row_of("a", "N1", cost, instance=name, gap_percent=gap)
        for name, cost, gap in (
            *(("i", "11", "1"), ("i", "13", "3")),
            *(("j", "24", "4"), ("j", "26", "6"), ("k", "9", "")),
        )
    ]
    (means,) = class_means(rows)
    assert means["best_gap_percent"] == 2.5
    assert means["deviation"] == pytest.approx(2**0.5)
    lines = format_instances(rows).splitlines()[2:]
    assert [line.split("|")[1].strip() for line in lines] == ["i", "j", "k"]
    assert [line.split("|")[3].strip() for line in lines] == (
        ["12.00", "25.00", "9.0000"]
    )


def test_numbers_leave_out_what_is_none() -> None:
    """Empty cells, missing columns and NaN are no numbers."""
    rows = [{"x": "1"}, {"x": ""}, {}, {"x": "nan"}, {"x": "2.5"}]
    assert numbers(rows, "x") == [1.0, 2.5]


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        (None, ".2f", "-"),
        (-0.001, ".2f", "0.00"),
        (-0.01, ".2f", "-0.01"),
        (1000.0, "cost", "1000"),
        (999.96, "cost", "999.96"),
        (9.5, "cost", "9.5000"),
        (0.05, "seconds", "0.0500"),
        (0.5, "seconds", "0.500"),
        (5.0, "seconds", "5.00"),
    ],
)
def test_numbers_as_text(
    value: float | None, form: str, expected: str
) -> None:
    """No minus before zero; the digits follow the size."""
    assert format_number(value, form) == expected


def test_columns_of_a_table_are_aligned() -> None:
    """Words begin at the left, numbers and dashes end at the right."""
    lines = format_table(["a", "b"], [["1 start", "-"], ["2", "10"]])
    assert lines.splitlines() == [
        "| a       |   b |",
        "| ------- | --: |",
        "| 1 start |   - |",
        "| 2       |  10 |",
    ]
