"""The order of the stages, from an instance to a checked result."""

from __future__ import annotations

import json
import math
import os
from dataclasses import fields, replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.ccp.params import ClusterLimits, ClusterOptions
from ncc_routing.clustering.priority import DistancePriority
from ncc_routing.generators import generate_uchoa
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.ckm.search import CkmParams
from ncc_routing.vrp.methods import IMPROVEMENTS, METHODS
from ncc_routing.vrp.params import SolveOptions
from ncc_routing.vrp.problem import checked_answer

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("method", METHODS)
def test_methods_solve(random_instance: nr.Instance, method: str) -> None:
    """A checked solution, and stages whose last cost is that of the best."""
    result = nr.solve(random_instance, method=method, polish="none")
    assert nr.check_solution(random_instance, result.best) == []
    assert result.stages[-1].cost == result.cost
    assert result.method == method
    assert result.runtime >= sum(stage.seconds for stage in result.stages)
    if method == "ckm":
        assert [s.name for s in result.stages] == ["cluster", "route"]
        assert result.stages[0].cost is None


@pytest.mark.parametrize("polish", sorted(IMPROVEMENTS))
def test_polish_never_makes_it_worse(
    random_instance: nr.Instance, polish: str
) -> None:
    """The second stage starts from the first."""
    result = nr.solve(
        random_instance, method="sweep", polish=polish, time_limit=0.3
    )
    assert [stage.name for stage in result.stages] == ["sweep", "polish"]
    first, second = (stage.cost for stage in result.stages)
    assert first is not None
    assert second is not None
    assert second <= first


def test_unrounded_distances(random_instance: nr.Instance) -> None:
    """The paper's metric: coordinates / 1000 without rounding."""
    assert random_instance.coords is not None
    instance = nr.Instance(
        "paper",
        random_instance.demands,
        random_instance.capacity,
        random_instance.coords / 1000.0,
        "none",
    )
    result = nr.solve(instance, polish="none")
    rounded = nr.solve(random_instance, polish="none").cost / 1000.0
    assert result.cost == pytest.approx(rounded, rel=0.05)


@pytest.mark.parametrize("weight", [1e-6, 1e6])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e5])
def test_extreme_weights_keep_the_rules(weight: float, scale: float) -> None:
    """Neither penalties nor their sums lose the loads, at any scale."""
    instance = generate_uchoa(60, 5)
    assert instance.coords is not None
    instance = replace(
        instance, coords=scale * instance.coords, rounding="none"
    )
    districts = [-1, *(i % 7 for i in range(60))]
    for name in ("compactness", "consistency"):
        params = nr.SolveParams(reference=districts, **{name: weight})  # type: ignore[arg-type]
        found = nr.solve(instance, nr.stop.MaxIterations(500), params=params)
        assert nr.check_solution(instance, found.best) == []


def test_numbers_of_numpy_are_numbers(square: nr.Instance) -> None:
    """In parameters of a run and of its algorithms, and in the record."""
    given: dict[str, Any] = {
        "seed": np.int64(3),
        "time_limit": np.float32(0.25),
        "compactness": np.int64(1),
        "ruin_recreate": {
            "degree": np.int32(5),
            "mean_removed": np.float64(2),
        },
    }
    found = nr.solve(square, params=nr.SolveParams(**given))
    assert found.params["seed"] == 3
    assert type(found.params["compactness"]) is float
    assert json.loads(found.to_json())["params"] == found.params


def test_the_criterion_comes_second(square: nr.Instance) -> None:
    """As in PyVRP's ``solve``; parameters are no criterion."""
    for last in (nr.stop.MaxIterations(3), pyvrp.stop.MaxIterations(3)):
        assert nr.solve(square, last).cost == 484
    wrong: Any = nr.SolveParams()
    with pytest.raises(nr.ParameterError, match="got SolveParams"):
        nr.solve(square, wrong)


