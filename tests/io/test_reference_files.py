"""Files with routes of another day, or districts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.desk.references import read_reference
from ncc_routing.desk.routes import write_routes
from ncc_routing.generators.days import generate_days
from ncc_routing.io.vrplib import write_solution
from ncc_routing.problems.routes.references import reference_labels

if TYPE_CHECKING:
    from pathlib import Path

PAST, TODAY = generate_days(30, 4, route_length=6.0)


@pytest.fixture(scope="module")
def before() -> nr.Result:
    """Return what was driven the day before."""
    return nr.solve(PAST, method="sweep", polish="none")


def test_every_output_of_yesterday_is_a_reference(
    before: nr.Result, tmp_path: Path
) -> None:
    """A table, a whole result, a solution with its instance."""
    expected = reference_labels(TODAY, before).tolist()
    table, whole = tmp_path / "past.csv", tmp_path / "past.json"
    plan, file = tmp_path / "past.sol", tmp_path / "past.vrp"
    for each in (table, tmp_path / "past.xlsx"):
        write_routes(each, PAST, before.best)
    whole.write_text(before.to_json())
    write_solution(plan, before.best)
    nr.write_instance(file, PAST)
    for found in (
        read_reference(table),
        read_reference(tmp_path / "past.xlsx"),
        read_reference(whole),
        read_reference(plan, file),
        read_reference(plan, PAST),
    ):
        assert reference_labels(TODAY, found).tolist() == expected


def test_a_solution_alone_has_the_numbers_of_today(
    before: nr.Result, tmp_path: Path
) -> None:
    """Customer k is customer k."""
    plan = tmp_path / "plan.sol"
    write_solution(plan, before.best)
    labels = reference_labels(PAST, read_reference(plan))
    assert (labels == reference_labels(PAST, before)).all()


def test_districts_of_a_table(tmp_path: Path) -> None:
    """Names in any column that is known; a blank is none."""
    file = tmp_path / "districts.csv"
    file.write_text("customer;District;note\na;north;x\nb;;\nc;south;\n")
    assert read_reference(file) == {"a": "north", "c": "south"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,x\na,1\n", "columns.*one of route, cluster, district"),
        ("route,x\n1,1\n", "columns.*one of id, name, customer"),
        ("id,route,zone\na,1,1\n", "route and zone name the same"),
        ("id,route\n,1\n", "line 2, id: must name the customer"),
        ("id,route\na,1\na,2\n", "line 3, id: must appear once.*a"),
    ],
)
def test_wrong_tables_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    """The message names file, line and column."""
    file = tmp_path / "zones.csv"
    file.write_text(text)
    with pytest.raises(nr.InstanceError, match=f"zones.csv.*{message}"):
        read_reference(file)


def test_what_does_not_go_together(tmp_path: Path) -> None:
    """Tables need no instance; other JSON is no result."""
    table = tmp_path / "zones.csv"
    table.write_text("id,route\na,1\n")
    with pytest.raises(nr.InstanceError, match="so it takes no instance"):
        read_reference(table, "NCC-n0021-s1")
    other = tmp_path / "other.json"
    other.write_text("[1]")
    with pytest.raises(nr.ParameterError, match=r"other\.json is no result"):
        read_reference(other)
    with pytest.raises(nr.InstanceError, match=r"gone\.sol"):
        read_reference(tmp_path / "gone.sol")


@pytest.mark.parametrize(
    ("routes", "message"),
    [
        ('[["1"]]', "route 1 must be a list of whole numbers, not '1'"),
        ("5", "routes must be a list, got 5"),
        ("[[null]]", "route 1 must be a list of whole numbers, not None"),
        ("[[1], [2.0]]", "route 2 must be a list of whole numbers, not 2.0"),
        (2000 * "[" + 2000 * "]", "it is nested too deeply"),
    ],
)
def test_damaged_results_are_refused(
    before: nr.Result, tmp_path: Path, routes: str, message: str
) -> None:
    """In one line with the name of the file, whatever is wrong."""
    whole = before.to_json()
    start = whole.index('"routes": ') + len('"routes": ')
    end = whole.index(', "vehicle_types"')
    file = tmp_path / "past.json"
    file.write_text(whole[:start] + routes + whole[end:])
    with pytest.raises(nr.ParameterError, match=message) as caught:
        read_reference(file)
    assert str(caught.value).startswith(f"{file} is no result: ")


@pytest.mark.parametrize(
    ("order", "group"),
    [
        *(("order", "driver"), ("Auftrag", "Fahrer"), ("id", "vehicle")),
        *(("commande", "chauffeur"), ("stop", "route"), ("cliente", "ruta")),
        *(("Order No", "Driver"), ("Customer ID", "Route")),
    ],
)
def test_a_list_is_a_reference_and_a_start(
    tmp_path: Path, order: str, group: str
) -> None:
    """Orders and their drivers, in five languages."""
    rows = {"id": ["d", "a", "b", "c"], "x": [0, 1, 2, 0], "y": [0, 0, 0, 3]}
    instance = nr.read(rows, capacity=3)
    file = tmp_path / "list.csv"
    file.write_text(f"{order},{group}\nb,Tom\na,Tom\nc,Ann\n")
    found = nr.solve(
        *(instance, nr.stop.MaxIterations(9)), reference=file, consistency=9
    )
    assert found.consistency is not None
    assert found.consistency.kept_pairs == 1.0
    start = nr.solve(instance, initial_solution=file, polish="none")
    assert start.routes == ((2, 1), (3,))


def test_a_position_is_no_order(tmp_path: Path) -> None:
    """Where customers are called so; an id beside a customer is unclear."""
    file = tmp_path / "list.csv"
    file.write_text("customer,stop,order,route\na,1,7,x\nb,2,8,y\n")
    assert read_reference(file) == {"a": "x", "b": "y"}
    file.write_text("id,customer,driver\n1,a,x\n")
    with pytest.raises(nr.InstanceError, match="name the same field"):
        read_reference(file)
