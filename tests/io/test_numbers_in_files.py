"""Numbers that are not numbers are refused by every reader."""

from pathlib import Path

import pytest

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io.matrices import read_matrix
from ncc_routing.io.points import read_points
from ncc_routing.io.toml import read_params
from ncc_routing.io.vrplib import read, read_solution

VRPLIB = """NAME : a
TYPE : CVRP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 12
SERVICE_TIME : 0
NODE_COORD_SECTION
1 0 0
2 100 20
3 50 70
DEMAND_SECTION
1 0
2 7
3 4
DEPOT_SECTION
1
-1
EOF
"""

WRONG = ("1_0", "\u0663", "inf", "nan", "0x10", "1e400")


def save(folder: Path, name: str, text: str) -> Path:
    """Return a new file with a text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("number", WRONG)
@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("DIMENSION : 3", "DIMENSION"),
        ("CAPACITY : 12", "CAPACITY"),
        ("SERVICE_TIME : 0", "SERVICE_TIME"),
        ("1 0 0", "NODE_COORD_SECTION"),
        ("2 100 20", "NODE_COORD_SECTION"),
        ("2 7", "DEMAND_SECTION"),
    ],
)
def test_fields_of_an_instance(
    tmp_path: Path, row: str, field: str, number: str
) -> None:
    """Every field of a VRPLIB file; the message names it."""
    first = row.rpartition(" ")[0]
    text = VRPLIB.replace(f"{row}\n", f"{first} {number}\n")
    file = save(tmp_path, "a.vrp", text)
    with pytest.raises(InstanceError, match=f"a.vrp: {field}: ") as caught:
        read(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("zero", ["0", "0.0", "0e5", "-0"])
def test_every_spelling_of_zero_is_zero(tmp_path: Path, zero: str) -> None:
    """A service of no time is none."""
    text = VRPLIB.replace("SERVICE_TIME : 0", f"SERVICE_TIME : {zero}")
    assert read(save(tmp_path, "a.vrp", text)).is_plain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Route #1: 1\nCost 5\nCost 6\n", "line 3: there must be one cost"),
        ("Route #1: 1\nCost 5\ncost: 5\n", "line 3: there must be one cost"),
        ("Route #1: 1\nCost 5 6\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost 1_0\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost: \u0663\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost\n", "Cost: must be a finite number"),
        ("Route #1: 1\nCost inf\n", "Cost: must be a finite number"),
        ("Route #1: \u0663\n", "line 1: a route must list customer numbers"),
        (f"Route #1: {'9' * 5000}\n", "line 1: a route must list customer"),
    ],
)
def test_solutions(tmp_path: Path, text: str, message: str) -> None:
    """A solution states one cost, and routes of whole numbers."""
    with pytest.raises(InstanceError, match=message):
        read_solution(save(tmp_path, "a.sol", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y,demand\n1_0,2,3\n", "line 2, column x: must be a finite"),
        ("x,y,demand\n\u0663,2,3\n", "line 2, column x: must be a finite"),
        ("x,y,demand\n1,2,inf\n", "line 2, column demand: must be a finite"),
        ("x,y,1_0\n1,2,3\n", "line 1: must name the columns"),
        ("x,y,nan\n1,2,3\n", "line 1: must name the columns"),
        ("2 1_0\n0 0 5 1\n1 1 5 1\n", "line 1: must hold finite numbers"),
        ("2 1\n0 0 inf 1\n1 1 5 1\n", "line 2: must hold finite numbers"),
        ("2 1\n0 0 5 1_0\n1 1 5 1\n", "line 2: must hold finite numbers"),
        ('[{"x": 1, "y": NaN}]', "file: is not JSON that can be read"),
        ('[{"x": 1, "y": Infinity}]', "file: is not JSON that can be read"),
        ('[{"x": 1, "y": "1_0"}]', "row 1, column y: must be a finite"),
        (f'[{{"x": 1, "y": {"9" * 400}}}]', "row 1, column y: must be a fin"),
        ("[" * 100_000, "file: is not JSON that can be read"),
        (f"x,y\n{'1' * 200_000},2\n", "line 2: is no CSV"),
    ],
)
def test_tables_and_points(tmp_path: Path, text: str, message: str) -> None:
    """Cells, first lines, and numbers of JSON."""
    with pytest.raises(InstanceError, match=message):
        read_points(save(tmp_path, "a.csv", text), capacity=100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1\n1_0,0\n", "line 2: must hold finite numbers"),
        ("0,\u0663\n1,0\n", "ids: "),
        ("a,1\n0,2\n3,0\n", "line 1: must name the columns or hold numbers"),
        ("1,x\n0,2\n2,0\n", "line 1: must name the columns or hold numbers"),
        ("a,\n0,2\n2,0\n", "ids: must be 2, one for each row"),
    ],
)
def test_matrices(tmp_path: Path, text: str, message: str) -> None:
    """A first row is of ids or of numbers."""
    with pytest.raises(InstanceError, match=message):
        read_matrix(save(tmp_path, "a.csv", text))


def test_ids_of_both_kinds_need_a_first_column(tmp_path: Path) -> None:
    """Named twice, ids may be numbers and words."""
    file = save(tmp_path, "a.csv", "id,depot,7\ndepot,0,2\n7,3,0\n")
    assert read_matrix(file).ids == ("depot", "7")


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5000])
def test_parameters(tmp_path: Path, text: str) -> None:
    """TOML that goes too deep, and numbers that are too long."""
    with pytest.raises(InstanceError, match="file: must be TOML"):
        read_params(save(tmp_path, "a.toml", text))
