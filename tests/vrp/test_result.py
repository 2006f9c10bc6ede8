"""What a result says of itself, and how it is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.routes import read_plan, write_routes
from ncc_routing.generators import generate_uchoa
from ncc_routing.io.vrplib import write_solution
from ncc_routing.plotting import plot_solution
from ncc_routing.problems.given_columns import GivenColumn
from ncc_routing.problems.source import Source
from ncc_routing.problems.table_form import TableForm
from ncc_routing.problems.time_form import TimeForm
from ncc_routing.pyvrp.adapter import to_problem_data
from tests.oracles.problems import FLEETS, PARTS, PLACES, random_problem
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def result(square: nr.Instance) -> nr.Result:
    """Return the corners of the square in two routes."""
    return nr.solve(square, method="ckm", polish="none")


def test_it_is_short_and_longer_on_demand(result: nr.Result) -> None:
    """One line for the prompt; the summary has each stage and the loads."""
    assert repr(result).startswith("Result(square: cost 484, 2 routes, ")
    assert "\n" not in repr(result)
    lines = dict(
        line.split(maxsplit=1) for line in result.summary().splitlines()
    )
    assert lines["instance"] == "square, 4 customers, capacity 5"
    assert lines["method"] == "ckm, polish none, seed 1"
    assert lines["route"].endswith("s, cost 484")
    assert lines["routes"] == "2, 100.0 % full"


def test_a_vehicle_that_reloads_is_filled_again(result: nr.Result) -> None:
    """Each trip has room for a whole load, but none without customers."""
    kind = nr.VehicleType(capacity=5, reload_depots=(0,))
    able = replace(result.instance, fleet=nr.Fleet((kind,)))
    best = nr.Solution.from_routes(able, [[1, 4, 0, 0, 2, 3]])
    again = replace(result, instance=able, best=best)
    assert "1, 100.0 % full" in again.summary()


@pytest.mark.parametrize("kind", ["nearest", "none", "matrix"])
def test_json_keeps_everything(square: nr.Instance, kind: str) -> None:
    """Written and read, it is the same to the last digit."""
    matrix = np.array([[0, 2, 3], [4, 0, 5], [6, 7, 0]])
    if kind == "matrix":
        instance = nr.Instance("table", np.array([0, 1, 1]), 2, matrix=matrix)
    else:
        instance = replace(square, rounding=kind)
    result = nr.solve(instance, polish="none", seed=4)
    text = result.to_json()
    again = nr.Result.from_json(text)
    assert again.to_json() == text
    assert again.best == result.best
    assert again.trace == result.trace
    assert again.stages == result.stages
    assert again.instance.rounding == instance.rounding
    if instance.matrix is not None:
        assert np.array_equal(np.asarray(again.instance.matrix), matrix)


def test_a_wrong_text_is_refused(result: nr.Result) -> None:
    """No JSON, another object, and routes that leave a customer out."""
    for text in ("routes", "[]", "{}", '{"instance": 3}'):
        with pytest.raises(nr.ParameterError, match="this is no result"):
            nr.Result.from_json(text)
    with pytest.raises(nr.ParameterError, match="use to_json"):
        nr.Result.from_json('{"instance": "P-n16-k8", "routes": [[1]]}')
    content = json.loads(result.to_json())
    content["routes"].pop()
    with pytest.raises(
        nr.ParameterError, match="the result is invalid: customer"
    ):
        nr.Result.from_json(json.dumps(content))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("cost", None, "cost must be a whole number or a number, got None"),
        ("cost", "484", "cost must be"),
        ("cost", True, "cost must be"),
        ("routes", [["1"]], "route 1 must be a list of whole numbers"),
        ("routes", [1], "route 1 must be a list, got 1"),
        ("vehicle_types", [0.5, 0], "vehicle_types must be a list of whole"),
        ("labels", [0], "labels must hold a number for each node"),
        ("phases", [1], "phases must be a list of texts"),
        ("phases", "ckm", "phases must be"),
        ("seed", None, "seed must be a whole number"),
        ("runtime_seconds", "1", "runtime_seconds must be"),
        ("params", [], "params must be an object"),
        ("stages", [{"name": "a", "seconds": None, "cost": 1}], "seconds mus"),
        ("trace", [7], "is no result: "),
        ("instance", 2000 * [7], "is no result: "),
    ],
)
def test_a_wrong_type_is_refused(
    result: nr.Result, name: str, value: object, message: str
) -> None:
    """The message names the entry."""
    content = {**json.loads(result.to_json()), name: value}
    with pytest.raises(nr.ParameterError, match=message):
        nr.Result.from_json(json.dumps(content))


def test_the_stops_as_a_table(result: nr.Result) -> None:
    """One row a stop, with the load on board after it."""
    pytest.importorskip("pandas")
    table = result.to_dataframe()
    assert list(table.columns) == [
        "route", "stop", "id", "delivered", "kind", "x", "y", "load",
        "distance",
    ]  # fmt: skip
    assert sorted(table["id"]) == ["0", "0", "0", "0", "1", "2", "3", "4"]
    assert set(table["kind"][table["id"] == "0"]) == {"depot"}
    for stop, load in ((0, 5), (2, 0)):
        assert list(table[table["stop"] == stop]["load"]) == [load, load]
    corner = table[table["id"] == "3"].iloc[0]
    assert (corner["x"], corner["y"], corner["delivered"]) == (100, 100, 3)


def test_the_table_is_a_plan(square: nr.Instance, tmp_path: Path) -> None:
    """Customers have their ids, also in a file of it."""
    pytest.importorskip("pandas")
    named = replace(square, ids=("home", "a", "b", "c", "d"))
    result = nr.solve(named, method="ckm", polish="none")
    table = result.to_dataframe()
    assert sorted(table["id"]) == ["a", "b", "c", "d", *4 * ["home"]]
    table.to_csv(tmp_path / "plan.csv", index=False)
    plan = read_plan(tmp_path / "plan.csv", named)
    assert plan.routes == result.best.routes


def test_it_draws_its_routes(result: nr.Result, tmp_path: Path) -> None:
    """The figure is one of matplotlib."""
    file = tmp_path / "routes.svg"
    result.plot().savefig(file)
    assert file.stat().st_size > 1000


@pytest.fixture
def timed(two_depots: nr.Instance, two_depots_plan: nr.Solution) -> nr.Result:
    """Return a plan with vehicle types and time windows as a result."""
    return nr.Result(two_depots, two_depots_plan, "auto", "none", 1, (), 0.1)


def test_fleets_and_windows_are_kept(timed: nr.Result) -> None:
    """As JSON, to the last part; and the rooms are those of the vehicles."""
    again = nr.Result.from_json(timed.to_json())
    assert again.to_json() == timed.to_json()
    assert again.best == timed.best
    assert again.instance.fleet == timed.instance.fleet
    assert f"{100 * 14 / 15:.1f} % full" in timed.summary()
    assert "<svg" in timed._repr_html_()


def test_times_have_the_form_of_the_table(timed: nr.Result) -> None:
    """Numbers are there for those who compute, and JSON keeps the form."""
    pytest.importorskip("pandas")
    form = TimeForm("clock", has_seconds=True)
    clock = replace(
        timed, instance=replace(timed.instance, source=Source(time_form=form))
    )
    again = nr.Result.from_json(clock.to_json())
    assert again.instance.source.time_form == form
    table = again.to_dataframe()
    assert table["departure"].tolist()[:2] == ["00:00:05", "00:00:20"]
    numbers = again.to_dataframe(clock=False)
    assert numbers["departure"].tolist()[:2] == [5, 20]


def test_results_of_an_older_version_are_read(timed: nr.Result) -> None:
    """What the source of an instance says stood beside its other fields."""
    source = Source(
        unused_columns=("fuel",),
        time_form=TimeForm("s"),
        load_parts=(10,),
        columns=(GivenColumn("phone", ("",) * len(timed.instance.demands)),),
        table_form=TableForm(time_unit="s"),
    )
    result = replace(timed, instance=replace(timed.instance, source=source))
    content = json.loads(result.to_json())
    older = {**content, "instance": dict(content["instance"])}
    older["instance"] |= older["instance"].pop("source")
    again = nr.Result.from_json(json.dumps(older))
    assert again.instance.source == source
    assert again.to_json() == result.to_json()


def test_times_of_the_stops(timed: nr.Result) -> None:
    """Customer 2 opens at 30, and nobody waits for it."""
    pytest.importorskip("pandas")
    table = timed.to_dataframe().set_index("id")
    names = ["arrival", "waiting", "service_start", "departure"]
    assert table.loc["2", names].tolist() == [30, 0, 30, 35]
    assert table.loc["2", "vehicle_type"] == 0
    assert table.loc["3", "vehicle_type"] == 1


def test_costs_are_the_sum_of_their_parts(result: nr.Result) -> None:
    """Distance and duration of all routes, with waiting and service."""
    assert result.is_feasible
    assert (result.num_routes, result.distance) == (2, result.cost)
    assert result.duration == result.distance
    # A line: home 0, customers at 10 and 30; the second opens at 50.
    fleet = nr.Fleet(
        (
            nr.VehicleType(
                capacity=2,
                fixed_cost=100,
                unit_distance_cost=3,
                unit_duration_cost=2,
            ),
        )
    )
    places = np.array([[0, 0], [10, 0], [30, 0]])
    line = nr.Instance(
        *("line", np.array([0, 1, 1]), 2, places),
        fleet=fleet,
        windows=nr.TimeWindows.of(
            3, [0, 0, 50], [99, 15, 60], service_durations=[0, 4, 5]
        ),
    )
    best = nr.Solution.from_routes(line, [[1, 2]])
    timed = replace(result, instance=line, best=best)
    # Off at 5, 15-19 at the first, 39-50 waiting, 50-55, home at 85.
    assert (timed.distance, timed.duration) == (60.0, 80.0)
    assert timed.cost == 100 + 3 * 60 + 2 * 80
    late = nr.Solution.from_routes(line, [[2, 1]])
    assert not replace(timed, best=late).is_feasible


def test_a_file_has_the_form_of_its_suffix(
    result: nr.Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each holds the routes; another suffix is refused before the work."""
    for suffix in (".sol", "", ".csv", ".json", ".xlsx"):
        file = tmp_path / f"plan{suffix}"
        result.write(file)
        again = nr.solve(result.instance, polish="none", initial_solution=file)
        assert again.cost == result.cost
    result.write("-")
    assert capsys.readouterr().out == (tmp_path / "plan.sol").read_text()
    text = (tmp_path / "plan.json").read_text()
    assert nr.Result.from_json(text).to_json() == result.to_json()
    for suffix, content in (
        (".html", "<html"),
        (".geojson", '"LineString"'),
        (".svg", "<svg"),
        (".PNG", "PNG"),
    ):
        file = tmp_path / f"plan{suffix}"
        result.write(str(file))
        assert content.encode() in file.read_bytes()
    result.write(tmp_path / "small.png", size=(2.0, 2.0), dpi=50, hulls=True)
    with pytest.raises(nr.ParameterError, match=r"plan.ods: the suffix must"):
        result.write("plan.ods")
    with pytest.raises(nr.ParameterError, match="path of a result"):
        result.write(3)  # type: ignore[arg-type]


