"""What is written into interactive pages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ncc_routing import (
    Fleet,
    Instance,
    ParameterError,
    PointSet,
    Solution,
    VehicleType,
    read,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.plotting import clusters_html, routes_html
from ncc_routing.problems.routes.comparison import Differences, StopChange
from ncc_routing.problems.routes.timetable import list_stops
from ncc_routing.problems.routes.unserved import Reason, Unserved

if TYPE_CHECKING:
    from collections.abc import Mapping


def data_of(text: str) -> Mapping[str, Any]:
    """Return the data of a page, read as a browser does."""
    found = re.search(
        r'<script id="data" type="application/json">(.*?)</script>', text, re.S
    )
    assert found is not None
    return dict(json.loads(found[1]))


def test_routes_come_with_loads_costs_and_legs(square: Instance) -> None:
    """Route 1, 4: legs 71, 100, 71 and load 1 + 4."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    data = data_of(routes_html(square, solution))
    first = data["groups"][0]
    assert first["members"] == [1, 4]
    assert first["distances"] == [71, 100, 71]
    assert (first["load"], first["capacity"], first["cost"]) == (5, 5, 242)
    assert first["hull"] == [[0, 0], [0, 100]]
    assert (data["x"][0], data["y"][0]) == (50, 50)
    assert (data["cost"], data["aspect"], data["hulls"]) == (484, 1, False)


def test_trips_have_loads_of_their_own(square: Instance) -> None:
    """The larger one is beside the capacity."""
    fleet = Fleet((VehicleType(capacity=5, reload_depots=(0,)),))
    able = replace(square, fleet=fleet)
    solution = Solution.from_routes(able, [[1, 4, 0, 2, 3]])
    [group] = data_of(routes_html(able, solution))["groups"]
    assert group["members"] == [1, 4, 0, 2, 3]
    assert (group["load"], group["capacity"]) == (5, 5)
    # What is on board after each stop, as in the other timetables.
    loads = group["amounts"]["load"]
    assert loads == list_stops(able, solution)["load"]
    assert loads[3] == group["load"]


def test_ids_are_kept(square: Instance) -> None:
    """Of routes and of clusters; without ids there are none."""
    named = replace(square, ids=("home", "a", "b", "</script>", "d"))
    solution = Solution.from_routes(named, [[1, 4], [2, 3]])
    data = data_of(routes_html(named, solution))
    assert data["ids"] == ["home", "a", "b", "</script>", "d"]
    assert data_of(routes_html(square, solution))["ids"] is None
    points = PointSet(np.eye(2), np.ones(2, int), 2, ids=("p", "q"))
    found = summarize(points, np.zeros(2, int), 1, "inertia")
    assert data_of(clusters_html(points, found))["ids"] == ["p", "q"]


@pytest.mark.parametrize(
    ("objective", "costs"), [("inertia", [2, 0]), ("cccp", [2, 0])]
)
def test_costs_of_clusters_add_up(objective: str, costs: list[int]) -> None:
    """Two points at distance 1 from their mean, and one alone."""
    points = PointSet(
        np.array([[0, 0], [2, 0], [9, 9]]), np.array([1, 1, 2]), 2, "three"
    )
    found = summarize(points, np.array([0, 0, 1]), 2, objective)
    data = data_of(clusters_html(points, found))
    assert [group["cost"] for group in data["groups"]] == costs
    assert data["cost"] == found.cost == 2
    assert [group["load"] for group in data["groups"]] == [2, 2]
    assert data["groups"][0]["center"] == [1, 0]


def test_medians_count_the_distances_of_the_objective() -> None:
    """Floored: 1.41 to the medoid counts 1, and a matrix counts as it is."""
    coords = np.array([[0, 0], [1, 1], [2, 2]])
    weights = np.ones(3, int)
    floored = PointSet(coords, weights, 3, rounding="floor")
    found = summarize(floored, np.zeros(3, int), 1, "cpmp")
    group = data_of(clusters_html(floored, found))["groups"][0]
    assert group["distances"] == [1, 0, 1]
    assert group["cost"] == found.cost == 2
    stated = np.array([[0, 5, 9], [5, 0, 7], [9, 7, 0]])
    matrix = PointSet(coords, weights, 3, matrix=stated)
    found = summarize(matrix, np.zeros(3, int), 1, "cpmp")
    group = data_of(clusters_html(matrix, found))["groups"][0]
    assert group["distances"] == [5, 0, 7]
    assert group["cost"] == found.cost == 12


def test_each_cluster_has_its_own_capacity() -> None:
    """Those of clusters, and those that go with the medoid."""
    coords, weights = np.array([[0, 0], [9, 9]]), np.ones(2, int)
    for capacities in (
        {"num_clusters": 2, "capacities": np.array([3, 4])},
        {"point_capacities": np.array([3, 4])},
    ):
        points = PointSet(coords, weights, 4, **capacities)
        found = summarize(points, np.array([0, 1]), 2, "cpmp")
        groups = data_of(clusters_html(points, found))["groups"]
        assert [group["capacity"] for group in groups] == [3, 4]


