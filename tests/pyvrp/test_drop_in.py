"""PyVRP's ``solve`` with our search: its signature and its result."""

from __future__ import annotations

import inspect
import math
import subprocess
import sys
from typing import Any

import matplotlib.pyplot as plt
import pytest
import pyvrp
import pyvrp.plotting

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.pyvrp import minimise_fleet, solve
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.vrp.drop_in_model import Model
from tests.oracles.problems import FLEETS, PARTS, random_problem


def data_of(seed: int = 1) -> pyvrp.ProblemData:
    """Return a problem of fleets, windows and prizes."""
    instance = random_problem(seed, (*FLEETS, *PARTS), 8)
    return to_problem_data(instance)


def test_signature_is_that_of_pyvrp() -> None:
    """Names, kinds and defaults are equal, but for ``params`` and one more."""
    ours, theirs = (
        dict(inspect.signature(function).parameters)
        for function in (solve, pyvrp.solve)
    )
    assert ours.pop("all_clients").default is False
    assert list(ours) == list(theirs)
    assert {n for n, p in ours.items() if p.default != theirs[n].default} == {
        "params"
    }
    assert {p.kind for p in ours.values()} == {p.kind for p in theirs.values()}


def test_it_is_a_public_name_that_needs_no_import() -> None:
    """``nr.pyvrp.solve`` loads at its first use."""
    code = "import ncc_routing as nr; print(nr.pyvrp.solve.__module__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "ncc_routing.vrp.drop_in\n"


@pytest.mark.parametrize("collect_stats", [True, False])
def test_result_is_that_of_pyvrp(collect_stats: bool) -> None:
    """The best solution is of the data; statistics end at its cost."""
    data = data_of()
    stop = pyvrp.stop.MaxIterations(400)
    result = solve(data, stop, 3, collect_stats)
    assert type(result) is pyvrp.Result
    assert result.is_feasible()
    assert result.num_iterations >= 400
    assert result.stats.is_collecting() is collect_stats
    costs = [datum.best_cost for datum in result.stats]
    assert costs[-1:] == [result.cost()] * collect_stats
    assert costs == sorted(costs, reverse=True)
    count = result.num_iterations * collect_stats
    assert len(costs) == len(result.stats.runtimes) == count
    assert sum(result.stats.runtimes) <= 1.001 * result.runtime
    again = solve(data, stop, 3, initial_solution=result.best)
    assert again.cost() <= result.cost()