def test_plans_of_full_problems_come_out_and_back(tmp_path: Path) -> None:
    """Reloads and customers left out too; the empty plan has its lines."""
    num_reloads = num_empty = 0
    for seed in seeds(400, step=11):
        instance = random_problem(seed, (*FLEETS, *PARTS, *PLACES), 4)
        try:
            result = nr.solve(
                instance, stop=nr.stop.MaxIterations(30), time_limit=1.0
            )
        except nr.InfeasibleError:
            continue
        assert nr.Result.from_json(result.to_json()).cost == result.cost
        assert f"routes    {result.num_routes}" in result.summary()
        if instance.coords is not None:
            assert result.shapes.overlap <= 1.0
        num_empty += not result.routes
        depots = set(instance.depots)
        num_reloads += any(depots & set(route) for route in result.routes)
        suffixes = ["csv", "json"] if result.routes else []
        # A depot at the end of a line is refused: it is mostly a mistake.
        if depots.isdisjoint(route[0] for route in result.routes):
            suffixes += ["sol"][: len(result.routes)]
        for suffix in suffixes:
            file = tmp_path / f"{seed}.{suffix}"
            result.write(file)
            routes, kinds = read_plan(file, instance)[:2]
            again = nr.Solution.from_routes(instance, routes, kinds)
            assert again.cost == result.cost
    assert min(num_reloads, num_empty) > 0


