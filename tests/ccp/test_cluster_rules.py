"""Links, graphs and prices of clusters, against every partition."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing import check_clustering
from ncc_routing.problems.features import OBJECTIVES
from tests.oracles.brute_force_clusters import cheapest_clusters, prices_of
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from pathlib import Path

LINE = np.array([[0.0], [1], [2], [10], [11], [30]])
"""Two groups on a line, and one point apart."""

PATH = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
"""Neighbours on that line."""


def small_problem(seed: int, objective: str) -> tuple[nr.PointSet, int]:
    """Return up to eight points with rules drawn at random."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 9))
    count = int(rng.integers(1, 4))
    coords = rng.random((size, 2))
    if seed % 3 == 0:  # some coincide
        coords = rng.integers(0, 4, coords.shape).astype(float)
    weights = rng.integers(0, 6, size)
    rules = small_rules(rng, coords.shape, count, objective)
    if rng.random() < 0.3:
        rules["max_size"] = int(rng.integers(size // count + 1, size + 2))
    return nr.PointSet.from_arrays(coords, weights, **rules), count


def small_rules(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    count: int,
    objective: str,
) -> dict[str, Any]:
    """Return rules drawn at random, for at least two points."""
    rules: dict[str, Any] = {}
    size, num_dims = shape

    def pairs(most: int) -> list[Any]:
        number = int(rng.integers(1, most + 1))
        return [rng.choice(size, 2, replace=False) for _ in range(number)]

    for name in ("must_link", "cannot_link"):
        if rng.random() < 0.4:
            rules[name] = pairs(2)
    if rng.random() < 0.3:
        rules["fixed"] = {int(rng.integers(size)): int(rng.integers(count))}
    if rng.random() < 0.3:
        rules["centers"] = rng.choice(size, count - 1, replace=False)
        if rng.random() < 0.5 and objective != "cpmp":
            rules["centers"] = rng.random((count, num_dims))
    if rng.random() < 0.3 and objective == "cpmp":
        rules["forbidden_centers"] = pairs(1)[0]
    if rng.random() < 0.5:
        chain = [(i, int(rng.integers(i)), 2.0) for i in range(1, size)]
        rules["graph"] = chain + [(*pair, 1.0) for pair in pairs(4)]
        if rng.random() < 0.5:
            rules["compactness"] = float(rng.random())
    if rng.random() < 0.3:
        rules["reference"] = rng.integers(-1, count, size)
        rules["consistency"] = float(rng.random())
    rules["weights_in_objective"] = bool(rng.random() < 0.3)
    return rules


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_problems_are_solved_as_by_every_partition(
    objective: str,
) -> None:
    """Forty: nothing broken, no false alarm, and 95 % of the optima."""
    num_best, num_found = 0, 0
    for seed in seeds(40, step=2):
        points, count = small_problem(seed, objective)
        best = cheapest_clusters(points, count, objective)
        try:
            found = nr.cluster(points, count, objective=objective)
        except nr.InfeasibleError:
            assert best == np.inf, f"seed {seed} is feasible"
            continue
        assert check_clustering(points, found, count) == []
        cost = found.cost + prices_of(points, found.labels)
        assert cost >= best - 1e-9, f"seed {seed}"
        num_found += 1
        num_best += cost <= best + 1e-9
    assert num_best >= 0.95 * num_found > 0


@pytest.mark.parametrize(
    ("rules", "labels"),
    [
        ({"must_link": [(2, 3)], "max_size": 2}, [0, 0, 1, 1, 2, 2]),
        ({"must_link": [(0, 1, 2)], "cannot_link": [(3, 4)]}, [0, 0, 0, 0, 1]),
        ({"cannot_link": [(0, 1, 2)]}, [0, 1, 2, 2, 2]),
        ({"fixed": {5: 0, 0: 1, 4: 2}}, [1, 1, 1, 2, 2, 0]),
        ({"centers": [1, 3]}, [0, 0, 0, 1, 1, 2]),
        ({"centers": [[30.0], [11.0]]}, [2, 2, 2, 1, 1, 0]),
        ({"graph": [(0, 5), *PATH[1:4]]}, [0, 1, 1, 1, 1, 2]),
        ({"graph": [(0, 5), *PATH[1:]], "must_link": [(0, 5)]}, [0, 1, 1, 2]),
        ({"graph": "nearest", "max_size": 2}, [0, 0, 1, 1, 2, 2]),
        ({"reference": [1, 1, 1, 2, 2, 0], "consistency": 1}, [1, 1, 1, 2, 2]),
    ],
)
def test_each_rule_counts(rules: dict[str, Any], labels: list[int]) -> None:
    """Three clusters on a line; clusters without a name in any order."""
    found = nr.cluster(LINE, 3, **{"max_size": 6, **rules}).labels
    if not {"fixed", "centers", "reference"} & rules.keys():
        _, found = np.unique(found, return_inverse=True)
        firsts = {k: int(np.flatnonzero(found == k)[0]) for k in found}
        order = sorted(firsts, key=lambda k: firsts[k])
        found = np.array([order.index(k) for k in found])
    assert found[: len(labels)].tolist() == labels


def test_weights_count_in_the_objective_on_demand() -> None:
    """The mean of 0 and 3 with weights 2 and 1 is 1."""
    points = nr.PointSet(np.array([[0.0], [3.0]]), np.array([2, 1]), 3)
    heavy = points.limited(weights_in_objective=True)
    assert nr.cluster(points, 1).cost == pytest.approx(4.5)
    assert nr.cluster(heavy, 1).cost == pytest.approx(6.0)
    assert nr.cluster(heavy, 1).centers.tolist() == [[1.0]]
    assert nr.cluster(heavy, 1, objective="cccp").cost == pytest.approx(4.0)
    assert nr.cluster(heavy, 1, objective="cpmp").cost == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("forbidden", "message"),
    [
        ([0], "centers cannot hold: point 0 is a forbidden center"),
        (range(6), "forbidden_centers cannot hold: they are all"),
    ],
)
def test_contradictions_of_centers_are_named(
    forbidden: Any, message: str
) -> None:
    """A medoid must be a point that may be one."""
    rules: dict[str, Any] = {"max_size": 6}
    rules["forbidden_centers"] = [*forbidden]
    if len(forbidden) == 1:
        rules["centers"] = [0]
    with pytest.raises(nr.InfeasibleError, match=message):
        nr.cluster(LINE, 3, objective="cpmp", **rules)


def test_forbidden_centers_are_no_medoids() -> None:
    """The middle of three points must not be the medoid."""
    found = nr.cluster(LINE[:3], 1, 3, objective="cpmp", forbidden_centers=[1])
    assert found.medoids.tolist() in ([0], [2])
    assert found.cost == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            {"must_link": [(0, 1)], "cannot_link": [(1, 0)]},
            "must_link puts them into one",
        ),
        ({"must_link": [(0, 1)], "fixed": {0: 0, 1: 1}}, "belongs to cluster"),
        ({"fixed": {0: 2, 1: 2}, "cannot_link": [(0, 1)]}, "to cluster 2"),
        ({"cannot_link": [(0, 1, 2, 3)]}, "need more than 3 clusters"),
        ({"centers": [0], "fixed": {0: 1}}, "centers cannot hold: point 0"),
        ({"graph": PATH[:1]}, "graph need 5 clusters or more"),
        ({"graph": [*PATH[::2], (1, 2)], "must_link": [(0, 4)]}, "no path"),
        ({"graph": PATH, "max_size": 2, "fixed": {0: 0, 2: 0}}, "no way"),
        ({"must_link": [(0, 1, 2)], "max_size": 2}, "with those that must be"),
        (
            {"fixed": dict.fromkeys(range(3), 1), "max_size": 2},
            "max_size cannot hold: the points of cluster 1 by fixed, centers "
            "and must_link have 3 of 2",
        ),
    ],
)
def test_contradictions_are_named(rules: dict[str, Any], message: str) -> None:
    """Six points in three clusters."""
    with pytest.raises(nr.InfeasibleError, match=message):
        nr.cluster(LINE, 3, **{"max_size": 6, **rules})


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"must_link": [(0, 9)]}, "must name points 0..5, got 9"),
        ({"must_link": [("a", "b")]}, "a point that is not there, got 'a'"),
        ({"must_link": [(1, 1)]}, "two or more different points"),
        ({"fixed": {0: 3}}, "must be clusters below 3"),
        ({"fixed": [0, 1]}, r"must have shape \(6,\)"),
        ({"centers": [0, 0]}, "must be different points"),
        ({"centers": [[0, 1]]}, r"must have shape \(1, 1\)"),
        ({"centers": [0, 1, 2, 3]}, "must be at most 3"),
        ({"graph": "rook"}, "rook: file: does not exist"),
        ({"graph": "delaunay"}, "delaunay needs points in the plane"),
        ({"graph": [(0, 1, -1)]}, "lengths must be finite and not negative"),
        ({"graph": [(0,)]}, "must be edges of two points"),
        ({"compactness": 1}, "compactness: needs a graph"),
        ({"consistency": 1}, "consistency: needs a reference"),
        ({"graph": PATH, "compactness": -1}, "compactness: must not be neg"),
    ],
)
def test_wrong_rules_are_refused(rules: dict[str, Any], message: str) -> None:
    """The error names field, rule and value."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.cluster(LINE, 3, **{"max_size": 6, **rules})


def test_rules_without_an_effect_are_refused() -> None:
    """Medoids are points, and other methods know no rules."""
    for rules in (
        {"forbidden_centers": [1]},
        {"centers": [[0.5]], "objective": "cpmp"},
        {"must_link": [(0, 1)], "method": "gb21"},
    ):
        with pytest.raises(nr.UnsupportedProblemError):
            nr.cluster(LINE, 3, 6, **rules)


def test_graphs_in_all_forms_are_the_same() -> None:
    """Edges, matrices of scipy and numpy, networkx, lists of neighbours."""
    networkx = pytest.importorskip("networkx")
    sparse = pytest.importorskip("scipy.sparse")
    edges = [(a, b, 1.0) for a, b in PATH]
    rows, columns, lengths = zip(*edges, strict=True)
    table = sparse.coo_array((lengths, (rows, columns)), shape=(6, 6))
    forms = (
        *(edges, PATH, table, table.tocsr(), table.toarray()),
        *(networkx.Graph(PATH), {a: [b] for a, b in PATH}),
    )
    for form in forms:
        points = nr.PointSet.from_arrays(LINE, graph=form)
        assert points.rules.graph.tolist() == [list(edge) for edge in edges]
    with pytest.raises(nr.InfeasibleError, match="need 6 clusters"):
        nr.cluster(LINE, 2, max_size=4, graph=sparse.csr_matrix((6, 6)))


@pytest.mark.parametrize("graph", [[], {}, [(0, 0)], np.zeros((6, 6))])
def test_a_graph_without_edges_links_nothing(graph: object) -> None:
    """Every point is then a cluster of its own."""
    with pytest.raises(nr.InfeasibleError, match="need 6 clusters"):
        nr.cluster(LINE, 2, max_size=4, graph=graph)
    found = nr.cluster(LINE, 6, max_size=4, graph=graph)
    assert sorted(found.labels.tolist()) == list(range(6))


@pytest.mark.parametrize("graph", [3, [3], np.zeros((5, 5)), np.zeros((6, 4))])
def test_a_graph_of_another_shape_is_refused(graph: object) -> None:
    """The message says which shapes there are."""
    with pytest.raises(nr.InstanceError, match="graph: must "):
        nr.cluster(LINE, 2, max_size=4, graph=graph)


def test_files_hold_rules(tmp_path: Path) -> None:
    """Points by their ids."""
    points = nr.PointSet(LINE, np.ones(6, int), 6, ids=tuple("abcdef"))
    texts = {
        "must_link": "a,b,f\n",
        "cannot_link": "# apart\na,c\n",
        "fixed": "d,1\n",
        "centers": "c\n",
        "graph": "\n".join(f"{a},{b},2" for a, b in ("ab", "bf", "ac", "de"))
        + "\nc,d\n",
        "reference": "id,cluster\na,north\nc,south\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text)
    files: dict[str, Any] = {n: tmp_path / f"{n}.csv" for n in texts}
    with pytest.raises(nr.InstanceError, match="without a consistency"):
        nr.cluster(points, 3, **files)
    found = nr.cluster(points, 3, **files, consistency=1e-6)
    assert found.labels.tolist() == [2, 2, 0, 1, 1, 2]
    (tmp_path / "fixed.csv").write_text("id,cluster\na,\nd,1\n")
    again = nr.cluster(points, 3, **files, consistency=1e-6)
    assert again.labels.tolist() == found.labels.tolist()
    assert found.points.rules.graph[:, 2].tolist() == [2.0, 2, 2, 1, 2]
    again = type(found).from_json(found.to_json())
    assert again.points.rules.given == found.points.rules.given


def test_the_estimator_takes_rules() -> None:
    """Links are arguments of ``fit``, the graph is a parameter."""
    pytest.importorskip("sklearn")
    model = nr.CapacitatedClustering(3, 6, graph="nearest", random_state=1)
    labels = model.fit_predict(LINE, cannot_link=[(0, 1, 2)])
    assert len(set(labels[:3])) == 3
    labels = model.fit(LINE, fixed={5: 0, 0: 1, 4: 2}).labels_
    assert labels.tolist() == [1, 1, 1, 2, 2, 0]


def test_areas_are_hulls_in_the_given_degrees(tmp_path: Path) -> None:
    """Three corners and a point inside; two places make a line."""
    lonlat = np.array([[8.0, 50], [8, 51], [9, 50], [8.2, 50.2], [9, 55]])
    points = nr.PointSet.from_lonlat(lonlat, np.ones(5, int), 4)
    points = points.limited(fixed=[0, 0, 0, 0, 1])
    found = nr.cluster(points, 2)
    assert found.centers[1] == pytest.approx([9, 55])
    for name in ("a.geojson", "a.html", "a.svg", "a.json"):
        found.write(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    features = json.loads((tmp_path / "a.geojson").read_text())["features"]
    area, single = (f for f in features if f["properties"]["kind"] != "point")
    corners = [[8.0, 50], [9, 50], [8, 51], [8, 50]]
    assert area["geometry"] == {"type": "Polygon", "coordinates": [corners]}
    assert area["properties"]["size"] == 4
    assert single["geometry"] == {"type": "Point", "coordinates": [9, 55]}
