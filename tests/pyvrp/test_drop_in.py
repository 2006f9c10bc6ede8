"""PyVRP's ``solve`` with our search: its signature and its result."""

from __future__ import annotations

import inspect
import math
import subprocess
import sys

import matplotlib.pyplot as plt
import pytest
import pyvrp
import pyvrp.plotting

from ncc_routing.pyvrp import solve
from ncc_routing.pyvrp.adapter import to_problem_data
from tests.oracles.problems import FLEETS, PARTS, random_problem


def data_of(seed: int = 1) -> pyvrp.ProblemData:
    """Return a problem of fleets, windows and prizes."""
    instance = random_problem(seed, (*FLEETS, *PARTS), 8)
    return to_problem_data(instance)


def test_signature_is_that_of_pyvrp() -> None:
    """Names, kinds and defaults are equal, but for ``params``."""
    ours, theirs = (
        inspect.signature(function).parameters
        for function in (solve, pyvrp.solve)
    )
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
    stop = pyvrp.stop.MaxIterations(2000)
    result = solve(data, stop, 3, collect_stats)
    assert type(result) is pyvrp.Result
    assert result.is_feasible()
    assert result.num_iterations >= 2000
    assert result.stats.is_collecting() is collect_stats
    costs = [datum.best_cost for datum in result.stats]
    assert costs[-1:] == [result.cost()] * collect_stats
    assert costs == sorted(costs, reverse=True)
    count = result.num_iterations * collect_stats
    assert len(costs) == len(result.stats.runtimes) == count
    assert sum(result.stats.runtimes) <= 1.001 * result.runtime
    again = solve(data, stop, 3, initial_solution=result.best)
    assert again.cost() <= result.cost()


def test_parameters_of_pyvrp_run_its_search() -> None:
    """It is PyVRP's answer at the same seed."""
    data, params = data_of(), pyvrp.SolveParams()
    ours, theirs = (
        function(data, pyvrp.stop.MaxIterations(50), 5, params=params)
        for function in (solve, pyvrp.solve)
    )
    assert ours.best == theirs.best
    assert ours.num_iterations == theirs.num_iterations


def test_impossible_problem_has_an_infeasible_answer() -> None:
    """As PyVRP's: the cost is infinite. As many as possible are served."""
    model = pyvrp.Model()
    depot = model.add_depot(model.add_location(0, 0))
    model.add_vehicle_type(1, 10, depot, depot)
    for client in range(5):
        model.add_client(model.add_location(client, 1), delivery=4)
    for place in model.locations:
        for other in model.locations:
            model.add_edge(place, other, int(abs(place.x - other.x)))
    result = solve(model, pyvrp.stop.MaxIterations(100))
    assert result.cost() == math.inf
    assert result.best.num_clients() == 2
    assert not any(datum.best_feas for datum in result.stats)


@pytest.mark.parametrize("count", [0, 1, 400])
def test_result_is_plotted_by_pyvrp(count: int) -> None:
    """Its plots need statistics of each iteration."""
    data = data_of()
    result = solve(data, pyvrp.stop.MaxIterations(count))
    figure = plt.figure()
    pyvrp.plotting.plot_result(result, data, fig=figure)
    plt.close(figure)
