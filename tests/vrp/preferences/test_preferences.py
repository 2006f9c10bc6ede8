"""Compact, consistent and learned routes of every kind of problem."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.days import generate_days
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_shipments,
    generate_time_windows,
)

SIZE = 60
FLEET = generate_fleet(SIZE, 1, "costs")
PLAIN = generate_uchoa(SIZE, 5, route_length=8.0)
WINDOWS = generate_time_windows(SIZE, 1, "half", "short")
DEPOTS = generate_depots(SIZE, 2)


def reloading() -> nr.Instance:
    """Return a problem of few vehicles that make several trips each."""
    demands = 1 + np.arange(SIZE + 1) % 5
    demands[0] = 0
    van = nr.VehicleType(
        capacity=30, num_available=4, reload_depots=(0,), max_reloads=3
    )
    return nr.Instance(
        "trips", demands, coords=FLEET.coords, fleet=nr.Fleet((van,))
    )


def without_places(instance: nr.Instance) -> nr.Instance:
    """Return the same problem, of which only distances are known."""
    nodes = np.arange(len(instance.demands))
    matrix = instance.distances(nodes, nodes)
    return replace(instance, coords=None, matrix=matrix)


def on_a_map() -> nr.Instance:
    """Return the plain problem in degrees, a tenth of one wide."""
    assert PLAIN.coords is not None
    coords = [8.0, 50.0] + PLAIN.coords / 10_000.0
    return replace(PLAIN, coords=coords, is_geographic=True)


PROBLEMS = {
    "cvrp": PLAIN,
    "matrix": without_places(PLAIN),
    "map": on_a_map(),
    "windows": WINDOWS,
    "windows by matrix": without_places(WINDOWS),
    "fleet": FLEET,
    "limited fleet": generate_fleet(SIZE, 2, "limited"),
    "depots": DEPOTS,
    "depots by matrix": without_places(DEPOTS),
    "trips": reloading(),
    "shipments": generate_shipments(SIZE // 2, 3),
}


@dataclass(frozen=True, eq=False)
class Parity:
    """A scorer for which only the parity of customers counts."""

    spacing: float = 100.0

    def pair_probabilities(
        self, instance: nr.Instance | nr.PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return all pairs of different customers."""
        assert isinstance(instance, nr.Instance)
        rows = np.arange(1, instance.num_customers + 1)
        others = np.array([np.delete(rows, i) for i in range(len(rows))])
        alike = others % 2 == rows[:, None] % 2
        return others, np.where(alike, 0.5, 0.01), self.spacing


def sectors(name: str) -> list[int]:
    """Return a district for each direction of the customers from the depot."""
    name = {"matrix": "cvrp"}.get(name, name).removesuffix(" by matrix")
    coords = PROBLEMS[name].coords
    assert coords is not None
    arms = coords - coords[0]
    labels = np.floor(2.0 * np.arctan2(*arms.T)).astype(int) + 7
    labels[[*PROBLEMS[name].depots]] = -1
    return [int(label) for label in labels]


def customers_of(result: nr.Result) -> list[list[int]]:
    """Return the customers of each route, without calls at depots."""
    depots = {*result.instance.depots}
    return [[c for c in route if c not in depots] for route in result.routes]


def spread(result: nr.Result) -> float:
    """Return the distances of all customers from their routes' medoids."""
    total = 0.0
    for route in customers_of(result):
        lengths = result.instance.distances(route, route)
        total += float((lengths + lengths.T).sum(axis=0).min())
    return total


def parted(result: nr.Result) -> float:
    """Return the share of the pairs of the reference on several routes."""
    assert result.consistency is not None
    return 1.0 - result.consistency.kept_pairs


def mixed(result: nr.Result) -> float:
    """Return how many customers are with others of the other parity."""
    odd = [sum(c % 2 for c in route) for route in customers_of(result)]
    sizes = map(len, customers_of(result))
    return sum(min(k, n - k) for k, n in zip(odd, sizes, strict=True))


