"""Cells and columns of tables of customers and vehicles that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from tests.oracles.refusals import refused, rows, written

if TYPE_CHECKING:
    from pathlib import Path

CUSTOMERS = "id=yard,a,b,c & x=0,10,20,30 & y=0,0,0,0 & demand=0,1,1,1"
VEHICLES = "name=van 1,van 2,bikes, & number=1,1,3,1 & capacity=9,9,2,9"


def table(columns: str) -> dict[str, list[str]]:
    """Return columns of four cells; ``-NAME`` takes one away again."""
    found: dict[str, list[str]] = {}
    for column in filter(None, columns.split(" & ")):
        title, _, cells = column.partition("=")
        if column.startswith("-"):
            del found[title[1:]]
        else:
            found[title] = [*cells.split(","), "", "", "", ""][:4]
    return found


REQUIRED = "row 2 (id a), column required"
LATEST = "row 1 (id van 1), column latest start"


@pytest.mark.parametrize(
    ("column", "cell", "rule"),
    [
        ("id", ["a"], "a text or a number"),
        ("id", {"a": 1}, "a text or a number"),
        ("required", [], "a text or a number"),
        ("skills", [["lift"]], "a list of names"),
        ("same_route", {"A": 1}, "a list of names"),
    ],
)
def test_lists_and_objects_of_json_are_no_words(
    column: str, cell: object, rule: str
) -> None:
    """What Python writes of them is no id, and no skill."""
    cells = table(CUSTOMERS) | {column: ["yard", cell, "c", "d"]}
    if column != "id":
        cells[column] = ["", cell, "", ""]
    with pytest.raises(nr.InstanceError, match=rule) as raised:
        nr.read(cells, capacity=3)
    assert f"column {column}" in str(raised.value)
    assert str(cell) in str(raised.value)


@pytest.mark.parametrize(
    ("columns", "field", "rule", "value"),
    rows(f"""
vehicle=,van 3 | row 2 (id a), column vehicle | must name vehicles | van 3
skills=lift | row 1 (id yard), column skills | must be empty for | lift
district=N | row 1 (id yard), column district | must be empty for | N
same route=,A,A & different routes=,B,B | constraints | customer 2 (id b) must
deliver_to=,q | row 2 (id a), column deliver_to | must be a customer's | q
deliver_to=,yard | row 2 (id a), column deliver_to | must be a cust | yard
deliver_to=,b | row 3 (id b), column deliver_to | must have no load
pickup=,.1234567 | row 2 (id a), column pickup | a whole number | .1234567
pickup=,-1 | row 2 (id a), column pickup | must not be negative | -1
pickup=,2e18 | row 2 (id a), column pickup | must be at most 11529 | 2e18
prize=,-1 | row 2 (id a), column prize | must not be negative | -1
demand=0,1e300,1,1 | row 2 (id a), column demand | must be at most | 1e300
demand=0,1,1.1234567,1 | row 3 (id b), column demand | a whole | 1.1234567
demand=0,1,,1 | row 3 (id b), column demand | must not be empty
demand=0,-1,1,1 | row 2 (id a), column demand | must not be negative | -1
demand 2=,1 | capacity | must hold 2 numbers, one a load dimension | 1
required=,maybe | row 2 (id a), column required | must be yes or no | maybe
depot=1,maybe | row 2 (id a), column depot | must be yes or no | maybe
type=depot,pickup | row 2 (id a), column type | must be depot or | pickup
type=depot,1 | row 2 (id a), column type | must be depot or | 1
open=,22 & due=,2 | row 2 (id a), column due | before the window | 2
open=0,1780000000000000000 | row 2 (id a), column open | must be at most | 178
release=7 | row 1 (id yard), column release | a depot has no | 7
id=yard,a,a,c | row 3 (id a), column id | must appear once | a
id=yard,a,,c | row 3, column id | must not be empty
-x & -y | columns | columns x and y, or lon and lat, or a matrix
X=1,2,3,4 | columns | a name must appear once | x
depot=1,1 & demand=0,0,1,1 | columns | there are 2 depots: a column start_d
hours=,9-10 & open=,9 | columns | the columns hours and open mean the same
one_of=,s,s & required=,0,1 | row 3 (id b), column required | must be the | 1
demand=0,0,5,1 & deliver_to=,,a & required=,0,1 | {REQUIRED} | both rows
-x & -y & lon=0,1,2,3 & lat=0,1,2,91 | row 4 (id c), column lat | must lie | 91
-x & -y & lon=0,1,2,3 & lat=0,1,2,-91 | row 4 (id c), column lat | lie | -91
-x & -y & lat=0,1,2,3 & lon=0,1,181,3 | row 3 (id b), column lon | lie | 181
"""),
)
def test_customers(columns: str, field: str, rule: str, value: str) -> None:
    """By row, id and column; a demand by the customer."""
    with refused(field, rule, value, "mapping"):
        nr.read(table(f"{CUSTOMERS} & {columns}"), table(VEHICLES))


DEPOTS = "depot=1,1 & demand=0,0,1,1"


@pytest.mark.parametrize(
    ("columns", "field", "rule", "value", "customers"),
    rows(f"""