def test_empty_clusters_have_no_hull() -> None:
    """Cluster 1 has no point."""
    points = PointSet(np.array([[0, 0], [2, 0]]), np.ones(2, int), 2)
    found = summarize(points, np.array([0, 2]), 3, "inertia")
    groups = data_of(clusters_html(points, found))["groups"]
    assert [len(group["hull"]) for group in groups] == [1, 0, 1]


def test_names_from_files_are_only_text() -> None:
    """A name that ends the script, or looks like a field, does neither."""
    name = "</script><script>alert(1)</script> {{style}} & <!--"
    coords = np.array([[0, 0], [1, 1]])
    instance = Instance(name, np.array([0, 1]), 1, coords=coords)
    text = routes_html(instance, Solution.from_routes(instance, [[1]]))
    assert data_of(text)["name"] == name
    assert "<script>alert" not in text
    assert text.count("</script>") == 2
    assert "&lt;!--</title>" in text


def test_routes_name_their_depots_and_types(
    two_depots: Instance, two_depots_plan: Solution
) -> None:
    """The page draws each route from its own depot."""
    data = data_of(routes_html(two_depots, two_depots_plan))
    assert data["depots"] == [0, 5]
    first, second = data["groups"]
    assert (first["ends"], second["ends"]) == ([0, 0], [5, 5])
    assert (first["capacity"], second["capacity"]) == (7, 8)
    assert second["distances"] == [10, 10, 20]
    assert second["cost"] == 80


def test_routes_come_with_times(
    two_depots: Instance, two_depots_plan: Solution, square: Instance
) -> None:
    """Depot to depot, and the vehicle; without times there are none."""
    fleet = two_depots.fleet
    assert fleet is not None
    van, truck = fleet.types
    named = Fleet((replace(van, name="van"), truck))
    instance = replace(two_depots, fleet=named)
    first, second = data_of(routes_html(instance, two_depots_plan))["groups"]
    assert first["times"]["arrival"] == [5, 15, 30, 55]
    assert first["times"]["departure"] == [5, 20, 35, 55]
    assert second["times"]["service_start"] == [0, 10, 25, 50]
    assert (first["title"], second["title"]) == ("van 1", "Route 2")
    assert (first["vehicle"], second["vehicle"]) == (None, "vehicle 3")
    solution = Solution.from_routes(square, [[1, 4]])
    [group] = data_of(routes_html(square, solution))["groups"]
    assert (group["times"], group["vehicle"]) == (None, None)


def test_pages_have_columns_unserved_and_a_base_map() -> None:
    """Tiles alone may be loaded, from the address of the user."""
    rows = {"lon": [10, 11], "lat": [0, 60], "note": [None, "</script>"]}
    problem = read(rows, capacity=1)
    none = Solution.from_routes(problem, [])
    unserved = (
        Unserved(1, "1", 0, (Reason(0, "vehicles", "all are in use"),)),
    )
    tiles = "https://{s}.tiles.org/{z}/{x}/{y}.png"
    text = routes_html(problem, none, unserved, tiles=tiles)
    data = data_of(text)
    assert data["columns"] == [
        {"title": "note", "cells": [None, "</script>"], "says": "note"}
    ]
    assert data["unserved"] == [{"point": 1, "reasons": ["all are in use"]}]
    assert data["changes"] == {}
    found = Differences((StopChange("van", "1", "dropped"),), 1, 0.0)
    page = routes_html(problem, none, unserved, differences=found)
    assert data_of(page)["changes"] == {"van": ["1: dropped"]}
    # ln tan(45 + 60 / 2 degrees) is 1.3170, or 75.456 degrees.
    assert data["y"] == pytest.approx([0, 75.456], abs=1e-3)
    assert 'img-src data: https://*.tiles.org"' in text
    assert data_of(routes_html(problem, none))["y"] == [0, 60]
    for wrong in ("https://a.org/{z}/{x}", "javascript:{z}{x}{y}", "; *"):
        with pytest.raises(ParameterError, match="tiles must be an address"):
            routes_html(problem, none, tiles=wrong)


def test_forbidden_arcs_are_drawn(two_depots: Instance) -> None:
    """What is infinite is null: JSON has no such number."""
    matrix = np.ones((6, 6))
    matrix[1, 2] = np.inf
    solution = Solution.from_routes(two_depots, [[1, 2]], [0])
    text = routes_html(replace(two_depots, matrix=matrix), solution)
    [group] = data_of(text)["groups"]
    assert group["distances"] == [1, None, 1]
    assert group["cost"] is None


def test_pages_load_nothing_from_elsewhere(square: Instance) -> None:
    """No address in the page but that of an empty icon."""
    text = routes_html(square, Solution.from_routes(square, [[1, 4]]))
    assert re.findall(r"(?:src|href)=\"([^\"]*)\"", text) == ["data:,"]
    assert re.findall(r"https?:|url\(|@import", text) == []
    assert "default-src 'none'" in text
    assert "{{" not in text