ENTRIES: Final = {
    nr.solve: (nr.SolveParams, SolveOptions),
    nr.warm_start: (nr.SolveParams, SolveOptions),
    nr.replan: (nr.SolveParams, SolveOptions),
    nr.what_if: (nr.SolveParams, SolveOptions),
    nr.solve_days: (nr.SolveParams, SolveOptions),
    nr.cluster: (nr.ClusterParams, ClusterOptions),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_keywords_are_fields_of_the_parameters(
    entry: Callable[..., Any],
) -> None:
    """All of them, each with the type of its field."""
    kind, options = ENTRIES[entry]
    wanted = {}
    for each in fields(kind):
        text = str(each.type).removesuffix(" | None")
        wanted[each.name] = "object" if text == "object" else f"{text} | None"
    shown = {
        name: each.__forward_arg__
        for name, each in options.__annotations__.items()
        if name not in ClusterLimits.__annotations__ or entry is not nr.cluster
    }
    assert shown == wanted
    parameters = signature(entry).parameters
    assert parameters["options"].annotation == f"Unpack[{options.__name__}]"
    assert parameters["stop"].default is None


def test_mypy_knows_the_keywords(square: nr.Instance) -> None:
    """A comment that ignores nothing would be an error of its own."""
    with pytest.raises(TypeError, match=r"no parameter 'sede'.* seed,"):
        nr.solve(square, sede=1)  # type: ignore[call-arg]
    with pytest.raises(nr.ParameterError, match="seed must be a whole"):
        nr.solve(square, seed="1")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "magic"}, "method must be one of auto, ckm"),
        ({"polish": "wax"}, "polish must be one of none"),
        ({"router": "gps"}, "router must be one of lkh"),
        ({"time_limit": 0.0}, "time_limit must be at least 1e-06"),
        ({"time_limit": float("nan")}, "time_limit must be at least 1e-06"),
        ({"seed": -1}, "seed must lie in"),
        ({"jobs": 0}, "jobs must lie in .1, 4096. or be -1"),
        ({"seed": 1.5}, r"seed must be a whole number, got 1\.5"),
        ({"seed": True}, "seed must be a whole number, got True"),
        ({"jobs": 1.5}, r"jobs must be a whole number, got 1\.5"),
        ({"compactness": 1e308}, r"compactness must lie in \[1e-06, 1e\+06\]"),
        ({"compactness": 1e-320}, "compactness must lie in"),
        ({"consistency": 1e308, "reference": [0]}, "consistency must lie in"),
        ({"affinity": 1e-320}, "affinity must lie in"),
        (
            {"ruin_recreate": {"mean_removed": math.inf}},
            "ruin_recreate mean_removed must lie in .* got inf",
        ),
        (
            {"method": "ckm", "ckm": {"fewer_share": 5}},
            "ckm fewer_share must lie in",
        ),
        (
            {"method": "ckm", "ckm": {"more_share": -1}},
            "ckm more_share must lie in",
        ),
        (
            {"method": "ckm", "ckm": {"fewer_share": 0.7, "more_share": 0.7}},
            "fewer_share and more_share must add up to at most 1",
        ),
        (
            {"ruin_recreate": {"mean_remove": 12}},
            "no parameter 'mean_remove' in ruin_recreate.* mean_removed",
        ),
        (
            {"method": "ckm", "ckm": {"max_clusters": 2.5}},
            "ckm max_clusters must be a whole",
        ),
        (
            {"method": "ckm", "ckm": {"max_clusters": 1}},
            "ckm max_clusters must lie in",
        ),
        (
            {"method": "ncc", "ncc": {"correlation": {"hot": 1}}},
            "'hot' in ncc correlation",
        ),
        ({"method": "ncc", "ncc": 3}, "ncc must be a mapping or a NccParams"),
        (
            {"method": "savings", "priority": DistancePriority()},
            "method savings takes no priority",
        ),
        (
            {"method": "savings", "ckm": {"max_clusters": 3}},
            "method savings takes no ckm",
        ),
        (
            {"method": "ncc", "ncc": {}, "ncc_paper": {}},
            "method ncc takes no ncc_paper",
        ),
        ({"ncc": {}}, r"ncc needs a method by name \(ncc, ncc-sampling\)"),
        ({"priority": DistancePriority()}, r"priority needs a .* \(ckm"),
        (
            {"polish": "none", "ruin_recreate": {"mean_removed": 12}},
            "polish none does not use ruin_recreate",
        ),
    ],
)
def test_wrong_parameters_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """Each message names the parameter and the rule."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.SolveParams(**changes)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"params": pyvrp.SolveParams()}, "got SolveParams of pyvrp"),
        ({"stop": 5}, "stop must be a criterion of .* got int; for"),
        ({"jobs": 0}, "jobs must lie in"),
    ],
)
def test_wrong_arguments_are_refused(
    square: nr.Instance, argument: dict[str, Any], message: str
) -> None:
    """Each message names the argument and the rule."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.solve(square, **argument)


def test_params_can_be_given_and_changed(square: nr.Instance) -> None:
    """Single changes win over the parameters given as one value."""
    params = nr.SolveParams(method="savings", polish="none", seed=9)
    result = nr.solve(square, seed=2, params=params)
    assert (result.method, result.seed) == ("savings", 2)
    assert nr.SolveParams(jobs=3).num_cores == 3
    assert nr.SolveParams(jobs=-1).num_cores == os.cpu_count()


def test_warm_start_takes_parameters(random_instance: nr.Instance) -> None:
    """Without an improvement the start is the solution of the method alone."""
    data = to_problem_data(random_instance)
    start = nr.warm_start(data, time_limit=60.0, method="sweep", polish="none")
    alone = nr.solve(random_instance, method="sweep", polish="none")
    assert start.distance() == alone.cost


def test_warm_start_respects_matrices(random_instance: nr.Instance) -> None:
    """Doubled distances: the cost of the start is that of the matrix."""
    data = to_problem_data(random_instance)
    matrix: Any = 2 * data.distance_matrix(0)
    doubled = data.replace(distance_matrices=[matrix])
    options: dict[str, Any] = {"method": "savings", "polish": "none"}
    start = nr.warm_start(doubled, time_limit=60.0, **options)
    plain = nr.warm_start(data, time_limit=60.0, **options)
    assert start.is_feasible()
    assert start.distance() == pytest.approx(2 * plain.distance(), rel=0.1)