capacity=,9,9,9 | row 1 (id van 1), column capacity | must be a finite number
capacity=1.1234567,9,9,9 | row 1 (id van 1), column capacity | must be a | 1.1
number=0,1,1,1 | column number | must be at least 1 | 0
number=,1,1,1 | row 1 (id van 1), column number | must be a finite number
shift start=8:00 & shift end=7:59 | row 1 (id van 1), column shift end | before
shift end=7:59 & start=8:00 | row 1 (id van 1), column shift end | before
shift start=8:00 & latest start=7:59 | {LATEST} | before the shift
max_load=9,9,9,9 | columns | columns capacity and max_load name the same
home depot=yard & end_depot=yard | columns | and end_depot name the same field
shift start=8:00 & start=9:00 | columns | columns shift start and start name
reload=maybe | row 1 (id van 1), column reload | must be yes | maybe
shift_start=8:00 | row 2 (id a), column service | has num | 5 | service=,5,5
depot=west | row 1 (id van 1), column depot | id of a depot | west | {DEPOTS}
name=q | columns | there are 2 depots | | {DEPOTS}
"""),
)
def test_vehicles(
    columns: str, field: str, rule: str, value: str, customers: str
) -> None:
    """By row, name and column, also where both tables are at odds."""
    given = table(f"{CUSTOMERS} & {customers}")
    with refused(field, rule, value):
        vehicles = table(f"{VEHICLES} & {columns}")
        nr.read(given, vehicles, speed="1m/s")


IGNORE = "if it does not matter, --ignore-column"


@pytest.mark.parametrize(
    ("customers", "vehicles", "hint"),
    [
        ("tw=,90", "", "  tw (90 in row 2): did you mean "),
        ("", "fuel=7", f"  fuel (7 in row 1): {IGNORE} fuel"),
        ("", "cost=4", "  cost (4 in row 1): did you mean fixed_cost? If it "),
        (
            "",
            "rest_start=12:00",
            "(12:00 in row 1): did you mean shift_start or break_from?",
        ),
    ],
)
def test_columns_that_may_matter(
    customers: str, vehicles: str, hint: str
) -> None:
    """With their first cell, and what to do."""
    error = nr.UnsupportedProblemError
    with refused("columns", hint, source="mapping", error=error):
        nr.read(
            table(f"{CUSTOMERS} & {customers}"),
            table(f"{VEHICLES} & {vehicles}"),
        )


def test_capacities_are_needed_once() -> None:
    """By the vehicles, beside them, or in JSON; a pin needs names."""
    no_capacity = table(f"{VEHICLES} & -capacity")
    customers = table(CUSTOMERS)
    rule = "the capacity of a vehicle"
    for vehicles in (None, no_capacity):
        with refused("", rule, error=nr.ParameterError):
            nr.read(customers, vehicles)
    assert nr.read(customers, no_capacity, capacity=5).capacity == 5
    van = nr.Fleet((nr.VehicleType(capacity=9),))
    for twice in (table(VEHICLES), van):
        with pytest.raises(nr.NccRoutingError, match="capacity of "):
            nr.read(customers, twice, capacity=5)
    with refused("", "vehicles must be a file", error=nr.ParameterError):
        nr.read(customers, 5)
    pinned = table(f"{CUSTOMERS} & vehicle=,A")
    with refused("row 2 (id a), column vehicle", "no vehicle has a name"):
        nr.read(pinned, capacity=9)


@pytest.mark.parametrize(
    ("text", "field", "rule", "value"),
    rows(r"""