def test_pyvrps_form_of_shipments_before_other_customers() -> None:
    """The routes stay the same, although PyVRP lists the clients first."""
    rows = [
        {"id": "yard", "x": 0, "y": 0, "depot": 1},
        {"id": "p1", "x": 10, "y": 5, "demand": 4, "deliver to": "d1"},
        {"id": "d1", "x": 30, "y": 0, "demand": 0},
        {"id": "shop", "x": 15, "y": -9, "demand": 5},
    ]
    vehicles = [{"capacity": 10, "number": 1}]
    instance = nr.read(rows, vehicles, rounding="nearest")
    found = nr.solve(instance, stop=nr.stop.MaxIterations(50))
    theirs = found.to_pyvrp(to_problem_data(instance))
    assert theirs.distance() == found.cost == 66


def test_data_of_another_problem_are_refused(
    square: nr.Instance, result: nr.Result
) -> None:
    """More clients, and a capacity that the routes exceed."""
    demands = np.full_like(square.demands, square.capacity)
    demands[0] = 0
    for other, message in (
        (generate_uchoa(9, 1), "data: have 9 clients, and .* has 4"),
        (replace(square, demands=demands), "are infeasible there"),
    ):
        with pytest.raises(nr.ParameterError, match=message):
            result.to_pyvrp(to_problem_data(other))


