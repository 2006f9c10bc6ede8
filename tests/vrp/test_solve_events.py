"""Events and ends of a solve, and the forms of a problem."""

from __future__ import annotations

import itertools
import json
import math
import signal
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.stages import (
    SEARCH_SHARE,
    choose_improvements,
    default_seconds,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.core.events import Progress
    from ncc_routing.core.stopping import Stop


class _Diary(nr.Callbacks):
    """Records every call."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.costs: list[float | None] = []
        self.ends: list[Any] = []
        self.looks: list[tuple[str, int]] = []

    def on_start(self, problem: Any, params: Any) -> None:
        self.words.append(f"start {problem.name} {params.seed}")

    def on_best(self, progress: Progress) -> None:
        self.words.append("best")
        self.costs.append(progress.cost)

    def on_progress(self, progress: Progress) -> None:
        self.looks.append((progress.stage, progress.iterations))

    def on_end(self, result: Any) -> None:
        self.words.append("end")
        self.ends.append(result)


def test_callbacks_hear_everything(random_instance: nr.Instance) -> None:
    """Start, solutions and end; the costs fall to that of the result."""
    diary = _Diary()
    result = nr.solve(random_instance, time_limit=0.3, seed=3, callbacks=diary)
    best = ["best"] * len(diary.costs)
    assert diary.words == ["start random60 3", *best, "end"]
    assert diary.ends == [result]
    costs = [point.cost for point in result.trace]
    assert diary.costs == costs == sorted(set(costs), reverse=True)
    polish = [count for stage, count in diary.looks if stage == "polish"]
    assert polish == sorted(polish)
    assert polish[-1] > polish[0] == 0
    assert diary.costs[0] == result.stages[0].cost
    assert diary.costs[-1] == result.cost
    assert result.trace[0].stage == "savings"
    assert result.trace[-1].seconds <= result.runtime


def test_the_time_is_used_by_default(random_instance: nr.Instance) -> None:
    """Savings and the automatic polish, until the time is over."""
    result = nr.solve(random_instance, time_limit=1.0)
    assert (result.method, result.polish) == ("savings", "auto")
    assert [stage.name for stage in result.stages] == ["savings", "polish"]
    assert result.runtime >= 0.9


@pytest.mark.parametrize(
    ("num_customers", "seconds"),
    [
        (1, 0.1),
        (20, 2.0),
        (200, 2.0),
        (300, 3.0),
        (6000, 60.0),
        (30_000, 60.0),
    ],
)
def test_the_default_time_grows(num_customers: int, seconds: float) -> None:
    """A hundredth of a second per customer, 2 to 60; less for very few."""
    assert default_seconds(num_customers) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "stop",
    [
        nr.stop.MaxIterations(0),
        nr.stop.FirstFeasible(),
        nr.stop.TargetCost(10.0**9),
        nr.stop.first_of(
            nr.stop.MaxIterations(10**9), nr.stop.FirstFeasible()
        ),
    ],
)
def test_a_criterion_that_is_met_leaves_the_first_routes(
    random_instance: nr.Instance, stop: Stop
) -> None:
    """No polish runs, however much time there is."""
    result = nr.solve(random_instance, time_limit=60.0, stop=stop)
    assert [stage.name for stage in result.stages] == ["savings"]


@pytest.mark.parametrize("polish", ["auto", "ruin-recreate", "pyvrp"])
@pytest.mark.parametrize(
    "stop",
    [nr.stop.MaxIterations(50), nr.stop.NoImprovement(50)],
    ids=["most", "idle"],
)
def test_iterations_alone_can_limit(
    random_instance: nr.Instance, polish: str, stop: Stop
) -> None:
    """Without a time limit, and the same seed gives the same answer."""
    first, second = (
        nr.solve(random_instance, polish=polish, stop=stop) for _ in range(2)
    )
    assert first.best == second.best
    assert first.stages[-1].name == "polish"


@pytest.mark.parametrize(
    ("changes", "stages", "plan"),
    [
        ({}, ("savings", "search", "polish"), ("anneal to 80 %", "pyvrp")),
        ({"method": "savings"}, ("savings", "polish"), ("pyvrp",)),
        (
            {"params": nr.SolveParams("ckm", ckm={"max_clusters": 3})},
            ("cluster", "route", "polish"),
            ("pyvrp",),
        ),
        ({"initial_solution": "own"}, ("start", "polish"), ("pyvrp",)),
    ],
)
def test_a_search_makes_the_start_of_pyvrp(
    random_instance: nr.Instance,
    changes: dict[str, Any],
    stages: tuple[str, ...],
    plan: tuple[str, ...],
) -> None:
    """PyVRP alone improves routes that are given or by a named method."""
    if "initial_solution" in changes:
        customers = range(1, random_instance.num_customers + 1)
        changes = {"initial_solution": [[each] for each in customers]}
    result = nr.solve(
        random_instance,
        polish="pyvrp",
        stop=nr.stop.MaxIterations(50),
        **changes,
    )
    assert tuple(stage.name for stage in result.stages) == stages
    assert result.phases[1:] == plan
    assert result.polish == "pyvrp"
    costs = [one.cost for one in result.stages if one.cost is not None]
    assert costs == sorted(costs, reverse=True)
    assert result.cost == costs[-1]


@pytest.mark.parametrize(
    ("num_customers", "seconds", "ends"),
    [
        (999, 0.99, [1.0]),
        (999, 1.01, [SEARCH_SHARE, 1.0]),
        (999, math.inf, [SEARCH_SHARE, 1.0]),
        (5000, 24.9, [1.0]),
        (5001, 24.9, [SEARCH_SHARE, 1.0]),
    ],
)
def test_pyvrp_is_left_out_where_it_has_no_time(
    num_customers: int, seconds: float, ends: list[float]
) -> None:
    """0.2 s set it up for a thousand nodes; parts of 500 take less."""
    params = nr.SolveParams(polish="pyvrp")
    found = choose_improvements(
        params, num_customers, seconds, has_start=False
    )
    assert [each.name for each in found] == ["search", "polish"][: len(ends)]
    assert [each.end for each in found] == ends


def test_the_search_before_pyvrp_has_a_share_of_the_time(
    random_instance: nr.Instance,
) -> None:
    """Both keep to the limit, here of a clock that runs as it is read."""
    ticks = itertools.count()
    deadline = TimeLimit(1000.0, clock=lambda: 0.1 * next(ticks))
    result = nr.solve(random_instance, polish="pyvrp", stop=deadline)
    first, search, polish = (stage.seconds for stage in result.stages)
    assert search == pytest.approx(SEARCH_SHARE * (1000.0 - first), rel=0.02)
    assert first + search + polish == pytest.approx(1000.0, rel=0.02)


def test_a_target_that_the_search_reaches_leaves_pyvrp_out(
    random_instance: nr.Instance,
) -> None:
    """PyVRP would find nothing to do."""
    first = nr.solve(random_instance, method="savings", polish="none").cost
    stop = nr.stop.first_of(
        nr.stop.MaxIterations(10**6), nr.stop.TargetCost(0.99 * first)
    )
    result = nr.solve(random_instance, polish="pyvrp", stop=stop)
    assert [stage.name for stage in result.stages] == ["savings", "search"]
    assert result.cost <= 0.99 * first


def test_a_target_ends_the_search(random_instance: nr.Instance) -> None:
    """It is reached long before the time is over."""
    target = nr.stop.TargetCost(
        1.02 * nr.solve(random_instance, time_limit=0.3).cost
    )
    result = nr.solve(random_instance, time_limit=60.0, stop=target)
    assert result.cost <= target.cost
    assert result.runtime < 30.0


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_returns_the_best_so_far(random_instance: nr.Instance) -> None:
    """The signal comes while the polish is at work."""
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    before = signal.getsignal(signal.SIGINT)

    class Trigger(nr.Callbacks):
        """Starts the timer at the first solution."""

        def on_best(self, progress: Progress) -> None:
            if not timer.is_alive() and not timer.finished.is_set():
                timer.start()

    result = nr.solve(random_instance, time_limit=60.0, callbacks=Trigger())
    timer.join()
    assert result.interrupted
    assert result.runtime < 30.0
    assert nr.check_solution(random_instance, result.best) == []
    assert signal.getsignal(signal.SIGINT) is before


def test_any_form(random_instance: nr.Instance, instances_dir: Path) -> None:
    """Every form of a problem."""
    file = instances_dir / "NCC-n0021-s1.vrp"
    options: dict[str, Any] = {"polish": "none", "method": "savings"}
    cost = nr.solve(nr.read(file), **options).cost
    assert nr.solve(file, **options).cost == cost
    assert nr.solve(str(file), **options).cost == cost
    data = to_problem_data(random_instance)
    assert (
        nr.solve(data, **options).cost
        == nr.solve(random_instance, **options).cost
    )
    model = pyvrp.Model.from_data(data)
    assert nr.solve(model, **options).instance.num_customers == 60
    assert nr.warm_start(model, time_limit=0.2).is_feasible()


ROWS = {"x": [0, 3, 6], "y": [0, 4, 8], "demand": [0, 1, 1]}
"""A table of customers, with distances of 5 and 10 from the depot."""


def test_tables_are_problems(tmp_path: Path) -> None:
    """As a file, a data frame, columns and rows, in every entry point."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**ROWS, "x": [0.0, 3.0, 6.0]})
    file, whole = tmp_path / "a.csv", tmp_path / "a.json"
    frame.to_csv(file, index=False)
    rows = frame.to_dict("records")
    whole.write_text(json.dumps({"capacity": 1, "customers": rows}))
    for table in (str(file), frame, ROWS, rows):
        instance = nr.read(table, capacity=1)
        assert nr.solve(instance, time_limit=0.1).cost == 30.0
        assert nr.pyvrp.supports(instance) == []
        rule = r"capacity .* given: nr\.read\(customers, vehicles\)"
        for call in (nr.solve, nr.pyvrp.supports):
            with pytest.raises(nr.ParameterError, match=rule):
                call(table)
    assert nr.solve(whole, time_limit=0.1).cost == 30.0
    papers = {**ROWS, "fuel": ["", "7", ""]}
    with pytest.raises(nr.UnsupportedProblemError, match="fuel"):
        nr.solve(papers)
    assert "fuel" in nr.pyvrp.supports(papers)[0]


def test_warm_start_needs_the_data_of_pyvrp(square: nr.Instance) -> None:
    """Its answer belongs to them; the message says what to call."""
    for problem in (square, "a.csv", ROWS, None):
        with pytest.raises(nr.ParameterError, match="call solve, or give"):
            nr.warm_start(problem)  # type: ignore[arg-type]
    with pytest.raises(nr.ParameterError, match="or Model, got Depot"):
        nr.warm_start(pyvrp.Depot(0))  # type: ignore[arg-type]


@pytest.mark.parametrize("problem", [3, None, [1, 2], [], pyvrp.Depot(0)])
def test_anything_else_is_refused(problem: Any) -> None:
    """The message names what it may be."""
    with pytest.raises(nr.ParameterError, match="ProblemData or Model, got"):
        nr.solve(problem)


def in_progress_problem(num_vehicles: int) -> nr.Instance:
    """Return forty customers, eight of whom are on routes that have begun."""
    rng = np.random.default_rng(3)
    coords = rng.integers(-99, 99, (41, 2))
    rows = [
        {"id": f"c{k}", "x": x, "y": y, "demand": int(k > 0)}
        for k, (x, y) in enumerate(coords.tolist())
    ]
    in_progress = [
        nr.InProgressRoute(0, (8, 1, 20, 3)),
        nr.InProgressRoute(0, (18, 11, 12, 31)),
    ]
    vehicles = [{"number": num_vehicles, "capacity": 6, "fixed cost": 7}]
    return nr.read(rows, vehicles, in_progress=in_progress)


@pytest.mark.parametrize("wish", [{}, {"compactness": 1.0}])
def test_costs_of_in_progress_routes_are_whole(wish: dict[str, Any]) -> None:
    """The trace ends at the cost of the answer, and a target is that cost."""
    instance, stop = in_progress_problem(9), nr.stop.MaxIterations(300)
    found = nr.solve(instance, seed=1, stop=stop, **wish)
    if not wish:
        assert found.trace[-1].cost == pytest.approx(found.cost)
    assert min(point.cost for point in found.trace) > 0.9 * found.cost
    target = nr.stop.TargetCost(1.02 * found.cost)
    again = nr.solve(instance, seed=1, stop=nr.stop.first_of(target, stop))
    assert again.cost <= 1.02 * found.cost


def test_costs_have_the_prizes_of_others_of_a_served_group() -> None:
    """Nobody can serve them any more, so that no search knows of them."""
    coords = [(0, 0), (10, 0), (12, 0), (0, 9), (5, 5), (0, 20)]
    instance = nr.Instance(
        "served",
        np.array([0, 1, 1, 1, 1, 1]),
        3,
        coords=np.array(coords),
        selection=nr.Selection(
            prizes=np.array([0, 3, 7, 40, 40, 40]),
            required=np.zeros(6, dtype=bool),
            groups=(nr.Group((1, 2)),),
        ),
        fleet=nr.Fleet((nr.VehicleType(capacity=3),)),
        constraints=nr.RouteConstraints(
            in_progress=(nr.InProgressRoute(0, (1,)),)
        ),
    )
    found = nr.solve(instance, seed=1, stop=nr.stop.MaxIterations(50))
    assert 2 not in {*found.routes[0], *found.routes[-1]}
    assert found.trace[-1].cost == found.cost


def test_routes_without_vehicles_are_no_best_ones() -> None:
    """A construction may use more vehicles than there are."""
    for seed in range(12):
        base = generate_uchoa(12, seed, route_length=3.0)
        least = base.min_num_routes
        kind = nr.VehicleType(capacity=base.capacity, num_available=least)
        instance = replace(base, fleet=nr.Fleet((kind,)))
        try:
            found = nr.solve(instance, seed=1, stop=nr.stop.MaxIterations(50))
        except nr.InfeasibleError:
            continue
        assert found.trace[-1].cost == found.cost


def test_progress_tells_parts_of_units_of_overtime() -> None:
    """All else is whole; one customer is too large for the vehicle."""
    van = nr.VehicleType(
        capacity=2, shift_duration=25.5, max_overtime=9, unit_overtime_cost=1
    )
    instance = nr.Instance(
        "late",
        np.array([0, 1, 1, 9]),
        matrix=np.full((4, 4), 10.0),
        fleet=nr.Fleet((van,)),
    )
    diary = _Diary()
    found = nr.solve(
        instance,
        nr.stop.MaxIterations(20),
        allow_unserved=True,
        callbacks=diary,
    )
    assert found.cost == 30.0 + 4.5
    assert diary.costs[-1] == pytest.approx(found.cost)