MEASURES = {"compactness": spread, "consistency": parted, "affinity": mixed}
LIKED = {"compactness": 10.0, "consistency": 100.0, "affinity": 4.0}
BESIDE = {"compactness": 0.95, "consistency": 0.95, "affinity": 0.75}
"""What is left of each measure at least."""

PACKED = ("trips", "shipments")
"""Of which routes have little choice of customers."""

NOISY = ("cvrp", "windows", "fleet", "limited fleet", "depots")
"""Of which compact routes are told by several seeds together."""

CASES = [
    (name, wish)
    for name in PROBLEMS
    for wish in MEASURES
    if wish != "affinity"
    or (PROBLEMS[name].coords is not None and name not in PACKED)
]


@cache
def solved(
    name: str,
    wishes: tuple[str, ...],
    method: str,
    seed: int = 1,
    iterations: int = 5_000,
) -> nr.Result:
    """Return the checked result of some thousand iterations."""
    instance = PROBLEMS[name]
    changes: dict[str, Any] = {wish: LIKED[wish] for wish in wishes}
    if "affinity" in wishes:
        changes["scorer"] = Parity()
    result = nr.solve(
        instance,
        method=method,
        polish="ruin-recreate",
        stop=nr.stop.MaxIterations(iterations),
        params=nr.SolveParams(reference=sectors(name), seed=seed, **changes),
    )
    assert nr.check_solution(instance, result.best) == []
    again = nr.Solution.from_routes(
        instance, result.routes, result.best.vehicle_types
    )
    assert again.cost == pytest.approx(result.cost)
    return result


@pytest.mark.parametrize(("name", "wish"), CASES)
def test_routes_are_as_is_wished(name: str, wish: str) -> None:
    """More than without the wish, at the cost of the true distances.

    Compact routes are hardly more so, which takes long searches to tell.
    """
    measure, is_compact = MEASURES[wish], wish == "compactness"
    seeds = (1, 2, 3) if is_compact and name in NOISY else (1,)
    run = [(seed, 20_000 if is_compact else 5_000) for seed in seeds]
    measured = [
        sum(measure(solved(name, wishes, "auto", *each)) for each in run)
        for wishes in ((), (wish,))
    ]
    assert measured[1] < BESIDE[wish] * measured[0]


def test_all_wishes_at_once() -> None:
    """Each as a weight: no other routes keep as much together."""
    plain = solved("cvrp", (), "auto")
    found = solved("cvrp", tuple(MEASURES), "auto")
    assert parted(found) < parted(plain)
    assert mixed(found) < mixed(plain)
    assert found.cost > plain.cost


@pytest.mark.parametrize("wish", MEASURES)
def test_clusters_are_as_is_wished(wish: str) -> None:
    """A clustering follows it as well."""
    plain = solved("cvrp", (), "ckm")
    found = solved("cvrp", (wish,), "ckm")
    assert MEASURES[wish](found) < MEASURES[wish](plain)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("wish", ["compactness", "consistency"])
def test_the_seed_decides(wish: str, jobs: int) -> None:
    """The same iterations give the same routes, at a small cost."""
    run: dict[str, Any] = {
        "reference": sectors("cvrp"),
        "jobs": jobs,
        "stop": nr.stop.MaxIterations(4_000),
    }
    first, again, free = (
        nr.solve(PLAIN, **(run | {wish: weight})) for weight in (1, 1, 0)
    )
    assert first.best == again.best
    assert free.cost < first.cost < 1.1 * free.cost


def test_nobody_has_to_be_served() -> None:
    """Without prizes there is no route, and nothing to be compact."""
    nobody = nr.Selection(np.zeros(SIZE + 1), np.zeros(SIZE + 1, dtype=bool))
    for name in ("cvrp", "matrix"):
        result = nr.solve(
            replace(PROBLEMS[name], selection=nobody),
            stop=nr.stop.MaxIterations(200),
            compactness=1.0,
            reference=sectors("cvrp"),
            consistency=1.0,
        )
        assert result.best.routes == ()