def test_a_file_has_the_options_of_its_form(
    result: nr.Result, tmp_path: Path
) -> None:
    """None of them is left out without a word."""
    result.write(tmp_path / "a.html", hulls=True)
    result.write(tmp_path / "a.svg", hulls=True, size=(3, 3), dpi=50)
    for name, options in (
        ("b.csv", {"hulls": True}),
        ("b.json", {"dpi": 3}),
        ("b.html", {"size": (3, 3)}),
        ("b.geojson", {"hulls": True}),
        ("b.png", {"colour": "red"}),
    ):
        with pytest.raises(nr.ParameterError, match="has no option"):
            result.write(tmp_path / name, **options)
        assert not (tmp_path / name).exists()


def test_a_result_is_more_than_its_solution(
    square: nr.Instance, result: nr.Result, tmp_path: Path
) -> None:
    """What takes a solution says what to give."""
    whole: Any = result
    for call in (
        lambda: nr.check_solution(square, whole),
        lambda: write_routes(tmp_path / "a.csv", square, whole),
        lambda: write_solution(tmp_path / "a.sol", whole),
        lambda: plot_solution(square, whole),
    ):
        with pytest.raises(nr.ParameterError, match="got Result: give its be"):
            call()
    with pytest.raises(nr.ParameterError, match=r"not a path: plan\.json"):
        nr.Result.from_json("plan.json")


def test_a_lower_bound_stays_in_json() -> None:
    """With the gap to it; without one there is none."""
    coords = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]])
    line = nr.Instance(
        "line",
        np.array([0, 1, 1, 1, 1]),
        2,
        coords=coords,
        rounding="none",  # a bound that is not rounded up to the cost
    )
    result = nr.solve(line, time_limit=0.1, bound_seconds=5.0)
    again = nr.Result.from_json(result.to_json())
    assert again.lower_bound == pytest.approx(12.0)
    assert again.bound_gap_percent == pytest.approx(0.0, abs=1e-4)
    assert "at most 0.00 % above 1" in result.summary()
    plain = nr.solve(line, time_limit=0.1)
    assert (plain.lower_bound, plain.bound_gap_percent) == (None, None)


def test_breaks_and_several_windows_come_back() -> None:
    """The JSON of a result has both as they were read."""
    orders = [
        {"id": "yard", "x": 0, "y": 0, "demand": 0, "window": "6-20"},
        {"id": "a", "x": 9, "y": 0, "demand": 1, "window": "9-10; 14-15"},
        {"id": "b", "x": 0, "y": 9, "demand": 1, "window": ""},
    ]
    van = {"name": "v", "capacity": 5, "break": "30 min 11:30-13:30; 9 min"}
    instance = nr.read(orders, [van], speed="1m/s")
    result = nr.solve(instance, method="insertion", polish="none")
    text = result.to_json()
    again = nr.Result.from_json(text)
    assert again.to_json() == text
    types = again.instance.vehicle_types
    assert types[0].breaks == instance.vehicle_types[0].breaks
    windows = again.instance.windows
    assert windows is not None
    assert windows.windows_of(1) == [(32400, 36000), (50400, 54000)]
