"""Distance matrices from files."""

from __future__ import annotations

import io
import sys
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from tests.io.files import read_matrix
from tests.oracles.refusals import written

if TYPE_CHECKING:
    from pathlib import Path

VALUES = np.array([[0.0, 1.5, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])


def test_arrays_and_files_of_numpy(tmp_path: Path) -> None:
    """The array itself, alone in a file, or under its name."""
    np.save(tmp_path / "m.npy", VALUES)
    np.savez(tmp_path / "one.npz", anything=VALUES)
    np.savez_compressed(tmp_path / "two.npz", matrix=VALUES, other=[1])
    sources = [VALUES.tolist()]
    sources += [tmp_path / name for name in ("m.npy", "one.npz", "two.npz")]
    for source in sources:
        found = read_matrix(source)
        assert np.array_equal(found.values, VALUES)
        assert found.ids is None


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("0,1.5,2\n3,0,4\n5,6,0\n", None),
        ("0 1.5 2\n3 0 4\n5 6 0\n", None),
        ("a;b;c\n0;1.5;2\n3;0;4\n5;6;0\n", ("a", "b", "c")),
        ("7,8,9\n0,1.5,2\n3,0,4\n5,6,0\n", ("7", "8", "9")),
        (",a,b,c\na,0,1.5,2\nb,3,0,4\nc,5,6,0\n", ("a", "b", "c")),
        (",7,8,9\n7,0,1.5,2\n8,3,0,4\n9,5,6,0\n", ("7", "8", "9")),
        (
            "# in km\n,#1,#2,c\n#1,0,1.5,2\n#2,3,0,4\nc,5,6,0\n",
            ("#1", "#2", "c"),
        ),
        (
            "\t#1\ta\tb\n#1\t0\t1.5\t2\na\t3\t0\t4\nb\t5\t6\t0\n",
            ("#1", "a", "b"),
        ),
        ("sep=;\n0;1,5;2\n3;0;4\n5;6;0\n", None),
        (
            ";St. Gallen;a,b;7,5\nSt. Gallen;0;1,5;2\na,b;3;0;4\n7,5;5;6;0\n",
            ("St. Gallen", "a,b", "7,5"),
        ),
        ("1.5;2,5;3,5\n0;1.5;2\n3;0;4\n5;6;0\n", ("1.5", "2,5", "3,5")),
        ("i,a,7,c\na,0,1.5,2\n7,3,0,4\nc,5,6,0\n", ("a", "7", "c")),
    ],
)
def test_tables_of_numbers(
    tmp_path: Path, text: str, ids: tuple[str, ...] | None
) -> None:
    """With and without ids above and beside."""
    found = read_matrix(written(tmp_path, text))
    assert np.array_equal(found.values, VALUES)
    assert found.ids == ids


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1\n2,0,3\n4,5,6\n", "line 1: must have 3 cells"),
        ("0,1,2\n3,0,b\n4,5,0\n", "line 2: must hold finite numbers"),
        ("0,1,2\n3,0,1e400\n4,5,0\n", "line 2: must hold finite numbers"),
        (",a,b\nb,0,1\na,2,0\n", "first column must have the names"),
        ("0\n", "must have a depot and a customer"),
        ("0;1.000\n1,5;0\n", "line 1: must hold .*, got '1.000'"),
        ("0,1\n1_0,0\n", "line 2: must hold finite numbers"),
        ("0,\u0663\n1,0\n", "line 1: must hold finite numbers"),
        ("a,1\n0,2\n3,0\n", "line 1: must name the columns or hold numbers"),
        ("1,x\n0,2\n2,0\n", "line 1: must name the columns or hold numbers"),
        ("a,\n0,2\n2,0\n", "ids: must be 2, one for each row"),
        ("#1,a\n0,2\n2,0\n", "line 1: may be a comment or name the colum"),
        ("0\n5,0\n6,7,0\n", "line 1: must have 3 cells"),
        ("0,,\n5,0,\n6,7,0\n", "diagonal: must have numbers on both .* above"),
        ("0,5,6\n,0,7\n,,0\n", "diagonal: must have numbers on both .* below"),
    ],
)
def test_broken_tables_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    """The line is named."""
    with pytest.raises(nr.InstanceError, match=message):
        read_matrix(written(tmp_path, text))


def test_broken_files_of_numpy_are_refused(tmp_path: Path) -> None:
    """Missing, of another kind, several arrays, not square."""
    np.savez(tmp_path / "two.npz", a=VALUES, b=VALUES)
    np.save(tmp_path / "flat.npy", VALUES[:2])
    (tmp_path / "text.npz").write_text("text")
    for name, message in (
        ("missing.npz", "does not exist"),
        ("two.npz", "must hold one array"),
        ("flat.npy", "must be square"),
        ("text.npz", "is not a NumPy array"),
    ):
        with pytest.raises(nr.InstanceError, match=message):
            read_matrix(tmp_path / name)
    with pytest.raises(nr.InstanceError, match="must be numbers"):
        read_matrix([[0, 1], [2]])


@pytest.mark.parametrize("shape", [(20_000, 20_000), (1, 10**9)])
@pytest.mark.parametrize("beside", [{}, {"matrix": VALUES}])
def test_a_small_file_of_a_huge_matrix_is_not_loaded(
    tmp_path: Path, shape: tuple[int, int], beside: dict[str, np.ndarray]
) -> None:
    """Its header says the shape; the values would take gigabytes."""
    file = tmp_path / "m.npz"
    arrays: dict[str, Any] = {"zeros": [0], **beside}
    np.savez_compressed(file, **arrays)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"shape": shape, "fortran_order": False, "descr": "<f8"}
    )
    huge = tmp_path / "huge.npz"
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(huge, "w") as new:
        for name in old.namelist():
            is_huge = name == "zeros.npy"
            new.writestr(
                name, header.getvalue() if is_huge else old.read(name)
            )
    if beside:
        assert np.array_equal(read_matrix(huge, 3).values, VALUES)
        return
    rule = r"must be square|must have 3 rows"
    with pytest.raises(nr.InstanceError, match=rule):
        read_matrix(huge, 3)