PAST, TODAY = generate_days(60, 5, route_length=10.0)


def test_solve_takes_every_kind_of_reference() -> None:
    """A result of yesterday, ids, and labels mean the same."""
    before = nr.solve(PAST, polish="none", seed=1)
    stop = nr.stop.MaxIterations(500)
    run: dict[str, Any] = {"consistency": 1.0, "stop": stop}
    first = nr.solve(TODAY, reference=before, **run)
    names = TODAY.node_ids
    by_id = {
        names[node]: f"district {district}"
        for node, district in enumerate(first.labels)
        if district >= 0
    }
    for reference in (before, first.labels, by_id):
        result = nr.solve(TODAY, reference=reference, **run)
        assert result.labels == first.labels
        assert result.best == first.best
        assert [s.name for s in result.stages] == ["savings", "polish"]
        again = nr.Result.from_json(result.to_json())
        assert again.consistency == result.consistency


def test_without_a_weight_a_reference_only_measures() -> None:
    """The routes are those of a run that knows none."""
    stop = nr.stop.MaxIterations(500)
    plain = nr.solve(TODAY, stop=stop)
    measured = nr.solve(
        TODAY, stop=stop, reference=[-1, *(k % 5 for k in range(60))]
    )
    assert measured.routes == plain.routes
    assert plain.consistency is None
    assert measured.consistency is not None


def test_a_scorer_is_an_object_or_a_file() -> None:
    """The record names it; the costs are those of the true distances."""
    params = nr.SolveParams(scorer=Parity(), affinity=1.0)
    found = nr.solve(PLAIN, nr.stop.MaxIterations(500), params=params)
    assert found.params["scorer"] == "Parity"
    assert found.cost == sum(map(PLAIN.route_cost, found.routes))


def scorer(answer: tuple[Any, Any, float]) -> Any:
    """Return a scorer with one answer."""

    class Wrong:
        def pair_probabilities(self, _: Any) -> tuple[Any, Any, float]:
            return answer

    return Wrong()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((np.ones((4, 1), int), np.ones((4, 1)), 1.0), "5 rows of near"),
        ((np.zeros((5, 1), int), np.ones((5, 1)), 1.0), "nodes from 1 to 5"),
        ((np.full((5, 1), 6), np.ones((5, 1)), 1.0), "nodes from 1 to 5"),
        ((np.ones((5, 1)), np.ones((5, 1)), 1.0), "nodes from 1 to 5"),
        ((np.ones((5, 1), int), np.ones((5, 2)), 1.0), "a probability of"),
        ((np.ones((5, 1), int), np.full((5, 1), 1.1), 1.0), "a probability"),
        ((np.ones((5, 1), int), np.ones((5, 1)), np.nan), "finite spacing"),
    ],
)
def test_wrong_answers_of_a_scorer(answer: Any, message: str) -> None:
    """The line names the scorer and what it must answer."""
    instance = generate_uchoa(5, 1)
    with pytest.raises(nr.ParameterError, match=f"scorer Wrong.*{message}"):
        nr.solve(
            instance,
            params=nr.SolveParams(scorer=scorer(answer), affinity=1.0),
        )


def test_affinity_refuses_forbidden_arcs_by_name() -> None:
    """They have no length that it could make longer."""
    instance = generate_uchoa(5, 1)
    matrix = np.array(without_places(instance).matrix)
    matrix[1, 2] = np.inf
    with pytest.raises(nr.UnsupportedProblemError, match="forbidden arcs"):
        nr.solve(
            replace(instance, matrix=matrix),
            nr.stop.MaxIterations(5),
            params=nr.SolveParams(affinity=1.0, scorer=Parity()),
        )


def test_distances_that_get_too_large_are_refused() -> None:
    """Their sums would not be exact."""
    params = nr.SolveParams(affinity=1e6, scorer=Parity(1e12))
    with pytest.raises(nr.UnsupportedProblemError, match="distances too larg"):
        nr.solve(generate_uchoa(5, 1), params=params)