def test_parameters_of_pyvrp_run_its_search(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is PyVRP's answer at the same seed, and the log says so."""
    data, params = data_of(), pyvrp.SolveParams()
    ours, theirs = (
        function(data, pyvrp.stop.MaxIterations(50), 5, params=params)
        for function in (solve, pyvrp.solve)
    )
    said = [one.getMessage() for one in caplog.records]
    assert "PyVRP's own search runs" in said[0]
    assert ours.best == theirs.best
    assert ours.num_iterations == theirs.num_iterations


def model_of(num_vehicles: int = 1) -> Model:
    """Return five clients with 4 each, for vehicles of 10."""
    model = Model()
    depot = model.add_depot(model.add_location(0, 0))
    model.add_vehicle_type(num_vehicles, 10, depot, depot)
    for client in range(5):
        model.add_client(model.add_location(client, 1), delivery=4)
    for place in model.locations:
        for other in model.locations:
            model.add_edge(place, other, int(abs(place.x - other.x)))
    return model


def test_impossible_problem_has_an_infeasible_answer() -> None:
    """As PyVRP's: the cost is infinite. As many as possible are served.

    Or all of them, if asked for, with 10 too much.
    """
    model, stop = model_of(), pyvrp.stop.MaxIterations(100)
    result = solve(model, stop)
    assert result.cost() == math.inf
    assert result.best.num_clients() == 2
    assert not any(datum.best_feas for datum in result.stats)
    for asked in (
        solve(model, stop, all_clients=True),
        *(model.solve(stop, display=False, all_clients=True),),
    ):
        assert not asked.is_feasible()
        assert asked.best.num_clients() == 5
        assert asked.best.excess_load() == [10]


def test_model_is_that_of_pyvrp() -> None:
    """It has PyVRP's methods, and its ``solve`` is ours."""
    ours, theirs = (
        dict(inspect.signature(function).parameters)
        for function in (Model.solve, pyvrp.Model.solve)
    )
    assert ours.pop("all_clients").default is False
    assert list(ours) == list(theirs)
    assert {n for n, p in ours.items() if p.default != theirs[n].default} == {
        "params"
    }
    stop = pyvrp.stop.MaxIterations(20)
    model = model_of(3)
    for each in (model, Model.from_data(model.data())):
        assert isinstance(each, Model)
        assert each.solve(stop, 2, display=False).cost() == 12
    missing = Model()
    depot = missing.add_depot(missing.add_location(0, 0))
    missing.add_client(missing.add_location(1, 1), delivery=4)
    missing.add_vehicle_type(1, 10, depot, depot)
    found = missing.solve(stop, display=False, missing_value=7)
    assert found.cost() == 14


def test_fewest_vehicles_are_found() -> None:
    """Three vehicles of 10 hold five times 4; PyVRP finds as many."""
    data, stop = model_of(5).data(), pyvrp.stop.MaxIterations(100)
    for function in (minimise_fleet, pyvrp.minimise_fleet):
        fleet = function(data, stop, seed=3)
        assert (fleet.num_available, fleet.capacity) == (3, [10])
    for seed, words in ((2, "multiple vehicle types"), (4, "optional")):
        with pytest.raises(ValueError, match=words):
            minimise_fleet(data_of(seed), stop)
    short = model_of(2).data()
    assert minimise_fleet(short, stop) == short.vehicle_type(0)


def test_progress_has_the_form_of_pyvrp(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On stdout: the problem, and what was found in the end."""
    code = (
        "import pyvrp\n"
        "from tests.pyvrp.test_drop_in import model_of\n"
        "stop = pyvrp.stop.MaxIterations(20)\n"
        "model_of(3).solve(stop)\n"
        "model_of(3).solve(stop, display=False)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[0].startswith("PyVRP v")
    assert "1 depot" in lines
    assert "5 clients" in lines
    assert sum(line.startswith("Iters    Time |") for line in lines) == 1
    assert "Best-found solution has cost 12." in lines


@pytest.mark.parametrize(
    "stop",
    [
        pyvrp.stop.MaxIterations(40),
        pyvrp.stop.NoImprovement(40),
        pyvrp.stop.MultipleCriteria(
            [pyvrp.stop.MaxIterations(40), pyvrp.stop.MaxRuntime(60)]
        ),
        pyvrp.stop.MultipleCriteria(
            [pyvrp.stop.FirstFeasible(), pyvrp.stop.MaxIterations(40)]
        ),
        pyvrp.stop.MaxRuntime(0.2),
    ],
    ids=lambda stop: type(stop).__name__,
)
@pytest.mark.parametrize("collect_stats", [False, True])
def test_calls_that_pyvrp_takes(
    stop: pyvrp.stop.StoppingCriterion, collect_stats: bool
) -> None:
    """By data, a model, or a model's method; from a start, by any limit."""
    data = model_of(3).data()
    start = pyvrp.Solution(data, [[0, 1], [2, 3], [4]])
    random = pyvrp.Solution.make_random(data, pyvrp.RandomNumberGenerator(4))
    for first in (None, start, random):
        more = (2, collect_stats, False, None)
        for found in (
            solve(data, stop, *more, first),
            solve(model_of(3), stop, *more, initial_solution=first),
            model_of(3).solve(stop, *more, initial_solution=first),
            solve(data, stop, seed=2, initial_solution=first),
        ):
            assert found.is_feasible()
            assert found.best.is_complete()
            assert found.runtime >= 0


@pytest.mark.parametrize("count", [0, 1, 400])
def test_result_is_plotted_by_pyvrp(count: int) -> None:
    """Its plots need statistics of each iteration."""
    data = data_of()
    result = solve(data, pyvrp.stop.MaxIterations(count))
    figure = plt.figure()
    pyvrp.plotting.plot_result(result, data, fig=figure)
    plt.close(figure)


def test_problem_is_built_once_and_the_answer_converted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 20 clients, whose distances are rounded lengths."""
    data = to_problem_data(generate_uchoa(20, seed=1))
    made: list[str] = []
    check, route = nr.Instance.__post_init__, pyvrp.Route

    def check_instance(instance: nr.Instance) -> None:
        made.append("instance")
        check(instance)

    def make_route(*arguments: Any) -> pyvrp.Route:
        made.append("route")
        return route(*arguments)

    monkeypatch.setattr(nr.Instance, "__post_init__", check_instance)
    monkeypatch.setattr(pyvrp, "Route", make_route)
    result = solve(data, pyvrp.stop.MaxIterations(20))
    assert result.is_feasible()
    assert made == ["instance", *["route"] * result.best.num_routes()]