def test_an_expired_clock_ends_the_run(random_instance: nr.Instance) -> None:
    """The caller's clock counts beside the time limit."""
    deadline = TimeLimit()
    deadline.expire()
    result = nr.solve(
        random_instance, polish="pyvrp", time_limit=60.0, stop=deadline
    )
    assert nr.check_solution(random_instance, result.best) == []


def test_parameters_reach_algorithms(random_instance: nr.Instance) -> None:
    """A mapping, the dataclass and the record of the run say the same."""
    first, same = (
        nr.solve(random_instance, params=nr.SolveParams("ckm", "none", ckm=by))
        for by in ({"trials_per_customer": 0}, CkmParams(0))
    )
    assert first.best == same.best
    assert first.cost > nr.solve(random_instance, polish="none").cost
    known = first.params["ckm"]
    assert isinstance(known, dict)
    assert known["trials_per_customer"] == 0
    assert known["max_clusters"] == 5
    assert "ncc" not in first.params


def test_a_priority_of_the_user_counts(random_instance: nr.Instance) -> None:
    """Another priority, other clusters; the record names its class."""
    params = nr.SolveParams("ckm", "none", priority=DistancePriority())
    found = nr.solve(random_instance, params=params)
    assert nr.check_solution(random_instance, found.best) == []
    assert found.best != nr.solve(random_instance, polish="none").best
    assert found.params["priority"] == "DistancePriority"


def test_the_method_that_ran_is_told(
    random_instance: nr.Instance, caplog: pytest.LogCaptureFixture
) -> None:
    """Too little time for the network: ckm runs, and the result says so."""
    result = nr.solve(
        random_instance, method="ncc", polish="none", time_limit=0.01
    )
    assert result.method == "ckm"
    assert result.params["method"] == "ncc"
    assert "random60 has too little time to score pairs" in caplog.text
    enough = nr.solve(random_instance, method="ncc", polish="none")
    assert enough.method == "ncc"


@pytest.mark.parametrize("name", ["ckm", "ncc", "sweep", "petal", "gap"])
def test_a_method_says_what_it_does_not_accept(name: str) -> None:
    """A matrix without coordinates is refused by name, in one way."""
    matrix = np.ones((3, 3)) - np.eye(3)
    instance = nr.Instance("table", np.array([0, 1, 1]), 2, matrix=matrix)
    message = f"{name} does not accept distances without coordinates"
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        nr.solve(instance, method=name)
    assert nr.solve(instance, time_limit=0.2).cost == 3.0


@pytest.mark.parametrize(
    ("routes", "message"),
    [
        ([[1, 4], [2]], "customer 3 is not visited"),
        ([[1, 2, 3, 4]], "carries 10 of 5"),
    ],
)
def test_a_broken_answer_never_leaves(
    square: nr.Instance, routes: list[list[int]], message: str
) -> None:
    """Every answer passes this check of the problem that the user gave."""
    answer = nr.Solution.from_routes(square, routes)
    with pytest.raises(nr.NccRoutingError, match=message):
        checked_answer(square, square, answer)


def test_pyvrp_judges_the_answer_to_its_data(square: nr.Instance) -> None:
    """Even where the instance has lost a constraint of the data."""
    roomy = replace(square, capacity=10)
    answer = nr.Solution.from_routes(roomy, [[1, 2, 3, 4]])
    with pytest.raises(nr.NccRoutingError, match="PyVRP finds it infeasible"):
        checked_answer(to_problem_data(square), roomy, answer)


@pytest.mark.parametrize("method", ["sweep", "ckm", "savings"])
def test_forbidden_arcs_are_refused_by_name(
    square: nr.Instance, method: str
) -> None:
    """Not as the maximum distance that they become."""
    matrix = np.ones((5, 5))
    matrix[1, 2] = np.inf
    with pytest.raises(
        nr.UnsupportedProblemError, match="accept forbidden arcs"
    ):
        nr.solve(replace(square, matrix=matrix), method=method, polish="none")


def test_what_pyvrp_refuses_is_an_error_of_the_package(
    square: nr.Instance,
) -> None:
    """A vehicle type that can never leave is no problem for our search."""
    fleet = nr.Fleet(
        (nr.VehicleType(capacity=5), nr.VehicleType(capacity=5, tw_late=9))
    )
    windows = nr.TimeWindows.of(5, tw_early=[10, 0, 0, 0, 0])
    instance = replace(square, fleet=fleet, windows=windows)
    with pytest.raises(
        nr.UnsupportedProblemError, match="PyVRP refuses the prob"
    ):
        nr.solve(instance, polish="pyvrp", time_limit=0.5)
    assert nr.solve(
        instance, stop=nr.stop.MaxIterations(9)
    ).best.vehicle_types == (
        0,
        0,
    )
