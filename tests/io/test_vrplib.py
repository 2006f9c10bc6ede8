"""Reading the text of an instance: right ones and wrong ones."""

from __future__ import annotations

import tracemalloc
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.io.metrics import METRIC_NAMES
from tests.io.files import written

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parent / "data"
TINY = (DATA / "tiny.vrp").read_text()
EXPLICIT = (DATA / "tiny-full-matrix.vrp").read_text()
MATRIX = EXPLICIT[
    EXPLICIT.index("EDGE_WEIGHT_SECTION") : EXPLICIT.index("DEMAND_SECTION")
]
LOWER = (DATA / "tiny-lower-row.vrp").read_text()
SOLOMON = (DATA / "solomon.txt").read_text()
save = partial(written, name="case.vrp")
TINY_COORDS = [[0, 0], [3, 4], [6, 8], [-5, 0], [-5, 12], [0, -7]]


def replaced(text: str, old: str, new: str) -> str:
    """Replace text that has to be there."""
    assert old in text
    return text.replace(old, new)


def without(text: str, key: str) -> str:
    """Leave out a line, or a section with its rows."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(key))
    end = start + 1
    if key.endswith("_SECTION"):
        while lines[end][0] in "-0123456789":
            end += 1
    return "\n".join(lines[:start] + lines[end:])


def test_reads_every_field() -> None:
    """Coordinates, demands, capacity, name and the rounding."""
    instance = nr.read(str(DATA / "tiny.vrp"))
    assert instance.name == "tiny"
    assert instance.capacity == 10
    assert instance.rounding == "nearest"
    assert instance.demands.tolist() == [0, 4, 6, 5, 5, 10]
    assert instance.coords is not None
    assert instance.coords[4].tolist() == [-5, 12]
    assert instance.matrix is None
    assert instance.distances([0], [1, 2, 4]).tolist() == [[5, 10, 13]]


@pytest.mark.parametrize(
    ("kind", "rounding", "expected"),
    [
        ("EUC_2D", "nearest", 6),
        ("CEIL_2D", "ceil", 7),
        ("FLOOR_2D", "floor", 6),
        ("EXACT_2D", "exact", 6403),
    ],
)
def test_edge_weight_types(
    tmp_path: Path, kind: str, rounding: str, expected: int
) -> None:
    """The length sqrt(41) = 6.4031 from (3, 4) to (-2, 0) under each type."""
    text = replaced(TINY, "EUC_2D", kind)
    instance = nr.read(save(tmp_path, replaced(text, "4 -5 0", "4 -2 0")))
    assert instance.rounding == rounding
    assert instance.distances([1], [3]).item() == expected


def test_paper_metric() -> None:
    """Coordinates by 1000, unrounded."""
    instance = nr.read(DATA / "tiny.vrp", metric="paper")
    assert instance.rounding == "none"
    assert instance.coords is not None
    assert instance.coords[2].tolist() == [0.006, 0.008]
    assert instance.distances([0], [2]).item() == pytest.approx(0.01)


def test_paper_metric_needs_coordinates_and_its_name() -> None:
    """Neither an explicit matrix nor an unknown metric is accepted."""
    with pytest.raises(nr.InstanceError, match="paper's metric needs"):
        nr.read(DATA / "tiny-full-matrix.vrp", metric="paper")
    with pytest.raises(nr.ParameterError, match="metric must be"):
        nr.read(DATA / "tiny.vrp", metric="other")


def test_lower_row_without_coordinates() -> None:
    """The rows below the diagonal make a symmetric matrix."""
    instance = nr.read(DATA / "tiny-lower-row.vrp")
    assert instance.coords is None
    assert instance.matrix is not None
    assert instance.matrix.tolist() == [
        [0, 5, 6, 8],
        [5, 0, 7, 9],
        [6, 7, 0, 10],
        [8, 9, 10, 0],
    ]


def test_full_matrix_with_coordinates() -> None:
    """The matrix counts, the coordinates stay; the diagonal becomes 0."""
    instance = nr.read(DATA / "tiny-full-matrix.vrp")
    assert instance.coords is not None
    assert instance.matrix is not None
    assert instance.matrix.tolist() == [[0, 5, 6], [7, 0, 8], [2.5, 3, 0]]
    assert not instance.is_symmetric


def test_matrix_may_be_wrapped_anywhere(tmp_path: Path) -> None:
    """Line ends mean nothing inside a list of weights."""
    text = replaced(EXPLICIT, "9999 5 6\n7 9999 8\n", "9999 5\n6 7 9999 8\n")
    assert nr.read(save(tmp_path, text)).distances([1], [0]).item() == 7
    text = replaced(LOWER, "5\n6 7\n8 9 10\n", "5 6 7\n8 9\n10\n")
    assert nr.read(save(tmp_path, text)).distances([3], [2]).item() == 10


def test_shuffled_rows_are_put_in_order(tmp_path: Path) -> None:
    """The node number is part of a row, so its place does not matter."""
    lines = TINY.splitlines()
    lines[7:13] = lines[7:13][::-1]
    lines[14], lines[18] = lines[18], lines[14]
    shuffled = nr.read(save(tmp_path, "\n".join(lines)))
    expected = nr.read(DATA / "tiny.vrp")
    assert np.array_equal(
        shuffled.require_coords("a test"), expected.require_coords("a test")
    )
    assert np.array_equal(shuffled.demands, expected.demands)


@pytest.mark.parametrize(
    "text",
    [
        TINY.replace("\n", "\r\n"),
        TINY.replace("EOF\n", ""),
        TINY.replace("-1\nEOF\n", ""),
        TINY.replace("1\n-1\n", "1 -1\n"),
        TINY.replace(" : ", ":"),
        TINY.replace(" : ", " :\t"),
        TINY.replace("SECTION\n", "SECTION :\n"),
        "# a comment\n\n" + TINY.replace("\n", "\n\n"),
        "\ufeff" + TINY,
        TINY.replace("TYPE : CVRP\n", ""),
        without(TINY, "CAPACITY").replace("DEM", "CAPACITY : 10\nDEM"),
        TINY.replace("CAPACITY : 10", "CAPACITY : 10.0"),
        TINY.replace("DIMENSION", "VEHICLES : 5\nDIMENSION"),
        TINY.replace("DIMENSION", "SERVICE_TIME : 0\nDIMENSION"),
        TINY.replace("1 0 0\n", "1 0.0 0e3\n"),
        TINY + "anything after the end",
    ],
)
def test_harmless_variants(tmp_path: Path, text: str) -> None:
    """Line ends, blanks, comments and the order of keys do not matter."""
    file = tmp_path / "case.vrp"
    file.write_bytes(text.encode())
    instance = nr.read(file)
    assert instance.demands.tolist() == [0, 4, 6, 5, 5, 10]
    assert instance.capacity == 10
    assert instance.coords is not None
    assert np.array_equal(instance.coords, TINY_COORDS)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("NAME : GEOFF", "GEOFF"),
        ("NAME : MY_SECTION", "MY_SECTION"),
        ("NAME : a: b", "a: b"),
        ("NAME :", "case"),
        ("COMMENT : EOF comes later", "case"),
    ],
)
def test_names_are_free_text(tmp_path: Path, line: str, name: str) -> None:
    """A name that looks like a keyword is a name all the same."""
    text = without(without(TINY, "NAME"), "COMMENT")
    instance = nr.read(save(tmp_path, f"{line}\n{text}"))
    assert instance.name == name
    assert instance.num_customers == 5


@pytest.mark.parametrize(
    "line",
    [
        "TIME_WINDOW_SECTION",
        "time_window_section :",
        "VEHICLES : 1",
        "WHATEVER: 3",
        "6 10",
        "-1",
    ],
)
def test_nothing_is_said_behind_the_end(tmp_path: Path, line: str) -> None:
    """A field or a row there would be a constraint that nobody reads."""
    start = TINY.count("\n") + 2
    for text in (f"{TINY}\n{line}\n", f"{TINY}\n{line}\n1 0 5\nEOF\n"):
        match = f"line {start}: must come before EOF, got '{line}"
        with pytest.raises(nr.InstanceError, match=match):
            nr.read(save(tmp_path, text))
    for remark in ("# 1 2", "Solved by A. B.", "EOF", "COMMENT : a", "-- x"):
        again = nr.read(save(tmp_path, f"{TINY}\n{remark}\n"))
        assert again.num_customers == 5


NODES = "NODE_COORD_SECTION: "
DEMANDS = "DEMAND_SECTION: "
WEIGHTS = "EDGE_WEIGHT_SECTION: "


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "3 6 8\n",
            "2 6 8\n",
            f"{NODES}a node number must appear once, got 2",
        ),
        ("2 4\n", "3 4\n", f"{DEMANDS}a node number must appear once, got 3"),
        ("6 0 -7\n", "7 0 -7\n", f"{NODES}node numbers must be 1..6, got '7'"),
        ("1 0 0\n", "0 0 0\n", f"{NODES}node numbers must be 1..6, got '0'"),
        (
            "1 0 0\n",
            "a 0 0\n",
            f"{NODES}every value must be a number, got 'a 0 0'",
        ),
        ("6 0 -7\n", "", f"{NODES}must list DIMENSION = 6 nodes, got 5"),
        ("6 10\n", "", f"{DEMANDS}must list DIMENSION = 6 nodes, got 5"),
        ("SION : 6", "SION : 7", f"{NODES}must list DIMENSION = 7 nodes"),
        ("SION : 6", "SION : six", "DIMENSION: must be a whole number"),
        ("SION : 6", "SION : 6.5", "DIMENSION: must be a whole number"),
        ("N : 6", f"N : {10**18}", "DIMENSION: must be a whole number of at"),
        ("SION : 6", "SION : 1", "DIMENSION: must count a depot and"),
        ("3 6 8\n", "3 nan 8\n", f"{NODES}every value must be a number"),
        ("3 6 8\n", "3 6 -inf\n", f"{NODES}every value must be a number"),
        ("3 6 8\n", "3 6 1e10\n", f"{NODES}every value must be finite and"),
        ("3 6 8\n", "3 six 8\n", f"{NODES}every value must be a number"),
        # vrplib would stop at this EOF and lose the rest.
        ("4 -5 0\n", "4 EOF-5 0\n", NODES),
        ("3 6\n4 5\n", "3 EOF6\n4 5\n", DEMANDS),
        ("3 6 8\n", "3 6\n", f"{NODES}a row must hold a node number and 2"),
        ("3 6 8\n", "3 6 8 1\n", f"{NODES}a row must hold a node number"),
        ("3 6\n", "3 6 1\n", f"{DEMANDS}a row must hold a node number and 1"),
        ("3 6\n", "3 -6\n", f"{DEMANDS}the demand of customer 2 must not be"),
        ("3 6\n", "3 6.5\n", f"{DEMANDS}must be whole numbers, got 6.5"),
        ("3 6\n", "3 11\n", f"{DEMANDS}the demand of customer 2 must not ex"),
        ("3 6\n", "3 x\n", f"{DEMANDS}every value must be a number"),
        ("SECTION\n1 0\n", "SECTION\n1 2\n", f"{DEMANDS}the demand of the d"),
        ("TY : 10", "TY : 0", "CAPACITY: must be positive and at most"),
        ("TY : 10", "TY : ten", "CAPACITY: must be a whole number, got 'ten"),
        ("TY : 10", "TY : 10.5", "CAPACITY: must be a whole number"),
        ("TY : 10", "TY : nan", "CAPACITY: must be a whole number"),
        ("TY : 10", "TY : 10\nCAPACITY : 9", "CAPACITY: must appear once"),
        ("DEPOT_S", "DEMAND_S", "DEMAND: must appear once"),
        ("NAME : tiny", "NAME tiny", "line 1: must be a 'KEY : value'"),
        ("NAME", "EDGE_WEIGHT_SECTION\n1 2\nNAME", f"{WEIGHTS}must come with"),
    ],
)
def test_refuses_what_breaks_the_format(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """Each error names file, field, rule and value in one line."""
    file = save(tmp_path, replaced(TINY, old, new))
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    assert str(caught.value).startswith(f"{file}: {message}")
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, nr.UnsupportedProblemError)


NEEDED = (
    "DIMENSION EDGE_WEIGHT_TYPE CAPACITY NODE_COORD_SECTION DEMAND_SECTION "
    "DEPOT_SECTION"
)


@pytest.mark.parametrize("key", NEEDED.split())
def test_missing_parts_are_named(tmp_path: Path, key: str) -> None:
    """Nothing that an instance needs has a default."""
    file = save(tmp_path, without(TINY, key))
    with pytest.raises(nr.InstanceError, match=f"{key}: is missing"):
        nr.read(file)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("9999 5 6\n", "9999 5\n", f"{WEIGHTS}must hold 9 weights for 3 nod"),
        ("2.5 3 9999", "2.5 3 1 1", f"{WEIGHTS}must hold 9 weights for 3"),
        ("2.5 3", "2.5 x", f"{WEIGHTS}every value must be a number"),
        ("2.5 3", "2.5 nan", f"{WEIGHTS}every value must be a number"),
        ("2.5 3", "2.5 -3", f"{WEIGHTS}distances must not be negative"),
        (MATRIX, "", f"{WEIGHTS}is missing"),
        ("8 9 10", "8 9 10 11", f"{WEIGHTS}must hold 6 weights for 4 nodes"),
        ("FULL_MATRIX", "FUNCTION", "EDGE_WEIGHT_FORMAT: must be FULL_MATRIX"),
        (
            "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n",
            "",
            "EDGE_WEIGHT_FORMAT: must be FULL_MATRIX, LOWER_ROW, UPPER_COL",
        ),
    ],
)
def test_refuses_wrong_weights(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """The weights have to fit the number of nodes."""
    text = LOWER if old in LOWER else EXPLICIT
    file = save(tmp_path, replaced(text, old, new))
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file)
    assert str(caught.value).startswith(f"{file}: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\xff\xfe", "is empty"),
        (b"\x7fELF\x00\x01\x02", "is not a text file"),
        (b"\xff\xfe\x80garbage", "line 1: must be a 'KEY : value'"),
        (b"EOF\n", "DIMENSION: is missing"),
        (b"{" + b"a" * 9999, r"got '\{a+\.\.\.'"),
    ],
)
def test_refuses_what_is_no_instance(
    tmp_path: Path, content: bytes, message: str
) -> None:
    """Any file can be given by mistake; the error stays short."""
    file = tmp_path / "case.vrp"
    file.write_bytes(content)
    with pytest.raises(nr.InstanceError, match=message) as caught:
        nr.read(file)
    assert len(str(caught.value)) < 200 + len(str(file))


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_damage_is_read_right_or_refused(
    two_depots: nr.Instance, tmp_path: Path, data: st.DataObject
) -> None:
    """Damaged text never ends in another kind of error, or two lines."""
    nr.write_instance(tmp_path / "whole.vrp", two_depots)
    rich = (tmp_path / "whole.vrp").read_text()
    text = data.draw(st.sampled_from([TINY, EXPLICIT, LOWER, rich, SOLOMON]))
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 12))
    filler = data.draw(
        st.text(alphabet="0123456789.- \n:_#eEOFINna", max_size=8)
    )
    file = save(tmp_path, text[:start] + filler + text[start + length :])
    metric = data.draw(st.sampled_from(METRIC_NAMES))
    try:
        instance = nr.read(file, metric)
    except nr.InstanceError as error:
        message = str(error)
    else:
        assert instance.num_customers in (2, 3, 4, 5)
        return
    assert message.startswith(f"{file}: ")
    assert "\n" not in message


def test_a_large_file_needs_no_matrix(tmp_path: Path) -> None:
    """A matrix of bytes alone would take 400 MB."""
    size = 20_000
    places = np.random.default_rng(1).integers(0, 1000, (size, 2))
    file = tmp_path / "large.vrp"
    demands = np.minimum(np.arange(size), 1)
    nr.write_instance(file, nr.Instance("large", demands, 100, coords=places))
    tracemalloc.start()
    try:
        assert nr.read(file).num_customers == size - 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100e6


def test_swapped_arguments_are_said() -> None:
    """Of each function that writes a file."""
    instance = nr.generate_uchoa(5, 1)
    plan = nr.solve(instance, polish="none").best
    points = nr.PointSet(np.eye(2), np.ones(2), capacity=2)
    swapped: list[tuple[Callable[..., None], tuple[object, ...]]] = [
        (nr.write_instance, (instance, "x.vrp")),
        (nr.write_solution, (plan, "x.sol")),
        (nr.write_routes, (instance, "x.csv", plan)),
        (nr.write_points, (points, "x.csv")),
    ]
    for function, arguments in swapped:
        with pytest.raises(nr.ParameterError, match="a string or a path"):
            function(*arguments)