0,0,0\n3,4,2\n | line 1 | must name the columns
id,x,y,demand\nann,3,4,2\nbob,6,8,3\n | depot | --depot
id,x,y\na,3,4\na,6,8\n | line 3 (id a), column id | must appear once | a
x,y,depot\n3,4,1\n6,8,maybe\n | line 3, column depot | must be yes or no | may
x,y,depot\n3,4,1\n6,8,1\n | column depot | several depots need vehicles | 2
x,y,demand\n3,4,\n6,8,\n | line 3, column demand | must not be empty
x,y\n3,4\n | demands | a depot and a customer are needed
"""),
)
def test_files(
    tmp_path: Path, text: str, field: str, rule: str, value: str
) -> None:
    """By the line, which is that of the file."""
    file = written(tmp_path, text)
    with refused(field, rule, value, file):
        nr.read(file, capacity=5)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"columns": {"qqq": "x"}}, "no field qqq; the fields: id, x"),
        ({"columns": {"wieght": "x"}}, "no field wieght; similar: weight"),
        ({"columns": {"open": "from"}}, "column from: there is no such col"),
        ({"columns": {"shift_start": "x"}}, "column x: there is no such col"),
        ({"columns": {"open": "x", "x": "x"}}, "a column can have one field"),
        ({"columns": ["open"]}, "must be a mapping"),
        ({"ignore_columns": ["from"]}, "column from: there is no such col"),
        ({"ignore_columns": "x"}, "must be a list of names"),
        ({"columns": {"x": "x"}, "ignore_columns": ["x"]}, "has a field and"),
        *(
            ({"depot": depot}, "depot")
            for depot in ("eve", "1,2,3", (1, 2, 3), object())
        ),
        ({"max_districts": 1}, "max_districts needs a column district"),
        ({"in_progress": 7}, "in_progress must be a file of"),
        *(
            ({"speed": speed}, "km/h, m/s or mph")
            for speed in ("40", 40, "0km/h", "fast", "1e9km/h", "-1m/s")
        ),
        ({"time_unit": "d"}, "must be one of s, min, h"),
    ],
)
def test_options(options: dict[str, object], rule: str) -> None:
    """A word that names nothing would lose what it stands for."""
    with pytest.raises(nr.NccRoutingError) as caught:
        nr.read(table(CUSTOMERS), capacity=9, **options)  # type: ignore[arg-type]
    assert rule in str(caught.value)


def test_one_message_has_rows_loads_and_matrices(tmp_path: Path) -> None:
    """Repeated ids, a load in another unit, an early end, and two matrices.

    What is wrong is told once: the load that is refused is a number for the
    steps that follow.
    """
    file = written(
        tmp_path,
        "id,weight kg,open,due\nyard,0,,\nann,12.5x,9:00,8:00\nann,4.5,,\n",
    )
    lines = (
        "- line 3 (id ann), column weight kg: must be in kg, like other loads "
        "of its dimension, got '12.5x'.",
        "- matrix: matrix: must have 3 rows, one for each place, got (2, 2).",
        "- line 4 (id ann), column id: must appear once, got 'ann'.",
        "- line 3 (id ann), column due: must not be before the window opens",
    )
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file, capacity=9, matrix=[[0, 1], [1, 0]])
    told = str(caught.value).splitlines()[1:]
    for line, start in zip(told, lines, strict=True):
        assert line.startswith(start), line


@pytest.mark.parametrize("name", ["Total", "Summe", "TOTAL:"])
def test_a_total_that_is_no_sum_is_said_to_be_one(
    tmp_path: Path, name: str
) -> None:
    """The row has no coordinates, which is not what is wrong with it."""
    rows = "id,x,y,demand\nyard,0,0,0\na,3,4,2\nb,1,1,4\n"
    file = tmp_path / "a.csv"
    file.write_text(f"{rows}{name},,,7\n")
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(file, capacity=9)
    assert str(caught.value) == (
        f"{file}: line 5, column demand: is called {name}, but the others add "
        "up to 6: correct it, or leave the line out, got '7'."
    )
    file.write_text(f"{rows}{name},,,6\n")
    assert nr.read(file, capacity=9).num_customers == 2
    # An order of that name has a place, or is one of a matrix.
    file.write_text(f"{rows}{name},5,5,7\n")
    assert nr.read(file, capacity=9).num_customers == 3