def test_none_is_a_forbidden_arc() -> None:
    """As null is in JSON."""
    found = read_matrix([[0, 2, None], [2, 0, 3], [4, 3, 0]])
    assert found.values.tolist() == [[0, 2, np.inf], [2, 0, 3], [4, 3, 0]]


NO_WAY = (
    *("2147483647", "4294967295", "9223372036854775807", str(sys.maxsize)),
    *("2147483648", "9.223372036854775807e18", "9.22337203685477E+18"),
    *("inf", "Infinity", "nan", "NULL", "none", "n/a", "-", ""),
    *("no", "\u2013"),
)


@pytest.mark.parametrize("cell", NO_WAY)
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_what_stands_for_no_way_in_cells(
    tmp_path: Path, cell: str, mark: str
) -> None:
    """In the first line, which might hold ids, as in any other."""
    expected = [[0, np.inf, 2], [1, 0, np.inf], [1, 2, 0]]
    rows = [["0", cell, "2"], ["1", "0", cell], ["1", "2", "0"]]
    text = "\n".join(map(mark.join, rows))
    found = read_matrix(written(tmp_path, text))
    assert (found.values.tolist(), found.ids) == (expected, None)
    titled = [["", "a", "b", "c"]]
    titled += [[name, *row] for name, row in zip("abc", rows, strict=True)]
    text = "\n".join(map(mark.join, titled))
    found = read_matrix(written(tmp_path, text))
    assert (found.values.tolist(), found.ids) == (expected, tuple("abc"))


@pytest.mark.parametrize("end", ["", ",", ",,"])
def test_a_column_of_empty_cells(tmp_path: Path, end: str) -> None:
    """Nobody reaches the last place; separators behind it say nothing."""
    text = f"0,1,{end}\n1,0,{end}\n1,2,{end}\n"
    no = np.inf
    found = read_matrix(written(tmp_path, text)).values.tolist()
    assert found == [[0, 1, no], [1, 0, no], [1, 2, 0]]


def test_empty_cells_beside_numbers_that_are_ids(tmp_path: Path) -> None:
    """A first column that repeats the first line names the rows."""
    file = written(tmp_path, ",7,8\n7,0,\n8,3,0\n")
    found = read_matrix(file)
    assert (found.values.tolist(), found.ids) == (
        [[0, np.inf], [3, 0]],
        ("7", "8"),
    )


@pytest.mark.parametrize(
    "value",
    [
        *(np.iinfo(kind).max for kind in (np.int32, np.uint32, np.int64)),
        *(np.float32(2**31 - 1), np.float32(2**63 - 1), float(2**63)),
        *(np.finfo(np.float32).max, np.finfo(float).max),
        *(np.inf, np.nan, None, sys.maxsize),
    ],
)
def test_what_stands_for_no_way_in_arrays(tmp_path: Path, value: Any) -> None:
    """Lists, arrays, files and instances alike; next to them are lengths."""
    rows = [[0, value, 2], [1, 0, value], [1, 2, 0]]
    expected = [[0, np.inf, 2], [1, 0, np.inf], [1, 2, 0]]
    numbers = np.array(rows, dtype=float)
    np.save(tmp_path / "a.npy", numbers)
    for source in (rows, numbers, np.array(rows), tmp_path / "a.npy"):
        assert read_matrix(source).values.tolist() == expected
    demands = np.array([0, 1, 1])
    for own in map(np.array, (rows, numbers)):
        found = nr.Instance("a", demands, 2, matrix=own, durations=own)
        assert np.asarray(found.matrix).tolist() == expected
        assert np.asarray(found.durations).tolist() == expected
        profile = nr.Profile(own)
        assert profile.matrix.tolist() == expected


def test_missing_values_of_pandas() -> None:
    """In frames and in their arrays, of all the types that have them."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0, 1, 2], [3, 0, 4], [5, 6, 0]])
    for kind in ("Int64", "Float64", "object"):
        own = frame.astype(kind)
        own.iloc[0, 1] = pandas.NA
        for source in (own, own.to_numpy()):
            found = read_matrix(source)
            assert found.values.tolist() == [
                [0, np.inf, 2],
                [3, 0, 4],
                [5, 6, 0],
            ]
            assert found.marks == ("missing",)
    frame = frame.astype(object)
    frame.iloc[0, 1] = "1"
    with pytest.raises(nr.InstanceError, match="must be numbers"):
        read_matrix(frame)


@pytest.mark.parametrize("length", [2**31 - 2, 2**31 + 1, 2**32 - 2, 1e9])
def test_other_large_lengths_are_lengths(length: float) -> None:
    """Also one less than a mark."""
    found = read_matrix([[0, length], [1, 0]])
    assert found.values.tolist() == [[0, length], [1, 0]]
    assert found.marks == ()


def test_marks_on_the_diagonal_forbid_nothing() -> None:
    """From a place to itself there is nothing to drive."""
    found = read_matrix([[2**31 - 1, 5], [6, None]])
    assert (found.values.tolist(), found.marks) == ([[0, 5], [6, 0]], ())


def test_labels_in_another_order_keep_their_diagonal() -> None:
    """The columns b and a of rows a and b."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        [[5, np.nan], [2**31 - 1, 6]], columns=list("ba"), index=list("ab")
    )
    assert read_matrix(frame).values.tolist() == [[0, 5], [6, 0]]
