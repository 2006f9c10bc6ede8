"""Small still pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.plotting import clusters_svg, routes_svg
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.points import PointSet
from ncc_routing.problems.solution import Solution

SVG = "{http://www.w3.org/2000/svg}"


def test_routes_depot_and_names(square: Instance) -> None:
    """Corners in whole units with a margin of 20, y downwards."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    root = ET.fromstring(routes_svg(square, solution, width=208))
    assert (root.get("viewBox"), root.get("width")) == (
        "0 0 1040 1040",
        "208",
    )
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == [
        "Route 1: 2 customers, load 5, cost 242",
        "Route 2: 2 customers, load 5, cost 242",
        "Depot",
    ]
    legs, first, second = root.findall(f"{SVG}g")
    assert [path.get("d") for path in legs] == [
        "M520 520L20 1020M520 520L20 20",
        "M520 520L1020 1020M520 520L1020 20",
    ]
    assert [path.get("d") for path in first.findall(f"{SVG}path")] == [
        "M20 1020L20 20",
        "M20 1020h0M20 20h0",
    ]
    assert first.get("stroke") != second.get("stroke")


def test_clusters_hulls_and_centers() -> None:
    """A hull for each used cluster and a cross for its center."""
    points = PointSet(
        np.array([[0, 0], [2, 0], [10, 10]]), np.array([1, 1, 2]), 2, "three"
    )
    found = summarize(points, np.array([0, 0, 2]), 3, "inertia")
    root = ET.fromstring(clusters_svg(points, found))
    assert root.get("aria-label") == "three: 3 clusters"
    assert [title.text for title in root.iter(f"{SVG}title")] == [
        "Cluster 0: 2 points, load 2",
        "Cluster 2: 1 points, load 2",
    ]
    hull = root.findall(f"{SVG}g")[0].findall(f"{SVG}path")[0]
    assert hull.get("d") == "M20 1020L220 1020Z"
    crosses = root.findall(f"{SVG}path")[0].get("d")
    assert crosses == "M113 1013l14 14m-14 0l14-14M1013 13l14 14m-14 0l14-14"


def test_thousand_customers_stay_small() -> None:
    """Below 100 KB, so that a notebook can hold many pictures."""
    rng = np.random.default_rng(1)
    instance = Instance(
        "thousand",
        np.concatenate([[0], np.ones(1000, int)]),
        10,
        coords=rng.integers(0, 1000, (1001, 2)),
    )
    routes = 1 + np.arange(1000).reshape(100, 10)
    solution = Solution.from_routes(instance, routes.tolist())
    assert len(routes_svg(instance, solution)) < 100_000


def test_names_are_escaped_and_one_place_is_drawn() -> None:
    """No extent and a name with markup still make well-formed XML."""
    name = '<b> & "c"'
    instance = Instance(name, np.array([0, 1]), 1, coords=np.ones((2, 2)))
    root = ET.fromstring(routes_svg(instance, Solution(((1,),), 0.0)))
    assert root.get("aria-label") == f"{name}: 1 routes"


def test_places_and_planes_are_needed() -> None:
    """A matrix alone, or three dimensions, cannot be drawn."""
    matrix = Instance("m", np.array([0, 1]), 1, matrix=np.zeros((2, 2)))
    with pytest.raises(InstanceError, match="plotting"):
        routes_svg(matrix, Solution(((1,),), 0.0))
    points = PointSet(np.eye(3), np.ones(3, int), 3)
    found = summarize(points, np.zeros(3, int), 1, "inertia")
    with pytest.raises(ParameterError, match="two dimensions"):
        clusters_svg(points, found)


def test_every_depot_is_marked(
    two_depots: Instance, two_depots_plan: Solution
) -> None:
    """Routes begin and end at the depot of their type."""
    root = ET.fromstring(routes_svg(two_depots, two_depots_plan))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == [
        "Route 1: 2 customers, load 7, cost 45",
        "Route 2: 2 customers, load 7, cost 80",
        "Depot",
        "Depot",
    ]
    legs = root.findall(f"{SVG}g")[0]
    assert [path.get("d") for path in legs] == [
        "M20 20L120 20M20 20L220 20",
        "M1020 20L920 20M1020 20L820 20",
    ]
