"""Summaries and differences of rows."""

from __future__ import annotations

import pytest

from ncc_routing.benchmarking.tables import (
    Column,
    Differences,
    Summary,
    format_number,
    format_table,
    gap_to_best,
    grouped,
    numbers,
    standard_error,
)


def row_of(method: str, place: str, cost: str, **more: str) -> dict[str, str]:
    """Return a row of a class."""
    return {"method": method, "class": place, "cost": cost, **more}


ROWS = [
    row_of("b", "N2", "10"),
    row_of("b", "N1", "20"),
    row_of("a", "N1", "30", feasible="True"),
    row_of("a", "N1", "99", feasible="False"),
]


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_groups_keep_their_order_and_may_have_totals() -> None:
    """Methods as they appear, classes sorted, "all" where there are two."""
    assert list(grouped(ROWS, ("method",))) == [("b",), ("a",)]
    found = grouped(ROWS, ("method", "class"), total=True)
    assert list(found) == [("b", "N1"), ("b", "N2"), ("b", "all"), ("a", "N1")]
    assert found["b", "all"] == ROWS[:2]


def test_groups_with_totals_are_in_order_of_their_numbers() -> None:
    """As numbers, not as text: 3-5 comes before 11-17."""
    rows = [{"c": name} for name in ("11-17", "3-5", "N2", "N10", "8-12")]
    found = [key for (key,) in grouped(rows, ("c",), total=True)]
    assert found == ["3-5", "8-12", "11-17", "N2", "N10", "all"]


def test_summary_leaves_the_infeasible_out_but_counts_them() -> None:
    """The mean of a is 30, of two runs one failed."""
    view = Summary(
        "method", "runs; failed; cost: cost .1f; worst: cost .0f max"
    )
    lines = view.format(ROWS).splitlines()
    assert cells_of(lines[2]) == ["b", "2", "0", "15.0", "20"]
    assert cells_of(lines[3]) == ["a", "2", "1", "30.0", "30"]
    assert view.to_json(ROWS)[1] == {
        "method": "a",
        "num_runs": 2,
        "num_failed": 1,
        "cost": 30.0,
    }


def test_values_across_stand_side_by_side() -> None:
    """A group without a run of some value has a dash there."""
    view = Summary("method", "cost: cost .0f", across="class")
    lines = view.format(ROWS).splitlines()
    assert cells_of(lines[0]) == ["method", "N2 cost", "N1 cost"]
    assert cells_of(lines[2]) == ["b", "10", "20"]
    assert cells_of(lines[3]) == ["a", "-", "30"]


def test_difference_pairs_rows_of_the_same_case() -> None:
    """Changes of +1 and +3: mean 2, standard error 1; the third is alone."""
    rows = [
        {"m": "old", "instance": "x", "gap": "1"},
        {"m": "old", "instance": "y", "gap": "2"},
        {"m": "new", "instance": "x", "gap": "2"},
        {"m": "new", "instance": "y", "gap": "5"},
        {"m": "new", "instance": "z", "gap": "50"},
    ]
    lines = Differences("m", "old", "gap").format(rows).splitlines()
    assert len(lines) == 3
    assert cells_of(lines[2]) == ["new", "2", "1.50", "3.50", "+2.00", "1.00"]


def test_pairs_have_the_same_seed() -> None:
    """+1 with seed 1 and +3 with seed 2, whatever the order of the rows."""
    rows = [
        {"m": "old", "instance": "x", "seed": "1", "gap": "10"},
        {"m": "old", "instance": "x", "seed": "2", "gap": "20"},
        {"m": "new", "instance": "x", "seed": "2", "gap": "23"},
        {"m": "new", "instance": "x", "seed": "1", "gap": "11"},
    ]
    lines = Differences("m", "old", "gap").format(rows).splitlines()
    assert cells_of(lines[2])[-2:] == ["+2.00", "1.00"]


def test_pairs_across_budgets_are_refused() -> None:
    """Two runs of the base that a pair cannot tell apart."""
    rows = [
        {"m": m, "instance": "x", "seconds": seconds, "gap": "1"}
        for m in ("old", "new")
        for seconds in ("1", "10")
    ]
    with pytest.raises(ValueError, match="2 rows of 'old'"):
        Differences("m", "old", "gap").format(rows)
    lines = Differences("m", "old", "gap", "seconds").format(rows).splitlines()
    assert len(lines) == 4


def test_relative_difference_is_in_percent_of_the_base() -> None:
    """110 for 100, and 180 for 200: +10 and -10 percent."""
    rows = [
        {"m": m, "instance": i, "cost": c}
        for m, i, c in (
            ("old", "x", "100"),
            ("old", "y", "200"),
            ("new", "x", "110"),
            ("new", "y", "180"),
        )
    ]
    view = Differences(
        "m", "old", "cost", relative=True, shown="worst: cost .0f max"
    )
    lines = view.format(rows).splitlines()
    assert cells_of(lines[2])[-3:] == ["-", "-", "200"]
    assert cells_of(lines[3])[-3:] == ["+0.00", "10.00", "180"]


def test_gap_to_the_best_of_a_group() -> None:
    """20 to 10 is 100 %; a row without a cost has no gap."""
    rows = [*ROWS[:2], row_of("c", "N1", "")]
    found = gap_to_best()(rows)
    assert [row["gap_percent"] for row in found] == ["0.0", "100.0", ""]


def test_numbers_leave_out_what_is_none() -> None:
    """Empty cells, missing columns and NaN count for nothing."""
    rows = [{"x": "1"}, {"x": ""}, {}, {"x": "nan"}, {"x": "2.5"}]
    assert numbers(rows, "x") == [1.0, 2.5]


def test_standard_error() -> None:
    """1, 2, 3: deviation 1 over the root of 3; one value has none."""
    assert standard_error([1.0, 2.0, 3.0]) == pytest.approx(3**-0.5)
    assert standard_error([1.0]) is None


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runs", Column("runs", how="runs")),
        ("infeasible: failed", Column("infeasible", how="failed")),
        ("cost", Column("cost", "cost")),
        ("gap %: gap .3f", Column("gap %", "gap", ".3f")),
        ("gap: gap max", Column("gap", "gap", ".2f", "max")),
        ("s: x seconds median", Column("s", "x", "seconds", "median")),
    ],
)
def test_columns_are_described_by_a_text(text: str, expected: Column) -> None:
    """Heading, column of the file, format and statistic."""
    assert Column.parse(f" {text} ") == expected
